"""ProbCut's measurements as words for the kernels: see ``probcut``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from zerosum.game import Game
from zerosum.jit.plan import Region
from zerosum.probcut import CHECKS, DEEPEST, MOST_LEFT, Fit, ProbCut

BITS = 10
"""Numbers in a row are fixed-point, with this many fractional bits."""

# A check: the shallow depth, or NONE; the factor from a deep value to a shallow one; what is then added to test for a
# value above the window, and subtracted for one below it; and how far the evaluation may be from the value that the
# shallow search must find for the check to be tried.
SHALLOW, FACTOR, ABOVE, BELOW, HOPE = range(5)
CHECK = 5
NONE = -1
ROW = CHECKS * CHECK


def cut_regions(game: Game) -> list[Region]:
    """Rows by phase and depth, then by moves left."""
    return [Region("cut_depths", game.phases * DEEPEST * ROW), Region("cut_ends", MOST_LEFT * ROW)]


@lru_cache(maxsize=16)  # solving steps through several confidences again and again
def cut_rows(known: ProbCut | None, phases: int, confidence: int) -> dict[str, list[int]]:
    """The words of both regions, at a confidence in percent; without measurements, no checks."""
    if known is None:
        return {"cut_depths": [NONE] * (phases * DEEPEST * ROW), "cut_ends": [NONE] * (MOST_LEFT * ROW)}
    sigmas = known.margin(confidence)
    depths = [known.for_depth(phase, deep) for phase in range(phases) for deep in range(DEEPEST)]
    ends = [known.for_end(left) if known.ends else [] for left in range(MOST_LEFT)]
    return {
        "cut_depths": [word for fits in depths for word in _row(known, fits, sigmas)],
        "cut_ends": [word for fits in ends for word in _row(known, fits, sigmas)],
    }


def _row(known: ProbCut, fits: Sequence[Fit], sigmas: float) -> list[int]:
    one, row = 1 << BITS, []
    for fit in fits[:CHECKS]:
        factor, error = 1 / fit.slope, sigmas * fit.sigma
        # How far the evaluation is from a search of the shallow depth: one sigma, so at least one try in six succeeds.
        hope = known.for_depth(fit.phase, fit.shallow)[0].sigma if fit.shallow else 0.0
        numbers = (factor, (error - fit.offset) * factor, (error + fit.offset) * factor, hope)
        row += [fit.shallow, *(math.ceil(number * one) for number in numbers)]
    return row + [NONE] * (ROW - len(row))
