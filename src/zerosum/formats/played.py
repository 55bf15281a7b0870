"""A recorded game: what every format reads and writes.

>>> from zerosum.games import load
>>> from zerosum.line import Line
>>> played = Played(Line.parse(load("tictactoe"), "5 1 9"), ("Anna", "Otto"), comments={1: "a corner is right"})
>>> len(played.line), played.players[0], played.result
(3, 'Anna', None)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

from zerosum.line import Line

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
"""The result of a game for MAX, and how it is written."""

POINTS = {text: result for result, text in RESULTS.items()}


class Branch(NamedTuple):
    """Moves that could have been played instead; ``comments`` and ``branches`` are as in ``Played``."""

    moves: tuple[int, ...]
    comments: Mapping[int, str] = {}
    branches: Mapping[int, tuple[Branch, ...]] = {}


class Played:
    """A game that was played, finished or not.

    Attributes:
        line: the start, with all moves and outcomes of chance. It may be given as a function that returns it:
            a file of many games is read faster if lines are created only when needed.
        players: the names of the players, MAX first; '' if unknown.
        result: 1 if MAX won, 0 for a draw, -1 if MIN won; None if unknown.
        notes: other information, such as ``{"Date": "2026.01.02"}``.
        comments: comments on moves, by index in the line, from 0.
        branches: alternatives to moves, by index in the line.
    """

    def __init__(
        self,
        line: Line | Callable[[], Line],
        players: tuple[str, str] = ("", ""),
        result: int | None = None,
        *,
        notes: Mapping[str, str] | None = None,
        comments: Mapping[int, str] | None = None,
        branches: Mapping[int, tuple[Branch, ...]] | None = None,
    ) -> None:
        if result not in (1, 0, -1, None):
            raise ValueError(f"the result of a game must be 1, 0, -1 or None, not {result!r}")
        self._line, self.players, self.result = line, players, result
        self.notes, self.comments, self.branches = dict(notes or {}), dict(comments or {}), dict(branches or {})

    @cached_property
    def line(self) -> Line:
        return self._line if isinstance(self._line, Line) else self._line()

    def __repr__(self) -> str:
        result = "*" if self.result is None else RESULTS[self.result]
        return f"<Played {' - '.join(name or '?' for name in self.players)} {result}>"
