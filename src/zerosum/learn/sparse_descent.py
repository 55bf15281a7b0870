"""Mini-batch training of a network over sparse features, as floating-point numbers, in NumPy or CuPy.

The network has the form of ``zerosum.networks.sparse``. Positions arrive as bits and are unpacked to rows of 0 and 1,
so that everything is a matrix product, which libraries do best. On a GPU, no number leaves it along the way.

The optimiser is Adam with decoupled weight decay (I. Loshchilov and F. Hutter, 2019). The squared clipped activation
and the loss are those that chess programs use to train their networks.
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
"""Weight decay: in a step every weight loses this share times the learning rate, so unused weights fade."""

LARGEST_FIRST = 1.98
"""Weights of the first layer stay below this, so that no feature moves a unit by more than twice its range."""

FIRST_MIDDLE, FIRST_SPREAD, SECOND_SPREAD = 0.5, 0.5, 0.1
"""Initial weights: the sum of a unit with the most active features has about the first number as its mean, halfway
between the clipping limits, and the second as its spread; the network's output has about the third as its spread."""

PORTION = 256
"""Positions that a CPU unpacks at a time: few enough for its cache. A GPU unpacks whole batches."""

LEAST_PART, MOST_PARTS = 1024, 16
"""Threads split a batch into parts of at least LEAST_PART positions, and into at most MOST_PARTS parts."""


class Weights(NamedTuple):
    """The parts of a row, as views: writing to them writes to the row."""

    first: Any  # (features, hidden)
    thresholds: Any  # (hidden,)
    second: Any  # (phases, 2 * hidden)
    last: Any  # (phases,)


class Batch(NamedTuple):
    """Positions as inputs, their phases, and their targets for the side to move.

    For a network, the inputs are features as bits (positions, 2, bytes); for patterns, see ``pattern_descent``.
    """

    seen: Any
    phases: Any
    targets: Any


@dataclass(frozen=True)
class Loss:
    """The loss to minimise: the mean of the absolute differences from the targets, each raised to ``power``.

    If ``scored``, outputs are compared with targets directly. Otherwise an output is the log-odds of winning, and
    chances are compared.
    """

    scored: bool
    power: float = 2.0

    def said(self, on: Any, out: Any) -> Any:
        return out if self.scored else (1 + on.tanh(out / 2)) / 2

    def of(self, on: Any, out: Any, targets: Any) -> Any:
        """Return the loss of each position."""
        return on.abs(self.said(on, out) - targets) ** np.float32(self.power)

    def slope(self, on: Any, out: Any, targets: Any) -> tuple[Any, Any]:
        """Return the loss of each position, and its derivative by the network's output."""
        said = self.said(on, out)
        missed = said - targets
        size = on.abs(missed)
        slope = np.float32(self.power) * missed * size ** np.float32(self.power - 2) if self.power != 2 else 2 * missed
        if not self.scored:
            slope = slope * said * (1 - said)
        return size ** np.float32(self.power), slope


