"""What a network is: where its numbers lie in a row, and what a unit makes of its sum. All else goes by this file.

A network's numbers are stored in one row, in these parts:

- ``first``: ``inputs`` rows of ``hidden`` weights, from a feature to the hidden units;
- ``thresholds`` of the hidden units;
- ``second``: ``outputs`` rows of ``width`` weights, to an output from the hidden units (or, without any, the features);
- ``last``: the thresholds of the outputs.

Several networks follow each other. Evaluation, learning and files take the offsets of these parts from ``Shape``.

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

# Numbers of 32 bits: one of Python's own would make everything that it meets twice as long.
ZERO, ONE = np.float32(0.0), np.float32(1.0)
THREE, NINE, TWENTY_SEVEN = np.float32(3.0), np.float32(9.0), np.float32(27.0)
STEEPEST = np.float32(16.0)  # beyond this a chance is 0 or 1 anyway


class Parts(NamedTuple):
    """The parts of one network's row as matrices; to write into them is to write into the row."""

    first: Any
    thresholds: Any
    second: Any
    last: Any


@dataclass(frozen=True)
class Shape:
    """How large a network is: all that is compiled in, and what the header of a file tells.

    Attributes:
        inputs: how many features there are.
        hidden: units between them and the outputs; 0 makes a linear model of it.
        levels: how much a game can be won by, 1 if a win is a win.
        networks: how many there are.
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
        """What an output is made of: hidden units, or features."""
        return self.hidden or self.inputs

    # Where the parts of a network lie in its row of numbers; ``first`` at 0.

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
        """Numbers of one network."""
        return self.last + self.outputs

    def parts(self, row: Any) -> Parts:
        """The row of one network, of NumPy or CuPy, in its parts."""
        return Parts(
            row[: self.thresholds].reshape(self.inputs, self.hidden),
            row[self.thresholds : self.second],
            row[self.second : self.last].reshape(self.outputs, self.width),
            row[self.last : self.size],
        )

    # Where things lie in a row to work with: features first, then a piece of zeros, then these.

    @property
    def padded(self) -> int:
        """Features, and zeros up to a full number of lanes."""
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
        """Numbers that a row to work with must have."""
        return self.chances + _in_lanes(self.outputs)


def _in_lanes(numbers: int) -> int:
    return -(-numbers // LANES) * LANES


# A hidden unit of its sum is a rational function much like tanh, that reaches 1 at 3, and smoothly: there the sum is
# cut off first. ``unit`` and ``steepness`` serve compiled kernels, and NumPy's arrays as well.


@fast_sums
def cut(x):
    return min(max(x, -THREE), THREE)


def cut_all(sums: Any) -> Any:
    """The same for an array."""
    return np.clip(sums, -THREE, THREE)


@fast_sums
def unit(x):
    """A hidden unit of its sum ``x``, which is cut off already.

    >>> print(unit(np.float32(3.0)), unit(np.float32(0.0)))
    1.0 0.0
    """
    square = x * x
    return x * (TWENTY_SEVEN + square) / (TWENTY_SEVEN + NINE * square)


@fast_sums
def steepness(x):
    """The root of the derivative of ``unit`` at ``x``: what a unit passes on is this times this.

    >>> print(steepness(np.float32(3.0)), steepness(np.float32(0.0)))
    0.0 1.0
    """
    square = x * x
    return (NINE - square) / (NINE + THREE * square)


def chance(x):
    """An output of its sum. Its derivative needs no function: with cross-entropy, the slope is what was missed."""
    return ONE / (ONE + np.float32(math.exp(-min(max(x, -STEEPEST), STEEPEST))))


def all_chances(sums: Any) -> Any:
    """The same for an array."""
    return 1 / (1 + np.exp(-np.clip(sums, -STEEPEST, STEEPEST)))
