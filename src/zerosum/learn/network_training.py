"""A run that trains a network or pattern weights: gather positions, fit, convert to whole numbers, write a file.

Positions are stored in a separate file, and the fit writes a checkpoint next to the network's file. However the run
ends, the same command continues it, with ``--resume`` once there is a checkpoint.

A checkpoint is in NumPy's ``.npz`` format. ``header`` is JSON in UTF-8 with ``zerosum fit`` (the version, 1), ``game``,
``fit`` (what must be equal for a fit to resume from it) and ``progress``. The other arrays are the weights, the
optimiser's state, and the best weights so far.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from zerosum.errors import WeightsError
from zerosum.files import FileFormat, written_whole
from zerosum.game import Game
from zerosum.learn import pattern_quantising, quantising
from zerosum.learn.blas import one_thread_each
from zerosum.learn.described import Described, check_describable, describe
from zerosum.learn.files import with_weights_from
from zerosum.learn.fitting import Fit, FitProgress, NetworkFit, NetworkOptions
from zerosum.learn.gathering import Gathered, Gathering
from zerosum.learn.labels import Labels
from zerosum.learn.pattern_fitting import PatternFit, PatternOptions
from zerosum.learn.plans import NetworkPlan, Tell
from zerosum.learn.positions_file import Block, PositionsFile
from zerosum.learn.quantising import Quantised
from zerosum.learn.samples import Samples
from zerosum.networks.patterns import AnyShape, PatternShape
from zerosum.networks.sparse import SparseShape
from zerosum.networks.sparse_file import SparseNetwork, is_sparse
from zerosum.running.background import in_background
from zerosum.running.stopping import Stop
from zerosum.working.team import Workers

FORMAT = FileFormat("zerosum fit", 1, WeightsError)

SAVE_SECONDS = 60.0
"""Seconds between checkpoints; one is also written after each epoch."""

OF_ONE_BLOCK = ("positions", "columns", "games", "first", "next", "seed")
"""Fields that differ between the heads of blocks made in the same way."""


class NetworkRun:
    """A training run. Call ``gather``, ``begin``, ``to_the_end`` and ``finish``, in this order."""

    def __init__(self, game: Game, plan: NetworkPlan, made: Mapping[str, Any]) -> None:
        """Prepare a run; ``made`` is recorded in its files: command and version."""
        check_describable(game)
        self.game, self.plan, self.made = game, plan, dict(made)
        self.shape = self._shape()  # raises errors before any work is done
        self.teacher = with_weights_from(game, Path(plan.start)) if plan.start else game
        self.start = self._start()
        self.file = PositionsFile(plan.data_file, game)
        self._checkpoint = Checkpoint.read(plan.checkpoint, game) if plan.checkpoint.exists() else None
        self.fit: Fit
        self.is_begun = False
        self._saved = monotonic()

    @property
    def is_resumed(self) -> bool:
        return self._checkpoint is not None

    @property
    def gathered(self) -> int:
        """The number of positions in the file."""
        return sum(block.positions for block in self.file.blocks())

    @property
    def missing(self) -> int:
        """The number of positions still to gather."""
        return 0 if self.is_resumed else max(0, self.plan.wanted(self.gathered) - self.gathered)

    def gather(self, on_progress: Callable[[Gathered], None], workers: Workers | None = None) -> None:
        """Play games until the file has enough positions."""
        run = Gathering(self.teacher, self.plan.data_file, self.plan.playing, self.made)
        run.run(self.missing, threads=self.plan.threads, workers=workers, on_progress=on_progress)

    def begin(self, tell: Tell) -> None:
        """Read the positions and prepare the fit, resuming it from its checkpoint if there is one."""
        plan, kept = self.plan, self._checkpoint
        tell(0.0, "reading positions")
        samples = self.file.read(first=int(kept.fit["positions"]) if kept else None)

        def on_share(share: float) -> None:
            tell(share, "describing positions")

        described = describe(self.game, samples.states, threads=plan.threads, on_progress=on_share)
        labels = Labels.of(self.game, samples, plan.options.trust)
        self.fit = self._fit(samples, described, labels)
        if kept:
            kept.check(self.fit, plan.checkpoint)
            self.fit.restore(kept.progress, kept.numbers)
        self.is_begun = True
        self._saved = monotonic()

    def to_the_end(
        self, on_progress: Callable[[FitProgress], None], on_epoch: Callable[[FitProgress, float, float], None]
    ) -> None:
        """Fit in a background thread, so that an interrupt lets the current step finish.

        After each epoch ``on_epoch`` is called with the progress, the training error and the held-out error.
        """
        stop = Stop()

        def work(report: Callable[[Callable[[], None]], None]) -> None:
            def step(now: FitProgress) -> None:
                report(partial(on_progress, now))
                if monotonic() - self._saved > SAVE_SECONDS:
                    self.save()

            for errors in self.fit.run(step, stop):
                self.save()
                report(partial(on_epoch, self.fit.progress, *errors))

        with one_thread_each():  # the fit runs its own threads
            in_background(work, stop.set, on_report=lambda report: report())

    def save(self) -> None:
        """Write the checkpoint."""
        Checkpoint.of(self.fit).write(self.plan.checkpoint)
        self._saved = monotonic()

    def finish(self) -> Quantised:
        """Write the network in whole numbers, and delete the checkpoint."""
        network, found = self._quantised()
        made = {
            **self.made,
            "positions": self.fit.positions,
            "data": summary(self.file.blocks()),
            "fit": {**asdict(self.plan.options), "batch": self.fit.batch},
            "labels": asdict(self.fit.labels),
            "curve": self.fit.curve,
            "in whole numbers": asdict(found),
        }
        if self.start is not None:
            made["began with"] = dict(self.start.made)
        replace(network, made=made).write(Path(self.plan.out), self.game)
        self.plan.checkpoint.unlink(missing_ok=True)
        return found

    # What is fitted: a network, or patterns

    def _shape(self) -> AnyShape:
        game, options = self.game, self.plan.options
        if isinstance(options, NetworkOptions):
            return SparseShape(game.active_features, options.hidden, game.phases)
        return PatternShape.of(game)

    def _fit(self, samples: Samples, described: Described, labels: Labels) -> Fit:
        game, options, start = self.game, self.plan.options, self.start
        where: dict[str, Any] = {"threads": self.plan.threads, "gpu": self.plan.gpu}
        if isinstance(options, PatternOptions):
            row = None if start is None else pattern_quantising.unrounded(start, labels.scale)
            return PatternFit(game, samples, described, options, start=row, labels=labels, **where)
        assert isinstance(options, NetworkOptions)
        begun = None if start is None else quantising.unrounded(start, labels.scale)
        return NetworkFit(game, samples, described, options, start=begun, labels=labels, **where)

    def _quantised(self) -> tuple[SparseNetwork, Quantised]:
        if isinstance(self.fit, PatternFit):
            return pattern_quantising.quantised(self.fit)
        assert isinstance(self.fit, NetworkFit)
        return quantising.quantised(self.fit)

    def _start(self) -> SparseNetwork | None:
        """Return the weights to start from: the teacher's, if they have the same shape."""
        path = Path(self.plan.start)
        if not self.plan.start or not is_sparse(path):
            return None
        network = SparseNetwork.read(path, self.game)
        return network if network.shape == self.shape else None


