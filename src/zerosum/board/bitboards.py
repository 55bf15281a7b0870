"""Detects which fields of a State are bitboards, and how many rows they have.

The State does not say so, so it is inferred from random games: a bitboard is a number that gains or exchanges a few
bits with each move, and moves are numbered by its cells.
"""

from __future__ import annotations

import random
from math import isqrt
from typing import Any

from zerosum.game import CHANCE, Game

GAMES, PLIES = 4, 60
FEWEST = 9  # cells of a board: a smaller number may be a counter
MOST_BITS = 6  # changed by a move in one field
MARKS = "xo#"


class BitBoards:
    """The fields of a State that are boards of ``side`` rows; each field has its own mark."""

    def __init__(self, fields: list[str], side: int) -> None:
        self.fields = fields
        self.side = side
        self.marks = "#" if len(fields) == 1 else MARKS

    def grid(self, s: Any) -> list[list[str]]:
        """The marks row by row, cell 0 at the top left; a dot for an empty cell."""
        cells = ["."] * (self.side * self.side)
        for mark, field in zip(self.marks, self.fields, strict=False):
            board = int(getattr(s, field))
            for cell in range(len(cells)):
                if board >> cell & 1:
                    cells[cell] = mark
        return [cells[self.side * row : self.side * (row + 1)] for row in range(self.side)]


def find(game: Game) -> BitBoards | None:
    """The boards of a game, or None if nothing looks like one.

    >>> from zerosum.games import load
    >>> find(load("tictactoe")).fields, find(load("nim")), find(load("pig"))
    (['x', 'o'], None, None)
    """
    pairs = _moves_of(game)
    fields = [field for field, value in zip(game.start()._fields, game.start(), strict=True) if _is_number(value)]
    boards = [field for field in fields if _is_board([(getattr(a, field), getattr(b, field)) for a, _, b in pairs])]
    if not 1 <= len(boards) <= len(MARKS):
        return None
    highest = max(int(getattr(s, field)).bit_length() for a, _, b in pairs for s in (a, b) for field in boards)
    side = isqrt(game.max_moves) if isqrt(game.max_moves) ** 2 == game.max_moves >= highest else isqrt(highest - 1) + 1
    if side * side < FEWEST or any(_overlap(s, boards) for a, _, b in pairs for s in (a, b)):
        return None
    return BitBoards(boards, side)


def _moves_of(game: Game) -> list[tuple[Any, int, Any]]:
    """Moves from random games: the State before, the move, the State after."""
    chance, found = random.Random(0), []
    for _ in range(GAMES):
        s = game.start()
        for _ in range(PLIES):
            moves = game.legal_moves(s)
            if not moves:
                break
            move = chance.choice(moves)
            after = game.successor(s, move)
            if game.to_move(s) != CHANCE:
                found.append((s, move, after))
            s = after
    return found


def _is_number(value: Any) -> bool:
    return hasattr(value, "__index__")


def _is_board(changes: list[tuple[int, int]]) -> bool:
    """Whether a field behaves like a board: never negative, and moves change few bits, mostly set or moved."""
    if not changes or any(before < 0 or after < 0 for before, after in changes):
        return False
    moved = [(int(before), int(after)) for before, after in changes if before != after]
    if not moved or max(after for _, after in moved).bit_length() < FEWEST - 1:
        return False
    few = all((before ^ after).bit_count() <= MOST_BITS for before, after in moved)
    grows = sum(before & ~after == 0 for before, after in moved)
    moves = sum(before.bit_count() == after.bit_count() for before, after in moved)
    return few and grows + moves >= 0.7 * len(moved)


def _overlap(s: Any, fields: list[str]) -> bool:
    """Whether two boards have a piece on the same cell, so that one of them is not a board of pieces."""
    seen = 0
    for field in fields:
        board = int(getattr(s, field))
        if seen & board:
            return True
        seen |= board
    return False
