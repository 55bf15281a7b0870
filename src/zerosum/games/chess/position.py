"""The State of chess, and moves as integers.

Square 0 is a1, 7 is h1, 63 is h8. White is MAX. There is a bitboard for each kind of piece and one for each colour; the
traditional twelve bitboards are ``s.knights & s.white`` and so on.

A move is one integer. Its parts are ``origin(move)``, ``target(move)``, ``kind(move)``, ``captured(move)``,
``promotion(move)`` and ``move_type(move)``, so ``play`` need not look at the board.

>>> move = make_move(12, 28, PAWN, move_type=DOUBLE)
>>> origin(move), target(move), kind(move) == PAWN, captured(move) == NONE
(12, 28, True, True)
"""

from __future__ import annotations

from typing import NamedTuple

from zerosum.jit.words import u64

NONE, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(7)
WHITE, BLACK = 0, 1  # MAX and MIN
LETTERS = ".PNBRQK"  # the kinds in English

EMPTY = u64(0)
ONE = u64(1)
FILE_A = u64(0x0101_0101_0101_0101)
FILE_H = u64(0x8080_8080_8080_8080)
RANK_1 = u64(0x0000_0000_0000_00FF)
RANK_3 = u64(0x0000_0000_00FF_0000)
RANK_6 = u64(0x0000_FF00_0000_0000)
RANK_8 = u64(0xFF00_0000_0000_0000)
BACK_RANKS = u64(0xFF00_0000_0000_00FF)
DARK = u64(0xAA55_AA55_AA55_AA55)  # a1 is dark

# The type of a move: anything other than DIRECT does more than move one piece from origin to target.
DIRECT, EN_PASSANT, CASTLING, DOUBLE = range(4)


class Position(NamedTuple):
    pawns: u64
    knights: u64
    bishops: u64
    rooks: u64
    queens: u64
    kings: u64
    white: u64  # all of White's pieces
    black: u64
    turn: int  # WHITE or BLACK
    castling: u64  # the rooks that may still castle
    en_passant: int  # the square behind a pawn that can legally be captured en passant; otherwise 0
    clock: int  # plies since a capture or a pawn move
    number: int  # the move number, from 1; it increases after Black's move
    key: u64  # the Zobrist key: equal for equal positions, regardless of clock and number


def make_move(origin, target, kind, captured=NONE, promotion=NONE, move_type=DIRECT):
    """A move as an integer. When castling, the target is the square where the king ends."""
    return origin | target << 6 | kind << 12 | captured << 15 | promotion << 18 | move_type << 21


def origin(move):
    return move & 63


def target(move):
    return move >> 6 & 63


def kind(move):
    """The kind of the moving piece: PAWN to KING."""
    return move >> 12 & 7


def captured(move):
    """The kind of the captured piece, including en passant, or NONE."""
    return move >> 15 & 7


def promotion(move):
    """The kind that a pawn promotes to, or NONE."""
    return move >> 18 & 7


def move_type(move):
    """DIRECT, EN_PASSANT, CASTLING or DOUBLE."""
    return move >> 21 & 3


def piece_at(s, square):
    """The kind of the piece on a square, or NONE; ``s.white`` gives its colour."""
    at = u64(square)
    found = (s.pawns >> at & ONE) * u64(PAWN) | (s.knights >> at & ONE) * u64(KNIGHT)
    found |= (s.bishops >> at & ONE) * u64(BISHOP) | (s.rooks >> at & ONE) * u64(ROOK)
    found |= (s.queens >> at & ONE) * u64(QUEEN) | (s.kings >> at & ONE) * u64(KING)
    return int(found)
