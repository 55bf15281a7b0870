"""Minimax as in the lecture notes: nothing but the definition.

A MAX node gets the maximum of its successors, a MIN node the minimum. With a depth limit, positions at the horizon
get the value of the game's evaluation.

>>> from zerosum.games import load
>>> minimax(load("tictactoe"), depth=2)
1
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game


def minimax(
    game: Game,
    s: Any = None,
    depth: float | None = None,
    *,
    ply: int = 0,
    bounds: bool = False,
    past: tuple[Any, ...] = (),
    tell: Tell = silent,
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead; ``s`` is ``ply`` moves from the root.

    With ``bounds``, values outside the game's own bounds are clamped to them. ``past`` holds the positions
    that led here, for games with a repetition rule.
    """
    walk = Walk(game, tell, ply=ply, past=past, bounds=bounds)

    def value(s: Any, depth: float) -> float:
        walk.enter(s)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        best = max_value(s, depth) if game.to_move(s) == MAX else min_value(s, depth)
        return walk.leave(walk.within_bounds(s, best))

    def max_value(s: Any, depth: float) -> float:
        best = -inf
        for move in walk.moves(s):
            best = max(best, value(walk.play(s, move), depth - 1))
            walk.back_up(best)
        return best

    def min_value(s: Any, depth: float) -> float:
        best = inf
        for move in walk.moves(s):
            best = min(best, value(walk.play(s, move), depth - 1))
            walk.back_up(best)
        return best

    return value(start_of(game, s), horizon(depth))
