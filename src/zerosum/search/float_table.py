"""The transposition table for searches with float values.

It uses the memory of ``Table``. A bucket, one cache line, has two entries of four words: ``key ^ data ^ value``,
``data``, ``value`` as the bits of a float64, and an unused word. ``data`` is laid out as in ``table``, without a
value. As there, if two threads write an entry at the same time, its words do not match and it counts as absent. Values
and bounds are for MAX.
"""

from __future__ import annotations

from zerosum.jit.bits import mix
from zerosum.jit.rules import Rules
from zerosum.jit.words import memory_at, spread
from zerosum.search.memory import AGE, SWITCHES, TABLE, TABLE_MASK
from zerosum.search.options import switch
from zerosum.search.table import BUCKET, NO_MOVE, OLDEST, data_age, data_depth

ENTRY = 4  # words
EXACT_DRAFT = switch("exact_draft")
SYMMETRY = switch("symmetry")


def float_place(rules: Rules):
    """The function place_of for one game: the key under which the table stores a position."""
    key_of, canonical, has_canonical = rules.key, rules.canonical, rules.has["canonical"]

    def place_of(s, depth, mem):
        place = key_of(s, mem)
        if has_canonical:
            if mem[SWITCHES] & SYMMETRY:
                place = key_of(canonical(s, mem), mem)
        if mem[SWITCHES] & EXACT_DRAFT:
            place = mix(place, depth)  # each depth has its own entry
        return place

    return place_of


def probe_float(key, mem):
    """(data, the value's bits) stored for ``key``, or (0, 0)."""
    table = memory_at(mem[TABLE])
    at = spread(key, mem[TABLE_MASK]) * BUCKET
    for i in range(at, at + BUCKET, ENTRY):
        data, value = table[i + 1], table[i + 2]
        if data != 0 and table[i] ^ data ^ value == key:
            return data, value
    return 0, 0


def remember_float(key, value, index, depth, bound, doubts, mem):
    """Store a result, over the entry of the same position or else the one that ``table`` would replace."""
    table = memory_at(mem[TABLE])
    age = mem[AGE]
    at = spread(key, mem[TABLE_MASK]) * BUCKET
    place, worth = at, 1 << 30
    for i in range(at, at + BUCKET, ENTRY):
        data = table[i + 1]
        if data == 0 or table[i] ^ data ^ table[i + 2] == key:
            place = i
            break
        this = data_depth(data) - 8 * ((age - data_age(data)) & OLDEST)
        if this < worth:
            place, worth = i, this
    if index < 0 or index >= NO_MOVE:
        index = NO_MOVE
    data = (age << 26) | (doubts << 24) | (bound << 22) | (depth << 12) | index
    table[place] = key ^ data ^ value
    table[place + 1] = data
    table[place + 2] = value
