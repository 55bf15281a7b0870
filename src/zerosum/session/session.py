"""An engine that gets ready in the background, for whoever talks to people meanwhile.

>>> from zerosum.games import load
>>> session = Session(EngineSpec(load("tictactoe"), hash_mb=1, jit=False))
>>> session.warm_up()  # returns at once where there is something to compile
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
from zerosum.jit.notices import Listener, heard_by

if TYPE_CHECKING:
    from zerosum.endgame.database import Database
    from zerosum.engine import Engine
    from zerosum.search.algorithm import AlgorithmLike


@dataclass(frozen=True)
class EngineSpec:
    """What an engine is made of, as ``Engine`` has it."""

    game: Game
    algorithm: AlgorithmLike = None
    threads: int = 1
    hash_mb: float = 64
    database: Database | None = None
    jit: bool = True

    def make(self) -> Engine:
        """A new engine. Front ends make none in any other way."""
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
    """Has the engine that is wanted, and makes another when another is wanted: a new size, game or database.

    Args:
        spec: the engine that is wanted first.
        listener: hears, from whatever thread, what takes long and what people should know; else stderr does.
        always_answers: for play under a clock. Problems are said, not raised; rules that cannot be compiled are
            searched as they are; and the first search, which is the slowest, is made beforehand.

    Attributes:
        spec: what is wanted now; ``want`` changes it.
        ready: set when ``warm_up`` has done all it can.
        begun: when that began, by ``time.perf_counter``.
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
        """From now on another spec is wanted; the engine is made when it is needed, or by ``warm_up``."""
        with self._wanting:
            spec = replace(self.spec, **changes)
            if spec != self.spec:
                self.spec, self._problem = spec, None

    @property
    def current(self) -> Engine | None:
        """The engine that is wanted, if it is there already."""
        kept = self._kept
        return kept[1] if kept is not None and kept[0] == self.spec else None

    def engine(self) -> Engine:
        """The engine that is wanted: as soon as it is ready, or made now if nobody has begun to.

        Raises what went wrong while it was made, also in the background.
        """
        while self._thread is not None and not self.ready.wait(0.1):
            pass  # a timeout, so that Ctrl-C gets through everywhere
        if self._problem is not None:
            raise self._problem
        with self._making:
            return self.current or self._make(self.spec)

    def plain(self) -> Engine:
        """An engine that runs the rules as they are written: slow, and there at once."""
        if self._plain is None or self._plain.game is not self.spec.game:
            self._plain = EngineSpec(self.spec.game, hash_mb=1, jit=False).make()
        return self._plain

    def clear(self) -> None:
        """Forget what was learned; not during a search."""
        for engine in (self.current, self._plain):
            if engine is not None:
                engine.clear()

    def close(self) -> None:
        """Let the engine and its memory go. A search that still runs keeps its own; the next one gets a new engine."""
        self._kept = self._plain = None

    def warm_up(self) -> None:
        """Begin to load or compile, and return at once; where there is nothing to compile, get ready."""
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
            while engine is None or spec != self.spec:  # another one was asked for meanwhile
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
            self._kept = None  # the old table must be gone before there is a new one
            engine = spec.make()
            engine.prepare()
            self._kept = spec, engine
            return engine

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """What the making of an engine has to say goes to the listener."""
        if self._listener is None:
            yield
            return
        with heard_by(self._listener):
            yield

    def _note(self, problem: Exception) -> None:
        """What went wrong in the background: for who needs the engine next, or said at once."""
        if not self.always_answers or self._listener is None:
            self._problem = problem
            return
        text = str(problem) if isinstance(problem, ZerosumError) else f"{type(problem).__name__}: {problem}"
        self._listener(text, False)
        if not isinstance(problem, LimitError):  # else memory has no room for the table: the next size may do
            self._listener("the rules cannot be compiled: searching without, which is slow", False)
            self.want(jit=False)
