"""Minimax as the lecture notes tell it: nothing but the definition.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> minimax_value(game, game.initial(), depth=2)
-1
"""

from __future__ import annotations

from typing import Any

from zerosum.game import MAX, WIN, Game


def minimax_value(game: Game, s: Any, depth: int, ply: int = 0) -> int:
    """The value of ``s`` for MAX, ``depth`` moves ahead; ``ply`` moves have been made since the root."""
    if game.is_terminal_(s):
        return outcome(game, s, ply)
    if depth == 0:
        return int(game.evaluate(s)) if game.has("evaluate") else 0
    successors = [game.play(s, move) for move in game.moves(s)]
    if not successors:
        return outcome(game, s, ply)
    values = [minimax_value(game, successor, depth - 1, ply + 1) for successor in successors]
    return max(values) if game.to_move(s) == MAX else min(values)


def outcome(game: Game, s: Any, ply: int) -> int:
    """The value of a finished state: its utility, or without margins the nearer win the better."""
    utility = int(game.utility(s))
    if game.scored or utility == 0:
        return utility
    return WIN - ply if utility > 0 else ply - WIN
