"""The ladder as rows of text: one per rung, then the two theoretical limits; for chess, published figures."""

from __future__ import annotations

from zerosum.classroom.ladder import Climbed, effective_branching
from zerosum.classroom.ladder_report import (
    CHESS_BRANCHING,
    DEEP_BLUE_BRANCHING,
    DEEP_BLUE_DEPTH,
    DEEP_BLUE_RATE,
    DEEP_BLUE_SECONDS,
    SMART_PRUNING,
    Ladder,
)
from zerosum.cli.output import count, duration, rate

COUNTING = "Nodes: positions after a move. The root is not counted; a program that counts it reports one more."

NEAREST_WIN = (
    "Nearer wins are worth more, so few values are equal. With only win, draw and loss, many values tie, and "
    "alpha-beta cuts off more: such a program visits fewer nodes, but cannot prefer a quick win to a slow one."
)

NUMBERS = (1, 2, 3, 4, 5, 6)
"""The columns that hold numbers."""


def headings(ladder: Ladder) -> tuple[str, ...]:
    return (
        "rung",
        f"nodes to depth {ladder.depth}",
        "time",
        "fewer nodes",
        "faster",
        f"depth in {ladder.seconds:g} s",
        "branching",
        "remark",
    )


def rows(ladder: Ladder) -> list[tuple[str, ...]]:
    """A row for each rung, and the two theoretical limits."""
    found = [_rung(ladder, climbed) for climbed in ladder.climbed]
    if ladder.depth and ladder.measured:
        worst, best = (round(leaves) for leaves in ladder.limits(ladder.depth))
        for name, leaves, remark in (
            (f"theory: b^{ladder.depth}", worst, "all leaves"),
            ("theory: Knuth–Moore", best, "fewest leaves"),
        ):
            factor = ladder.branching if leaves == worst else effective_branching(leaves, ladder.depth)
            found.append((name, count(leaves), "", "", "", "", f"{factor:.2f}", remark))
    return found


def _rung(ladder: Ladder, climbed: Climbed) -> tuple[str, ...]:
    name, remark = climbed.rung.name, climbed.skipped or climbed.note or climbed.rung.origin
    if climbed.skipped:
        return (name, "", "", "", "", "", "", remark)
    if not climbed.measures:
        return (name, "", "", "", "", "0", "", "no depth finished in this time")
    measure, deepest, gain = ladder.shown(climbed), climbed.measures[-1], ladder.gain(climbed)
    if measure.depth < ladder.depth and not measure.proven:
        remark = f"depth {measure.depth} only" + (f"; {remark}" if remark else "")
    return (
        name,
        count(measure.nodes),
        _short(measure.seconds),
        f"{_times(gain.nodes)} at {gain.depth}" if gain else "",
        _times(gain.seconds) if gain else "",
        f"{deepest.depth}{', solved' if deepest.proven else ''}",
        f"{deepest.branching:.2f}",
        remark,
    )


def words(ladder: Ladder) -> list[str]:
    """How to read the table."""
    if not ladder.measured:
        return []
    lines = [
        COUNTING,
        *([NEAREST_WIN] if not ladder.game.scored else []),
        f"b = {ladder.branching:.2f}: a tree with b moves everywhere has as many nodes as minimax visits. "
        "Knuth–Moore: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.",
        "Fewer nodes, faster: compared with the rung before, at the greatest depth that both have finished.",
        "Quiescence and extensions search further at the same depth: they gain better values, not fewer nodes.",
    ]
    return lines + (chess_words(ladder) if ladder.game.name == "chess" else [])


# The lecture notes' figures for chess


def chess_headings(ladder: Ladder) -> tuple[str, ...]:
    highest = ladder.measured[-1].rung.name.removeprefix("+ ")
    return ("depth", "notes: smart pruning", f"{CHESS_BRANCHING}^depth", "here: minimax", f"here: with {highest}")


def chess_rows(ladder: Ladder) -> list[tuple[str, ...]]:
    """The lecture notes' positions by depth and those measured; an empty list for games other than chess."""
    if ladder.game.name != "chess" or not ladder.measured:
        return []
    found = []
    for depth, positions in SMART_PRUNING.items():
        measured = (climbed.at(depth) for climbed in (ladder.measured[0], ladder.measured[-1]))
        here = (count(measure.nodes) if measure else "" for measure in measured)
        found.append((str(depth), count(positions), f"{CHESS_BRANCHING**depth:.1e}", *here))
    return found


def chess_words(ladder: Ladder) -> list[str]:
    """The lecture notes' other figures, each with the one measured here."""
    lowest, best = ladder.measured[0].measures[-1], ladder.measured[-1].measures[-1]
    return [
        f"branching: in the notes {CHESS_BRANCHING} down to about {DEEP_BLUE_BRANCHING} in Deep Blue; "
        f"here {ladder.branching:.1f} down to {best.branching:.1f}",
        f"depth: in the notes 7 by minimax and 14 by alpha-beta, as {CHESS_BRANCHING}^7 is 64 billion; "
        f"here {lowest.depth} by minimax and {best.depth} with all ideas in {duration(ladder.seconds)}",
        f"speed: in the notes Deep Blue's {rate(DEEP_BLUE_RATE)}, depth {DEEP_BLUE_DEPTH} in "
        f"{duration(DEEP_BLUE_SECONDS)}, 25 in extensions; "
        f"here {rate(best.nodes / max(best.seconds, 1e-9))}, depth {best.depth} in {duration(best.seconds)}",
    ]


def _short(seconds: float) -> str:
    """A duration; short ones with one more digit than ``duration`` gives.

    >>> _short(0.00071), _short(0.5)
    ('0.7 ms', '500 ms')
    """
    return duration(seconds) if seconds >= 0.01 else f"{1000 * seconds:.1f} ms"


def _times(factor: float) -> str:
    """A factor with three significant digits.

    >>> _times(26.36), _times(0.871), _times(1234.5)
    ('×26.4', '×0.87', '×1,234')
    """
    return f"×{factor:,.{2 if factor < 10 else 1 if factor < 100 else 0}f}"
