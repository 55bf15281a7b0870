"""Selective extension: where a position is unstable, look further before evaluating it.

All lines are searched to the same depth, but a line that reaches an unstable position, such as a check or half an
exchange, may go further: the move that led there uses up no depth. The tree grows unevenly, deep where it matters. Deep
Blue searched 14 plies everywhere, and up to 25 along such lines.

A position is unstable if the game says it is forced (``is_forced``, in chess a check), or, in games without that rule,
if it has noisy moves.

>>> from zerosum.classroom.tree import Tree
>>> game = Tree.from_text("(A (B @9 ! -5 10) (C @2 2 3))").game
>>> from zerosum.classroom.minimax import minimax
>>> minimax(game, depth=1), selective(game, depth=1)
(9, 2)
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game


def selective(game: Game, s: Any = None, depth: float | None = None, *, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead, and up to twice as far where positions are unstable."""
    if not game.has("is_forced"):
        game.require("noisy_moves", "selective extension")
    walk = Walk(game, tell)
    deepest = 2 * horizon(depth)

    def is_unstable(s: Any) -> bool:
        if game.terminal_test(s):
            return False
        return bool(game.is_forced(s)) if game.has("is_forced") else any(True for _ in game.noisy_moves(s))

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        maximizing = game.to_move(s) == MAX
        best = -inf if maximizing else inf
        for move in walk.moves(s):
            following = walk.play(s, move)
            left = depth - 1
            if walk.ply + 1 + depth <= deepest < inf and is_unstable(following):
                walk.say(Kind.EXTEND, None, move, "it is unstable")
                left = depth
                walk.play(s, move)
            found = value(following, left, alpha, beta)
            best = max(best, found) if maximizing else min(best, found)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                break
        return walk.leave(best)

    return value(start_of(game, s), horizon(depth), -inf, inf)
