"""Engines made ready in the background, and one that needs no compiling for the time until then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zerosum.errors import LimitError, ZerosumError
from zerosum.game import Game

if TYPE_CHECKING:
    from zerosum.engine import Engine


class Workshop:
    """Has an engine of the size that was asked for last, as soon as its kernels are compiled.

    ``say`` is told, from whatever thread, what people should know.
    """

    def __init__(self, game: Game, say: Callable[[str], None], jit: bool = True) -> None:
        self.game, self.say, self.jit = game, say, jit
        self.threads, self.hash_mb = 1, 64
        self.ready = threading.Event()
        self._engine: Engine | None = None
        self._plain: Engine | None = None
        self._thread: threading.Thread | None = None
        self.begun = time.perf_counter()

    def warm_up(self) -> None:
        """Begin to load or compile, and return at once; where there is nothing to compile, get ready."""
        if self.ready.is_set():
            return
        if not self.jit:
            self._prepare()
        elif self._thread is None:
            self.begun = time.perf_counter()
            self._thread = threading.Thread(target=self._prepare, name="zerosum-compile", daemon=True)
            self._thread.start()

    def _prepare(self) -> None:
        try:
            self.fit()
            while not self._fits:  # another size was asked for meanwhile
                self.fit()
        except LimitError as problem:  # a table that memory has no room for: the next size may do
            self.say(str(problem))
        except Exception as problem:
            # Every move can still be found, only much more slowly.
            self.say(f"{problem}" if isinstance(problem, ZerosumError) else f"{type(problem).__name__}: {problem}")
            self.say("the rules cannot be compiled: searching without, which is slow")
            self.jit, self._engine = False, None
        finally:
            self.ready.set()

    def fit(self) -> None:
        """Have an engine of the size that is wanted, all ready; not during a search."""
        if not self._fits:
            engine = self.engine()
            engine.prepare()
            # The first run is the slowest, as memory is fetched: better now than under a clock.
            engine.search(self.game.start(), depth=1)

    @property
    def _fits(self) -> bool:
        return self._engine is not None and self._size == (self.threads, self.hash_mb)

    def order(self, threads: int, hash_mb: int) -> None:
        """From now on engines of this size are wanted."""
        self.threads, self.hash_mb = threads, hash_mb

    def engine(self) -> Engine:
        """The engine; a new one if another size is wanted than last time. Before ``ready`` it would compile."""
        from zerosum.engine import Engine

        size = (self.threads, self.hash_mb)
        engine = self._engine
        if engine is None or self._size != size:
            # The old table must be gone before there is a new one.
            self._engine = engine = None
            self._size = size
            self._engine = engine = Engine(self.game, threads=self.threads, hash_mb=self.hash_mb, jit=self.jit)
        return engine

    _size = (0, 0)

    def plain(self) -> Engine:
        """An engine that runs the rules as they are written: slow, and there at once."""
        from zerosum.engine import Engine

        if self._plain is None:
            self._plain = Engine(self.game, hash_mb=1, jit=False)
        return self._plain

    def clear(self) -> None:
        """Forget what was learned."""
        for engine in (self._engine, self._plain):
            if engine is not None:
                engine.clear()
