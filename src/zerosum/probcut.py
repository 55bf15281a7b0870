"""How well a shallow search predicts a deep one: the numbers that ProbCut uses.

A deep search's value is about ``slope`` × a shallow one's + ``offset``, with a standard error of ``sigma``; all values
are for the side to move. ``zerosum train GAME --probcut`` measures these numbers for each phase of the game and pair
of depths, and, if the game has ``moves_left``, for searches that see its end. They are valid for one evaluation only: a
Game that gets another evaluation loses them.

This file imports neither NumPy nor Numba.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from zerosum.errors import GameError

DEEPEST, MOST_LEFT = 32, 64
"""Greater depths, and more moves left, are treated as these."""

LAST_MOVES = 4
"""A search to the end of the game counts as this many plies shorter, because the last moves take almost no time."""

CHECKS = 3
"""The number of shallow depths tried for one deep search, the shallowest first."""


NORMAL = ((50, 0.674), (73, 1.103), (87, 1.514), (95, 1.960), (98, 2.326), (99, 2.576))
"""The margins of normally distributed errors: percent within, and sigmas to either side."""


class Fit(NamedTuple):
    """The fit for one pair of depths: ``shallow`` predicts ``deep`` (or the moves left, if the search sees the end)."""

    phase: int
    deep: int
    shallow: int
    slope: float
    offset: float
    sigma: float
    positions: int = 0

    def at(self, phase: int, deep: int) -> Fit:
        return self._replace(phase=phase, deep=deep)


def shallow_depths(deep: int) -> tuple[int, ...]:
    """The depths that may predict a deep search: the evaluation alone, then about a quarter and half of its depth.

    These have the same parity, because many evaluations depend on who made the last move.

    >>> [shallow_depths(deep) for deep in (1, 2, 3, 5, 8, 12)]
    [(0,), (0,), (0, 1), (0, 1), (0, 2, 4), (0, 2, 6)]
    """
    odd = deep & 1
    quarter, half = 2 * (deep // 8) + odd or 2, 2 * (deep // 4) + odd
    return tuple(sorted({0, *(depth for depth in (quarter, half) if depth <= deep - 2 and 1.8 * depth < deep)}))


@dataclass(frozen=True)
class ProbCut:
    """All measurements for a game and its evaluation.

    Attributes:
        depths: fits by phase, for searches that end at a horizon.
        ends: fits by moves left (as ``deep``), for searches that see the end of the game; none without ``moves_left``.
        margins: how many sigmas to either side contain a share of all values: pairs of percent and sigmas, both
            increasing. They are measured because outliers are more frequent than in a normal distribution.
    """

    depths: tuple[Fit, ...]
    ends: tuple[Fit, ...] = ()
    margins: tuple[tuple[float, float], ...] = NORMAL

    @classmethod
    def parse(cls, data: Any) -> ProbCut:
        """The ProbCut that ``as_data`` was called on; ValueError if the data are anything else."""
        if not isinstance(data, Mapping):
            raise ValueError(f"{data!r} is not an object")
        return cls(_fits(data.get("depths")), _fits(data.get("ends", [])), _margins(data.get("margins")))

    def as_data(self) -> dict[str, Any]:
        """Rows of numbers, for JSON."""
        fits = {"depths": self.depths, "ends": self.ends}
        return {name: [_rounded(fit) for fit in rows] for name, rows in fits.items()} | {
            "margins": [[percent, round(sigmas, 3)] for percent, sigmas in self.margins]
        }

    def margin(self, confidence: float) -> float:
        """How many sigmas to either side contain this share, in percent, of all values.

        >>> [round(ProbCut(()).margin(percent), 2) for percent in (73, 91, 99)]
        [1.1, 1.74, 2.58]
        """
        percents, sigmas = zip(*self.margins, strict=True)
        i = min(max(bisect(percents, confidence), 1), len(percents) - 1)
        share = (confidence - percents[i - 1]) / (percents[i] - percents[i - 1])
        return float(sigmas[i - 1] + share * (sigmas[i] - sigmas[i - 1]))

    @cached_property
    def _by_depth(self) -> _Table:
        return _Table(self.depths)

    @cached_property
    def _by_moves_left(self) -> _Table:
        return _Table(self.ends)

    def for_depth(self, phase: int, deep: int) -> list[Fit]:
        """The fits to use at a depth, the shallowest first; for unmeasured depths they are extrapolated."""
        return [self._by_depth.fit(phase, deep, shallow) for shallow in shallow_depths(deep)]

    def for_end(self, left: int) -> list[Fit]:
        """The fits to use if a search sees the end of the game, with ``left`` moves to come."""
        return [self._by_moves_left.fit(0, left, shallow) for shallow in shallow_depths(max(left - LAST_MOVES, 1))]


class _Table:
    """Fits by phase, deep and shallow depth, with extrapolation where none was measured."""

    def __init__(self, fits: Iterable[Fit]) -> None:
        self.fits = {(fit.phase, fit.deep, fit.shallow): fit for fit in fits}
        self.phases = sorted({fit.phase for fit in self.fits.values()})
        self._growth = {phase: _growth([f for f in self.fits.values() if f.phase == phase]) for phase in self.phases}

    def fit(self, phase: int, deep: int, shallow: int) -> Fit:
        """The measured fit of the nearest phase; otherwise the nearest fit with its error scaled."""
        nearest = min(self.phases, key=lambda known: (abs(known - phase), known))
        found = self.fits.get((nearest, deep, shallow))
        if found is not None:
            return found
        known = [fit for fit in self.fits.values() if fit.phase == nearest]

        def distance(fit: Fit) -> tuple[int, int]:
            apart = abs(fit.shallow - shallow)
            return apart + apart % 2, abs(fit.deep - deep)

        like = min(known, key=distance)
        by_deep, by_shallow = self._growth[nearest]
        grown = ((deep + 1) / (like.deep + 1)) ** by_deep * ((shallow + 1) / (like.shallow + 1)) ** by_shallow
        return Fit(nearest, deep, shallow, like.slope, like.offset, like.sigma * grown)


def _growth(fits: Sequence[Fit]) -> tuple[float, float]:
    """The exponents of deep and shallow depth in the growth of the errors: least squares of their logarithms.

    Errors grow with the deep depth and fall with the shallow one, so the signs are enforced even for noisy fits.
    """
    rows = [(math.log(f.deep + 1), math.log(f.shallow + 1), math.log(f.sigma)) for f in fits if f.sigma > 0]
    if len(rows) < 4:
        return 0.5, -0.5
    x, y, z = ([row[i] - sum(r[i] for r in rows) / len(rows) for row in rows] for i in range(3))
    xx, yy, xy = (sum(a * b for a, b in zip(p, q, strict=True)) for p, q in ((x, x), (y, y), (x, y)))
    xz, yz = (sum(a * b for a, b in zip(p, z, strict=True)) for p in (x, y))
    determinant = xx * yy - xy * xy
    if determinant < 1e-9:
        return 0.5, -0.5
    return max((xz * yy - yz * xy) / determinant, 0.0), min((yz * xx - xz * xy) / determinant, 0.0)


def _rounded(fit: Fit) -> list[float]:
    """A fit as a row of numbers, rounded."""
    return [*fit[:3], *(float(f"{number:.4g}") for number in fit[3:6]), fit.positions]


def _fits(rows: Any) -> tuple[Fit, ...]:
    if not isinstance(rows, list):
        raise ValueError(f"{rows!r} is not a list of fits")
    found = []
    for row in rows:
        is_row = isinstance(row, list) and len(row) == len(Fit._fields)
        if not is_row or not all(isinstance(x, int | float) and math.isfinite(x) for x in row):
            raise ValueError(f"{row!r} is not a fit")
        phase, deep, shallow, slope, offset, sigma, positions = row
        fit = Fit(int(phase), int(deep), int(shallow), float(slope), float(offset), float(sigma), int(positions))
        if not 0 <= fit.shallow <= fit.deep <= 1000 or not 0 <= fit.phase < 64 or fit.slope <= 0 or fit.sigma < 0:
            raise ValueError(f"{row!r} is not a fit")
        found.append(fit)
    return tuple(found)


def _margins(rows: Any) -> tuple[tuple[float, float], ...]:
    try:
        found = tuple((float(percent), float(sigmas)) for percent, sigmas in rows)
    except (TypeError, ValueError):
        found = ()
    rise = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(found))
    if len(found) < 2 or not rise or not 0 < found[0][0] < found[-1][0] < 100 or not 0 <= found[0][1] < math.inf:
        raise ValueError(f"{rows!r} are not margins")
    return found


def checked_probcut(game: str, probcut: Any) -> ProbCut | None:
    """A game's ``probcut``; GameError unless it is a ProbCut with fits."""
    if probcut is not None and not (isinstance(probcut, ProbCut) and probcut.depths):
        raise GameError(f"{game}: probcut must be what 'zerosum train --probcut' measured, not {probcut!r}")
    return probcut
