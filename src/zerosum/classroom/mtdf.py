"""MTD(f): ask again and again whether the value is at least some number, and close in on it.

Each question is an alpha-beta search with an empty window. Its answer is a bound, which becomes the next question,
until the lower and the upper bound meet. The table keeps what earlier questions found. (A. Plaat, J. Schaeffer,
W. Pijls and A. de Bruin, Best-first fixed-depth minimax algorithms, Artificial Intelligence 87, 1996.)

>>> from zerosum.classroom.tree import Tree
>>> mtdf(Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))").game)
3
"""

from __future__ import annotations

from math import inf
from typing import Any

from zerosum.classroom.events import Kind, silent
from zerosum.classroom.node import show_value
from zerosum.classroom.table import Table, alphabeta_with_table
from zerosum.classroom.walk import Tell, Walk, horizon, just_above, just_below, start_of
from zerosum.game import Game


def mtdf(
    game: Game, s: Any = None, depth: float | None = None, *, guess: float | None = None, tell: Tell = silent
) -> float:
    """The value of ``s`` for MAX, ``depth`` moves ahead; the first question is about ``guess``, or the evaluation."""
    walk = Walk(game, tell)
    s, depth = start_of(game, s), horizon(depth)
    found = walk.guess(s) if guess is None else guess
    lower, upper = -inf, inf
    table: Table = {}
    while lower < upper:
        question = just_above(game, found) if found == lower else found
        asked = f"is the value at least {show_value(question)}?"
        walk.begin(Kind.ITERATION, s, question, just_below(game, question), question, asked)
        found = alphabeta_with_table(
            game, s, depth, alpha=just_below(game, question), beta=question, table=table, tell=tell
        )
        if found >= question:
            lower = found
        else:
            upper = found
    return found
