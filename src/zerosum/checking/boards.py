"""The laws of boards: cells, glyphs and paints exist, pieces are on cells, moves run over cells, and the counts beside
the board are numbers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from zerosum.board import KINDS, PAINTS, Layout, Piece, Shape, ways
from zerosum.checking.report import Broken, CheckLog
from zerosum.game import MAX, MIN, Game

CELL_SHAPES = ("rectangle", "circle", "polygon")
COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")


class BoardLaws:
    """Checks a game's ``layout`` once, and its ``pieces`` and ``path`` in every position it is given."""

    def __init__(self, game: Game, log: CheckLog) -> None:
        self.game, self.log = game, log
        self.board: Layout | None = None
        self.cells: frozenset[str] = frozenset()

    def look(self) -> None:
        """Check the layout itself."""
        if not self.log.wants("layout"):
            return
        board = self._ask("layout")
        if not isinstance(board, Layout):
            raise self._broken("layout", f"must return a zerosum.board.Layout, not {board!r}")
        for fault in layout_faults(board):
            self.log.fault("layout", fault)
        self.board, self.cells = board, frozenset(cell.id for cell in board.cells)

    def position(self, s: Any, moves: list[int]) -> None:
        """Check the pieces on the board in ``s``, and the paths of its moves."""
        if self.log.wants("counts"):
            self._counts(s)
        for rule in ("pieces", "path", "set_up", "winning_line"):
            if self.game.has(rule) and not self.game.has("layout"):
                raise self._broken(rule, "needs layout(), which the game does not define")
        if self.board is None:
            return
        if self.log.wants("pieces"):
            for piece in self._ask("pieces", s):
                self._piece(piece, s, self.board)
        if moves and self.log.wants("path"):
            for move in moves:
                self._path(s, move)
        if self.log.wants("set_up"):
            self._set_up(s)
        if not moves and self.log.wants("winning_line"):
            for cell in self._ask("winning_line", s):
                if cell not in self.cells:
                    raise self._broken("winning_line", f"has {cell!r}, which is not a cell of the layout", s)

    def _piece(self, piece: Any, s: Any, board: Layout) -> None:
        if not isinstance(piece, Piece):
            raise self._broken("pieces", f"must yield zerosum.board.Piece, not {piece!r}", s)
        if piece.cell not in self.cells:
            raise self._broken("pieces", f"a piece is on {piece.cell!r}, which is not a cell of the layout", s)
        if piece.glyph and piece.glyph not in board.glyphs:
            raise self._broken("pieces", f"the glyph {piece.glyph!r} is not in the layout", s)
        if not piece.glyph and not piece.text:
            raise self._broken("pieces", f"the piece on {piece.cell!r} has neither glyph nor text", s)
        if not _is_paint(piece.fill):
            raise self._broken("pieces", f"{piece.fill!r} is not a paint", s)

    def _path(self, s: Any, move: int) -> None:
        try:
            found = ways(self.game, s, move)
        except Exception as problem:
            raise self._broken("path", f"of the move {move} raises {type(problem).__name__}: {problem}", s) from problem
        if not found:
            raise self._broken("path", f"of the move {move} is empty; a path without cells, (), makes it a button", s)
        for cell in (cell for way in found for cell in way):
            if cell not in self.cells:
                raise self._broken("path", f"of the move {move} touches {cell!r}, which is not a cell of the layout", s)

    def _set_up(self, s: Any) -> None:
        """Check that setting up the pieces of a position gives the same pieces."""
        stand = {piece.cell: piece.glyph for piece in self._ask("pieces", s)}
        turn = self.game.to_move(s)
        if turn not in (MAX, MIN):
            return
        try:
            text = self.game.set_up(stand, turn)
            found = {piece.cell: piece.glyph for piece in self.game.pieces(self.game.parse_state(text))}
        except Exception as problem:
            raise self._broken("set_up", f"raises {type(problem).__name__}: {problem}", s) from problem
        if found != stand:
            differ = sorted(set(found.items()) ^ set(stand.items()))[0][0]
            raise self._broken("set_up", f"gives {text!r}, where {differ!r} has something else on it", s)

    def _counts(self, s: Any) -> None:
        found = self._ask("counts", s)
        if not isinstance(found, Mapping):
            raise self._broken("counts", f"must return a dict, not {found!r}", s)
        for name, numbers in found.items():
            both = tuple(numbers) if isinstance(numbers, (tuple, list)) else ()
            if len(both) != 2 or not all(isinstance(one, (int, float)) for one in both):
                raise self._broken("counts", f"{name!r} must be two numbers, for MAX and MIN, not {numbers!r}", s)

    def _ask(self, rule: str, *arguments: Any) -> Any:
        try:
            found = getattr(self.game, rule)(*arguments)
            return found if rule in ("layout", "counts") else list(found)
        except Exception as problem:
            raise self._broken(rule, f"raises {type(problem).__name__}: {problem}", *arguments) from problem

    def _broken(self, rule: str, message: str, s: Any = None) -> Broken:
        return self.log.broken(rule, message, s)


