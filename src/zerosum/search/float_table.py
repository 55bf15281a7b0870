"""The transposition table of searches whose values have fractions.

It uses the memory of ``Table``. A bucket, one cache line, has two entries of four words: ``key ^ data ^ value``,
``data``, ``value`` as the bits of a float64, and one that is not used. ``data`` is that of ``table`` with no value in
it. As there, halves of two entries that were written at once do not fit together and count as absent. Values are
exact and for MAX.
"""

from __future__ import annotations

from zerosum.jit.words import memory_at, spread
from zerosum.search.memory import AGE, TABLE, TABLE_MASK
from zerosum.search.table import BUCKET, EXACT, NO_MOVE, data_depth

ENTRY = 4  # words


def probe_float(key, mem):
    """(data, the value's bits) stored for ``key``, or (0, 0)."""
    table = memory_at(mem[TABLE])
    at = spread(key, mem[TABLE_MASK]) * BUCKET
    for i in range(at, at + BUCKET, ENTRY):
        data, value = table[i + 1], table[i + 2]
        if data != 0 and table[i] ^ data ^ value == key:
            return data, value
    return 0, 0


def remember_float(key, value, depth, proven, mem):
    """Store what was found, over the entry of the same position or else the one that ``table`` would give up."""
    table = memory_at(mem[TABLE])
    age = mem[AGE]
    at = spread(key, mem[TABLE_MASK]) * BUCKET
    place, worth = at, 1 << 30
    for i in range(at, at + BUCKET, ENTRY):
        data = table[i + 1]
        if data == 0 or table[i] ^ data ^ table[i + 2] == key:
            place = i
            break
        this = data_depth(data) - 8 * ((age - (data >> 25)) & 127)
        if this < worth:
            place, worth = i, this
    data = (age << 25) | (proven << 24) | (EXACT << 22) | (depth << 12) | NO_MOVE
    table[place] = key ^ data ^ value
    table[place + 1] = data
    table[place + 2] = value
