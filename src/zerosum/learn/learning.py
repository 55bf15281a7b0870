"""A learning run by its plan: started or resumed, measured at intervals, and saved to a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from zerosum.game import Game
from zerosum.learn.duel import Duel, Score
from zerosum.learn.plans import LearningPlan
from zerosum.learn.training import Report, Training, kind_of, resume
from zerosum.networks.network import Network

POINTS = 20
"""The number of evenly spaced points of a learning curve; EARLY adds a few more at the start."""

EARLY = (100, 1_000, 10_000)
"""Extra points early in a long run, when most is learned."""

SAVE_SECONDS = 20.0
"""Seconds between saves of the network."""

OPENING = 4
"""Random plies at the start of each match game, in games without dice to make games differ."""


class LearningRun:
    """A learning run. What it saves is always the state after a complete slice.

    So a run that is interrupted and resumed gives the same result as one that was never stopped.
    """

    def __init__(self, game: Game, plan: LearningPlan, made: Mapping[str, Any], jit: bool = True) -> None:
        """Start or resume; ``made`` is recorded in the network's file as how it was made."""
        self.plan = plan
        self.training = _resumed(game, plan) if plan.resume else _begun(game, plan, made, jit)
        self.opponent = plan.opponent or ("evaluate" if game.has("evaluate") else "random")
        self.is_finished = self.training.games >= self.training.options.games
        self._duel: Duel | None = None
        if plan.matches and not self.is_finished:
            self._duel = Duel(game, self.training.shape, self.opponent, 0 if game.has("chances") else OPENING, jit)
        self._latest = self.training.network()
        self._saved = monotonic()

    def to_the_end(self, on_progress: Report) -> Iterator[Score | None]:
        """Learn from mark to mark; at each, yield the score of the match played there, or None without matches."""
        training = self.training
        for mark in marks(training.options.games, training.step if training.options.look_ahead else 1):
            if mark <= training.games:
                continue
            while training.games < mark:
                training.advance(
                    min(training.step - training.games % training.step, mark - training.games), on_progress
                )
                self._keep()
            score = self._measured()
            self._keep(at_once=True)
            yield score

    def leave(self) -> int:
        """Save an interrupted run; return the number of games that the saved state has learned from."""
        games = int(self._latest.progress["games"])
        if games:
            self._write()
        return games

    def _measured(self) -> Score | None:
        if self._duel is None:
            return None
        training, plan = self.training, self.plan
        score = self._duel.play(training.weights, plan.matches, seed=training.games, threads=plan.threads)
        training.note(score)
        return score

    def _keep(self, at_once: bool = False) -> None:
        self._latest = self.training.network()
        if at_once or monotonic() - self._saved > SAVE_SECONDS:
            self._write()

    def _write(self) -> None:
        if self.plan.out:
            self._latest.write(Path(self.plan.out))
            self._saved = monotonic()


def _resumed(game: Game, plan: LearningPlan) -> Training:
    return resume(game, Network.read(Path(plan.out), game), threads=plan.threads, gpu=plan.gpu)


def _begun(game: Game, plan: LearningPlan, made: Mapping[str, Any], jit: bool) -> Training:
    options, start = plan.options, None
    made = {**made, "seed": options.seed, "threads": plan.threads}
    if plan.start:
        start = Network.read(Path(plan.start), game)
        options = replace(options, hidden=start.shape.hidden)
        made["began with"] = dict(start.made)
    kind = kind_of(options.look_ahead)
    return kind(game, options, start=start, threads=plan.threads, gpu=plan.gpu, made=made, jit=jit)


def marks(games: int, whole: int = 1) -> list[int]:
    """Return the numbers of games after which to measure and save: multiples of ``whole``, and the last game.

    >>> marks(50)
    [50]
    >>> marks(2000)[:4], marks(2000)[-1]
    ([100, 200, 300, 400], 2000)
    >>> marks(10_000, whole=4000)
    [4000, 8000, 10000]
    """
    step = max(games // POINTS, 100)
    wanted = (*EARLY, *range(step, games, step))
    return sorted({games, *(mark for mark in (-(-place // whole) * whole for place in wanted) if mark < games)})