@dataclass
class SparseDescent:
    """A network's weights as a row, and the running means of their gradients and squared gradients.

    The row is that of the network's shape, followed by a threshold for each phase. All three change in place. ``on`` is
    the array module.
    """

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
        """Return the network's output for each position, before it is converted to a chance or a value."""
        if self.on is not np:
            return self._forward(bits, phases)[-1]
        return np.concatenate(list(self._each(self._out, Batch(bits, phases, phases))))

    def slope(self, batch: Batch) -> tuple[Any, Any]:
        """Return the sum of the batch's losses, and the gradient of their mean.

        The parts that are added up, and their order, do not depend on the number of threads.
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
        """Learn from one batch; return the sum of its losses before the step."""
        on, row = self.on, self.row
        missed, slope = self.slope(batch)
        self.steps += 1
        self.slopes += LATEST_SLOPE * (slope - self.slopes)
        self.squares += LATEST_SQUARE * (slope * slope - self.squares)
        # Both means started at 0, so they are too small by these factors.
        slopes = np.float32(rate / (1 - (1 - float(LATEST_SLOPE)) ** self.steps))
        squares = np.float32(1 / (1 - (1 - float(LATEST_SQUARE)) ** self.steps))
        row *= np.float32(1 - rate * DECAY)
        row -= slopes * self.slopes / (on.sqrt(squares * self.squares) + TINY)
        on.clip(row, -self.limits, self.limits, out=row)
        return missed

    def _each(self, work: Callable[[Batch], Any], batch: Batch) -> Iterable[Any]:
        """Return the results of ``work`` on each part of a batch, in order, using all threads."""
        count = len(batch.phases)
        size = max(LEAST_PART, -(-count // MOST_PARTS))
        parts = [Batch(*(column[first : first + size] for column in batch)) for first in range(0, count, size)]
        return map(work, parts) if self._pool is None else self._pool.map(work, parts)

    def _out(self, batch: Batch) -> Any:
        with _no_false_alarms():
            return self._forward(batch.seen, batch.phases)[-1]

    def _forward(self, bits: Any, phases: Any) -> tuple[Any, ...]:
        """Return rows of features, units before squaring, units, phases as rows of 0 and 1, and outputs."""
        on, weights = self.on, self.weights
        hidden, count = self.shape.hidden, len(phases)
        rows = unpack_bits(on, bits, self.shape.features)
        cut = rows @ weights.first
        cut += weights.thresholds
        on.clip(cut, np.float32(0), np.float32(1), out=cut)
        cut = cut.reshape(count, 2 * hidden)
        units = cut * cut
        chosen = (phases[:, None] == on.arange(self.shape.phases, dtype=on.uint8)).astype(on.float32)
        out = ((units @ weights.second.T + weights.last) * chosen).sum(axis=1)
        return rows, cut, units, chosen, out

    def _slope(self, batch: Batch, count: int) -> tuple[Any, Any]:
        """Return the sum of the losses, and their share in the gradient of the mean of ``count`` losses."""
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
            output_errors = chosen * slope[:, None]
            slopes.second[:] += output_errors.T @ units
            slopes.last[:] += output_errors.sum(axis=0)
            # The gradient through a clipped unit is 0.
            cut *= cut < 1
            cut *= output_errors @ self.weights.second
            cut *= 2
            felt = cut.reshape(-1, self.shape.hidden)
            slopes.first[:] += rows.T @ felt
            slopes.thresholds[:] += felt.sum(axis=0)
        return losses.sum()


def _no_false_alarms() -> Any:
    """Return a context that ignores OpenBLAS's spurious floating-point flags (see ``descent``) in this thread."""
    return np.errstate(divide="ignore", over="ignore", invalid="ignore")


def unpack_bits(on: Any, bits: Any, features: int) -> Any:
    """Return bits as float32 rows of 0 and 1: the mover's view of a position, the opponent's, then the next one's."""
    rows = on.unpackbits(bits.ravel(), bitorder="little").reshape(2 * len(bits), -1)
    return rows[:, :features].astype(on.float32)


def weights_in(shape: SparseShape, row: Any) -> Weights:
    return Weights(*shape.parts(row), row[shape.size :])


def fresh_row(shape: SparseShape, max_active: int, seed: int) -> Any:
    """Return the weights of an untrained network: random, so that units differ from each other."""
    row = np.zeros(shape.size + shape.phases, np.float32)
    first, thresholds, second, _ = weights_in(shape, row)
    chance = np.random.default_rng(seed)
    first[:] = chance.normal(0, FIRST_SPREAD / np.sqrt(max_active), first.shape)
    thresholds[:] = FIRST_MIDDLE
    second[:] = chance.normal(0, SECOND_SPREAD / np.sqrt(2 * shape.hidden), (1, 2 * shape.hidden))  # phases alike
    return row


def limits_of(shape: SparseShape, max_active: int) -> Any:
    """Return the largest size of each number in a row such that it and all sums fit in whole numbers."""
    limits = np.full(shape.size + shape.phases, np.inf, np.float32)
    first = min(LARGEST_FIRST, LARGEST_SUM / FIRST / (max_active + 2))
    limits[: shape.second] = first
    limits[shape.second : shape.size] = SMALL / SECOND
    return limits
