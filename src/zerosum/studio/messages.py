"""The protocol between the page and the server: one JSON object per message.

The page sends ``{"v": 1, "n": 7, "do": "move", "body": {...}}``; the server sends ``{"v": 1, "re": 7, "kind":
"position", "body": {...}}``, where ``re`` is the number of the message it answers, or null for an event. A browser may
send anything, so everything is checked before it is used. ``WISHES`` lists the requests of a page, ``NEWS`` the events
that the server sends unasked.

Moves are numbers, sides are 0 and 1, and values are for MAX. A message about a position contains its ``ply`` and its
``position`` in the game's notation; a page ignores messages about positions other than the one on its board.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from zerosum.errors import StudioError, ZerosumError
from zerosum.game import MOVE_LIMIT
from zerosum.working.problems import place_in_game_file

VERSION = 1

MOST_BYTES = 64 * 1024
"""Maximum size of a message from a page. A pasted game of a few hundred moves takes a tenth of it."""

MOST_MOVES = 5000
MOST_TEXT = 32 * 1024


WISHES = {
    "hello": "{session} -> welcome: the first message; games, levels, and the name of the session",
    "ping": "-> pong",
    # A game
    "open": "{game, settings, mode, position, moves or line, people, strength, clock} -> board, position: start",
    "move": "{ply, move} -> position: a person's move",
    "undo": "-> position: go back to the last choice of a person",
    "hint": "-> search, report: what the engine would play",
    "resign": "-> position",
    "step": "-> stepped: the next move of a game of the engine against itself",
    "offer-draw": "-> offered",
    "flag": "-> position: a clock has run out",
    "stop": "{what}: end the main search, or that of `beside` or `review`",
    # An analysis
    "go": "{moves, position} -> at: go to another position; the analysis follows",
    "boards": "{moves, first} -> boards: the boards after `first` moves and later, without legal moves",
    "analyse": "{lines, algorithm, beside}: search this position, and every later one, until stopped",
    "threat": "{seconds} -> threat: what the other side would play if it were its turn",
    "look": "{ply, moves} -> look: the board some moves ahead, for a preview",
    "tree": "{moves} -> tree: what the engine's table holds for each move",
    "rollout": "{candidates} -> rollout: average results of candidate plays in a game with dice",
    "verdict": "-> verdict: the endgame database's result for the position and each move",
    "explore": "-> explored: the moves played here in files of games and books, and the opening's name",
    "review": "{moves, seconds} -> evaluation for each position, then review: a summary of both sides",
    "read": "{text} -> reading: a pasted position or game, with names, comments and variations",
    "save": "{nodes, names, result, notes} -> file: the whole game, with nodes as in `reading`",
    "set-up": "{glyphs, turn} -> set-up: the position with these glyphs on these cells",
    # The classroom, the arena, training
    "gallery": "-> gallery: examples, slips, algorithms",
    "example": "{name} -> example",
    "trace": "{tree or game, algorithm, depth} -> trace",
    "evaluation": "{game, position} -> evaluation: feature by feature",
    "quiz": "{subject, seed, difficulty, solved} -> quiz",
    "answer": "{subject, seed, difficulty, question, answer} -> answer",
    "ladder": "{game, seconds} -> climbing, then ladder after each rung",
    "ladder-stop": "-> stopped",
    "match": "{game, players, games, seconds, boards} -> contest, then match as it proceeds",
    "match-stop": "-> stopped",
    "match-games": "{most} -> match-games: the finished games",
    "match-game": "{number} -> match-game: a finished game, to be opened",
    "match-save": "-> games: the file of the match",
    "training": "{game, games, hidden, seed} -> training-begun, then training as it proceeds",
    "training-watch": "-> trainable: games that can learn; then training, for each watched file",
    "training-stop": "-> stopped",
}
"""The requests of a page: the body, the answer, and what it does."""

NEWS = {
    "search": "a search changed its state: {search, purpose, state, ply, position, problem}",
    "report": "the current findings of a search: {search, purpose, ply, position, depth, value, words, lines, …}",
    "position": "the engine has moved",
    "error": "{message}: something went wrong; with `closed` the conversation is over",
}
"""Events that the server sends unasked."""


class Request(NamedTuple):
    """A request of the page: its number, its name, and its arguments."""

    number: int | None
    do: str
    body: Mapping[str, Any]


def read(text: str) -> Request:
    """Parse a message; raise StudioError if ``text`` is not one.

    >>> read('{"v": 1, "n": 3, "do": "stop"}')
    Request(number=3, do='stop', body={})
    """
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise StudioError(f"a message may have at most {MOST_BYTES // 1024} KiB")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise StudioError(f"{_short(text)} is not a message: it is not JSON") from None
    if not isinstance(content, dict):
        raise StudioError(f"{_short(text)} is not a message: it must be an object")
    if content.get("v") != VERSION:
        raise StudioError(f"message version {_short(content.get('v'))} is not supported: reload the page")
    number, do, body = content.get("n"), content.get("do"), content.get("body", {})
    if number is not None and not _is_whole(number):
        raise StudioError(f"a message's n must be a whole number, not {_short(number)}")
    if not isinstance(do, str) or not isinstance(body, dict):
        raise StudioError(f"{_short(text)} is not a message: it needs do and body")
    return Request(number, do, body)


def write(kind: str, body: Mapping[str, Any], answers: int | None = None) -> str:
    """A message to the page.

    >>> write("pong", {}, 3)
    '{"v":1,"re":3,"kind":"pong","body":{}}'
    """
    return json.dumps({"v": VERSION, "re": answers, "kind": kind, "body": body}, separators=(",", ":"), default=_plain)


def in_one_line(problem: Exception) -> str:
    """An exception for the page; an unexpected one with the line of the game file that it passed through."""
    if isinstance(problem, ZerosumError):
        return str(problem)
    what = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
    place = place_in_game_file(problem)
    return f"{place}: {what}" if place else f"internal error: {what}"


def _plain(value: Any) -> Any:
    """Convert a NumPy number, which a rule may return, to a Python number."""
    if hasattr(value, "item"):
        return value.item()
    return str(value)


# Checked access to the contents of a body


def whole(body: Mapping[str, Any], name: str, low: int, high: int, default: int | None = None) -> int:
    """The whole number ``name`` from ``low`` to ``high``."""
    value = body.get(name, default)
    if not _is_whole(value) or not low <= value <= high:
        raise StudioError(f"{name} must be a whole number from {low} to {high}, not {_short(value)}")
    return int(value)


def number(body: Mapping[str, Any], name: str, low: float, high: float, default: float | None = None) -> float:
    """The number ``name`` from ``low`` to ``high``."""
    value = body.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise StudioError(f"{name} must be a number from {low:g} to {high:g}, not {_short(value)}")
    return float(value)


def words(body: Mapping[str, Any], name: str, default: str = "", most: int = MOST_TEXT) -> str:
    """The text ``name``."""
    value = body.get(name, default)
    if not isinstance(value, str) or len(value) > most:
        raise StudioError(f"{name} must be a text of at most {most} characters, not {_short(value)}")
    return value


def moves(body: Mapping[str, Any], name: str = "moves") -> list[int]:
    """The list ``name`` of moves. Whether they are legal is checked later, by the game."""
    value = body.get(name, [])
    if not isinstance(value, list) or len(value) > MOST_MOVES:
        raise StudioError(f"{name} must be a list of at most {MOST_MOVES} moves, not {_short(value)}")
    for move in value:
        if not _is_whole(move) or not 0 <= move < MOVE_LIMIT:
            raise StudioError(f"{name} must be whole numbers, not {_short(move)}")
    return list(value)


def settings(body: Mapping[str, Any], name: str = "settings") -> dict[str, int | float | str]:
    """A game's parameters, by name."""
    value = body.get(name, {})
    if not isinstance(value, dict) or len(value) > 20:
        raise StudioError(f"{name} must be an object of parameters, not {_short(value)}")
    for key, content in value.items():
        if isinstance(content, bool) or not isinstance(content, (int, float, str)) or len(str(content)) > 200:
            raise StudioError(f"{name}: {key!r} must be a number or a text, not {_short(content)}")
    return dict(value)


def texts(body: Mapping[str, Any], name: str, most: int = 40, words_only: bool = True) -> dict[str, str]:
    """The short texts ``name``, by keys that are words or, without ``words_only``, any short texts."""
    value = body.get(name, {})
    if not isinstance(value, dict) or len(value) > most:
        raise StudioError(f"{name} must be an object of at most {most} texts, not {_short(value)}")
    for key, content in value.items():
        if (
            (words_only and not key.isidentifier())
            or len(key) > 40
            or not isinstance(content, str)
            or len(content) > 400
        ):
            raise StudioError(f"{name}: {_short(key)} must be a word with a short text, not {_short(content)}")
    return dict(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…'"
