"""When to answer ``readyok``: once the kernels are ready, but immediately during a search, and never very late."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from zerosum.session.session import Session

PATIENCE = 8.0
"""Seconds after the start at which the engine reports that it is ready in any case: many programs wait for ten."""


class Readiness:
    """Answers ``isready``, from its own thread if it takes time. ``say`` writes messages for the user."""

    def __init__(self, session: Session, write: Callable[[str], None], say: Callable[[str], None]) -> None:
        self.session, self.write, self.say = session, write, say
        self._lock = threading.Lock()
        self._asked = 0  # number of unanswered questions
        self._thread: threading.Thread | None = None  # the thread that will answer them

    def ask(self) -> None:
        """Answer when the kernels are ready, or after ``PATIENCE`` seconds."""
        self.session.warm_up()
        if self.session.ready.is_set():
            try:
                self.session.engine()  # with the latest table size
            finally:
                self.write("readyok")
            return
        with self._lock:
            self._asked += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._wait, name="zerosum-ready", daemon=True)
                self._thread.start()

    def answer(self) -> None:
        """Answer all waiting questions now."""
        with self._lock:
            self._answer()

    def _answer(self) -> None:
        for _ in range(self._asked):
            self.write("readyok")
        self._asked = 0

    def finish(self) -> None:
        """Wait until everything is answered."""
        thread = self._thread
        while thread is not None and thread.is_alive():
            thread.join(0.2)  # a timeout, so that Ctrl-C works on all platforms

    def _wait(self) -> None:
        left = self.session.begun + PATIENCE - time.perf_counter()
        if not self.session.ready.wait(max(left, 0.0)) and self._asked:
            self.say(f"{self.session.spec.game.name} is still being compiled: searches are slow until then")
        with self._lock:
            self._answer()
            self._thread = None  # the next question needs a new thread
