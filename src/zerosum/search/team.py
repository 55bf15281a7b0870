"""Workers that answer one question after the other together, through the table that they share.

A question is a search of the root within a window. All search it at the same time; the first answer counts, and the
others break off, so that nobody goes on with a question that is settled: with another window the same positions would
get other bounds, and the workers would drive out each other's. Below the root they keep out of each other's way (step
13b of ``alphabeta``). At the root the helpers take the moves from the other end, all but the first: where none of them
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
    """What is asked: its number in the row of questions, how to search, and the arguments of ``Worker.run``."""

    number: int
    options: SearchOptions
    proofs: bool
    extra_time: int
    moves: tuple[int, ...]
    depth: int
    alpha: float
    beta: float


class Team:
    """A worker with helpers, used as a single one is; ``help`` is what each helper does meanwhile."""

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
        """As ``Worker.run``: the first answer that any of them finds."""
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
        """Search whatever is asked, until all is over."""
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
        """Wait for the question after the one with this number; None when all is over."""

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
    """Take back a stop that came from the team, not one of the caller's."""
    worker.row[STOP] = 0
    if worker.row[HALT]:  # asked afterwards: one that comes meanwhile must not be lost
        worker.row[STOP] = 1
