"""What the page and the server say to each other: one JSON object a message.

From the page ``{"v": 1, "n": 7, "do": "move", "body": {...}}``; from the server ``{"v": 1, "re": 7, "kind": "position",
"body": {...}}``, where ``re`` is the number of the message that it answers, or null for news. A browser may send
anything: whatever is read here is checked before it is used. ``WISHES`` are what a page may ask for, ``NEWS`` what it
is told without asking.

Moves are numbers, sides 0 and 1, values for MAX. What is told about a position carries its ``ply`` and its ``position``
in the game's notation; a page drops what is not about the one on its board.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from zerosum.errors import StudioError
from zerosum.game import MOVE_LIMIT

VERSION = 1

MOST_BYTES = 64 * 1024
"""Of one message from a page. A pasted game of a few hundred moves takes a tenth of it."""

MOST_MOVES = 5000
MOST_TEXT = 32 * 1024


WISHES = {
    "hello": "{session} -> welcome: the first message; games, levels, and the name of the session",
    "ping": "-> pong",
    # A game
    "open": "{game, settings, mode, position, moves or line, people, strength, clock} -> board, position: begin",
    "move": "{ply, move} -> position: a person's move",
    "undo": "-> position: back to where a person had to move",
    "hint": "-> search, report: what the engine would play",
    "resign": "-> position",
    "step": "-> stepped: the next move of a game that is watched",
    "offer-draw": "-> offered",
    "flag": "-> position: a clock has run out",
    "stop": "{what}: end the search; `beside` and `review` name others than the main one",
    # An analysis
    "go": "{moves, position} -> at: to another position; the searches that analyse follow",
    "boards": "{moves, first} -> boards: what the board shows after `first` moves and more, without legal moves",
    "analyse": "{lines, algorithm, beside}: search the position, and every one gone to, until stopped",
    "threat": "{seconds} -> threat: what the other side would do if it were to move",
    "look": "{ply, moves} -> look: a board some moves ahead, for a moment",
    "tree": "{moves} -> tree: what the engine's table holds about each move",
    "rollout": "{candidates} -> rollout: plays of a game with dice, averaged",
    "verdict": "-> verdict: what the endgame database says, of each move too",
    "explore": "-> explored: what was played here in files of games and books, and the opening's name",
    "review": "{moves, seconds} -> evaluation for each position, then review: how both sides did",
    "read": "{text} -> reading: a pasted position or game, with names, comments and variations",
    "save": "{nodes, names, result, notes} -> file: the whole game, as `read` tells one",
    "set-up": "{glyphs, turn} -> set-up: the position in which these glyphs stand on these cells",
    # The classroom, the arena, training
    "gallery": "-> gallery: examples, slips, algorithms",
    "example": "{name} -> example",
    "trace": "{tree or game, algorithm, depth} -> trace",
    "evaluation": "{game, position} -> evaluation: feature by feature",
    "quiz": "{subject, seed, difficulty, solved} -> quiz",
    "answer": "{subject, seed, difficulty, question, answer} -> answer",
    "ladder": "{game, seconds} -> climbing, then ladder for each rung",
    "ladder-stop": "-> stopped",
    "match": "{game, players, games, seconds, boards} -> match, then contest as it goes",
    "match-stop": "-> stopped",
    "match-games": "{most} -> match-games: those that are finished",
    "match-game": "{number} -> match-game: one of them, to be opened",
    "match-save": "-> games: the file of the match",
    "training": "{game, games, hidden, seed} -> training-begun, then training as it goes",
    "training-watch": "-> trainable: games that can learn; then training, of the files that are followed",
    "training-stop": "-> stopped",
}
"""What a page may wish for: the body, the answer, and what it does."""

NEWS = {
    "search": "a search has begun, compiles, thinks, is done: {search, purpose, state, ply, position, problem}",
    "report": "what a search knows by now: {search, purpose, ply, position, depth, value, words, lines, …}",
    "position": "the engine has moved",
    "error": "{message}: something went wrong; with `closed` the conversation is over",
}
"""What a page is told without asking."""


class Request(NamedTuple):
    """A wish of the page: its number, what to do, and with what."""

    number: int | None
    do: str
    body: Mapping[str, Any]


def read(text: str) -> Request:
    """The message in ``text``; StudioError if it is none.

    >>> read('{"v": 1, "n": 3, "do": "stop"}')
    Request(number=3, do='stop', body={})
    """
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise StudioError(f"a message of more than {MOST_BYTES // 1024} KiB is not read")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise StudioError(f"{_short(text)} is no message: it is not JSON") from None
    if not isinstance(content, dict):
        raise StudioError(f"{_short(text)} is no message: it must be an object")
    if content.get("v") != VERSION:
        raise StudioError(f"messages of version {_short(content.get('v'))} are not spoken here: reload the page")
    number, do, body = content.get("n"), content.get("do"), content.get("body", {})
    if number is not None and not _is_whole(number):
        raise StudioError(f"a message's n must be a whole number, not {_short(number)}")
    if not isinstance(do, str) or not isinstance(body, dict):
        raise StudioError(f"{_short(text)} is no message: it needs do and body")
    return Request(number, do, body)


def write(kind: str, body: Mapping[str, Any], answers: int | None = None) -> str:
    """A message to the page.

    >>> write("pong", {}, 3)
    '{"v":1,"re":3,"kind":"pong","body":{}}'
    """
    return json.dumps({"v": VERSION, "re": answers, "kind": kind, "body": body}, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    """A number of NumPy's, which a rule may well return, as Python's."""
    if hasattr(value, "item"):
        return value.item()
    return str(value)


# What a body holds, checked


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
        raise StudioError(f"{name} must be a text of at most {most} letters, not {_short(value)}")
    return value


def moves(body: Mapping[str, Any], name: str = "moves") -> list[int]:
    """The list ``name`` of moves, of which only the game knows whether they are legal."""
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
    """The short texts ``name``, each by a word, or by any other short text."""
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
