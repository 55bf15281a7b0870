"""The nodes of a cluster: their versions, whether they are suitable, and how fast their workers are."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

MUST_AGREE = ("zerosum", "python", "numba")
"""Packages whose version affects the result of a unit, or whether it arrives at all."""

PROBE_LOOPS = 200_000
"""Loops of one speed measurement: a few hundredths of a second, repeated several times."""

PROBES = 5
BUSY, SLOW, SLOWER = 0.8, 0.5, 0.8
"""BUSY: a worker that gets less than this share of a processor is busy. SLOW: a worker below this share of the fastest
one's speed is slow. Busy and slow workers are left out of games with clocks. SLOWER: a worker below this share of the
fastest one's speed is reported."""


@dataclass(frozen=True)
class Node:
    """A machine of the cluster. A version is '' if the node lacks the package."""

    id: str
    name: str
    cpus: int
    gpus: int
    zerosum: str = ""
    python: str = ""
    numba: str = ""
    processor: str = ""
    problem: str = ""

    def refusal(self, own: Node) -> str:
        """Why the node cannot work for ``own``, in words; '' if it can."""
        if self.problem:
            return self.problem
        for what in MUST_AGREE:
            there, here = getattr(self, what), getattr(own, what)
            if there != here:
                named = {"python": "Python", "numba": "Numba"}.get(what, what)
                return f"it has {f'{named} {there}' if there else f'no {named}'}, but {named} {here} is here"
        return ""


def facts() -> Any:
    """A function that reports a node's versions. It is sent as code: the node may lack this version of zerosum."""

    def versions() -> dict[str, str]:
        import importlib
        import platform
        from contextlib import suppress
        from importlib.metadata import version

        found = {"python": platform.python_version(), "zerosum": "", "numba": "", "processor": platform.machine()}
        with suppress(Exception):  # a broken package counts as missing
            found["zerosum"] = str(importlib.import_module("zerosum").__version__)
        with suppress(Exception):
            found["numba"] = version("numba")  # importing it takes a second, and workers with kernels do not need it
        with suppress(Exception):
            binding = importlib.import_module("llvmlite.binding")
            found["processor"] += f" {binding.get_host_cpu_name()}"
        return found

    return versions


class Pace(NamedTuple):
    """A worker's speed, in loops per second of processor time, and the share of a processor it gets."""

    speed: float
    share: float


def pace() -> Pace:
    """Measure the pace of this process, in several tries, because other programs come and go."""
    tries = []
    for _ in range(PROBES):
        began, cpu = time.perf_counter(), time.process_time()
        total = 0
        for i in range(PROBE_LOOPS):
            total ^= i
        took, used = time.perf_counter() - began, max(time.process_time() - cpu, 1e-9)
        tries.append(Pace(PROBE_LOOPS / used, min(used / took, 1.0)))
    return Pace(max(one.speed for one in tries), sorted(one.share for one in tries)[PROBES // 2])


def pace_verdict(own: Pace, fastest: float) -> tuple[bool, str]:
    """Whether a worker may play games with clocks, and a message about it.

    >>> pace_verdict(Pace(100.0, 1.0), 100.0), pace_verdict(Pace(40.0, 1.0), 100.0)
    ((True, ''), (False, 'is left out: it has 40 % of the speed of the fastest worker'))
    >>> pace_verdict(Pace(70.0, 0.9), 100.0), pace_verdict(Pace(100.0, 0.5), 100.0)
    ((True, 'has 70 % of the speed of the fastest worker'), (False, 'is left out: it gets only 50 % of a processor'))
    """
    if own.share < BUSY:
        return False, f"is left out: it gets only {own.share:.0%} of a processor".replace("%", " %")
    speed = own.speed / max(fastest, 1e-9)
    share = f"{speed:.0%} of the speed of the fastest worker".replace("%", " %")
    if speed < SLOW:
        return False, f"is left out: it has {share}"
    return True, f"has {share}" if speed < SLOWER else ""
