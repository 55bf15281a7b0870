"""Star1 and Star2: expectiminimax that skips whatever cannot affect the result.

The average of a chance node depends on every outcome, so all but the last must be known. Then the last one is searched
with a window: from the value that would leave the average at α to the one that would lift it to β. This works without
any bounds, as ``bounds=(-inf, inf)`` shows.

More is pruned if all values are known to be between two bounds. Then the effect of the outcomes still to come is
limited: the average is in an interval, and once that is entirely above β or below α, the rest is cut off. For the same
reason each outcome has a window, not only the last.

Star2 first *probes* one move in the position after each outcome. If MAX is to move, one move gives a lower bound, if
MIN, an upper bound; these narrow the interval before any outcome is searched in full. This pays if the first move is
good. (B. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial Intelligence 21, 1983.)

>>> from zerosum.classroom.tree import Tree
>>> game = Tree.from_text("(A (B 0.5: 2 0.5: 4) (C 0.5: 0 0.5: 6))").game
>>> star1(game), star2(game)
(3.0, 3.0)
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.walk import Bounds, Tell, Walk, horizon, start_of
from zerosum.game import CHANCE, MAX, Game

UNBOUNDED = "no bounds are known: only the last outcome of a chance node can be cut short"


def star1(
    game: Game, s: Any = None, depth: float | None = None, *, bounds: Bounds | None = None, tell: Tell = silent
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead. All values, including estimates, must be within ``bounds``.

    By default the bounds are the game's own for the position after each outcome. With infinite bounds only the last
    outcome of a chance node can be cut short, and a note says so.
    """
    return _star(game, s, depth, bounds, tell, probing=False)


def star2(
    game: Game, s: Any = None, depth: float | None = None, *, bounds: Bounds | None = None, tell: Tell = silent
) -> float:
    """The value of ``s`` for MAX as in ``star1``, with probes first."""
    return _star(game, s, depth, bounds, tell, probing=True)


def _star(game: Game, s: Any, depth: float | None, bounds: Bounds | None, tell: Tell, probing: bool) -> float:
    s = start_of(game, s)
    if bounds is None:
        game.require("bounds", "pruning at chance nodes")
    walk = Walk(game, tell, needs_players=False)
    if bounds is not None and inf in map(abs, bounds):
        walk.begin(Kind.ITERATION, s, None, -inf, inf, UNBOUNDED)

    def interval(s: Any) -> Bounds:
        """The bounds of the value of ``s``."""
        least, most = map(float, game.bounds(s) if bounds is None else bounds)
        # A window needs two ends, even where only one value is possible.
        return (least, most) if least < most else (least - 1, most + 1)

    def value(s: Any, depth: float, alpha: float, beta: float) -> float:
        walk.enter(s, alpha, beta)
        if walk.cutoff_test(s, depth):
            return walk.leave(walk.evaluate(s))
        player = game.to_move(s)
        if player == CHANCE:
            return walk.leave(chance_value(s, depth, alpha, beta))
        return walk.leave(player_value(s, depth, alpha, beta, player == MAX))

    def player_value(s: Any, depth: float, alpha: float, beta: float, maximizing: bool) -> float:
        """Alpha-beta."""
        best = -inf if maximizing else inf
        for move in walk.moves(s):
            found = value(walk.play(s, move), depth - 1, alpha, beta)
            if maximizing:
                best = max(best, found)
                alpha = max(alpha, best)
            else:
                best = min(best, found)
                beta = min(beta, best)
            walk.back_up(best, alpha, beta)
            if alpha >= beta:
                walk.cut_off(best)
                break
        return best

    def chance_value(s: Any, depth: float, alpha: float, beta: float) -> float:
        outcomes = walk.chances(s)
        chance = [probability for _, probability in outcomes]
        # For each outcome, the interval that contains its value: at first only its bounds are known.
        intervals = [interval(game.play(s, outcome)) for outcome, _ in outcomes]
        low = [least for least, _ in intervals]
        high = [most for _, most in intervals]

        def average(values: list[float], but: int = -1) -> float:
            """The contribution of all outcomes to the average, or of all but one."""
            return sum(p * v for i, (p, v) in enumerate(zip(chance, values, strict=True)) if i != but)

        def at_least_beta() -> float:
            walk.beta_cutoff(average(low))
            return average(low)

        def at_most_alpha() -> float:
            walk.alpha_cutoff(average(high))
            return average(high)

        # 1. The bounds alone may be enough.
        if average(low) >= beta:
            return at_least_beta()
        if average(high) <= alpha:
            return at_most_alpha()

        # 2. Star2: one move of each outcome narrows its interval.
        if probing:
            for i, (outcome, _) in enumerate(outcomes):
                low[i], high[i] = probe(walk.play(s, outcome), depth, low[i], high[i])
                if average(low) >= beta:
                    return at_least_beta()
                if average(high) <= alpha:
                    return at_most_alpha()
            walk.chances(s)  # all of them are still to be searched in full

        # 3. Each outcome, within the window that still matters.
        for i, (outcome, _) in enumerate(outcomes):
            if low[i] == high[i]:
                walk.play(s, outcome)  # the probe has found the exact value
                continue
            others_low, others_high = average(low, but=i), average(high, but=i)
            from_here = (alpha - others_high) / chance[i]  # up to here, the average is at most alpha
            to_here = (beta - others_low) / chance[i]  # from here on, it is at least beta
            if from_here >= high[i]:  # missed above only because of rounding
                return at_most_alpha()
            if to_here <= low[i]:
                return at_least_beta()
            found = value(walk.play(s, outcome), depth, max(from_here, low[i]), min(to_here, high[i]))
            if found >= to_here:
                low[i] = found
                return at_least_beta()
            if found <= from_here:
                high[i] = found
                return at_most_alpha()
            low[i] = high[i] = min(max(found, low[i]), high[i])
        walk.average(average(low), list(zip(chance, low, strict=True)))
        return average(low)

    def probe(s: Any, depth: float, least: float, most: float) -> Bounds:
        """The interval that contains the value of ``s``, narrowed by one move."""
        walk.enter(s, least, most, note="to probe one move")
        if walk.cutoff_test(s, depth):
            exact = walk.leave(walk.evaluate(s))
            return exact, exact
        player = game.to_move(s)
        if player == CHANCE:
            walk.leave(least)
            return least, most
        move = next(walk.moves(s))
        found = value(walk.play(s, move), depth - 1, least, most)
        walk.back_up(found)
        walk.leave(found)
        return (max(least, found), most) if player == MAX else (least, min(most, found))

    return value(s, horizon(depth), -inf, inf)
