"""Training targets: a mix of the results of games and the values found by searches."""

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
"""The most positions used to find the scale."""

MOST_SPREADS = 4
"""The scale is at most this many times the spread of the values, even if they predict almost nothing."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Labels:
    """How values and results become training targets.

    Attributes:
        scored: the targets are points; otherwise they are chances of winning.
        scale: the evaluation that a network output of 1 stands for: in points, or the value at which the chance of
            winning is 73 % (log-odds of 1). A whole number, because that is what network files store.
        sharpness: the log-odds per unit of a value found by a search.
        trust: the share of the search value in the target.
    """

    scored: bool
    scale: int
    sharpness: float
    trust: float

    @classmethod
    def of(cls, game: Game, samples: Samples, trust: float) -> Labels:
        """Return labels that fit the samples: the network will evaluate in the same units as the samples."""
        if not 0 <= trust <= 1:
            raise LimitError(f"trust must be a share from 0 to 1, not {trust!r}")
        step = -(-len(samples) // SOME)
        if game.scored:
            return cls(True, max(1, round(float(np.std(_utilities(game, samples)[::step])))), 1.0, trust)
        values, results = _values(samples)[::step], samples.results[::step]
        undecided = np.abs(values) < WON
        if not values[undecided].any():  # without an evaluation there is no unit to preserve
            return cls(False, margin_unit(game), 1.0, trust)
        sharpness = best_scale(values[undecided], results[undecided])
        largest = MOST_SPREADS * float(np.std(values[undecided]))
        # If the teacher evaluates in coarse steps, such as pawns, the network needs finer ones.
        scale = max(margin_unit(game), round(min(1 / sharpness, largest)))
        return cls(False, scale, sharpness, trust)

    def targets(self, game: Game, samples: Samples, movers: Any) -> Floats:
        """Return the target of each position for the side to move: a chance, or points divided by ``scale``."""
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
        raise LimitError("these positions have no search values")
    return samples.values


def _utilities(game: Game, samples: Samples) -> npt.NDArray[np.float64]:
    if samples.utilities is None:
        raise LimitError(f"{game.name} is scored, but these positions do not include the scores of their games")
    return samples.utilities
