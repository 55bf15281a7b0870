"""The lookup tables used by the rules of chess."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.games.chess.piece_square import default_piece_square
from zerosum.games.chess.sliders import BISHOP_STEPS, ROOK_STEPS, Words, build_sliders, rays
from zerosum.games.chess.weights import default_weights
from zerosum.games.chess.zobrist import castling_keys, en_passant_keys, piece_keys
from zerosum.games.trained import trained_weights

KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING_STEPS = (*ROOK_STEPS, *BISHOP_STEPS)


class Tables(NamedTuple):
    """Passed by address, so that new numbers never cause a recompilation.

    Squares are numbered from a1 = 0 to h8 = 63; a set of squares is a bitboard.
    """

    finders: npt.NDArray[np.uint64]  # (2, 64, 4): where to look up the attacks of bishops and rooks
    slides: npt.NDArray[np.uint64]  # the attacks of sliders
    knight: npt.NDArray[np.uint64]  # (64,): the attacks of a knight
    king: npt.NDArray[np.uint64]
    pawn: npt.NDArray[np.uint64]  # (2, 64): the attacks of a pawn, by colour
    between: npt.NDArray[np.uint64]  # (64, 64): the squares strictly between two squares on a line
    line: npt.NDArray[np.uint64]  # (64, 64): the whole line through two squares, including both; empty if there is none
    lines: npt.NDArray[np.uint64]  # (64, 4): the file, rank, rising and falling diagonal of a square
    weights: npt.NDArray[np.int64]  # the weights of the evaluation's other features: see ``weights``
    piece_square: npt.NDArray[np.int64]  # (8, 64): the value of a white piece, by kind and square, also as packed pairs
    zobrist: npt.NDArray[np.uint64]  # (16, 64): by 8 * colour + kind
    zobrist_castling: npt.NDArray[np.uint64]  # (64,): by the rook's square
    zobrist_en_passant: npt.NDArray[np.uint64]  # (64,): by the square; 0 means none, and its key is 0


@lru_cache(maxsize=1)
def default_tables() -> Tables:
    """The usual tables of chess, with the trained weights; they are shared, so do not modify them."""
    from zerosum.games.chess.named_weights import with_weights

    return with_weights(trained_weights("chess"), untrained_tables())


def untrained_tables() -> Tables:
    """The tables with the hand-set weights from which training started."""
    finders, slides = build_sliders()
    between, line = lines_between()
    return Tables(
        finders,
        slides,
        steps_from(KNIGHT_STEPS),
        steps_from(KING_STEPS),
        np.stack([steps_from(((1, -1), (1, 1))), steps_from(((-1, -1), (-1, 1)))]),
        between,
        line,
        lines_through(),
        default_weights(),
        default_piece_square(),
        piece_keys(),
        castling_keys(),
        en_passant_keys(),
    )


def steps_from(steps: tuple[tuple[int, int], ...]) -> Words:
    """For each square, the squares that are one of these steps away."""
    found = np.zeros(64, np.uint64)
    for square in range(64):
        for up, right in steps:
            row, column = square // 8 + up, square % 8 + right
            if 0 <= row < 8 and 0 <= column < 8:
                found[square] |= np.uint64(1 << 8 * row + column)
    return found


def lines_through() -> Words:
    """For each square, the four lines through it, including itself."""
    squares = np.uint64(1) << np.arange(64, dtype=np.uint64)
    ways = (((1, 0), (-1, 0)), ((0, 1), (0, -1)), ((1, 1), (-1, -1)), ((1, -1), (-1, 1)))
    nothing = np.zeros_like(squares)
    return np.stack([rays(squares, nothing, way) | squares for way in ways], axis=1)


def lines_between() -> tuple[Words, Words]:
    """For each pair of squares on a line: the squares strictly between them, and the whole line."""
    squares = np.uint64(1) << np.arange(64, dtype=np.uint64)
    nothing = np.zeros_like(squares)
    between, line = np.zeros((64, 64), np.uint64), np.zeros((64, 64), np.uint64)
    for step in ((1, 0), (0, 1), (1, 1), (1, -1)):
        back = (-step[0], -step[1])
        whole = rays(squares, nothing, (step, back)) | squares
        for one in range(64):
            # Rays stop at, and include, blockers: the squares between two squares are those that both rays reach.
            seen = rays(np.full(64, 1 << one, np.uint64), squares, (step, back))
            met = rays(squares, np.full(64, 1 << one, np.uint64), (step, back))
            joined = (whole[one] & squares != 0) & (squares != squares[one])
            inner = seen & met & ~squares & ~squares[one]
            between[one] = np.where(joined, inner, between[one])
            line[one] = np.where(joined, whole[one], line[one])
    return between, line
