"""Alpha-beta: minimax that does not look where it cannot matter.

α is the best that MAX has so far along the path, β the best that MIN has. As in the notes, what is left below a
MIN node is cut off when its value falls to α or below (*alpha cut-off*), below a MAX node when it rises to β or above
(*beta cut-off*).

Fail-soft, the result is as sharp a bound as was seen: with v returned, v ≤ α means that the value is at most v,
v ≥ β that it is at least v; between them it is exact. Fail-hard, as in one of the notes, nothing outside α to β
is ever returned: it stops at the nearer of the two.

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
    """The value of ``s`` for MAX, ``depth`` moves ahead, if it lies between ``alpha`` and ``beta``; else a bound."""
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
    """How many leaves of a uniform tree any algorithm must look at to know its value: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.

    Alpha-beta looks at no more if the best child always comes first (D. Knuth and R. Moore, An analysis of alpha-beta
    pruning, Artificial Intelligence 6, 1975). A branching factor that was measured need not be whole.

    >>> least_leaves(3, 2), round(least_leaves(6.98, 9))
    (5, 18941)
    """
    return branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1
