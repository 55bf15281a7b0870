"""A network over sparse features in fractions, and its descent: many positions at once, by NumPy or CuPy.

The form is that of ``zerosum.networks.sparse``. Positions come as bits and are unpacked to rows of 0 and 1, so that
everything is a product of matrices, which libraries do best. No number leaves a graphics card on the way.

Adam with decoupled decay (I. Loshchilov and F. Hutter, 2019). The squared, cut-off activation and the loss are those
that chess programs learn their networks with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from zerosum.jit.words import SMALL
from zerosum.learn.descent import LATEST_SLOPE, LATEST_SQUARE, TINY
from zerosum.networks.sparse import FIRST, LARGEST_SUM, SECOND, SparseShape

DECAY = 0.01
"""Times the learning rate: the share that every weight loses in a step. A weight that nothing pulls at fades."""

LARGEST_FIRST = 1.98
"""Weights of the first layer stay below this: no feature moves a unit by more than twice its range."""

FIRST_MIDDLE, FIRST_SPREAD, SECOND_SPREAD = 0.5, 0.5, 0.1
"""Before anything is learned: the sum of a unit with all features that there can be is about as large as the first, in
the middle between cut off and full, give or take the second; what the network says is about the third."""

PORTION = 256
"""Positions that a processor unpacks at once: its cache can hold them. A graphics card takes whole batches."""

LEAST_PART, MOST_PARTS = 1024, 16
"""Threads split a batch into parts of at least this many positions, and at most this many parts."""


class Weights(NamedTuple):
    """The parts of a row; to write into them is to write into the row."""

    first: Any  # (features, hidden)
    thresholds: Any  # (hidden,)
    second: Any  # (phases, 2 * hidden)
    last: Any  # (phases,)


class Batch(NamedTuple):
    """Positions as they are seen, phases, and what should be said, for the mover.

    A network sees features as bits (positions, 2, bytes); patterns: see ``pattern_descent``.
    """

    seen: Any
    phases: Any
    targets: Any


@dataclass(frozen=True)
class Loss:
    """What is made small: the mean of the difference to what should be said, to some power.

    ``scored``: what the network says is compared as it is. Otherwise it is the logarithm of the odds to win, and
    chances are compared.
    """

    scored: bool
    power: float = 2.0

    def said(self, on: Any, out: Any) -> Any:
        return out if self.scored else (1 + on.tanh(out / 2)) / 2

    def of(self, on: Any, out: Any, targets: Any) -> Any:
        """The loss of each position."""
        return on.abs(self.said(on, out) - targets) ** np.float32(self.power)

    def slope(self, on: Any, out: Any, targets: Any) -> tuple[Any, Any]:
        """The loss of each position, and how much it rises with what the network says."""
        said = self.said(on, out)
        missed = said - targets
        size = on.abs(missed)
        slope = np.float32(self.power) * missed * size ** np.float32(self.power - 2) if self.power != 2 else 2 * missed
        if not self.scored:
            slope = slope * said * (1 - said)
        return size ** np.float32(self.power), slope


@dataclass
class SparseDescent:
    """A network's numbers in a row (that of its shape, then a threshold for each phase), the means of their slopes and
    of the slopes' squares, all of which change in place; ``on`` is the module that works on them."""

    shape: SparseShape
    loss: Loss
    on: Any
    row: Any
    slopes: Any
    squares: Any
    limits: Any
    threads: int = 1
    steps: int = 0
    weights: Weights = field(init=False)

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 and self.on is np else None
        self.weights = weights_in(self.shape, self.row)

    @classmethod
    def begin(
        cls, shape: SparseShape, loss: Loss, row: Any, max_active: int, on: Any = np, threads: int = 1
    ) -> SparseDescent:
        row = on.array(row, dtype=on.float32)
        limits = on.asarray(limits_of(shape, max_active))
        return cls(shape, loss, on, row, on.zeros_like(row), on.zeros_like(row), limits, threads)

    def out(self, bits: Any, phases: Any) -> Any:
        """What the network says of each position, before it is made a chance or a value."""
        if self.on is not np:
            return self._forward(bits, phases)[-1]
        return np.concatenate(list(self._each(self._out, Batch(bits, phases, phases))))

    def slope(self, batch: Batch) -> tuple[Any, Any]:
        """The sum of the batch's losses, and the row of slopes of their mean.

        Which parts are added up, and in which order, does not depend on the number of threads.
        """
        count = len(batch.phases)
        if self.on is not np:
            return self._slope(batch, count)
        missed, total = np.float32(0), np.zeros_like(self.row)
        for its_missed, its_slope in self._each(lambda part: self._slope(part, count), batch):
            missed += its_missed
            total += its_slope
        return missed, total

    def step(self, batch: Batch, rate: float) -> Any:
        """Learn from one batch; returns the sum of its losses before that."""
        on, row = self.on, self.row
        missed, slope = self.slope(batch)
        self.steps += 1
        self.slopes += LATEST_SLOPE * (slope - self.slopes)
        self.squares += LATEST_SQUARE * (slope * slope - self.squares)
        # Both means began at 0, and are too small by so much.
        slopes = np.float32(rate / (1 - (1 - float(LATEST_SLOPE)) ** self.steps))
        squares = np.float32(1 / (1 - (1 - float(LATEST_SQUARE)) ** self.steps))
        row *= np.float32(1 - rate * DECAY)
        row -= slopes * self.slopes / (on.sqrt(squares * self.squares) + TINY)
        on.clip(row, -self.limits, self.limits, out=row)
        return missed

    def _each(self, work: Callable[[Batch], Any], batch: Batch) -> Iterable[Any]:
        """What ``work`` makes of each part of a batch, in their order; threads share them."""
        count = len(batch.phases)
        size = max(LEAST_PART, -(-count // MOST_PARTS))
        parts = [Batch(*(column[first : first + size] for column in batch)) for first in range(0, count, size)]
        return map(work, parts) if self._pool is None else self._pool.map(work, parts)

    def _out(self, batch: Batch) -> Any:
        with _no_false_alarms():
            return self._forward(batch.seen, batch.phases)[-1]

    def _forward(self, bits: Any, phases: Any) -> tuple[Any, ...]:
        """Rows of features, units before they are squared, units, phases as rows of 0 and 1, and what is said."""
        on, weights = self.on, self.weights
        hidden, count = self.shape.hidden, len(phases)
        rows = unpacked(on, bits, self.shape.features)
        cut = rows @ weights.first
        cut += weights.thresholds
        on.clip(cut, np.float32(0), np.float32(1), out=cut)
        cut = cut.reshape(count, 2 * hidden)
        units = cut * cut
        chosen = (phases[:, None] == on.arange(self.shape.phases, dtype=on.uint8)).astype(on.float32)
        out = ((units @ weights.second.T + weights.last) * chosen).sum(axis=1)
        return rows, cut, units, chosen, out

    def _slope(self, batch: Batch, count: int) -> tuple[Any, Any]:
        """The sum of the losses, and their part in the slopes of the mean of ``count`` losses."""
        missed, total = self.on.zeros((), self.on.float32), self.on.zeros_like(self.row)
        portion = PORTION if self.on is np else count
        for first in range(0, len(batch.phases), portion):
            missed = missed + self._add_slope(Batch(*(column[first : first + portion] for column in batch)), total)
        total *= np.float32(1 / count)
        return missed, total

    def _add_slope(self, batch: Batch, total: Any) -> Any:
        slopes = weights_in(self.shape, total)
        with _no_false_alarms():
            rows, cut, units, chosen, out = self._forward(batch.seen, batch.phases)
            losses, slope = self.loss.slope(self.on, out, batch.targets)
            blame = chosen * slope[:, None]
            slopes.second[:] += blame.T @ units
            slopes.last[:] += blame.sum(axis=0)
            # A unit that is full or cut off does not feel what moves its sum.
            cut *= cut < 1
            cut *= blame @ self.weights.second
            cut *= 2
            felt = cut.reshape(-1, self.shape.hidden)
            slopes.first[:] += rows.T @ felt
            slopes.thresholds[:] += felt.sum(axis=0)
        return losses.sum()


def _no_false_alarms() -> Any:
    """OpenBLAS sets flags now and then on numbers beside a matrix: see ``descent``. For one thread, and one block."""
    return np.errstate(divide="ignore", over="ignore", invalid="ignore")


def unpacked(on: Any, bits: Any, features: int) -> Any:
    """Bits as rows of 0 and 1, float32: the mover's view of a position, then the other's, then the next position."""
    rows = on.unpackbits(bits.ravel(), bitorder="little").reshape(2 * len(bits), -1)
    return rows[:, :features].astype(on.float32)


def weights_in(shape: SparseShape, row: Any) -> Weights:
    return Weights(*shape.parts(row), row[shape.size :])


def fresh_row(shape: SparseShape, max_active: int, seed: int) -> Any:
    """A network that knows nothing: random weights, by which units differ from each other."""
    row = np.zeros(shape.size + shape.phases, np.float32)
    first, thresholds, second, _ = weights_in(shape, row)
    chance = np.random.default_rng(seed)
    first[:] = chance.normal(0, FIRST_SPREAD / np.sqrt(max_active), first.shape)
    thresholds[:] = FIRST_MIDDLE
    second[:] = chance.normal(0, SECOND_SPREAD / np.sqrt(2 * shape.hidden), (1, 2 * shape.hidden))  # phases alike
    return row


def limits_of(shape: SparseShape, max_active: int) -> Any:
    """How large each number of a row may be, so that whole numbers can hold it and all sums."""
    limits = np.full(shape.size + shape.phases, np.inf, np.float32)
    first = min(LARGEST_FIRST, LARGEST_SUM / FIRST / (max_active + 2))
    limits[: shape.second] = first
    limits[shape.second : shape.size] = SMALL / SECOND
    return limits
