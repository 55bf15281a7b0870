"""Zobrist keys: a random word for each fact about a position, combined by exclusive or.

The words come from a mixing function rather than a random generator, so every process and machine has the same ones.
(A. Zobrist, A new hashing method with application for game playing, 1970.)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zerosum.games.chess.position import KING, PAWN
from zerosum.jit.bits import mix
from zerosum.jit.words import to_u64

SEED = 0x7A65_726F_7375_6D21


def word(number: int) -> np.uint64:
    return to_u64(mix(0, mix(0, SEED ^ number) ^ number))


TURN = word(0)  # if Black is to move


def piece_keys() -> npt.NDArray[np.uint64]:
    """The keys by 8 * colour + kind, and square; 0 for no piece."""
    keys = np.zeros((16, 64), np.uint64)
    for colour in range(2):
        for kind in range(PAWN, KING + 1):
            piece = 8 * colour + kind
            keys[piece] = [word(64 * piece + square) for square in range(64)]
    return keys


def castling_keys() -> npt.NDArray[np.uint64]:
    """The keys by the square of the rook."""
    return np.array([word(2048 + square) for square in range(64)], np.uint64)


def en_passant_keys() -> npt.NDArray[np.uint64]:
    """The keys by the square that the capturing pawn moves to; square 0 means none, and its key is 0."""
    return np.array([0, *(word(4096 + square) for square in range(1, 64))], np.uint64)
