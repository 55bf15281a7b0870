"""An evaluation taken apart into its features: Eval(s) = w₁f₁(s) + w₂f₂(s) + …

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> found = evaluation_of(game, game.parse_state(".o..x...."))
>>> found.value, [(term.feature, term.weight, term.share) for term in found.terms]
(2, [(6, 1, 6), (4, -1, -4)])
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Any

from zerosum.errors import MissingRule
from zerosum.game import MAX, Game
from zerosum.terms import Term

SUM, NETWORK, PATTERNS, OTHER = "sum", "network", "patterns", "other"


@dataclass(frozen=True)
class Evaluation:
    """The value for MAX, the kind of evaluation, its terms if it is a sum, and its probabilities if it has any."""

    value: float
    kind: str
    terms: tuple[Term, ...] = ()
    chances: tuple[tuple[str, float], ...] = ()

    @property
    def in_words(self) -> str:
        """The kind of evaluation, as a sentence."""
        return {
            SUM: "The evaluation function is a weighted sum of features.",
            NETWORK: "The evaluation function is a neural network: it is not a sum of named features.",
            PATTERNS: "The evaluation function is a sum of learned pattern weights, which have no names.",
            OTHER: "This evaluation function does not name its features.",
        }[self.kind]

    @property
    def largest_first(self) -> list[Term]:
        return sorted(self.terms, key=lambda term: -abs(term.share))

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "value": self.value,
            "kind": self.kind,
            "terms": [term._asdict() for term in self.terms],
            "chances": dict(self.chances),
        }


def evaluation_of(game: Game, s: Any) -> Evaluation:
    """Evaluate a state that is not finished, with the terms of the evaluation where the game names them."""
    if not game.has("evaluate"):
        raise MissingRule(f"{game.name} has no evaluate(s), so there is no evaluation to show; add one to the game")
    value = game.evaluate(s)
    value = float(value) if game.has("chances") else int(value)
    if game.has("terms"):
        return Evaluation(value, SUM, tuple(game.terms(s)))
    fields = getattr(game.tables, "_fields", ())
    if "network" not in fields:
        return Evaluation(value, OTHER)
    if game.has("chances_of"):
        return Evaluation(value, NETWORK, chances=tuple(game.chances_of(s).items()))
    if game.scored:
        return Evaluation(value, PATTERNS)
    return Evaluation(value, NETWORK, chances=_expected(game, s, value))


def _expected(game: Game, s: Any, value: float) -> tuple[tuple[str, float], ...]:
    """The expected score of each player, from 0 to 1: the logistic function of the network's value."""
    scale = float(game.tables.network_last[-1])
    for_max = 1 / (1 + exp(-value / scale))
    names = game.players if game.players else ("MAX", "MIN")
    first, second = (0, 1) if game.to_move(s) == MAX else (1, 0)
    shares = (for_max, 1 - for_max)
    return tuple((f"expected score of {names[who]}", shares[who]) for who in (first, second))
