"""Weights of patterns in fractions, and their descent: all positions at once, by NumPy or CuPy.

What patterns say is linear in their weights: a position adds up one weight of each instance, and one of its phase. So
conjugate gradients find the best weights in some dozens of steps, each of which goes over all positions three times: to
add up weights, to add up slopes by weight, and to see what a step along the new direction changes (E. Polak and
G. Ribière, 1969). There is no learning rate: how far a step goes is worked out.

A weight is the sum of two numbers: one that all phases share, and one of its own phase. Both are drawn towards where
the fit began, 0 unless there were weights before, as by ``prior`` positions more that say so. Thus a weight that few
positions of its phase have told about is near that of the other phases, one that hardly any position has told about is
near 0, and a fit to new positions keeps what earlier ones taught and these do not touch.

Steps are measured by how many positions have a weight (a diagonal preconditioner).
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
"""Slopes are rounded to multiples of 1 / GRID. In 64 bits sums of some ten million of them are then exact: the order in
which a graphics card adds them up does not show."""

ROUNDS = 2
"""So often the length of a step is corrected, where the loss is not a square."""

LONGEST_STEP = 8.0
"""The factor by which a correction makes a step longer, at most."""

PORTION = 1 << 14
"""Positions whose indices are worked out at once."""

PIECE = 1 << 13
"""Positions whose weights a processor adds up at once: its cache can hold them."""


class Table(NamedTuple):
    """Where the numbers of a family are: ``phases`` rows of its weights, then the row that all phases share.

    The last table has one weight: what a phase is worth by itself.
    """

    begin: int
    weights: int
    instances: range

    def part(self, row: Any, phases: int) -> Any:
        return row[self.begin : self.begin + (phases + 1) * self.weights].reshape(phases + 1, self.weights)


class Numbering(NamedTuple):
    """How weights are numbered in a fit: one table for each family, and one for the phases by themselves."""

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
    """Which weight of its table each instance has in each position: (instances + 1, positions); last, the phases.

    ``bits`` are the features in the mover's view, as ``Described`` has them.
    """
    count = len(phases)
    found = on.empty((len(shape.instances) + 1, count), on.int32)
    found[-1] = phases
    # In 64 bits: graphics cards may round products of matrices in 32 bits, and indices must be exact.
    digits = on.asarray(shape.digits[:-1, : len(shape.instances)].astype(np.float64))
    offsets, ranks = on.asarray(shape.offsets), on.asarray(np.concatenate(shape.ranks))
    sizes = on.asarray(np.concatenate([np.repeat(one.weights, len(one.instances)) for one in numbering.tables[:-1]]))
    for first in range(0, count, PORTION):
        part = slice(first, first + PORTION)
        rows = on.unpackbits(bits[part].ravel(), bitorder="little").reshape(len(bits[part]), -1)
        rows = rows[:, : shape.features].astype(on.float64)
        if shape.kinds > 1 and float(rows.reshape(len(rows), shape.kinds, shape.cells).sum(axis=1).max()) > 1:
            raise GameError("active yields two features of one cell: patterns need one kind for each")
        indices = (rows @ digits).astype(on.int64) + offsets
        found[:-1, part] = (ranks[indices] + phases[part].astype(on.int64)[:, None] * sizes).T
    return found


@dataclass
class PatternDescent:
    """The numbers of a fit, in a row, and where they began; the slope and the direction of the last step.

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
        """Note how often each weight is seen: what steps are measured by."""
        self.counts = self.added_up(positions, None)

    def out(self, positions: Any, row: Any = None) -> Any:
        """What is said of each position, with the weights as they are or with these."""
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
        """The weights of each table, (phases, weights): those of the phases and what they share, added."""
        for table in self.numbering.tables:
            part = table.part(row, self.shape.phases)
            yield table, part[:-1] + part[-1]

    def added_up(self, positions: Any, slopes: Any) -> Any:
        """For each number of the row the sum of the slopes of the positions that have it; None: how many these are."""
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
        """Do the work on each part; threads share them."""
        for _ in map(work, parts) if self._pool is None else self._pool.map(work, parts):
            pass

    def step(self, batch: Batch) -> Any:
        """Make one step by all positions to learn from; returns the sum of their losses before that."""
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
        if float((slope * self.direction).sum()) >= 0:  # no way down: forget what was before
            self.direction[:] = -slope / measure
        self.slope[:] = slope
        self.row += self._length(out, batch, slope, pull) * self.direction
        return losses.astype(on.float64).sum()

    @property
    def _curvature(self) -> float:
        """How fast the slope of a loss rises, at most, with what is said: of squares, by a chance or as it is."""
        return 2.0 if self.loss.scored else 2.0 / 16

    def _length(self, out: Any, batch: Batch, slope: Any, pull: float) -> float:
        """How far to go: to where the loss no longer falls. Exact for squares of points."""
        on, along = self.on, self.out(batch.seen, self.direction)
        falls = float((slope * self.direction).sum())
        drawn = pull * float((self.direction * self.direction).sum())
        square = float((along.astype(on.float64) ** 2).sum())
        if not falls:  # at the bottom
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
