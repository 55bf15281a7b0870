"""Words that kernels and rules are made of; each has one meaning plain (here) and compiled (``intrinsics``).

Apart from ``bits`` because NumPy is slow to import.
"""

from __future__ import annotations

import operator
import struct
from typing import Any, NamedTuple

from numpy import uint64 as u64

from zerosum.state import WORD

__all__ = [
    "LANES",
    "SCRATCH",
    "Tagged",
    "add_fraction_shared",
    "add_row",
    "add_shared",
    "clipped_squares",
    "differing",
    "drop_lowest",
    "drop_row",
    "float_word",
    "floating",
    "floats_at",
    "floats_of",
    "memory_at",
    "move_row",
    "or_shared",
    "prefetch",
    "reserve",
    "scratch",
    "scratch_shorts",
    "scratch_words",
    "shorts_in",
    "shorts_of",
    "spread",
    "to_u64",
    "u64",
    "whole",
    "word_float",
]

SCRATCH = 2048
"""Length of a row that a rule may work with while it runs."""

LANES = 16
"""Numbers that are worked on at once: rows of these kinds are made of whole lanes."""

CLIP, SMALL = 255, 127
"""What ``clipped_squares`` cuts numbers to, and how large its weights may be: their product has 16 bits."""


def whole(x: Any) -> int:
    """An integer as a signed word; anything else is a TypeError, in compiled code a typing error."""
    try:
        return operator.index(x)
    except TypeError:
        if type(x).__name__ in ("bool", "bool_"):  # NumPy's, which is no index, but is what u64 comparisons give
            return int(x)
        raise


def to_u64(x: Any) -> u64:
    """An integer's low 64 bits as an unsigned word."""
    return u64(x.__index__() & WORD)


def floating(x: Any) -> float:
    """Any number as a float64."""
    return float(x)


def float_word(x: Any) -> int:
    """The bits of a number as a float64, as a signed word: how numbers with fractions lie in memory.

    >>> float_word(0.5) == 0x3FE << 52, word_float(float_word(-0.1))
    (True, -0.1)
    """
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def word_float(word: Any) -> float:
    """The number whose bits a word holds."""
    return float(struct.unpack("<d", struct.pack("<q", word))[0])


def drop_lowest(board: Any) -> int:
    """The board without its lowest set bit."""
    word = int(board) & WORD
    return word & (word - 1)


def memory_at(address: Any) -> Any:
    """The row of words at an address; in plain mode the row itself stands where the address would."""
    return address


def floats_at(address: Any) -> Any:
    """The row of float32 numbers at an address; in plain mode the row itself stands where the address would."""
    return address


def floats_of(array: Any) -> Any:
    """A float32 array of the tables as one row, read without checks of its shape."""
    return array.reshape(-1)


def scratch() -> Any:
    """A row of ``SCRATCH`` float32 numbers to work with, not cleared, gone when the rule returns."""
    import numpy as np

    return np.zeros(SCRATCH, np.float32)


def scratch_words() -> Any:
    """A row of ``SCRATCH`` words to work with, not cleared, gone when the rule returns."""
    return [0] * SCRATCH


def scratch_shorts() -> Any:
    """A row of ``SCRATCH`` numbers of 16 bits to work with, not cleared, gone when the rule returns."""
    import numpy as np

    return np.zeros(SCRATCH, np.int16)


def shorts_of(array: Any) -> Any:
    """An int16 array of the tables as one row, read without checks of its shape."""
    return array.reshape(-1)


def shorts_in(row: Any, at: Any) -> Any:
    """The numbers of 16 bits that lie in a row of words from ``at`` on. Compiled only: plain rows have no bits."""
    raise NotImplementedError("a plain row holds whole numbers, which have no 16-bit parts")


def move_row(out: Any, to: Any, base: Any, at: Any, weights: Any, plus: Any, minus: Any, count: Any) -> None:
    """``count`` numbers of ``base``, a row of ``weights`` added, another subtracted. All are of 16 bits.

    Here and in the functions below each row is followed by where it begins, and ``count`` is a multiple of ``LANES``.
    """
    rows = weights[plus : plus + count] - weights[minus : minus + count]
    out[to : to + count] = base[at : at + count] + rows


