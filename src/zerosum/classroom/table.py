"""Alpha-beta with a transposition table: a position reached before by other moves is not searched again.

A search within a window may only show that a value is at least or at most some number. So the table keeps for each
position a lower and an upper bound of its value, for the depth searched; an exact value has equal bounds.
In games without scores, a win is stored with its distance from the position, since the distance from the root may
differ next time.

In a game with a repetition rule a value depends on how the position was reached, and the table is not used.

>>> from zerosum.games import load
>>> alphabeta_with_table(load("tictactoe"))
0
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import MAX, Game
from zerosum.search.values import from_table, to_table


class Entry(NamedTuple):
    """The result of a search of a position to some depth: lower ≤ value ≤ upper, and the best move seen."""

    lower: float
    upper: float
    move: int | None


Table = dict[tuple[Any, float], Entry]
"""Position and depth → entry. Programs for real games also use deeper entries, so their values may not be minimax."""


def alphabeta_with_table(
    game: Game,
    s: Any = None,
    depth: float | None = None,
    *,
    alpha: float = -inf,
    beta: float = inf,
    table: Table | None = None,
    tell: Tell = silent,
) -> float:
    """The same value as ``alphabeta`` returns. A ``table``, if given, is used and filled."""
    walk = Walk(game, tell)
    known: Table = {} if table is None else table
    from_position, from_root = to_table(game.scored), from_table(game.scored)

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))

        # 1. The entry in the table may be enough.
        entry = known.get((s, depth), Entry(-inf, inf, None))
        lower, upper = from_root(entry.lower, walk.ply), from_root(entry.upper, walk.ply)
        if lower == upper:
            walk.say(Kind.TABLE_HIT, lower, entry.move, "its value is")
            return walk.leave(lower)
        if lower >= beta:
            walk.say(Kind.TABLE_HIT, lower, entry.move, "its value is at least")
            return walk.leave(lower)
        if upper <= alpha:
            walk.say(Kind.TABLE_HIT, upper, entry.move, "its value is at most")
            return walk.leave(upper)

        # 2. Alpha-beta, with the best move of an earlier search first.
        low, high = alpha, beta
        maximizing = game.to_move(s) == MAX
        best = -inf if maximizing else inf
        best_move = entry.move
        for move in walk.moves(s, first(entry.move, game.moves(s))):
            found = value(walk.play(s, move), depth - 1, alpha, beta)
            if found > best if maximizing else found < best:
                best, best_move = found, move
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                break

        # 3. Store the result: an upper bound if it is at most alpha, a lower bound if it is at least beta.
        if not game.repetition:
            kept = from_position(best, walk.ply)
            if best <= low:
                known[s, depth] = Entry(entry.lower, kept, best_move if not maximizing else entry.move)
                walk.say(Kind.STORE, best, note="its value is at most")
            elif best >= high:
                known[s, depth] = Entry(kept, entry.upper, best_move if maximizing else entry.move)
                walk.say(Kind.STORE, best, note="its value is at least")
            else:
                known[s, depth] = Entry(kept, kept, best_move)
                walk.say(Kind.STORE, best, note="its value is")
        return walk.leave(best)

    return value(start_of(game, s), horizon(depth), alpha, beta)


def first(move: int | None, moves: Any) -> list[int]:
    """The moves, with ``move`` first unless it is None."""
    ordered = list(moves)
    return ordered if move is None else [move, *(other for other in ordered if other != move)]
