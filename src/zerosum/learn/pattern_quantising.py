"""Convert fitted pattern weights to whole numbers, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.learn.arrays import in_memory
from zerosum.learn.pattern_descent import Numbering
from zerosum.learn.pattern_fitting import PatternFit
from zerosum.learn.quantising import Quantised, compared
from zerosum.learn.sparse_descent import Batch
from zerosum.networks.patterns import ONE, PatternShape
from zerosum.networks.sparse import LARGEST_TOTAL
from zerosum.networks.sparse_file import SparseNetwork

LARGEST = 2**15 - 1
"""The largest weight in whole numbers."""


def quantised(fit: PatternFit) -> tuple[SparseNetwork, Quantised]:
    """Return a fit's best weights in whole numbers, and how they compare with the fit."""
    numbers, last = rounded(fit.shape, in_memory(fit.best), fit.labels.scale)
    network = SparseNetwork(fit.game.name, fit.shape, numbers, last)
    return network, compared(fit, lambda batch: values(network, batch))


def rounded(
    shape: PatternShape, row: npt.NDArray[np.float64], scale: int
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Return the weights in whole numbers, and the phases' own values with the scale.

    Larger weights with a smaller scale express the same values more precisely, so they are made as large as possible.
    """
    parts = [table.part(row, shape.phases) for table in Numbering.of(shape).tables]
    *weights, alone = [part[:-1] + part[-1] for part in parts]
    found = np.concatenate(weights, axis=1)
    whole_scale = max(1, int(np.ceil(scale * np.abs(found).max() * ONE / LARGEST)))
    factor = scale / whole_scale
    # Division rounds down; adding half a unit makes it round to nearest.
    last = np.rint((alone[:, 0] * factor + 0.5 / whole_scale) * ONE)
    numbers = np.rint(found * factor * ONE).astype(np.int16).ravel()
    return numbers, np.append(np.clip(last, -LARGEST_TOTAL, LARGEST_TOTAL), whole_scale).astype(np.int64)


def unrounded(network: SparseNetwork, scale: int) -> npt.NDArray[np.float64]:
    """Undo ``rounded``: return the row of a fit with another scale. The shared numbers are the phases' means."""
    shape, own = _shape(network), float(network.last[-1])
    numbering = Numbering.of(shape)
    row = np.zeros(numbering.size)
    last = (network.last[:-1] / ONE - 0.5 / own) * (own / scale)
    weights = [part * (own / scale / ONE) for part in _by_family(network)]
    for table, found in zip(numbering.tables, [*weights, last[:, None]], strict=True):
        part = table.part(row, shape.phases)
        part[-1] = found.mean(axis=0)
        part[:-1] = found - part[-1]
    return row


def values(network: SparseNetwork, batch: Batch) -> npt.NDArray[np.int64]:
    """Return whole-number evaluations for the side to move, computed the slow and obvious way in NumPy."""
    positions, tables = in_memory(batch.seen), Numbering.of(_shape(network)).tables
    totals = network.last[in_memory(batch.phases)]
    for table, weights in zip(tables, _by_family(network), strict=False):
        for instance in table.instances:
            totals = totals + weights.astype(np.int64).ravel()[positions[instance]]
    found: npt.NDArray[np.int64] = totals * network.last[-1] // ONE
    return found


def _by_family(network: SparseNetwork) -> list[Any]:
    """Return the weights of each family: (phases, weights)."""
    shape = _shape(network)
    return np.split(network.numbers.reshape(shape.phases, -1), np.cumsum(shape.weights)[:-1], axis=1)


def _shape(network: SparseNetwork) -> PatternShape:
    assert isinstance(network.shape, PatternShape)
    return network.shape
