"""Limits of a search: any combination of depth, seconds and nodes, validated on entry."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from zerosum.errors import LimitError
from zerosum.search.memory import MAX_PLY

NO_LIMIT = 1 << 62


@dataclass(frozen=True)
class Limits:
    """The limits of a search; it ends at the first one it reaches."""

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_depth(self.depth)
        if self.seconds is not None and not (
            isinstance(self.seconds, (int, float)) and math.isfinite(self.seconds) and self.seconds > 0
        ):
            raise LimitError(f"seconds must be more than 0, not {self.seconds!r}")
        if self.nodes is not None and not (_is_whole(self.nodes) and self.nodes > 0):
            raise LimitError(f"nodes must be a whole number of at least 1, not {self.nodes!r}")


def check_depth(depth: int | None, least: int = 1) -> None:
    if depth is not None and not (_is_whole(depth) and least <= depth <= MAX_PLY):
        raise LimitError(f"depth must be a whole number from {least} to {MAX_PLY}, not {depth!r}")


def check_hash(megabytes: float) -> int:
    """The bytes of a table of this size; LimitError if it is not positive, or more than the machine's memory."""
    if not isinstance(megabytes, (int, float)) or not megabytes > 0:
        raise LimitError(f"a table of {megabytes!r} MB is impossible: use at least 1")
    size = megabytes * 2**20
    memory = machine_memory()
    if memory and size > memory:
        raise LimitError(f"a table of {megabytes!r} MB is more than the machine's memory ({memory // 2**20} MB)")
    return int(size)


def check_threads(threads: int) -> int:
    if not _is_whole(threads) or not 1 <= threads <= 1024:
        raise LimitError(f"threads must be a whole number from 1 to 1024, not {threads!r}")
    return threads


def check_games(games: int, seed: int) -> None:
    """LimitError unless these are a valid number of random games and a valid seed."""
    if not _is_whole(games) or not 1 <= games < NO_LIMIT:
        raise LimitError(f"games must be a whole number of at least 1, not {games!r}")
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
