"""From fitted weights of patterns to whole numbers, and back."""

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
"""What a weight in whole numbers can be."""


def quantised(fit: PatternFit) -> tuple[SparseNetwork, Quantised]:
    """The best weights of a fit in whole numbers, and how they do."""
    numbers, last = rounded(fit.shape, in_memory(fit.best), fit.labels.scale)
    network = SparseNetwork(fit.game.name, fit.shape, numbers, last)
    return network, compared(fit, lambda batch: values(network, batch))


def rounded(
    shape: PatternShape, row: npt.NDArray[np.float64], scale: int
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """The numbers of the shape, and the last ones with the scale.

    Larger weights with a smaller scale say the same, and more exactly: they are made as large as they may be.
    """
    parts = [table.part(row, shape.phases) for table in Numbering.of(shape).tables]
    *weights, alone = [part[:-1] + part[-1] for part in parts]
    found = np.concatenate(weights, axis=1)
    whole_scale = max(1, int(np.ceil(scale * np.abs(found).max() * ONE / LARGEST)))
    factor = scale / whole_scale
    # What is left of a division is dropped; with half of a unit more, values are rounded.
    last = np.rint((alone[:, 0] * factor + 0.5 / whole_scale) * ONE)
    numbers = np.rint(found * factor * ONE).astype(np.int16).ravel()
    return numbers, np.append(np.clip(last, -LARGEST_TOTAL, LARGEST_TOTAL), whole_scale).astype(np.int64)


def unrounded(network: SparseNetwork, scale: int) -> npt.NDArray[np.float64]:
    """The row of a fit with another scale: the other way round. What phases share is their mean."""
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
    """The evaluations for the side to move, in whole numbers, by NumPy: the slow and obvious way."""
    positions, tables = in_memory(batch.seen), Numbering.of(_shape(network)).tables
    totals = network.last[in_memory(batch.phases)]
    for table, weights in zip(tables, _by_family(network), strict=False):
        for instance in table.instances:
            totals = totals + weights.astype(np.int64).ravel()[positions[instance]]
    found: npt.NDArray[np.int64] = totals * network.last[-1] // ONE
    return found


def _by_family(network: SparseNetwork) -> list[Any]:
    """The weights of each family: (phases, weights)."""
    shape = _shape(network)
    return np.split(network.numbers.reshape(shape.phases, -1), np.cumsum(shape.weights)[:-1], axis=1)


def _shape(network: SparseNetwork) -> PatternShape:
    assert isinstance(network.shape, PatternShape)
    return network.shape
