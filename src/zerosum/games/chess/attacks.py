"""Attacks. Every function here compiles; ``t`` is the game's tables, and sets of squares are bitboards."""

from __future__ import annotations

from zerosum.games.chess.position import EMPTY, FILE_A, FILE_H, WHITE
from zerosum.jit.bits import bits, lowest_bit, signed
from zerosum.jit.words import to_u64, u64


def bishop_attacks(square, occupied, t):
    """The squares that a bishop on ``square`` attacks, including blocking pieces of either colour."""
    at = u64(square)
    blockers = signed(occupied & t.finders[0, at, 0])
    # Signed, because Python integers multiply without the overflow warnings of NumPy integers.
    place = to_u64(signed(blockers * signed(t.finders[0, at, 1]))) >> t.finders[0, at, 2]
    return t.slides[place + t.finders[0, at, 3]]


def rook_attacks(square, occupied, t):
    at = u64(square)
    blockers = signed(occupied & t.finders[1, at, 0])
    place = to_u64(signed(blockers * signed(t.finders[1, at, 1]))) >> t.finders[1, at, 2]
    return t.slides[place + t.finders[1, at, 3]]


def queen_attacks(square, occupied, t):
    return bishop_attacks(square, occupied, t) | rook_attacks(square, occupied, t)


def pawn_attacks(pawns, colour):
    """The squares that these pawns of one colour attack."""
    if colour == WHITE:
        return (pawns & ~FILE_H) << u64(9) | (pawns & ~FILE_A) << u64(7)
    return (pawns & ~FILE_H) >> u64(7) | (pawns & ~FILE_A) >> u64(9)


def own_and_other(s):
    """The pieces of the side to move, and the opponent's."""
    return (s.white, s.black) if s.turn == WHITE else (s.black, s.white)


def attackers_to(s, square, occupied, t):
    """The pieces of both colours that attack ``square``, with ``occupied`` as the blocking pieces."""
    at = u64(square)
    found = t.knight[at] & s.knights | t.king[at] & s.kings
    found |= s.pawns & (t.pawn[1, at] & s.white | t.pawn[0, at] & s.black)
    found |= bishop_attacks(square, occupied, t) & (s.bishops | s.queens)
    return found | rook_attacks(square, occupied, t) & (s.rooks | s.queens)


def is_attacked(s, square, occupied, other, t):
    """Whether ``other``, the pieces of the side that is not to move, attack ``square``."""
    at = u64(square)
    found = t.knight[at] & s.knights | t.king[at] & s.kings | t.pawn[u64(s.turn), at] & s.pawns
    found |= bishop_attacks(square, occupied, t) & (s.bishops | s.queens)
    found |= rook_attacks(square, occupied, t) & (s.rooks | s.queens)
    return found & other != EMPTY


def checkers_and_pinned(s, t):
    """The pieces that give check to the side to move, and its own pieces that are pinned to the king."""
    own, other = own_and_other(s)
    occupied = s.white | s.black
    king = u64(lowest_bit(s.kings & own))
    checkers = (t.knight[king] & s.knights | t.pawn[u64(s.turn), king] & s.pawns) & other
    pinned = EMPTY
    straight = (t.lines[king, 0] | t.lines[king, 1]) & (s.rooks | s.queens)
    diagonal = (t.lines[king, 2] | t.lines[king, 3]) & (s.bishops | s.queens)
    for slider in bits((straight | diagonal) & other):
        between = t.between[king, u64(slider)] & occupied
        if between == EMPTY:
            checkers |= u64(1) << u64(slider)
        elif between & (between - u64(1)) == EMPTY:
            pinned |= between & own
    return checkers, pinned


def checkers(s, t):
    """The pieces that give check to the side to move."""
    own, other = own_and_other(s)
    occupied = s.white | s.black
    square = lowest_bit(s.kings & own)
    king = u64(square)
    found = t.knight[king] & s.knights | t.pawn[u64(s.turn), king] & s.pawns
    found |= bishop_attacks(square, occupied, t) & (s.bishops | s.queens)
    return (found | rook_attacks(square, occupied, t) & (s.rooks | s.queens)) & other


def in_check(s, t):
    """Whether the side to move is in check."""
    return bool(checkers(s, t) != EMPTY)
