"""What takes long, said to whoever waits for it.

A front end that draws or prompts hears it instead of stderr, for what its own threads do and for nothing else:

    with heard_by(listener):
        engine.prepare()
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str, bool], None]
"""Hears a text, from any thread, and whether it is a warning, which still matters when the work is done."""

TOLD_AFTER, TOLD_AGAIN = 1.0, 10.0
"""Seconds after which somebody who waits is told why, and between later words."""


def on_stderr(text: str, is_warning: bool = False) -> None:
    """One line on stderr, however many the text has."""
    lines = (line.strip() for line in text.splitlines())
    words = " ".join(line for line in lines if line)
    print(f"zerosum: {'warning: ' if is_warning else ''}{words}", file=sys.stderr, flush=True)


_listener: ContextVar[Listener] = ContextVar("zerosum_listener", default=on_stderr)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Within this block, in this thread, what there is to say goes to ``listener``."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def say(text: str, is_warning: bool = False) -> None:
    """Tell whoever listens in this thread."""
    _listener.get()(text, is_warning)


@contextmanager
def noticed(what: str) -> Iterator[None]:
    """Say what takes so long, and go on saying so."""
    import threading

    done, listener = threading.Event(), _listener.get()

    def tell() -> None:
        started = time.perf_counter()
        if not done.wait(TOLD_AFTER):
            listener(f"{what}; the result is kept for the next start", False)
        while not done.wait(TOLD_AGAIN):
            listener(f"{what}: {time.perf_counter() - started:.0f} s so far", False)

    threading.Thread(target=tell, name="zerosum-notice", daemon=True).start()
    try:
        yield
    finally:
        done.set()
