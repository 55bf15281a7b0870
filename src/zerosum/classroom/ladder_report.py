"""The results of climbing the ladder: gains, theoretical limits, curves for a plot, and JSON.

>>> from zerosum.games import load
>>> Ladder(load("tictactoe"), [], seconds=2.0).depth  # before the first rung
0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zerosum.classroom.alphabeta import least_leaves
from zerosum.classroom.ladder import Climbed, Measure, effective_branching
from zerosum.game import Game

# Figures from the notes: "Positions with Smart Pruning", "Deep Blue", "Effectiveness of alpha-beta".
SMART_PRUNING = {
    2: 60,
    4: 2_000,
    6: 60_000,
    8: 2_000_000,
    10: 60_000_000,
    12: 2_000_000_000,
    14: 60_000_000_000,
    16: 2_000_000_000_000,
}
"""Chess positions by depth in plies, as the notes give them."""

CHESS_BRANCHING, DEEP_BLUE_BRANCHING = 35, 6
DEEP_BLUE_RATE, DEEP_BLUE_DEPTH, DEEP_BLUE_SECONDS = 200_000_000, 14, 300


@dataclass(frozen=True)
class Gain:
    """The factors by which a rung needs less than the one before, at the greatest depth that both have finished."""

    depth: int
    nodes: float
    seconds: float


class Ladder:
    """The rungs climbed so far from one position of a game."""

    def __init__(
        self, game: Game, climbed: Sequence[Climbed], *, seconds: float, wanted: int | None = None, position: str = ""
    ) -> None:
        self.game, self.climbed, self.seconds = game, list(climbed), seconds
        self.wanted, self.position = wanted, position

    @property
    def measured(self) -> list[Climbed]:
        return [climbed for climbed in self.climbed if climbed.measures]

    @property
    def depth(self) -> int:
        """The depth to compare: ``wanted``, or the greatest that every rung has finished; 0 before the first."""
        if self.wanted is not None:
            return self.wanted
        measured = self.measured
        if not measured:
            return 0
        depths = range(max(climbed.measures[-1].depth for climbed in measured), 0, -1)
        return next((d for d in depths if all(climbed.at(d) for climbed in measured)), 0)

    @property
    def branching(self) -> float:
        """The game's branching factor, from the nodes that minimax visited, since minimax leaves nothing out."""
        if not self.measured:
            return 0.0
        measure = self.shown(self.measured[0])
        return effective_branching(measure.nodes, measure.depth)

    def shown(self, climbed: Climbed) -> Measure:
        """The measure at the compared depth, or at the deepest one that this rung has finished."""
        found = climbed.at(self.depth) or climbed.deepest
        assert found is not None
        return found

    def limits(self, depth: int) -> tuple[float, float]:
        """The theoretical limits at a depth, in leaves: all (b^d) and fewest (Knuth and Moore)."""
        return self.branching**depth, least_leaves(self.branching, depth)

    def gain(self, climbed: Climbed) -> Gain | None:
        """The gain of this rung over the one before; None for the lowest."""
        place = self.measured.index(climbed)
        if not place:
            return None
        before = self.measured[place - 1]
        deepest = max(before.measures[-1].depth, climbed.measures[-1].depth)
        for depth in range(deepest, 0, -1):
            old, new = before.at(depth), climbed.at(depth)
            if old and new:
                return Gain(depth, old.nodes / max(new.nodes, 1), old.seconds / max(new.seconds, 1e-9))
        return None

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """Nodes by depth: a curve for each rung, and the two theoretical limits."""
        curves: dict[str, list[tuple[float, float]]] = {
            climbed.rung.name: [(m.depth, m.nodes) for m in climbed.measures] for climbed in self.measured
        }
        if curves:
            depths = range(1, max(self.depth, self.measured[0].measures[-1].depth) + 1)
            curves["b^d (all leaves)"] = [(d, self.limits(d)[0]) for d in depths]
            deepest = max(climbed.measures[-1].depth for climbed in self.measured)
            curves["Knuth–Moore (fewest)"] = [(d, self.limits(d)[1]) for d in range(1, deepest + 1)]
        return curves

    def plot(self) -> str:
        """The series as a drawing."""
        from zerosum.classroom.drawing.plot import line_plot

        title = f"{self.game.name}: nodes by depth, rung by rung"
        return line_plot(
            self.series(), title=title, x_label="depth", y_label="nodes", log_y=True, width=760, height=480
        )

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        worst, best = self.limits(self.depth)
        found: dict[str, Any] = {
            "game": self.game.name,
            "position": self.position,
            "seconds": self.seconds,
            "depth": self.depth,
            "branching": round(self.branching, 4),
            "theory": {"all_leaves": round(worst), "knuth_moore": round(best)} if self.depth else None,
            "rungs": [self._rung_as_dict(climbed) for climbed in self.climbed],
        }
        if self.game.name == "chess":
            found["notes"] = {
                "positions_with_smart_pruning": {str(d): n for d, n in SMART_PRUNING.items()},
                "branching": CHESS_BRANCHING,
                "deep_blue": {
                    "branching": DEEP_BLUE_BRANCHING,
                    "depth": DEEP_BLUE_DEPTH,
                    "seconds": DEEP_BLUE_SECONDS,
                    "nodes_per_second": DEEP_BLUE_RATE,
                },
            }
        return found

    def _rung_as_dict(self, climbed: Climbed) -> dict[str, Any]:
        found: dict[str, Any] = {
            "rung": climbed.rung.name.removeprefix("+ "),
            "origin": climbed.rung.origin or None,
            "skipped": climbed.skipped or None,
            "note": climbed.note or None,
        }
        if not climbed.measures:
            return found
        measure, deepest, gain = self.shown(climbed), climbed.measures[-1], self.gain(climbed)
        return {
            **found,
            "depth": measure.depth,
            "nodes": measure.nodes,
            "seconds": round(measure.seconds, 6),
            "reached": deepest.depth,
            "solved": deepest.proven,
            "branching": round(deepest.branching, 4),
            "gain": gain
            and {"depth": gain.depth, "fewer_nodes": round(gain.nodes, 3), "faster": round(gain.seconds, 3)},
            "by_depth": [
                {"depth": m.depth, "nodes": m.nodes, "seconds": round(m.seconds, 6), "value": m.value}
                for m in climbed.measures
            ],
        }
