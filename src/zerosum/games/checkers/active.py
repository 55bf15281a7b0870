"""The features for networks: the player's men and kings, then the opponent's men and kings, each by square.

The board is turned to the player's view, so that the player's men always move towards higher numbers.

>>> from zerosum.games.checkers.position import START
>>> sorted(active(START, BLACK)) == sorted(active(START, WHITE)), len(list(active(START, BLACK)))
(True, 24)
"""

from __future__ import annotations

from zerosum.games.checkers.position import BLACK, SQUARES, WHITE, bit_of
from zerosum.jit.bits import bits, popcount

__all__ = ["ACTIVE_FEATURES", "MAX_ACTIVE", "PHASES", "WHITE", "active", "phase"]

LAST = bit_of(SQUARES)
KIND = LAST + 1  # features per kind of piece; some belong to bits that are not squares
ACTIVE_FEATURES = 4 * KIND
MAX_ACTIVE = 24
PHASES = 4


def active(s, player):
    own, other = (s.black, s.white) if player == BLACK else (s.white, s.black)
    for bit in bits(own):
        kind = KIND if s.kings >> bit & 1 else 0
        yield kind + (bit if player == BLACK else LAST - bit)
    for bit in bits(other):
        kind = 3 * KIND if s.kings >> bit & 1 else 2 * KIND
        yield kind + (bit if player == BLACK else LAST - bit)


def phase(s):
    """The phase, from 3 with nearly all pieces on the board to 0 with few."""
    return (popcount(s.black | s.white) - 1) // 6
