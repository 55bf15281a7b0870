"""Read and write games as text: in the format that the game declares, otherwise as its moves.

>>> from zerosum.game import Line
>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> read_text(game, "x...o....").position, [*read_text(game, "1. 5 1 2. 9").line().texts()]
('x...o....', ['5', '1', '9'])
>>> save(Line.parse(game, "5 1"), ("You", "zerosum")).text
'[X "You"]\\n[O "zerosum"]\\n\\n5 1\\n'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from zerosum.errors import PositionError, ZerosumError
from zerosum.formats.common import JSON_LINES, MOVES, moves_of
from zerosum.formats.format import Format
from zerosum.formats.played import Branch, Played
from zerosum.game import Game, Line

Node = dict[str, Any]
"""A move: ``move``, optionally with ``comment`` and ``variations``, each a list of nodes that replaces this move."""


Reader = Callable[[Game, str], "Reading | None"]


class File(NamedTuple):
    """A file for download."""

    name: str
    text: str


@dataclass(frozen=True)
class Reading:
    """A position or game read from a pasted text."""

    game: Game
    position: str
    nodes: Sequence[Node]
    players: tuple[str, str] = ("", "")
    result: int | None = None
    notes: Mapping[str, str] = field(default_factory=dict)

    def line(self) -> Line:
        """The main line."""
        start = self.game.parse_state(self.position) if self.position else None
        return Line(self.game, start, [node["move"] for node in self.nodes])


def read_text(game: Game, text: str) -> Reading:
    """Read the position or game in ``text``; raise PositionError, quoting it, if it is neither."""
    text = text.strip()
    if not text:
        raise PositionError("nothing to read: paste a position or a game")
    formats = (one for one in (*game.formats, JSON_LINES, MOVES) if one.looks_like(text))
    readers: list[Reader] = [*(partial(_read_file, one) for one in formats), _read_position, _read_moves]
    problems = []
    for reader in readers:
        try:
            found = reader(game, text)
        except ZerosumError as problem:
            problems.append(str(problem))
            continue
        if found is not None:
            return found
    if "\n" not in text and len(text.split()) > 1:
        *of_files, of_position, of_moves = problems
        raise PositionError(f"this is neither a position ({of_position}) nor a game ({[*of_files, of_moves][0]})")
    raise PositionError(problems[0])


def _read_position(game: Game, text: str) -> Reading | None:
    if "\n" in text and not game.has("parse_state"):
        return None
    return Reading(game, game.format_state(game.parse_state(text)), [])


def _read_moves(game: Game, text: str) -> Reading | None:
    """Read a sequence of moves. They may be numbered, and a result may follow."""
    return Reading(game, "", [{"move": move} for move in moves_of(game, text).moves])


def _read_file(form: Format, game: Game, text: str) -> Reading:
    """Read the first game of a text in this format."""
    played = next(form.parse(game, text), None)
    if played is None:
        raise PositionError(f"{text[:40]!r} holds no game")
    line = played.line
    is_start = line.start == game.start()
    if is_start and not line.moves and not played.notes:
        raise PositionError(f"{text[:40]!r} holds no moves")
    nodes = _nodes(line.moves, played.comments, played.branches)
    start = "" if is_start else game.format_state(line.start)
    return Reading(game, start, nodes, played.players, played.result, played.notes)


def _nodes(
    moves: Sequence[int], comments: Mapping[int, str], branches: Mapping[int, Sequence[Branch]]
) -> Sequence[Node]:
    nodes: list[Node] = []
    for place, move in enumerate(moves):
        node: Node = {"move": move}
        if place in comments:
            node["comment"] = comments[place]
        if place in branches:
            node["variations"] = [_nodes(one.moves, one.comments, one.branches) for one in branches[place]]
        nodes.append(node)
    return nodes


def save(
    line: Line,
    names: tuple[str, str],
    result: int | None = None,
    notes: Mapping[str, str] | None = None,
    branch: Branch | None = None,
) -> File:
    """The game as a file; ``result`` is for MAX, and ``branch`` holds the comments and variations of the line."""
    own = next(iter(line.game.formats), None)
    tags = {} if own is None else {"Event": "zerosum studio", "Date": date.today().strftime("%Y.%m.%d")}
    comments, branches = (branch.comments, branch.branches) if branch is not None else ({}, {})
    played = Played(line, names, result, notes={**tags, **(notes or {})}, comments=comments, branches=branches)
    if own is not None:
        text = own.write(played)
        if _keeps(own, text, played):
            return File(f"game{own.suffix}", text)
    return File(f"{line.game.name}{MOVES.suffix}", MOVES.write(played))


def _keeps(form: Format, text: str, played: Played) -> bool:
    """Whether the format keeps the comments and variations, if there are any: not all formats do."""
    if not played.comments and not played.branches:
        return True
    again = next(form.parse(played.line.game, text))
    return set(again.comments) == set(played.comments) and set(again.branches) == set(played.branches)
