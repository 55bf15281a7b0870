"""The board of Pig: two lanes of a race, a die, and two buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.board import Cell, Layout, Piece, circle, path, rectangle, text
from zerosum.board.glyphs import dice

WIDE, HIGH = 800.0, 480.0
START, TRACK = 90.0, 600.0  # the left end of a lane, and the distance to the goal
LANES = (70.0, 170.0)
RUNNER = 56.0
NAMES = ("MAX", "MIN")
PAINTS = ("max", "min")


def board(target: int, roll: int) -> dict[str, Callable[..., Any]]:
    def layout() -> Layout:
        cells = [
            Cell(f"lane-{name}", rectangle(START - 40, y - 34, TRACK + 80, 68, "hollow", round=34), f"{name}'s lane")
            for name, y in zip(NAMES, LANES, strict=True)
        ]
        cells += [
            Cell(f"score-{name}", circle(752, y, 40), f"{name}'s points") for name, y in zip(NAMES, LANES, strict=True)
        ]
        cells.append(Cell("die", rectangle(WIDE / 2 - 70, 270, 140, 140, "hollow", round=24), "the die"))
        cells.append(Cell("roll", rectangle(60, 290, 220, 100, "wood", round=20), "roll"))
        cells.append(Cell("hold", rectangle(WIDE - 280, 290, 220, 100, "wood", round=20), "hold"))
        cells.append(Cell("turn", rectangle(0, 420, WIDE, 50), "this turn"))
        signs = [text("Roll", 170, 340, 40, "on-wood"), text("Hold", WIDE - 170, 340, 40, "on-wood")]
        goal = path(f"M{START + TRACK} 30V210", "", "line", 4)
        glyphs = {
            **dice(),
            "die-rolling": (rectangle(-36, -36, 72, 72, "die", "die-edge", 3, 16), *tumbling()),
            **{paint: (circle(0, 0, 42, paint),) for paint in PAINTS},
            **{f"{paint}-ahead": (circle(0, 0, 36, "", paint, 8),) for paint in PAINTS},
        }
        return Layout(
            *(WIDE, HIGH, tuple(cells), glyphs),
            above=(goal, *signs),
            size=112,
            turns=False,
            dice=("die",),
        )

    def tumbling() -> tuple[Any, ...]:
        """The lines around a rolling die."""
        return (path("M-48 -20q-6 20 0 40M48 -20q6 20 0 40M-20 -48q20 -6 40 0M-20 48q20 6 40 0", "", "muted", 4),)

    def pieces(s: Any) -> list[Piece]:
        found = []
        for side, score in enumerate((s.max_score, s.min_score)):
            lane, ahead = f"lane-{NAMES[side]}", score + s.points
            if s.player == side and s.points:
                found.append(Piece(lane, f"{PAINTS[side]}-ahead", f"{ahead} if held", x=distance(ahead), size=RUNNER))
            found.append(Piece(lane, PAINTS[side], f"at {score} of {target}", x=distance(score), size=RUNNER))
            found.append(Piece(lane, text=NAMES[side], x=distance(score), size=18, fill="paper"))
            found.append(Piece(f"score-{NAMES[side]}", "", f"{score}", str(score), size=44))
        if s.rolling:
            found.append(Piece("die", "die-rolling", "rolling"))
        if s.points or not (s.max_score >= target or s.min_score >= target):
            words = f"{NAMES[s.player]}: {s.points} point{'s' if s.points != 1 else ''} this turn"
            found.append(Piece("turn", "", words, words, size=30))
        return found

    def distance(score: int) -> float:
        """The offset from the middle of the lane; a runner stops at the goal."""
        return TRACK * (min(score / target, 1.0) - 0.5)

    def path_of(s: Any, move: int) -> tuple[str, ...]:
        if s.rolling:
            return ("die",)
        return ("roll",) if move == roll else ("hold",)

    def counts(s: Any) -> dict[str, tuple[int, int]]:
        return {"points": (s.max_score, s.min_score)}

    return {"layout": layout, "pieces": pieces, "path": path_of, "counts": counts}
