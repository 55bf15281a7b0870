"""Hexapawn on a board of any size: the game that docs/tutorial.md builds.

Pawns step straight ahead onto an empty cell and capture diagonally ahead. A player whose pawn reaches the far row
wins; a player who cannot move loses. The game on 3×3 is Martin Gardner's (Scientific American, March 1962).

    zerosum play examples/hexapawn.py
    zerosum analyze examples/hexapawn.py --set width=4 --set height=4
"""

from typing import NamedTuple

from zerosum import MAX, MIN, Game, GameError, bits, popcount


class Pawns(NamedTuple):
    white: int  # a bit for each cell, from a1 at the lower left, row by row
    black: int
    turn: int


def has(board, cell):
    return board >> cell & 1


def game(width=5, height=5):
    if not (3 <= width <= 8 and height >= 3 and width * height <= 63):
        raise GameError(
            f"hexapawn: {width} × {height} is not possible: 3 to 8 columns, at least 3 rows, at most 63 cells"
        )
    cells = width * height
    bottom = (1 << width) - 1
    top = bottom << (height - 1) * width

    def initial():
        return Pawns(bottom, top, MAX)

    def to_move(s):
        return s.turn

    def moves(s):
        mine, theirs, step = (s.white, s.black, width) if s.turn == MAX else (s.black, s.white, -width)
        for cell in bits(mine):
            ahead, column = cell + step, cell % width
            if not has(mine | theirs, ahead):
                yield cell * cells + ahead
            if column > 0 and has(theirs, ahead - 1):
                yield cell * cells + ahead - 1
            if column < width - 1 and has(theirs, ahead + 1):
                yield cell * cells + ahead + 1

    def play(s, move):
        start, target = 1 << move // cells, 1 << move % cells
        if s.turn == MAX:
            return Pawns(s.white ^ start ^ target, s.black & ~target, MIN)
        return Pawns(s.white & ~target, s.black ^ start ^ target, MAX)

    def is_terminal(s):
        return (s.white & top | s.black & bottom) != 0

    def utility(s):
        return -1 if s.turn == MAX else 1

    # Knowledge

    def evaluate(s):
        return popcount(s.white) - popcount(s.black)  # popcount: how many bits are set

    def order(s, move):
        return has(s.white | s.black, move % cells)  # 1 for a capture

    def active(s, player):
        """Features for networks: the player's pawns, then the opponent's, seen with the player moving up."""
        for cell in bits(s.white):
            yield cell if player == MAX else 2 * cells - 1 - cell
        for cell in bits(s.black):
            yield cells + cell if player == MAX else cells - 1 - cell

    # Notation and display

    def rows(s):
        """The rows of the board, from the top."""
        found = []
        for first in reversed(range(0, cells, width)):
            row = ""
            for cell in range(first, first + width):
                row += "W" if has(s.white, cell) else "B" if has(s.black, cell) else "."
            found.append(row)
        return found

    def show(s):
        text = ""
        for i, row in enumerate(rows(s)):
            text += f"{height - i} {' '.join(row)}\n"
        return text + "  " + " ".join("abcdefgh"[:width])

    def square(cell):
        return "abcdefgh"[cell % width] + str(cell // width + 1)

    def format_move(s, move):
        return square(move // cells) + square(move % cells)

    def format_state(s):
        return "/".join(rows(s)) + (" white" if s.turn == MAX else " black")

    def parse_state(text):
        board, _, who = text.partition(" ")
        lines = board.split("/")
        if len(lines) != height or any(len(line) != width for line in lines):
            raise ValueError(f"a board has {height} rows of {width} cells")
        if who not in ("white", "black"):
            raise ValueError("'white' or 'black' must follow the board")
        white = black = 0
        for cell, mark in enumerate("".join(reversed(lines))):
            if mark == "W":
                white |= 1 << cell
            elif mark == "B":
                black |= 1 << cell
        return Pawns(white, black, MAX if who == "white" else MIN)

    return Game(
        "hexapawn",
        Pawns,
        initial,
        to_move,
        moves,
        play,
        utility,
        max_moves=3 * width,
        is_terminal=is_terminal,
        evaluate=evaluate,
        order=order,
        active=active,
        active_features=2 * cells,
        max_active=2 * width,
        show=show,
        format_move=format_move,
        format_state=format_state,
        parse_state=parse_state,
        about=f"pawns race across {width} × {height} cells",
    )
