"""The board of chess."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from zerosum.board import Layout, Piece
from zerosum.games.boards.chess_glyphs import glyphs
from zerosum.games.boards.squares import RIM, SQUARE, rim, squares
from zerosum.games.chess.fen import square_name
from zerosum.games.chess.notation import castling_rook
from zerosum.games.chess.position import CASTLING, Position, move_type, origin, target
from zerosum.jit.bits import bits

LETTERS = {"pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K"}
COLOUR: dict[str, dict[int, str]] = {"white": {}, "black": {ord(big): big.lower() for big in LETTERS.values()}}
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
WORTH = {"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9}


def board() -> dict[str, Callable[..., Any]]:
    return {"layout": layout, "pieces": pieces, "path": path_of, "counts": counts, "set_up": set_up}


def layout() -> Layout:
    side = 2 * RIM + 8 * SQUARE
    cells = squares(8, lambda row, column: "dark" if (row + column) % 2 else "light")
    return Layout(side, side, cells, glyphs(), below=rim(8), size=94)


def pieces(s: Position) -> list[Piece]:
    found = []
    for kind in KINDS:
        for square in bits(int(getattr(s, f"{kind}s"))):
            colour = "white" if int(s.white) >> square & 1 else "black"
            found.append(Piece(square_name(square), f"{colour}-{kind}", f"{colour} {kind}"))
    return found


def counts(s: Position) -> dict[str, tuple[int, int]]:
    """Material as beginners count it: pawn 1, knight and bishop 3, rook 5, queen 9."""
    white, black = (
        sum(worth * (int(getattr(s, f"{kind}s")) & int(side)).bit_count() for kind, worth in WORTH.items())
        for side in (s.white, s.black)
    )
    return {"material": (white, black)}


def set_up(glyphs: Mapping[str, str], turn: int) -> str:
    """A FEN. Kings and rooks on their starting squares may castle."""
    rows = []
    for rank in "87654321":
        found = (glyphs.get(f"{file}{rank}", "") for file in "abcdefgh")
        marks = "".join(
            LETTERS[glyph.partition("-")[2]].translate(COLOUR[glyph[:5]]) if glyph else "." for glyph in found
        )
        rows.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), marks))
    castling = ""
    for colour, rank, letters in (("white", "1", "KQ"), ("black", "8", "kq")):
        if glyphs.get(f"e{rank}") == f"{colour}-king":
            castling += "".join(
                letter
                for letter, file in zip(letters, "ha", strict=True)
                if glyphs.get(f"{file}{rank}") == f"{colour}-rook"
            )
    return f"{'/'.join(rows)} {'wb'[turn]} {castling or '-'} - 0 1"


def path_of(s: Position, move: int) -> list[tuple[str, str]]:
    """The start and end squares. To castle, choose the king's destination or the rook."""
    start, end = origin(move), target(move)
    direct = (square_name(start), square_name(end))
    if move_type(move) != CASTLING:
        return [direct]
    by_rook = (square_name(start), square_name(castling_rook(s, move)))
    # In Chess960 a castling king may move one square or none, which would look like another move or like none.
    return [direct, by_rook] if abs(start - end) > 1 and end != castling_rook(s, move) else [by_rook]
