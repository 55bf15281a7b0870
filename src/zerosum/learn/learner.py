"""One learning step: moves a network's weights slightly towards what a position should have been worth.

Each weight is pulled in proportion to its share in the network's error (its gradient). Some weights are pulled hard all
the time and others hardly ever, so each pull is divided by the recent strength of pulls on the same weight
(RMSprop: G. Hinton, Neural networks for machine learning, lecture 6, 2012). In backgammon this gained 0.06 points a
game after 60,000 games, compared with steps proportional to the pull.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zerosum.jit.bits import lowest_bit
from zerosum.jit.rules import fast_sums
from zerosum.jit.words import LANES, differing, drop_lowest
from zerosum.networks.functions import Functions
from zerosum.networks.shape import ONE, ZERO, Shape, cut, steepness

NOTE = 16
"""Numbers in one note: more than any network has outputs."""

NOTES_ROW = 6 * NOTE
# Notes, all for MAX: the best move's chances, the return so far, the target, an average over the dice, the error.
BEST_CHANCES, RETURN, TARGET, AVERAGE, MISSED = (place * NOTE for place in range(5))

FIRST_SQUARE = 1e-4
"""The initial mean square of a weight's pulls: large, so that the first steps are small."""

LATEST = np.float32(0.001)
"""The share of the latest pull in the running mean."""

TINY = np.float32(1e-10)
"""Added to the mean, so that a weight that is almost never pulled stays where it is."""


def learner_of(shape: Shape) -> Any:
    """Return ``learn(row, weights, squares, net, notes, rate)``, which takes one step towards the target in the notes.

    The row has the position's features. The step lowers the cross-entropy of the chances. ``learn`` returns the sum of
    their squared errors.
    """
    hidden, outputs, width = shape.hidden, shape.outputs, shape.width
    padded, zeros = shape.padded, shape.zeros
    net_of = Functions(shape)
    first_sums, conclude = net_of.first_sums, net_of.conclude
    sums, units, chances = net_of.sums, net_of.units, net_of.chances
    thresholds, second, last, size = shape.thresholds, shape.second, shape.last, shape.size

    def move(weights, squares, at, pull, rate):
        square = squares[at]
        square += LATEST * (pull * pull - square)
        squares[at] = square
        weights[at] += rate * pull / np.float32(math.sqrt(square + TINY))

    @fast_sums
    def move_row(weights, squares, at, x, row, first, rate):
        for j in range(hidden):
            move(weights, squares, at + j, x * row[first + j], rate)

    @fast_sums
    def backpropagate(row, weights, base, notes):
        """Replace the hidden units' sums by their share in the output errors (backpropagation)."""
        for j in range(hidden):
            steep = steepness(cut(row[sums + j]))
            row[sums + j] = steep * steep
        for j in range(hidden):
            part = ZERO
            for k in range(outputs):
                part += notes[MISSED + k] * weights[base + second + k * width + j]
            row[sums + j] *= part

    def learn(row, weights, squares, net, notes, rate):
        base = net * size
        if hidden:
            first_sums(row, weights, net)
        conclude(row, weights, net)
        total = ZERO
        for k in range(outputs):
            missed = notes[TARGET + k] - row[chances + k]
            total += missed * missed
            notes[MISSED + k] = missed
            move(weights, squares, base + last + k, missed, rate)
        if hidden:
            backpropagate(row, weights, base, notes)
            for k in range(outputs):
                move_row(weights, squares, base + second + k * width, notes[MISSED + k], row, units, rate)
            move_row(weights, squares, base + thresholds, ONE, row, sums, rate)
        for block in range(0, padded, LANES):
            mask = differing(row, block, row, zeros)
            while mask:
                i = block + lowest_bit(mask)
                mask = drop_lowest(mask)
                if hidden:
                    move_row(weights, squares, base + i * hidden, row[i], row, sums, rate)
                else:
                    for k in range(outputs):
                        move(weights, squares, base + second + k * width + i, notes[MISSED + k] * row[i], rate)
        return total

    return learn
