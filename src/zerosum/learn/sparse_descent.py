"""A network over sparse features in fractions, and its descent: many positions at once, by NumPy or CuPy.

The form is that of ``zerosum.networks.sparse``. Positions come as bits and are unpacked to rows of 0 and 1, so that
everything is a product of matrices, which libraries do best. No number leaves a graphics card on the way.

Adam with decoupled decay (I. Loshchilov and F. Hutter, 2019). The squared, cut-off activation and the loss are those
that chess programs learn their networks with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from zerosum.jit.words import SMALL
from zerosum.learn.descent import LATEST_SLOPE, LATEST_SQUARE, TINY, no_false_alarms
from zerosum.networks.sparse import FIRST, LARGEST_SUM, SECOND, SparseShape

DECAY = 0.01
"""Times the learning rate: the share that every weight loses in a step. A weight that nothing pulls at fades."""

LARGEST_FIRST = 1.98
"""Weights of the first layer stay below this: half of what a unit's whole range is comes from one feature."""

HALF_SURE = 0.5
"""A unit's sum before anything is learned is around this, in the middle between cut off and full."""

PORTION = 1 << 12
"""Positions that a processor unpacks at once; a graphics card takes whole batches."""


class Weights(NamedTuple):
    """The parts of a row; to write into them is to write into the row."""

    first: Any  # (features, hidden)
    thresholds: Any  # (hidden,)
    second: Any  # (phases, 2 * hidden)
    last: Any  # (phases,)


class Batch(NamedTuple):
    """Positions: features as bits (positions, 2, bytes), phases, and what the network should say, for the mover."""

    bits: Any
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
    steps: int = 0
    weights: Weights = field(init=False)

    def __post_init__(self) -> None:
        self.weights = weights_in(self.shape, self.row)

    @classmethod
    def begin(cls, shape: SparseShape, loss: Loss, row: Any, max_active: int, on: Any) -> SparseDescent:
        row = on.asarray(row, dtype=on.float32)
        limits = on.asarray(limits_of(shape, max_active))
        return cls(shape, loss, on, row, on.zeros_like(row), on.zeros_like(row), limits)

    @no_false_alarms
    def out(self, bits: Any, phases: Any) -> Any:
        """What the network says of each position, before it is made a chance or a value."""
        return self._forward(bits, phases)[-1]

    @no_false_alarms
    def slope(self, batch: Batch) -> tuple[Any, Any]:
        """The sum of the batch's losses, and the row of slopes of their mean."""
        on, total, missed = self.on, self.on.zeros_like(self.row), self.on.zeros((), self.on.float32)
        count = len(batch.phases)
        portion = PORTION if on is np else count
        for first in range(0, count, portion):
            part = Batch(*(column[first : first + portion] for column in batch))
            missed = missed + self._add_slope(part, np.float32(1 / count), total)
        return missed, total

    @no_false_alarms
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

    def _add_slope(self, batch: Batch, share: Any, total: Any) -> Any:
        slopes = weights_in(self.shape, total)
        rows, cut, units, chosen, out = self._forward(batch.bits, batch.phases)
        losses, slope = self.loss.slope(self.on, out, batch.targets)
        blame = chosen * (slope * share)[:, None]
        slopes.second[:] += blame.T @ units
        slopes.last[:] += blame.sum(axis=0)
        # A unit that is full or cut off does not feel what moves its sum.
        cut *= cut < 1
        cut *= blame @ self.weights.second
        cut *= 2
        on_sums = cut.reshape(-1, self.shape.hidden)
        slopes.first[:] += rows.T @ on_sums
        slopes.thresholds[:] += on_sums.sum(axis=0)
        return losses.sum()


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
    first[:] = chance.normal(0, 1 / np.sqrt(max_active) / 2, first.shape)
    thresholds[:] = HALF_SURE
    second[:] = chance.normal(0, 1 / np.sqrt(2 * shape.hidden) / 2, (1, 2 * shape.hidden))  # phases begin alike
    return row


def limits_of(shape: SparseShape, max_active: int) -> Any:
    """How large each number of a row may be, so that whole numbers can hold it and all sums."""
    limits = np.full(shape.size + shape.phases, np.inf, np.float32)
    first = min(LARGEST_FIRST, LARGEST_SUM / FIRST / (max_active + 2))
    limits[: shape.second] = first
    limits[shape.second : shape.size] = SMALL / SECOND
    return limits
