"""One step of learning: a network's weights are moved a little, towards what a position should have been worth.

Each weight is pulled by how much it has to do with what the network missed. Some are pulled hard all the time and
others hardly ever, so each pull is measured against the strength of those that the same weight has felt lately
(RMSprop: G. Hinton, Neural networks for machine learning, lecture 6, 2012). In backgammon that was worth 0.06 points a
game after 60,000 games, against steps in proportion to the pull.
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
"""Numbers of one note: the most outputs that a network has, and more."""

NOTES_ROW = 6 * NOTE
# Notes: the best move's chances, the return so far, what to learn, an average over the dice, what was missed; for MAX.
BEST_CHANCES, RETURN, TARGET, AVERAGE, MISSED = (place * NOTE for place in range(5))

FIRST_SQUARE = 1e-4
"""The mean square of a weight's pulls before it has felt any: large, so that the first steps are small."""

LATEST = np.float32(0.001)
"""The share of the latest pull in the mean."""

TINY = np.float32(1e-10)
"""Added to the mean: a weight that is hardly ever pulled at all stays where it is."""


def learner_of(shape: Shape) -> Any:
    """``learn(row, weights, squares, net, notes, rate)``: one step towards the target in the notes.

    The row has the position's features. The error that is lowered is the cross-entropy of the chances. Returns the sum
    of squares that they missed by.
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
    def blame(row, weights, base, notes):
        """The hidden units' part in what the outputs missed, in place of their sums."""
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
            blame(row, weights, base, notes)
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
