"""Limits of a search: any combination of depth, seconds and nodes, validated on entry."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from zerosum.errors import LimitError

NO_LIMIT = 1 << 62

MAX_PLY = 1000
"""The longest line, and so the greatest depth."""

MOST = 10**18
"""Most nodes, games or plies that a user may ask for; kernels count in 64-bit words."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search; it ends at the first one it reaches."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_depth(self.depth)
        check_seconds(self.seconds)
        if self.nodes is not None:
            check_whole("nodes", self.nodes, 1)


def check_seconds(seconds: float | None) -> None:
    if seconds is None:
        return
    if isinstance(seconds, (int, float)) and not -sys.float_info.max <= seconds <= sys.float_info.max:
        raise LimitError(f"seconds must be a finite number, not {shown(seconds)}")
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or seconds <= 0:
        raise LimitError(f"seconds must be more than 0, not {seconds!r}")


def check_whole(name: str, number: int, least: int) -> None:
    """LimitError unless this is a whole number from ``least`` to the most that a kernel can count."""
    if not _is_whole(number) or number < least:
        raise LimitError(f"{name} must be a whole number of at least {least}, not {shown(number)}")
    if number > MOST:
        raise LimitError(f"{name} must be at most {MOST}, not {shown(number)}")


def shown(value: object) -> str:
    """A value as an error message quotes it. Python refuses to write whole numbers of thousands of digits."""
    if _is_whole(value) and abs(value) >= 10**100:  # type: ignore[arg-type]
        return "a number of more than 100 digits"
    return repr(value)


def check_depth(depth: int | None, least: int = 1) -> None:
    if depth is not None and not (_is_whole(depth) and least <= depth <= MAX_PLY):
        raise LimitError(f"depth must be a whole number from {least} to {MAX_PLY}, not {shown(depth)}")


def check_hash(megabytes: float) -> int:
    """The bytes of a table of this size; LimitError if it is not positive, or more than the machine's memory."""
    if not isinstance(megabytes, (int, float)) or not megabytes > 0:
        raise LimitError(f"a table of {megabytes!r} MB is impossible: use at least 1")
    size = megabytes * 2**20
    memory = machine_memory()
    if memory and size > memory:
        raise LimitError(f"a table of {megabytes!r} MB is more than the machine's memory ({memory // 2**20} MB)")
    return int(size)


MOST_THREADS = 1024
"""Most threads or processes at a time."""


def check_threads(threads: int) -> int:
    if not _is_whole(threads) or not 1 <= threads <= MOST_THREADS:
        raise LimitError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {shown(threads)}")
    return threads


def check_games(games: int, seed: int) -> None:
    """LimitError unless these are a valid number of random games and a valid seed."""
    check_whole("games", games, 1)
    if not _is_whole(seed):
        raise LimitError(f"seed must be a whole number, not {seed!r}")


def machine_memory() -> int | None:
    """Bytes of memory in this machine; None if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _is_whole(x: object) -> bool:
    return isinstance(x, int) and not isinstance(x, bool)
