"""Functions that kernels and rules are built from; each works the same plain (here) and compiled (``intrinsics``).

They are separate from ``bits`` because NumPy is slow to import.
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
"""The length of a scratch row, which a rule may use while it runs."""

LANES = 16
"""The number of items processed at once: the lengths of such rows are multiples of it."""

CLIP, SMALL = 255, 127
"""The largest number after clipping in ``clipped_squares``, and its largest weight: their product fits in 16 bits."""


def whole(x: Any) -> int:
    """An integer as a signed word; anything else is a TypeError, in compiled code a typing error."""
    kind = type(x)
    if kind is int:
        return x  # type: ignore[no-any-return]
    if kind.__name__ in ("bool", "bool_"):  # u64 comparisons return NumPy's bool, which has no __index__, or warns
        return int(x)
    return operator.index(x)


def to_u64(x: Any) -> u64:
    """An integer's low 64 bits as an unsigned word."""
    return u64(x.__index__() & WORD)


def floating(x: Any) -> float:
    """Any number as a float64."""
    return float(x)


def float_word(x: Any) -> int:
    """The bits of a float64 as a signed word: how fractions are stored in memory.

    >>> float_word(0.5) == 0x3FE << 52, word_float(float_word(-0.1))
    (True, -0.1)
    """
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def word_float(word: Any) -> float:
    """The float64 whose bits are in a word."""
    return float(struct.unpack("<d", struct.pack("<q", word))[0])


def drop_lowest(board: Any) -> int:
    """The board without its lowest set bit."""
    word = int(board) & WORD
    return word & (word - 1)


def memory_at(address: Any) -> Any:
    """The row of words at an address; in plain mode the address is the row itself."""
    return address


def floats_at(address: Any) -> Any:
    """The row of float32 numbers at an address; in plain mode the address is the row itself."""
    return address


def floats_of(array: Any) -> Any:
    """A float32 array of the tables as one row, read without bounds checks."""
    return array.reshape(-1)


def scratch() -> Any:
    """A scratch row of ``SCRATCH`` float32 numbers, not cleared, valid until the rule returns."""
    import numpy as np

    return np.zeros(SCRATCH, np.float32)


def scratch_words() -> Any:
    """A scratch row of ``SCRATCH`` words, not cleared, valid until the rule returns."""
    return [0] * SCRATCH


def scratch_shorts() -> Any:
    """A scratch row of ``SCRATCH`` 16-bit numbers, not cleared, valid until the rule returns."""
    import numpy as np

    return np.zeros(SCRATCH, np.int16)


def shorts_of(array: Any) -> Any:
    """An int16 array of the tables as one row, read without bounds checks."""
    return array.reshape(-1)


def shorts_in(row: Any, at: Any) -> Any:
    """The 16-bit numbers in a row of words, from ``at`` on. Compiled only: a plain row is a list of integers."""
    raise NotImplementedError("a plain row holds Python integers, which have no 16-bit parts")


def move_row(out: Any, to: Any, base: Any, at: Any, weights: Any, plus: Any, minus: Any, count: Any) -> None:
    """Write ``count`` numbers of ``base`` plus a row of ``weights``, minus another, to ``out``. All have 16 bits.

    Here and in the functions below each row is followed by its first index, and ``count`` is a multiple of ``LANES``.
    """
    rows = weights[plus : plus + count] - weights[minus : minus + count]
    out[to : to + count] = base[at : at + count] + rows


def add_row(out: Any, to: Any, base: Any, at: Any, weights: Any, plus: Any, count: Any) -> None:
    """Write ``count`` numbers of ``base`` plus a row of ``weights`` to ``out``."""
    out[to : to + count] = base[at : at + count] + weights[plus : plus + count]


def drop_row(out: Any, to: Any, base: Any, at: Any, weights: Any, minus: Any, count: Any) -> None:
    """Write ``count`` numbers of ``base`` minus a row of ``weights`` to ``out``."""
    out[to : to + count] = base[at : at + count] - weights[minus : minus + count]


def clipped_squares(row: Any, at: Any, weights: Any, first: Any, count: Any) -> int:
    """The sum over ``count`` numbers of their square times a weight, each number first clipped to 0 … ``CLIP``.

    Weights are within ±``SMALL``, so that a number times its weight fits in 16 bits; the sum must fit in 32.

    >>> import numpy as np
    >>> row, weights = np.array([-5, 3, 999, 0] * 4, np.int16), np.full(16, 2, np.int16)
    >>> clipped_squares(row, 0, weights, 0, 16) == 4 * 2 * (3 * 3 + 255 * 255)
    True
    """
    import numpy as np

    clipped = np.clip(row[at : at + count].astype(np.int64), 0, CLIP)
    return int(clipped * clipped @ weights[first : first + count].astype(np.int64))


def differing(one: Any, first: Any, other: Any, second: Any) -> int:
    """A bit for each of ``LANES`` numbers, from ``first`` on, that differs from another row's, from ``second`` on.

    >>> import numpy as np
    >>> row = np.arange(32, dtype=np.float32)
    >>> differing(row, 0, row, 0), differing(row, 0, np.where(row == 3, 0, row), 0)
    (0, 8)
    """
    pairs = zip(one[first : first + LANES], other[second : second + LANES], strict=True)
    return sum(1 << i for i, (x, y) in enumerate(pairs) if x != y)


def add_shared(row: Any, at: Any, value: Any) -> int:
    """Add to a word that other threads add to as well; the value before.

    >>> row = [5]
    >>> add_shared(row, 0, 3), row
    (5, [8])
    """
    before = row[at]
    row[at] = before + value
    return int(before)


def reserve(row: Any, at: Any, count: Any) -> int:
    """``add_shared`` for reserving places in a row that all threads share: fewer than 65,536 places per call.

    Threads of a graphics card that arrive here together reserve their places with one addition.
    """
    return add_shared(row, at, count)


def add_fraction_shared(row: Any, at: Any, value: Any) -> float:
    """``add_shared`` for a word that holds the bits of a float64.

    >>> row = [float_word(0.5)]
    >>> add_fraction_shared(row, 0, 0.25), word_float(row[0])
    (0.5, 0.75)
    """
    before = word_float(row[at])
    row[at] = float_word(before + value)
    return before


def or_shared(row: Any, at: Any, value: Any) -> int:
    """Set bits of a word in which other threads set bits as well; the value before.

    >>> row = [4]
    >>> or_shared(row, 0, 6), row
    (4, [6])
    """
    before = row[at]
    row[at] = before | value
    return int(before)


def prefetch(row: Any, at: Any) -> int:
    """Load a word that will be read soon into the cache, while other work continues; returns 0."""
    return 0


class Tagged(NamedTuple):
    """A row for moves that sets the same extra bits in each move.

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
    """A key as an index from 0 to ``mask``, by Fibonacci hashing, so that keys do not have to be random.

    The multiplier is 2**64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
    """
    return ((int(key) * 0x9E3779B97F4A7C15 & WORD) >> 24) & int(mask)
