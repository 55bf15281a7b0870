"""One search of a protocol, from ``go`` to the answer: in a thread of its own, with another that watches the clock."""

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
"""While kernels compile, a search without them takes at most this long: it would keep the compiler from its work."""

LOADING_SECONDS, LOADING_SHARE = 0.5, 0.25
"""How long, and for which part of its time at most, a search waits for kernels before it begins without: those that
lie on disk are there by then, and sooner if nothing keeps the interpreter busy."""

PROGRESS_AFTER = 1.0
"""Seconds before, and between, lines that say which move is being searched."""


class Teller(Protocol):
    """Who writes how a search goes, in the words of a protocol."""

    def say(self, text: str) -> None:
        """Something for people."""

    def begin(self, engine: Engine) -> None:
        """From now on this engine searches."""

    def depth(self, result: Result) -> None:
        """A depth is finished, or has a bound."""

    def progress(self, engine: Engine) -> None:
        """The search goes on; called about once a second."""

    def advice(self, advice: Advice) -> None:
        """The move is known without a search."""

    def last(self, result: Result) -> None:
        """The search has ended with this."""

    def answer(self, line: tuple[int, ...]) -> None:
        """The best move, with what is expected to follow; empty if there is none. Nothing is written after it."""


@dataclass(frozen=True)
class Task:
    """What a search is to do: the line of the game, what ``go`` said, and the options that count."""

    line: Line
    go: Go
    moves: tuple[int, ...] | None = None  # the only ones allowed, or None for all
    multipv: int = 1
    overhead: float = 0.0
    advise: Callable[[Any, list[int]], Advice | None] = lambda s, legal: None
    lag: Lag | None = None
    debug: bool = False  # tell how the time was spent


class Thinking:
    """A search under way. ``stop``, ``ponderhit`` and ``wait`` may be called from any thread."""

    def __init__(self, task: Task, session: Session, info: Teller, started: float) -> None:
        self.task, self.session, self.info, self.started = task, session, info, started
        self.game, self.s = task.line.game, task.line.state
        self.player = self.game.to_move(self.s)
        self._lock = threading.Condition()
        self._ending = Stop()
        self._pondering = task.go.ponder
        self._finished = False
        self._may_answer = threading.Event()  # an infinite search, or a ponderer, keeps its answer to itself
        self._engine: Engine | None = None  # the one that is searching
        self._meanwhile: Stop | None = None  # of a search that goes on only until the kernels are compiled
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

    # From outside

    def stop(self) -> None:
        """Answer as soon as possible."""
        self._ending.set()
        with self._lock:
            self._may_answer.set()
            self._lock.notify_all()

    def ponderhit(self) -> None:
        """The expected move was played: from now on the clock runs."""
        with self._lock:
            if not self._pondering:
                return
            self._pondering = False
            if not self.task.go.infinite:
                self.pace.begin()
                self._may_answer.set()
            self._lock.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the answer was given; False if it was not in this time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def is_over(self) -> bool:
        return self._finished

    # Time

    def _note_lag(self) -> None:
        """Remember how long the move was to take: the next clock tells how long it has taken."""
        task, allotment = self.task, self.pace.allotment
        left = task.go.time_of(self.player).left
        if task.lag is None or left is None or allotment is None or task.go.ponder:
            return
        spent = time.perf_counter() - self.started
        if task.debug:
            meant = f"{1000 * allotment.soft:.0f} to {1000 * allotment.hard:.0f}"
            lag = 1000 * task.lag.seconds
            self.info.say(f"{1000 * spent:.0f} ms spent, {meant} meant; other moves cost up to {lag:.0f} ms more")
        task.lag.meant(self.player, left, min(spent, allotment.hard))

    def _watch(self) -> None:
        """Keep the time, and stop the search when it is up or when someone says so."""
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
                    self.info.progress(engine)

    # The search

    def _run(self) -> None:
        result: Result | None = None
        advice: Advice | None = None
        try:
            advice = self._advice()
            if advice is None:
                result = self._search()
        except Exception as problem:
            self.info.say(f"the search failed: {type(problem).__name__}: {problem}")
        self._may_answer.wait()
        with self._lock:
            self._finished = True
            self._lock.notify_all()
        self._note_lag()
        if result is not None:
            self.info.last(result)
        line = (advice.move,) if advice is not None else result.pv if result is not None else self._any_move()
        self.info.answer(line)

    def _any_move(self) -> tuple[int, ...]:
        """Where everything went wrong, a legal move all the same, if there is one."""
        try:
            legal = self.task.moves or self.game.legal_moves(self.s)
            return tuple(legal[:1])
        except Exception:
            return ()

    def _advice(self) -> Advice | None:
        """What the book or the tables say, where a game is played and no search was asked for."""
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
        # Stopped before it could begin, the compiled search knows less than the plain one.
        return result if result is not None and result.depth > found.depth else found

    def _search_meanwhile(self) -> Result | None:
        """A first answer while the kernels compile; returns when they are ready, or when time is up."""
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
        """Return when kernels are ready, the search must end, or these seconds or this share of its time are over."""
        with self._lock:
            while not self._ending.is_set() and not self.session.ready.is_set():
                left = self.started + seconds - time.perf_counter()
                if self.pace.deadline is not None and self.pace.allotment is not None:
                    left = min(left, self.started + share * self.pace.allotment.soft - time.perf_counter())
                if left <= 0:
                    return
                self._lock.wait(min(0.02, left))

    def _is_complete(self, result: Result) -> bool:
        """Whether the search has gone as far as it was asked to, or as far as it goes."""
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
        """After each depth: go on or not, then tell."""
        self.pace.after_depth(result)
        self.info.depth(result)

    def _bound(self, result: Result) -> None:
        if time.perf_counter() - self.started > PROGRESS_AFTER:
            self.info.depth(result)
