"""One search of a protocol, from ``go`` to the answer: in its own thread, with another that watches the clock."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from zerosum.game import CHANCE, Line
from zerosum.protocols.advisors import Advice
from zerosum.protocols.uci_words import Go
from zerosum.running.stopping import Stop
from zerosum.search.options import margin_unit
from zerosum.session.clock import Lag
from zerosum.session.pace import Pace
from zerosum.session.session import Session

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.result import Result

PLAIN_SECONDS = 1.0
"""Time limit in seconds of an uncompiled search while kernels compile: it slows the compiler down."""

LOADING_SECONDS, LOADING_SHARE = 0.5, 0.25
"""The seconds, and the share of its time, that a search waits at most for kernels before it starts without them.
Kernels on disk are loaded by then, and earlier if nothing keeps the interpreter busy."""

PROGRESS_AFTER = 1.0
"""Seconds before, and between, lines that report the move being searched."""


class Teller(Protocol):
    """Writes the progress of a search in the format of a protocol."""

    def say(self, text: str) -> None:
        """Write a message for the user."""

    def begin(self, engine: Engine) -> None:
        """Take note of the engine that is searching now."""

    def depth(self, result: Result) -> None:
        """Report a completed depth, or a bound."""

    def progress(self, engine: Engine) -> None:
        """Report that the search continues; called about once a second."""

    def advice(self, advice: Advice) -> None:
        """Report a move found without a search."""

    def last(self, result: Result) -> None:
        """Report the final result."""

    def answer(self, line: tuple[int, ...]) -> None:
        """Write the best move and the expected reply; ``line`` is empty if there is no move. Always the last output."""


@dataclass(frozen=True)
class Task:
    """The task of a search: the line of the game, the arguments of ``go``, and the relevant options."""

    line: Line
    go: Go
    moves: tuple[int, ...] | None = None  # the moves allowed, or None for all
    multipv: int = 1
    overhead: float = 0.0
    advise: Callable[[Any, list[int]], Advice | None] = lambda s, legal: None
    lag: Lag | None = None
    debug: bool = False  # report how the time was spent


class Thinking:
    """A running search. ``stop``, ``ponderhit`` and ``wait`` may be called from any thread."""

    def __init__(self, task: Task, session: Session, info: Teller, started: float) -> None:
        self.task, self.session, self.info, self.started = task, session, info, started
        self.game, self.s = task.line.game, task.line.state
        self.player = self.game.to_move(self.s)
        self._lock = threading.Condition()
        self._ending = Stop()
        self._pondering = task.go.ponder
        self._finished = False
        self._may_answer = threading.Event()  # not set while searching infinitely or pondering
        self._engine: Engine | None = None  # the engine that is searching
        self._meanwhile: Stop | None = None  # ends a search that runs only until the kernels are compiled
        go = task.go
        waits = go.infinite or go.ponder
        self.pace = Pace(
            task.line,
            go.time_of(self.player),
            self._ending,
            unit=margin_unit(self.game),
            overhead=task.overhead,
            started=started,
            moves=task.moves,
            mate=go.mate,
            waits=waits,
        )
        if not waits:
            self._may_answer.set()
        self._thread = threading.Thread(target=self._run, name="zerosum-search", daemon=True)
        self._watcher = threading.Thread(target=self._watch, name="zerosum-clock", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._watcher.start()

    # Called from outside

    def stop(self) -> None:
        """Answer as soon as possible."""
        self._ending.set()
        with self._lock:
            self._may_answer.set()
            self._lock.notify_all()

    def ponderhit(self) -> None:
        """Start the clock: the expected move was played."""
        with self._lock:
            if not self._pondering:
                return
            self._pondering = False
            if not self.task.go.infinite:
                self.pace.begin()
                self._may_answer.set()
            self._lock.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the answer has been given; returns False after a timeout."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def is_over(self) -> bool:
        return self._finished

    # Time

    def _note_lag(self) -> None:
        """Record the planned time of the move; the next clock shows how long it took."""
        task, allotment = self.task, self.pace.allotment
        left = task.go.time_of(self.player).left
        if task.lag is None or left is None or allotment is None or task.go.ponder:
            return
        spent = time.perf_counter() - self.started
        if task.debug:
            planned = f"{1000 * allotment.soft:.0f} to {1000 * allotment.hard:.0f}"
            lag = 1000 * task.lag.seconds
            self.info.say(f"{1000 * spent:.0f} ms spent, {planned} planned; other moves took up to {lag:.0f} ms more")
        task.lag.meant(self.player, left, min(spent, allotment.hard))

    def _watch(self) -> None:
        """Watch the clock, and stop the search when the time is up or when it is told to stop."""
        progress_at = self.started + PROGRESS_AFTER
        while True:
            with self._lock:
                if self.pace.is_over():
                    self._ending.set()
                if self._finished or self._ending.is_set():
                    return
                meanwhile = self._meanwhile
                if meanwhile is not None and self.session.ready.is_set():
                    meanwhile.set()
                until = min(progress_at, self.pace.deadline or math.inf)
                pause = 1.0 if meanwhile is None else 0.01
                self._lock.wait(min(max(until - time.perf_counter(), 0.0), pause))
                engine = self._engine
            if time.perf_counter() >= progress_at:
                progress_at = time.perf_counter() + PROGRESS_AFTER
                if engine is not None and not self._ending.is_set():
                    try:
                        self.info.progress(engine)
                    except Exception as problem:  # a user's game cannot write a move; the clock runs on
                        self._complain("the progress cannot be reported", problem)
                        progress_at = math.inf

    # The search

    def _run(self) -> None:
        result: Result | None = None
        advice: Advice | None = None
        try:
            advice = self._advice()
            if advice is None:
                result = self._search()
        except Exception as problem:
            self._complain("the search failed", problem)
        self._may_answer.wait()
        with self._lock:
            self._finished = True
            self._lock.notify_all()
        self._note_lag()
        line = (advice.move,) if advice is not None else result.pv if result is not None else self._any_move()
        try:
            if result is not None:
                self.info.last(result)
            self.info.answer(line)
        except Exception as problem:  # a user's game cannot write its moves
            self._complain("the move cannot be written", problem)
            self.info.answer(())

    def _complain(self, what: str, problem: Exception) -> None:
        self.info.say(f"{what}: {type(problem).__name__}: {problem}")

    def _any_move(self) -> tuple[int, ...]:
        """Any legal move, after a failed search; empty if there is none."""
        try:
            legal = self.task.moves or self.game.legal_moves(self.s)
            return tuple(legal[:1])
        except Exception:
            return ()

    def _advice(self) -> Advice | None:
        """A move from the book or the tables, if a game is being played and no special search was requested."""
        go = self.task.go
        if go.infinite or go.mate is not None or self.task.moves is not None or self.task.multipv > 1:
            return None
        if self.player == CHANCE:
            return None
        advice = self.task.advise(self.s, self.game.legal_moves(self.s))
        if advice is not None:
            self.info.advice(advice)
        return advice

    def _search(self) -> Result:
        result: Result | None = None
        self._wait_for_kernels(LOADING_SECONDS, LOADING_SHARE)
        if not self.session.ready.is_set():
            result = self._search_meanwhile()
            if result is not None and (self._ending.is_set() or self._is_complete(result)):
                return result
        found = self._search_with(self.session.engine(), None, self._ending)
        # If it was stopped early, the compiled search has found less than the uncompiled one.
        return result if result is not None and result.depth > found.depth else found

    def _search_meanwhile(self) -> Result | None:
        """Search uncompiled while the kernels compile; return when they are ready or the time is up."""
        with self._ending.part() as meanwhile:
            self._meanwhile = meanwhile
            result = self._search_with(self.session.plain(), PLAIN_SECONDS, meanwhile)
            self._meanwhile = None
        if self._is_complete(result):
            return result
        self._wait_for_kernels()
        if not self.session.ready.is_set():
            self._ending.set()
        return result

    def _wait_for_kernels(self, seconds: float = math.inf, share: float = 1.0) -> None:
        """Wait until the kernels are ready, the search must end, or these seconds or this share of its time are up."""
        with self._lock:
            while not self._ending.is_set() and not self.session.ready.is_set():
                left = self.started + seconds - time.perf_counter()
                if self.pace.deadline is not None and self.pace.allotment is not None:
                    left = min(left, self.started + share * self.pace.allotment.soft - time.perf_counter())
                if left <= 0:
                    return
                self._lock.wait(min(0.02, left))

    def _is_complete(self, result: Result) -> bool:
        """Whether the search has reached its limit or proven the value."""
        go = self.task.go
        if result.move is None or result.proven:
            return True
        return (go.depth is not None and result.depth >= go.depth) or (
            go.nodes is not None and result.nodes >= go.nodes
        )

    def _search_with(self, engine: Engine, seconds: float | None, ending: Stop) -> Result:
        go = self.task.go
        with self._lock:
            self._engine = engine
            self._lock.notify_all()
        self.info.begin(engine)
        try:
            return engine.search(
                self.task.line,
                depth=go.depth,
                nodes=go.nodes,
                seconds=seconds,
                multipv=self.task.multipv,
                moves=self.task.moves,
                on_report=self._report,
                on_bound=self._bound,
                stop=ending,
            )
        finally:
            with self._lock:
                self._engine = None

    def _report(self, result: Result) -> None:
        """After each depth, decide whether to continue, and report it."""
        self.pace.after_depth(result)
        self.info.depth(result)

    def _bound(self, result: Result) -> None:
        if time.perf_counter() - self.started > PROGRESS_AFTER:
            self.info.depth(result)
