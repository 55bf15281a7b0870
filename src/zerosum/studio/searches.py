"""Searches beside the server: each in a thread of its own, stopped when nobody wants it any more.

Kernels run without the interpreter lock, so the server keeps answering; the threads also run at a lower priority, so
that it is served first when all processors think. A search tells what it finds to one listener, from its own thread.
"""

from __future__ import annotations

import itertools
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from zerosum.engine import Engine
from zerosum.errors import StudioError, ZerosumError
from zerosum.game import Game, Line
from zerosum.running.stopping import Stop
from zerosum.search.algorithms import algorithm_of
from zerosum.search.auto import Auto
from zerosum.search.result import Result
from zerosum.session.session import EngineSpec, Session
from zerosum.studio.databases import Databases

MOST_AT_ONCE = 64
"""Searches of all pages together."""

NICENESS = 12
"""How much lower than the server's the priority of searches is: fifty of them must not keep it from answering."""

_numbers = itertools.count(1)
_running = threading.BoundedSemaphore(MOST_AT_ONCE)

Work = Callable[[Engine, "Search"], "Result | None"]


@dataclass
class Search:
    """One search, by its number; what it has found so far can be read from any thread.

    Attributes:
        purpose: what the page wanted it for: "play", "hint", "analyse" …
        state: "waiting", "compiling", "thinking", then "done", "stopped" or "failed".
        latest: the newest result.
        effort: roughly, how many positions each move of the root has taken.
        answer: a move that was chosen without looking.
        stop: ends it, whatever it is doing; what it has found counts.
        cancelled: nobody wants to know what it has found.
        finished: called when it is done, but not if it was stopped.
        algorithm: the name of what it searches with.
        position: what is searched, in the game's notation: whatever is found says what it is about.
    """

    line: Line
    purpose: str
    work: Work
    changed: Callable[[Search], None]
    finished: Callable[[Search], None] | None = None
    algorithm: str = "auto"
    position: str = ""
    number: int = field(default_factory=lambda: next(_numbers))
    state: str = "waiting"
    latest: Result | None = None
    answer: int | None = None
    problem: str = ""
    stop: Stop = field(default_factory=Stop)
    cancelled: bool = False
    started: float = 0.0
    effort: dict[int, int] = field(default_factory=dict)
    written: tuple[Result, list[dict[str, Any]]] | None = None

    def report(self, result: Result) -> None:
        """A depth is done."""
        self.latest = result

    def turn(self, state: str) -> None:
        self.state = state
        self.changed(self)


class TabSearcher:
    """The engine of one tab: one search at a time, a new one takes the place of the old."""

    def __init__(self, hash_mb: float, threads: int, jit: bool, databases: Databases) -> None:
        self.hash_mb, self.threads, self.jit, self.databases = hash_mb, threads, jit, databases
        self.session: Session | None = None  # from the first game on
        # Moves that are worth the same come at random, so that no two games are alike.
        self._usual = Auto(seed=random.getrandbits(32))
        self.search: Search | None = None
        self._thread: threading.Thread | None = None

    def start(self, search: Search) -> None:
        """Begin a search, ending the one before."""
        self.stop()
        before, turns = self._thread, _running
        if not turns.acquire(blocking=False):
            raise StudioError(f"{MOST_AT_ONCE} searches run already: wait, or close a page")
        self.search = search
        self._thread = threading.Thread(
            target=self._run, args=(search, before, turns), name=f"zerosum-search-{search.number}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the search, if there is one; returns at once."""
        if self.search is not None and self.search.state not in ("done", "stopped", "failed"):
            self.search.cancelled = True
            self.search.stop.set()

    def close(self) -> None:
        """End the search and let the engine's memory go."""
        self.stop()
        self.search = None
        self._let_go()

    def _let_go(self) -> None:
        if self.session is not None:
            self.session.close()

    @property
    def engine(self) -> Engine | None:
        """The engine, if it is there already."""
        return self.session.current if self.session is not None else None

    def is_ready_for(self, game: Game) -> bool:
        return self.engine is not None and self.engine.game is game

    @property
    def has_news(self) -> bool:
        """Whether a search runs that has found something."""
        return self.search is not None and self.search.state == "thinking" and self.search.latest is not None

    @property
    def is_busy(self) -> bool:
        return self.search is not None and self.search.state in ("waiting", "compiling", "thinking")

    def _run(self, search: Search, before: threading.Thread | None, turns: threading.Semaphore) -> None:
        try:
            if before is not None:
                before.join()  # it uses the same memory
            if search.cancelled:
                search.turn("stopped")
                return
            engine = self._engine_for(search)
            _yield_processor()  # not before: a compiler holds the interpreter, and others would wait for it
            with _watch.over(search, engine) if search.purpose == "analyse" else nullcontext():
                search.started = time.perf_counter()
                search.turn("thinking")
                result = search.work(engine, search)
            if result is not None:
                search.latest = result
            search.turn("stopped" if search.cancelled else "done")
        except ZerosumError as problem:
            search.problem = str(problem)
            search.turn("failed")
        except Exception as problem:  # a rule of somebody's game
            search.problem = f"{type(problem).__name__}: {problem}"
            search.turn("failed")
        finally:
            if self.search is None:  # the page has gone meanwhile
                self._let_go()
            turns.release()

    def _engine_for(self, search: Search) -> Engine:
        game = search.line.game
        chosen = self._usual if search.algorithm == self._usual.name else algorithm_of(search.algorithm)
        database = self.databases.of(game) if chosen.uses_database else None
        if self.session is None:
            self.session = Session(EngineSpec(game, chosen, self.threads, self.hash_mb, database, self.jit))
        self.session.want(game=game, database=database, algorithm=chosen)
        if self.engine is None:
            search.turn("compiling")
        return self.session.engine()


class _Watch:
    """Beside all analyses: notes which moves the work goes into.

    The work is sampled: what was done since the last look is put down to the move that is being looked at. One thread
    does this for all.
    """

    PAUSE = 0.03

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[int, tuple[Search, Engine, int]] = {}

    @contextmanager
    def over(self, search: Search, engine: Engine) -> Iterator[None]:
        with self._lock:
            if not self._watched:
                threading.Thread(target=self._run, name="zerosum-watch", daemon=True).start()
            self._watched[search.number] = (search, engine, 0)
        try:
            yield
        finally:
            with self._lock:
                del self._watched[search.number]

    def _run(self) -> None:
        while True:
            time.sleep(self.PAUSE)
            with self._lock:
                if not self._watched:
                    return
                for number, (search, engine, nodes) in self._watched.items():
                    self._watched[number] = (search, engine, self._look(search, engine, nodes))

    def _look(self, search: Search, engine: Engine, nodes: int) -> int:
        progress = engine.progress()
        if progress is None or progress.nodes <= nodes:
            return nodes
        search.effort[progress.move] = search.effort.get(progress.move, 0) + progress.nodes - nodes
        return int(progress.nodes)


_watch = _Watch()


def _yield_processor() -> None:
    """Lower this thread's priority; threads that it starts inherit it. Only Linux has priorities for threads."""
    if hasattr(os, "setpriority") and hasattr(threading, "get_native_id"):
        with suppress(OSError):
            usual = os.getpriority(os.PRIO_PROCESS, os.getpid())
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(19, usual + NICENESS))
