"""Sets of small whole numbers as rows of words, with one bit for each number."""

from __future__ import annotations

from typing import Any

from zerosum.jit.bits import signed
from zerosum.jit.words import to_u64, u64, whole
from zerosum.jit.yields import NO_FEATURE

ZERO = u64(0)


def words_for(numbers: int) -> int:
    """The number of words for a set of numbers below ``numbers``.

    >>> words_for(64), words_for(65)
    (1, 2)
    """
    return -(-numbers // 64)


def join_board(first: Any, board: Any, out: Any, at: Any, end: Any) -> Any:
    """Add the indices of a board's bits, each plus ``first``, to the set at ``out[at]``; NO_FEATURE unless all of them
    are below ``end``.

    >>> row = [0, 0]
    >>> join_board(62, 0b101, row, 0, 70), [hex(word) for word in row]
    (0, ['0x4000000000000000', '0x1'])
    >>> join_board(62, 0b101, row, 0, 64) == NO_FEATURE
    True
    """
    word: Any = to_u64(board)
    first = whole(first)
    if word == ZERO:
        return whole(0)
    room = end - first
    if first < 0 or room <= 0 or (room < 64 and word >> to_u64(room) != ZERO):
        return whole(NO_FEATURE)
    shift = first & 63
    out[at + (first >> 6)] |= signed(word << to_u64(shift))
    if shift:
        above: Any = word >> to_u64(64 - shift)
        if above != ZERO:  # otherwise the next word may not exist
            out[at + (first >> 6) + 1] |= signed(above)
    return whole(0)
