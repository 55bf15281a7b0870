"""The UCI lines that report a search: ``info …`` and ``bestmove …``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zerosum.game import MAX, Line
from zerosum.protocols.advisors import Advice
from zerosum.protocols.notation import Notation
from zerosum.value_display import KNOWN_WIN, hundredths, mate

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.result import Result

NO_MOVE = "(none)"


class InfoWriter:
    """Writes the lines of one search. Scores are for the side to move, in hundredths of the game's unit."""

    def __init__(self, line: Line, notation: Notation, write: Callable[[str], None], started: float) -> None:
        self.game, self.s, self.notation, self.write = line.game, line.state, notation, write
        self.started = started
        self.player = self.game.to_move(self.s)
        self._engine: Engine | None = None
        self._last_said: tuple[Any, ...] = ()

    def say(self, text: str) -> None:
        """Write a message for the user, on one line."""
        self.write(f"info string {' '.join(text.split())}")

    def begin(self, engine: Engine) -> None:
        """Take note of the engine that is searching now."""
        self._engine = engine

    def score(self, result: Result) -> str:
        """The value for the side to move: moves to the end of the game, or hundredths of the game's unit."""
        moves = mate(result, self.player)
        text = f"cp {round(hundredths(result, self.player, self.game.unit))}" if moves is None else f"mate {moves}"
        if not result.bound:
            return text
        return f"{text} {'lowerbound' if (result.bound > 0) == (self.player == MAX) else 'upperbound'}"

    def depth(self, result: Result) -> None:
        """Write the result of a completed depth, with a line for each of the best moves."""
        for number, line in enumerate(result.lines or (result,), 1):
            seldepth = f" seldepth {line.seldepth}" if line.seldepth else ""
            self.write(
                f"info depth {line.depth}{seldepth} multipv {number} score {self.score(line)} {self._effort(result)}"
                f" pv {self.notation.write_line(self.s, line.pv)}".rstrip()
            )
        if not result.bound:
            self._last_said = (result.move, result.value, result.depth)

    def _effort(self, result: Result) -> str:
        full = self._engine.hashfull() if self._engine is not None else 0
        return (
            f"nodes {result.nodes} nps {round(result.nodes_per_second)} hashfull {full} tbhits 0"
            f" time {self._milliseconds()}"
        )

    def progress(self, engine: Engine) -> None:
        """Write the move being searched, and the progress of the search."""
        progress = engine.progress()
        if progress is None or progress.move not in self.game.legal_moves(self.s):
            return
        milliseconds = self._milliseconds()
        self.write(
            f"info depth {progress.depth} currmove {self.notation.write(self.s, progress.move)}"
            f" currmovenumber {progress.number} nodes {progress.nodes} nps {1000 * progress.nodes // milliseconds}"
            f" hashfull {engine.hashfull()} tbhits 0 time {milliseconds}"
        )

    def advice(self, advice: Advice) -> None:
        """Write a move found without a search."""
        move = self.notation.write(self.s, advice.move)
        if advice.outcome is None:
            self.say(f"{move} is from the {advice.source}")
        else:
            score = round(KNOWN_WIN) * advice.outcome
            self.write(f"info depth 1 score cp {score} nodes 0 tbhits 1 time {self._milliseconds()} pv {move}")

    def last(self, result: Result) -> None:
        """Write the final result unless it was already written: the last depth may have been cut short."""
        if result.pv and (result.move, result.value, result.depth) != self._last_said and result.depth:
            self.depth(result)
        elif not result.pv and result.distance == 0:
            self.write("info depth 0 score mate 0")
        elif not result.pv:
            self.write("info depth 0 score cp 0")

    def answer(self, line: tuple[int, ...]) -> None:
        """Write the best move and the expected reply."""
        words = self.notation.write_line(self.s, line[:2]).split()
        ponder = f" ponder {words[1]}" if len(words) > 1 else ""
        self.write(f"bestmove {words[0] if words else NO_MOVE}{ponder}")

    def _milliseconds(self) -> int:
        return max(1, round(1000 * (time.perf_counter() - self.started)))
