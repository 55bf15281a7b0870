"""The features of a chess position for networks: which piece is on which square.

In a player's view that player's pieces come first, and the board is turned for Black. It is also mirrored if the
player's king is on the right half: a position and its mirror image have the same value, except for castling rights.

>>> from zerosum.games.chess import chess
>>> game = chess()
>>> s = game.initial()
>>> sorted(game.active(s, WHITE)) == sorted(game.active(s, BLACK)), len(list(game.active(s, WHITE)))
(True, 32)
"""

from __future__ import annotations

from zerosum.games.chess.position import BLACK, EMPTY, WHITE
from zerosum.jit.bits import bits, popcount
from zerosum.jit.words import u64

__all__ = ["ACTIVE_FEATURES", "BLACK", "MAX_ACTIVE", "PHASES", "active", "phase"]

ACTIVE_FEATURES = 12 * 64
MAX_ACTIVE = 32
PHASES = 8

RIGHT = u64(0xF0F0_F0F0_F0F0_F0F0)
ONES, PAIRS, FOURS = u64(0x5555_5555_5555_5555), u64(0x3333_3333_3333_3333), u64(0x0F0F_0F0F_0F0F_0F0F)
BYTES, WORDS = u64(0x00FF_00FF_00FF_00FF), u64(0x0000_FFFF_0000_FFFF)


def upside_down(board):
    """The board with the ranks reversed."""
    board = board >> u64(8) & BYTES | (board & BYTES) << u64(8)
    board = board >> u64(16) & WORDS | (board & WORDS) << u64(16)
    return board >> u64(32) | board << u64(32)


def mirrored(board):
    """The board with the files reversed."""
    board = board >> u64(1) & ONES | (board & ONES) << u64(1)
    board = board >> u64(2) & PAIRS | (board & PAIRS) << u64(2)
    return board >> u64(4) & FOURS | (board & FOURS) << u64(4)


def seen(board, player, is_right):
    """A board from a player's point of view."""
    if player == BLACK:
        board = upside_down(board)
    return mirrored(board) if is_right else board


def placed(board, player, is_right, first):
    """The features of one kind and side of pieces; ``first`` is the feature of a1."""
    for square in bits(seen(board, player, is_right)):
        yield first + square


def active(s, player):
    """The player's pieces, then the opponent's, from pawns to kings: 64 * kind + square."""
    own, other = (s.white, s.black) if player == WHITE else (s.black, s.white)
    is_right = s.kings & own & RIGHT != EMPTY
    yield from placed(s.pawns & own, player, is_right, 0)
    yield from placed(s.knights & own, player, is_right, 64)
    yield from placed(s.bishops & own, player, is_right, 128)
    yield from placed(s.rooks & own, player, is_right, 192)
    yield from placed(s.queens & own, player, is_right, 256)
    yield from placed(s.kings & own, player, is_right, 320)
    yield from placed(s.pawns & other, player, is_right, 384)
    yield from placed(s.knights & other, player, is_right, 448)
    yield from placed(s.bishops & other, player, is_right, 512)
    yield from placed(s.rooks & other, player, is_right, 576)
    yield from placed(s.queens & other, player, is_right, 640)
    yield from placed(s.kings & other, player, is_right, 704)


def phase(s):
    """The phase, from 7 with all pieces on the board to 0 with few."""
    return (popcount(s.white | s.black) - 1) // 4
