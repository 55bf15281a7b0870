"""The board of Othello: green felt, black and white discs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zerosum.board import Layout, Piece, circle
from zerosum.board.glyphs import disc
from zerosum.games.boards.squares import LETTERS, RIM, SQUARE, rim, squares

DOTS = tuple(circle(RIM + SQUARE * x, RIM + SQUARE * y, 7, "felt-line") for x in (2, 6) for y in (2, 6))


def board() -> dict[str, Callable[..., Any]]:
    return {"layout": layout, "pieces": pieces, "path": path_of, "counts": counts, "set_up": set_up}


def name(square: int) -> str:
    return f"{LETTERS[square % 8]}{square // 8 + 1}"


def layout() -> Layout:
    side = 2 * RIM + 8 * SQUARE
    cells = squares(8, lambda row, column: "felt", "felt-line", lambda row, column: name(8 * row + column))
    glyphs = {colour: disc(colour) for colour in ("black", "white")}
    return Layout(side, side, cells, glyphs, below=rim(8, from_the_top=True), above=DOTS, size=84)


def pieces(s: Any) -> list[Piece]:
    black, white = int(s.black), int(s.white)
    found = []
    for square in range(64):
        if (black | white) >> square & 1:
            colour = "black" if black >> square & 1 else "white"
            found.append(Piece(name(square), colour, f"{colour} disc"))
    return found


def set_up(glyphs: Mapping[str, str], turn: int) -> str:
    marks = {"black": "X", "white": "O"}
    return "".join(marks[glyphs[name(n)]] if name(n) in glyphs else "-" for n in range(64)) + f" {'XO'[turn]}"


def counts(s: Any) -> dict[str, tuple[int, int]]:
    return {"discs": (int(s.black).bit_count(), int(s.white).bit_count())}


def path_of(s: Any, move: int) -> tuple[str, ...]:
    return (name(move),) if move < 64 else ()  # a pass touches no square
