"""The terms of the checkers evaluation, for display.

>>> from zerosum.games.checkers import checkers
>>> game = checkers(network=0)
>>> found = game.terms(game.parse_state("B:WK18:BK10,K11"))
>>> [(term.name, term.feature) for term in found if term.name == "king"]
[('king', 1.0)]
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from zerosum.games.checkers.evaluate import evaluate
from zerosum.games.checkers.position import Position
from zerosum.games.checkers.weights import FEATURES, Tables
from zerosum.terms import Term, factors_of, linear_weights, product, with_rest


def terms(s: Position, t: Tables) -> list[Term]:
    """The terms of the evaluation by features, for Black, in hundredths of a man.

    Each feature has a weight for many pieces and one for few; a term shows the current mixture.
    """
    names = list(FEATURES)
    words = {(row, phase): int(t.weights[row, phase]) for row in range(len(names)) for phase in range(2)}
    linear = linear_weights(words)
    weights = np.empty(t.weights.shape, object)
    for place, number in linear.items():
        weights[place] = number
    remembering: Any = t._replace(weights=weights)
    factors = factors_of(evaluate(s, remembering), linear[0, 0].log)
    found = []
    for row, name in enumerate(names):
        parts = [(Fraction(factors.get((row, phase), 0)), words[row, phase]) for phase in range(2)]
        feature, share = sum(factor for factor, _ in parts), sum(factor * word for factor, word in parts)
        if feature:
            found.append(product(name, float(feature), Fraction(share)))
    return with_rest(found, evaluate(s, t))
