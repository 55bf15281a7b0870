"""The lines of NBoard's protocol about a search: ``search …``, ``nodestats …``, ``=== …``, ``status …``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zerosum.game import Line
from zerosum.protocols.advisors import Advice
from zerosum.protocols.notation import Notation
from zerosum.value_display import score

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.result import Result

SOLVED = "100%"
"""Stands for the depth of an exact value."""


def value_text(result: Result, player: int, unit: float) -> str:
    """A value for ``player`` in the game's unit, such as discs."""
    return in_units(score(result, player, unit) / 100)


def in_units(value: float) -> str:
    """The value with two decimals, without a sign for zero.

    >>> in_units(-0.0), in_units(-1.5)
    ('0.00', '-1.50')
    """
    return f"{value + 0.0:.2f}"


class LineWriter:
    """Writes the lines of one search: for ``go``, which ends with a move, or for ``hint``, which does not."""

    def __init__(
        self, line: Line, notation: Notation, write: Callable[[str], None], started: float, *, plays: bool
    ) -> None:
        self.game, self.s, self.notation, self.write = line.game, line.state, notation, write
        self.started, self.plays = started, plays
        self.player = self.game.to_move(self.s)
        self._value = ""
        self._last_said: tuple[object, ...] = ()

    def say(self, text: str) -> None:
        self.write(f"status {' '.join(text.split())}")

    def begin(self, engine: Engine) -> None:
        """Do nothing: the protocol does not say which engine is searching."""

    def depth(self, result: Result) -> None:
        """Write a line for each of the best moves, and the work done; bounds are not reported."""
        if result.bound or not result.pv:
            return
        for line in result.lines or (result,):
            value = value_text(line, self.player, self.game.unit)
            depth = SOLVED if line.proven and line.exact else str(line.depth)
            self.write(f"search {self.moves(line.pv)} {value} 0 {depth}")
        self._stats(result.nodes)
        self._value = value_text(result, self.player, self.game.unit)
        self._last_said = (result.move, result.value, result.depth)

    def moves(self, pv: tuple[int, ...]) -> str:
        """A line of play as one word in capitals."""
        return self.notation.write_line(self.s, pv).replace(" ", "").upper()

    def progress(self, engine: Engine) -> None:
        progress = engine.progress()
        if progress is not None:
            self._stats(progress.nodes)

    def _stats(self, nodes: int) -> None:
        self.write(f"nodestats {nodes} {self._seconds():.2f}")

    def advice(self, advice: Advice) -> None:
        self.say(f"{self.moves((advice.move,))} is from the {advice.source}")

    def last(self, result: Result) -> None:
        """Write the final result unless it was already written: the last depth may have been cut short."""
        if result.depth and (result.move, result.value, result.depth) != self._last_said:
            self.depth(result)

    def answer(self, line: tuple[int, ...]) -> None:
        if not line:
            self.say("the game is over: there is no move")
            return
        if self.plays:
            self.write(f"=== {self.moves(line[:1])}/{self._value}/{self._seconds():.2f}")
        self.write("status")

    def _seconds(self) -> float:
        return time.perf_counter() - self.started
