"""Fit pattern weights to positions. ``fitting`` has what this shares with other fits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.game import Game
from zerosum.learn.described import Described
from zerosum.learn.fitting import AT_ONCE, CHECKED, Fit, FitOptions, FitProgress, split_samples
from zerosum.learn.labels import Labels
from zerosum.learn.pattern_descent import Numbering, PatternDescent, seen
from zerosum.learn.samples import Samples
from zerosum.learn.sparse_descent import Batch
from zerosum.networks.patterns import PatternShape
from zerosum.running.stopping import Stop


@dataclass(frozen=True, kw_only=True)
class PatternOptions(FitOptions):
    """Options of a pattern fit.

    Attributes:
        epochs: the number of steps; each shows every position once.
        prior: how strongly every weight is pulled to its starting value, as an equivalent number of positions.
    """

    epochs: int = 30
    prior: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.prior < 1e9:
            raise LimitError(f"the prior must be a number of positions greater than 0, not {self.prior!r}")


class PatternFit(Fit):
    """A fit of pattern weights by conjugate gradients; each step uses all positions."""

    options: PatternOptions
    shape: PatternShape

    def __init__(
        self,
        game: Game,
        samples: Samples,
        described: Described,
        options: PatternOptions,
        *,
        start: npt.NDArray[np.float64] | None = None,
        labels: Labels | None = None,
        threads: int = 1,
        gpu: bool = False,
    ) -> None:
        """Prepare a fit that starts from the numbers ``start``, if any, in the units of ``labels``."""
        super().__init__(game, samples, options, labels, gpu)
        self.shape = PatternShape.of(game)
        row = np.zeros(Numbering.of(self.shape).size) if start is None else start
        self._began = "none" if start is None else hashlib.sha256(start.tobytes()).hexdigest()[:16]
        self.descent = PatternDescent.begin(self.shape, self.loss, options.prior, row, self.on, threads)
        targets = self.labels.targets(game, samples, described.movers)
        self._whole, self._check = (
            self._seen(described, targets, chosen) for chosen in split_samples(samples, options)
        )
        self.batch = len(self._whole.targets)
        self.descent.count(self._whole.seen)
        self.begin()

    def _seen(self, described: Described, targets: Any, chosen: Any) -> Batch:
        on, phases = self.on, self.on.asarray(described.phases[chosen])
        bits = on.asarray(np.ascontiguousarray(described.bits[chosen, 0]))
        found = seen(self.shape, self.descent.numbering, bits, phases, on)
        return Batch(found, phases, on.asarray(targets[chosen]))

    @property
    def row(self) -> Any:
        return self.descent.row

    @property
    def progress(self) -> FitProgress:
        return FitProgress(self.epoch, self.epoch * self.batch, self.options.epochs * self.batch)

    def out(self, batch: Batch) -> Any:
        return self.descent.out(batch.seen)

    def held_out(self, most: int = CHECKED) -> Iterator[Batch]:
        positions, phases, targets = self._check
        step = -(-len(targets) // most)
        for first in range(0, len(targets), step * AT_ONCE):
            part = slice(first, first + step * AT_ONCE, step)
            yield Batch(positions[:, part], phases[part], targets[part])

    def _learn(self, on_step: Callable[[FitProgress], None] | None, stop: Stop | None) -> float | None:
        if stop is not None and stop.is_set():
            return None
        if on_step is not None:
            on_step(self.progress)
        return float(self.descent.step(self._whole)) / self.batch

    def _place(self) -> dict[str, int]:
        return {}

    def _go_to(self, place: Mapping[str, Any]) -> None:
        """Do nothing: every step is an epoch."""

    def _numbers(self) -> dict[str, Any]:
        return {"row": self.descent.row, "slope": self.descent.slope, "direction": self.descent.direction}

    def described(self) -> dict[str, Any]:
        print_of = hashlib.sha256(json.dumps(self.shape.patterns).encode()).hexdigest()[:16]
        own = {"cells": self.shape.cells, "kinds": self.shape.kinds, "phases": self.shape.phases, "patterns": print_of}
        own["weights at first"] = self._began
        return asdict(self.options) | asdict(self.labels) | own | {"batch": self.batch, "positions": self.positions}
