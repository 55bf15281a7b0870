"""The hand-written evaluation: material, placement, mobility, threats.

>>> from zerosum.games.checkers import checkers
>>> game = checkers()
>>> ahead = game.parse_state("B:WK18:BK10,K11")
>>> game.evaluate(ahead) > 100
True
"""

from __future__ import annotations

from zerosum.game import MAX
from zerosum.games.checkers.position import BOARD, board_of, captures_of
from zerosum.games.checkers.weights import (
    BRIDGE,
    CORNER_KING,
    HANGING,
    KING,
    MAN,
    MIDDLE_KING,
    MIDDLE_MAN,
    OPPOSITION,
    ROW_1,
    RUNAWAY,
    SHARE,
    SIDE_KING,
    SIDE_MAN,
    STEP,
    STUCK,
    STUCK_KING,
    TEMPO,
)
from zerosum.jit.bits import popcount

MIDDLE = board_of([10, 11, 14, 15, 18, 19, 22, 23])
SIDE = board_of([5, 12, 13, 20, 21, 28, 4, 29])
DOUBLE_CORNERS = board_of([1, 5, 28, 32])
BLACK_BRIDGE, WHITE_BRIDGE = board_of([1, 3]), board_of([30, 32])
# Every other row: the parity of the number of pieces there determines who has the move.
ODD_ROWS = board_of(square for square in range(1, 33) if (square - 1) // 4 % 2)
# The rows from the top, Black's side, and from the bottom.
FROM_TOP = [board_of(range(4 * row + 1, 4 * row + 5)) for row in range(7)]
FROM_BOTTOM = [board_of(range(29 - 4 * row, 33 - 4 * row)) for row in range(7)]
FULL = 24  # pieces at the start
SHARE_UNIT = 4  # for each piece ahead, as a share of all pieces


def cone_up(board):
    """The pieces of a board and all squares ahead of them, moving up."""
    for _ in range(7):
        board |= (board >> 4 | board >> 5) & BOARD
    return board


def cone_down(board):
    """The pieces of a board and all squares ahead of them, moving down."""
    for _ in range(7):
        board |= (board << 4 | board << 5) & BOARD
    return board


def steps_of(down, up, empty):
    """The number of steps for pieces that may go down and pieces that may go up, and which of them can move."""
    number = popcount(down & empty >> 4) + popcount(down & empty >> 5)
    number += popcount(up & empty << 4) + popcount(up & empty << 5)
    return number, down & (empty >> 4 | empty >> 5) | up & (empty << 4 | empty << 5)


def jumped(down, up, prey, empty):
    """The pieces of ``prey`` that can be jumped, by pieces that may go down and pieces that may go up."""
    found = down << 4 & empty >> 4 | down << 5 & empty >> 5 | up >> 4 & empty << 4 | up >> 5 & empty << 5
    return found & prey


def worth(feature, pieces, t):
    """The weight of a feature with this many pieces on the board, times FULL, in hundredths of a man."""
    return t.weights[feature, 0] * pieces + t.weights[feature, 1] * (FULL - pieces)


def evaluate(s, t):
    """The evaluation in hundredths of a man, for MAX (Black)."""
    black_men, black_kings = s.black & ~s.kings, s.black & s.kings
    white_men, white_kings = s.white & ~s.kings, s.white & s.kings
    empty = BOARD & ~(s.black | s.white)
    pieces = max(1, popcount(s.black | s.white))
    lead = popcount(s.black) - popcount(s.white)

    # Material and placement
    value = (popcount(black_men) - popcount(white_men)) * worth(MAN, pieces, t)
    value += (popcount(black_kings) - popcount(white_kings)) * worth(KING, pieces, t)
    for row in range(7):
        number = popcount(black_men & FROM_TOP[row]) - popcount(white_men & FROM_BOTTOM[row])
        value += number * worth(ROW_1 + row, pieces, t)
    value += (popcount(black_men & MIDDLE) - popcount(white_men & MIDDLE)) * worth(MIDDLE_MAN, pieces, t)
    value += (popcount(black_men & SIDE) - popcount(white_men & SIDE)) * worth(SIDE_MAN, pieces, t)
    if s.kings != 0:
        value += (popcount(black_kings & MIDDLE) - popcount(white_kings & MIDDLE)) * worth(MIDDLE_KING, pieces, t)
        value += (popcount(black_kings & SIDE) - popcount(white_kings & SIDE)) * worth(SIDE_KING, pieces, t)
        corners = popcount(black_kings & DOUBLE_CORNERS) - popcount(white_kings & DOUBLE_CORNERS)
        value += corners * worth(CORNER_KING, pieces, t)
    if black_men & BLACK_BRIDGE == BLACK_BRIDGE:
        value += worth(BRIDGE, pieces, t)
    if white_men & WHITE_BRIDGE == WHITE_BRIDGE:
        value -= worth(BRIDGE, pieces, t)
    free = popcount(black_men & ~cone_up(s.white)) - popcount(white_men & ~cone_down(s.black))
    value += free * worth(RUNAWAY, pieces, t)

    # Mobility, and pieces that can be captured
    black_steps, black_movers = steps_of(s.black, black_kings, empty)
    white_steps, white_movers = steps_of(white_kings, s.white, empty)
    value += (black_steps - white_steps) * worth(STEP, pieces, t)
    black_stuck, white_stuck = s.black & ~black_movers, s.white & ~white_movers
    value += (popcount(black_stuck) - popcount(white_stuck)) * worth(STUCK, pieces, t)
    value += (popcount(black_stuck & s.kings) - popcount(white_stuck & s.kings)) * worth(STUCK_KING, pieces, t)
    hanging = popcount(jumped(white_kings, s.white, s.black, empty))
    hanging -= popcount(jumped(s.black, black_kings, s.white, empty))
    value += hanging * worth(HANGING, pieces, t)

    # The side to move
    sign = 1 if s.turn == MAX else -1
    value += sign * worth(TEMPO, pieces, t)
    if lead == 0:
        has_the_move = popcount((s.black | s.white) & ODD_ROWS) & 1
        value += (sign if has_the_move else -sign) * worth(OPPOSITION, pieces, t)

    # Scaled by the number of pieces, because a lead counts in proportion to it.
    value = value * pieces + lead * SHARE_UNIT * worth(SHARE, pieces, t)
    unit = FULL * pieces
    # Round towards zero, so that the evaluation is symmetric in the colours.
    return int(value // unit if value >= 0 else -(-value // unit))


def order(s, move):
    """Jumps that capture the most first; quiet moves are ordered by the search's own heuristics."""
    return captures_of(move)
