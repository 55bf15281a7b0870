"""The board of Nine Men's Morris: three nested squares, joined at the middles of their sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zerosum.board import Layout, Piece
from zerosum.board.layouts import points, standing, stones
from zerosum.game import MAX, MIN

LETTERS = "abcdefg"
MEN = 9
MARKS = "·wb"
GLYPHS = ("", "white", "black")


def board(
    names: Sequence[str], lines: Sequence[tuple[int, ...]], men: Callable[[Any], list[int]]
) -> dict[str, Callable[..., Any]]:
    """The board, with points of these names; ``men(s)`` has 0, 1 or 2 for each. It includes ``show``."""
    places = {name: (LETTERS.index(name[0]), 7 - int(name[1])) for name in names}

    def layout() -> Layout:
        glyphs = {name: stone for name, stone in stones().items() if name in GLYPHS}
        return points({name: (float(x), float(y)) for name, (x, y) in places.items()}, lines, glyphs=glyphs)

    def pieces(s: Any) -> list[Piece]:
        return standing(layout(), men(s), GLYPHS)

    def show(s: Any) -> str:
        rows = [[" "] * 7 for _ in range(7)]
        for (x, y), man in zip(places.values(), men(s), strict=True):
            rows[y][x] = MARKS[man]
        drawn = [f"{7 - y} {' '.join(row)}".rstrip() for y, row in enumerate(rows)]
        hands = f"to place: White {s.hand[MAX]}, Black {s.hand[MIN]}"
        return "\n".join([*drawn, f"  {' '.join(LETTERS)}", hands])

    def set_up(glyphs: Mapping[str, str], turn: int) -> str:
        """The position; all men count as placed, unless a player has fewer than three: then the rest are in hand."""
        marks = "".join(glyphs[name][0] if name in glyphs else "." for name in names)
        hands = (0 if marks.count(man) > 2 else MEN - marks.count(man) for man in "wb")
        return " ".join([marks, *map(str, hands), "wb"[turn]])

    def counts(s: Any) -> dict[str, tuple[int, int]]:
        found = men(s)
        on_board = found.count(1), found.count(2)
        in_hand = {"to place": tuple(s.hand)} if any(s.hand) else {}
        return {"men": on_board, **in_hand}

    return {"layout": layout, "pieces": pieces, "show": show, "counts": counts, "set_up": set_up}
