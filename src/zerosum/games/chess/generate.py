"""Generate only legal moves: no move is tried and taken back.

A pinned piece stays on the line to its king; in check, moves must end the check; the king moves only to squares that
are not attacked. Only en passant, which removes two pieces from one rank, is checked on the board after the capture.
All pawns move together, by shifts. Loops that only yield cost nothing when moves are just counted.
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
    if popcount(checkers) < 2:  # in double check only the king can move
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
    """Captures and promotions to queens; in check, only those that end it."""
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
    """King moves. The king is removed from the board for this, so that it does not shield squares behind it."""
    _, other = own_and_other(s)
    without = (s.white | s.black) ^ ONE << u64(king)
    for to in bits(t.king[u64(king)] & targets):
        if not is_attacked(s, to, without, other, t):
            yield king | to << 6 | KING << 12 | piece_at(s, to) << 15


def castlings(s, king, t):
    """Castling, when not in check. The rook may be on any file of its side, as in Chess960."""
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
    """Moves of knights, bishops, rooks and queens to ``targets``, which contains no own pieces."""
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
    """The moves of one piece, captures first; ``start`` encodes its square and kind."""
    for to in bits(reach & other):
        yield start | to << 6 | piece_at(s, to) << 15
    for to in bits(reach & ~other):
        yield start | to << 6


def pushes(s, king, pinned, t):
    """The squares that pawns can reach by one step; a pinned pawn must stay on its king's file."""
    own, _ = own_and_other(s)
    pawns = s.pawns & own & (~pinned | t.lines[u64(king), 0])
    ahead = pawns << u64(8) if s.turn == WHITE else pawns >> u64(8)
    return ahead & ~(s.white | s.black)


def double_pushes(s, once):
    """The squares that pawns can reach by two steps; ``once`` are those reached by one."""
    ahead = (once & RANK_3) << u64(8) if s.turn == WHITE else (once & RANK_6) >> u64(8)
    return ahead & ~(s.white | s.black)


def pawn_moves(s, king, pinned, targets, t):
    """Pawn pushes, with promotions."""
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
    """Where pawns capture towards the h-file, and towards the a-file; a pinned pawn stays on its king's diagonal."""
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
    """Pawn captures that arrive on ``board`` by a step of ``back``."""
    for to in bits(board & ~BACK_RANKS):
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15
    for to in bits(board & BACK_RANKS):
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | QUEEN << 18
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | ROOK << 18
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | BISHOP << 18
        yield to - back | to << 6 | PAWN << 12 | piece_at(s, to) << 15 | KNIGHT << 18


def noisy_pawn_moves(s, king, pinned, targets, t):
    """Pawn captures and promotions, to queens only."""
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
    """En passant: two pawns leave their squares together, so sliders are checked on the board after the capture."""
    own, other = own_and_other(s)
    to = s.en_passant
    for origin in bits(t.pawn[u64(1 - s.turn), u64(to)] & s.pawns & own):
        if is_safe_in_passing(s, origin, king, other, t):
            yield origin | to << 6 | PAWN << 12 | PAWN << 15 | EN_PASSANT << 21


def is_safe_in_passing(s, origin, king, other, t):
    """Whether no slider attacks ``king`` after a pawn from ``origin`` has captured en passant.

    Knights and pawns need no check: of these, only the captured pawn can have given check.
    """
    to = s.en_passant
    victim = to - 8 if s.turn == WHITE else to + 8
    after = (s.white | s.black) ^ (ONE << u64(origin) | ONE << u64(victim) | ONE << u64(to))
    seen = bishop_attacks(king, after, t) & (s.bishops | s.queens)
    seen |= rook_attacks(king, after, t) & (s.rooks | s.queens)
    return seen & other == EMPTY
