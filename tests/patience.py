"""How long tests wait for events that must come.

No test depends on the speed of the machine. The timeout for what must happen is so long that only a hang exceeds it.
That something does not happen is shown by an event, never by a pause.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

PATIENCE = 300.0
"""The timeout in seconds; also for the programs that tests start."""

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that ends a process immediately; on Windows SIGTERM does that."""


def heed_interrupts() -> None:
    """For ``preexec_fn``: Ctrl-C ends the program even if the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_until(condition: Callable[[], object], what: str = "what was waited for") -> None:
    """Return as soon as the condition holds; fail if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {PATIENCE:g} s"
        time.sleep(0.01)
