"""From a fitted network to one in whole numbers, and back; how much the two differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.jit.words import CLIP, SMALL
from zerosum.learn.arrays import in_memory
from zerosum.learn.fitting import Fit
from zerosum.learn.sparse_descent import unpacked
from zerosum.networks.sparse import FIRST, LARGEST_TOTAL, ONE, SECOND, SparseShape, check_numbers
from zerosum.networks.sparse_file import SparseNetwork

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Quantised:
    """What whole numbers have changed, on positions that were held out.

    Attributes:
        mean, largest: differences in the game's evaluation.
        error_before, error_after: the loss in fractions, and in whole numbers.
        cut: how many weights were too large.
        positions: how many were looked at.
    """

    mean: float
    largest: float
    error_before: float
    error_after: float
    cut: int
    positions: int


def quantised(fit: Fit, made: dict[str, Any]) -> tuple[SparseNetwork, Quantised]:
    """The best network of a fit in whole numbers, and how it does."""
    numbers, last, cut = rounded(fit.shape, in_memory(fit.best), fit.labels.scale)
    network = SparseNetwork(fit.game.name, fit.shape, numbers, last, made)
    wrong = check_numbers(fit.shape, numbers, fit.game.max_active)
    assert not wrong, wrong  # the limits of the fit, and of ``rounded``, see to that
    return network, _compared(fit, network, cut)


def rounded(shape: SparseShape, row: Floats, scale: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64], int]:
    """The numbers of a network and its last ones, with the scale; how many had to be cut to what they can be."""
    numbers = np.zeros(shape.size, np.int16)
    wanted, parts = shape.parts(row.astype(np.float64)), shape.parts(numbers)
    last = row[shape.size :].astype(np.float64)
    parts.first[:], parts.thresholds[:] = np.rint(wanted.first * FIRST), np.rint(wanted.thresholds * FIRST)
    # Sums of the second layer that could get too large: smaller weights and a larger scale say the same.
    total = CLIP * CLIP * SECOND * np.abs(wanted.second).sum(axis=1).max(initial=0)
    factor = max(1, int(np.ceil(total / (0.95 * LARGEST_TOTAL))))
    second = np.rint(wanted.second * SECOND / factor)
    parts.second[:] = np.clip(second, -SMALL, SMALL)
    # What is left of a division is dropped; with half of a unit more, values are rounded.
    ends = np.rint((last / factor + 0.5 / (factor * scale)) * ONE)
    ends = np.clip(ends, -LARGEST_TOTAL, LARGEST_TOTAL)
    return numbers, np.append(ends, factor * scale).astype(np.int64), int((np.abs(second) > SMALL).sum())


def unrounded(network: SparseNetwork, scale: int) -> Floats:
    """The row of a network as a fit has it, with another scale: the other way round."""
    shape = network.shape
    row = np.zeros(shape.size + shape.phases, np.float32)
    first, thresholds, second = shape.parts(row)
    parts, own = shape.parts(network.numbers), float(network.last[-1])
    first[:], thresholds[:] = parts.first / FIRST, parts.thresholds / FIRST
    second[:] = parts.second * (own / scale / SECOND)
    row[shape.size :] = (network.last[:-1] / ONE - 0.5 / own) * (own / scale)
    return row


def values(network: SparseNetwork, bits: Any, phases: Any) -> npt.NDArray[np.int64]:
    """The network's evaluations for the side to move, in whole numbers, by NumPy: the slow and obvious way."""
    parts, hidden = network.shape.parts(network.numbers.astype(np.float64)), network.shape.hidden
    rows = unpacked(np, bits, network.shape.features).astype(np.float64)
    cut = np.clip(rows @ parts.first + parts.thresholds, 0, CLIP).reshape(len(phases), 2 * hidden)
    totals = (cut * cut * parts.second[phases]).sum(axis=1).astype(np.int64) + network.last[phases]
    found: npt.NDArray[np.int64] = totals * network.last[-1] // ONE
    return found


def _compared(fit: Fit, network: SparseNetwork, cut: int) -> Quantised:
    """The fit's network and its form in whole numbers, side by side."""
    scale, kept = fit.labels.scale, fit.descent.row.copy()
    fit.descent.row[:] = fit.best
    differences, before, after = [], 0.0, 0.0
    for batch in fit.held_out():
        out = in_memory(fit.descent.out(batch.bits, batch.phases)).astype(np.float64)
        found = values(network, in_memory(batch.bits), in_memory(batch.phases))
        targets = in_memory(batch.targets)
        differences.append(np.abs(out * scale - found))
        before += float(fit.loss.of(np, out, targets).sum())
        after += float(fit.loss.of(np, found / scale, targets).sum())
    fit.descent.row[:] = kept
    every = np.concatenate(differences)
    count = len(every)
    return Quantised(float(every.mean()), float(every.max()), before / count, after / count, cut, count)
