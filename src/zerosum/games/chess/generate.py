"""Legal moves, and nothing but: no move is tried and taken back.

A piece that is pinned stays on the line to its king; in check, moves go to where they end it; the king goes where
nothing attacks. Only a capture en passant, which takes two pieces from one rank, is looked at as it would be after.
Pawns move all at once, by shifts. Loops that do nothing but yield cost no loop when moves are only counted.
"""

from __future__ import annotations

from zerosum.games.chess.attacks import (
    bishop_attacks,
    checkers_and_pinned,
    is_attacked,
    own_and_other,
    queen_attacks,
    rook_attacks,
)
from zerosum.games.chess.position import (
    BACK_RANKS,
    BISHOP,
    CASTLING,
    DOUBLE,
    EMPTY,
    EN_PASSANT,
    FILE_A,
    FILE_H,
    KING,
    KNIGHT,
    ONE,
    PAWN,
    QUEEN,
    RANK_3,
    RANK_6,
    ROOK,
    WHITE,
    piece_at,
)
from zerosum.jit.bits import bits, lowest_bit, popcount
from zerosum.jit.words import u64

EVERYWHERE = ~EMPTY


def moves(s, t):
    """All legal moves."""
    own, _ = own_and_other(s)
    king = lowest_bit(s.kings & own)
    checkers, pinned = checkers_and_pinned(s, t)
    yield from king_moves(s, king, ~own, t)
    if popcount(checkers) < 2:  # from two checks only the king can flee
        targets = ~own
        if checkers:
            targets = checkers | t.between[u64(king), u64(lowest_bit(checkers))]
        else:
            yield from castlings(s, king, t)
        yield from piece_moves(s, king, pinned, targets, t)
        yield from pawn_moves(s, king, pinned, targets, t)
        yield from pawn_captures(s, king, pinned, targets, t)
        if s.en_passant:
            yield from en_passant_captures(s, king, t)


def noisy_moves(s, t):
    """Captures, and pawns that become queens. In check, those of them that end it."""
    own, other = own_and_other(s)
    king = lowest_bit(s.kings & own)
    checkers, pinned = checkers_and_pinned(s, t)
    yield from king_moves(s, king, other, t)
    if popcount(checkers) < 2:
        targets = EVERYWHERE
        if checkers:
            targets = checkers | t.between[u64(king), u64(lowest_bit(checkers))]
        yield from piece_moves(s, king, pinned, targets & other, t)
        yield from noisy_pawn_moves(s, king, pinned, targets, t)
        if s.en_passant:
            yield from en_passant_captures(s, king, t)


def king_moves(s, king, targets, t):
    """Steps of the king, which must not be seen to flee along the line of a check: it is taken off the board."""
    _, other = own_and_other(s)
    without = (s.white | s.black) ^ ONE << u64(king)
    for to in bits(t.king[u64(king)] & targets):
        if not is_attacked(s, to, without, other, t):
            yield king | to << 6 | KING << 12 | piece_at(s, to) << 15


def castlings(s, king, t):
    """Castling, out of no check. The rook may stand anywhere on its side, as in Fischer's chess."""
    own, other = own_and_other(s)
    for rook in bits(s.castling & own):
        row = king & 56
        king_to = row | 6 if rook > king else row | 2
        rook_to = row | 5 if rook > king else row | 3
        king_way = t.between[u64(king), u64(king_to)] | ONE << u64(king_to)
        rook_way = t.between[u64(rook), u64(rook_to)] | ONE << u64(rook_to)
        others = (s.white | s.black) ^ (ONE << u64(king) | ONE << u64(rook))
        if (king_way | rook_way) & others == EMPTY:
            safe = True
            for square in bits(king_way):
                if is_attacked(s, square, others, other, t):
                    safe = False
            if safe:
                yield king | king_to << 6 | KING << 12 | CASTLING << 21


def piece_moves(s, king, pinned, targets, t):
    """Knights, bishops, rooks and queens to ``targets``, which hold no pieces of one's own."""
    own, other = own_and_other(s)
    occupied = s.white | s.black
    for origin in bits(s.knights & own & ~pinned):
        yield from arrivals(s, origin | KNIGHT << 12, t.knight[u64(origin)] & targets, other)
    for origin in bits(s.bishops & own):
        reach = bishop_attacks(origin, occupied, t) & targets
        if pinned >> u64(origin) & ONE:
            reach &= t.line[u64(king), u64(origin)]
        yield from arrivals(s, origin | BISHOP << 12, reach, other)
    for origin in bits(s.rooks & own):
        reach = rook_attacks(origin, occupied, t) & targets
        if pinned >> u64(origin) & ONE:
            reach &= t.line[u64(king), u64(origin)]
        yield from arrivals(s, origin | ROOK << 12, reach, other)
    for origin in bits(s.queens & own):
        reach = queen_attacks(origin, occupied, t) & targets
        if pinned >> u64(origin) & ONE:
            reach &= t.line[u64(king), u64(origin)]
        yield from arrivals(s, origin | QUEEN << 12, reach, other)


