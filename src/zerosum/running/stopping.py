"""The caller's request that work ends: made once, never lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop:
    """A request to stop, owned by the caller. Pass it to a search, and ``set`` it from any thread.

    It stays set. Every search that it is passed to, before or after that moment, ends as soon as possible.

    >>> from zerosum.engine import Engine
    >>> from zerosum.games import load
    >>> game, stop = load("tictactoe"), Stop()
    >>> stop.set()
    >>> Engine(game, jit=False).search(game.initial(), stop=stop).depth
    0
    """

    def __init__(self) -> None:
        # Reentrant: a signal handler may call ``set`` while the same thread holds the lock.
        self._lock = threading.RLock()
        self._is_set = False
        self._acts: list[Callable[[], None]] = []

    def set(self) -> None:
        """End all work that this was passed to, now or later."""
        with self._lock:
            self._is_set = True
            for act in list(self._acts):
                act()

    def is_set(self) -> bool:
        return self._is_set

    @contextmanager
    def over(self, *acts: Callable[[], None]) -> Iterator[None]:
        """Within this block, ``set`` calls ``acts``: immediately if it is already set. After the block it never does.

        Acts are short and do not raise: kernels poll a word of their memory, and an act sets that word.
        """
        with self._lock:
            self._acts += acts
            if self._is_set:
                for act in acts:
                    act()
        try:
            yield
        finally:
            # Under the lock, so that no late act stops the next work that uses the same memory.
            with self._lock:
                for act in acts:
                    self._acts.remove(act)

    @contextmanager
    def part(self) -> Iterator[Stop]:
        """A Stop for a part of the work: setting this one sets it too, but it can be set alone, as when time is up."""
        own = Stop()
        with self.over(own.set):
            yield own
