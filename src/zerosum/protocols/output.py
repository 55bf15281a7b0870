"""Lines out, from any thread: each one whole, and none after the reader has gone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TextIO


class Output:
    """Where a protocol writes its lines. ``on_gone()`` is called once nobody reads them any more.

    >>> output = Output(print)
    >>> output.write("readyok")
    readyok
    """

    def __init__(self, write: Callable[[str], object], on_gone: Callable[[], None] = lambda: None) -> None:
        self._write, self._on_gone = write, on_gone
        self._lock = threading.Lock()
        self.is_gone = False

    def write(self, text: str) -> None:
        """One line, whole, whichever thread it is from."""
        if self.is_gone:
            return
        try:
            with self._lock:
                self._write(text)
        except OSError:
            self.is_gone = True
            self._on_gone()


def lines_to(stream: TextIO) -> Callable[[str], None]:
    """A function that writes one line to ``stream``, at once."""

    def write(text: str) -> None:
        stream.write(f"{text}\n")
        stream.flush()

    return write
