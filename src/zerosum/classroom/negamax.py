"""Negamax: alpha-beta written once for both players, since what is good for one is equally bad for the other.

Internally, values are for the side to move: max(a, b) = -min(-a, -b). The opponent's window is the player's, swapped
and negated: (α, β) becomes (-β, -α). Players need not alternate, so the sign changes only when the side to move does.
Events and the result are for MAX, as everywhere.

>>> from zerosum.classroom.tree import Tree
>>> negamax(Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game)
3
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game


def negamax(game: Game, s: Any = None, depth: float | None = None, *, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead."""
    walk = Walk(game, tell)

    def value(s: Any, depth: float, alpha: float, beta: float, sign: int) -> float:
        """The value of ``s`` for the player of ``sign``, 1 for MAX and -1 for MIN: the side to move, if any."""
        walk.enter(s, *for_max(sign, alpha, beta))
        if walk.cutoff_test(s, depth):
            return sign * walk.leave(walk.evaluate(s))
        best = -inf
        for move in walk.moves(s):
            successor = walk.play(s, move)
            if mover(successor) == sign:  # the same player moves again
                found = value(successor, depth - 1, alpha, beta, sign)
            else:
                found = -value(successor, depth - 1, -beta, -alpha, -sign)
            best = max(best, found)
            alpha = max(alpha, best)
            walk.back_up(sign * best, *for_max(sign, alpha, beta))
            if alpha >= beta:
                walk.cut_off(sign * best)
                break
        return sign * walk.leave(sign * best)

    def mover(s: Any) -> int:
        return 1 if game.to_move(s) == MAX else -1

    start = start_of(game, s)
    return mover(start) * value(start, horizon(depth), -inf, inf, mover(start))


def for_max(sign: int, alpha: float, beta: float) -> tuple[float, float]:
    """A player's window from MAX's point of view."""
    return (alpha, beta) if sign > 0 else (-beta, -alpha)
