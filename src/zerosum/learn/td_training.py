"""A TD(λ) training run.

All threads change the same weights, without locks: two threads rarely touch the same number, and when they do, little
is lost (F. Niu and others, Hogwild, 2011). With one thread, equal seeds give equal weights, even if the run is
interrupted and resumed.

The run keeps not the weights after the last game but their mean over the latest games: the weights never settle, and
their mean is better than any of them (B. Polyak and A. Juditsky, Acceleration of stochastic approximation by averaging,
1992).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import GameError, LimitError
from zerosum.jit.bits import mix
from zerosum.jit.words import float_word, word_float
from zerosum.learn.learner import FIRST_SQUARE
from zerosum.learn.td import td_kernel
from zerosum.learn.training import Report, TdOptions, Training, TrainingProgress
from zerosum.running.crew import Member

__all__ = ["TdOptions", "TdTraining"]

PIECE = 100
"""Games that a thread plays before it updates the learning rate and reports progress."""

LATELY = 0.2
"""The weights are averaged over about this share of the games so far."""


class TdTraining(Training):
    """A training run by temporal differences.

    >>> from zerosum.games import load
    >>> training = TdTraining(load("connect-four", width=4, height=4, k=3), TdOptions(games=200, hidden=0, explore=0.1))
    >>> training.advance(200)
    >>> training.games, bool(training.network().weights.any())
    (200, True)
    """

    step = 10 * PIECE

    def _prepare(self, threads: int) -> None:
        if self.gpu:
            raise LimitError("a GPU can be used only with --look-ahead: TD(λ) learns move by move")
        self._moving = self.weights.copy()
        self._squares = np.full_like(self.weights, FIRST_SQUARE)
        self._crew(td_kernel(self.shape), threads, self._moving, self._squares)
        for number, member in enumerate(self.crew):
            member.dice = mix(self.options.seed, number + 1)

    def _state(self) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
        return {"dice": [member.dice for member in self.crew]}, np.stack([self._moving, self._squares])

    def _restore(self, progress: Mapping[str, Any], learner: npt.NDArray[np.float32]) -> None:
        self._moving[:], self._squares[:] = learner
        for member, word in zip(self.crew, progress["dice"], strict=False):
            member.dice = int(word)

    def advance(self, games: int, on_progress: Report | None = None) -> None:
        target = self.games + games
        taken = self.games

        def piece() -> int:
            """Take the next games: up to a multiple of ``PIECE``, so that interrupting a run does not change it."""
            nonlocal taken
            with self._lock:
                found = min(PIECE - taken % PIECE, target - taken)
                taken += found
                return found

        def learn(member: Member, report: Report | None) -> None:
            while not member.stopped:
                count = piece()
                if count <= 0:
                    return
                member.games, member.done, member.positions, member.rate = count, 0, 0, float_word(self.rate)
                member.run()
                if member.stopped:
                    return
                with self._lock:
                    self.games += count
                    self.weights += np.float32(min(count / (LATELY * self.games), 1.0)) * (self._moving - self.weights)
                    self.positions += member.positions
                    if member.positions:
                        self.missed = word_float(member.surprise) / member.positions
                if not member.done:
                    raise GameError(
                        f"{self.game.name}: none of {count} games of the network against itself finished;"
                        " if earlier ones did, try a lower rate"
                    )
                if report is not None:
                    report(TrainingProgress(self.games, self.positions, self.missed))

        self._on_all(learn, on_progress)
