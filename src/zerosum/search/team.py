"""Workers that answer one question after another together, through a shared table.

A question is a search of the root within a window. All workers search it at the same time; the first answer counts, and
the others stop, so that no worker goes on with a settled question: with another window the same positions would
get other bounds, and the workers would overwrite each other's. Below the root they avoid each other's moves (step
13b of ``alphabeta``). At the root, helpers take the moves after the first in reverse order: if none of them
is good enough, each worker refutes half.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from zerosum.game import Game
from zerosum.jit.plan import HALT, STOP
from zerosum.search.memory import NO_BOUND
from zerosum.search.options import SearchOptions
from zerosum.search.worker import Iteration, Worker


class Question(NamedTuple):
    """A question: its number in the sequence, how to search, and the arguments of ``Worker.run``."""

    number: int
    options: SearchOptions
    proofs: bool
    extra_time: int
    moves: tuple[int, ...]
    depth: int
    alpha: float
    beta: float


class Team:
    """A worker with helpers, used like a single worker; each helper runs ``help`` meanwhile."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.first, *self.helpers = workers
        self.game: Game = self.first.game
        self._proofs, self._extra_time = False, 0
        self._turn = threading.Condition()
        self._question: Question | None = None
        self._answer: Iteration | None = None  # a helper's
        self._is_open = False  # whether the question has no answer yet
        self._is_over = False

    @property
    def options(self) -> SearchOptions:
        return self.first.options

    @property
    def left(self) -> int | None:
        return self.first.left

    @property
    def maximising(self) -> bool:
        return self.first.maximising

    @property
    def nodes(self) -> int:
        return self.first.nodes

    def use(self, options: SearchOptions, proofs: bool = False) -> None:
        self.first.use(options, proofs)
        self._proofs = proofs

    def add_time(self, plies: int) -> None:
        self.first.add_time(plies)
        self._extra_time = plies

    def run(self, moves: Sequence[int], depth: int, alpha: float = -NO_BOUND, beta: float = NO_BOUND) -> Iteration:
        """Like ``Worker.run``: the first answer that any worker finds."""
        if not self.helpers:
            return self.first.run(moves, depth, alpha, beta)
        with self._turn:
            number = 0 if self._question is None else self._question.number + 1
            settings = self.options, self._proofs, self._extra_time
            self._question = Question(number, *settings, tuple(moves), depth, alpha, beta)
            self._answer, self._is_open = None, True
            self._turn.notify_all()
        found = self.first.run(moves, depth, alpha, beta)
        with self._turn:
            self._is_open = False
            for helper in self.helpers:
                helper.row[STOP] = 1
            if self._answer is None:
                return found
            _go_on(self.first)
            place = list(moves).index(self._answer.line[0])
            return replace(self._answer, place=place)

    def help(self, helper: Worker) -> None:
        """Answer questions until the team is dismissed."""
        done = -1
        while (question := self._next_for(helper, done)) is not None:
            done = question.number
            helper.use(question.options, question.proofs)
            helper.add_time(question.extra_time)
            first, *others = question.moves
            found = helper.run([first, *others[::-1]], question.depth, question.alpha, question.beta)
            with self._turn:
                is_asked = self._is_open and self._question is question
                if is_asked and self._answer is None and not found.stopped and found.line:
                    self._answer = found
                    self.first.row[STOP] = 1

    def _next_for(self, helper: Worker, done: int) -> Question | None:
        """Wait for the question after the one with this number; None when the team is dismissed."""

        def is_there() -> bool:
            return self._is_open and self._question is not None and self._question.number > done

        with self._turn:
            self._turn.wait_for(lambda: self._is_over or is_there())
            if self._is_over:
                return None
            _go_on(helper)
            return self._question

    def dismiss(self) -> None:
        """Let the helpers go."""
        with self._turn:
            self._is_over = True
            for helper in self.helpers:
                helper.row[STOP] = 1
            self._turn.notify_all()


def _go_on(worker: Worker) -> None:
    """Clear a stop that came from the team, but not one from the caller."""
    worker.row[STOP] = 0
    if worker.row[HALT]:  # checked afterwards, so that a stop in the meantime is not lost
        worker.row[STOP] = 1
