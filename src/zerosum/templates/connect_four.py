"""Stones fall into columns, and four in a row win: a template for games on a board of any size."""

from typing import NamedTuple

import zerosum as zs
from zerosum.board.layouts import grid, standing

STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))  # the directions of a row, in columns and rows


def game(width=6, height=5, row=4):
    """The game on a board of this size: 'zerosum play my_game.py --set width=7'."""
    cells = width * height

    class Board(NamedTuple):
        """A position. It never changes: a move returns a new one. Fields are int, or tuples of a fixed length."""

        stones: tuple[(int,) * cells]  # 0 is empty, 1 is MAX, 2 is MIN; row by row, from the top
        turn: int

    def lines_through(column, line):
        """All lines of cells that a stone here can complete, as tuples of cell numbers."""
        found = []
        for right, down in STEPS:
            for first in range(row):
                places = [(column + right * (i - first), line + down * (i - first)) for i in range(row)]
                if all(0 <= x < width and 0 <= y < height for x, y in places):
                    found.append(tuple(width * y + x for x, y in places))
        return found

    every_line = sorted({line for y in range(height) for x in range(width) for line in lines_through(x, y)})

    def initial():
        return Board((0,) * cells, zs.MAX)

    def to_move(s):
        return s.turn

    def moves(s):
        """The legal moves, as integers: here, the column."""
        for column in range(width):
            if s.stones[column] == 0:
                yield column

    def play(s, column):
        """The position after a move: the stone falls to the lowest free cell."""
        cell = max(c for c in range(column, cells, width) if s.stones[c] == 0)
        stones = list(s.stones)
        stones[cell] = s.turn + 1
        return Board(tuple(stones), 1 - s.turn)

    def has_won(s, stone):
        return any(all(s.stones[cell] == stone for cell in line) for line in every_line)

    def is_terminal(s):
        """Whether the game is over. Only the player who has just moved can have won."""
        return has_won(s, 2 - s.turn)

    def utility(s):
        """The result for MAX, called when the game is over: 1 is a win, -1 a loss, 0 a draw."""
        if has_won(s, 1):
            return 1
        return -1 if has_won(s, 2) else 0

    def evaluate(s):
        """An estimate for MAX, when the search does not reach the end: lines that only one player can complete."""
        score = 0
        for line in every_line:
            mine = sum(s.stones[cell] == 1 for cell in line)
            theirs = sum(s.stones[cell] == 2 for cell in line)
            if theirs == 0:
                score += mine * mine
            elif mine == 0:
                score -= theirs * theirs
        return score

    # Display: the notation of moves, and a board to click on.

    board = grid(height, width)

    def path(s, column):
        """The cell to click on for a move."""
        return (board.cells[max(c for c in range(column, cells, width) if s.stones[c] == 0)].id,)

    return zs.Game(
        "my-game",
        Board,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=width,  # no position has more moves than this
        is_terminal=is_terminal,
        evaluate=evaluate,
        players=("Yellow", "Red"),
        format_move=lambda s, column: str(column + 1),
        layout=lambda: board,
        pieces=lambda s: standing(board, s.stones, ("", "yellow", "red")),
        path=path,
        about=f"{row} in a row on {width}×{height}",
    )
