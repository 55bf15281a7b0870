"""Searches of the studio: each runs in its own thread and is stopped when it is no longer needed.

Kernels run without the interpreter lock, so the server keeps answering. The threads also have a lower priority, so that
the server comes first when all processors are busy. A search reports to one listener, from its own thread.
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
from zerosum.errors import StudioError
from zerosum.game import Game, Line
from zerosum.running.stopping import Stop
from zerosum.search.algorithms import algorithm_of
from zerosum.search.auto import Auto
from zerosum.search.result import Result
from zerosum.session.session import EngineSpec, Session
from zerosum.studio.databases import Databases
from zerosum.studio.messages import in_one_line

MOST_AT_ONCE = 64
"""Maximum number of searches of all pages together."""

NICENESS = 12
"""How much lower the priority of searches is than the server's, which must answer even during fifty searches."""

_numbers = itertools.count(1)
_running = threading.BoundedSemaphore(MOST_AT_ONCE)

Work = Callable[[Engine, "Search"], "Result | None"]


@dataclass
class Search:
    """One search; its findings so far can be read from any thread.

    Attributes:
        purpose: what the page uses it for: "play", "hint", "analyse" …
        state: "waiting", "compiling", "thinking", then "done", "stopped" or "failed".
        latest: the newest result.
        effort: the approximate number of positions searched for each move of the root.
        answer: a move chosen without searching.
        stop: ends the search at any stage; its findings are used.
        cancelled: its findings are no longer wanted.
        finished: called when the search is done, but not if it was stopped.
        algorithm: the name of the algorithm.
        position: the searched position in the game's notation, sent with every finding.
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
        """Take the result of a completed depth."""
        self.latest = result

    def fail(self, problem: Exception) -> None:
        """End the search, whose findings cannot be shown."""
        self.problem = in_one_line(problem)
        self.stop.set()

    def turn(self, state: str) -> None:
        self.state = state
        self.changed(self)


class TabSearcher:
    """The engine of one tab: runs one search at a time; a new search replaces the old one."""

    def __init__(self, hash_mb: float, threads: int, jit: bool, databases: Databases) -> None:
        self.hash_mb, self.threads, self.jit, self.databases = hash_mb, threads, jit, databases
        self.session: Session | None = None  # created with the first game
        # Choose at random among equal moves, so that no two games are alike.
        self._usual = Auto(seed=random.getrandbits(32))
        self.search: Search | None = None
        self._thread: threading.Thread | None = None

    def start(self, search: Search) -> None:
        """Start a search, ending the previous one."""
        self.stop()
        before, turns = self._thread, _running
        if not turns.acquire(blocking=False):
            raise StudioError(f"{MOST_AT_ONCE} searches are already running: wait, or close a page")
        self.search = search
        self._thread = threading.Thread(
            target=self._run, args=(search, before, turns), name=f"zerosum-search-{search.number}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the search, if there is one; returns immediately."""
        if self.search is not None and self.search.state not in ("done", "stopped", "failed"):
            self.search.cancelled = True
            self.search.stop.set()

    def close(self) -> None:
        """End the search and free the engine's memory."""
        self.stop()
        self.search = None
        self._let_go()

    def _let_go(self) -> None:
        if self.session is not None:
            self.session.close()

    @property
    def engine(self) -> Engine | None:
        """The engine, or None before it is created."""
        return self.session.current if self.session is not None else None

    def is_ready_for(self, game: Game) -> bool:
        return self.engine is not None and self.engine.game is game

    @property
    def has_news(self) -> bool:
        """Whether a search is running that has found something, which can be shown."""
        search = self.search
        return search is not None and search.state == "thinking" and search.latest is not None and not search.problem

    @property
    def is_busy(self) -> bool:
        return self.search is not None and self.search.state in ("waiting", "compiling", "thinking")

    def _run(self, search: Search, before: threading.Thread | None, turns: threading.Semaphore) -> None:
        try:
            if before is not None:
                before.join()  # it uses the same engine
            if search.cancelled:
                search.turn("stopped")
                return
            engine = self._engine_for(search)
            _yield_processor()  # not earlier: a compiler holds the interpreter lock, and others would wait for it
            with _watch.over(search, engine) if search.purpose == "analyse" else nullcontext():
                search.started = time.perf_counter()
                search.turn("thinking")
                result = search.work(engine, search)
            if result is not None:
                search.latest = result
            search.turn("failed" if search.problem else "stopped" if search.cancelled else "done")
        except Exception as problem:  # also of a rule of a user's game
            search.fail(problem)
            search.turn("failed")
        finally:
            if self.search is None:  # the page has left in the meantime
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
    """Samples how much work each root move takes, in all running analyses.

    The work since the last sample is attributed to the move that is being searched now. One thread samples all
    analyses.
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
