"""The arrays that the rules of chess look things up in."""

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
    """All of it by address, so that new numbers never recompile anything.

    Squares are numbered from a1 = 0 to h8 = 63; a set of squares is a word with a bit for each.
    """

    finders: npt.NDArray[np.uint64]  # (2, 64, 4): how to find the slides of a bishop, a rook
    slides: npt.NDArray[np.uint64]  # where sliders can go
    knight: npt.NDArray[np.uint64]  # (64,): where a knight can go
    king: npt.NDArray[np.uint64]
    pawn: npt.NDArray[np.uint64]  # (2, 64): what a pawn of a colour attacks
    between: npt.NDArray[np.uint64]  # (64, 64): the squares strictly between two on one line
    line: npt.NDArray[np.uint64]  # (64, 64): the whole line through two squares, both included; empty if there is none
    lines: npt.NDArray[np.uint64]  # (64, 4): the file, the rank, the rising and the falling diagonal of a square
    weights: npt.NDArray[np.int64]  # what the evaluation's other features are worth: see ``weights``
    piece_square: npt.NDArray[np.int64]  # (8, 64): what a piece of White's is worth, by kind and square: pairs too
    zobrist: npt.NDArray[np.uint64]  # (16, 64): by 8 * colour + kind
    zobrist_castling: npt.NDArray[np.uint64]  # (64,): by the rook's square
    zobrist_en_passant: npt.NDArray[np.uint64]  # (64,); none is square 0, whose key is 0


@lru_cache(maxsize=1)
def default_tables() -> Tables:
    """The tables of an ordinary game of chess, with the weights that training found; shared, not to be changed."""
    from zerosum.games.chess.knobs import with_weights

    return with_weights(trained_weights("chess"), untrained_tables())


def untrained_tables() -> Tables:
    """The same with weights by hand: where training began."""
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
    """For each square those that are one step away."""
    found = np.zeros(64, np.uint64)
    for square in range(64):
        for up, right in steps:
            row, column = square // 8 + up, square % 8 + right
            if 0 <= row < 8 and 0 <= column < 8:
                found[square] |= np.uint64(1 << 8 * row + column)
    return found


def lines_through() -> Words:
    """For each square the four lines through it, itself included."""
    squares = np.uint64(1) << np.arange(64, dtype=np.uint64)
    ways = (((1, 0), (-1, 0)), ((0, 1), (0, -1)), ((1, 1), (-1, -1)), ((1, -1), (-1, 1)))
    nothing = np.zeros_like(squares)
    return np.stack([rays(squares, nothing, way) | squares for way in ways], axis=1)


def lines_between() -> tuple[Words, Words]:
    """For each pair of squares on one line: those strictly between, and the whole line."""
    squares = np.uint64(1) << np.arange(64, dtype=np.uint64)
    nothing = np.zeros_like(squares)
    between, line = np.zeros((64, 64), np.uint64), np.zeros((64, 64), np.uint64)
    for step in ((1, 0), (0, 1), (1, 1), (1, -1)):
        back = (-step[0], -step[1])
        whole = rays(squares, nothing, (step, back)) | squares
        for one in range(64):
            # Rays stop at, and include, what blocks them: between two squares lies what both see of each other.
            seen = rays(np.full(64, 1 << one, np.uint64), squares, (step, back))
            met = rays(squares, np.full(64, 1 << one, np.uint64), (step, back))
            joined = (whole[one] & squares != 0) & (squares != squares[one])
            inner = seen & met & ~squares & ~squares[one]
            between[one] = np.where(joined, inner, between[one])
            line[one] = np.where(joined, whole[one], line[one])
    return between, line
