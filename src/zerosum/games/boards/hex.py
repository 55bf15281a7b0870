"""The board of Hex: a rhombus of hexagons between two red and two blue sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zerosum.board import Cell, Layout, Piece, Point, polygon, text
from zerosum.board.glyphs import disc

RADIUS = 50.0  # of a hexagon: from its centre to a corner
ACROSS = 3**0.5 * RADIUS  # from the centre of a cell to that of the next in the row
DOWN = 1.5 * RADIUS  # from row to row; each row begins half a hexagon further to the right
SIDES = 0.85  # how far the coloured sides extend beyond the centres of the outer cells, in cells
NAMES = 1.25  # the distance of letters and numbers from the centres of the outer cells, in cells
COLOURS = {"r": "red", "b": "blue"}
CORNERS = ((0, -1), (0.5, -0.5), (0.5, 0.5), (0, 1), (-0.5, 0.5), (-0.5, -0.5))


def board(size: int, names: list[str], rows: Callable[[Any], list[str]]) -> dict[str, Callable[..., Any]]:
    """The board, with cells of these names; ``rows(s)`` has r, b or a dot for each. It includes ``show``."""

    def show(s: Any) -> str:
        letters = " ".join(name[0] for name in names[:size])
        lines = [f"{n:<2}{n * ' '}{' '.join(row)}" for n, row in enumerate(rows(s), 1)]
        return "\n".join([f"  {letters}", *lines])

    def at(row: float, column: float) -> Point:
        """The centre of a cell; the left margin has room for the numbers."""
        return ACROSS * (column + row / 2 + 1.5 * NAMES + 0.4), DOWN * (row + NAMES + 0.4)

    def hexagon(row: int, column: int) -> list[Point]:
        x, y = at(row, column)
        return [(x + ACROSS * right, y + RADIUS * down) for right, down in CORNERS]

    def layout() -> Layout:
        low, high, middle = -SIDES, size - 1 + SIDES, at((size - 1) / 2, (size - 1) / 2)
        a, b, c, d = at(low, low), at(low, high), at(high, high), at(high, low)
        sides = [(a, b, "red"), (b, c, "blue"), (c, d, "red"), (d, a, "blue")]
        signs = [text(names[n][0], *at(-NAMES, n), 30, "muted") for n in range(size)]
        signs += [text(str(n + 1), *at(n, -NAMES), 30, "muted") for n in range(size)]
        wide, deep = at(high, high)
        return Layout(
            wide + ACROSS / 4,
            deep + ACROSS / 4,
            tuple(Cell(name, polygon(hexagon(*divmod(n, size)), "light", "line", 2)) for n, name in enumerate(names)),
            {colour: disc(colour) for colour in COLOURS.values()},
            below=(*(polygon((one, other, middle), colour) for one, other, colour in sides), *signs),
            size=78,
            turns=False,
        )

    def pieces(s: Any) -> list[Piece]:
        found = zip(names, "".join(rows(s)), strict=True)
        return [Piece(name, COLOURS[mark], f"{COLOURS[mark]} stone") for name, mark in found if mark in COLOURS]

    def path_of(s: Any, cell: int) -> tuple[str, ...]:
        return (names[cell],)

    def set_up(glyphs: Mapping[str, str], turn: int) -> str:
        """The position; the number of stones implies the side to move."""
        marks = "".join(glyphs[name][0] if name in glyphs else "." for name in names)
        return "/".join(marks[size * row : size * (row + 1)] for row in range(size))

    def winning_line(s: Any) -> tuple[str, ...]:
        """The shortest chain between the winner's sides."""
        marks = "".join(rows(s))
        for mark, begins, ends in (
            ("r", range(size), range(size * (size - 1), size * size)),
            ("b", range(0, size * size, size), range(size - 1, size * size, size)),
        ):
            before: dict[int, int | None] = {cell: None for cell in begins if marks[cell] == mark}
            for cell in (queue := list(before)):
                if cell in ends:
                    chain = [cell]
                    while (last := before[chain[-1]]) is not None:
                        chain.append(last)
                    return tuple(names[one] for one in chain)
                row, column = divmod(cell, size)
                for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
                    near = size * (row + down) + column + right
                    inside = 0 <= row + down < size and 0 <= column + right < size
                    if inside and marks[near] == mark and near not in before:
                        before[near] = cell
                        queue.append(near)
        return ()

    return {
        "show": show,
        "layout": layout,
        "pieces": pieces,
        "path": path_of,
        "set_up": set_up,
        "winning_line": winning_line,
    }
