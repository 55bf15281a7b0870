"""SPSA: tune many numbers at once from noisy comparisons.

Each step changes all numbers slightly, up or down at random, and compares this with the opposite change: two
measurements, however many numbers there are (J. Spall, Multivariate stochastic approximation using a simultaneous
perturbation gradient approximation, IEEE Transactions on Automatic Control 37, 1992). Here a measurement is a pair of
games between the two settings, as in Stockfish's Fishtest. Perturbations and steps shrink by Spall's schedules.

>>> tuning = Spsa([TunedNumber("margin", 100, 0, 1000, 10)], pairs=1)
>>> one = tuning.pair(1)
>>> abs(one.plus["margin"] - one.minus["margin"])
20
>>> tuning.learn([(one, 2)])  # plus has won both games
>>> tuning.values["margin"] > 100 if one.plus["margin"] > 100 else tuning.values["margin"] < 100
True
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ALPHA, GAMMA = 0.602, 0.101
"""How fast steps and perturbations shrink: Spall's recommended values."""

STABILITY = 0.1
"""This share of all pairs is added to a pair's number, so that the first steps are not too large."""

NOISE = 0.5
"""Roughly how far, in units of its own step, chance alone moves a number during a whole run. A higher rate would learn
faster but end further from the optimum."""


class TunedNumber(NamedTuple):
    """A number to tune: its start, its limits, and how far it is perturbed at the end of a run."""

    name: str
    start: int
    least: int
    most: int
    step: float


class Pair(NamedTuple):
    """Two settings to compare. ``signs`` has 1 for a number that is larger in ``plus``, else -1."""

    number: int
    plus: dict[str, int]
    minus: dict[str, int]
    signs: dict[str, int]


@dataclass(frozen=True)
class Gains:
    """The sizes of one step, in units of a number's own step."""

    perturbation: float
    rate: float


class Spsa:
    """A run of ``pairs`` comparisons. What it does next depends only on ``values``, ``done`` and the seed.

    Attributes:
        values: the current numbers, with fractions.
        done: the number of pairs learned from.
    """

    def __init__(self, numbers: Sequence[TunedNumber], pairs: int, seed: int = 0) -> None:
        self.numbers, self.pairs, self.seed = tuple(numbers), pairs, seed
        self.values = {tuned.name: float(tuned.start) for tuned in numbers}
        self.done = 0

    def go_on(self, values: Mapping[str, float], done: int) -> None:
        """Resume a run; raise ValueError if no run can be in this state."""
        for tuned in self.numbers:
            if not tuned.least <= values[tuned.name] <= tuned.most:  # NaN too
                raise ValueError(f"{tuned.name} is {values[tuned.name]!r}, not from {tuned.least} to {tuned.most}")
        if not isinstance(done, int) or not 0 <= done <= self.pairs:
            raise ValueError(f"{done!r} of {self.pairs} pairs are done")
        self.values, self.done = {tuned.name: float(values[tuned.name]) for tuned in self.numbers}, done

    @property
    def rounded(self) -> dict[str, int]:
        """The current numbers, rounded."""
        return {name: round(value) for name, value in self.values.items()}

    def gains(self, number: int) -> Gains:
        """Return the sizes for a pair, numbered from 1. The last pair has a whole step and the final rate."""
        share = number / self.pairs
        shift = STABILITY * self.pairs
        final = NOISE / math.sqrt(self.pairs)
        rate = final * ((shift + self.pairs) / (shift + number)) ** ALPHA * share ** (2 * GAMMA)
        return Gains(share**-GAMMA, rate)

    def pair(self, number: int) -> Pair:
        """Return the settings that pair ``number`` compares, around the current values.

        Fractions are rounded at random, in the same way for both sides, so that on average nothing is lost.
        """
        chance = random.Random(f"spsa {self.seed} {number}")
        size = self.gains(number).perturbation
        pair = Pair(number, {}, {}, {})
        for tuned in self.numbers:
            sign, fraction = chance.choice((-1, 1)), chance.random()
            pair.signs[tuned.name] = sign
            for setting, direction in ((pair.plus, sign), (pair.minus, -sign)):
                moved = self.values[tuned.name] + direction * size * tuned.step
                setting[tuned.name] = min(max(math.floor(moved + fraction), tuned.least), tuned.most)
        return pair

    def learn(self, results: Iterable[tuple[Pair, int]]) -> None:
        """Move towards the winners; a result is the number of wins of ``plus`` minus its losses.

        All these pairs must have been made around the same values. Their order does not matter.
        """
        results = sorted(results, key=lambda each: each[0].number)
        for tuned in self.numbers:
            moved = self.values[tuned.name]
            for pair, score in results:
                gains = self.gains(pair.number)
                moved += gains.rate * gains.perturbation * tuned.step * score * pair.signs[tuned.name]
            self.values[tuned.name] = min(max(moved, float(tuned.least)), float(tuned.most))
        self.done += len(results)
