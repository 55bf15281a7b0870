"""The weights of the evaluation's features: a pair of numbers each, for the middle game and for the endgame.

These are the hand-set weights from which training started; ``weights.json`` has the trained ones. The points for king
danger, which training leaves out, were found by trial: see ``bench/chess-log.md``.

All are in one array of the game's tables, so tuning never causes a recompilation. A pair is one word, ``packed``: the
endgame in the high half, the middle game in the low half, so that one addition adds both.

>>> middle_game(packed(-7, 3)), endgame(packed(-7, 3))
(-7, 3)
>>> default_weights().shape == (ROWS,)
True
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Pair = tuple[int, int]

# Each feature has one pair, or one for each step (a rank, a number of squares ...), in hundredths of a pawn.
FEATURES: dict[str, list[Pair]] = {
    "tempo": [(18, 10)],
    "bishop pair": [(28, 48)],
    "rook on an open file": [(32, 10)],
    "rook on a half-open file": [(14, 8)],
    "knight outpost": [(26, 16)],
    "bishop outpost": [(18, 8)],
    "pawns on the bishop's colour": [(-3, -6)],
    "minor piece behind a pawn": [(8, 4)],
    # Mobility: by the number of squares that a piece can move to and that no enemy pawn attacks.
    "knight mobility": [(12 * n - 48 - n * n // 2, 10 * n - 44) for n in range(9)],
    "bishop mobility": [(9 * n - 34 - n * n // 4, 9 * n - 40) for n in range(14)],
    "rook mobility": [(4 * n - 26, 8 * n - 48) for n in range(15)],
    "queen mobility": [(2 * n - 24, 4 * n - 48) for n in range(28)],
    # Pawns
    "isolated pawn": [(-12, -14)],
    "doubled pawn": [(-8, -22)],
    "backward pawn": [(-9, -12)],
    "connected pawn, by rank": [(0, 0), (4, 0), (10, 4), (14, 10), (24, 22), (44, 46), (70, 80), (0, 0)],
    "passed pawn, by rank": [(0, 0), (0, 12), (0, 18), (8, 36), (28, 64), (60, 110), (110, 170), (0, 0)],
    "passed pawn with a free way, by rank": [(0, 0), (0, 0), (0, 2), (2, 8), (4, 18), (10, 36), (20, 64), (0, 0)],
    "passed pawn that is stopped, by rank": [
        (0, 0),
        (0, -2),
        (0, -6),
        (-4, -12),
        (-10, -22),
        (-20, -40),
        (-30, -64),
        (0, 0),
    ],
    "distance of the other king from a passed pawn, times its rank": [(0, 4)],
    "distance of the own king from a passed pawn, times its rank": [(0, -2)],
    # Threats
    "pawn attacks a piece": [(52, 30)],
    "minor piece attacks a rook or queen": [(40, 26)],
    "rook attacks a queen": [(36, 20)],
    "hanging piece": [(30, 24)],
    "attacked and undefended pawn": [(6, 18)],
    # The king's shelter, on its own file and the two next to it
    "pawn right before the king": [(30, -4)],
    "pawn two steps before the king": [(18, -2)],
    "no own pawn on a file by the king": [(-22, 0)],
    "no pawn at all on a file by the king": [(-18, 0)],
    "pawn storm, by steps from the king": [(0, 0), (-18, 0), (-18, 0), (-12, 0), (-5, 0)],
    # King danger: points for the attack, which count by their square (see ``evaluate.contact_of``)
    "danger: knight, bishop, rook, queen attacks by the king": [(10, 0), (3, 0), (15, 0), (10, 0)],
    "danger: square by the king attacked": [(4, 0)],
    "danger: square by the king that only king or queen defend": [(5, 0)],
    "danger: safe check by knight, bishop, rook, queen": [(18, 0), (12, 0), (18, 0), (14, 0)],
    "danger: no queen attacks": [(-22, 0)],
}


def packed(middle: int, end: int) -> int:
    """Pack a pair into one word."""
    return (end << 32) + middle


def middle_game(word):
    """The first of a pair, or of a sum of pairs."""
    return ((word + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def endgame(word):
    """The second of a pair, or of a sum of pairs."""
    return (word + (1 << 31)) >> 32


def first_rows() -> Iterator[tuple[str, int]]:
    """Each feature with its first row in the array of weights."""
    row = 0
    for name, pairs in FEATURES.items():
        yield name, row
        row += len(pairs)


ROW = dict(first_rows())
"""The first row of each feature."""

ROWS = sum(map(len, FEATURES.values()))


def default_weights() -> npt.NDArray[np.int64]:
    """The hand-set weights, packed."""
    return np.array([packed(*pair) for pairs in FEATURES.values() for pair in pairs], np.int64)
