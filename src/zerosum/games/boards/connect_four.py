"""The board of connect four: a plate with holes, and stones that fall behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from zerosum.board import Cell, Layout, Piece, path, rectangle, text
from zerosum.board.glyphs import disc
from zerosum.game import MAX

SIDE = 100.0
HOLE = 40.0
MARGIN = 12.0
FOOT = 44.0
COLOURS = {"x": ("red", "red"), "o": ("yellow", "yellow")}


def board(width: int, height: int, k: int, to_move: Callable[[Any], int]) -> dict[str, Callable[..., Any]]:
    """The board for ``k`` in a row; cells are named by column and row, from the lower left: ``4-1``."""
    rows = height + 1  # bits of a column

    def left(column: int) -> float:
        return MARGIN + SIDE * column

    def top(row: int) -> float:
        return MARGIN + SIDE * (height - 1 - row)

    def layout() -> Layout:
        cells = tuple(
            Cell(
                f"{column + 1}-{row + 1}",
                rectangle(left(column), top(row), SIDE, SIDE, "hollow"),
                f"column {column + 1}, row {row + 1}",
            )
            for row in reversed(range(height))
            for column in range(width)
        )
        whole = 2 * MARGIN + SIDE * width, 2 * MARGIN + SIDE * height
        numbers = (
            text(str(column + 1), left(column) + SIDE / 2, whole[1] + FOOT / 2, 26, "muted") for column in range(width)
        )
        glyphs = {colour: disc(colour, ring=True) for colour, _ in COLOURS.values()}
        return Layout(
            *(whole[0], whole[1] + FOOT, cells, glyphs),
            above=(path(plate(*whole), "slot"), *numbers),
            size=88,
            turns=False,
        )

    def plate(wide: float, high: float) -> str:
        """The front: its outline runs one way and each hole the other way, which leaves the holes open."""
        holes = (
            f"M{left(column) + SIDE / 2 - HOLE} {top(row) + SIDE / 2}"
            f"a{HOLE} {HOLE} 0 1 0 {2 * HOLE} 0a{HOLE} {HOLE} 0 1 0 {-2 * HOLE} 0z"
            for column in range(width)
            for row in range(height)
        )
        outline = f"M16 0H{wide - 16}q16 0 16 16V{high - 16}q0 16 -16 16H16q-16 0 -16 -16V16q0 -16 16 -16z"
        return outline + "".join(holes)

    def pieces(s: Any) -> list[Piece]:
        other = s.mover ^ s.filled
        x, o = (s.mover, other) if to_move(s) == MAX else (other, s.mover)
        found = []
        for column in range(width):
            for row in range(height):
                bit = 1 << rows * column + row
                if (x | o) & bit:
                    glyph, name = COLOURS["x" if x & bit else "o"]
                    found.append(Piece(f"{column + 1}-{row + 1}", glyph, name))
        return found

    def set_up(glyphs: Mapping[str, str], turn: int) -> str:
        """The position; the number of stones implies the side to move."""
        marks = {colour: mark for mark, (colour, _) in COLOURS.items()}

        def mark_at(column: int, row: int) -> str:
            cell = f"{column + 1}-{row + 1}"
            return marks[glyphs[cell]] if cell in glyphs else "."

        return "/".join("".join(mark_at(column, row) for column in range(width)) for row in reversed(range(height)))

    def path_of(s: Any, column: int) -> list[tuple[str, ...]]:
        """The cell where the stone lands; any free cell above it will do too."""
        tower = s.filled >> rows * column & ((1 << height) - 1)
        return [(f"{column + 1}-{row + 1}",) for row in range(tower.bit_length(), height)]

    def winning_line(s: Any) -> tuple[str, ...]:
        """Every stone of the player who just moved that is part of ``k`` or more in a row."""
        stones = s.mover ^ s.filled
        won = {}
        for column, row in product(range(width), range(height)):
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * across, row + i * up) for i in range(k)]
                if all(c < width and 0 <= r < height and stones >> rows * c + r & 1 for c, r in line):
                    won.update(dict.fromkeys(f"{c + 1}-{r + 1}" for c, r in line))
        return tuple(won)

    return {"layout": layout, "pieces": pieces, "path": path_of, "set_up": set_up, "winning_line": winning_line}
