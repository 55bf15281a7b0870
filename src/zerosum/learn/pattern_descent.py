"""Fit pattern weights, as floating-point numbers, by conjugate gradients over all positions at once, in NumPy or CuPy.

The output of patterns is linear in their weights: a position adds up one weight for each instance, and one for its
phase. So conjugate gradients find the best weights in a few dozen steps. Each step goes over all positions three times:
to add up weights, to add up gradients by weight, and to see what a step along the new direction changes (E. Polak and
G. Ribière, 1969). There is no learning rate: the length of each step is computed.

A weight is the sum of two numbers: one shared by all phases, and one for its own phase. Both are pulled towards their
starting value (0 unless the fit continues from earlier weights) as if by ``prior`` additional positions. So a weight
that occurs in few positions of its phase stays near that of the other phases, a weight that occurs in almost no
position stays near 0, and a fit to new positions keeps earlier weights that the new positions do not touch.

Steps are scaled by the number of positions in which a weight occurs (a diagonal preconditioner).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from zerosum.errors import GameError
from zerosum.learn.sparse_descent import Batch, Loss
from zerosum.networks.patterns import PatternShape

GRID = float(1 << 18)
"""Gradients are rounded to multiples of 1 / GRID. Sums of some ten million of them are then exact in 64 bits, so the
order in which a GPU adds them up makes no difference."""

ROUNDS = 2
"""How often the length of a step is corrected if the loss is not quadratic."""

LONGEST_STEP = 8.0
"""The largest factor by which a correction changes the length of a step."""

PORTION = 1 << 14
"""Positions whose indices are computed at a time."""

PIECE = 1 << 13
"""Positions whose weights a CPU adds up at a time: few enough for its cache."""


class Table(NamedTuple):
    """Where the numbers of a family are: ``phases`` rows of weights, then the row shared by all phases.

    The last table has one weight: the value of a phase by itself.
    """

    begin: int
    weights: int
    instances: range

    def part(self, row: Any, phases: int) -> Any:
        return row[self.begin : self.begin + (phases + 1) * self.weights].reshape(phases + 1, self.weights)


class Numbering(NamedTuple):
    """The layout of weights in a fit: one table for each family, and one for the phases themselves."""

    tables: tuple[Table, ...]
    size: int

    @classmethod
    def of(cls, shape: PatternShape) -> Numbering:
        tables: list[Table] = []
        begin = first = 0
        for one, weights in zip(shape.families, shape.weights, strict=True):
            tables.append(Table(begin, weights, range(first, first + len(one.instances))))
            begin, first = begin + (shape.phases + 1) * weights, first + len(one.instances)
        return cls((*tables, Table(begin, 1, range(first, first + 1))), begin + shape.phases + 1)


def seen(shape: PatternShape, numbering: Numbering, bits: Any, phases: Any, on: Any = np) -> Any:
    """Return the weight that each instance has in each position: (instances + 1, positions); last, the phases.

    ``bits`` are the features in the mover's view, as in ``Described``.
    """
    count = len(phases)
    found = on.empty((len(shape.instances) + 1, count), on.int32)
    found[-1] = phases
    # In 64 bits, because GPUs may round 32-bit matrix products, and indices must be exact.
    digits = on.asarray(shape.digits[:-1, : len(shape.instances)].astype(np.float64))
    offsets, ranks = on.asarray(shape.offsets), on.asarray(np.concatenate(shape.ranks))
    sizes = on.asarray(np.concatenate([np.repeat(one.weights, len(one.instances)) for one in numbering.tables[:-1]]))
    for first in range(0, count, PORTION):
        part = slice(first, first + PORTION)
        rows = on.unpackbits(bits[part].ravel(), bitorder="little").reshape(len(bits[part]), -1)
        rows = rows[:, : shape.features].astype(on.float64)
        if shape.kinds > 1 and float(rows.reshape(len(rows), shape.kinds, shape.cells).sum(axis=1).max()) > 1:
            raise GameError("active yields two features of one cell: patterns allow one per cell")
        indices = (rows @ digits).astype(on.int64) + offsets
        found[:-1, part] = (ranks[indices] + phases[part].astype(on.int64)[:, None] * sizes).T
    return found


@dataclass
class PatternDescent:
    """The numbers of a fit as a row, their starting values ``home``, and the gradient and direction of the last step.

    All but ``home`` change in place.
    """

    shape: PatternShape
    loss: Loss
    prior: float
    on: Any
    row: Any
    home: Any
    slope: Any
    direction: Any
    numbering: Numbering
    threads: int = 1
    counts: Any = field(init=False)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 and self.on is np else None

    @classmethod
    def begin(
        cls, shape: PatternShape, loss: Loss, prior: float, row: Any, on: Any = np, threads: int = 1
    ) -> PatternDescent:
        row = on.array(row, dtype=on.float64)
        slope, direction = on.zeros_like(row), on.zeros_like(row)
        return cls(shape, loss, prior, on, row, row.copy(), slope, direction, Numbering.of(shape), threads)

    def count(self, positions: Any) -> None:
        """Count how often each weight occurs; steps are scaled by these counts."""
        self.counts = self.added_up(positions, None)

    def out(self, positions: Any, row: Any = None) -> Any:
        """Return the output for each position, with the current weights or with those in ``row``."""
        on, row = self.on, self.row if row is None else row
        count = positions.shape[1]
        found = on.zeros(count, on.float32)
        tables = [(table, weights.ravel().astype(on.float32)) for table, weights in self.weights(row)]

        def add(first: int) -> None:
            part = slice(first, first + size)
            for table, weights in tables:
                for instance in table.instances:
                    found[part] += weights.take(positions[instance, part])

        size = PIECE if on is np else max(count, 1)
        self._each(add, range(0, count, size))
        return found

    def weights(self, row: Any) -> Iterator[tuple[Table, Any]]:
        """Yield the weights of each table, (phases, weights): each phase's own plus the shared ones."""
        for table in self.numbering.tables:
            part = table.part(row, self.shape.phases)
            yield table, part[:-1] + part[-1]

    def added_up(self, positions: Any, slopes: Any) -> Any:
        """Sum, for each number of the row, the gradients of the positions that use it; None counts the positions."""
        on, phases, found = self.on, self.shape.phases, self.on.zeros_like(self.row)

        def add(table: Table) -> None:
            part, own = table.part(found, phases), on.zeros(phases * table.weights, on.float64)
            for instance in table.instances:
                own += on.bincount(positions[instance], weights=slopes, minlength=len(own))
            part[:-1] = own.reshape(phases, table.weights)
            part[-1] = part[:-1].sum(axis=0)

        self._each(add, self.numbering.tables)
        return found

    def _each(self, work: Callable[[Any], None], parts: Iterable[Any]) -> None:
        """Call ``work`` on each part, using all threads."""
        for _ in map(work, parts) if self._pool is None else self._pool.map(work, parts):
            pass

    def step(self, batch: Batch) -> Any:
        """Take one step using all training positions; return the sum of their losses before it."""
        on, out = self.on, self.out(batch.seen)
        losses, slopes = self.loss.slope(on, out, batch.targets)
        pull = self._curvature * self.prior
        slope = self.added_up(batch.seen, on.rint(slopes.astype(on.float64) * GRID)) / GRID
        slope += pull * (self.row - self.home)
        measure = self._curvature * (self.counts + self.prior)
        before = float((self.slope * self.slope / measure).sum())
        share = float((slope * (slope - self.slope) / measure).sum()) / before if before else 0.0
        self.direction *= max(0.0, share)
        self.direction -= slope / measure
        if float((slope * self.direction).sum()) >= 0:  # not a descent direction: restart from the gradient
            self.direction[:] = -slope / measure
        self.slope[:] = slope
        self.row += self._length(out, batch, slope, pull) * self.direction
        return losses.astype(on.float64).sum()

    @property
    def _curvature(self) -> float:
        """An upper bound on the curvature of a squared loss by the output, of points or through a sigmoid."""
        return 2.0 if self.loss.scored else 2.0 / 16

    def _length(self, out: Any, batch: Batch, slope: Any, pull: float) -> float:
        """Return the step length at which the loss stops falling. Exact for squared differences of points."""
        on, along = self.on, self.out(batch.seen, self.direction)
        falls = float((slope * self.direction).sum())
        drawn = pull * float((self.direction * self.direction).sum())
        square = float((along.astype(on.float64) ** 2).sum())
        if not falls:  # at the minimum
            return 0.0
        length = -falls / (self._curvature * square + drawn)
        drawn_now = pull * float(((self.row - self.home) * self.direction).sum())
        if self.loss.scored and self.loss.power == 2:
            return length
        for _ in range(ROUNDS):
            _, slopes = self.loss.slope(on, out + np.float32(length) * along, batch.targets)
            there = float((slopes * along).astype(on.float64).sum()) + drawn_now + length * drawn
            if there <= falls:
                break
            length *= min(max(falls / (falls - there), 1 / LONGEST_STEP), LONGEST_STEP)
        return length
