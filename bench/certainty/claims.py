"""What the engine claims when it calls a value proven, and whether the claim is true."""

from __future__ import annotations

from typing import NamedTuple

from zerosum.game import WIN
from zerosum.search.peek import Known
from zerosum.search.result import NO_DISTANCE, Result

ANYTHING = 1 << 40

TELLS_EXACT = "exact" in Result.__dataclass_fields__
"""Older versions called the distance of every win exact."""


class Truth(NamedTuple):
    """The least and the most that a position can be worth to MAX; equal if the exact value is known."""

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def later(self, plies: int, scored: bool) -> Truth:
        """Return the truth as seen ``plies`` plies earlier: wins and losses are farther away."""
        return self if scored else Truth(_farther(self.low, plies), _farther(self.high, plies))


def exactly(value: int) -> Truth:
    return Truth(value, value)


def _farther(value: int, plies: int) -> int:
    if value == 0 or abs(value) > WIN:
        return value
    return value - plies if value > 0 else value + plies


class Claim(NamedTuple):
    """A value for MAX, counted from the position: exact (0), a lower bound (1) or an upper bound (-1).

    ``dated`` is False if only the winner is claimed, or the distance is an upper bound.
    """

    value: int
    bound: int = 0
    dated: bool = True

    def fault(self, truth: Truth, scored: bool) -> str:
        """Return what is wrong with the claim: "winner", "distance", "value", or ""."""
        low, high = self._range(scored)
        if truth.low <= high and low <= truth.high:
            return ""
        if scored:
            return "value"
        if _sign(truth.low) <= _sign(high) and _sign(low) <= _sign(truth.high):
            return "distance"
        return "winner"

    def _range(self, scored: bool) -> tuple[int, int]:
        """Return the range of values that the claim allows."""
        low = high = self.value
        if not scored and self.value:
            if abs(self.value) <= WIN - NO_DISTANCE and abs(self.value) >= WIN - 2 * NO_DISTANCE:
                # A database without distances stores only the winner.
                low, high = (1, WIN) if self.value > 0 else (-WIN, -1)
            elif not self.dated:
                low, high = (low, WIN) if self.value > 0 else (-WIN, high)
        if self.bound > 0:
            high = ANYTHING
        elif self.bound < 0:
            low = -ANYTHING
        return low, high


def entry_claim(known: Known | None) -> Claim | None:
    """Return what a table entry claims, or None if nothing.

    The winner is certain even if the search that found it was selective; then the distance is an upper bound.
    """
    if known is None:
        return None
    value = int(known.value)
    if known.proven:
        return Claim(value, known.bound)
    winner = _sign(value)
    if TELLS_EXACT and WIN - NO_DISTANCE < abs(value) <= WIN and known.bound in (0, winner):
        return Claim(value, winner)
    return None


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def in_words(truth: Truth, scored: bool) -> str:
    if truth.is_exact:
        return value_in_words(truth.low, scored)
    return f"from {value_in_words(truth.low, scored)} to {value_in_words(truth.high, scored)}"


def value_in_words(value: int, scored: bool) -> str:
    """
    >>> value_in_words(WIN - 3, False), value_in_words(0, False), value_in_words(-7, True)
    ('MAX wins in 3', 'draw', '-7')
    """
    if scored or abs(value) > WIN or (value and abs(value) < WIN - 2 * NO_DISTANCE):
        return f"{value:+d}"
    if value == 0:
        return "draw"
    who = "MAX" if value > 0 else "MIN"
    plies = WIN - abs(value)
    return f"{who} wins in {plies}" if plies < NO_DISTANCE else f"{who} wins"
