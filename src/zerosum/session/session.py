"""An engine that is prepared in the background while a front end already responds.

>>> from zerosum.games import load
>>> session = Session(EngineSpec(load("tictactoe"), hash_mb=1, jit=False))
>>> session.warm_up()  # returns immediately if there is something to compile
>>> session.engine().search(session.spec.game.start(), depth=2).depth
2
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from zerosum.errors import LimitError, ZerosumError
from zerosum.game import Game
from zerosum.jit.notices import Listener, listening_with

if TYPE_CHECKING:
    from zerosum.endgame.database import Database
    from zerosum.engine import Engine
    from zerosum.search.algorithm import AlgorithmLike


@dataclass(frozen=True)
class EngineSpec:
    """The arguments of an ``Engine``."""

    game: Game
    algorithm: AlgorithmLike = None
    threads: int = 1
    hash_mb: float = 64
    database: Database | None = None
    jit: bool = True

    def make(self) -> Engine:
        """Create a new engine. Front ends create engines only in this way."""
        from zerosum.engine import Engine

        return Engine(
            self.game,
            algorithm=self.algorithm,
            threads=self.threads,
            hash_mb=self.hash_mb,
            database=self.database,
            jit=self.jit,
        )


class Session:
    """Holds the wanted engine, and makes a new one when the size, game or database changes.

    Args:
        spec: the first engine wanted.
        listener: receives, from any thread, notices about slow steps and warnings; by default they go to stderr.
        always_answers: for play under a clock. Problems are reported, not raised; rules that cannot be compiled are
            searched uncompiled; and the first search, which is the slowest, is done in advance.

    Attributes:
        spec: the engine wanted now; ``want`` changes it.
        ready: set when ``warm_up`` has finished.
        begun: when it started, by ``time.perf_counter``.
    """

    def __init__(self, spec: EngineSpec, *, listener: Listener | None = None, always_answers: bool = False) -> None:
        self.spec, self.always_answers = spec, always_answers
        self.ready = threading.Event()
        self.begun = time.perf_counter()
        self._listener = listener
        self._making = threading.RLock()
        self._wanting = threading.Lock()
        self._kept: tuple[EngineSpec, Engine] | None = None
        self._plain: Engine | None = None
        self._problem: Exception | None = None
        self._thread: threading.Thread | None = None

    def want(self, **changes: Any) -> None:
        """Change the wanted spec; the engine is made when it is needed, or by ``warm_up``."""
        with self._wanting:
            spec = replace(self.spec, **changes)
            if spec != self.spec:
                self.spec, self._problem = spec, None

    @property
    def current(self) -> Engine | None:
        """The wanted engine, or None if it has not been made yet."""
        kept = self._kept
        return kept[1] if kept is not None and kept[0] == self.spec else None

    def engine(self) -> Engine:
        """The wanted engine: waits until it is ready, or makes it now.

        Raises any error that occurred while it was made, including in the background.
        """
        while self._thread is not None and not self.ready.wait(0.1):
            pass  # a timeout, so that Ctrl-C works on all platforms
        if self._problem is not None:
            raise self._problem
        with self._making:
            return self.current or self._make(self.spec)

    def plain(self) -> Engine:
        """An engine that runs the rules uncompiled: slow, but available immediately."""
        if self._plain is None or self._plain.game is not self.spec.game:
            self._plain = EngineSpec(self.spec.game, hash_mb=1, jit=False).make()
        return self._plain

    def clear(self) -> None:
        """Clear the tables; not during a search."""
        for engine in (self.current, self._plain):
            if engine is not None:
                engine.clear()

    def close(self) -> None:
        """Release the engine and its memory. A running search keeps its engine; the next one gets a new one."""
        self._kept = self._plain = None

    def warm_up(self) -> None:
        """Start to load or compile in the background and return; without compilation, prepare now."""
        if self.ready.is_set() or self._thread is not None:
            return
        if not self.spec.jit:
            self._warm_up()
            return
        self.begun = time.perf_counter()
        self._thread = threading.Thread(target=self._warm_up, name="zerosum-compile", daemon=True)
        self._thread.start()

    def _warm_up(self) -> None:
        try:
            spec, engine = None, None
            while engine is None or spec != self.spec:  # another spec was requested in the meantime
                spec = self.spec
                engine = self._make(spec)
            if self.always_answers:
                engine.search(spec.game.start(), depth=1)
        except Exception as problem:
            self._note(problem)
        finally:
            self.ready.set()

    def _make(self, spec: EngineSpec) -> Engine:
        with self._making, self._heard():
            self._kept = None  # free the old table before allocating a new one
            engine = spec.make()
            engine.prepare()
            self._kept = spec, engine
            return engine

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Send notices from making an engine to the listener."""
        if self._listener is None:
            yield
            return
        with listening_with(self._listener):
            yield

    def _note(self, problem: Exception) -> None:
        """Keep an error from the background for the next caller, or report it immediately."""
        if not self.always_answers or self._listener is None:
            self._problem = problem
            return
        text = str(problem) if isinstance(problem, ZerosumError) else f"{type(problem).__name__}: {problem}"
        self._listener(text, False)
        if not isinstance(problem, LimitError):  # too little memory for the table: another size may work
            self._listener("the rules cannot be compiled: searching them uncompiled, which is slow", False)
            self.want(jit=False)
