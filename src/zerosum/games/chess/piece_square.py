"""Piece-square tables, in hundredths of a pawn, for the middle game and the endgame.

The values follow from a few simple rules: pawns advance, pieces go to the centre, and the king stays safe while there
are queens.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zerosum.games.chess.position import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from zerosum.games.chess.weights import packed

# The value of each kind in the middle game and in the endgame, regardless of its square.
WORTH = {PAWN: (90, 120), KNIGHT: (330, 310), BISHOP: (345, 330), ROOK: (480, 550), QUEEN: (990, 1000), KING: (0, 0)}


def of_square(kind: int, row: int, column: int) -> tuple[int, int]:
    """The bonus of a white piece on a square, for both phases; ``row`` 0 is White's back rank."""
    # 0 on the edge, 3 in the centre.
    central_row, central_column = min(row, 7 - row), min(column, 7 - column)
    centre = central_row + central_column
    if kind == PAWN:
        return (
            central_column * max(0, row - 1) * 2 - (8 if row == 1 and central_column == 3 else 0),
            4 * row * row // 2,
        )
    if kind == KNIGHT:
        return 9 * centre - 30 + 2 * min(row, 5), 7 * centre - 24
    if kind == BISHOP:
        return 4 * centre - 10 - (10 if row == 0 else 0), 3 * centre - 9
    if kind == ROOK:
        return 2 * central_column - 3 + (14 if row == 6 else 0), 8 if row >= 5 else 0
    if kind == QUEEN:
        return centre - 3 - (4 if row > 2 else 0), 5 * centre - 15
    return (18 if column in (1, 2, 6) else 0) - 14 * min(row, 4) - 6 * central_column, 10 * centre - 30


def default_piece_square() -> npt.NDArray[np.int64]:
    """White's pairs of values, each packed in one word, by kind and square; Black's squares are mirrored."""
    white = np.zeros((8, 64), np.int64)
    for kind, worth in WORTH.items():
        for square in range(64):
            middle, end = of_square(kind, *divmod(square, 8))
            white[kind, square] = packed(worth[0] + middle, worth[1] + end)
    return white
