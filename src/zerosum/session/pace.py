"""The search for one move within its time, for matches, the browser and UCI.

After each depth it decides whether to search another; at the hard limit the search ends wherever it is. A forced move
is played immediately. Pondering and infinite analysis continue until they are stopped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from zerosum.game import MAX, Line
from zerosum.running.stopping import Stop
from zerosum.session.clock import DEFAULT_OVERHEAD, MINIMUM, Allotment, Deliberation, MoveTime
from zerosum.value_display import mate as moves_to_win

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.result import Result


class Pace:
    """Sets ``stop`` when a move has been searched long enough. ``begin`` may be called from any thread.

    Args:
        line: the line to move in.
        allowed: the time for the move.
        stop: the Stop that the caller passes to the search.
        unit: the unit in which values are compared: the margin unit of the search.
        overhead: seconds that a move costs in addition to the search.
        started: when the clock started, by ``time.perf_counter``; by default now.
        moves: the moves to which the search is restricted.
        mate: stop when a win in this many moves is found.
        waits: do not end the search before ``begin``: the opponent is still thinking.

    Attributes:
        allotment: the soft and the hard limit; None without a clock.
        deadline: when the hard limit is reached; None if there is none yet.
    """

    def __init__(
        self,
        line: Line,
        allowed: MoveTime,
        stop: Stop,
        *,
        unit: int,
        overhead: float = DEFAULT_OVERHEAD,
        started: float | None = None,
        moves: Sequence[int] | None = None,
        mate: int | None = None,
        waits: bool = False,
    ) -> None:
        self.line, self.stop, self.mate = line, stop, mate
        self.started = time.perf_counter() if started is None else started
        self._left = int(line.game.moves_left(line.state)) if line.game.has("moves_left") else None
        self._allowed, self._overhead = allowed, overhead
        self.allotment = self._allotment_at(0)
        # A time for this move only is used in full, since none of it can be saved.
        self._deliberation: Deliberation | None = None
        if self.allotment is not None and allowed.movetime is None:
            self._deliberation = Deliberation(self.allotment, unit)
        self._moves = moves
        self._player = line.game.to_move(line.state)
        self._lock = threading.Lock()
        self._waits = waits
        self._enough = False
        self.deadline: float | None = None
        if not waits:
            self._start_clock(self.started)

    def _moves_ahead(self, depth: int = 0) -> int | None:
        """How many of our moves still need time, if the rules give the number of moves left: every other one.

        Moves within the depth of the search need no more time: once it reaches the end of the game, the rest is free.
        """
        return None if self._left is None else max(2, -(-(self._left - depth) // 2))

    def _allotment_at(self, depth: int) -> Allotment | None:
        return self._allowed.allotment(self._overhead, longest=self._moves_ahead(depth))

    def begin(self) -> None:
        """Start the clock, after the opponent has moved; stop now if the search has already been long enough."""
        with self._lock:
            self._waits = False
            self._start_clock(time.perf_counter())
            if self._enough:
                self.stop.set()

    def _start_clock(self, now: float) -> None:
        if self.allotment is not None:
            self.deadline = now + self.allotment.hard

    def seconds_left(self) -> float | None:
        """Seconds until the hard limit; None without one."""
        return None if self.deadline is None else max(self.deadline - time.perf_counter(), MINIMUM)

    def is_over(self) -> bool:
        """Whether the hard limit has been reached."""
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def after_depth(self, result: Result) -> None:
        """Continue with another depth, or set ``stop``."""
        if not self._is_enough(result):
            return
        with self._lock:
            self._enough = True
            if not self._waits:
                self.stop.set()

    def _is_enough(self, result: Result) -> bool:
        moves = moves_to_win(result, self._player)
        if self.mate is not None and moves is not None and 0 < moves <= self.mate:
            return True
        if self._deliberation is None:
            return False
        if self._left is not None and (allotment := self._allotment_at(result.depth)) is not None:
            # The deeper the search, the fewer moves remain to save time for.
            self._deliberation.allotment = replace(self._deliberation.allotment, soft=allotment.soft)
        elapsed = time.perf_counter() - self.started
        value = result.value if self._player == MAX else -result.value
        return self._is_forced or self._deliberation.enough(
            result.depth, elapsed, result.move, value, decided=result.is_settled
        )

    @cached_property
    def _is_forced(self) -> bool:
        return len(self._moves or self.line.game.legal_moves(self.line.state)) == 1


def think(
    engine: Engine,
    line: Line,
    allowed: MoveTime,
    *,
    overhead: float,
    started: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    on_report: Callable[[Result], None] | None = None,
    stop: Stop | None = None,
) -> Result:
    """Search for a move within its time, counted from ``started``, or until ``stop`` is set."""
    with (stop or Stop()).part() as ending:
        pace = Pace(line, allowed, ending, unit=engine.unit, overhead=overhead, started=started)

        def after_depth(result: Result) -> None:
            if on_report is not None:
                on_report(result)
            pace.after_depth(result)

        seconds = pace.seconds_left()
        return engine.search(line, depth=depth, nodes=nodes, seconds=seconds, on_report=after_depth, stop=ending)
