"""The definition of a network: the layout of its numbers in a row, and its activation functions.

A network's numbers are stored in one row, in these parts:

- ``first``: ``inputs`` rows of ``hidden`` weights, from a feature to the hidden units;
- ``thresholds`` of the hidden units;
- ``second``: ``outputs`` rows of ``width`` weights, from the hidden units (or, without any, the features) to an output;
- ``last``: the thresholds of the outputs.

Several networks follow one another. Evaluation, learning and files take the offsets of these parts from ``Shape``.

>>> shape = Shape(inputs=3, hidden=2, levels=2)
>>> shape.thresholds, shape.second, shape.last, shape.size
(6, 8, 14, 17)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zerosum.errors import GameError
from zerosum.jit.rules import fast_sums
from zerosum.jit.words import LANES, SCRATCH

# 32-bit numbers: a Python float would widen every expression it appears in to 64 bits.
ZERO, ONE = np.float32(0.0), np.float32(1.0)
THREE, NINE, TWENTY_SEVEN = np.float32(3.0), np.float32(9.0), np.float32(27.0)
STEEPEST = np.float32(16.0)  # beyond this a chance is 0 or 1 anyway


class Parts(NamedTuple):
    """The parts of one network's row as matrices, as views: writing to them writes to the row."""

    first: Any
    thresholds: Any
    second: Any
    last: Any


@dataclass(frozen=True)
class Shape:
    """The size of a network: everything that is compiled in, and that a file's header stores.

    Attributes:
        inputs: the number of features.
        hidden: the number of hidden units; 0 gives a linear model.
        levels: the largest result of a game; 1 if it is only won or lost.
        networks: the number of networks.
    """

    inputs: int
    hidden: int
    levels: int = 1
    networks: int = 1

    def __post_init__(self) -> None:
        if self.row > SCRATCH:
            raise GameError(f"{self.inputs} features and {self.hidden} hidden units are more than {SCRATCH} numbers")

    @property
    def outputs(self) -> int:
        return 2 * self.levels - 1

    @property
    def width(self) -> int:
        """The number of inputs of an output: hidden units, or features."""
        return self.hidden or self.inputs

    # Offsets of a network's parts in its row of numbers; ``first`` is at 0.

    @property
    def thresholds(self) -> int:
        return self.inputs * self.hidden

    @property
    def second(self) -> int:
        return self.thresholds + self.hidden

    @property
    def last(self) -> int:
        return self.second + self.outputs * self.width

    @property
    def size(self) -> int:
        """The number of numbers in one network."""
        return self.last + self.outputs

    def parts(self, row: Any) -> Parts:
        """Split the row of one network, in NumPy or CuPy, into its parts."""
        return Parts(
            row[: self.thresholds].reshape(self.inputs, self.hidden),
            row[self.thresholds : self.second],
            row[self.second : self.last].reshape(self.outputs, self.width),
            row[self.last : self.size],
        )

    # Offsets in a work row: features first, then a block of zeros, then these.

    @property
    def padded(self) -> int:
        """The number of features, padded with zeros to whole lanes."""
        return _in_lanes(self.inputs)

    @property
    def zeros(self) -> int:
        return self.padded

    @property
    def sums(self) -> int:
        return self.zeros + LANES

    @property
    def units(self) -> int:
        return self.sums + _in_lanes(self.hidden)

    @property
    def chances(self) -> int:
        return self.units + _in_lanes(self.hidden)

    @property
    def row(self) -> int:
        """The length of a work row."""
        return self.chances + _in_lanes(self.outputs)


def _in_lanes(numbers: int) -> int:
    return -(-numbers // LANES) * LANES


# A hidden unit is a rational function of its sum, similar to tanh, that reaches 1 smoothly at 3; the sum is clipped
# there first. ``unit`` and ``steepness`` work in compiled kernels and on NumPy arrays.


@fast_sums
def cut(x):
    return min(max(x, -THREE), THREE)


def cut_all(sums: Any) -> Any:
    """Apply ``cut`` to an array."""
    return np.clip(sums, -THREE, THREE)


@fast_sums
def unit(x):
    """Return a hidden unit, given its clipped sum ``x``.

    >>> print(unit(np.float32(3.0)), unit(np.float32(0.0)))
    1.0 0.0
    """
    square = x * x
    return x * (TWENTY_SEVEN + square) / (TWENTY_SEVEN + NINE * square)


@fast_sums
def steepness(x):
    """Return the square root of the derivative of ``unit`` at ``x``.

    >>> print(steepness(np.float32(3.0)), steepness(np.float32(0.0)))
    0.0 1.0
    """
    square = x * x
    return (NINE - square) / (NINE + THREE * square)


def chance(x):
    """Return an output, given its sum. Its derivative is not needed: the cross-entropy gradient is the error itself."""
    return ONE / (ONE + np.float32(math.exp(-min(max(x, -STEEPEST), STEEPEST))))


def all_chances(sums: Any) -> Any:
    """Apply ``chance`` to an array."""
    return 1 / (1 + np.exp(-np.clip(sums, -STEEPEST, STEEPEST)))
