"""Killer moves: a reply that refuted one move often refutes its siblings, so it is tried first.

A *killer* is a move that caused a cut-off elsewhere in the tree, at the same distance from the root. It is tried only
where it is legal, and does not change the value. (S. Akl and M. Newborn, The principal continuation and the killer
heuristic, Proceedings of the ACM Annual Conference, 1977.)

>>> from zerosum.classroom.tree import Tree
>>> killer(Tree.from_text("(A (B 5 6 7) (C 8 9 2) (D 9 8 1))").game)
5
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game

SLOTS = 2
"""The number of killers kept for each distance from the root."""


def killer(game: Game, s: Any = None, depth: float | None = None, *, tell: Tell = silent) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead: alpha-beta with killer moves first."""
    walk = Walk(game, tell)
    killers: dict[int, list[int]] = {}  # for each ply, the latest moves that caused cut-offs

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        maximizing = game.to_move(s) == MAX
        best = -inf if maximizing else inf
        known = killers.setdefault(walk.ply, [])
        for move in walk.moves(s, killers_first(s, known)):
            found = value(walk.play(s, move), depth - 1, alpha, beta)
            best = max(best, found) if maximizing else min(best, found)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                killers[walk.ply] = [move, *(other for other in known if other != move)][:SLOTS]
                break
        return walk.leave(best)

    def killers_first(s: Any, known: list[int]) -> list[int]:
        legal = list(game.moves(s))
        first = [move for move in known if move in legal]
        if first and first[0] != legal[0]:
            walk.say(Kind.ORDER, None, first[0], "it refuted a sibling")
        return first + [move for move in legal if move not in first]

    return value(start_of(game, s), horizon(depth), -inf, inf)
