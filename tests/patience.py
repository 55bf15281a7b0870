"""How long tests wait for what must come.

No test is decided by how fast a machine is. What must happen is waited for so long that only a hang can use it up; what
must not happen is told by an event, never by a pause.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds; also for the programs that tests start."""

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that ends a process at once; on Windows that is what SIGTERM does."""


def heed_interrupts() -> None:
    """For ``preexec_fn``: Ctrl-C ends the program, also where the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_until(condition: Callable[[], object], what: str = "what was waited for") -> None:
    """Return as soon as the condition holds; fails if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {PATIENCE:g} s"
        time.sleep(0.01)