def layout_faults(board: Layout) -> list[str]:
    """The faults of a layout, a line each.

    >>> from zerosum.board import Cell, rectangle
    >>> layout_faults(Layout(10, 10, (Cell("a", rectangle(0, 0, 10, 10, "teal")),)))
    ["cell 'a': 'teal' is neither a paint nor a colour such as #b58863"]
    """
    faults = []
    if not (_is_length(board.width) and _is_length(board.height)):
        faults.append(f"width and height must be above 0, not {board.width!r} and {board.height!r}")
    if not _is_length(board.size):
        faults.append(f"size must be above 0, not {board.size!r}")
    if not board.cells:
        faults.append("has no cells")
    for id, times in Counter(cell.id for cell in board.cells).items():
        if times > 1:
            faults.append(f"has {times} cells with the name {id!r}")
        if not isinstance(id, str) or not id:
            faults.append(f"a cell's id must be a non-empty string, not {id!r}")
    for cell in board.cells:
        if cell.shape.kind not in CELL_SHAPES:
            faults.append(f"cell {cell.id!r} is a {cell.shape.kind}; it can be a {', '.join(CELL_SHAPES)}")
        faults += shape_faults(f"cell {cell.id!r}", [cell.shape])
        x, y = cell.middle
        if not (0 <= x <= board.width and 0 <= y <= board.height):
            faults.append(f"the middle of cell {cell.id!r}, {cell.middle}, is outside the board")
    if board.near not in (MAX, MIN):
        faults.append(f"near must be MAX (0) or MIN (1), not {board.near!r}")
    faults += shape_faults("below", board.below) + shape_faults("above", board.above)
    for name, glyph in board.glyphs.items():
        faults += shape_faults(f"glyph {name!r}", glyph)
    ids = {cell.id for cell in board.cells}
    faults += [f"dice names {id!r}, which is not a cell" for id in board.dice if id not in ids]
    if board.dice:
        faults += [f"dice need the glyph die-{n}" for n in range(1, 7) if f"die-{n}" not in board.glyphs]
    return faults


def shape_faults(where: str, shapes: Iterable[Shape]) -> list[str]:
    faults = []
    for shape in shapes:
        if shape.kind not in KINDS:
            faults.append(f"{where}: a shape can be {', '.join(KINDS)}, not {shape.kind!r}")
            continue
        wanted, given = KINDS[shape.kind], len(shape.place)
        if (wanted and given != wanted) or (shape.kind == "polygon" and (given < 6 or given % 2)):
            faults.append(f"{where}: {given} is the wrong number of coordinates for a {shape.kind}")
        if not all(isinstance(number, (int, float)) and math.isfinite(number) for number in shape.place):
            faults.append(f"{where}: {shape.place!r} are not all numbers")
        if shape.kind == "path" and not re.fullmatch(r"\s*[Mm][-+.,\s\deMmLlHhVvCcSsQqTtAaZz]*", shape.path):
            faults.append(f"{where}: {shape.path!r} is not an SVG path")
        for paint in (shape.fill, shape.edge):
            if paint and not _is_paint(paint):
                faults.append(f"{where}: {paint!r} is neither a paint nor a colour such as #b58863")
    return faults


def _is_paint(word: str) -> bool:
    return word in PAINTS or COLOUR.fullmatch(word) is not None


def _is_length(number: Any) -> bool:
    return isinstance(number, (int, float)) and math.isfinite(number) and number > 0
