"""A small network, or a linear model, as compiled rules use it: features of a position in, chances out.

The outputs are chances of one player, whose view the features take. With one level it is the chance to win, a draw
counting half. With more, as in backgammon, where a win may count 1, 2 or 3: to win, to win at least 2, at least 3,
and then to lose at least 2, at least 3. ``value`` adds them up to what is to be expected.

All numbers of a network lie in one row: ``inputs`` rows of ``hidden`` weights, the hidden units' thresholds,
``outputs`` rows of ``hidden`` weights, and the outputs' thresholds. Without hidden units the outputs' rows have
``inputs`` weights. A game may have several networks, one behind the other, for kinds of positions that have little in
common.

Most features are 0 in most positions, so a hidden unit's sum is made of few weights; and positions after
one move differ in few features from each other, so that ``move_sums`` makes one sum from another.

>>> shape = Shape(inputs=3, hidden=2, levels=2)
>>> shape.outputs, shape.size
(3, 17)
"""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerosum.errors import GameError, WeightsError
from zerosum.game import MAX
from zerosum.jit.bits import lowest_bit
from zerosum.jit.rules import fast_sums
from zerosum.jit.words import LANES, SCRATCH, differing, drop_lowest, floating, floats_of, scratch, whole

# Numbers of 32 bits: one of Python's own would make everything that it meets twice as long.
ZERO, ONE, TWO = np.float32(0.0), np.float32(1.0), np.float32(2.0)
THREE, NINE, TWENTY_SEVEN = np.float32(3.0), np.float32(9.0), np.float32(27.0)
STEEPEST = np.float32(16.0)  # beyond this a chance is 0 or 1 anyway

UNIT = 1000
"""What a sure win is worth in whole numbers, for games whose evaluations are such."""


@dataclass(frozen=True)
class Shape:
    """How large a network is: all that is compiled in.

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
    def size(self) -> int:
        """Numbers of one network."""
        if not self.hidden:
            return (self.inputs + 1) * self.outputs
        return (self.inputs + 1) * self.hidden + (self.hidden + 1) * self.outputs

    @property
    def padded(self) -> int:
        """Features, and zeros up to a full number of lanes."""
        return -(-self.inputs // LANES) * LANES

    # Where things lie in a row to work with: features first, then a piece of zeros, then these.

    @property
    def zeros(self) -> int:
        return self.padded

    @property
    def sums(self) -> int:
        return self.zeros + LANES

    @property
    def units(self) -> int:
        return self.sums + -(-self.hidden // LANES) * LANES

    @property
    def chances(self) -> int:
        return self.units + -(-self.hidden // LANES) * LANES

    @property
    def row(self) -> int:
        """Numbers that a row to work with must have."""
        return self.chances + -(-self.outputs // LANES) * LANES


class Functions:
    """The functions over networks of one shape, good both plain and compiled."""

    def __init__(self, shape: Shape) -> None:
        inputs, hidden, outputs, levels = shape.inputs, shape.hidden, shape.outputs, shape.levels
        padded, zeros, sums, units, chances = shape.padded, shape.zeros, shape.sums, shape.units, shape.chances
        thresholds, size = inputs * hidden, shape.size
        second = thresholds + hidden  # the outputs' weights
        last = second + (hidden or inputs) * outputs  # the outputs' thresholds
        width = hidden or inputs

        def clear(row):
            for i in range(padded + LANES):
                row[i] = ZERO

        @fast_sums
        def add_scaled(row, x, weights, at):
            for j in range(hidden):
                row[sums + j] += x * weights[at + j]

        def first_sums(row, weights, net):
            """The hidden units' sums from the features of the row."""
            base = net * size
            for j in range(hidden):
                row[sums + j] = weights[base + thresholds + j]
            for block in range(0, padded, LANES):
                mask = differing(row, block, row, zeros)
                while mask:
                    i = block + lowest_bit(mask)
                    mask = drop_lowest(mask)
                    add_scaled(row, row[i], weights, base + i * hidden)

        def move_sums(row, known, weights, net):
            """The same, from the features and sums of another row of the same network: quicker where they are alike."""
            base = net * size
            for j in range(hidden):
                row[sums + j] = known[sums + j]
            for block in range(0, padded, LANES):
                mask = differing(row, block, known, block)
                while mask:
                    i = block + lowest_bit(mask)
                    mask = drop_lowest(mask)
                    add_scaled(row, row[i] - known[i], weights, base + i * hidden)

        @fast_sums
        def activate(row):
            """Hidden units from their sums: a rational function much like tanh, that reaches 1 at 3, and smoothly."""
            for j in range(hidden):
                x = min(max(row[sums + j], -THREE), THREE)
                square = x * x
                row[units + j] = x * (TWENTY_SEVEN + square) / (TWENTY_SEVEN + NINE * square)

        @fast_sums
        def product(row, first, weights, at):
            total = ZERO
            for j in range(width):
                total += row[first + j] * weights[at + j]
            return total

        def chance(x):
            return ONE / (ONE + np.float32(math.exp(-min(max(x, -STEEPEST), STEEPEST))))

        def conclude(row, weights, net):
            """The outputs from the hidden units' sums (or, in a linear model, from the features)."""
            base = net * size
            if hidden:
                activate(row)
            for k in range(outputs):
                first = units if hidden else 0
                x = product(row, first, weights, base + second + k * width) + weights[base + last + k]
                row[chances + k] = chance(x)

        def value(row, at):
            """What is to be expected, for the player whose chances lie at ``at``; none exceeds one that it needs."""
            win = row[at]
            won, lost = win, ONE - win
            total = won - lost
            for level in range(1, levels):
                won = min(won, row[at + level])
                lost = min(lost, row[at + levels - 1 + level])
                total += won - lost
            return total

        def outcome(row, at, utility):
            """The chances of a game that has ended, for the player with this utility."""
            row[at] = ONE if utility > 0 else (ZERO if utility < 0 else np.float32(0.5))
            for level in range(1, levels):
                row[at + level] = ONE if utility > level else ZERO
                row[at + levels - 1 + level] = ONE if -utility > level else ZERO

        def copy_chances(row, at, source, first, turned):
            """Copy chances, ``turned`` into those of the other player or not."""
            if turned:
                row[at] = ONE - source[first]
                for level in range(1, levels):
                    row[at + level] = source[first + levels - 1 + level]
                    row[at + levels - 1 + level] = source[first + level]
            else:
                for k in range(outputs):
                    row[at + k] = source[first + k]

        self.shape = shape
        self.clear, self.first_sums, self.move_sums, self.conclude = clear, first_sums, move_sums, conclude
        self.value, self.outcome, self.copy_chances = value, outcome, copy_chances
        self.sums, self.units, self.chances = sums, units, chances


