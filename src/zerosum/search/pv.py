"""Principal variations, one row of memory per ply: the length, then the moves."""

from __future__ import annotations

from zerosum.search.memory import PV_ROW


def extend_pv(rows, ply, move, mem):
    """Set the line of ``ply`` to ``move`` followed by the line of the next ply."""
    here = rows + ply * PV_ROW
    below = here + PV_ROW
    length = min(mem[below], PV_ROW - 2)
    mem[here] = length + 1
    mem[here + 1] = move
    for i in range(length):
        mem[here + 2 + i] = mem[below + 1 + i]