def arrivals(s, start, reach, other):
    """The moves of one piece, ``start`` being its square and kind; captures first."""
    for to in bits(reach & other):
        yield start | to << 6 | piece_at(s, to) << 15
    for to in bits(reach & ~other):
        yield start | to << 6


def pushes(s, king, pinned, t):
    """Where pawns can go by one step; a pinned one only on the file of its king."""
    own, _ = own_and_other(s)
    pawns = s.pawns & own & (~pinned | t.lines[u64(king), 0])
    ahead = pawns << u64(8) if s.turn == WHITE else pawns >> u64(8)
    return ahead & ~(s.white | s.black)


def double_pushes(s, once):
    """Where pawns that can go by one step, to ``once``, can go by two."""
    ahead = (once & RANK_3) << u64(8) if s.turn == WHITE else (once & RANK_6) >> u64(8)
    return ahead & ~(s.white | s.black)


def pawn_moves(s, king, pinned, targets, t):
    """Steps of pawns."""
    once = pushes(s, king, pinned, t)
    twice = double_pushes(s, once) & targets
    once &= targets
    back = 8 if s.turn == WHITE else -8
    for to in bits(once & ~BACK_RANKS):
        yield to - back | to << 6 | PAWN << 12
    for to in bits(once & BACK_RANKS):
        yield to - back | to << 6 | PAWN << 12 | QUEEN << 18
        yield to - back | to << 6 | PAWN << 12 | ROOK << 18
        yield to - back | to << 6 | PAWN << 12 | BISHOP << 18
        yield to - back | to << 6 | PAWN << 12 | KNIGHT << 18
    for to in bits(twice):
        yield to - 2 * back | to << 6 | PAWN << 12 | DOUBLE << 21


def strikes(s, king, pinned, targets, t):
    """Where pawns capture towards the h file, and towards the a file. A pinned one stays on its king's diagonal."""
    own, other = own_and_other(s)
    pawns = s.pawns & own
    rising = pawns & (~pinned | t.lines[u64(king), 2])
    falling = pawns & (~pinned | t.lines[u64(king), 3])
    if s.turn == WHITE:
        right, left = (rising & ~FILE_H) << u64(9), (falling & ~FILE_A) << u64(7)
    else:
        right, left = (falling & ~FILE_H) >> u64(7), (rising & ~FILE_A) >> u64(9)
    return right & other & targets, left & other & targets


def pawn_captures(s, king, pinned, targets, t):
    right, left = strikes(s, king, pinned, targets, t)
    from_left, from_right = (9, 7) if s.turn == WHITE else (-7, -9)
    yield from captures_to(s, right, from_left)
    yield from captures_to(s, left, from_right)


def captures_to(s, board, back):
    """Captures of pawns that arrive on ``board`` by a step of ``back``."""
    for to in bits(board & ~BACK_RANKS):
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15
    for to in bits(board & BACK_RANKS):
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | QUEEN << 18
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | ROOK << 18
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | BISHOP << 18
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | KNIGHT << 18


def noisy_pawn_moves(s, king, pinned, targets, t):
    """Captures of pawns and promotions, to queens alone."""
    right, left = strikes(s, king, pinned, targets, t)
    from_left, from_right, back = (9, 7, 8) if s.turn == WHITE else (-7, -9, -8)
    for to in bits(right):
        queen = QUEEN << 18 if to < 8 or to >= 56 else 0
        yield to - from_left | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | queen
    for to in bits(left):
        queen = QUEEN << 18 if to < 8 or to >= 56 else 0
        yield to - from_right | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | queen
    for to in bits(pushes(s, king, pinned, t) & targets & BACK_RANKS):
        yield to - back | to << 6 | PAWN << 12 | QUEEN << 18


def en_passant_captures(s, king, t):
    """Captures in passing: both pawns leave their squares at once, so sliders are looked for as it would be after."""
    own, other = own_and_other(s)
    to = s.en_passant
    for origin in bits(t.pawn[u64(1 - s.turn), u64(to)] & s.pawns & own):
        if is_safe_in_passing(s, origin, king, other, t):
            yield origin | to << 6 | PAWN << 12 | PAWN << 15 | EN_PASSANT << 21


def is_safe_in_passing(s, origin, king, other, t):
    """Whether no slider sees ``king`` once a pawn from ``origin`` has captured en passant.

    Knights and pawns need no look: of those, only the pawn that is taken can have given check.
    """
    to = s.en_passant
    victim = to - 8 if s.turn == WHITE else to + 8
    after = (s.white | s.black) ^ (ONE << u64(origin) | ONE << u64(victim) | ONE << u64(to))
    seen = bishop_attacks(king, after, t) & (s.bishops | s.queens)
    seen |= rook_attacks(king, after, t) & (s.rooks | s.queens)
    return seen & other == EMPTY
