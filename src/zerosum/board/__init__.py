"""A board as data: what to draw, the pieces on it, and which cells a move touches.

A game that defines ``layout()``, ``pieces(s)`` and ``path(s, move)`` with these classes is drawn everywhere (in the
studio, in notebooks, in the documentation's pictures) and can be played by clicking cells; see ``docs/boards.md``.

>>> cells = [Cell(str(n), rectangle(10 * n, 0, 10, 10, "light"), f"place {n}") for n in range(3)]
>>> board = Layout(30, 10, tuple(cells), {"stone": (circle(0, 0, 40, "black"),)}, size=8)
>>> board.cell("2").middle
(25.0, 5.0)
>>> data(Piece("2", "stone", "a stone"))
{'cell': '2', 'glyph': 'stone', 'label': 'a stone'}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerosum.game import Game

Point = tuple[float, float]

PAINTS = (
    *("light", "dark", "paper", "wood", "wood-dark", "felt", "felt-line", "slot", "hollow"),
    *("point-light", "point-dark"),
    *("white", "white-edge", "black", "black-edge", "black-line", "red", "red-edge", "blue", "blue-edge"),
    *("yellow", "yellow-edge"),
    *("max", "min", "seed", "seed-edge", "die", "die-edge", "pip"),
    *("ink", "muted", "line", "on-wood", "on-light", "on-dark"),
)
"""The names of all colours of boards; ``classroom/drawing/assets/board.css`` defines each for light and dark."""

KINDS = {"rectangle": 4, "circle": 3, "polygon": 0, "path": 0, "text": 2}
"""The shapes, and how many numbers place each; a polygon has two for each corner, a path has its own syntax."""


@dataclass(frozen=True)
class Shape:
    """A shape to draw. ``fill`` and ``edge`` are one of ``PAINTS`` or a colour such as ``#b58863``; '' is none.

    Attributes:
        place: for a rectangle x, y, width and height; for a circle its centre and radius; for a polygon its corners in
            order; for a text its centre.
        width: the width of the edge.
        round: the radius of a rectangle's corners.
        path: for a path, its SVG path data.
        text: for a text, the text; ``size`` is its height.
        turned: the position of a text when the board is flipped; by default it moves with the board.
    """

    kind: str
    place: tuple[float, ...] = ()
    fill: str = ""
    edge: str = ""
    width: float = 0.0
    round: float = 0.0
    path: str = ""
    text: str = ""
    size: float = 0.0
    turned: Point | None = None


def rectangle(
    x: float, y: float, width: float, height: float, fill: str = "", edge: str = "", line: float = 0, round: float = 0
) -> Shape:
    return Shape("rectangle", (x, y, width, height), fill, edge, line, round)


def circle(x: float, y: float, radius: float, fill: str = "", edge: str = "", line: float = 0) -> Shape:
    return Shape("circle", (x, y, radius), fill, edge, line)


def polygon(corners: Sequence[Point], fill: str = "", edge: str = "", line: float = 0) -> Shape:
    return Shape("polygon", tuple(number for corner in corners for number in corner), fill, edge, line)


def path(words: str, fill: str = "", edge: str = "", line: float = 0) -> Shape:
    """A shape given as SVG path data: ``M0 0h10v10z``."""
    return Shape("path", (), fill, edge, line, path=words)


def text(words: str, x: float, y: float, size: float, fill: str = "ink", turned: Point | None = None) -> Shape:
    return Shape("text", (x, y), fill, text=words, size=size, turned=turned)


@dataclass(frozen=True)
class Cell:
    """A place on the board that can be clicked.

    Attributes:
        id: its name in ``pieces`` and ``path``.
        shape: a rectangle, circle or polygon.
        label: its name for screen readers; by default its id.
        middle: the position of pieces; by default the centre of the shape.
    """

    id: str
    shape: Shape
    label: str = ""
    middle: Point = ()  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.id)
        if not self.middle:
            object.__setattr__(self, "middle", middle_of(self.shape))


Glyph = tuple[Shape, ...]
"""The drawing of a piece: shapes, the first at the bottom, in a square from (-50, -50) to (50, 50)."""


@dataclass(frozen=True)
class Layout:
    """A board without its pieces.

    Attributes:
        width, height: size of the picture; its upper left corner is (0, 0).
        cells: the cells, in drawing order.
        glyphs: drawings by name.
        below, above: decorations drawn under and over the cells and their pieces.
        size: size of pieces that give none themselves.
        turns: whether the board can be flipped, so that the other player is at the bottom.
        dice: cells that show the faces of the last roll, with the glyphs ``die-1`` to ``die-6``, in games whose
            positions do not store them.
        pairs: whether a path is from, to, from, to …: several pieces that move one after the other. Otherwise it is
            one piece's path from cell to cell.
        near: the player at the bottom, MAX (0) or MIN (1), while the board is not flipped.
    """

    width: float
    height: float
    cells: tuple[Cell, ...]
    glyphs: Mapping[str, Glyph] = field(default_factory=dict)
    below: tuple[Shape, ...] = ()
    above: tuple[Shape, ...] = ()
    size: float = 10.0
    turns: bool = True
    dice: tuple[str, ...] = ()
    near: int = 0
    pairs: bool = False

    @cached_property
    def _by_id(self) -> dict[str, Cell]:
        return {cell.id: cell for cell in self.cells}

    def cell(self, id: str) -> Cell:
        """The cell with this name; raises LookupError if there is none."""
        return self._by_id[id]


@dataclass(frozen=True)
class Piece:
    """A piece on a cell: a glyph, a text, or both. Of several on one cell the last is on top.

    Attributes:
        label: its name for screen readers, such as "white knight". In a stack, one piece may have a label for all.
        x, y: its offset from the cell's centre.
        size: the size of its square, or the height of its text if it has no glyph; 0 means the layout's size.
        fill: the colour of its text.
    """

    cell: str
    glyph: str = ""
    label: str = ""
    text: str = ""
    x: float = 0.0
    y: float = 0.0
    size: float = 0.0
    fill: str = "ink"


def middle_of(shape: Shape) -> Point:
    """The centre of a rectangle or circle; for a polygon, the mean of its corners."""
    place = [float(number) for number in shape.place]
    if shape.kind == "rectangle":
        return place[0] + place[2] / 2, place[1] + place[3] / 2
    if shape.kind == "polygon":
        return sum(place[::2]) * 2 / len(place), sum(place[1::2]) * 2 / len(place)
    return (place[0], place[1]) if place else (0.0, 0.0)


Way = tuple[str, ...]


def ways(game: Game, s: Any, move: int) -> tuple[Way, ...]:
    """The paths that select a move, the one to show first: ``path(s, move)`` may return one or several.

    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> ways(game, game.initial(), 4)
    (('5',),)
    """
    found = game.path(s, move)
    if any(not isinstance(step, str) for step in found):
        return tuple(dict.fromkeys(tuple(way) for way in found))
    return (tuple(found),)


def data(value: Any) -> Any:
    """A layout, piece or shape as plain lists and dictionaries for JSON, without default values."""
    if isinstance(value, (Layout, Cell, Shape, Piece)):
        parts = {part.name: (getattr(value, part.name), part.default) for part in fields(value)}
        return {name: data(found) for name, (found, usual) in parts.items() if found != usual and found != {}}
    if isinstance(value, Mapping):
        return {key: data(inner) for key, inner in value.items()}
    return [data(inner) for inner in value] if isinstance(value, (tuple, list)) else value
