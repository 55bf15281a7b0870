"""Move ordering: captures by the value of the captured piece, and by whether they lose material in the exchange."""

from __future__ import annotations

from zerosum.games.chess.exchange import wins_at_least
from zerosum.games.chess.position import KING, NONE, QUEEN

GOOD, BAD = 100, -100


def order(s, move, t):
    """Highest first: captures and promotions that lose nothing, by victim and then by attacker; 0 for quiet moves;
    below 0 for captures that lose material and for underpromotions."""
    captured, promotion, kind = move >> 15 & 7, move >> 18 & 7, move >> 12 & 7
    if captured == NONE and promotion == NONE:
        return 0
    if promotion != NONE and promotion != QUEEN:
        return BAD + promotion
    worth = captured * 8 - kind + promotion * 8
    if kind <= captured or kind == KING or wins_at_least(s, move, 0, t):
        return GOOD + worth
    return BAD + worth
