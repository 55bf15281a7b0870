"""A board as SVG, from the game's layout and pieces.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> picture = board_svg(game, game.play(game.initial(), 4))
>>> picture.count('class="cell'), picture.count('class="piece"'), "X" in picture
(9, 1, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.board import Cell, Layout, Piece, Point, Shape, ways
from zerosum.classroom.drawing.text import escape, short, style, tag
from zerosum.game import Game

TEXT_ON_GLYPH = 0.5  # of the piece's size


def board_svg(
    game: Game,
    s: Any,
    *,
    move: int | None = None,
    touched: Sequence[str] = (),
    flip: bool = False,
    width: float = 0,
) -> str:
    """The position as a self-contained drawing; ``move`` is the move that led here, whose cells are marked.

    ``touched`` names the cells to mark, if the position before the move is known. ``flip`` turns the board around.
    ``width`` is the width of the picture, by default the layout's own. MissingRule if the game has no board.
    """
    game.require("layout", "a drawing of the board")
    game.require("pieces", "a drawing of the board")
    picture = BoardPicture(game.layout(), flip)
    if move is not None and game.has("path"):
        touched = ways(game, s, move)[0]
    pieces = list(game.pieces(s))
    spoken = ", ".join(f"{picture.board.cell(p.cell).label} {p.label}" for p in pieces if p.label)
    return picture.draw(pieces, touched, f"{game.name}: {spoken or 'no pieces'}", width)


class BoardPicture:
    """A layout, ready to be drawn with any pieces; on a turned board, texts and pieces stay upright."""

    def __init__(self, board: Layout, flip: bool = False) -> None:
        self.board = board
        self.flip = flip and board.turns

    def draw(self, pieces: list[Piece], touched: Sequence[str] = (), label: str = "", width: float = 0) -> str:
        board = self.board
        scale = width / board.width if width else 1.0
        inside = [f"<style>{style('board.css')}</style>"]
        inside += [self.shape(shape) for shape in board.below]
        inside += [self.cell(cell, cell.id in touched) for cell in board.cells]
        inside += [self.piece(piece) for piece in pieces]
        inside += [self.shape(shape) for shape in board.above]
        attributes = {
            "xmlns": "http://www.w3.org/2000/svg",
            "class": "zs-board",
            "width": board.width * scale,
            "height": board.height * scale,
            "viewBox": f"0 0 {short(board.width)} {short(board.height)}",
            "role": "img",
            "aria-label": label,
        }
        return tag("svg", attributes, "".join(inside))

    def cell(self, cell: Cell, touched: bool = False) -> str:
        drawn = self.shape(cell.shape)
        if touched:
            drawn += self.shape(Shape(cell.shape.kind, cell.shape.place, round=cell.shape.round), "touched")
        return tag("g", {"class": "cell", "data-cell": cell.id}, drawn)

    def piece(self, piece: Piece) -> str:
        x, y = self.board.cell(piece.cell).middle
        x, y = self._turned((x + piece.x, y + piece.y))
        size = piece.size or self.board.size
        drawn = ""
        if piece.glyph:
            place = f"translate({short(x)} {short(y)}) scale({short(size / 100) if size >= 10 else size / 100})"
            drawn = tag("g", {"transform": place}, "".join(draw(part) for part in self.board.glyphs[piece.glyph]))
        if piece.text:
            height = size * TEXT_ON_GLYPH if piece.glyph else size
            drawn += draw(Shape("text", (x, y), piece.fill, text=piece.text, size=height))
        return tag("g", {"class": "piece"}, drawn)

    def shape(self, shape: Shape, kind: str = "") -> str:
        """A shape of the board, at its place after the board is turned."""
        if not self.flip:
            return draw(shape, kind)
        if shape.kind == "text":
            x, y = shape.turned or self._turned((shape.place[0], shape.place[1]))
            return draw(Shape("text", (x, y), shape.fill, text=shape.text, size=shape.size), kind)
        middle = f"{short(self.board.width / 2)} {short(self.board.height / 2)}"
        return tag("g", {"transform": f"rotate(180 {middle})"}, draw(shape, kind))

    def _turned(self, place: Point) -> Point:
        return (self.board.width - place[0], self.board.height - place[1]) if self.flip else place


def draw(shape: Shape, kind: str = "") -> str:
    """One shape as an SVG element."""
    look = _paint(shape, kind)
    place = [float(number) for number in shape.place]
    if shape.kind == "rectangle":
        names = dict(zip(("x", "y", "width", "height"), place, strict=True))
        return tag("rect", {**look, **names, "rx": float(shape.round) or None})
    if shape.kind == "circle":
        return tag("circle", {**look, **dict(zip(("cx", "cy", "r"), place, strict=True))})
    if shape.kind == "polygon":
        return tag("polygon", {**look, "points": " ".join(map(short, place))})
    if shape.kind == "path":
        return tag("path", {**look, "d": shape.path})
    where = {"x": place[0], "y": place[1], "font-size": float(shape.size)}
    return tag("text", {**look, **where}, escape(shape.text))


def _paint(shape: Shape, kind: str) -> dict[str, object]:
    """The attributes for a shape's colours: named colours are classes of the style sheet, others are literal."""
    classes = [kind] if kind else []
    look: dict[str, object] = {"class": None}
    for word, property_, colour in (("fill", "fill", shape.fill), ("edge", "stroke", shape.edge)):
        if colour.startswith("#"):
            look[property_] = colour
        elif colour:
            classes.append(f"{word}-{colour}")
        elif word == "fill" and not kind:
            classes.append("no-fill")
    if shape.edge and shape.width:
        look["stroke-width"] = float(shape.width)
    look["class"] = " ".join(classes) or None
    return look