class Checkpoint:
    """The saved state of an unfinished fit."""

    def __init__(self, game: str, fit: Mapping[str, Any], progress: Mapping[str, Any], numbers: Any) -> None:
        self.game, self.fit, self.progress, self.numbers = game, fit, progress, numbers

    @classmethod
    def of(cls, fit: Fit) -> Checkpoint:
        return cls(fit.game.name, fit.described(), *fit.state())

    def write(self, path: Path) -> None:
        header = {**FORMAT.stamp, "game": self.game, "fit": self.fit, "progress": self.progress}
        content = io.BytesIO()
        np.savez(content, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **self.numbers)
        with written_whole(path) as file:
            file.write(content.getvalue())

    @classmethod
    def read(cls, path: Path, game: Game) -> Checkpoint:
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
                numbers = {name: arrays[name] for name in arrays.files}
            header = json.loads(numbers.pop("header").tobytes().decode())
        except Exception as problem:  # a damaged archive can raise anything: see ``networks/network.py``
            raise WeightsError(f"{str(path)!r} is not the checkpoint of a fit, or it is damaged") from problem
        FORMAT.check(header, path)
        if header.get("game") != game.name:
            raise WeightsError(f"{str(path)!r} belongs to a fit for {header.get('game')!r}, not for {game.name}")
        fit, progress = header.get("fit"), header.get("progress")
        if not (isinstance(fit, dict) and isinstance(progress, dict) and numbers):
            raise WeightsError(f"{str(path)!r} is not the checkpoint of a fit, or it is damaged")
        return cls(game.name, fit, progress, numbers)

    def check(self, fit: Fit, path: Path) -> None:
        """Raise an error unless this fit can resume from the checkpoint."""
        for name, mine in fit.described().items():
            if self.fit.get(name) != mine:
                raise WeightsError(
                    f"{str(path)!r} belongs to a fit with {name} = {self.fit.get(name)!r}, not {mine!r}:"
                    " use the options it was started with, or another --out"
                )
        if set(self.numbers) != fit.names:
            raise WeightsError(f"{str(path)!r} is not the checkpoint of a fit, or it is damaged")


def summary(blocks: Sequence[Block]) -> list[dict[str, Any]]:
    """Summarise how the positions of a file were made, grouping blocks made in the same way."""
    found: dict[str, dict[str, Any]] = {}
    for block in blocks:
        alike = {name: value for name, value in block.head.items() if name not in OF_ONE_BLOCK}
        group = found.setdefault(json.dumps(alike), {**alike, "seeds": [], "games": 0, "positions": 0})
        group["games"] += int(block.head.get("games", 0))
        group["positions"] += block.positions
        if (seed := block.head.get("seed")) not in group["seeds"]:
            group["seeds"].append(seed)
    return list(found.values())
