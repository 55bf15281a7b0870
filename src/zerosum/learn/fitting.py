"""Fit an evaluation to positions: from samples to weights, epoch by epoch.

Each epoch shows every position once. Blocks of positions are held out, and the error on them decides which epoch's
weights are kept. Equal seeds give equal fits, whether or not a fit was interrupted and resumed. This module has what
all fits share, and the fit of a network over sparse features; ``pattern_fitting`` has the fit of patterns.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.learn.arrays import arrays, in_memory
from zerosum.learn.described import Described
from zerosum.learn.labels import Labels
from zerosum.learn.samples import Samples
from zerosum.learn.sparse_descent import Batch, Loss, SparseDescent, fresh_row
from zerosum.networks.patterns import AnyShape
from zerosum.networks.sparse import SparseShape
from zerosum.running.stopping import Stop

LARGEST_BATCH, LEAST_BATCH, LEAST_STEPS = 16_384, 64, 500
"""The default batch: the largest, or less (but not below the least) so that an epoch has at least this many steps."""

LAST_RATE = 0.01
"""The learning rate at the end, as a fraction of the initial rate."""

CHECKED = 1 << 18
"""The most held-out positions that the error is measured on."""

AT_ONCE = 1 << 14
"""Positions that are evaluated at a time."""

TELL_STEPS = 16
"""Steps between two reports of progress."""


@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """Options of a fit.

    Attributes:
        epochs: how often each position is shown.
        trust: the share of the search value in the target; the rest is the result of the game.
        power: the exponent of the loss, which is the mean of the differences raised to this power.
        held_out: the share of positions used only to measure the error.
        seed: equal seeds give equal weights.
    """

    epochs: int = 10
    trust: float = 0.7
    power: float = 2.0
    held_out: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        if self.epochs < 1:
            raise LimitError(f"the number of epochs must be at least 1, not {self.epochs}")
        if not 1 < self.power <= 4:
            raise LimitError(f"the power of differences must be more than 1 and at most 4, not {self.power!r}")
        if not 0 <= self.trust <= 1:
            raise LimitError(f"trust must be a share from 0 to 1, not {self.trust!r}")


@dataclass(frozen=True, kw_only=True)
class NetworkOptions(FitOptions):
    """Options of a network fit.

    Attributes:
        hidden: hidden units for each view, a multiple of 16.
        batch: positions in a step; 0 chooses by the number of positions.
        rate: the initial learning rate; it falls to a hundredth along a cosine.
    """

    hidden: int
    batch: int = 0
    rate: float = 0.002

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.batch < 0:
            raise LimitError(f"the batch must not be negative: {self.batch}")
        if not 0 < self.rate < 1:
            raise LimitError(f"the learning rate must be between 0 and 1, not {self.rate!r}")


class FitProgress(NamedTuple):
    """Progress of a fit: epochs done, positions shown, and positions to show in all."""

    epoch: int
    shown: int
    total: int


class Fit(ABC):
    """A fit of one evaluation. With a GPU, the weights are in its memory.

    ``curve`` has two errors for each epoch: on the training positions, measured during the epoch, and on the held-out
    positions. Its first entry is from before the first epoch and has None for the training error. ``best`` has the
    weights with the least held-out error.
    """

    shape: AnyShape
    batch: int  # positions in a step
    best: Any

    def __init__(
        self, game: Game, samples: Samples, options: FitOptions, labels: Labels | None = None, gpu: bool = False
    ) -> None:
        self.game, self.options, self.on = game, options, arrays(gpu)
        self.labels = labels or Labels.of(game, samples, options.trust)
        self.loss = Loss(game.scored, options.power)
        self.positions = len(samples)
        self.epoch = 0
        self.curve: list[tuple[float | None, float]] = []

    def begin(self) -> None:
        """Record the error before the first epoch."""
        self.curve, self.best = [(None, self.error())], self.row.copy()

    @property
    def is_finished(self) -> bool:
        return self.epoch >= self.options.epochs

    def run(
        self, on_step: Callable[[FitProgress], None] | None = None, stop: Stop | None = None
    ) -> Iterator[tuple[float, float]]:
        """Fit to the end, yielding the two errors after each epoch. ``on_step`` is called every few steps.

        After ``stop``, no further step begins; the fit can be abandoned or continued.
        """
        while not self.is_finished:
            learned = self._learn(on_step, stop)
            if learned is None:
                return
            errors = learned, self.error()
            if errors[1] <= min(held_out for _, held_out in self.curve):
                self.best = self.row.copy()
            self.curve.append(errors)
            self.epoch += 1
            yield errors

    def error(self) -> float:
        """Return the mean loss on held-out positions."""
        total, count = self.on.zeros((), self.on.float64), 0
        for batch in self.held_out():
            total += self.loss.of(self.on, self.out(batch), batch.targets).sum()
            count += len(batch.targets)
        return float(total) / count

    @property
    @abstractmethod
    def row(self) -> Any:
        """The current weights."""

    @property
    @abstractmethod
    def progress(self) -> FitProgress: ...

    @abstractmethod
    def out(self, batch: Batch) -> Any:
        """Return the current output for each position, before it is converted to a chance or a value."""

    @abstractmethod
    def held_out(self, most: int = CHECKED) -> Iterator[Batch]:
        """Yield the held-out positions, or at most ``most`` of them spread over the samples."""

    @abstractmethod
    def _learn(self, on_step: Callable[[FitProgress], None] | None, stop: Stop | None) -> float | None:
        """Train to the end of the epoch; return the mean loss on the way, or None after a stop."""

    # State for resuming a run

    @abstractmethod
    def _place(self) -> dict[str, int]:
        """Return where in an epoch the fit is."""

    @abstractmethod
    def _go_to(self, place: Mapping[str, Any]) -> None: ...

    @abstractmethod
    def _numbers(self) -> dict[str, Any]:
        """Return the arrays that change in place, by name."""

    @property
    def names(self) -> set[str]:
        """The names of the arrays in the fit's state."""
        return {*self._numbers(), "best"}

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """Return everything that changes, as JSON data and as arrays."""
        state = {"epoch": self.epoch, "curve": self.curve, **self._place()}
        return state, {name: in_memory(array) for name, array in {**self._numbers(), "best": self.best}.items()}

    def restore(self, state: Mapping[str, Any], numbers: Mapping[str, npt.NDArray[Any]]) -> None:
        """Continue where another fit with the same samples and options stopped."""
        self.epoch = int(state["epoch"])
        self.curve = [(learned, held_out) for learned, held_out in state["curve"]]
        self._go_to(state)
        for name, array in self._numbers().items():
            array[...] = self.on.asarray(numbers[name])
        self.best = self.on.asarray(numbers["best"])

    def described(self) -> dict[str, Any]:
        """Return what must be equal for one fit to resume another."""
        fixed = asdict(self.options) | asdict(self.labels) | asdict(self.shape)
        return fixed | {"batch": self.batch, "positions": self.positions}


