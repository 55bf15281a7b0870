"""Statistics of results: score, Elo with its error, likelihood of superiority, a sequential test, rating tables.

A pair is two games from the same opening with sides changed. Its two results depend on each other, because openings
favour a side. If games come in pairs, errors are computed from the five possible results of a pair (0 to 2 points in
steps of a half), which usually makes them smaller than errors computed from single games.

On the Elo scale, 400 points are odds of ten to one. The test is A. Wald's sequential probability ratio test (1945) with
the normal approximation of the log-likelihood ratio.

>>> tally = Tally(wins=60, draws=20, losses=20)
>>> tally.score, round(tally.elo, 1), round(tally.los, 6)
(0.7, 147.2, 0.999996)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

from zerosum.errors import ArenaError

CONFIDENCE = 0.95
PRIOR_DRAWS = 1.0
"""Extra draws counted between each pair of players in a rating table, so that no rating is infinite."""

ELO_PER_NAT = 400 / math.log(10)


def expected_score(elo: float) -> float:
    """The expected score of a player who is stronger by this Elo difference.

    >>> round(expected_score(400), 4), expected_score(0)
    (0.9091, 0.5)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The Elo difference for a score; infinite if the player won or lost every game.

    >>> round(elo_of_score(0.75), 2), elo_of_score(1.0)
    (190.85, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True)
class Tally:
    """One player's results against another: games, and the complete pairs among them by points, 0 to 2 in halves."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def reversed(self) -> Tally:
        """The same results for the other player."""
        zero, half, one, more, two = self.pairs
        return Tally(self.losses, self.draws, self.wins, (two, more, one, half, zero))

    def _spread(self, counts: Sequence[float], centre: float | None = None) -> float:
        """The variance of a result around its mean or ``centre``; the results are evenly spaced from 0 to 1."""
        total = sum(counts)
        values = [place / (len(counts) - 1) for place in range(len(counts))]
        if centre is None:
            centre = sum(c * x for c, x in zip(counts, values, strict=True)) / total
        return sum(c * (x - centre) ** 2 for c, x in zip(counts, values, strict=True)) / total

    def variance(self, centre: float | None = None) -> float:
        """The variance of one game's result; computed from pairs, if there are any, and scaled to one game."""
        if not self.games:
            return 0.0
        if sum(self.pairs):
            of_pairs = 2 * self._spread(self.pairs, centre)
            if of_pairs > 0:
                return of_pairs
        return self._spread((self.losses, self.draws, self.wins), centre)

    def safe_variance(self) -> float:
        """The variance or, if all results are the same, the variance with half a win and half a loss added."""
        return self.variance() or self._spread((self.losses + 0.5, self.draws, self.wins + 0.5))

    @property
    def error(self) -> float:
        """The standard error of the score."""
        return math.sqrt(self.safe_variance() / self.games) if self.games else math.inf

    @property
    def elo(self) -> float:
        return elo_of_score(self.score)

    def elo_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The confidence interval of the Elo difference."""
        if not self.games:
            return -math.inf, math.inf
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.error
        return elo_of_score(self.score - reach), elo_of_score(self.score + reach)

    @property
    def los(self) -> float:
        """The likelihood of superiority: the probability that the player is the stronger one."""
        # The variance is that between equal players: without pairs, this is Φ((wins - losses) / √(wins + losses)).
        variance = self.variance(centre=0.5)
        if not variance:
            return 0.5
        return NormalDist().cdf((self.score - 0.5) / math.sqrt(variance / self.games))


class Sprt(NamedTuple):
    """A sequential test between two hypotheses about an Elo difference, which ends as soon as the games decide.

    ``alpha`` is the risk of accepting ``elo1`` when ``elo0`` is true, and ``beta`` the risk of the opposite.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Parse ``ELO0,ELO1`` or ``ELO0,ELO1,ALPHA,BETA``.

        >>> Sprt.parse("0,5")
        Sprt(elo0=0.0, elo1=5.0, alpha=0.05, beta=0.05)
        """
        try:
            numbers = [float(word) for word in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4) or not all(map(math.isfinite, numbers)):
            raise ArenaError(f"the test {text!r} is not ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, as in '0,5'")
        test = cls(*numbers)
        if test.elo0 >= test.elo1:
            raise ArenaError(f"the test {text!r}: the first Elo must be less than the second")
        if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
            raise ArenaError(f"the test {text!r}: alpha and beta must be between 0 and 0.5")
        return test

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 and elo1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, tally: Tally) -> float:
        """The log-likelihood ratio of elo1 to elo0 after these games."""
        if not tally.games:
            return 0.0
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        return tally.games * (high - low) * (2 * tally.score - low - high) / (2 * tally.safe_variance())

    def decision(self, tally: Tally) -> str:
        """``"elo0"`` or ``"elo1"`` if the test has accepted one; ``""`` while it continues.

        >>> Sprt(0, 50).decision(Tally(80, 20, 20)), Sprt(0, 5).decision(Tally(5, 5, 5))
        ('elo1', '')
        """
        low, high = self.bounds
        ratio = self.ratio(tally)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else ""


class Rating(NamedTuple):
    """A player's Elo rating, relative to an average of 0, and the half-width of the 95 % interval."""

    elo: float
    error: float


def rate(players: int, tallies: Mapping[tuple[int, int], Tally], prior: float = PRIOR_DRAWS) -> list[Rating]:
    """Maximum-likelihood ratings; ``tallies[i, j]`` are the results of i against j, each pair of players once.

    The model is Bradley and Terry's (1952), in which a draw is half a win. It is fitted by Newton's method, whose last
    matrix gives the errors.

    >>> [round(r.elo) for r in rate(3, {(0, 1): Tally(30, 0, 10), (1, 2): Tally(30, 0, 10)}, prior=0)]
    [191, 0, -191]
    """
    import numpy

    points = numpy.zeros(players)
    met = numpy.zeros((players, players))
    for (i, j), tally in tallies.items():
        if tally.games:
            points[i] += tally.wins + tally.draws / 2 + prior / 2
            points[j] += tally.losses + tally.draws / 2 + prior / 2
            met[i, j] += tally.games + prior
            met[j, i] += tally.games + prior
    strength = numpy.zeros(players)
    inverse: Any = numpy.zeros((players, players))
    for _ in range(100):
        chance = 1 / (1 + numpy.exp(strength[None, :] - strength[:, None]))
        slope = points - (met * chance).sum(axis=1)
        weights = met * chance * (1 - chance)
        information = numpy.diag(weights.sum(axis=1)) - weights
        # Only differences are determined: the pseudo-inverse leaves the average unchanged.
        inverse = numpy.linalg.pinv(information)
        step = numpy.clip(inverse @ slope, -2.0, 2.0)
        strength += step
        if abs(step).max(initial=0.0) < 1e-10:
            break
    strength -= strength.mean() if players else 0.0
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return [
        Rating(
            float(s * ELO_PER_NAT), float(reach * math.sqrt(max(v, 0.0)) * ELO_PER_NAT) if met[n].any() else math.inf
        )
        for n, (s, v) in enumerate(zip(strength, numpy.diag(inverse), strict=True))
    ]
