"""Which values are exact, and which are only bounds.

A value is a bound if something was cut off below it, or if it depends on a child's bound. If all leaves were looked at,
it is exact, whatever the window was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from zerosum.classroom.events import Event, Kind, Path
from zerosum.classroom.walk import PASS
from zerosum.game import CHANCE, MAX

Interval = tuple[float, float]

TABLE_NOTES = {"its value is at least": 1, "its value is at most": -1}


@dataclass
class Visit:
    """A node during its search: the known intervals of its children, and whether some were cut off."""

    window: Interval
    is_probe: bool = False
    children: dict[int, Interval] = field(default_factory=dict)
    is_cut: bool = False
    own: Interval | None = None
    """The interval known without the children: of a leaf's value, a table entry, or an average."""

    def interval(self, player: int, value: float) -> Interval:
        """The interval that contains the value when the node is left with ``value``."""
        if self.own is not None:
            return self.own
        if player == CHANCE:  # cut off at its last outcome, which no event reports
            return value if value > self.window[0] else -inf, value if value < self.window[1] else inf
        if not self.children:
            return value, value
        if not self.is_cut:
            self.children.pop(PASS, None)  # the result of the null move no longer counts
        best = max if player == MAX else min
        low, high = (best(ends) for ends in zip(*self.children.values(), strict=True))
        if self.is_cut or self.is_probe:
            return (low, inf) if player == MAX else (-inf, high)
        return low, high


class Certainty:
    """Follows a trace, event by event."""

    def __init__(self) -> None:
        self._open: dict[Path, Visit] = {}

    def hear(self, event: Event) -> str:
        """The sign before the value when a node is left: ≤, ≥ or nothing. For other events: nothing."""
        kind, path, value = event.kind, event.path, event.value
        if kind is Kind.ENTER:
            self._open[path] = Visit((event.frame.alpha, event.frame.beta), event.note.startswith("to probe"))
            return ""
        visit = self._open.get(path)
        if visit is None:
            return ""
        if kind is Kind.PRUNE:
            visit.is_cut = True
        if value is None:
            return ""
        if kind in (Kind.EVALUATE, Kind.CHANCE_AVERAGE):
            visit.own = (value, value)
        elif kind is Kind.TABLE_HIT:
            side = TABLE_NOTES.get(event.note, 0)
            visit.own = (value if side >= 0 else -inf, value if side <= 0 else inf)
        elif kind is Kind.STAND_PAT:
            visit.children[-1] = (value, value)  # a choice like any move
        elif kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF) and event.frame.player == CHANCE:
            visit.own = (-inf, value) if kind is Kind.ALPHA_CUTOFF else (value, inf)
        elif kind is Kind.LEAVE:
            del self._open[path]
            found = visit.interval(event.frame.player, value)
            if path and path[:-1] in self._open:
                self._open[path[:-1]].children[path[-1]] = found
            return sign(value, found)
        return ""


def sign(value: float, known: Interval) -> str:
    """The sign before a value that is in the interval ``known``.

    >>> sign(2, (-inf, 2)), sign(9, (9, inf)), sign(4, (4, 4)), sign(3, (2, 2))
    ('≤', '≥', '', '≤')
    """
    low, high = known
    if low == high == value:
        return ""
    return "≤" if value >= high else "≥" if value <= low else ""
