"""Ready-made boards: a grid of squares, a rhombus of hexagons, points joined by lines.

Cells are numbered row by row from the top and named a1, b1 …; ``standing`` puts pieces on them.

>>> board = grid(3, 3)
>>> [cell.id for cell in board.cells[:4]]
['a1', 'b1', 'c1', 'a2']
>>> [(piece.cell, piece.glyph) for piece in standing(board, (0, 1, 2), ("", "white", "black"))]
[('b1', 'white'), ('c1', 'black')]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zerosum.board import Cell, Glyph, Layout, Piece, Point, circle, path, polygon, rectangle, text
from zerosum.board.glyphs import disc

SIDE = 100.0
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CORNERS = ((0.0, -1.0), (0.5, -0.5), (0.5, 0.5), (0.0, 1.0), (-0.5, 0.5), (-0.5, -0.5))


def stones() -> dict[str, Glyph]:
    """Glyphs for two players: discs by colour, and a cross and a ring.

    >>> sorted(stones())
    ['black', 'blue', 'o', 'red', 'white', 'x', 'yellow']
    """
    discs = {colour: disc(colour) for colour in ("white", "black", "red", "blue", "yellow")}
    cross = path("M-30 -30L30 30M30 -30L-30 30", "", "max", 14)
    return {**discs, "x": (cross,), "o": (circle(0, 0, 32, "", "min", 14),)}


def grid(
    rows: int,
    columns: int,
    *,
    names: Sequence[str] = (),
    chequered: bool = False,
    glyphs: Mapping[str, Glyph] | None = None,
) -> Layout:
    """A board of squares. ``names`` has a name for each cell, row by row from the top; by default the first is a1."""
    names = _named(names, [f"{_letter(column)}{row + 1}" for row in range(rows) for column in range(columns)])
    cells = tuple(
        Cell(
            names[columns * row + column],
            rectangle(
                SIDE * column,
                SIDE * row,
                SIDE,
                SIDE,
                ("dark" if (row + column) % 2 else "light") if chequered else "paper",
                "line",
                2,
            ),
        )
        for row in range(rows)
        for column in range(columns)
    )
    return Layout(SIDE * columns, SIDE * rows, cells, {**stones(), **(glyphs or {})}, size=78)


def hexagons(
    size: int, columns: int = 0, *, names: Sequence[str] = (), glyphs: Mapping[str, Glyph] | None = None
) -> Layout:
    """A rhombus of hexagons, as in Hex: each row starts half a cell further to the right."""
    columns = columns or size
    radius = SIDE / 2
    across, down = 3**0.5 * radius, 1.5 * radius
    names = _named(names, [f"{_letter(column)}{row + 1}" for row in range(size) for column in range(columns)])

    def corners(row: int, column: int) -> list[Point]:
        x, y = across * (column + row / 2 + 0.5), down * row + radius
        return [(x + across * right, y + radius * below) for right, below in CORNERS]

    cells = tuple(Cell(name, polygon(corners(*divmod(n, columns)), "light", "line", 2)) for n, name in enumerate(names))
    width, height = across * (columns + (size - 1) / 2), down * (size - 1) + 2 * radius
    return Layout(width, height, cells, {**stones(), **(glyphs or {})}, size=70, turns=False)


def points(
    places: Mapping[str, Point] | Sequence[Point],
    lines: Iterable[tuple[str | int, ...]] = (),
    *,
    labels: bool = False,
    glyphs: Mapping[str, Glyph] | None = None,
) -> Layout:
    """Points joined by lines: each line is a sequence of names, or numbers, of the points that it connects.

    Coordinates are in steps of a cell, x to the right and y down. Points without names are numbered from 0.

    >>> board = points({"a": (0, 0), "b": (2, 0), "c": (1, 1)}, ["ab", "bc"])
    >>> board.cell("c").middle
    (160.0, 160.0)
    """
    named = dict(places) if isinstance(places, Mapping) else {str(n): place for n, place in enumerate(places)}
    margin = 0.6 * SIDE
    left, top = min(x for x, _ in named.values()), min(y for _, y in named.values())
    spots = {name: (SIDE * (x - left) + margin, SIDE * (y - top) + margin) for name, (x, y) in named.items()}
    by_number = list(named)
    drawn = []
    for line in lines:
        ends = [spots[by_number[end] if isinstance(end, int) else end] for end in line]
        drawn.append(path("M" + "L".join(f"{x:g} {y:g}" for x, y in ends), "", "ink", 4))
    signs = [text(name, x + 22, y - 22, 16, "muted") for name, (x, y) in spots.items()] if labels else []
    cells = tuple(Cell(name, circle(x, y, 0.28 * SIDE, "paper", "line", 2)) for name, (x, y) in spots.items())
    return Layout(
        max(x for x, _ in spots.values()) + margin,
        max(y for _, y in spots.values()) + margin,
        cells,
        {**stones(), **(glyphs or {})},
        below=(*drawn, *signs),
        size=66,
    )


def standing(layout: Layout, numbers: Iterable[int], glyphs: Sequence[str]) -> list[Piece]:
    """The pieces of a position with a number for each cell: ``glyphs[number]`` is its glyph, '' for an empty cell."""
    found = zip(layout.cells, numbers, strict=False)
    return [Piece(cell.id, glyphs[n], f"{glyphs[n]} on {cell.label}") for cell, n in found if glyphs[n]]


def _letter(column: int) -> str:
    return LETTERS[column] if column < len(LETTERS) else f"{LETTERS[column // 26 - 1]}{LETTERS[column % 26]}"


def _named(names: Sequence[str], usual: list[str]) -> list[str]:
    if names and len(names) != len(usual):
        raise ValueError(f"a board of {len(usual)} cells needs {len(usual)} names, not {len(names)}")
    return list(names) or usual
