"""Tic-tac-toe, with the evaluation from the lecture notes: lines open for MAX minus lines open for MIN.

MAX plays X and moves first. A board is nine bits, row by row, with cell 0 at the top left.

>>> s = tictactoe.play(tictactoe.initial(), 4)
>>> print(tictactoe.show(s))
 1 | 2 | 3
---+---+---
 4 | X | 6
---+---+---
 7 | 8 | 9
>>> tictactoe.evaluate(s)
4
"""

from __future__ import annotations

from typing import NamedTuple

from zerosum.game import MAX, Game
from zerosum.games.boards import tictactoe as drawing
from zerosum.jit.bits import popcount
from zerosum.terms import Term


class Board(NamedTuple):
    x: int
    o: int


FULL = 0b111_111_111
# The eight lines: rows, columns, diagonals.
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


def initial():
    return Board(0, 0)


def to_move(s):
    return popcount(s.x | s.o) & 1


def moves(s):
    for cell in range(9):
        if not (s.x | s.o) >> cell & 1:
            yield cell


def play(s, cell):
    if to_move(s) == MAX:
        return Board(s.x | 1 << cell, s.o)
    return Board(s.x, s.o | 1 << cell)


def has_line(board):
    rows = board & board >> 1 & board >> 2 & 0o111
    columns = board & board >> 3 & board >> 6
    return (rows | columns) != 0 or board & 0o421 == 0o421 or board & 0o124 == 0o124


def is_terminal(s):
    return (s.x | s.o) == FULL or has_line(s.x) or has_line(s.o)


def utility(s):
    if has_line(s.x):
        return 1
    return -1 if has_line(s.o) else 0


def evaluate(s):
    """Lines without an O, which MAX may still fill, minus lines without an X."""
    balance = 0
    for line in LINES:
        if not s.o & line:
            balance += 1
        if not s.x & line:
            balance -= 1
    return balance


def terms(s: Board) -> list[Term]:
    """The two terms of ``evaluate``, which the lecture notes weight by 1 and -1."""
    for_x, for_o = sum(not s.o & line for line in LINES), sum(not s.x & line for line in LINES)
    return [
        Term("rows, columns and diagonals open for X", for_x, 1, for_x),
        Term("rows, columns and diagonals open for O", for_o, -1, -for_o),
    ]


def mirrored(board):
    """The board with left and right swapped."""
    return (board & 0o111) << 2 | board & 0o222 | board >> 2 & 0o111


def transposed(board):
    """The board with rows and columns swapped: the reflection in the main diagonal."""
    return board & 0o421 | (board & 0o042) << 2 | board >> 2 & 0o042 | (board & 0o004) << 4 | board >> 4 & 0o004


def canonical(s):
    """Of the eight boards that are equal by symmetry, the one with the smallest number."""
    x, o = s.x, s.o
    best = x << 9 | o
    for step in range(7):  # alternating the two reflections visits all eight symmetries
        if step & 1:
            x, o = transposed(x), transposed(o)
        else:
            x, o = mirrored(x), mirrored(o)
        best = min(best, x << 9 | o)
    return Board(best >> 9, best & FULL)


# The endgame database: one tier of boards as numbers in base 3; those of impossible boards are unused


def tiers(n: int) -> list[tuple[str, int]]:
    return [("all", 3**9)]


def tier(s):
    return 0


def rank(s):
    index = 0
    for cell in range(8, -1, -1):
        index = 3 * index + (s.x >> cell & 1) + 2 * (s.o >> cell & 1)
    return index


def unrank(tier, index):
    x = o = 0
    for cell in range(9):
        digit = index % 3
        x |= (digit & 1) << cell
        o |= (digit >> 1) << cell
        index //= 3
    return Board(x, o)


def is_valid(s):
    """Whether the board can occur: x moves first, and no move follows three in a row."""
    lead = popcount(s.x) - popcount(s.o)
    if lead == 0:
        return not has_line(s.x)
    return lead == 1 and not has_line(s.o)


# Notation and display


def show(s: Board) -> str:
    """The board; each free cell shows the number to type."""
    marks = ["X" if s.x >> cell & 1 else "O" if s.o >> cell & 1 else str(cell + 1) for cell in range(9)]
    return "\n---+---+---\n".join(f" {' | '.join(marks[row : row + 3])}" for row in (0, 3, 6))


def parse_move(s: Board, text: str) -> int:
    return int(text) - 1


def format_move(s: Board, cell: int) -> str:
    return str(cell + 1)


def format_state(s: Board) -> str:
    """Nine characters, row by row; the counts imply the side to move."""
    return "".join("x" if s.x >> cell & 1 else "o" if s.o >> cell & 1 else "." for cell in range(9))


def parse_state(text: str) -> Board:
    """Read a board of nine characters x, o and '.'; rows may be separated by '/' or spaces."""
    marks = "".join(text.lower().replace("/", " ").split())
    strange = [mark for mark in marks if mark not in "xo."]
    if strange:
        raise ValueError(f"{strange[0]!r} is not x, o or '.'")
    if len(marks) != 9:
        raise ValueError(f"it has {len(marks)} cells instead of 9")
    s = Board(*(sum(1 << cell for cell in range(9) if marks[cell] == mark) for mark in "xo"))
    lead = marks.count("x") - marks.count("o")
    if lead not in (0, 1):
        raise ValueError(f"x moves first, so there cannot be {marks.count('x')} x and {marks.count('o')} o")
    if has_line(s.x) and has_line(s.o):
        raise ValueError("both players have three in a row")
    if has_line(s.x) and lead == 0:
        raise ValueError("x has three in a row, but o moved after that")
    if has_line(s.o) and lead == 1:
        raise ValueError("o has three in a row, but x moved after that")
    return s


tictactoe = Game(
    "tictactoe",
    Board,
    initial,
    to_move,
    moves,
    play,
    utility,
    max_moves=9,
    actions=9,
    is_terminal=is_terminal,
    evaluate=evaluate,
    terms=terms,
    canonical=canonical,
    tiers=tiers,
    tier=tier,
    rank=rank,
    unrank=unrank,
    is_valid=is_valid,
    show=show,
    parse_move=parse_move,
    format_move=format_move,
    parse_state=parse_state,
    format_state=format_state,
    players=("X", "O"),
    **drawing.board(),
    about="three in a row on 3×3",
)
