"""Output of whole lines from any thread; nothing is written after the reader has left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TextIO


class Output:
    """Writes the lines of a protocol. ``on_gone()`` is called once when they are no longer read.

    >>> output = Output(print)
    >>> output.write("readyok")
    readyok
    """

    def __init__(self, write: Callable[[str], object], on_gone: Callable[[], None] = lambda: None) -> None:
        self._write, self._on_gone = write, on_gone
        self._lock = threading.Lock()
        self.is_gone = False

    def write(self, text: str) -> None:
        """Write one whole line, from any thread."""
        if self.is_gone:
            return
        try:
            with self._lock:
                self._write(text)
        except OSError:
            self.is_gone = True
            self._on_gone()


def lines_to(stream: TextIO) -> Callable[[str], None]:
    """A function that writes one line to ``stream`` and flushes it."""

    def write(text: str) -> None:
        stream.write(f"{text}\n")
        stream.flush()

    return write
