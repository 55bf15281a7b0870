"""Alpha-beta: minimax that skips whatever cannot affect the result.

α is the best value that MAX has so far along the path, β the best that MIN has. As in the lecture notes, the rest of a
MIN node is cut off when its value falls to α or below (*alpha cut-off*), the rest of a MAX node when its value rises to
β or above (*beta cut-off*).

Fail-soft returns the tightest bound found: a result v ≤ α means that the value is at most v, v ≥ β that it is at least
v; in between it is exact. Fail-hard, as in one set of notes, never returns a value outside α to β, but the nearer of
the two instead.

>>> from zerosum.classroom.tree import Tree
>>> game = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game
>>> alphabeta(game)
3
>>> alphabeta(game, alpha=9), alphabeta(game, alpha=9, fail_soft=False)    # "at most 5", "at most 9"
(5, 9)
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game


def alphabeta(
    game: Game,
    s: Any = None,
    depth: float | None = None,
    *,
    alpha: float = -inf,
    beta: float = inf,
    fail_soft: bool = True,
    tell: Tell = silent,
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead, if it is between ``alpha`` and ``beta``; else a bound."""
    walk = Walk(game, tell)

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        best = max_value(s, depth, alpha, beta) if game.to_move(s) == MAX else min_value(s, depth, alpha, beta)
        return walk.leave(best if fail_soft else min(max(best, alpha), beta))

    def max_value(s: Any, depth: float, alpha: float, beta: float) -> float:
        best = -inf
        for move in walk.moves(s):
            best = max(best, value(walk.play(s, move), depth - 1, alpha, beta))
            alpha = max(alpha, best)
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.beta_cutoff(best)
                break
        return best

    def min_value(s: Any, depth: float, alpha: float, beta: float) -> float:
        best = inf
        for move in walk.moves(s):
            best = min(best, value(walk.play(s, move), depth - 1, alpha, beta))
            beta = min(beta, best)
            walk.back_up(best, alpha, beta)
            if beta <= alpha:
                walk.alpha_cutoff(best)
                break
        return best

    return value(start_of(game, s), horizon(depth), alpha, beta)


def alphabeta_fail_hard(game: Game, s: Any = None, depth: float | None = None, **options: Any) -> float:
    """``alphabeta`` with ``fail_soft=False``."""
    return alphabeta(game, s, depth, fail_soft=False, **options)


def least_leaves(branching: float, depth: int) -> float:
    """The fewest leaves of a uniform tree that any algorithm must look at to find its value: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.

    Alpha-beta looks at no more if the best child always comes first (D. Knuth and R. Moore, An analysis of alpha-beta
    pruning, Artificial Intelligence 6, 1975). A measured branching factor need not be a whole number.

    >>> least_leaves(3, 2), round(least_leaves(6.98, 9))
    (5, 18941)
    """
    return branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
