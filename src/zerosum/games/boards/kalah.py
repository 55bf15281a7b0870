"""The board of Kalah: wooden, with two rows of pits and a store at either end."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, sqrt
from typing import Any

from zerosum.board import Cell, Layout, Piece, circle, rectangle, text
from zerosum.game import MAX

PIT = 62.0  # radius
STEP = 140.0
STORE = 110.0  # width
MARGIN = 20.0
MIDDLES = (380.0, 120.0)  # the vertical centres of South's row and North's
SIDES = ("South", "North")
SEEDS_DRAWN = 24  # more would not fit; the number shows how many there are
GOLDEN_ANGLE = pi * (3 - sqrt(5))
SEED = 24.0


def board(pits: int, counts: Callable[[int], list[int]]) -> dict[str, Callable[..., Any]]:
    """The board; pits are named by owner and number, such as ``s3`` or ``n3``, and stores ``s`` and ``n``."""
    left = 2 * MARGIN + STORE
    wide = 2 * left + STEP * pits
    high = sum(MIDDLES)

    def pit_middle(side: int, pit: int) -> tuple[float, float]:
        # North sits opposite, so North's first pit is on the right.
        place = pit if side == MAX else pits - 1 - pit
        return left + STEP * (place + 0.5), MIDDLES[side]

    def layout() -> Layout:
        cells, numbers = [], []
        for side, letter in enumerate("sn"):
            for pit in range(pits):
                x, y = pit_middle(side, pit)
                cells.append(
                    Cell(f"{letter}{pit + 1}", circle(x, y, PIT, "wood-dark"), f"{SIDES[side]}'s pit {pit + 1}")
                )
                numbers.append(text(str(pit + 1), x, y + (86 if side == MAX else -86), 22, "on-wood"))
            x = wide - MARGIN - STORE if side == MAX else MARGIN
            shape = rectangle(x, 60, STORE, high - 120, "wood-dark", round=STORE / 2)
            cells.append(Cell(letter, shape, f"{SIDES[side]}'s store"))
        glyphs = {"seed": (circle(0, 0, 44, "seed", "seed-edge", 6),)}
        below = (rectangle(0, 0, wide, high, "wood", round=40),)
        return Layout(wide, high, tuple(cells), glyphs, below=below, above=tuple(numbers), size=SEED)

    def pieces(s: Any) -> list[Piece]:
        found = []
        for letter, side in zip("sn", (s.south, s.north), strict=True):
            *in_pits, in_store = counts(side)
            for pit, number in enumerate(in_pits):
                found += heap(f"{letter}{pit + 1}", number)
            found += heap(letter, in_store)
        return found

    def heap(cell: str, number: int) -> list[Piece]:
        """The seeds, arranged as in a sunflower, and their number."""
        in_store = cell in ("s", "n")
        spread = 13.0 if in_store else 11.5
        seeds = [
            Piece(
                cell,
                "seed",
                x=spread * sqrt(k + 0.5) * cos(GOLDEN_ANGLE * k),
                y=spread * sqrt(k + 0.5) * sin(GOLDEN_ANGLE * k),
            )
            for k in range(min(number, SEEDS_DRAWN))
        ]
        label = f"{number} seed{'s' if number != 1 else ''}"
        # Clear of the seeds: between the rows, and at the foot of a store.
        place = 130.0 if in_store else -88.0 if cell[0] == "s" else 88.0
        return [*seeds, Piece(cell, "", label, str(number), y=place, size=36, fill="on-wood")]

    def path_of(s: Any, pit: int) -> list[tuple[str, ...]]:
        """The pit and every place that gets one of its seeds; choosing the pit is enough."""
        own, other = ("s", "n") if s.turn == MAX else ("n", "s")
        ring = [f"{own}{n + 1}" for n in range(pits)] + [own] + [f"{other}{n + 1}" for n in range(pits)]
        hand = counts(s.south if s.turn == MAX else s.north)[pit]
        trail = [ring[(pit + step) % len(ring)] for step in range(hand + 1)]
        return [tuple(trail), (trail[0],)]

    def in_stores(s: Any) -> dict[str, tuple[int, int]]:
        return {"in the store": (counts(s.south)[-1], counts(s.north)[-1])}

    return {"layout": layout, "pieces": pieces, "path": path_of, "counts": in_stores}
