"""The processors that this process may use."""

from __future__ import annotations

import os


def usable_processors() -> int:
    """The number of processors that this process may use: a batch system or ``taskset`` may allow only some."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
