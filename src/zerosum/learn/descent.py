"""Many positions at once move a network towards their values: mini-batches, in NumPy.

Adam (D. Kingma and J. Ba, 2015): a weight moves by the mean of its latest slopes, measured by their size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zerosum.games.network import STEEPEST, THREE, Shape

Floats = npt.NDArray[np.float32]

# OpenBLAS sets these flags now and then on numbers beside a matrix; its products are right (numpy issue 24067).
no_false_alarms = np.errstate(divide="ignore", over="ignore", invalid="ignore")

LATEST_SLOPE, LATEST_SQUARE, TINY = np.float32(0.1), np.float32(0.001), np.float32(1e-8)


@dataclass
class Descent:
    """One network's numbers in a row, the means of their slopes and of the slopes' squares; all change in place."""

    shape: Shape
    weights: Floats
    slopes: Floats
    squares: Floats
    steps: int = 0

    @no_false_alarms
    def chances(self, features: Floats) -> Floats:
        """The outputs for rows of features."""
        return self._forward(features)[1]

    @no_false_alarms
    def step(self, features: Floats, targets: Floats, rate: float) -> None:
        """One batch."""
        sums, found = self._forward(features)
        missed = (found - targets) / len(features)
        slope = np.empty_like(self.weights)
        parts, own = self._parts(slope), self._parts(self.weights)
        if self.shape.hidden:
            first, thresholds, second, last = parts
            square = sums * sums
            steep = (9 - square) / (9 + 3 * square)
            blame = (missed @ own[2]) * steep * steep
            np.matmul(features.T, blame, out=first)
            np.sum(blame, axis=0, out=thresholds)
            np.matmul(missed.T, _unit(sums), out=second)
        else:
            second, last = parts
            np.matmul(missed.T, features, out=second)
        np.sum(missed, axis=0, out=last)
        self.steps += 1
        self.slopes += LATEST_SLOPE * (slope - self.slopes)
        self.squares += LATEST_SQUARE * (slope * slope - self.squares)
        # Both means began at 0, and are too small by so much.
        slopes = self.slopes / np.float32(1 - (1 - float(LATEST_SLOPE)) ** self.steps)
        squares = self.squares / np.float32(1 - (1 - float(LATEST_SQUARE)) ** self.steps)
        self.weights -= np.float32(rate) * slopes / (np.sqrt(squares) + TINY)

    def _parts(self, row: Floats) -> list[Floats]:
        """A row of numbers as matrices: the hidden units' weights and thresholds, then the outputs'."""
        shape = self.shape
        inner, width = shape.inputs * shape.hidden, shape.hidden or shape.inputs
        cuts = np.cumsum([inner, shape.hidden, shape.outputs * width])
        first, thresholds, second, last = np.split(row, cuts)
        outputs = [second.reshape(shape.outputs, width), last]
        return [first.reshape(shape.inputs, shape.hidden), thresholds, *outputs] if shape.hidden else outputs

    def _forward(self, features: Floats) -> tuple[Floats, Floats]:
        """The hidden units' sums, cut off, and the outputs."""
        parts = self._parts(self.weights)
        units = sums = features
        if self.shape.hidden:
            sums = np.clip(features @ parts[0] + parts[1], -THREE, THREE)
            units = _unit(sums)
        outputs: Floats = 1 / (1 + np.exp(-np.clip(units @ parts[-2].T + parts[-1], -STEEPEST, STEEPEST)))
        return sums, outputs


def _unit(sums: Floats) -> Floats:
    """A hidden unit of its sum: see ``zerosum.games.network``."""
    square = sums * sums
    found: Floats = sums * (27 + square) / (27 + 9 * square)
    return found
