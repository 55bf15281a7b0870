"""The evaluation of pawns, mostly for all pawns together, by shifts."""

from __future__ import annotations

from zerosum.games.chess.attacks import pawn_attacks
from zerosum.games.chess.position import EMPTY, FILE_A, FILE_H, ONE, PAWN, WHITE
from zerosum.games.chess.weights import ROW
from zerosum.jit.bits import bits, lowest_bit, popcount
from zerosum.jit.words import u64

ISOLATED, DOUBLED, BACKWARD = ROW["isolated pawn"], ROW["doubled pawn"], ROW["backward pawn"]
CONNECTED, PASSED = ROW["connected pawn, by rank"], ROW["passed pawn, by rank"]
FREE, STOPPED = ROW["passed pawn with a free way, by rank"], ROW["passed pawn that is stopped, by rank"]
FAR_KING = ROW["distance of the other king from a passed pawn, times its rank"]
NEAR_KING = ROW["distance of the own king from a passed pawn, times its rank"]


def ahead_of(board, colour):
    """All squares ahead of a board, on the same files."""
    if colour == WHITE:
        board = board << u64(8)
        board |= board << u64(8)
        board |= board << u64(16)
        return board | board << u64(32)
    board = board >> u64(8)
    board |= board >> u64(8)
    board |= board >> u64(16)
    return board | board >> u64(32)


def left_and_right(board):
    return (board & ~FILE_H) << ONE | (board & ~FILE_A) >> ONE


def distance(one, other):
    """The number of king moves between two squares."""
    return max(abs((one >> 3) - (other >> 3)), abs((one & 7) - (other & 7)))


def pawn_half(colour):
    """Return the function that evaluates one side's pawns."""
    turned = 0 if colour == WHITE else 56

    def pawns(s, attacked, t):
        """The score of the pawns; ``attacked`` are the squares that the opponent attacks."""
        own, other = (s.white, s.black) if colour == WHITE else (s.black, s.white)
        mine, theirs = s.pawns & own, s.pawns & other
        hit, guarded = pawn_attacks(mine, colour), pawn_attacks(theirs, 1 - colour)
        ahead = ahead_of(mine, colour)
        columns = ahead | ahead_of(mine, 1 - colour) | mine
        neighbours = left_and_right(columns)
        score = t.weights[u64(ISOLATED)] * popcount(mine & ~neighbours)
        for square in bits(mine):
            score += t.piece_square[u64(PAWN), u64(square ^ turned)]
        score += t.weights[u64(DOUBLED)] * popcount(mine & ahead)
        # Backward: no neighbour beside or behind to support it, and the opponent's pawns control the next square.
        helped = left_and_right(ahead | mine)
        stops = mine << u64(8) if colour == WHITE else mine >> u64(8)
        weak = stops & guarded & ~hit
        weak = weak >> u64(8) if colour == WHITE else weak << u64(8)
        score += t.weights[u64(BACKWARD)] * popcount(weak & neighbours & ~helped)
        for square in bits(mine & (hit | left_and_right(mine))):
            score += t.weights[u64(CONNECTED + (square >> 3 if colour == WHITE else 7 - (square >> 3)))]
        # Passed: none of the opponent's pawns ahead, on this file or an adjacent one.
        wall = ahead_of(theirs, 1 - colour)
        passed = mine & ~(wall | left_and_right(wall)) & ~ahead_of(mine, 1 - colour)
        if passed != EMPTY:
            own_king, other_king = lowest_bit(s.kings & own), lowest_bit(s.kings & other)
            occupied = s.white | s.black
            for square in bits(passed):
                rank = square >> 3 if colour == WHITE else 7 - (square >> 3)
                score += t.weights[u64(PASSED + rank)]
                stop = square + 8 if colour == WHITE else square - 8
                way = ahead_of(ONE << u64(square), colour)
                if way & (occupied | attacked) == EMPTY:
                    score += t.weights[u64(FREE + rank)]
                elif (ONE << u64(stop)) & occupied != EMPTY:
                    score += t.weights[u64(STOPPED + rank)]
                if rank > 2:
                    score += t.weights[u64(FAR_KING)] * (rank - 2) * distance(other_king, stop)
                    score += t.weights[u64(NEAR_KING)] * (rank - 2) * distance(own_king, stop)
        return score

    return pawns
