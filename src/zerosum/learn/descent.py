"""Mini-batch training of a network towards given values, in NumPy.

Uses Adam (D. Kingma and J. Ba, 2015): a weight moves by the mean of its latest gradients, scaled by their size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zerosum.networks.shape import Shape, all_chances, cut_all, steepness, unit

Floats = npt.NDArray[np.float32]

# OpenBLAS sometimes sets these flags because of numbers next to a matrix; its products are right (numpy issue 24067).
no_false_alarms = np.errstate(divide="ignore", over="ignore", invalid="ignore")

LATEST_SLOPE, LATEST_SQUARE, TINY = np.float32(0.1), np.float32(0.001), np.float32(1e-8)


@dataclass
class Descent:
    """One network's weights as a row, and the running means of their gradients and squared gradients.

    All three change in place.
    """

    shape: Shape
    weights: Floats
    slopes: Floats
    squares: Floats
    steps: int = 0

    @no_false_alarms
    def chances(self, features: Floats) -> Floats:
        """Return the outputs for rows of features."""
        return self._forward(features)[1]

    @no_false_alarms
    def step(self, features: Floats, targets: Floats, rate: float) -> None:
        """Learn from one batch."""
        sums, found = self._forward(features)
        missed = (found - targets) / len(features)
        slope = np.empty_like(self.weights)
        parts = self.shape.parts(slope)
        if self.shape.hidden:
            steep = steepness(sums)
            hidden_errors = (missed @ self.shape.parts(self.weights).second) * steep * steep
            np.matmul(features.T, hidden_errors, out=parts.first)
            np.sum(hidden_errors, axis=0, out=parts.thresholds)
            np.matmul(missed.T, unit(sums), out=parts.second)
        else:
            np.matmul(missed.T, features, out=parts.second)
        np.sum(missed, axis=0, out=parts.last)
        self.steps += 1
        self.slopes += LATEST_SLOPE * (slope - self.slopes)
        self.squares += LATEST_SQUARE * (slope * slope - self.squares)
        # Both means started at 0, so they are too small by these factors.
        slopes = self.slopes / np.float32(1 - (1 - float(LATEST_SLOPE)) ** self.steps)
        squares = self.squares / np.float32(1 - (1 - float(LATEST_SQUARE)) ** self.steps)
        self.weights -= np.float32(rate) * slopes / (np.sqrt(squares) + TINY)

    def _forward(self, features: Floats) -> tuple[Floats, Floats]:
        """Return the hidden units' clipped sums, and the outputs."""
        parts = self.shape.parts(self.weights)
        units = sums = features
        if self.shape.hidden:
            sums = cut_all(features @ parts.first + parts.thresholds)
            units = unit(sums)
        outputs: Floats = all_chances(units @ parts.second.T + parts.last)
        return sums, outputs
