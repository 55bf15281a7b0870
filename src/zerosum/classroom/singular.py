"""Singular extension: if one move is far better than all others, look one move deeper along it.

Such a move is forced, and what follows it is decisive: an exchange, or a threat that must be met. Looking deeper only
there costs little, and moves the horizon past it (T. Anantharaman, M. Campbell and F. Hsu, Singular extensions,
Artificial Intelligence 43, 1990). This version uses plain minimax, where every value is exact and "far better" means
just that; engines find singular moves with alpha-beta and an empty window.

>>> from zerosum.classroom.tree import Tree
>>> game = Tree.from_text("(A (B @9 (-5 -6) 8) (C @2 2 3))").game    # B looks far better than C
>>> from zerosum.classroom.minimax import minimax
>>> minimax(game, depth=1), singular(game, depth=1, margin=5)
(9, 2)
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game


def singular(game: Game, s: Any = None, depth: float | None = None, *, margin: float = 1, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead, and up to twice as far after singular moves.

    A move is singular if every other one is worse for the player by at least ``margin``, or if there is no other.
    """
    walk = Walk(game, tell)
    deepest = 2 * horizon(depth)

    def value(s: Any, depth: float) -> float:
        walk.enter(s)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        best_of = max if game.to_move(s) == MAX else min
        found: dict[int, float] = {}
        for move in walk.moves(s):
            found[move] = value(walk.play(s, move), depth - 1)
            walk.back_up(best_of(found.values()))
        move = best_of(found, key=lambda move: found[move])
        others = [v for other, v in found.items() if other != move]
        if walk.ply + depth + 1 <= deepest < inf and all(abs(found[move] - v) >= margin for v in others):
            walk.say(Kind.EXTEND, found[move], move, "it is the only good move" if others else "it is the only move")
            found[move] = value(walk.play(s, move), depth)
            move = best_of(found, key=lambda move: found[move])
            walk.back_up(found[move], move=move)
        return walk.leave(found[move])

    return value(start_of(game, s), horizon(depth))
