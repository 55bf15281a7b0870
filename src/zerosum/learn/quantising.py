"""Convert fitted network weights to whole numbers and back, and measure the difference.

``pattern_quantising`` does the same for patterns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.jit.words import CLIP, SMALL
from zerosum.learn.arrays import in_memory
from zerosum.learn.fitting import Fit, NetworkFit
from zerosum.learn.sparse_descent import Batch, unpack_bits, weights_in
from zerosum.networks.sparse import FIRST, LARGEST_TOTAL, ONE, SECOND, SparseShape, check_numbers
from zerosum.networks.sparse_file import SparseNetwork

COMPARED = 1 << 16
"""The most positions that are evaluated both ways."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Quantised:
    """The effect of rounding to whole numbers, on held-out positions.

    Attributes:
        mean, largest: differences in the game's evaluation.
        error_before, error_after: the loss before and after rounding.
        positions: the number of positions compared.
        by_phase: for each phase that occurred, the number of its positions, and the mean absolute error of
            whole-number evaluations: in points, or as a chance.
    """

    mean: float
    largest: float
    error_before: float
    error_after: float
    positions: int
    by_phase: tuple[tuple[int, int, float], ...] = ()


def quantised(fit: NetworkFit) -> tuple[SparseNetwork, Quantised]:
    """Return a fit's best network in whole numbers, and how it compares with the fit."""
    numbers, last = rounded(fit.shape, in_memory(fit.best), fit.labels.scale)
    network = SparseNetwork(fit.game.name, fit.shape, numbers, last)
    wrong = check_numbers(fit.shape, numbers, fit.game.max_active)
    assert not wrong, wrong  # guaranteed by the limits of the fit and of ``rounded``
    return network, compared(fit, lambda batch: values(network, in_memory(batch.seen), in_memory(batch.phases)))


def rounded(shape: SparseShape, row: Floats, scale: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Return a network's weights in whole numbers, and its output thresholds with the scale.

    Larger weights of the second layer with a smaller scale express the same values more precisely, so they are made as
    large as possible within the limits on each weight and on their sum.
    """
    numbers = np.zeros(shape.size, np.int16)
    wanted, parts = weights_in(shape, row.astype(np.float64)), shape.parts(numbers)
    parts.first[:], parts.thresholds[:] = np.rint(wanted.first * FIRST), np.rint(wanted.thresholds * FIRST)
    size = np.abs(wanted.second) * SECOND
    largest = LARGEST_TOTAL / CLIP**2 - size.shape[1]  # rounding may add a half to each
    smallest = scale * max(float(size.max()) / SMALL, float(size.sum(axis=1).max()) / largest)
    whole_scale = max(1, int(np.ceil(smallest)))
    factor = scale / whole_scale
    parts.second[:] = np.rint(wanted.second * factor * SECOND)
    # Division rounds down; adding half a unit makes it round to nearest.
    last = np.rint((wanted.last * factor + 0.5 / whole_scale) * ONE)
    return numbers, np.append(np.clip(last, -LARGEST_TOTAL, LARGEST_TOTAL), whole_scale).astype(np.int64)


def unrounded(network: SparseNetwork, scale: int) -> Floats:
    """Undo ``rounded``: return a network as the row of a fit with another scale."""
    shape = _shape(network)
    row = np.zeros(shape.size + shape.phases, np.float32)
    first, thresholds, second, last = weights_in(shape, row)
    parts, own = shape.parts(network.numbers), float(network.last[-1])
    first[:], thresholds[:] = parts.first / FIRST, parts.thresholds / FIRST
    second[:] = parts.second * (own / scale / SECOND)
    last[:] = (network.last[:-1] / ONE - 0.5 / own) * (own / scale)
    return row


def values(network: SparseNetwork, bits: Any, phases: Any) -> npt.NDArray[np.int64]:
    """Return whole-number evaluations for the side to move, computed the slow and obvious way in NumPy."""
    shape = _shape(network)
    parts = shape.parts(network.numbers.astype(np.float64))
    rows = unpack_bits(np, bits, shape.features).astype(np.float64)
    cut = np.clip(rows @ parts.first + parts.thresholds, 0, CLIP).reshape(len(phases), 2 * shape.hidden)
    totals = (cut * cut * parts.second[phases]).sum(axis=1).astype(np.int64) + network.last[phases]
    found: npt.NDArray[np.int64] = totals * network.last[-1] // ONE
    return found


def _shape(network: SparseNetwork) -> SparseShape:
    assert isinstance(network.shape, SparseShape)
    return network.shape


def compared(fit: Fit, judge: Callable[[Batch], Any]) -> Quantised:
    """Compare the fit's best weights with the whole-number ones, by which ``judge`` evaluates a batch."""
    scale, kept = fit.labels.scale, fit.row.copy()
    fit.row[:] = fit.best
    columns: list[tuple[Any, ...]] = []
    for batch in fit.held_out(COMPARED):
        out, targets = in_memory(fit.out(batch)).astype(np.float64), in_memory(batch.targets)
        found = judge(batch)
        missed = np.abs(fit.loss.said(np, found / scale) - targets) * (scale if fit.loss.scored else 1)
        losses = (fit.loss.of(np, said, targets) for said in (out, found / scale))
        columns.append((np.abs(out * scale - found), *losses, in_memory(batch.phases), missed))
    fit.row[:] = kept
    different, before, after, phases, missed = map(np.concatenate, zip(*columns, strict=True))
    by_phase = tuple(
        (int(phase), int((phases == phase).sum()), float(missed[phases == phase].mean())) for phase in np.unique(phases)
    )
    errors = float(before.mean()), float(after.mean())
    return Quantised(float(different.mean()), float(different.max()), *errors, len(different), by_phase)
