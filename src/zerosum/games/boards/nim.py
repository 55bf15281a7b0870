"""The board of Nim: heaps of counters, which are taken from the top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zerosum.board import Cell, Layout, Piece, circle, rectangle, text
from zerosum.board.glyphs import disc

STEP = 90.0
HIGHEST = 10  # larger heaps have several columns
GAP = 60.0
FOOT = 56.0
MARGIN = 20.0


def board(
    sizes: Sequence[int], names: str, heap_sizes: Callable[[int, int], list[int]], bits: int
) -> dict[str, Callable[..., Any]]:
    """The board for heaps of these sizes; the counters of heap b are ``b1`` (at the bottom), ``b2`` and so on."""
    high = min(max(sizes), HIGHEST)
    # The number of columns of each heap, and its left edge.
    columns = [-(-size // HIGHEST) for size in sizes]
    lefts = [MARGIN + sum(STEP * n + GAP for n in columns[:heap]) for heap in range(len(sizes))]
    wide = lefts[-1] + STEP * columns[-1] + MARGIN
    floor = 2 * MARGIN + STEP * high

    def layout() -> Layout:
        cells, signs = [], [rectangle(0, floor - 4, wide, 8, "wood", round=4)]
        for heap, size in enumerate(sizes):
            for k in range(size):
                x = lefts[heap] + STEP * (k // HIGHEST + 0.5)
                y = floor - MARGIN - STEP * (k % HIGHEST + 0.5)
                label = f"heap {names[heap]}, counter {k + 1}"
                cells.append(Cell(f"{names[heap]}{k + 1}", circle(x, y, 42, "paper", "line", 1.5), label))
            signs.append(text(names[heap], lefts[heap] + STEP * columns[heap] / 2, floor + FOOT / 2, 30, "muted"))
        glyphs = {"counter": disc("yellow", ring=True)}
        return Layout(wide, floor + FOOT, tuple(cells), glyphs, below=tuple(signs), size=84, turns=False)

    def pieces(s: Any) -> list[Piece]:
        return [
            Piece(f"{name}{k + 1}", "counter", "there")
            for name, size in zip(names, heap_sizes(s.heaps, len(sizes)), strict=False)
            for k in range(size)
        ]

    def path_of(s: Any, move: int) -> list[tuple[str, ...]]:
        """The counters taken, from the lowest up; choosing the lowest takes all those above it too."""
        heap, number = move >> bits, move & ((1 << bits) - 1)
        size = heap_sizes(s.heaps, len(sizes))[heap]
        taken = tuple(f"{names[heap]}{k + 1}" for k in range(size - number, size))
        return [taken, taken[:1]]

    return {"layout": layout, "pieces": pieces, "path": path_of}
