"""Iterative deepening: depth 1, then 2, then 3 …, each search helped by the last one.

Most of the work is in the last iteration, so the earlier ones cost little, and they show which moves look good.
Those come first in the next iteration, and the better the order, the more is cut off. The search can stop at any time
with an answer, which is why every program for real games works this way.

>>> from zerosum.classroom.tree import Tree
>>> deepening(Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game)
3
"""

from __future__ import annotations

from itertools import count
from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game


def deepening(
    game: Game, s: Any = None, depth: float | None = None, *, order: bool = True, tell: Tell = silent
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead; without a depth, until an iteration meets no horizon.

    Without ``order`` every iteration takes the moves in the game's own order.
    """
    walk = Walk(game, tell)
    good_order: dict[tuple[int, ...], list[int]] = {}  # for each path, the moves, best first, after the last iteration

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        maximizing = game.to_move(s) == MAX
        best = -inf if maximizing else inf
        path = walk.path
        found: dict[int, float] = {}
        for move in walk.moves(s, good_order.get(path)):
            v = found[move] = value(walk.play(s, move), depth - 1, alpha, beta)
            if maximizing:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                break
        if order:
            looked_at = sorted(found, key=lambda move: found[move], reverse=maximizing)
            not_looked_at = [move for move in good_order.get(path, game.moves(s)) if move not in found]
            good_order[path] = looked_at + not_looked_at
        return walk.leave(best)

    s, deepest = start_of(game, s), horizon(depth)
    best = 0.0
    for iteration in count(0 if deepest == 0 else 1):
        walk.met_horizon = False
        walk.begin(Kind.ITERATION, s, iteration, -inf, inf, f"look {iteration} move{'s'[: iteration != 1]} ahead")
        best = value(s, iteration, -inf, inf)
        if iteration >= deepest or not walk.met_horizon:
            break
    return best
