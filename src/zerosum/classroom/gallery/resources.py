"""The arithmetic of chess in the notes: how deep can a number of nodes reach?"""

from __future__ import annotations

from math import log

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example, Report

BRANCHING = 35
MINUTES_5 = 300

# Seconds per move, nodes per second, and the plies of minimax according to the notes.
CASES = (
    ("a plain program", 100, 10_000, 4),
    ("a fast PC, software only", MINUTES_5, 2_000_000, 5),
    ("Deep Blue", MINUTES_5, 200_000_000, 7),
)


def plies(nodes: float, branching: float = BRANCHING) -> float:
    """The depth d with branching^d nodes.

    >>> round(plies(35**7), 6)
    7.0
    """
    return log(nodes) / log(branching)


def _report() -> Report:
    lines, figures = [], {}
    for who, seconds, speed, noted in CASES:
        nodes = seconds * speed
        depth = plies(nodes)
        figures[who] = (nodes, depth)
        lines.append(
            f"{who}: {seconds} s at {speed:,} nodes/s are {nodes:,} nodes; {BRANCHING}^{noted} = {BRANCHING**noted:,}, "
            f"so minimax reaches {depth:.1f} plies (the notes: {noted}), alpha-beta at best twice as many"
        )
    lines.append("Depths according to the notes: 4 plies a novice, 8 to 10 a PC and a master, 14 Deep Blue.")
    return Report(tuple(lines), figures)


EXAMPLES = (
    Example(
        "chess-arithmetic",
        "How deep can chess be searched?",
        topics.LIMITS,
        "The number of nodes per move, converted to plies with 35 moves per position; alpha-beta at its best doubles "
        "them.",
        _report,
        figures={"35^7": 64_339_296_875, "35^5": 52_521_875, "plies by 10^6 nodes": 4, "Deep Blue": 14},
        reconstructed="In places, exponents were extracted as plain characters: O(bm) is O(b^m).",
    ),
)
