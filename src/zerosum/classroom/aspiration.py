"""Aspiration: alpha-beta within a narrow window around the expected value.

The narrower the window, the more is cut off. If the value is outside it, the search says on which side, and is repeated
with that side open. The expected value is usually that of the previous iteration of iterative deepening.

>>> from zerosum.classroom.tree import Tree
>>> aspiration(Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game, guess=8)
3
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.alphabeta import alphabeta
from zerosum.classroom.events import Kind, silent
from zerosum.classroom.node import show_value
from zerosum.classroom.walk import Tell, Walk, horizon, start_of
from zerosum.game import Game


def aspiration(
    game: Game,
    s: Any = None,
    depth: float | None = None,
    *,
    guess: float | None = None,
    window: float = 1,
    tell: Tell = silent,
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead, expected within ``window`` of ``guess``.

    The default guess is the evaluation of ``s``.
    """
    walk = Walk(game, tell)
    s, depth = start_of(game, s), horizon(depth)
    center = walk.guess(s) if guess is None else guess
    alpha, beta = center - window, center + window
    expected = f"expect a value between {show_value(alpha)} and {show_value(beta)}"
    walk.begin(Kind.ITERATION, s, center, alpha, beta, expected)
    while True:
        found = alphabeta(game, s, depth, alpha=alpha, beta=beta, tell=tell)
        if alpha < found < beta:
            return found
        if found <= alpha:
            missed, alpha = f"the value is at most {show_value(found)}, below the window", -inf
        else:
            missed, beta = f"the value is at least {show_value(found)}, above the window", inf
        walk.begin(Kind.RESEARCH, s, found, alpha, beta, missed)
