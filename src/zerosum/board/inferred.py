"""Infers a board for games that define none: the grid that they print, with moves read from the changes in it.

>>> from zerosum.games import load
>>> plain = load("othello").with_(layout=None, pieces=None, path=None)
>>> game = infer(plain)
>>> s = game.initial()
>>> [game.path(s, move) for move in game.moves(s)]
[('d3',), ('c4',), ('f5',), ('e6',)]
>>> infer(load("pig").with_(layout=None, pieces=None, path=None)) is None
True
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from math import isqrt
from typing import Any

from zerosum.board import Cell, Layout, Piece, bitboards, rectangle
from zerosum.game import CHANCE, Game

SIDE = 100.0
NOTHING = " .·-_*"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Marks that many games use for the players; all others are drawn in ink.
PLAYERS = {"x": "max", "X": "max", "o": "min", "O": "min", "0": "min"}
BLOCK = "#"
"""The mark of a cell that is taken by either player."""

# The usual meaning of numbers in a State: empty, the players, then kinds of pieces.
MARKS = {0: ".", 1: "x", 2: "o", -1: "o", **dict(enumerate(LETTERS[:14], 3))}

Grid = list[list[str]]
Reader = Callable[[Any], Grid | None]


def infer(game: Game) -> Game | None:
    """The game with an inferred board, or None if it prints no grid; a game that has a board is returned unchanged."""
    if game.has("layout") and game.has("pieces") and game.has("path"):
        return game
    try:
        start = game.start()
        read = reader(game)
        first = None if read is None else read(start)
        if read is None or first is None:
            return None
        inferred = _with_board(game, read, first, Rulers(first))
        if game.to_move(start) == CHANCE:
            start = game.play(start, game.legal_moves(start)[0])
        # A grid on which no move can be clicked is less useful than the game's own text.
        return inferred if any(inferred.path(start, move) for move in game.legal_moves(start)) else None
    except Exception:
        return None  # errors in the game are reported when it is played


def drawable(game: Game) -> Game:
    """The game with its own board or an inferred one; unchanged if there is neither."""
    return game if game.has("layout") else infer(game) or game


class Rulers:
    """The rows and columns of a picture that are coordinates, as found at the start of the game."""

    def __init__(self, rows: Grid) -> None:
        columns = [list(column) for column in zip(*rows, strict=True)]
        self.top, self.bottom = _is_ruler(rows[0], rows[1:]), _is_ruler(rows[-1], rows[:-1])
        self.left, self.right = _is_ruler(columns[0], columns[1:]), _is_ruler(columns[-1], columns[:-1])
        numbers = columns[0] if self.left else columns[-1] if self.right else []
        self.height, self.width = len(self.inside(rows)), len(self.inside(rows)[0])
        self.numbers = numbers[self.top : self.top + self.height]

    def inside(self, rows: Grid) -> Grid:
        """The rows and columns without the coordinates."""
        return [row[self.left : len(row) - self.right] for row in rows[self.top : len(rows) - self.bottom]]

    def name(self, row: int, column: int) -> str:
        number = self.numbers[row] if self.numbers else str(row + 1)
        return f"{LETTERS[column]}{number}" if self.width <= len(LETTERS) else f"{column + 1}-{number}"


def _with_board(game: Game, read: Reader, first: Grid, rulers: Rulers) -> Game:
    height, width = rulers.height, rulers.width
    names = [[rulers.name(row, column) for column in range(width)] for row in range(height)]

    def rows_of(s: Any) -> Grid:
        found = read(s)
        # A picture of another size does not fit this board.
        if found is None or (len(found), len(found[0])) != (len(first), len(first[0])):
            return [[" "] * width for _ in range(height)]
        return rulers.inside(found)

    def layout() -> Layout:
        cells = tuple(
            Cell(name, rectangle(SIDE * column, SIDE * row, SIDE, SIDE, "paper", "line", 2))
            for row, line in enumerate(names)
            for column, name in enumerate(line)
        )
        return Layout(
            SIDE * width, SIDE * height, cells, {BLOCK: (rectangle(-40, -40, 80, 80, "max", round=12),)}, size=56
        )

    def pieces(s: Any) -> list[Piece]:
        return [
            _piece(name, mark)
            for line, marks in zip(names, rows_of(s), strict=True)
            for name, mark in zip(line, marks, strict=True)
            if mark not in NOTHING
        ]

    def path(s: Any, move: int) -> tuple[str, ...]:
        before, after = rows_of(s), rows_of(game.play(s, move))
        changes = [
            (name, old, new)
            for line, olds, news in zip(names, before, after, strict=True)
            for name, old, new in zip(line, olds, news, strict=True)
            if old != new
        ]
        if not game.has("show") and move < height * width:
            # If moves are numbered like cells, the cell itself is a better path than all its changes.
            here = names[move // width][move % width]
            if here in (cell for cell, old, new in changes if _is_empty(old) and not _is_empty(new)):
                return (here,)
        return way(changes)

    return game.with_(layout=layout, pieces=pieces, path=path)


def _piece(cell: str, mark: str) -> Piece:
    """The piece for a mark: the mark itself as text, or a block for a taken cell."""
    if mark == BLOCK:
        return Piece(cell, BLOCK, "taken", size=SIDE)
    return Piece(cell, "", mark, mark, fill="muted" if _is_empty(mark) else PLAYERS.get(mark, "ink"))


def way(changes: list[tuple[str, str, str]]) -> tuple[str, ...]:
    """The cells to click for a move that makes these changes: (cell, mark before, mark after).

    >>> way([("e2", "P", "."), ("e4", ".", "P")]), way([("b2", ".", "x"), ("b3", "o", "x")]), way([("a1", "3", "2")])
    (('e2', 'e4'), ('b2',), ())
    """
    filled = [(cell, new) for cell, old, new in changes if _is_empty(old) and not _is_empty(new)]
    left = [(cell, old) for cell, old, new in changes if not _is_empty(old) and _is_empty(new)]
    other = [(cell, new) for cell, old, new in changes if not _is_empty(old) and not _is_empty(new)]
    ends = filled or other
    if len(ends) != 1:
        return ()
    end, mark = ends[0]
    starts = left if len(left) == 1 else [(cell, old) for cell, old in left if old == mark]
    if len(starts) == 1:
        return starts[0][0], end
    # A stone that is placed, whatever it captures; a mark that only changes gives no cell to click.
    return (end,) if filled and not starts else ()


def reader(game: Game) -> Reader | None:
    """A function that reads the grid of a position: the largest block of equally long rows of single characters that
    the game prints, or a grid in its State, as a tuple or as bits. None if there is none.
    """
    start = game.start()
    if game.has("show"):
        return lambda s: _read(game.show(s))
    if _held(start) is not None:
        return _held
    boards = bitboards.find(game)
    return None if boards is None else boards.grid


def picture(game: Game, s: Any) -> str:
    """The position as text: what the game prints, otherwise the grid in its State, otherwise its fields.

    >>> from zerosum.games import load
    >>> tictactoe = load("tictactoe").with_(show=None)
    >>> print(picture(tictactoe, tictactoe.play(tictactoe.initial(), 4)))
      a b c
    1 . . .
    2 . x .
    3 . . .
    """
    if game.has("show"):
        return game.show(s)
    try:
        read = reader(game)
        rows = None if read is None else read(s)
    except Exception:  # a failed guess must not be an error
        rows = None
    if not rows or len(rows[0]) > len(LETTERS):
        return game.show(s)
    wide = len(str(len(rows)))
    lines = [f"{number:>{wide}} {' '.join(row)}" for number, row in enumerate(rows, 1)]
    return "\n".join([" " * (wide + 1) + " ".join(LETTERS[: len(rows[0])]), *lines])


def _read(picture: str) -> Grid | None:
    lines = [_tokens(line) for line in picture.splitlines()]
    # A line of dashes between two rows is not a row.
    rows = [line for line in lines if set("".join(line)) - set("-+=|")]
    blocks = [list(block) for length, block in groupby(rows, _length) if length > 1]
    block = max(blocks, key=len, default=[])
    return block if len(block) > 1 else None


def _length(line: list[str]) -> int:
    """The number of characters in a row; 0 if it is not a row of single characters."""
    return len(line) if all(len(mark) == 1 for mark in line) else 0


def _tokens(line: str) -> list[str]:
    if "|" in line:
        return [part.strip() or " " for part in line.strip().strip("|").split("|")]
    return line.split() if " " in line.strip() else list(line.strip())


def _is_ruler(marks: list[str], others: Grid) -> bool:
    """Whether these are coordinates, 1, 2, 3 … or a, b, c …, in either direction, and the others have no digits."""
    text = "".join(marks).lower()
    if len(marks) < 2 or any(mark.isdigit() for line in others for mark in line):
        return False
    return any(scale.startswith(way) for way in (text, text[::-1]) for scale in (LETTERS, "123456789", "0123456789"))


def _held(s: Any) -> Grid | None:
    """The grid in a field of the State: rows of numbers, or as many numbers as a square has cells."""
    for field in s:
        if not isinstance(field, tuple) or len(field) < 2:
            continue
        side = isqrt(len(field))
        if all(isinstance(row, tuple) and len(row) == len(field[0]) > 1 for row in field):
            rows = [list(row) for row in field]
        elif side > 1 and side * side == len(field) and not any(isinstance(number, tuple) for number in field):
            rows = [list(field[side * row : side * row + side]) for row in range(side)]
        else:
            continue
        return [[MARKS.get(number, "?") for number in row] for row in rows]
    return None


def _is_empty(mark: str) -> bool:
    """Whether a mark is an empty cell; a digit counts as the number of an empty cell."""
    return mark in NOTHING or mark.isdigit()
