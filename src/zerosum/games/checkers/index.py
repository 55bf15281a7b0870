"""Every position with few pieces as a number: the index of checkers' endgame databases.

Positions come in tiers. Of the two sides of a position one is *first*: the one with fewer men, else with fewer kings,
else with the less advanced men; if all of this is equal, the side to move. A tier holds the positions with the same
number of men and kings on each side (first side before second), and the same row of the most advanced man of each; both
those with the first side to move, which come in front, and those with the second. The board is turned so that the first
side moves down, so Black and White are alike: a slot stands for a position and for the same one with colours changed,
and what a database says of it is for the side to move.

A capture leaves fewer pieces, a crowning fewer men, and a man's step advances men and nothing takes that back: so moves
lead to the same tier or to an earlier one, where tiers are in the order of pieces, then of men, then of how far men
still have to go. There are no holes: every number below a tier's size is a position of it.

Within a tier the number is written with the combinatorial number system (a set of squares a < b < c is worth
C(a, 1) + C(b, 2) + C(c, 3)), in four places: men of the first side, men of the second on squares that are free, kings
of the first and of the second side on the squares that are left. How many places the second side's men can have depends
on where the first side's are, so a table has the sum of these for all arrangements before each; that is why the side
with fewer men comes first.

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
"""The tables of the index are made for this number. Eight pieces would be 444 billion positions."""

ROWS = 7  # on which men can stand, counted from their own side: not on the last, where they are crowned
SIZES = MOST_PIECES + 1


class Index(NamedTuple):
    """The numbers of the index, part of the game's tables."""

    choose: npt.NDArray[np.int64]  # [n, k]: how many sets of k out of n
    first_tier: npt.NDArray[
        np.int64
    ]  # [men, kings, men, kings] of first and second side: the tier with no men left to go
    advance: npt.NDArray[np.int64]  # [men, men, whether the sides are alike, row, row]: how many tiers on from there
    tier: npt.NDArray[np.int64]  # [tier]: men, kings, men, kings, row, row, as above
    row: npt.NDArray[np.int64]  # [men, men, row, row]: where in ``starts`` the sums begin
    starts: npt.NDArray[
        np.int64
    ]  # how the second side's men can stand, for all arrangements of the first's before this


class Tier(NamedTuple):
    """What the positions of a tier have in common."""

    men: int
    kings: int
    other_men: int
    other_kings: int
    row: int
    other_row: int

    @property
    def name(self) -> str:
        """Kings and men of both sides; behind the men, the row of the foremost, counted from 1 on their own side.

        >>> Tier(1, 2, 2, 0, 3, 5).name
        '2k+1m4-2m6'
        """
        return f"{_side(self.men, self.kings, self.row)}-{_side(self.other_men, self.other_kings, self.other_row)}"


def _side(men: int, kings: int, row: int) -> str:
    parts = ([f"{kings}k"] if kings else []) + ([f"{men}m{row + 1}"] if men else [])
    return "+".join(parts) or "0"


def all_tiers(pieces: int) -> Iterator[Tier]:
    """The tiers with up to this many pieces, in their order."""
    for total in range(1, pieces + 1):
        for men in range(total + 1):
            for first, second in _materials(total, men):
                for row, other_row in _rows(first[0], second[0], first == second):
                    yield Tier(*first, *second, row, other_row)


