"""Nine Men's Morris to look at: three squares inside each other, joined in the middle of their sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zerosum.board import Layout, Piece
from zerosum.board.layouts import points, standing
from zerosum.game import MAX, MIN

LETTERS = "abcdefg"
MARKS = "·wb"
GLYPHS = ("", "white", "black")


def board(
    names: Sequence[str], lines: Sequence[tuple[int, ...]], men: Callable[[Any], list[int]]
) -> dict[str, Callable[..., Any]]:
    """The board whose points have these names; ``men(s)`` has 0, 1 or 2 for each. Also as plain text."""
    places = {name: (LETTERS.index(name[0]), 7 - int(name[1])) for name in names}

    def layout() -> Layout:
        return points({name: (float(x), float(y)) for name, (x, y) in places.items()}, lines)

    def pieces(s: Any) -> list[Piece]:
        return standing(layout(), men(s), GLYPHS)

    def show(s: Any) -> str:
        rows = [[" "] * 7 for _ in range(7)]
        for (x, y), man in zip(places.values(), men(s), strict=True):
            rows[y][x] = MARKS[man]
        drawn = [f"{7 - y} {' '.join(row)}".rstrip() for y, row in enumerate(rows)]
        hands = f"to put down: White {s.hand[MAX]}, Black {s.hand[MIN]}"
        return "\n".join([*drawn, f"  {' '.join(LETTERS)}", hands])

    def counts(s: Any) -> dict[str, tuple[int, int]]:
        found = men(s)
        on_board = found.count(1), found.count(2)
        in_hand = {"to put down": tuple(s.hand)} if any(s.hand) else {}
        return {"men": on_board, **in_hand}

    return {"layout": layout, "pieces": pieces, "show": show, "counts": counts}
