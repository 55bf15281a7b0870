"""Games as text, in and out: PGN, PDN and .mat where the game has such a format, else its moves.

>>> from zerosum.game import Line
>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> read_text(game, "x...o....").position, [*read_text(game, "1. 5 1 2. 9").line().texts()]
('x...o....', ['5', '1', '9'])
>>> save(Line.parse(game, "5 1"), None, False, ("You", "zerosum")).text
'5 1\\n'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import Any, NamedTuple

from zerosum.arena.finished import moves_of
from zerosum.errors import PgnError, PositionError, ZerosumError
from zerosum.game import MAX, MIN, Game, Line

Node = dict[str, Any]
"""A move: ``move``, and perhaps ``comment`` and ``variations``, each a list of such moves instead of it."""

TREES = {"chess": "zerosum.games.chess.pgn", "checkers": "zerosum.games.checkers.pdn"}
"""The games with a format of their own that has comments and variations, and where it is read and written."""


class File(NamedTuple):
    """What a page offers for download."""

    name: str
    text: str


@dataclass(frozen=True)
class Reading:
    """What a pasted text stands for."""

    game: Game
    position: str
    nodes: Sequence[Node]

    def line(self) -> Line:
        """The main line."""
        start = self.game.parse_state(self.position) if self.position else None
        return Line(self.game, start, [node["move"] for node in self.nodes])


def read_text(game: Game, text: str) -> Reading:
    """The position, or the game, in ``text``; PositionError, quoting it, if it is neither."""
    text = text.strip()
    if not text:
        raise PositionError("there is nothing to read: paste a position or a game")
    problems = []
    for reader in (_read_file, _read_position, _read_moves):
        try:
            found = reader(game, text)
        except ZerosumError as problem:
            problems.append(str(problem))
            continue
        if found is not None:
            return found
    if "\n" not in text and len(text.split()) > 1:
        raise PositionError(f"this is no position ({problems[0]}) and no game ({problems[-1]})")
    raise PositionError(problems[0] if problems else f"{text[:40]!r} is neither a position nor a game")


def _read_position(game: Game, text: str) -> Reading | None:
    if "\n" in text and not game.has("parse_state"):
        return None
    return Reading(game, game.format_state(game.parse_state(text)), [])


def _read_moves(game: Game, text: str) -> Reading | None:
    """Moves one behind the other, perhaps numbered, perhaps with a result."""
    return Reading(game, "", [{"move": move} for move in moves_of(game, text).moves])


def _read_file(game: Game, text: str) -> Reading | None:
    """A game in a format of its own; None where the text does not look like one."""
    if game.name in TREES and ("[" in text or re.search(r"\b1\s*\.", text)):
        return _read_tree(game, text)
    if game.name == "backgammon" and re.search(r"^\s*1\)", text, re.MULTILINE):
        return _read_match(game, text)
    return None


def _read_tree(game: Game, text: str) -> Reading:
    """A game of PGN, or of PDN, which has the same tree."""
    found = import_module(TREES[game.name]).parse_game(text)

    def nodes(variation: Any) -> list[Node]:
        made: list[Node] = []
        for move in variation.moves:
            if move.move < 0:
                break  # a null move: what follows cannot be played
            node: Node = {"move": int(move.move)}
            if move.comments:
                node["comment"] = " ".join(move.comments)
            if move.variations:
                node["variations"] = [nodes(other) for other in move.variations if other.moves]
            made.append(node)
        return made

    is_start = found.start == game.start()
    read = nodes(found.main)
    if not read and is_start and "[" not in text:
        raise PgnError(f"{text[:40]!r} holds no moves")
    return Reading(game, "" if is_start else game.format_state(found.start), read)


def _read_match(game: Game, text: str) -> Reading:
    """The first game of a match file."""
    from zerosum.games.backgammon.match_file import parse_match

    match = parse_match(text)
    if not match.games:
        raise PositionError(f"{text[:40]!r} holds no game")
    line = match.games[0].line()
    is_start = line.start == game.start()
    return Reading(game, "" if is_start else game.format_state(line.start), [{"move": move} for move in line.moves])


def save(line: Line, winner: int | None, is_over: bool, names: tuple[str, str]) -> File:
    """The game as a file; ``winner`` is a side, or None for a draw."""
    game = line.game
    if game.name in TREES:
        module = import_module(TREES[game.name])
        return File(f"game.{module.__name__.rpartition('.')[2]}", _as_tree(module, line, winner, is_over, names))
    if game.name == "backgammon":
        from zerosum.games.backgammon.match_file import Match, format_match, game_of

        return File("game.mat", format_match(Match(names, (game_of(line),))))
    head = "" if line.start == game.start() else f"{game.format_state(line.start)}\n"
    result = f" {_result(winner, MAX)}" if is_over else ""
    return File(f"{game.name}.txt", f"{head}{' '.join(line.texts())}{result}\n")


def _result(winner: int | None, first: int) -> str:
    """The result as people write it, the points of side ``first`` before those of the other."""
    return "1/2-1/2" if winner is None else "1-0" if winner == first else "0-1"


def _as_tree(module: Any, line: Line, winner: int | None, is_over: bool, names: tuple[str, str]) -> str:
    from zerosum.games.chess.pgn import PgnGame, PgnMove, Variation

    # White's points come first; White is MAX in chess, but MIN in draughts, where Black begins.
    white = MAX if line.game.name == "chess" else MIN
    result = _result(winner, white) if is_over else "*"
    tags = {
        "Event": "zerosum studio",
        "Date": date.today().strftime("%Y.%m.%d"),
        "White": names[white],
        "Black": names[MAX + MIN - white],
        "Result": result,
    }
    main = Variation(moves=[PgnMove(move) for move in line.moves], result=result)
    return str(module.format_game(PgnGame(tags=tags, start=line.start, main=main)))
