"""Quiescence search: evaluate a position only when it is quiet.

At the horizon an exchange may be half done, and an evaluation in the middle of it means little (the *horizon effect*).
So if the game names noisy moves, the search follows them beyond the horizon. A player need not make one: the player
to move may *stand pat*, that is, accept the evaluation as it is (D. Beal, A generalised quiescence search algorithm,
Artificial Intelligence 43, 1990).

>>> from zerosum.classroom.tree import Tree
>>> game = Tree.from_text("(A (B @9 ! 9 -5) (C @2 2 2))").game    # B looks good, but MIN will strike back
>>> from zerosum.classroom.minimax import minimax
>>> minimax(game, depth=1), quiescence(game, depth=1)
(9, 2)
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game


def quiescence(
    game: Game,
    s: Any = None,
    depth: float | None = None,
    *,
    alpha: float = -inf,
    beta: float = inf,
    tell: Tell = silent,
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead and then until the position is quiet, within the window."""
    game.require("noisy_moves", "quiescence")
    walk = Walk(game, tell)

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        noisy = walk.noisy_moves(s) if depth <= 0 else []
        if not noisy and walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        maximizing = game.to_move(s) == MAX
        best = -inf if maximizing else inf
        if noisy:
            best = walk.stand_pat(s)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                return walk.leave(best)
        for move in walk.moves(s, noisy or None):
            found = value(walk.play(s, move), depth - 1, alpha, beta)
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
