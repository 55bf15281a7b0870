"""Expectiminimax as the lecture notes tell it: nothing but the definition.

>>> from zerosum.games import load
>>> game = load("pig", target=2)
>>> round(expectiminimax_value(game, game.initial(), depth=8), 4)  # on the way to 5/7
0.7143
"""

from __future__ import annotations

from typing import Any

from zerosum.game import CHANCE, MAX, Game
from zerosum.search.values import CHANCES_IN_A_ROW


def expectiminimax_value(game: Game, s: Any, depth: int, run: int = 0) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead; so many chance events in a row, ``run``, led to it.

    Chance uses no depth. Only where events follow each other for ever is there a horizon among them.
    """
    if game.is_terminal_(s):
        return float(game.utility(s))
    player = game.to_move(s)
    if run >= CHANCES_IN_A_ROW if player == CHANCE else depth == 0:
        return float(game.evaluate(s)) if game.has("evaluate") else 0.0
    if player == CHANCE:
        average = 0.0
        for outcome, probability in game.chances(s):
            average += probability * expectiminimax_value(game, game.play(s, outcome), depth, run + 1)
        return average
    successors = [game.play(s, move) for move in game.moves(s)]
    if not successors:
        return float(game.utility(s))
    values = [expectiminimax_value(game, successor, depth - 1) for successor in successors]
    return max(values) if player == MAX else min(values)
