"""What all benchmarks share: fair timing of two sides in one run, and a description of the machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Mapping
from statistics import median

Times = dict[str, list[float]]


def interleaved(sides: Mapping[str, Callable[[], float]], repeats: int) -> Times:
    """Return the seconds that each side reports, run in turns (A B A B …) so that a slow moment affects both.

    >>> times = interleaved({"ours": lambda: 2.0, "theirs": lambda: 1.0}, repeats=3)
    >>> times
    {'ours': [2.0, 2.0, 2.0], 'theirs': [1.0, 1.0, 1.0]}
    """
    times: Times = {name: [] for name in sides}
    for _ in range(repeats):
        for name, run in sides.items():
            times[name].append(run())
    return times


def clocked(work: Callable[[], object]) -> Callable[[], float]:
    """Wrap ``work`` as a side for ``interleaved`` that returns the seconds of one call."""

    def run() -> float:
        begin = time.perf_counter()
        work()
        return time.perf_counter() - begin

    return run


def pair_ratios(numerators: list[float], denominators: list[float]) -> list[float]:
    """Return each round's ratio, smallest first: the middle one is the result, the ends are the spread.

    >>> pair_ratios([3.0, 2.0, 4.0], [1.0, 2.0, 2.0])
    [1.0, 2.0, 3.0]
    """
    return sorted(a / b for a, b in zip(numerators, denominators, strict=True))


def speed_ratio(times: Times, ours: str, theirs: str) -> str:
    """Describe the speed of ``ours`` relative to ``theirs``: by best times, by the median round, and the spread.

    >>> speed_ratio({"a": [1.0, 1.0], "b": [2.0, 3.0]}, "a", "b")
    'best 2.00 ×, median 2.50 ×, rounds 2.00 to 3.00 ×'
    """
    rounds = pair_ratios(times[theirs], times[ours])
    best = min(times[theirs]) / min(times[ours])
    digits = 2 if best < 20 else 0
    return f"best {best:.{digits}f} ×, median {median(rounds):.{digits}f} ×, " + (
        f"rounds {rounds[0]:.{digits}f} to {rounds[-1]:.{digits}f} ×"
    )


def in_seconds(times: list[float]) -> str:
    """Format the best and the median of some times.

    >>> in_seconds([0.2, 0.1, 0.3])
    'best 0.100 s, median 0.200 s'
    """
    return f"best {min(times):.3f} s, median {median(times):.3f} s"


def machine() -> str:
    """Describe the machine in one line."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as lines:
            model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass  # not Linux: only the processor's family is known
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{model}, {os.cpu_count()} cores{busy}; Python {platform.python_version()} on {platform.system()}"