def add_row(out: Any, to: Any, base: Any, at: Any, weights: Any, plus: Any, count: Any) -> None:
    """``count`` numbers of ``base`` and a row of ``weights``."""
    out[to : to + count] = base[at : at + count] + weights[plus : plus + count]


def drop_row(out: Any, to: Any, base: Any, at: Any, weights: Any, minus: Any, count: Any) -> None:
    """``count`` numbers of ``base`` less a row of ``weights``."""
    out[to : to + count] = base[at : at + count] - weights[minus : minus + count]


def clipped_squares(row: Any, at: Any, weights: Any, first: Any, count: Any) -> int:
    """The sum over ``count`` numbers of their square times a weight, each number cut to 0 … ``CLIP`` first.

    Weights lie in ±``SMALL``, so that a number times its weight has 16 bits; the sum must have 32.

    >>> import numpy as np
    >>> row, weights = np.array([-5, 3, 999, 0] * 4, np.int16), np.full(16, 2, np.int16)
    >>> clipped_squares(row, 0, weights, 0, 16) == 4 * 2 * (3 * 3 + 255 * 255)
    True
    """
    import numpy as np

    clipped = np.clip(row[at : at + count].astype(np.int64), 0, CLIP)
    return int(clipped * clipped @ weights[first : first + count].astype(np.int64))


def differing(one: Any, first: Any, other: Any, second: Any) -> int:
    """Which of ``LANES`` numbers in a row, from ``first`` on, are not those of another from ``second`` on: a bit each.

    >>> import numpy as np
    >>> row = np.arange(32, dtype=np.float32)
    >>> differing(row, 0, row, 0), differing(row, 0, np.where(row == 3, 0, row), 0)
    (0, 8)
    """
    pairs = zip(one[first : first + LANES], other[second : second + LANES], strict=True)
    return sum(1 << i for i, (x, y) in enumerate(pairs) if x != y)


def add_shared(row: Any, at: Any, value: Any) -> int:
    """Add to a word that other threads add to as well; what it was before.

    >>> row = [5]
    >>> add_shared(row, 0, 3), row
    (5, [8])
    """
    before = row[at]
    row[at] = before + value
    return int(before)


def reserve(row: Any, at: Any, count: Any) -> int:
    """As ``add_shared``, for rooms in one row that all threads ask for: less than 65,536 places for each.

    Threads of a graphics card that come here together ask once for all of them.
    """
    return add_shared(row, at, count)


def add_fraction_shared(row: Any, at: Any, value: Any) -> float:
    """As ``add_shared``, for a word that holds the bits of a float64.

    >>> row = [float_word(0.5)]
    >>> add_fraction_shared(row, 0, 0.25), word_float(row[0])
    (0.5, 0.75)
    """
    before = word_float(row[at])
    row[at] = float_word(before + value)
    return before


def or_shared(row: Any, at: Any, value: Any) -> int:
    """Set bits of a word in which other threads set bits as well; what it was before.

    >>> row = [4]
    >>> or_shared(row, 0, 6), row
    (4, [6])
    """
    before = row[at]
    row[at] = before | value
    return int(before)


def prefetch(row: Any, at: Any) -> int:
    """Let a word come nearer that will be read soon: memory is slow, and other things can be done meanwhile. 0."""
    return 0


class Tagged(NamedTuple):
    """A row for moves in which each gets the same bits beside its own.

    >>> row = [0, 0]
    >>> Tagged(row, 64)[1] = 5
    >>> row
    [0, 69]
    """

    row: Any
    tag: int

    def __setitem__(self, at: Any, move: Any) -> None:
        self.row[at] = move | self.tag


def spread(key: Any, mask: Any) -> int:
    """A key as an index from 0 to ``mask``: Fibonacci hashing, so that keys need not be random.

    The multiplier is 2**64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
    """
    return ((int(key) * 0x9E3779B97F4A7C15 & WORD) >> 24) & int(mask)
