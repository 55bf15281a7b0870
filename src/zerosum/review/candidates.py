"""Rollouts of the candidate moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zerosum.game import CHANCE, Line
from zerosum.search.rollout import OnRollout, Rollout

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.running.stopping import Stop


def roll_out_best(
    engine: Engine,
    line: Line,
    candidates: int,
    *,
    depth: int = 1,
    on_report: OnRollout | None = None,
    stop: Stop | None = None,
    **limits: Any,
) -> tuple[Rollout, ...]:
    """Rollouts of the best moves found by a search of ``depth``, best first; of the position if chance is to move.

    ``limits`` are those of ``Engine.rollout``.
    """
    if line.game.to_move(line.state) == CHANCE:
        alone = None if on_report is None else lambda found: on_report((found,))
        return (engine.rollout(line, on_report=alone, stop=stop, **limits),)
    moves = None
    if line.game.has("chances"):  # otherwise the rollout raises an error that says what it needs
        found = engine.search(line, depth=depth, multipv=candidates, stop=stop)
        moves = [one.move for one in found.lines if one.move is not None]
    return engine.rollout_moves(line, moves, on_report=on_report, stop=stop, **limits)
