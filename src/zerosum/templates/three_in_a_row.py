"""Three in a row: a template for your own game. Change what you like, and test the rules with 'zerosum check'."""

from typing import NamedTuple

import zerosum as zs
from zerosum.board.layouts import grid, standing

SIZE = 3
CELLS = SIZE * SIZE
EMPTY, CROSS, RING = 0, 1, 2

# All rows, columns and diagonals, as the numbers of their cells.
LINES = (
    *(tuple(SIZE * row + column for column in range(SIZE)) for row in range(SIZE)),
    *(tuple(SIZE * row + column for row in range(SIZE)) for column in range(SIZE)),
    tuple((SIZE + 1) * i for i in range(SIZE)),
    tuple((SIZE - 1) * (i + 1) for i in range(SIZE)),
)


class Board(NamedTuple):
    """A position. It never changes: a move returns a new one. Fields are int, or tuples of a fixed length."""

    cells: tuple[(int,) * CELLS]  # what is on each cell, row by row
    turn: int  # zs.MAX or zs.MIN

    @property
    def mark(self):
        """The mark of the player to move."""
        return CROSS if self.turn == zs.MAX else RING

    def has_line(self, mark):
        return any(all(self.cells[cell] == mark for cell in line) for line in LINES)


def initial():
    return Board((EMPTY,) * CELLS, zs.MAX)


def to_move(s):
    return s.turn


def moves(s):
    """The legal moves, as integers: here, the cell. Not called if the game is over."""
    return [cell for cell in range(CELLS) if s.cells[cell] == EMPTY]


def play(s, cell):
    """The position after a move."""
    cells = list(s.cells)
    cells[cell] = s.mark
    return Board(tuple(cells), 1 - s.turn)


def is_terminal(s):
    """Whether the game is over. A position without moves is over anyway."""
    return s.has_line(CROSS) or s.has_line(RING)


def utility(s):
    """The result for MAX, called when the game is over: 1 is a win, -1 a loss, 0 a draw."""
    return s.has_line(CROSS) - s.has_line(RING)


def evaluate(s):
    """An estimate for MAX, when the search does not reach the end: lines that are still open for only one player."""
    score = 0
    for line in LINES:
        crosses = sum(s.cells[cell] == CROSS for cell in line)
        rings = sum(s.cells[cell] == RING for cell in line)
        if not rings:
            score += crosses
        if not crosses:
            score -= rings
    return score


# Display: the notation of moves, and a board to click on.

board = grid(SIZE, SIZE)
NAMES = [cell.id for cell in board.cells]  # a1, b1, ...

game = zs.Game(
    "my-game",
    Board,
    initial,
    to_move,
    moves,
    play,
    utility,
    max_moves=CELLS,  # no position has more moves than this
    is_terminal=is_terminal,
    evaluate=evaluate,
    players=("X", "O"),
    format_move=lambda s, cell: NAMES[cell],
    layout=lambda: board,
    pieces=lambda s: standing(board, s.cells, ("", "x", "o")),
    path=lambda s, cell: (NAMES[cell],),
)