def split_samples(samples: Samples, options: FitOptions) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the positions to learn from, and at most CHECKED of the held-out ones, evenly spread."""
    learn, check = samples.split(options.held_out, options.seed)
    if not learn.any() or not check.any():
        raise LimitError(f"{len(samples)} positions are too few to hold some out: gather more")
    held_out = np.flatnonzero(check)
    return np.flatnonzero(learn), held_out[:: -(-len(held_out) // CHECKED)]


class NetworkFit(Fit):
    """A fit of a network over sparse features by Adam, in batches, in an order determined by seed and epoch."""

    options: NetworkOptions
    shape: SparseShape

    def __init__(
        self,
        game: Game,
        samples: Samples,
        described: Described,
        options: NetworkOptions,
        *,
        start: npt.NDArray[np.float32] | None = None,
        labels: Labels | None = None,
        threads: int = 1,
        gpu: bool = False,
    ) -> None:
        """Prepare a fit that starts from the weights ``start``, if any, in the units of ``labels``."""
        super().__init__(game, samples, options, labels, gpu)
        on = self.on
        self.shape = SparseShape(game.active_features, options.hidden, game.phases)
        self._learn_from, self._check = map(on.asarray, split_samples(samples, options))
        targets = self.labels.targets(game, samples, described.movers)
        self._all = Batch(on.asarray(described.bits), on.asarray(described.phases), on.asarray(targets))
        self.batch = min(options.batch or _batch_for(len(self._learn_from)), len(self._learn_from))
        row = fresh_row(self.shape, game.max_active, options.seed) if start is None else start
        self.descent = SparseDescent.begin(self.shape, self.loss, row, game.max_active, on, threads)
        self.place = 0
        self._missed = on.zeros((), on.float64)
        self.begin()

    @property
    def row(self) -> Any:
        return self.descent.row

    @property
    def steps(self) -> int:
        """The number of steps in an epoch."""
        return len(self._learn_from) // self.batch

    @property
    def progress(self) -> FitProgress:
        an_epoch = self.steps * self.batch
        return FitProgress(self.epoch, self.epoch * an_epoch + self.place * self.batch, self.options.epochs * an_epoch)

    def out(self, batch: Batch) -> Any:
        return self.descent.out(batch.seen, batch.phases)

    def held_out(self, most: int = CHECKED) -> Iterator[Batch]:
        chosen = self._check[:: -(-len(self._check) // most)]
        for first in range(0, len(chosen), AT_ONCE):
            yield self._batch(chosen[first : first + AT_ONCE])

    def _learn(self, on_step: Callable[[FitProgress], None] | None, stop: Stop | None) -> float | None:
        order = self._order()
        while self.place < self.steps:
            if stop is not None and stop.is_set():
                return None
            chosen = order[self.place * self.batch : (self.place + 1) * self.batch]
            self._missed += self.descent.step(self._batch(chosen), self._rate())
            self.place += 1
            if on_step is not None and self.place % TELL_STEPS == 0:
                on_step(self.progress)
        learned = float(self._missed) / (self.steps * self.batch)
        self.place = 0
        self._missed[...] = 0
        return learned

    def _place(self) -> dict[str, int]:
        return {"place": self.place, "steps": self.descent.steps}

    def _go_to(self, place: Mapping[str, Any]) -> None:
        self.place, self.descent.steps = int(place["place"]), int(place["steps"])

    def _numbers(self) -> dict[str, Any]:
        descent = self.descent
        return {"row": descent.row, "slopes": descent.slopes, "squares": descent.squares, "missed": self._missed}

    def _batch(self, chosen: Any) -> Batch:
        return Batch(*(column[chosen] for column in self._all))

    def _order(self) -> Any:
        """Return the training positions, shuffled: sorted by pseudo-random numbers that depend on seed and epoch."""
        on, count = self.on, len(self._learn_from)
        return self._learn_from[on.argsort(scattered(on, count, self.options.seed, self.epoch))]

    def _rate(self) -> float:
        done = (self.epoch + self.place / self.steps) / self.options.epochs
        last = LAST_RATE * self.options.rate
        return last + (self.options.rate - last) * (1 + math.cos(math.pi * done)) / 2


def scattered(on: Any, count: int, seed: int, epoch: int) -> Any:
    """Return distinct pseudo-random 64-bit numbers (SplitMix64: G. Steele, D. Lea, C. Flood, 2014)."""
    offset = (seed * 0xD1342543DE82EF95 + (epoch + 1) * 0xA0761D6478BD642F) % 2**64
    x = on.arange(count, dtype=on.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(offset)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _batch_for(positions: int) -> int:
    """Return a power of two that gives an epoch enough steps.

    >>> _batch_for(100_000_000), _batch_for(100_000), _batch_for(1000)
    (16384, 128, 64)
    """
    wanted = max(LEAST_BATCH, positions // LEAST_STEPS)
    return int(min(LARGEST_BATCH, 1 << (wanted.bit_length() - 1)))
