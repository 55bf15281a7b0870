"""The index of checkers' endgame databases: a number for each position with few pieces.

Positions are grouped in tiers. One of the two sides is *first*: the one with fewer men, then with fewer kings, then
with less advanced men; if all of these are equal, the side to move. A tier contains the positions with the same numbers
of men and kings on each side (the first side, then the second) and the same row of the most advanced man of each. Those
with the first side to move come before those with the second. The board is turned so that the first side moves down, so
Black and White are interchangeable: an index stands for a position and for the same position with colours swapped, and
the value in the database is for the side to move.

A capture reduces the number of pieces and a crowning the number of men; a man's step is never undone. So moves lead to
the same tier or to an earlier one if tiers are ordered by pieces, then by men, then by how far men still have to go.
There are no gaps: every number below a tier's size is the index of a position.

Within a tier, the index uses the combinatorial number system (a set of squares a < b < c has the number
C(a, 1) + C(b, 2) + C(c, 3)), in four places: the first side's men, the second side's men on the free squares, then the
first and the second side's kings on the squares that are left. The number of places for the second side's men depends
on where the first side's men are, so a table has the sum over all earlier arrangements; to keep it small, the side with
fewer men comes first.

>>> tiers(1)
[('0-1k', 64), ('0-1m7', 8), ('0-1m6', 8), ('0-1m5', 8), ('0-1m4', 8), ('0-1m3', 8), ('0-1m2', 8), ('0-1m1', 8)]
>>> [sum(size for _, size in tiers(n)) - sum(size for _, size in tiers(n - 1)) for n in (2, 3, 4, 5)]
[6972, 261224, 7092774, 148688232]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.games.checkers.position import BOARD, BOTTOM_ROW, TOP_ROW, Position
from zerosum.jit.bits import bits, lowest_bit, popcount

MOST_PIECES = 7
"""The most pieces that the index supports. Eight pieces would be 444 billion positions."""

ROWS = 7  # rows for men, counted from their own side: on the last they are crowned
SIZES = MOST_PIECES + 1


class Index(NamedTuple):
    """The arrays of the index, part of the game's tables."""

    choose: npt.NDArray[np.int64]  # [n, k]: the number of k-subsets of n
    first_tier: npt.NDArray[
        np.int64
    ]  # [men, kings, men, kings] of the first and second side: the first tier with this material
    advance: npt.NDArray[np.int64]  # [men, men, whether the material is equal, row, row]: tiers after that one
    tier: npt.NDArray[np.int64]  # [tier]: men, kings, men, kings, row, row, as above
    row: npt.NDArray[np.int64]  # [men, men, row, row]: where in ``starts`` the sums begin
    starts: npt.NDArray[
        np.int64
    ]  # the number of arrangements of the second side's men, summed over earlier ones of the first side's


class Tier(NamedTuple):
    """The material and rows that the positions of a tier share."""

    men: int
    kings: int
    other_men: int
    other_kings: int
    row: int
    other_row: int

    @property
    def name(self) -> str:
        """Kings and men of both sides; the men are followed by the most advanced row, counted from 1 on their own side.

        >>> Tier(1, 2, 2, 0, 3, 5).name
        '2k+1m4-2m6'
        """
        return f"{_side(self.men, self.kings, self.row)}-{_side(self.other_men, self.other_kings, self.other_row)}"


def _side(men: int, kings: int, row: int) -> str:
    parts = ([f"{kings}k"] if kings else []) + ([f"{men}m{row + 1}"] if men else [])
    return "+".join(parts) or "0"


def all_tiers(pieces: int) -> Iterator[Tier]:
    """The tiers with up to this many pieces, in order."""
    for total in range(1, pieces + 1):
        for men in range(total + 1):
            for first, second in _materials(total, men):
                for row, other_row in _rows(first[0], second[0], first == second):
                    yield Tier(*first, *second, row, other_row)


