"""The transposition table: search results for positions, by key.

Buckets of four entries fill a cache line. An entry is two words, ``key ^ data`` and ``data``. Threads
read and write without locks: if two of them write the same entry at the same time and leave half of each, the
halves do not match, the key is not recognised, and the entry counts as absent (R. Hyatt and
T. Mann, A lockless transposition-table implementation for parallel search, ICGA Journal 25, 2002).

``data``, from the low end: 12 bits index of the best move in the order of generation, 10 bits depth, 2 bits
bound, 2 bits doubts (UNSEEN and SKIPPED), 6 bits age, 32 bits value. Value and bound are for the side to move; the
distance of a win is counted from the position itself, so that it is right at every ply. In games with a clock the value
shares its bits with the time left: see ``timing``.
"""

from __future__ import annotations

from typing import Any

from zerosum.jit.target import Target
from zerosum.jit.words import memory_at, prefetch, spread
from zerosum.jit.zeros import zeros
from zerosum.search.memory import AGE, BUSY, TABLE, TABLE_MASK

BUCKET = 8  # words: four entries
NO_MOVE = 4095
BUSY_SLOTS = 1 << 15
LOWER, UPPER, EXACT = 1, 2, 3  # the value is at least, at most, exactly what is stored; EXACT is both
OLDEST = 63  # ages count up to this, then from 1 again; 0 is for a new engine


def probe(key, mem):
    """The data stored for ``key``, or 0."""
    table = memory_at(mem[TABLE])
    at = spread(key, mem[TABLE_MASK]) * BUCKET
    for i in range(0, BUCKET, 2):
        data = table[at + i + 1]
        if data != 0 and table[at + i] ^ data == key:
            return data
    return 0


def expect(key, mem):
    """Prefetch the bucket of ``key``, which will be needed soon."""
    prefetch(memory_at(mem[TABLE]), spread(key, mem[TABLE_MASK]) * BUCKET)


def remember(key, value, index, depth, bound, doubts, mem):
    """Store a result, over the entry of the same position or else the least useful one in the bucket.

    Old entries are the least useful, then shallow ones: each search since an entry was stored counts as eight plies.
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
        this = data_depth(data) - 8 * ((age - data_age(data)) & OLDEST)
        if this < worth:
            place, worth = at + i, this
    if index < 0 or index >= NO_MOVE:
        index = NO_MOVE
    data = (value << 32) | (age << 26) | (doubts << 24) | (bound << 22) | (depth << 12) | index
    table[place] = key ^ data
    table[place + 1] = data


def is_busy(mark, mem):
    """Whether a thread is searching the move with this mark.

    Deferring such moves is what makes threads share the work (J.-C. Weill, The ABDADA distributed minimax
    search algorithm, ICCA Journal 19, 1996; in the simple form of T. Kerrigan). Races do no harm: at worst
    two threads search the same move.
    """
    return memory_at(mem[BUSY])[spread(mark, BUSY_SLOTS - 1)] == mark


def set_busy(mark, content, mem):
    """Mark a move as being searched, or remove the mark if content is 0."""
    busy = memory_at(mem[BUSY])
    busy[spread(mark, BUSY_SLOTS - 1)] = content


def data_index(data):
    return data & 4095


def data_depth(data):
    return (data >> 12) & 1023


def data_bound(data):
    return (data >> 22) & 3


def data_doubts(data):
    return (data >> 24) & 3


def data_age(data):
    return (data >> 26) & OLDEST


def data_value(data):
    return data >> 32


class Table:
    """The memory of a transposition table, aligned to cache lines and allocated on first use."""

    def __init__(self, size: int, target: Target) -> None:
        buckets = max(1, 1 << ((size // (8 * BUCKET)).bit_length() - 1))
        self._jit = target.is_compiled
        # An uncompiled search visits few positions; a large list would only take time to make.
        self.buckets = buckets if self._jit else min(buckets, 1 << 14)
        self.mask = self.buckets - 1
        self._words: Any = None
        self.busy: Any = None

    @property
    def address(self) -> Any:
        """What kernels use as the table: its address, or the list itself if uncompiled."""
        if self._words is None:
            self.clear()
        if not self._jit:
            return self._words
        return self._words.ctypes.data + int(-self._words.ctypes.data % (8 * BUCKET))

    @property
    def words(self) -> Any:
        """The entries as a row that plain Python can read during a search; None if nothing was ever stored."""
        if self._words is None or not self._jit:
            return self._words
        return self._words[(self.address - self._words.ctypes.data) // 8 :]

    def fullness(self, age: int) -> int:
        """How many of a thousand entries the search with this age has written, estimated from a sample."""
        if self._words is None:
            return 0
        first = (self.address - self._words.ctypes.data) // 8 if self._jit else 0
        buckets = min(self.buckets, 250)
        sample = self._words[first + 1 : first + buckets * BUCKET : 2]
        if self._jit:
            written = int(((sample != 0) & (data_age(sample) == age)).sum())
        else:
            written = sum(data != 0 and data_age(data) == age for data in sample)
        return 1000 * written // (buckets * (BUCKET // 2))

    def touch(self) -> None:
        """Allocate the memory now: the system provides pages on first access, which can be slow."""
        if self._jit and self._words is None:
            self.clear()  # reserves addresses
            self.clear()  # writes, and so allocates pages

    def clear(self) -> None:
        if self._jit and self._words is not None:
            # In place: new memory would be allocated page by page during the next search.
            self.busy[:] = 0
            self._words[:] = 0
        elif self._jit:
            # One extra bucket, so that the first can begin on a cache line.
            megabytes = 8 * BUCKET * self.buckets / 2**20
            complaint = f"not enough memory for a table of {megabytes:g} MB: choose a smaller hash size"
            self.busy, self._words = zeros(BUSY_SLOTS, complaint), zeros((self.buckets + 1) * BUCKET, complaint)
        else:
            self._words = [0] * (self.buckets * BUCKET)
