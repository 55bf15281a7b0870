"""A board as data: what to draw, what stands on it, and which places a move touches.

A game that defines ``layout()``, ``pieces(s)`` and ``path(s, move)`` in these words is drawn by everything that draws
(the studio, notebooks, pictures in the documentation) and can be played by pointing; see ``docs/boards.md``.

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
"""The colours of all boards by name; ``classroom/drawing/assets/board.css`` says what each is by day and by night."""

KINDS = {"rectangle": 4, "circle": 3, "polygon": 0, "path": 0, "text": 2}
"""The shapes, and how many numbers place each; a polygon takes two for each corner, a path has its own words."""


@dataclass(frozen=True)
class Shape:
    """Something to draw. ``fill`` and ``edge`` are one of ``PAINTS`` or a colour such as ``#b58863``; '' is none.

    Attributes:
        place: of a rectangle x, y, width and height; of a circle its middle and radius; of a polygon its corners in
            turn; of a text its middle.
        width: of the edge.
        round: the radius of a rectangle's corners.
        path: of a path, what SVG calls its data.
        text: of a text, the text; ``size`` is its height.
        turned: where a text stands once the board is turned around; else it goes round with the board.
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
    """A shape in the language of SVG paths: ``M0 0h10v10z``."""
    return Shape("path", (), fill, edge, line, path=words)


def text(words: str, x: float, y: float, size: float, fill: str = "ink", turned: Point | None = None) -> Shape:
    return Shape("text", (x, y), fill, text=words, size=size, turned=turned)


@dataclass(frozen=True)
class Cell:
    """A place on the board that a person can point at.

    Attributes:
        id: what ``pieces`` and ``path`` call it.
        shape: a rectangle, circle or polygon.
        label: what it is called aloud; by default its id.
        middle: where pieces stand; by default the middle of the shape.
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
"""A drawing of a piece: shapes, the first at the bottom, in a square from (-50, -50) to (50, 50)."""


@dataclass(frozen=True)
class Layout:
    """A board without its pieces.

    Attributes:
        width, height: of the picture; its upper left corner is (0, 0).
        cells: drawn in this order.
        glyphs: drawings by name.
        below, above: what is drawn under and over the cells and their pieces, and is only to be looked at.
        size: of pieces that give no size of their own.
        turns: whether the board can be turned around, so that the other player sits below.
        dice: cells on which the faces of the last throw are shown, with the glyphs ``die-1`` to ``die-6``, in games
            whose positions do not keep them.
        pairs: whether a way is from, to, from, to …: several pieces that move one after the other. Else it is one
            piece's way from cell to cell.
        near: who sits at the lower edge, MAX (0) or MIN (1), while the board is not turned around.
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
        """The cell of this name; LookupError if there is none."""
        return self._by_id[id]


@dataclass(frozen=True)
class Piece:
    """Something on a cell: a glyph, a text, or both; of several on a cell the last lies on top.

    Attributes:
        label: what it is called aloud, such as "white knight". Of a stack, one piece may speak for all.
        x, y: how far it stands from the cell's middle.
        size: how large its square is, or how high its text if it has no glyph; 0 is the layout's size.
        fill: the paint of its text.
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
    """The middle of a rectangle or circle; of a polygon, that of its corners."""
    place = [float(number) for number in shape.place]
    if shape.kind == "rectangle":
        return place[0] + place[2] / 2, place[1] + place[3] / 2
    if shape.kind == "polygon":
        return sum(place[::2]) * 2 / len(place), sum(place[1::2]) * 2 / len(place)
    return (place[0], place[1]) if place else (0.0, 0.0)


Way = tuple[str, ...]


def ways(game: Game, s: Any, move: int) -> tuple[Way, ...]:
    """The ways to point at a move, the first of them the one to show: ``path(s, move)`` may give one or several.

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
    """A layout, piece or shape as plain lists and dictionaries for JSON; what has its default is left out."""
    if isinstance(value, (Layout, Cell, Shape, Piece)):
        parts = {part.name: (getattr(value, part.name), part.default) for part in fields(value)}
        return {name: data(found) for name, (found, usual) in parts.items() if found != usual and found != {}}
    if isinstance(value, Mapping):
        return {key: data(inner) for key, inner in value.items()}
    return [data(inner) for inner in value] if isinstance(value, (tuple, list)) else value
