"""Playing a move."""

from __future__ import annotations

from zerosum.games.chess.attacks import bishop_attacks, own_and_other, rook_attacks
from zerosum.games.chess.position import (
    BISHOP,
    BLACK,
    CASTLING,
    DOUBLE,
    EMPTY,
    EN_PASSANT,
    KING,
    KNIGHT,
    NONE,
    ONE,
    PAWN,
    QUEEN,
    RANK_1,
    RANK_8,
    ROOK,
    WHITE,
    Position,
)
from zerosum.games.chess.zobrist import TURN
from zerosum.jit.bits import bits, lowest_bit
from zerosum.jit.words import u64


def play(s, move, t):
    """The position after a legal move."""
    turn = s.turn
    origin, target, kind = move & 63, move >> 6 & 63, move >> 12 & 7
    captured, promotion, move_type = move >> 15 & 7, move >> 18 & 7, move >> 21
    mine, theirs = turn << 3, 8 - (turn << 3)
    here, there = ONE << u64(origin), ONE << u64(target)
    gone_at = target
    if move_type == EN_PASSANT:
        gone_at = target - 8 if turn == WHITE else target + 8
    gone = ONE << u64(gone_at) if captured != NONE else EMPTY

    # Selections rather than branches, because which piece moves is unpredictable.
    step = here ^ there
    pawns = s.pawns ^ (step if kind == PAWN else EMPTY) ^ (gone if captured == PAWN else EMPTY)
    knights = s.knights ^ (step if kind == KNIGHT else EMPTY) ^ (gone if captured == KNIGHT else EMPTY)
    bishops = s.bishops ^ (step if kind == BISHOP else EMPTY) ^ (gone if captured == BISHOP else EMPTY)
    rooks = s.rooks ^ (step if kind == ROOK else EMPTY) ^ (gone if captured == ROOK else EMPTY)
    queens = s.queens ^ (step if kind == QUEEN else EMPTY) ^ (gone if captured == QUEEN else EMPTY)
    kings = s.kings ^ (step if kind == KING else EMPTY)
    own, other = own_and_other(s)
    own, other = own ^ step, other ^ gone

    became = kind
    if promotion != NONE:
        became = promotion
        pawns ^= there
        knights ^= there if promotion == KNIGHT else EMPTY
        bishops ^= there if promotion == BISHOP else EMPTY
        rooks ^= there if promotion == ROOK else EMPTY
        queens ^= there if promotion == QUEEN else EMPTY

    # The key of NONE is 0 on every square.
    key = s.key ^ TURN ^ t.zobrist_en_passant[u64(s.en_passant)]
    key ^= t.zobrist[u64(mine | kind), u64(origin)] ^ t.zobrist[u64(mine | became), u64(target)]
    key ^= t.zobrist[u64(theirs | captured), u64(gone_at)]

    # Rooks that move or are captured, and both rooks of a king that moves, can no longer castle.
    lost = here | there
    if kind == KING:
        lost |= RANK_1 if turn == WHITE else RANK_8
    lost &= s.castling
    for square in bits(lost):
        key ^= t.zobrist_castling[u64(square)]

    if move_type == CASTLING:
        row = origin & 56
        # The king may already be on its target or pass the rook, so remove both before placing them.
        if target & 7 == 6:
            rook_from, rook_to = lowest_bit(s.castling & own_back_rank(turn) & ~(here - ONE) & ~here), row | 5
        else:
            rook_from, rook_to = lowest_bit(s.castling & own_back_rank(turn) & (here - ONE)), row | 3
        leap = ONE << u64(rook_from) ^ ONE << u64(rook_to)
        rooks ^= leap
        own ^= leap
        rook = u64(mine | ROOK)
        key ^= t.zobrist[rook, u64(rook_from)] ^ t.zobrist[rook, u64(rook_to)]

    en_passant = 0
    if move_type == DOUBLE:
        behind = (origin + target) >> 1
        takers = t.pawn[u64(turn), u64(behind)] & pawns & other
        if takers != EMPTY:
            # Only if the capture is legal, so that equal positions have equal keys.
            king = lowest_bit(kings & other)
            for taker in bits(takers):
                after = (own | other) ^ (ONE << u64(taker) | ONE << u64(behind) | there)
                seen = bishop_attacks(king, after, t) & (bishops | queens)
                seen |= rook_attacks(king, after, t) & (rooks | queens)
                if seen & own == EMPTY:
                    en_passant = behind
            key ^= t.zobrist_en_passant[u64(en_passant)]

    clock = s.clock + 1
    if kind == PAWN or captured != NONE:
        clock = 0
    return Position(
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        kings,
        own if turn == WHITE else other,
        other if turn == WHITE else own,
        1 - turn,
        s.castling ^ lost,
        en_passant,
        clock,
        s.number + turn,
        key,
    )


def own_back_rank(turn):
    return RANK_1 if turn == WHITE else RANK_8


def skip(s, t):
    """The position after a pass by the side to move; the same position where zugzwang is common."""
    if own_and_other(s)[0] & ~(s.pawns | s.kings) == EMPTY:
        return s
    return s._replace(
        turn=1 - s.turn,
        en_passant=0,
        clock=s.clock + 1,
        number=s.number + s.turn,
        key=s.key ^ TURN ^ t.zobrist_en_passant[u64(s.en_passant)],
    )


def reversible(s, move):
    """Whether earlier positions can recur: not after a capture, a pawn move, or a loss of castling rights."""
    touched = ONE << u64(move & 63) | ONE << u64(move >> 6 & 63)
    kind = move >> 12 & 7
    if kind == KING:
        touched |= RANK_8 if s.turn == BLACK else RANK_1
    return bool(kind != PAWN and move >> 15 & 7 == NONE and touched & s.castling == EMPTY)


def complete(s, t):
    """The position with its key, computed from the board."""
    key = TURN if s.turn == BLACK else EMPTY
    boards = (s.pawns, s.knights, s.bishops, s.rooks, s.queens, s.kings)
    for kind, board in enumerate(boards, PAWN):
        for square in bits(board):
            piece = kind if s.white >> u64(square) & ONE else 8 + kind
            key ^= t.zobrist[piece, square]
    for square in bits(s.castling):
        key ^= t.zobrist_castling[square]
    key ^= t.zobrist_en_passant[s.en_passant]
    return s._replace(key=key)
