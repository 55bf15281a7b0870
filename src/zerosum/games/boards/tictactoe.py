"""The board of tic-tac-toe: four lines, crosses and rings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zerosum.board import Cell, Layout, Piece, circle, path, rectangle

SIDE = 100.0
GLYPHS = {
    "cross": (path("M-30 -30L30 30M30 -30L-30 30", "", "max", 14),),
    "ring": (circle(0, 0, 32, "", "min", 14),),
}
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LINES = path("M100 6V294M200 6V294M6 100H294M6 200H294", "", "line", 5)


def board() -> dict[str, Callable[..., Any]]:
    return {"layout": layout, "pieces": pieces, "path": path_of, "set_up": set_up, "winning_line": winning_line}


def layout() -> Layout:
    cells = tuple(
        Cell(str(n + 1), rectangle(SIDE * (n % 3), SIDE * (n // 3), SIDE, SIDE, "paper"), f"cell {n + 1}")
        for n in range(9)
    )
    return Layout(3 * SIDE, 3 * SIDE, cells, GLYPHS, above=(LINES,), size=84, turns=False)


def pieces(s: Any) -> list[Piece]:
    found = []
    for cell in range(9):
        if s.x >> cell & 1:
            found.append(Piece(str(cell + 1), "cross", "X"))
        elif s.o >> cell & 1:
            found.append(Piece(str(cell + 1), "ring", "O"))
    return found


def path_of(s: Any, move: int) -> tuple[str, ...]:
    return (str(move + 1),)


def set_up(glyphs: Mapping[str, str], turn: int) -> str:
    """The position; the number of marks implies the side to move."""
    marks = {"cross": "x", "ring": "o"}
    return "".join(marks[glyphs[str(n)]] if str(n) in glyphs else "." for n in range(1, 10))


def winning_line(s: Any) -> tuple[str, ...]:
    for rows in ROWS:
        for side in (s.x, s.o):
            if all(side >> cell & 1 for cell in rows):
                return tuple(str(cell + 1) for cell in rows)
    return ()
