"""Notices about work that takes long, on stderr by default.

A front end that draws or prompts can receive the notices of its own threads instead, and only those:

    with listening_with(listener):
        engine.prepare()
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, bool], None]
"""Called from any thread with a text, and whether it is a warning, which still matters when the work is done."""

TOLD_AFTER, TOLD_AGAIN = 1.0, 10.0
"""Seconds until the first notice, and between later ones."""


def on_stderr(text: str, is_warning: bool = False) -> None:
    """Print a text on stderr as one line."""
    lines = (line.strip() for line in text.splitlines())
    words = " ".join(line for line in lines if line)
    print(f"zerosum: {'warning: ' if is_warning else ''}{words}", file=sys.stderr, flush=True)


_listener: ContextVar[Listener] = ContextVar("zerosum_listener", default=on_stderr)


@contextmanager
def listening_with(listener: Listener) -> Iterator[None]:
    """Send all notices of this thread to ``listener`` within the block."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def say(text: str, is_warning: bool = False) -> None:
    """Send a notice to this thread's listener."""
    _listener.get()(text, is_warning)


@contextmanager
def noticed(what: str, is_kept: bool = True) -> Iterator[None]:
    """Report ``what`` if the block takes long, and again at intervals; ``is_kept`` if the next start can use it."""
    import threading

    done, listener = threading.Event(), _listener.get()

    def tell() -> None:
        started = time.perf_counter()
        if not done.wait(TOLD_AFTER):
            listener(f"{what}; the result is kept for the next start" if is_kept else what, False)
        while not done.wait(TOLD_AGAIN):
            listener(f"{what}: {time.perf_counter() - started:.0f} s so far", False)

    threading.Thread(target=tell, name="zerosum-notice", daemon=True).start()
    try:
        yield
    finally:
        done.set()
