"""Principal variation search: assume that the first move is best, and only check that no other is better.

The check needs only an empty window, with no value between its ends: the answer is "no better than α" or "better", and
such a narrow window cuts off most of the tree. If a move is better after all, it is searched again to find out by how
much. (T. Marsland and M. Campbell, Parallel search of strongly ordered game trees, Computing Surveys 14, 1982;
NegaScout by A. Reinefeld, 1983, is the same idea.)

>>> from zerosum.classroom.tree import Tree
>>> pvs(Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game)
3
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import Tell, Walk, horizon, just_above, just_below, start_of
from zerosum.game import MAX, Game


def pvs(
    game: Game,
    s: Any = None,
    depth: float | None = None,
    *,
    alpha: float = -inf,
    beta: float = inf,
    tell: Tell = silent,
) -> float:
    """The same value as ``alphabeta`` returns, by principal variation search."""
    walk = Walk(game, tell)

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        maximizing = game.to_move(s) == MAX
        best = -inf if maximizing else inf
        is_first = True
        for move in walk.moves(s):
            if is_first:
                found = value(walk.play(s, move), depth - 1, alpha, beta)
            else:
                # A MAX node asks: more than alpha? A MIN node asks: less than beta?
                low, high = (alpha, just_above(game, alpha)) if maximizing else (just_below(game, beta), beta)
                found = value(walk.play(s, move), depth - 1, low, high)
                if alpha < found < beta:
                    walk.say(Kind.RESEARCH, found, move, "it is better than the moves before; by how much?")
                    found = value(walk.play(s, move), depth - 1, alpha, beta)
            is_first = False
            if maximizing:
                best = max(best, found)
                alpha = max(alpha, best)
            else:
                best = min(best, found)
                beta = min(beta, best)
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                break
        return walk.leave(best)

    return value(start_of(game, s), horizon(depth), alpha, beta)
