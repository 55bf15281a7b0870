"""The State of checkers, and the numbering of squares.

The 32 dark squares are numbered row by row, as in every draughts book: 1 to 4 on Black's back row, 29 to 32 on
White's. On a bitboard, one bit after every eight squares is unused, as in Samuel's program ("Some studies in machine
learning using the game of checkers", 1959). So a step is a shift by 4 or 5 bits from every square, and a step over the
edge of the board lands on an unused bit.

>>> bit_of(1), bit_of(8), bit_of(9), bit_of(32)
(0, 7, 9, 34)
>>> [square_of(bit_of(22) + shift) for shift in (4, 5, -4, -5)]
[25, 26, 18, 17]
>>> squares_of(board_of([3, 14, 27]))
[3, 14, 27]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from zerosum.game import MAX
from zerosum.jit.bits import bits

BLACK, WHITE = 0, 1
"""Black moves first and is MAX; Black's men move down, towards higher numbers."""

SQUARES = 32


class Position(NamedTuple):
    black: int  # all of Black's pieces
    white: int
    kings: int  # of both sides
    turn: int  # BLACK or WHITE
    clock: int  # plies since a capture or a man's move


def bit_of(square: int) -> int:
    """The bit of a square, 1 to 32, on a bitboard."""
    return square - 1 + (square - 1) // 8


def square_of(bit: int) -> int:
    """The number, 1 to 32, of the square of a bit."""
    return bit - bit // 9 + 1


def board_of(squares: Iterable[int]) -> int:
    """The bitboard of these squares."""
    return sum(1 << bit_of(square) for square in squares)


def squares_of(board: int) -> list[int]:
    """The numbers of the squares on a bitboard, lowest first."""
    return [square_of(bit) for bit in bits(board)]


BOARD = board_of(range(1, 33))
TOP_ROW, BOTTOM_ROW = board_of(range(1, 5)), board_of(range(29, 33))
CROWN_ROWS = TOP_ROW | BOTTOM_ROW
START = Position(board_of(range(1, 13)), board_of(range(21, 33)), 0, BLACK, 0)

# A move is an int: the bit of its start square, the number of pieces it captures, and the direction of each jump in
# order, or of the single step. So two ways of jumping are two moves, even if they end the same way.
LENGTH, PATH = 6, 10
DOWN_4, DOWN_5, UP_4, UP_5 = range(4)
SHIFTS = (4, 5, -4, -5)


def start_of(move):
    """The bit of the start square of a move."""
    return move & 63


def captures_of(move):
    """The number of pieces that a move captures."""
    return move >> LENGTH & 15


def own_and_other(s):
    """The pieces of the side to move, and the opponent's."""
    if s.turn == MAX:
        return s.black, s.white
    return s.white, s.black


def way(move: int) -> list[int]:
    """The bits of the squares that a move touches, from first to last.

    >>> from zerosum.games.checkers import checkers
    >>> game = checkers()
    >>> s = game.parse_state("B:W18,26:BK15")
    >>> [square_of(bit) for bit in way(game.parse_move(s, "15x31"))]
    [15, 22, 31]
    """
    places = [start_of(move)]
    stride = 2 if captures_of(move) else 1
    for number in range(max(1, captures_of(move))):
        places.append(places[-1] + stride * SHIFTS[move >> PATH + 2 * number & 3])
    return places