def parts_of(content: bytes, where: str) -> tuple[dict[str, Any], Any, Any]:
    """The header and the numbers in a file of a network, and what a run of training keeps there, or None.

    WeightsError if it is none. See ``zerosum.learn.network``.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as parts:
            header = json.loads(parts["header"].tobytes().decode())
            weights = np.ascontiguousarray(parts["network"])
            learner = np.ascontiguousarray(parts["learner"]) if "learner" in parts else None
    except Exception as problem:
        # A damaged archive may ask for passwords, pickles, unknown compression or all memory: no list names them all,
        # and NumPy's own words help nobody.
        raise WeightsError(f"{where!r} is no file of a network (.npz), or damaged") from problem
    if not isinstance(header, dict):
        raise WeightsError(f"{where!r} is no file of a network, or damaged: its header is no object")
    return header, weights, learner


def shape_in(header: dict[str, Any], where: str) -> Shape:
    """The shape that a header tells."""
    try:
        return Shape(*(int(header[name]) for name in ("inputs", "hidden", "levels", "networks")))
    except (KeyError, TypeError, ValueError, GameError) as problem:
        raise WeightsError(f"{where!r} is no network: its header is damaged ({problem})") from problem


def evaluation(shape: Shape, features: Any, takes_tables: bool, whole_numbers: bool) -> Any:
    """``evaluate(s, t)`` by the networks in ``t.network``: a float for MAX, or whole numbers of 1 / ``UNIT``."""
    functions = Functions(shape)
    clear, first_sums, conclude, value = functions.clear, functions.first_sums, functions.conclude, functions.value
    copy_chances, at, hidden = functions.copy_chances, functions.chances, shape.hidden

    def with_tables(s, row, t):
        return features(s, row, t)

    def without_tables(s, row, t):
        return features(s, row)

    described = with_tables if takes_tables else without_tables

    def judged(s, t):
        row = scratch()
        clear(row)
        kind = described(s, row, t)
        if kind < 0:  # the features are the chances themselves
            copy_chances(row, at, row, 0, False)
            kind = -1 - kind
        else:
            weights = floats_of(t.network)
            if hidden:
                first_sums(row, weights, kind >> 1)
            conclude(row, weights, kind >> 1)
        found = floating(value(row, at))
        return found if kind & 1 == MAX else -found

    def in_whole_numbers(s, t):
        return whole(round(UNIT * judged(s, t)))

    return in_whole_numbers if whole_numbers else judged
