"""Expectiminimax as in the lecture notes: nothing but the definition.

A chance node is worth the average of its successors, each weighted by its probability.

>>> from zerosum.games import load
>>> round(expectiminimax(load("pig", target=2), depth=8), 4)  # on the way to 5/7
0.7143
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import CHANCE, MAX, Game


def expectiminimax(game: Game, s: Any = None, depth: float | None = None, *, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead.

    Chance nodes use no depth. Only an endless sequence of them is cut short at a horizon.
    """
    walk = Walk(game, tell, needs_players=False)

    def value(s: Any, depth: float) -> float:
        walk.enter(s)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        player = game.to_move(s)
        if player == CHANCE:
            return walk.leave(chance_value(s, depth))
        return walk.leave(max_value(s, depth) if player == MAX else min_value(s, depth))

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

    def chance_value(s: Any, depth: float) -> float:
        average = 0.0
        terms = []
        for outcome, probability in walk.chances(s):
            found = value(walk.play(s, outcome), depth)
            average += probability * found
            terms.append((probability, found))
        walk.average(average, terms)
        return average

    return value(start_of(game, s), horizon(depth))