def _materials(total: int, men: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Men and kings of both sides, the first side being the one with fewer men, or kings."""
    for first_men in range(men // 2 + 1):
        for first_kings in range(total - men + 1):
            first, second = (first_men, first_kings), (men - first_men, total - men - first_kings)
            if first <= second:
                yield first, second


def _rows(men: int, other_men: int, alike: bool) -> list[tuple[int, int]]:
    """The rows of the most advanced men, nearest to crowning first."""
    pairs = [(row, other) for row in _possible_rows(men) for other in _possible_rows(other_men)]
    if alike:
        pairs = [(row, other) for row, other in pairs if row <= other]
    return sorted(pairs, key=lambda pair: (-sum(pair), pair))


def _possible_rows(men: int) -> range:
    """Which row the most advanced man can be on: with many men, not the first, where there is no room for them."""
    return range((men - 1) // 4, ROWS) if men else range(1)


def size_of(tier: Tier, index: Index) -> int:
    """How many positions a tier holds."""
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
    """All arrangements of men, the most advanced on this row, in the order of their numbers."""
    if not men:
        return np.zeros((1, 0), np.int64)
    # By the highest square, then by the next.
    found = combinations(range(4 * row + 3, -1, -1), men)
    return np.array(sorted(squares for squares in found if squares[0] >= 4 * row), np.int64)


def _starts(men: int, other_men: int, row: int, other_row: int) -> npt.NDArray[np.int64]:
    """For each arrangement of the first side's men, how often the second's can stand in all those before it."""
    sets = _sets(men, row)
    ways = np.ones(len(sets), np.int64)
    if other_men:
        choose = np.array([comb(n, other_men) for n in range(33)], np.int64)
        # The second side's squares with its foremost row and without it, less those that the first side's men take.
        within, before = (n - (sets >= 32 - n).sum(axis=1) for n in (4 * other_row + 4, 4 * other_row))
        ways = choose[within] - choose[before]
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(ways)])


@cache
def _sizes() -> list[tuple[int, str, int]]:
    index = make_index()
    return [(sum(tier[:4]), tier.name, size_of(tier, index)) for tier in all_tiers(MOST_PIECES)]


def tiers(n: int) -> list[tuple[str, int]]:
    """Name and size of all tiers with up to n pieces."""
    if not 1 <= n <= MOST_PIECES:
        raise LimitError(f"a database of checkers has 1 to {MOST_PIECES} pieces, not {n}")
    return [(name, size) for pieces, name, size in _sizes() if pieces <= n]


# The rest is compiled. Boards have 32 bits here, one for each square.


def packed(board):
    """The 32 squares of a board, without the bits between them."""
    return board & 0xFF | board >> 1 & 0xFF00 | board >> 2 & 0xFF_0000 | board >> 3 & 0xFF00_0000


def unpacked(squares):
    """The board of 32 squares."""
    return squares & 0xFF | (squares & 0xFF00) << 1 | (squares & 0xFF_0000) << 2 | (squares & 0xFF00_0000) << 3


def turned(board):
    """32 squares, seen from the other side."""
    board = (board >> 1 & 0x5555_5555) | (board & 0x5555_5555) << 1
    board = (board >> 2 & 0x3333_3333) | (board & 0x3333_3333) << 2
    board = (board >> 4 & 0x0F0F_0F0F) | (board & 0x0F0F_0F0F) << 4
    board = (board >> 8 & 0x00FF_00FF) | (board & 0x00FF_00FF) << 8
    return board >> 16 | (board & 0xFFFF) << 16


def lowest_row(men):
    """How far the most advanced of men that go up has come: its row, counted from the bottom; 0 without men."""
    return 7 - (lowest_bit(men) >> 2) if men != 0 else 0


def highest_row(men):
    """How far the most advanced of men that go down has come: its row, counted from the top; 0 without men."""
    row = 0
    for step in range(1, ROWS):
        if men >> 4 * step != 0:
            row = step
    return row


def is_black_first(s):
    """Whether Black is the side that the index begins with: less material, less advanced, or to move."""
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
    """Men and kings of the first side, men and kings of the second, the first going down; and whether it is to move."""
    if is_black_first(s):
        men, other_men = packed(s.black & ~s.kings), packed(s.white & ~s.kings)
        return men, packed(s.black & s.kings), other_men, packed(s.white & s.kings), s.turn
    men, other_men = turned(packed(s.white & ~s.kings)), turned(packed(s.black & ~s.kings))
    return men, turned(packed(s.white & s.kings)), other_men, turned(packed(s.black & s.kings)), 1 - s.turn


def tier(s, t):
    """The place of the position's tier; -1 if it has too many pieces."""
    if popcount(s.black | s.white) > MOST_PIECES:
        return -1
    men, kings, other_men, other_kings, _ = seen_from_first(s)
    a, b, c, d = popcount(men), popcount(kings), popcount(other_men), popcount(other_kings)
    alike = 1 if a == c and b == d else 0
    return t.first_tier[a, b, c, d] + t.advance[a, c, alike, highest_row(men), lowest_row(other_men)]


def number_of(squares, taken, t):
    """The number of a set of squares among those that are not taken."""
    number, place = 0, 1
    for square in bits(squares):
        number += t.choose[square - popcount(taken & ((1 << square) - 1)), place]
        place += 1
    return number


def rank(s, t):
    """The number of a position within its tier."""
    men, kings, other_men, other_kings, second_moves = seen_from_first(s)
    a, b, c, d = popcount(men), popcount(kings), popcount(other_men), popcount(other_kings)
    row, other_row = highest_row(men), lowest_row(other_men)
    begin = t.row[a, c, row, other_row]
    place = begin
    if a != 0:
        place += number_of(men, 0, t) - t.choose[4 * row, a]
    number = t.starts[place]
    if c != 0:
        # Squares are counted from the second side: the highest is its first.
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
    """How many positions a tier has with one side to move."""
    last = 1
    if men != 0:
        last = t.choose[4 * row + 4, men] - t.choose[4 * row, men]
    free = 32 - men - other_men
    ways = t.starts[t.row[men, other_men, row, other_row] + last]
    return ways * t.choose[free, kings] * t.choose[free - kings, other_kings]


def set_of(number, size, taken, t):
    """The set of this many squares with this index among those that are not taken."""
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
    """The position of this number in this tier, colours so that the first side is Black."""
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
    # The last arrangement of the first side's men that does not begin behind this number.
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
    """Whether the pieces can stand like this: on squares, one on each, no man where he would be a king."""
    everywhere = s.black | s.white
    men_crowned = (s.black & BOTTOM_ROW | s.white & TOP_ROW) & ~s.kings
    return s.black & s.white == 0 and s.kings & ~everywhere == 0 and everywhere & ~BOARD == 0 and men_crowned == 0
