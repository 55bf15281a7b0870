"""Common parts of square boards: squares with names such as e4, and a rim with letters and numbers."""

from __future__ import annotations

from collections.abc import Callable

from zerosum.board import Cell, Shape, rectangle, text

SQUARE = 100.0
RIM = 34.0
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def squares(
    rows: int, paint: Callable[[int, int], str], edge: str = "", names: Callable[[int, int], str] | None = None
) -> tuple[Cell, ...]:
    """Square cells, row by row from the top; ``paint`` and ``names`` are called with row and column."""
    return tuple(
        Cell(
            names(row, column) if names else f"{LETTERS[column]}{rows - row}",
            rectangle(
                RIM + SQUARE * column, RIM + SQUARE * row, SQUARE, SQUARE, paint(row, column), edge, 2 if edge else 0
            ),
        )
        for row in range(rows)
        for column in range(rows)
    )


def rim(rows: int, from_the_top: bool = False, fill: str = "wood") -> tuple[Shape, ...]:
    """The frame, with letters at the bottom and numbers on the left, even when the board is turned."""
    side = 2 * RIM + SQUARE * rows
    signs = [rectangle(0, 0, side, side, fill, round=14)]
    for line in range(rows):
        here = RIM + SQUARE * (line + 0.5)
        number = str(line + 1) if from_the_top else str(rows - line)
        signs.append(text(LETTERS[line], here, side - RIM / 2, 22, "on-wood", (side - here, side - RIM / 2)))
        signs.append(text(number, RIM / 2, here, 22, "on-wood", (RIM / 2, side - here)))
    return tuple(signs)
