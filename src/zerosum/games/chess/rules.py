"""When a game of chess is over, and who has won."""

from __future__ import annotations

from zerosum.games.chess.attacks import attackers_to, checkers_and_pinned, in_check, is_attacked, own_and_other
from zerosum.games.chess.generate import double_pushes, pushes
from zerosum.games.chess.play import complete
from zerosum.games.chess.position import DARK, EMPTY, ONE, WHITE, Position
from zerosum.games.chess.tables import Tables
from zerosum.jit.bits import bits, lowest_bit, popcount
from zerosum.jit.words import u64

FIFTY_MOVES = 100  # plies


def initial(t: Tables) -> Position:
    """All pieces at home."""
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
        mg=0,
        eg=0,
        phase=0,
    )
    start: Position = complete(home, t)
    return start


def to_move(s):
    return s.turn


def key(s):
    return s.key


def is_insufficient(s):
    """Whether no moves at all can lead to a mate: bare kings, one knight or bishop, or bishops all on one colour."""
    if s.pawns | s.rooks | s.queens != EMPTY:
        return False
    if s.knights != EMPTY:
        return popcount(s.knights | s.bishops) == 1
    return bool(s.bishops & DARK == EMPTY or s.bishops & ~DARK == EMPTY)


def is_terminal(s, t):
    """Draws for want of material or by fifty moves; a mate on the hundredth ply still wins.

    Mate and stalemate have no moves, and need not be told here.
    """
    return is_insufficient(s) or (s.clock >= FIFTY_MOVES and not is_mate_at_the_last(s, t))


def is_mate_at_the_last(s, t):
    """Whether the side to move is mated. Asked once the fifty moves are over, hardly ever; so it may take its time."""
    return in_check(s, t) and not can_answer_check(s, t)


def can_answer_check(s, t):
    """Whether there is a move out of check: a test, not a list, because ``is_terminal`` is compiled everywhere."""
    own, other = own_and_other(s)
    occupied = s.white | s.black
    king = lowest_bit(s.kings & own)
    for square in bits(t.king[u64(king)] & ~own):
        if not is_attacked(s, square, occupied ^ ONE << u64(king), other, t):
            return True
    checkers, pinned = checkers_and_pinned(s, t)
    if popcount(checkers) > 1:
        return False
    if s.en_passant != 0:  # set only where the capture is legal, and a legal move ends the check
        return True
    between = t.between[u64(king), u64(lowest_bit(checkers))]
    once = pushes(s, king, pinned, t)
    if (once | double_pushes(s, once)) & between != EMPTY:
        return True
    # Pawns step between but do not capture there.
    helpers = own & ~pinned & ~s.kings
    for square in bits(between):
        if attackers_to(s, square, occupied, t) & helpers & ~s.pawns != EMPTY:
            return True
    return bool(attackers_to(s, lowest_bit(checkers), occupied, t) & helpers != EMPTY)


def utility(s, t):
    """Who is mated has lost; all else that ends a game is a draw."""
    if not in_check(s, t) or is_insufficient(s) or (s.clock >= FIFTY_MOVES and can_answer_check(s, t)):
        return 0
    return -1 if s.turn == WHITE else 1
