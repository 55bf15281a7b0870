"""Minimax as the lecture notes tell it: nothing but the definition.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> minimax_value(game, game.initial(), depth=2)
1
"""

from __future__ import annotations

from typing import Any

from zerosum.game import MAX, WIN, Game


def minimax_value(
    game: Game, s: Any, depth: int, ply: int = 0, *, bounds: bool = False, past: tuple[Any, ...] = ()
) -> int:
    """The value of ``s`` for MAX, ``depth`` moves ahead; ``ply`` moves have been made since the root.

    With ``bounds``, values that the game's own bounds rule out are corrected. ``past`` holds the positions
    that led here, for games in which a position may not be repeated for ever.
    """
    if game.is_terminal_(s):
        return outcome(game, s, ply)
    if game.repetition and ply and past.count(s) + 1 >= game.repetition:
        return 0
    if depth == 0:
        return within_bounds(game, s, ply, evaluation(game, s), bounds)
    successors = [game.play(s, move) for move in game.moves(s)]
    if not successors:
        return outcome(game, s, ply)
    values = [minimax_value(game, t, depth - 1, ply + 1, bounds=bounds, past=(*past, s)) for t in successors]
    return within_bounds(game, s, ply, max(values) if game.to_move(s) == MAX else min(values), bounds)


def evaluation(game: Game, s: Any) -> int:
    """The game's guess of the value, 0 where it has none."""
    return int(game.evaluate(s)) if game.has("evaluate") else 0


def outcome(game: Game, s: Any, ply: int) -> int:
    """The value of a finished state: its utility, or without margins the nearer win the better."""
    utility = int(game.utility(s))
    if game.scored or utility == 0:
        return utility
    return WIN - ply if utility > 0 else ply - WIN


def within_bounds(game: Game, s: Any, ply: int, value: int, bounds: bool) -> int:
    """``value``, or the nearest one that the game's bounds allow."""
    if not bounds:
        return value
    from zerosum.search.values import bound_values

    lowest, highest = bound_values(game.scored)
    least, most = game.bounds(s)
    return int(min(max(value, lowest(least, ply)), highest(most, ply)))
