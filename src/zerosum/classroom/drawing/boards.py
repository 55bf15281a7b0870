"""Boards in nodes: a game's own text, drawn as cells if it is a grid and as lines of text if not."""

from __future__ import annotations

import re
from functools import lru_cache
from textwrap import dedent
from typing import NamedTuple

from zerosum.classroom.drawing.text import clipped, escape, tag

CELL = 15.0
TYPE = 9.0
TYPE_WIDTH = 0.61 * TYPE
MOST_LINES = 16
MOST_COLUMNS = 40


class Board(NamedTuple):
    """Rows of one-character cells, or lines of text as they are."""

    rows: tuple[tuple[str, ...], ...]
    is_grid: bool

    @property
    def width(self) -> float:
        columns = max(map(len, self.rows))
        return columns * CELL if self.is_grid else columns * TYPE_WIDTH + 10

    @property
    def height(self) -> float:
        return len(self.rows) * CELL if self.is_grid else len(self.rows) * (TYPE + 2) + 8


@lru_cache(maxsize=1024)
def read_board(picture: str) -> Board | None:
    """The text that a game shows, as a grid if it is one.

    >>> read_board(" X | 2 | O\\n---+---+---\\n 4 | X | 6").rows
    (('X', '2', 'O'), ('4', 'X', '6'))
    >>> read_board(". . x\\n. o x\\n1 2 3").is_grid  # connect four; its last line numbers the columns
    True
    >>> read_board("MAX  0 of 100").is_grid
    False
    """
    lines = [line.rstrip() for line in dedent(picture.expandtabs()).splitlines()]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        return None
    # A line drawn between two rows is not a row.
    written = [line for line in lines if not re.fullmatch(r"[-+=|\s]+", line) or not re.search(r"[-=]{2}", line)]
    cells = [tuple(cell.strip() or " " for cell in _split(line)) for line in written]
    is_grid = (
        len(cells) > 1 and len({len(row) for row in cells}) == 1 and all(len(c) == 1 for row in cells for c in row)
    )
    if is_grid and len(cells[0]) > 1:
        return Board(tuple(cells), True)
    shown = [clipped(line, MOST_COLUMNS) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown[-1] = "…"
    return Board(tuple(tuple(line) for line in shown), False)


def _split(line: str) -> list[str]:
    """The cells of one row: separated by bars, separated by spaces, or single characters."""
    if "|" in line:
        return line.strip().strip("|").split("|")
    return line.split() if " " in line.strip() else list(line.strip())


def draw_board(board: Board, x: float, y: float) -> str:
    """The board with the middle of its upper edge at (x, y)."""
    left = x - board.width / 2
    frame = {"class": "board", "x": left, "y": y, "width": board.width, "height": board.height, "rx": 2}
    if not board.is_grid:
        lines = [
            tag("text", {"class": "type", "x": left + 5, "y": y + 4 + (TYPE + 2) * (k + 0.8)}, escape("".join(row)))
            for k, row in enumerate(board.rows)
        ]
        return tag("rect", frame) + "".join(lines)
    rules = [f"M{left + CELL * k:.2f} {y:.2f}v{board.height:.2f}" for k in range(1, len(board.rows[0]))]
    rules += [f"M{left:.2f} {y + CELL * k:.2f}h{board.width:.2f}" for k in range(1, len(board.rows))]
    parts = [tag("rect", frame), tag("path", {"class": "rules", "d": "".join(rules)})]
    for r, row in enumerate(board.rows):
        for c, mark in enumerate(row):
            if mark not in " .·-_":
                # A digit is the number of a free cell or a column: it is fainter than the pieces.
                kind = "cell faint" if mark.isdigit() else "cell"
                place = {"class": kind, "x": left + CELL * (c + 0.5), "y": y + CELL * (r + 0.5) + 4}
                parts.append(tag("text", place, escape(mark)))
    return "".join(parts)
