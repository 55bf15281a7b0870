"""Encodes the values of a large tier: a compiled kernel finds the runs; threads compress them without Python's lock.

The result is the same as that of ``codes.encode`` for each block, byte for byte.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.endgame import codes
from zerosum.endgame.codes import SHORT, Coded
from zerosum.endgame.tierfile import BLOCK, unpack_values
from zerosum.game import Game
from zerosum.jit.kernel import ITEMS, ItemKernel
from zerosum.jit.row import Row
from zerosum.jit.rules import Rules
from zerosum.jit.target import CPU
from zerosum.jit.words import memory_at
from zerosum.running.crew import Crew, Member
from zerosum.solved_tiers import DRAW, UNKNOWN, get_value

# Input: the values of a tier, their number, and the position of block 0. Output: the bytes and the facts of each block.
WORDS = ITEMS.then("values", "size", "first", "bytes", "found")
VALUES, SIZE, FIRST, BYTES, FOUND = WORDS

LENGTH, RUNS, FIRST_VALUE, FACTS = range(4)
"""The facts of a block: its number of bytes, its number of runs, its first value."""

EVERYWHERE = 0x5555555555555555
"""Multiplied by a value, the word that contains the value 32 times."""

LONGEST = 15
"""The highest n of a run of 64 * 2**n in one byte."""

AT_ONCE = 4
"""Blocks that a thread encodes at a time: few, so that even tiers of a million positions keep several threads busy."""


def put_byte(words, at, byte):
    shift = (at & 7) << 3
    words[at >> 3] = words[at >> 3] & ~(0xFF << shift) | byte << shift


def put_run(words, at, value, length):
    """Write a run as one or several bytes; return where the next run goes."""
    for n in range(LONGEST, -1, -1):
        while length >= 64 << n:
            put_byte(words, at, (SHORT + n) << 2 | value)
            length -= 64 << n
            at += 1
    if length > SHORT:
        put_byte(words, at, (SHORT - 1) << 2 | value)
        length -= SHORT
        at += 1
    if length > 0:
        put_byte(words, at, (length - 1) << 2 | value)
        at += 1
    return at


def build(rules: Rules):
    def item(i, mem):
        """Find the runs of block ``i``; a hole gets the value before it, or else the first one after it."""
        values, words, found = memory_at(mem[VALUES]), memory_at(mem[BYTES]), memory_at(mem[FOUND])
        place = mem[FIRST] + BLOCK * i
        end = min(place + BLOCK, mem[SIZE])
        value = DRAW
        for j in range(place, end):
            if get_value(values, j) != UNKNOWN:
                value = get_value(values, j)
                break
        begin = at = BLOCK * i
        found[FACTS * i + FIRST_VALUE] = value
        runs, length = 0, 0
        while place < end:
            # Most words contain one value 32 times. Blocks begin at a word boundary.
            if place & 31 == 0 and place + 32 <= end and values[place >> 5] == value * EVERYWHERE:
                length += 32
                place += 32
                continue
            here = get_value(values, place)
            if here != value and here != UNKNOWN:
                at = put_run(words, at, value, length)
                runs += 1
                value, length = here, 0
            length += 1
            place += 1
        at = put_run(words, at, value, length)
        found[FACTS * i + LENGTH] = at - begin
        found[FACTS * i + RUNS] = runs + 1
        return 1

    return item


CODE = ItemKernel("code", (), build, WORDS)


class Coder:
    """Encodes the values of tiers with several threads."""

    def __init__(self, game: Game, threads: int) -> None:
        self.crew = Crew(CODE, game, threads, CPU)
        self.rows = {member: (Row(AT_ONCE * BLOCK // 8, CPU), Row(AT_ONCE * FACTS, CPU)) for member in self.crew}
        for member, (data, found) in self.rows.items():
            member.bytes, member.found = data.address, found.address

    def __call__(self, words: Any, size: int) -> list[Coded]:
        """Encode all blocks, in order."""
        words = np.ascontiguousarray(words)
        self.crew.put(values=words.ctypes.data, size=size)

        def some(member: Member, first: int) -> list[Coded]:
            count = -(-(min(first + AT_ONCE * BLOCK, size) - first) // BLOCK)
            member.first, member.next_item, member.last_item = first, 0, count
            member.run()
            data, found = (row.array() for row in self.rows[member])
            facts = found.reshape(-1, FACTS)[:count].tolist()
            runs = data.view(np.uint8).reshape(-1, BLOCK)
            return [self._block(words, size, first + BLOCK * i, runs[i], facts[i]) for i in range(count)]

        parts = self.crew.hand_out(range(0, size, AT_ONCE * BLOCK), some)
        return [block for part in parts for block in part]

    def _block(self, words: Any, size: int, first: int, data: Any, facts: list[int]) -> Coded:
        if facts[RUNS] == 1:
            return codes.CONSTANT, facts[FIRST_VALUE], b""
        end = min(first + BLOCK, size)
        runs = data[: facts[LENGTH]].tobytes()
        return codes.shortest(
            facts[FIRST_VALUE], runs, end - first, lambda: codes.fill_holes(unpack_values(words, first, end))
        )
