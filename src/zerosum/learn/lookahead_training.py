"""Learning from look-ahead, in rounds: play games with the current network, then fit it to the look-ahead values of
their positions.

A round's positions are kept for later rounds until there are too many. Older values come from a weaker network, but a
network that sees few positions overfits. Only the choice of games is random, and equal seeds give equal games on any
number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import GameError
from zerosum.jit.bits import mix
from zerosum.jit.target import target_of
from zerosum.learn.arrays import arrays, in_memory
from zerosum.learn.descent import Descent
from zerosum.learn.learner import NOTE
from zerosum.learn.lookahead import lookahead_kernel
from zerosum.learn.lookahead_games import Found, LookaheadGames
from zerosum.learn.positions import Positions
from zerosum.learn.td import AHEAD, RECORDED, VALUES
from zerosum.learn.training import Report, TdOptions, Training, TrainingProgress
from zerosum.running.crew import Member

__all__ = ["LookaheadTraining", "TdOptions"]

PASSES = 2
"""How often the network sees each kept position in a round."""

OFTEN = 20
"""Progress is reported after this many games."""

Floats = npt.NDArray[np.float32]
Learned = tuple[Floats, Floats, npt.NDArray[np.int64]]
"""Features of positions, their values, and the network that evaluates each."""


class LookaheadTraining(Training):
    """A training run. ``advance`` may stop, and fit, in the middle of a round. With a GPU, both play and fit use it.

    >>> from zerosum.games import load
    >>> options = TdOptions(games=20, hidden=2, explore=0.1, look_ahead=True)
    >>> training = LookaheadTraining(load("connect-four", width=4, height=4, k=3), options, jit=False)
    >>> training.advance(20)
    >>> training.games, training.positions == training.kept.count
    (20, True)
    """

    def _prepare(self, threads: int) -> None:
        self.step = self.options.round_games
        on = arrays(self.gpu)
        self.kept = Positions(self.shape.inputs, self.shape.outputs, self.options.window, on)
        rows = [on.asarray(weights) for weights in self.weights]
        self._fits = [Descent(self.shape, row, on.zeros_like(row), on.zeros_like(row)) for row in rows]
        if self.gpu:
            self.in_waves = LookaheadGames(
                self.game,
                self.shape,
                target_of(self.jit, "gpu"),
                seed=self.options.seed,
                trace=self.options.trace,
                explore=self.options.explore,
                most=self.step,
            )
        else:
            self._crew(lookahead_kernel(self.shape), threads, self.weights)

    def _state(self) -> tuple[dict[str, Any], Floats]:
        means = ([in_memory(fit.slopes) for fit in self._fits], [in_memory(fit.squares) for fit in self._fits])
        return {"steps": [fit.steps for fit in self._fits]}, np.array(means)

    def _restore(self, progress: Mapping[str, Any], learner: Floats) -> None:
        """Restore the fits. The file does not store positions of earlier rounds, so the run continues without them."""
        for fit, steps, slopes, squares in zip(self._fits, progress["steps"], *learner, strict=True):
            fit.steps = int(steps)
            fit.slopes[:], fit.squares[:] = self.kept.on.asarray(slopes), self.kept.on.asarray(squares)

    def advance(self, games: int, on_progress: Report | None = None) -> None:
        target = self.games + games
        while self.games < target:
            last = min(self.games - self.games % self.step + self.step, target)
            play = self._play_in_waves if self.gpu else self._play
            features, values, nets = play(last, on_progress)
            if not len(nets):
                raise GameError(
                    f"{self.game.name}: none of {last - self.games} games of the network against itself finished"
                )
            self.missed = self._missed(features, values, nets)
            self.kept.add(features, values, nets)
            self.positions += len(nets)
            self._fit(last)
            self.games = last

    def _play(self, last: int, on_progress: Report | None) -> Learned:
        """Return the positions of the games up to number ``last``, in the order of the games."""
        played: dict[int, Learned] = {}
        taken, positions = self.games, 0

        def play(member: Member, report: Report | None) -> None:
            nonlocal taken, positions
            while True:
                with self._lock:
                    number, taken = taken, taken + 1
                if number >= last or member.stopped:
                    return
                member.dice = mix(self.options.seed, number + 1)
                member.run()
                if member.stopped:
                    return
                played[number] = self._positions(member)
                positions += len(played[number][2])
                if report is not None and len(played) % OFTEN < len(self.crew):
                    report(TrainingProgress(self.games + len(played), self.positions + positions, self.missed))

        self._on_all(play, on_progress)
        features, values, nets = zip(*(played[number] for number in sorted(played)), strict=True)
        return np.concatenate(features), np.concatenate(values), np.concatenate(nets)

    def _play_in_waves(self, last: int, on_progress: Report | None) -> Learned:
        """Do the same as ``_play`` on a GPU."""

        def work(report: Report) -> Found:
            def tell(games: int, positions: int) -> None:
                report(TrainingProgress(self.games + games, self.positions + positions, self.missed))

            return self.in_waves.play(self.weights, self.games, last, tell)

        return self._learned(*self.in_waves.crew.run(work, on_report=on_progress))

    def _positions(self, member: Member) -> Learned:
        """Return the positions of the game just played."""
        shape, count, rows = self.shape, member.positions, self.rows[id(member)]
        features = rows.kept[RECORDED][: count * shape.padded].reshape(count, shape.padded)[:, : shape.inputs].copy()
        values = rows.kept[VALUES][AHEAD : AHEAD + count * NOTE].reshape(count, NOTE)[:, : shape.outputs]
        return self._learned(features, values, np.array(member.region("kinds", count), np.int64))

    def _learned(self, features: Floats, values: Floats, kinds: npt.NDArray[np.int64]) -> Learned:
        """Convert values for MAX to what a network learns: values for the player whose view the features take."""
        shape = self.shape
        values = np.clip(values, 0, 1)  # sums of differences may leave the range of a probability
        turned = kinds & 1 == 1  # the values are MAX's
        win, won_more, lost_more = np.split(values[turned], [1, shape.levels], axis=1)
        values[turned] = np.concatenate([1 - win, lost_more, won_more], axis=1)
        return features, values, kinds >> 1

    def _missed(self, features: Floats, values: Floats, nets: npt.NDArray[np.int64]) -> float:
        """Return the mean squared error, summed over the outputs, on positions not yet learned from."""
        total = 0.0
        for net, fit in enumerate(self._fits):
            of = nets == net
            found = in_memory(fit.chances(self.kept.on.asarray(features[of])))
            total += float(np.sum((found - values[of]) ** 2))
        return total / len(nets)

    def _fit(self, games: int) -> None:
        """Learn from the kept positions, in an order determined by the seed and the number of games."""
        for net, fit in enumerate(self._fits):
            chance = np.random.default_rng((self.options.seed, games, net))
            for _ in range(PASSES):
                for features, values in self.kept.batches(net, self.options.batch, chance):
                    fit.step(features, values, self.rate)
            self.weights[net] = in_memory(fit.weights)
