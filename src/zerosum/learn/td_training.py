"""A run of learning by self-play: threads, a learning rate that falls, matches on the way, and files to go on from.

All threads change the same weights, without locks: two of them rarely touch the same number, and when they do little is
lost (F. Niu and others, Hogwild, 2011). With one thread equal seeds give equal weights, also when the run
is broken off and taken up again.

What is kept is not the weights as the last game left them, but their mean over the latest games: they never come to
rest, and their mean is better than any of them (B. Polyak and A. Juditsky, Acceleration of stochastic approximation
by averaging, 1992).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import GameError, LimitError
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Memory
from zerosum.jit.rules import STOP
from zerosum.jit.words import float_word, word_float
from zerosum.learn.learner import FIRST_SQUARE
from zerosum.learn.rows import Rows
from zerosum.learn.td import DICE, DONE, GAMES, POSITIONS, RATE, SURPRISE, td_kernel
from zerosum.learn.training import Progress, Report, TdOptions, Training

__all__ = ["TdOptions", "TdTraining"]

PIECE = 100
"""Games that a thread plays before it looks at the learning rate and tells how far it is."""

LATELY = 0.2
"""The mean of the weights is over this share of the games so far."""


class TdTraining(Training):
    """A run by temporal differences.

    >>> from zerosum.games import load
    >>> training = TdTraining(load("connect-four", width=4, height=4, k=3), TdOptions(games=200, hidden=0, explore=0.1))
    >>> training.advance(200)
    >>> training.games, bool(training.network().weights.any())
    (200, True)
    """

    step = 10 * PIECE

    def _prepare(self, threads: int) -> None:
        if self.gpu:
            raise LimitError("a GPU is for the fits of look-ahead: TD(λ) learns move by move")
        self._moving = self.weights.copy()
        self._squares = np.full_like(self.weights, FIRST_SQUARE)
        self._kernel = td_kernel(self.shape).of(self.game, self.jit)
        self._players = [self._player(self._moving, self._squares) for _ in range(threads)]
        for number, (memory, _) in enumerate(self._players):
            memory.row[DICE] = mix(self.options.seed, number + 1)

    def _state(self) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
        return {"dice": [int(memory.row[DICE]) for memory, _ in self._players]}, np.stack([self._moving, self._squares])

    def _restore(self, progress: Mapping[str, Any], learner: npt.NDArray[np.float32]) -> None:
        self._moving[:], self._squares[:] = learner
        for (memory, _), word in zip(self._players, progress["dice"], strict=False):
            memory.row[DICE] = int(word)

    def advance(self, games: int, on_progress: Report | None = None) -> None:
        target = self.games + games
        taken = self.games

        def piece() -> int:
            """How many games to play next: up to a multiple of ``PIECE``, so that a run in parts is the same run."""
            nonlocal taken
            with self._lock:
                found = min(PIECE - taken % PIECE, target - taken)
                taken += found
                return found

        def learn(memory: Memory, rows: Rows, report: Report | None) -> None:
            row = memory.row
            while not row[STOP]:
                count = piece()
                if count <= 0:
                    return
                row[GAMES], row[DONE], row[POSITIONS], row[RATE] = count, 0, 0, float_word(self.rate)
                self._kernel(memory)
                memory.raise_error()
                if row[STOP]:
                    return
                with self._lock:
                    self.games += count
                    self.weights += np.float32(min(count / (LATELY * self.games), 1.0)) * (self._moving - self.weights)
                    self.positions += int(row[POSITIONS])
                    if row[POSITIONS]:
                        self.missed = word_float(row[SURPRISE]) / int(row[POSITIONS])
                if not row[DONE]:
                    raise GameError(
                        f"{self.game.name}: {count} games of the network against itself did not come to an end;"
                        " if some do, a lower rate may help"
                    )
                if report is not None:
                    report(Progress(self.games, self.positions, self.missed))

        self._on_all(learn, on_progress)
