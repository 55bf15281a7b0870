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
    """The weights by phase, family and index, and the last numbers with the scale.

    Larger weights with a smaller scale say the same, and more exactly: they are made as large as they may be.
    """
    numbering, found = Numbering.of(shape), np.empty((shape.phases, shape.table))
    begin = 0
    for table, cases in zip(numbering.tables, shape.cases, strict=False):
        part = table.part(row, shape.phases)
        found[:, begin : begin + cases] = (part[:-1] + part[-1])[:, numbering.ranks[begin : begin + cases]]
        begin += cases
    alone = numbering.tables[-1].part(row, shape.phases)
    whole_scale = max(1, int(np.ceil(scale * np.abs(found).max() * ONE / LARGEST)))
    factor = scale / whole_scale
    # What is left of a division is dropped; with half of a unit more, values are rounded.
    last = np.rint(((alone[:-1, 0] + alone[-1, 0]) * factor + 0.5 / whole_scale) * ONE)
    numbers = np.rint(found * factor * ONE).astype(np.int16).ravel()
    return numbers, np.append(np.clip(last, -LARGEST_TOTAL, LARGEST_TOTAL), whole_scale).astype(np.int64)


def unrounded(network: SparseNetwork, scale: int) -> npt.NDArray[np.float64]:
    """The row of a fit with another scale: the other way round. What phases share is their mean."""
    shape, own = _shape(network), float(network.last[-1])
    numbering = Numbering.of(shape)
    row, begin = np.zeros(numbering.size), 0
    weights = network.numbers.reshape(shape.phases, shape.table) * (own / scale / ONE)
    for table, cases in zip(numbering.tables, shape.cases, strict=False):
        part = np.empty((shape.phases, table.weights))
        part[:, numbering.ranks[begin : begin + cases]] = weights[:, begin : begin + cases]
        _share(table.part(row, shape.phases), part)
        begin += cases
    last = (network.last[:-1] / ONE - 0.5 / own) * (own / scale)
    _share(numbering.tables[-1].part(row, shape.phases), last[:, None])
    return row


def _share(part: Any, weights: Any) -> None:
    part[-1] = weights.mean(axis=0)
    part[:-1] = weights - part[-1]


def values(network: SparseNetwork, batch: Batch) -> npt.NDArray[np.int64]:
    """The evaluations for the side to move, in whole numbers, by NumPy: the slow and obvious way."""
    shape, positions, phases = _shape(network), in_memory(batch.seen), in_memory(batch.phases)
    numbering, begin = Numbering.of(shape), 0
    totals = network.last[phases]
    weights = network.numbers.reshape(shape.phases, shape.table).astype(np.int64)
    for table, cases in zip(numbering.tables, shape.cases, strict=False):
        part = np.empty((shape.phases, table.weights), np.int64)
        part[:, numbering.ranks[begin : begin + cases]] = weights[:, begin : begin + cases]
        for instance in table.instances:
            totals = totals + part.ravel()[positions[instance]]
        begin += cases
    found: npt.NDArray[np.int64] = totals * network.last[-1] // ONE
    return found


def _shape(network: SparseNetwork) -> PatternShape:
    assert isinstance(network.shape, PatternShape)
    return network.shape
