"""The transposition table of searches whose values have fractions.

It uses the memory of ``Table``. A bucket, one cache line, has two entries of four words: ``key ^ data ^ value``,
``data``, ``value`` as the bits of a float64, and one that is not used. ``data`` is that of ``table`` with no value in
it. As there, halves of two entries that were written at once do not fit together and count as absent. Values and
bounds are for MAX.
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
    """The function place_of for one game: under which key the table holds a position."""
    key_of, canonical, has_canonical = rules.key, rules.canonical, rules.has["canonical"]

    def place_of(s, depth, mem):
        place = key_of(s, mem)
        if has_canonical:
            if mem[SWITCHES] & SYMMETRY:
                place = key_of(canonical(s, mem), mem)
        if mem[SWITCHES] & EXACT_DRAFT:
            place = mix(place, depth)  # what was found at each depth lies side by side
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
        this = data_depth(data) - 8 * ((age - data_age(data)) & OLDEST)
        if this < worth:
            place, worth = i, this
    if index < 0 or index >= NO_MOVE:
        index = NO_MOVE
    data = (age << 26) | (doubts << 24) | (bound << 22) | (depth << 12) | index
    table[place] = key ^ data ^ value
    table[place + 1] = data
    table[place + 2] = value
