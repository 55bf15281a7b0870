"""The caller's wish that work ends: told once, never lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop:
    """A wish to stop that belongs to whoever makes it. Hand it to a search, and ``set`` it from any thread.

    It stays set. A search that gets it before or after that moment ends as soon as it can, and so does every other
    search that it is handed to.

    >>> from zerosum.engine import Engine
    >>> from zerosum.games import load
    >>> game, stop = load("tictactoe"), Stop()
    >>> stop.set()
    >>> Engine(game, jit=False).search(game.initial(), stop=stop).depth
    0
    """

    def __init__(self) -> None:
        # Reentrant: a signal handler may set it while its own thread is in here.
        self._lock = threading.RLock()
        self._is_set = False
        self._acts: list[Callable[[], None]] = []

    def set(self) -> None:
        """End what this was handed to, and what it will be handed to."""
        with self._lock:
            self._is_set = True
            for act in list(self._acts):
                act()

    def is_set(self) -> bool:
        return self._is_set

    @contextmanager
    def over(self, *acts: Callable[[], None]) -> Iterator[None]:
        """Within this block the wish calls ``acts``: at once if it was made before. Afterwards it never does.

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
            # Under the lock, so that no act comes late and stops whatever the memory serves next.
            with self._lock:
                for act in acts:
                    self._acts.remove(act)

    @contextmanager
    def part(self) -> Iterator[Stop]:
        """A Stop for a part of the work: this one reaches it, but it can be set alone, as when its time is up."""
        own = Stop()
        with self.over(own.set):
            yield own
