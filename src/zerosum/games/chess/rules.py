"""The start and the end of a game of chess, and its result."""

from __future__ import annotations

from zerosum.games.chess.attacks import in_check
from zerosum.games.chess.play import complete
from zerosum.games.chess.position import DARK, EMPTY, WHITE, Position
from zerosum.games.chess.tables import Tables
from zerosum.jit.bits import popcount
from zerosum.jit.words import u64

FIFTY_MOVES = 100  # plies


def initial(t: Tables) -> Position:
    """The start position."""
    both_sides = 1 | 1 << 56
    home = Position(
        pawns=u64(0x00FF_0000_0000_FF00),
        knights=u64(0x42 * both_sides),
        bishops=u64(0x24 * both_sides),
        rooks=u64(0x81 * both_sides),
        queens=u64(0x08 * both_sides),
        kings=u64(0x10 * both_sides),
        white=u64(0x0000_0000_0000_FFFF),
        black=u64(0xFFFF_0000_0000_0000),
        turn=WHITE,
        castling=u64(0x81 * both_sides),
        en_passant=0,
        clock=0,
        number=1,
        key=EMPTY,
    )
    start: Position = complete(home, t)
    return start


def to_move(s):
    return s.turn


def key(s):
    return s.key


def is_insufficient(s):
    """Whether mate is impossible: bare kings, a single knight or bishop, or all bishops on one colour."""
    if s.pawns | s.rooks | s.queens != EMPTY:
        return False
    if s.knights != EMPTY:
        return popcount(s.knights | s.bishops) == 1
    return bool(s.bishops & DARK == EMPTY or s.bishops & ~DARK == EMPTY)


def clock(s):
    """The plies left before fifty moves by each side have passed without a capture or a pawn move."""
    return FIFTY_MOVES - s.clock


def utility(s, t):
    """A loss for the side that is mated; every other end of a game is a draw."""
    if not in_check(s, t) or is_insufficient(s):
        return 0
    return -1 if s.turn == WHITE else 1
