"""When ``readyok`` is said: as soon as the kernels are there, but at once during a search, and never very late."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from zerosum.session.session import Session

PATIENCE = 8.0
"""Seconds after the start of the engine at which it says that it is ready in any case: many programs wait for ten."""


class Readiness:
    """Answers ``isready``, from a thread of its own where it takes time. ``say`` is told what people should know."""

    def __init__(self, session: Session, write: Callable[[str], None], say: Callable[[str], None]) -> None:
        self.session, self.write, self.say = session, write, say
        self._lock = threading.Lock()
        self._asked = 0  # how many questions wait for their answer
        self._thread: threading.Thread | None = None  # the one that waits to answer them

    def ask(self) -> None:
        """Answer when the kernels are there, or when patience is at its end."""
        self.session.warm_up()
        if self.session.ready.is_set():
            try:
                self.session.engine()  # of the size that was asked for last
            finally:
                self.write("readyok")
            return
        with self._lock:
            self._asked += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._wait, name="zerosum-ready", daemon=True)
                self._thread.start()

    def answer(self) -> None:
        """Answer now whatever waits."""
        with self._lock:
            self._answer()

    def _answer(self) -> None:
        for _ in range(self._asked):
            self.write("readyok")
        self._asked = 0

    def finish(self) -> None:
        """Return when everything is answered."""
        thread = self._thread
        while thread is not None and thread.is_alive():
            thread.join(0.2)  # a timeout, so that Ctrl-C gets through everywhere

    def _wait(self) -> None:
        left = self.session.begun + PATIENCE - time.perf_counter()
        if not self.session.ready.wait(max(left, 0.0)) and self._asked:
            self.say(f"{self.session.spec.game.name} is still being compiled: until then searches are slow")
        with self._lock:
            self._answer()
            self._thread = None  # who asks from now on needs another
