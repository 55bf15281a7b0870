"""A chain of stones from side to side wins: a template for games on hexagons."""

from typing import NamedTuple

import zerosum as zs
from zerosum.board.layouts import hexagons, standing

AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1))  # offsets (row, column) of the six neighbours


def game(size=5):
    """The game on size × size cells. MAX connects top and bottom, MIN left and right."""
    cells = size * size

    # For each cell, the numbers of its neighbours. Lists of different lengths are fine.
    near = [
        [
            size * (row + down) + column + right
            for down, right in AROUND
            if 0 <= row + down < size and 0 <= column + right < size
        ]
        for row in range(size)
        for column in range(size)
    ]
    sides = {1: range(size), 2: range(0, cells, size)}  # where a chain of each player begins

    class Board(NamedTuple):
        """A position. It never changes: a move returns a new one. Fields are int, or tuples of a fixed length."""

        stones: tuple[(int,) * cells]  # 0 is empty, 1 is MAX, 2 is MIN
        turn: int

    def initial():
        return Board((0,) * cells, zs.MAX)

    def to_move(s):
        return s.turn

    def moves(s):
        """The legal moves, as integers: here, the cell."""
        for cell in range(cells):
            if s.stones[cell] == 0:
                yield cell

    def play(s, cell):
        stones = list(s.stones)
        stones[cell] = s.turn + 1
        return Board(tuple(stones), 1 - s.turn)

    def is_joined(s, stone):
        """Whether a chain of these stones reaches from one side to the other."""
        todo = [cell for cell in sides[stone] if s.stones[cell] == stone]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            if (cell // size if stone == 1 else cell % size) == size - 1:
                return True
            for other in near[cell]:
                if other not in seen and s.stones[other] == stone:
                    seen.add(other)
                    todo.append(other)
        return False

    def is_terminal(s):
        """Whether the game is over. Only the player who has just moved can have won."""
        return is_joined(s, 2 - s.turn)

    def utility(s):
        """The result for MAX, called when the game is over. There are no draws in this game."""
        return 1 if is_joined(s, 1) else -1

    # Display: the notation of moves, and a board to click on.

    board = hexagons(size)
    names = [cell.id for cell in board.cells]

    return zs.Game(
        "my-game",
        Board,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=cells,  # no position has more moves than this
        is_terminal=is_terminal,
        players=("Red", "Blue"),
        format_move=lambda s, cell: names[cell],
        layout=lambda: board,
        pieces=lambda s: standing(board, s.stones, ("", "red", "blue")),
        path=lambda s, cell: (names[cell],),
        about=f"connect your two sides on {size}×{size}",
    )
