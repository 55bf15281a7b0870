"""Small numbers packed into rows of 64-bit words: values of 2 bits, distances of 16, places of 32.

All functions do the same compiled and plain. A ``put`` reads, changes and writes a whole word, so threads
must own whole words: their shares of a tier begin at multiples of ``SHARE``. Reading a word while another thread
writes it is safe, because words are read atomically.
"""

from __future__ import annotations

from typing import Any

from zerosum.jit.row import Row
from zerosum.jit.target import Target
from zerosum.jit.words import memory_at

UNKNOWN, LOSS, DRAW, VICTORY = range(4)
"""The value of a position for the side to move. UNKNOWN: not in the database, not a valid position, or undecided."""

SHARE = 64
"""Each thread's share begins at a multiple of this number of positions."""


def get_value(words, i):
    return words[i >> 5] >> ((i & 31) << 1) & 3


def put_value(words, i, value):
    """Write a value; the entry must hold UNKNOWN before."""
    words[i >> 5] |= value << ((i & 31) << 1)


def get_distance(words, i):
    return words[i >> 2] >> ((i & 3) << 4) & 0xFFFF


def put_distance(words, i, distance):
    shift = (i & 3) << 4
    words[i >> 2] = words[i >> 2] & ~(0xFFFF << shift) | distance << shift


def get_place(words, i):
    return words[i >> 1] >> ((i & 1) << 5) & 0xFFFFFFFF


def put_place(words, i, place):
    shift = (i & 1) << 5
    words[i >> 1] = words[i >> 1] & ~(0xFFFFFFFF << shift) | place << shift


def lookup(directory, tier, index):
    """The value of the position with this tier and rank for the side to move; UNKNOWN if the tier is not loaded.

    ``directory`` is the address of the Directory's words: the number of tiers, then the address of each tier's values.
    """
    tiers = memory_at(directory)
    if tier < 0 or tier >= tiers[0]:
        return 0
    values = tiers[1 + tier]
    return 0 if values == 0 else get_value(memory_at(values), index)


def lookup_distance(directory, tier, index):
    """Plies to the end from a position that ``lookup`` calls VICTORY or LOSS; 0 if distances are not loaded."""
    tiers = memory_at(directory)
    distances = tiers[1 + tiers[0] + tier]
    return 0 if distances == 0 else get_distance(memory_at(distances), index)


def tier_size(directory, tier):
    """The number of positions in a tier; 0 if it is not loaded."""
    tiers = memory_at(directory)
    return tiers[1 + 2 * tiers[0] + tier]


class Directory:
    """The addresses of a database's values, and of its distances if it has them, behind the one word kernels get."""

    def __init__(self, tiers: int, target: Target) -> None:
        self.target = target
        self.tiers = tiers
        self.words = Row(1 + 3 * tiers, target)
        self.words.put(0, tiers)
        self.parts: list[tuple[Row, Row | None] | None] = [None] * tiers

    @property
    def address(self) -> Any:
        return self.words.address

    def put(self, tier: int, size: int, values: Row, distances: Row | None) -> None:
        """Add a tier; its memory lives as long as this directory."""
        self.parts[tier] = (values, distances)
        self.words.put(1 + 2 * self.tiers + tier, size)
        self.words.put(1 + tier, values.address)
        if distances is not None:
            self.words.put(1 + self.tiers + tier, distances.address)
