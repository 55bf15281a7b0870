"""The board of checkers: Black at the top, on squares 1 to 12, White at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zerosum.board import Cell, Glyph, Layout, Piece, path, rectangle, text
from zerosum.board.glyphs import disc
from zerosum.game import MIN
from zerosum.games.checkers.position import Position, square_of, squares_of, way

SQUARE = 100.0
RIM = 20.0
SIDE = 2 * RIM + 8 * SQUARE
CROWN = "M-25 15L-29 -15L-13 -1L0 -23L13 -1L29 -15L25 15Z"


def board() -> dict[str, Callable[..., Any]]:
    return {"layout": layout, "pieces": pieces, "path": path_of, "counts": counts, "set_up": set_up}


def corner(square: int) -> tuple[float, float]:
    """The upper left corner of a square, 1 to 32."""
    row, place = divmod(square - 1, 4)
    column = 2 * place + (row + 1) % 2
    return RIM + SQUARE * column, RIM + SQUARE * row


def layout() -> Layout:
    cells, numbers = [], []
    for square in range(1, 33):
        x, y = corner(square)
        cells.append(Cell(str(square), rectangle(x, y, SQUARE, SQUARE, "dark"), f"square {square}"))
        # In the upper right corner, even when the board is turned.
        inset = SQUARE - (14 if square > 9 else 10)
        there = (SIDE - x - SQUARE + inset, SIDE - y - SQUARE + 13)
        numbers.append(text(str(square), x + inset, y + 13, 16, "on-dark", there))
    below = (rectangle(0, 0, SIDE, SIDE, "wood", round=14), rectangle(RIM, RIM, 8 * SQUARE, 8 * SQUARE, "light"))
    return Layout(
        SIDE,
        SIDE,
        tuple(cells),
        glyphs(),
        below=below,
        above=tuple(numbers),
        size=78,
        near=MIN,
    )


def glyphs() -> dict[str, Glyph]:
    crown = path(CROWN, "yellow", "yellow-edge", 4)
    men = {f"{colour}-man": disc(colour, ring=True) for colour in ("black", "white")}
    return {**men, **{f"{colour}-king": (*disc(colour), crown) for colour in ("black", "white")}}


def pieces(s: Position) -> list[Piece]:
    found = []
    for colour, theirs in (("black", s.black), ("white", s.white)):
        for kind, these in (("man", theirs & ~s.kings), ("king", theirs & s.kings)):
            found += [Piece(str(n), f"{colour}-{kind}", f"{colour} {kind}") for n in squares_of(these)]
    return found


def counts(s: Position) -> dict[str, tuple[int, int]]:
    sides = int(s.black), int(s.white)
    men, kings = ([(side & of).bit_count() for side in sides] for of in (~int(s.kings), int(s.kings)))
    return {"men": (men[0], men[1]), "kings": (kings[0], kings[1])}


def set_up(glyphs: Mapping[str, str], turn: int) -> str:
    """A FEN; men on the last row become kings."""
    words: dict[str, list[str]] = {"black": [], "white": []}
    for cell, glyph in sorted(glyphs.items(), key=lambda pair: int(pair[0])):
        colour, _, kind = glyph.partition("-")
        is_crowned = kind == "king" or (int(cell) > 28 if colour == "black" else int(cell) < 5)
        words[colour].append(f"{'K' if is_crowned else ''}{cell}")
    return f"{'BW'[turn]}:W{','.join(words['white'])}:B{','.join(words['black'])}"


def path_of(s: Position, move: int) -> tuple[str, ...]:
    """The start square, and every square where the piece lands."""
    return tuple(str(square_of(bit)) for bit in way(move))
