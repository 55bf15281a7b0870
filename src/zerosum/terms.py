"""An evaluation term by term: Eval(s) = w₁f₁(s) + w₂f₂(s) + …, each feature with its weight.

A game that can explain its evaluation has a function ``terms``. It does not have to write the evaluation twice:
``Linear`` is a number that records the weights it is a sum of, so a game can call its own ``evaluate`` with tables of
such numbers and read the terms off the result.

>>> weights = linear_weights({"queen": 9, "pawn": 1})
>>> value = weights["queen"] * 1 - weights["pawn"] * 3
>>> value.value, dict(value.factors)
(6, {'queen': 1, 'pawn': -3})
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

REST = "rounding and limits"


class Term(NamedTuple):
    """One summand. ``feature`` and ``weight`` are None if it is not a single product."""

    name: str
    feature: float | None
    weight: float | None
    share: float


def product(name: str, feature: float, share: float | Fraction) -> Term:
    """A term with its weight derived from its share; a feature of 0 has no weight to show."""
    return Term(name, float(feature), float(share / feature) if feature else None, float(share))


def with_rest(terms: list[Term], value: float) -> list[Term]:
    """The terms, and the difference between their sum and the value as another term, if there is one."""
    rest = float(value - sum(Fraction(term.share) for term in terms))
    return terms + ([Term(REST, None, None, rest)] if abs(rest) > 1e-9 else [])


class Linear:
    """A number, and the factor of each weight in it. Comparisons and rounding use the number alone."""

    __slots__ = ("factors", "log", "value")

    def __init__(self, value: Any, factors: Mapping[Any, Any], log: list[Linear]) -> None:
        self.value, self.factors, self.log = value, factors, log

    def _with(self, other: Any, sign: int) -> Linear:
        if not isinstance(other, Linear):
            return Linear(self.value + sign * int(other), self.factors, self.log)
        factors = dict(self.factors)
        for name, factor in other.factors.items():
            factors[name] = factors.get(name, 0) + sign * factor
        return Linear(self.value + sign * other.value, factors, self.log)

    def __add__(self, other: Any) -> Linear:
        return self._with(other, 1)

    def __sub__(self, other: Any) -> Linear:
        return self._with(other, -1)

    def __radd__(self, other: Any) -> Linear:
        return self._with(other, 1)

    def __rsub__(self, other: Any) -> Linear:
        return self._negated()._with(other, 1)

    def __neg__(self) -> Linear:
        return self._negated()

    def _negated(self) -> Linear:
        return self._times(-1)

    def _times(self, scale: int) -> Linear:
        return Linear(self.value * scale, {name: factor * scale for name, factor in self.factors.items()}, self.log)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Linear):  # no longer a sum of weights
            return self.value * other.value
        return self._times(int(other))

    __rmul__ = __mul__

    def __floordiv__(self, unit: Any) -> Linear:
        factors = {name: Fraction(factor) / int(unit) for name, factor in self.factors.items()}
        found = Linear(self.value // int(unit), factors, self.log)
        self.log.append(found)
        return found

    def __rshift__(self, bits: Any) -> Linear:
        return self // (1 << int(bits))

    def __lshift__(self, bits: Any) -> Linear:
        return self._times(1 << int(bits))

    def __lt__(self, other: Any) -> bool:
        return bool(self.value < getattr(other, "value", other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.value > getattr(other, "value", other))

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __int__(self) -> int:
        return int(self.value)


def linear_weights(weights: Mapping[Any, float]) -> dict[Any, Linear]:
    """Each weight as a number that records its name. They share a log of all divisions, in order."""
    log: list[Linear] = []
    return {name: Linear(int(weight), {name: 1}, log) for name, weight in weights.items()}


def factors_of(found: Any, log: list[Linear]) -> Mapping[Any, Any]:
    """The factors of an evaluation's result, even if it was clamped or made a plain number after the division."""
    if isinstance(found, Linear):
        return found.factors
    if not log:
        return {}
    last = log[-1]
    # Rounding towards zero divides the negated number.
    return (-last).factors if (found < 0) != (last.value < 0) and last.value != 0 else last.factors
