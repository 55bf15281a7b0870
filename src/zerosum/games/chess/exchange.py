"""Static exchange evaluation: the result if both sides capture on one square as long as it pays."""

from __future__ import annotations

from zerosum.games.chess.attacks import attackers_to, bishop_attacks, rook_attacks
from zerosum.games.chess.position import BISHOP, EMPTY, EN_PASSANT, KING, KNIGHT, NONE, ONE, PAWN, QUEEN, ROOK, WHITE
from zerosum.jit.words import u64

# In hundredths of a pawn, by kind; no gain is worth a king.
EXCHANGE_VALUES = [0, 100, 320, 330, 500, 950, 20000, 0]


def wins_at_least(s, move, wanted, t):
    """Whether a move wins at least ``wanted`` after all exchanges on its square; a negative number allows a loss.

    Pins are ignored.
    """
    at = move >> 6 & 63
    promotion = move >> 18 & 7
    balance = EXCHANGE_VALUES[move >> 15 & 7] - wanted
    moved = EXCHANGE_VALUES[move >> 12 & 7]
    if promotion != NONE:
        balance += EXCHANGE_VALUES[promotion] - EXCHANGE_VALUES[PAWN]
        moved = EXCHANGE_VALUES[promotion]
    if balance < 0:
        return False
    # From here on, ``risk`` is how far the side that has just captured misses its goal if it loses the capturing piece.
    risk = moved - balance
    if risk <= 0:
        return True
    occupied = (s.white | s.black) & ~(ONE << u64(move & 63))
    if move >> 21 == EN_PASSANT:
        occupied &= ~(ONE << u64(at - 8 if s.turn == WHITE else at + 8))
    attackers = attackers_to(s, at, occupied, t)
    white_takes = s.turn != WHITE
    satisfied = True  # whether the goal is reached if the captures stop here
    while True:
        attackers &= occupied
        own = attackers & (s.white if white_takes else s.black)
        if own == EMPTY:
            return satisfied
        kind, board = cheapest(s, own)
        satisfied = not satisfied
        if kind == KING:
            # A king may not capture a defended piece.
            return satisfied if own == attackers else not satisfied
        risk = EXCHANGE_VALUES[kind] - risk
        if risk < 0 or (risk == 0 and satisfied):
            return satisfied
        occupied &= ~(board & (~board + ONE))
        # Pieces that were behind it attack now.
        if kind != KNIGHT and kind != ROOK:
            attackers |= bishop_attacks(at, occupied, t) & (s.bishops | s.queens)
        if kind in (ROOK, QUEEN):
            attackers |= rook_attacks(at, occupied, t) & (s.rooks | s.queens)
        white_takes = not white_takes


def cheapest(s, pieces):
    """The least valuable kind among some pieces, and the pieces of that kind."""
    if pieces & s.pawns != EMPTY:
        return PAWN, pieces & s.pawns
    if pieces & s.knights != EMPTY:
        return KNIGHT, pieces & s.knights
    if pieces & s.bishops != EMPTY:
        return BISHOP, pieces & s.bishops
    if pieces & s.rooks != EMPTY:
        return ROOK, pieces & s.rooks
    if pieces & s.queens != EMPTY:
        return QUEEN, pieces & s.queens
    return KING, pieces & s.kings
