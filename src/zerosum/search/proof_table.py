"""What proof-number search stores: numbers of open positions, and facts about decided ones.

An entry of the table (``table`` explains how threads share it) is a 64-bit word. From the low end: 2 bits kind, 6 bits
work, 50 bits content, 6 bits age. The content of an open position is its proof number and its disproof number, 25 bits
each. The content of a decided one is its facts, as ``facts`` packs them:

- ``measure``, 20 bits. In games without margins: the plies within which the game ends, UNDATED if unknown.
  In scored games: by how much the result exceeds the question.
- ``time``, 12 bits: plies that must be left on the clock, NEVER if unknown.
- ``back``, 12 bits: a refutation that depends on a repetition holds while the position this many plies earlier is on
  the line; 0 if it holds on every path.
- ``drawn``, 1 bit: the refutation is not a win for the other side.
- ``cut``, 1 bit: the refutation depends on lines that were not followed to their end.
"""

from __future__ import annotations

from zerosum.game import Game
from zerosum.jit.plan import Region, width_of
from zerosum.jit.words import memory_at, spread
from zerosum.search.memory import AGE, PAST_LIMIT, PLIES, SEARCH, TABLE, TABLE_MASK
from zerosum.search.table import BUCKET, OLDEST

WORDS = SEARCH.then(
    *("attacker", "bar"),  # the question: can this player force at least this result?
    "question",  # its hash, mixed into all keys
    "counts_clock",  # whether clocks run
    *("longest", "is_limited"),  # the most plies of a line, and whether the caller set this limit
    "is_free",  # whether the root has all its legal moves
    *("mobility", "judged", "weak"),  # options: how to number new positions, and how to add numbers
    *("proof", "disproof", "facts"),  # of the last position visited
    "helpers",  # whether other threads work on the same question
)
# fmt: off
(
    ATTACKER, BAR, QUESTION, COUNTS_CLOCK, LONGEST, IS_LIMITED, IS_FREE, MOBILITY, JUDGED, WEAK,
    PROOF, DISPROOF, FACTS, HELPERS,
) = WORDS
# fmt: on

NUMBER_BITS = 25
INFINITE = (1 << NUMBER_BITS) - 1
LARGEST = INFINITE - 1
"""The largest number of an open position."""

OPEN, PROVEN, REFUTED = 1, 2, 3

UNDATED = (1 << 20) - 1
NEVER = (1 << 12) - 1
MOST_BACK = (1 << 12) - 1
DRAWN, CUT = 1 << 44, 1 << 45


def regions(game: Game) -> list[Region]:
    """The memory of a worker: for each ply of its line, and for each move there."""
    moves = PLIES * width_of(game)
    return [
        Region("root_moves", width_of(game)),
        Region("path", PAST_LIMIT + PLIES),  # keys of the past, then of the line: see ``repetition``
        Region("path_from", PAST_LIMIT + PLIES),
        Region("trails", PLIES),  # for each ply, the hash of the line since the last irreversible move
        Region("buffer", moves),
        Region("keys", moves),  # of the positions that the moves lead to, and what is known about them
        Region("proofs", moves),
        Region("disproofs", moves),
        Region("known", moves),
        Region("scratch", width_of(game)),
    ]


def facts(measure, time, back, flags):
    return measure | time << 20 | back << 32 | flags


def measure_of(fact):
    return fact & UNDATED


def time_of(fact):
    return fact >> 20 & NEVER


def back_of(fact):
    return fact >> 32 & MOST_BACK


def flags_of(fact):
    return fact & (DRAWN | CUT)


def kind_of(data):
    return data & 3


def work_of(data):
    return data >> 2 & 63


def content_of(data):
    return data >> 8 & ((1 << 50) - 1)


def age_of(data):
    return data >> 58 & OLDEST


def size_of(work):
    """A number of positions on a scale of 63 steps: twice the binary logarithm."""
    size = 0
    while work > 2 and size < 62:
        work >>= 1
        size += 2
    return size + 1 if work > 1 else size


def keep(key, kind, content, work, mem):
    """Store what is known about a position, over its own entry or else the least useful one in the bucket.

    Positions that took little work are the least useful, because they are quickly searched again. For each search since
    an entry was stored, its work counts a quarter.
    """
    table = memory_at(mem[TABLE])
    age = mem[AGE]
    at = spread(key, mem[TABLE_MASK]) * BUCKET
    place, worth = at, 1 << 30
    for i in range(0, BUCKET, 2):
        data = table[at + i + 1]
        if data == 0 or table[at + i] ^ data == key:
            place = at + i
            break
        this = work_of(data) - 4 * ((age - age_of(data)) & OLDEST)
        if this < worth:
            place, worth = at + i, this
    data = kind | size_of(work) << 2 | content << 8 | age << 58
    table[place] = key ^ data
    table[place + 1] = data
