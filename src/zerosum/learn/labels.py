"""What a network should say of positions: how their games ended, and what a search found, mixed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.game import MAX, Game
from zerosum.learn.samples import Samples
from zerosum.learn.tuning import best_scale, expected
from zerosum.search.options import margin_unit
from zerosum.search.values import WON

SOME = 1_000_000
"""The most positions that the scale is found from."""

MOST_SPREADS = 4
"""The scale is at most this many times the spread of the values, even if these foretell next to nothing."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Labels:
    """How values and results become what a network should say.

    Attributes:
        scored: points are foretold; otherwise chances.
        scale: what 1 of the network's output is worth in evaluations: points, or the value at which the chance to win
            is 73 % (its logarithm of odds is 1). A whole number, because the network's file has such.
        sharpness: times a value that a search found: the logarithm of the odds that it means.
        trust: the share of what a search found.
    """

    scored: bool
    scale: int
    sharpness: float
    trust: float

    @classmethod
    def of(cls, game: Game, samples: Samples, trust: float) -> Labels:
        """Those that fit the samples: evaluations by the network will have the units of those in the samples."""
        if not 0 <= trust <= 1:
            raise LimitError(f"trust must be a share from 0 to 1, not {trust!r}")
        step = -(-len(samples) // SOME)
        if game.scored:
            return cls(True, max(1, round(float(np.std(_utilities(game, samples)[::step])))), 1.0, trust)
        values, results = _values(samples)[::step], samples.results[::step]
        undecided = np.abs(values) < WON
        if not values[undecided].any():  # without an evaluation there is no unit to keep
            return cls(False, margin_unit(game), 1.0, trust)
        sharpness = best_scale(values[undecided], results[undecided])
        largest = MOST_SPREADS * float(np.std(values[undecided]))
        # Where the teacher counts in large steps, as pawns, the network needs finer ones.
        scale = max(margin_unit(game), round(min(1 / sharpness, largest)))
        return cls(False, scale, sharpness, trust)

    def targets(self, game: Game, samples: Samples, movers: Any) -> Floats:
        """What should be said of each position, for the side to move: chances, or points by ``scale``."""
        values, trust, is_max = _values(samples), self.trust, np.asarray(movers) == MAX
        if self.scored:
            wanted = ((1 - trust) * _utilities(game, samples) + trust * values) / self.scale
            return np.where(is_max, wanted, -wanted).astype(np.float32)
        found = expected(values, self.sharpness)
        found[values >= WON], found[values <= -WON] = 1, 0
        wanted = (1 - trust) * samples.results + trust * found
        turned: Floats = np.where(is_max, wanted, 1 - wanted).astype(np.float32)
        return turned


def _values(samples: Samples) -> npt.NDArray[np.float64]:
    if samples.values is None:
        raise LimitError("these positions have no values of a search")
    return samples.values


def _utilities(game: Game, samples: Samples) -> npt.NDArray[np.float64]:
    if samples.utilities is None:
        raise LimitError(f"{game.name} is scored, and these positions do not tell by how much their games were won")
    return samples.utilities