def _materials(total: int, men: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Men and kings of both sides; the first side has fewer men, or equal men and no more kings."""
    for first_men in range(men // 2 + 1):
        for first_kings in range(total - men + 1):
            first, second = (first_men, first_kings), (men - first_men, total - men - first_kings)
            if first <= second:
                yield first, second


def _rows(men: int, other_men: int, alike: bool) -> list[tuple[int, int]]:
    """The rows of both sides' most advanced men, nearest to crowning first."""
    pairs = [(row, other) for row in _possible_rows(men) for other in _possible_rows(other_men)]
    if alike:
        pairs = [(row, other) for row, other in pairs if row <= other]
    return sorted(pairs, key=lambda pair: (-sum(pair), pair))


def _possible_rows(men: int) -> range:
    """The possible rows of the most advanced man: many men do not fit on the first rows."""
    return range((men - 1) // 4, ROWS) if men else range(1)


def size_of(tier: Tier, index: Index) -> int:
    """The number of positions in a tier."""
    half = int(size_of_half(*tier, index))
    alike = (tier.men, tier.kings, tier.row) == (tier.other_men, tier.other_kings, tier.other_row)
    return half if alike else 2 * half


@cache
def make_index() -> Index:
    """The tables for up to MOST_PIECES pieces."""
    known = list(all_tiers(MOST_PIECES))
    first_tier = np.full((SIZES,) * 4, -1, np.int64)
    advance = np.zeros((SIZES, SIZES, 2, ROWS, ROWS), np.int64)
    for number, tier in enumerate(known):
        at = tier[:4]
        if first_tier[at] < 0:
            first_tier[at] = number
        alike = int(at[:2] == at[2:])
        advance[tier.men, tier.other_men, alike, tier.row, tier.other_row] = number - first_tier[at]
    row = np.zeros((SIZES, SIZES, ROWS, ROWS), np.int64)
    parts: list[npt.NDArray[np.int64]] = []
    length = 0
    for men in range(SIZES // 2 + 1):
        for other_men in range(men, SIZES - men):
            for first, second in _rows(men, other_men, alike=False):
                row[men, other_men, first, second] = length
                parts.append(_starts(men, other_men, first, second))
                length += len(parts[-1])
    choose = np.array([[comb(n, k) for k in range(SIZES)] for n in range(33)], np.int64)
    return Index(choose, first_tier, advance, np.array(known, np.int64), row, np.concatenate(parts))


@cache
def _sets(men: int, row: int) -> npt.NDArray[np.int64]:
    """All arrangements of men with the most advanced on this row, ordered by their numbers."""
    if not men:
        return np.zeros((1, 0), np.int64)
    # Sort by the highest square, then by the next.
    found = combinations(range(4 * row + 3, -1, -1), men)
    return np.array(sorted(squares for squares in found if squares[0] >= 4 * row), np.int64)


def _starts(men: int, other_men: int, row: int, other_row: int) -> npt.NDArray[np.int64]:
    """For each arrangement of the first side's men, the arrangements of the second's, summed over all before it."""
    sets = _sets(men, row)
    ways = np.ones(len(sets), np.int64)
    if other_men:
        choose = np.array([comb(n, other_men) for n in range(33)], np.int64)
        # The second side's squares with and without its most advanced row, minus those taken by the first side's men.
        within, before = (n - (sets >= 32 - n).sum(axis=1) for n in (4 * other_row + 4, 4 * other_row))
        ways = choose[within] - choose[before]
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(ways)])


@cache
def _sizes() -> list[tuple[int, str, int]]:
    index = make_index()
    return [(sum(tier[:4]), tier.name, size_of(tier, index)) for tier in all_tiers(MOST_PIECES)]


def tiers(n: int) -> list[tuple[str, int]]:
    """The name and size of each tier with up to n pieces."""
    if not 1 <= n <= MOST_PIECES:
        raise LimitError(f"a database of checkers has 1 to {MOST_PIECES} pieces, not {n}")
    return [(name, size) for pieces, name, size in _sizes() if pieces <= n]


# The rest is compiled. Boards here have 32 bits, one for each square.


def packed(board):
    """The 32 squares of a board, without the bits between them."""
    return board & 0xFF | board >> 1 & 0xFF00 | board >> 2 & 0xFF_0000 | board >> 3 & 0xFF00_0000


def unpacked(squares):
    """The board with these 32 squares: the inverse of ``packed``."""
    return squares & 0xFF | (squares & 0xFF00) << 1 | (squares & 0xFF_0000) << 2 | (squares & 0xFF00_0000) << 3


def turned(board):
    """The 32 squares, seen from the other side."""
    board = (board >> 1 & 0x5555_5555) | (board & 0x5555_5555) << 1
    board = (board >> 2 & 0x3333_3333) | (board & 0x3333_3333) << 2
    board = (board >> 4 & 0x0F0F_0F0F) | (board & 0x0F0F_0F0F) << 4
    board = (board >> 8 & 0x00FF_00FF) | (board & 0x00FF_00FF) << 8
    return board >> 16 | (board & 0xFFFF) << 16


def lowest_row(men):
    """The row of the most advanced of men that move up, counted from the bottom; 0 without men."""
    return 7 - (lowest_bit(men) >> 2) if men != 0 else 0


def highest_row(men):
    """The row of the most advanced of men that move down, counted from the top; 0 without men."""
    row = 0
    for step in range(1, ROWS):
        if men >> 4 * step != 0:
            row = step
    return row


def is_black_first(s):
    """Whether Black is the first side: less material, less advanced, or to move."""
    black_men, white_men = popcount(s.black & ~s.kings), popcount(s.white & ~s.kings)
    if black_men != white_men:
        return black_men < white_men
    black_kings, white_kings = popcount(s.black & s.kings), popcount(s.white & s.kings)
    if black_kings != white_kings:
        return black_kings < white_kings
    black_row, white_row = highest_row(packed(s.black & ~s.kings)), lowest_row(packed(s.white & ~s.kings))
    if black_row != white_row:
        return black_row < white_row
    return s.turn == 0


def seen_from_first(s):
    """Men and kings of the first side, which moves down, then of the second; and 1 if the second is to move."""
    if is_black_first(s):
        men, other_men = packed(s.black & ~s.kings), packed(s.white & ~s.kings)
        return men, packed(s.black & s.kings), other_men, packed(s.white & s.kings), s.turn
    men, other_men = turned(packed(s.white & ~s.kings)), turned(packed(s.black & ~s.kings))
    return men, turned(packed(s.white & s.kings)), other_men, turned(packed(s.black & s.kings)), 1 - s.turn


def tier(s, t):
    """The index of the position's tier; -1 if it has too many pieces."""
    if popcount(s.black | s.white) > MOST_PIECES:
        return -1
    men, kings, other_men, other_kings, _ = seen_from_first(s)
    a, b, c, d = popcount(men), popcount(kings), popcount(other_men), popcount(other_kings)
    alike = 1 if a == c and b == d else 0
    return t.first_tier[a, b, c, d] + t.advance[a, c, alike, highest_row(men), lowest_row(other_men)]


def number_of(squares, taken, t):
    """The number of a set of squares among those not in ``taken``."""
    number, place = 0, 1
    for square in bits(squares):
        number += t.choose[square - popcount(taken & ((1 << square) - 1)), place]
        place += 1
    return number


def rank(s, t):
    """The index of a position within its tier."""
    men, kings, other_men, other_kings, second_moves = seen_from_first(s)
    a, b, c, d = popcount(men), popcount(kings), popcount(other_men), popcount(other_kings)
    row, other_row = highest_row(men), lowest_row(other_men)
    begin = t.row[a, c, row, other_row]
    place = begin
    if a != 0:
        place += number_of(men, 0, t) - t.choose[4 * row, a]
    number = t.starts[place]
    if c != 0:
        # Squares are counted from the second side, so the highest is its first.
        left = c
        for square in bits(other_men):
            number += t.choose[31 - square - popcount(men >> square), left]
            left -= 1
        number -= t.choose[4 * other_row - popcount(men >> 32 - 4 * other_row), c]
    free = 32 - a - c
    number = number * t.choose[free, b] + number_of(kings, men | other_men, t)
    number = number * t.choose[free - b, d] + number_of(other_kings, men | other_men | kings, t)
    if second_moves:
        number += size_of_half(a, b, c, d, row, other_row, t)
    return number


def size_of_half(men, kings, other_men, other_kings, row, other_row, t):
    """The number of positions in a tier with one side to move."""
    last = 1
    if men != 0:
        last = t.choose[4 * row + 4, men] - t.choose[4 * row, men]
    free = 32 - men - other_men
    ways = t.starts[t.row[men, other_men, row, other_row] + last]
    return ways * t.choose[free, kings] * t.choose[free - kings, other_kings]


def set_of(number, size, taken, t):
    """The set of ``size`` squares with this number, among those not in ``taken``."""
    found, place, top = 0, size, 32
    while place > 0:
        top -= 1
        while t.choose[top, place] > number:
            top -= 1
        number -= t.choose[top, place]
        square = top
        for other in bits(taken):
            if other <= square:
                square += 1
        found |= 1 << square
        place -= 1
    return found


def unrank(tier, index, t):
    """The position with this index in this tier, with Black as the first side."""
    a, b, c, d = t.tier[tier, 0], t.tier[tier, 1], t.tier[tier, 2], t.tier[tier, 3]
    row, other_row = t.tier[tier, 4], t.tier[tier, 5]
    half = size_of_half(a, b, c, d, row, other_row, t)
    turn = 0
    if index >= half:
        turn, index = 1, index - half
    free = 32 - a - c
    ways = t.choose[free - b, d]
    index, last_kings = index // ways, index % ways
    ways = t.choose[free, b]
    index, first_kings = index // ways, index % ways
    # The last arrangement of the first side's men that begins at or before this index.
    begin = t.row[a, c, row, other_row]
    low, high = begin, begin + 1
    if a != 0:
        high = begin + t.choose[4 * row + 4, a] - t.choose[4 * row, a]
    while high - low > 1:
        middle = (low + high) >> 1
        if t.starts[middle] <= index:
            low = middle
        else:
            high = middle
    men = 0
    if a != 0:
        men = set_of(low - begin + t.choose[4 * row, a], a, 0, t)
    index -= t.starts[low]
    other_men = 0
    if c != 0:
        index += t.choose[4 * other_row - popcount(men >> 32 - 4 * other_row), c]
        other_men = turned(set_of(index, c, turned(men), t))
    kings = set_of(first_kings, b, men | other_men, t)
    other_kings = set_of(last_kings, d, men | other_men | kings, t)
    return Position(
        unpacked(men | kings), unpacked(other_men | other_kings), unpacked(kings | other_kings), int(turn), 0
    )


def is_valid(s):
    """Whether the pieces are on distinct squares of the board, with no man on the row where it would be crowned."""
    everywhere = s.black | s.white
    men_crowned = (s.black & BOTTOM_ROW | s.white & TOP_ROW) & ~s.kings
    return s.black & s.white == 0 and s.kings & ~everywhere == 0 and everywhere & ~BOARD == 0 and men_crowned == 0
