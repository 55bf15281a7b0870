"""The null move: if a player could pass and would still get a cut-off, the player's moves need no search.

Passing is nearly always worse than the best move. So a search that lets the player pass, and looks at least one move
less deep, gives a bound at little cost: if even that is enough for a cut-off, the moves are not searched at all. This
is a guess. In *zugzwang*, where every move does harm, it is wrong. (C. Donninger, Null move and deep search, ICCA
Journal 16, 1993.)

In a hand-made tree, the child on a branch called ``pass`` is the null move; it is not a move of the game.

>>> from zerosum.classroom.tree import Tree
>>> tree = Tree.from_text("(A (B 3 12 8) (C pass=2 (E 1 2) (F 0 3)))")
>>> null_move(tree.game)
3
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import PASS, Tell, Walk, horizon, just_above, just_below, start_of
from zerosum.errors import GameError
from zerosum.game import MAX, Game


def null_move(
    game: Game, s: Any = None, depth: float | None = None, *, reduction: int = 1, tell: Tell = silent
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead: alpha-beta that first tries to pass.

    The search after passing is ``reduction`` moves less deep than that of other moves.
    """
    walk = Walk(game, tell)
    if not game.has("skip") and game.name != "tree":
        raise GameError(f"{game.name} has no skip(s), which the null move needs")

    def value(s: Any, depth: float, alpha: float, beta: float, may_pass: bool) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        maximizing = game.to_move(s) == MAX
        best = -inf if maximizing else inf
        passing, legal = pass_move(s)
        bound = beta if maximizing else alpha
        if passing is not None and may_pass and abs(bound) != inf and depth > reduction:
            found = after_passing(s, passing, depth - 1 - reduction, bound, maximizing)
            if found >= beta if maximizing else found <= alpha:
                walk.back_up(found, move=passing)
                walk.set_unsearched(legal)
                walk.cut_off(found)
                return walk.leave(found)
        for move in walk.moves(s, legal):
            found = value(walk.play(s, move), depth - 1, alpha, beta, True)
            best = max(best, found) if maximizing else min(best, found)
            alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                break
        return walk.leave(best)

    def after_passing(s: Any, passing: int, depth: float, bound: float, maximizing: bool) -> float:
        """The value of passing, searched with an empty window: is it at least β, or at most α?"""
        side = "at least β" if maximizing else "at most α"
        walk.say(Kind.NULL_MOVE, bound, passing, f"ask whether that is {side}")
        low, high = (just_below(game, bound), bound) if maximizing else (bound, just_above(game, bound))
        following = walk.skip(s) if passing == PASS else walk.play(s, passing)
        return value(following, depth, low, high, False)

    def pass_move(s: Any) -> tuple[int | None, list[int]]:
        """The null move, if it is possible here, and the moves of the game."""
        moves = list(game.moves(s))
        if game.name == "tree":
            named = [move for move in moves if game.format_move(s, move) == "pass"]
            return (named[0] if named else None), [move for move in moves if move not in named]
        is_free = not (game.has("is_forced") and game.is_forced(s))
        return (PASS if is_free else None), moves

    return value(start_of(game, s), horizon(depth), -inf, inf, False)
