"""A small network or linear model as compiled rules use it: features of a position in, chances out.

The outputs are the chances of one player, whose view the features take. With one level, there is one output: the chance
of winning, with a draw counting half. With more levels, as in backgammon, where a win may count 1, 2 or 3, the outputs
are the chances of winning, of winning at least 2, at least 3, then of losing at least 2, at least 3. ``value`` adds
them up to the expected result.

All numbers of a network are stored in one row, which ``shape`` describes. A game may have several networks, for kinds
of positions that have little in common.

Most features are 0 in most positions, so a hidden unit's sum has few terms. Positions after different moves from the
same position differ in few features, so ``move_sums`` updates one position's sums to get another's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.game import MAX
from zerosum.jit.bits import lowest_bit
from zerosum.jit.rules import fast_sums
from zerosum.jit.words import LANES, differing, drop_lowest, floating, floats_of, scratch, whole
from zerosum.networks.gpu_form import by_blocks, with_gpu_form
from zerosum.networks.shape import ONE, ZERO, Shape, chance, cut, unit

UNIT = 1000
"""The value of a certain win, for games with whole-number evaluations."""


class Functions:
    """The functions that evaluate networks of one shape, both plain and compiled."""

    def __init__(self, shape: Shape) -> None:
        hidden, outputs, levels, width = shape.hidden, shape.outputs, shape.levels, shape.width
        padded, zeros, sums, units, chances = shape.padded, shape.zeros, shape.sums, shape.units, shape.chances
        thresholds, second, last, size = shape.thresholds, shape.second, shape.last, shape.size

        def clear(row):
            for i in range(padded + LANES):
                row[i] = ZERO

        @fast_sums
        def add_scaled(row, x, weights, at):
            for j in range(hidden):
                row[sums + j] += x * weights[at + j]

        def first_sums(row, weights, net):
            """Compute the hidden units' sums from the features in the row."""
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
            """Compute the sums from another row of the same network: faster if their features are similar."""
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
            """Compute the hidden units from their sums."""
            for j in range(hidden):
                row[units + j] = unit(cut(row[sums + j]))

        @fast_sums
        def product(row, first, weights, at):
            total = ZERO
            for j in range(width):
                total += row[first + j] * weights[at + j]
            return total

        def conclude(row, weights, net):
            """Compute the outputs from the hidden units' sums (in a linear model, from the features)."""
            base = net * size
            if hidden:
                activate(row)
            for k in range(outputs):
                first = units if hidden else 0
                x = product(row, first, weights, base + second + k * width) + weights[base + last + k]
                row[chances + k] = chance(x)

        def value(row, at):
            """Return the expected result for the player whose chances are at ``at``.

            A chance is capped by the chance it depends on: winning 2 is no more likely than winning at all.
            """
            win = row[at]
            won, lost = win, ONE - win
            total = won - lost
            for level in range(1, levels):
                won = min(won, row[at + level])
                lost = min(lost, row[at + levels - 1 + level])
                total += won - lost
            return total

        def outcome(row, at, utility):
            """Write the chances of a finished game, for the player with this utility."""
            row[at] = ONE if utility > 0 else (ZERO if utility < 0 else np.float32(0.5))
            for level in range(1, levels):
                row[at + level] = ONE if utility > level else ZERO
                row[at + levels - 1 + level] = ONE if -utility > level else ZERO

        def copy_chances(row, at, source, first, turned):
            """Copy chances; if ``turned``, convert them to the opponent's."""
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


def evaluation(shape: Shape, features: Any, takes_tables: bool, whole_numbers: bool) -> Any:
    """Return ``evaluate(s, t)`` by the networks in ``t.network``: a float for MAX, or a whole number of 1 / ``UNIT``.

    The function has a separate form for GPUs.
    """
    processor, card = (
        _evaluation(shape, judge, features, takes_tables, whole_numbers)
        for judge in (_in_a_row(shape), by_blocks(shape))
    )
    return with_gpu_form(processor, card)


def _in_a_row(shape: Shape) -> Any:
    """Return ``judge(row, weights, net)``, which computes the chances from the features in the row."""
    functions = Functions(shape)
    first_sums, conclude, hidden = functions.first_sums, functions.conclude, shape.hidden

    def judge(row, weights, net):
        if hidden:
            first_sums(row, weights, net)
        conclude(row, weights, net)

    return judge


def _evaluation(shape: Shape, judge: Any, features: Any, takes_tables: bool, whole_numbers: bool) -> Any:
    functions = Functions(shape)
    clear, value, copy_chances, at = functions.clear, functions.value, functions.copy_chances, functions.chances

    def with_tables(s, row, t):
        return features(s, row, t)

    def without_tables(s, row, t):
        return features(s, row)

    described = with_tables if takes_tables else without_tables

    def network_value(s, t):
        row = scratch()
        clear(row)
        kind = described(s, row, t)
        if kind < 0:  # the features are the chances themselves
            copy_chances(row, at, row, 0, False)
            kind = -1 - kind
        else:
            judge(row, floats_of(t.network), kind >> 1)
        found = floating(value(row, at))
        return found if kind & 1 == MAX else -found

    def in_whole_numbers(s, t):
        return whole(round(UNIT * network_value(s, t)))

    return in_whole_numbers if whole_numbers else network_value
