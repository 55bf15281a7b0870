"""A move that is certainly good enough: one question with one window, where a solution would ask many."""

from __future__ import annotations

from dataclasses import replace

from zerosum.game import WIN
from zerosum.search.algorithm import Question
from zerosum.search.memory import FOREVER, MAX_PLY
from zerosum.search.worker import Iteration, Worker


def keeping_move(worker: Worker, question: Question, moves: list[int]) -> int | None:
    """One of ``moves``, of the position that the worker has begun, as the question wants it; None if none is proven.

    A clock is left out at first, as in solving: a win that comes in time is the same win.
    """
    game = worker.game
    wins = not game.scored and question.least > 0
    if not (wins and game.repetition and game.has("clock")):
        return _proven(worker, question, _ask(worker, question, moves))
    options, left = worker.options, game.clock(question.s)
    worker.use(replace(options, early_repetition=True))
    worker.add_time(FOREVER)
    found = _ask(worker, question, moves)
    worker.use(options)
    worker.add_time(0)
    if found.stopped or WIN - abs(found.value) <= left:
        return _proven(worker, question, found)
    return _proven(worker, question, _ask(worker, question, moves))


def _ask(worker: Worker, question: Question, moves: list[int]) -> Iteration:
    """Search with an empty window, or for the nearest win with one that is open above."""
    low, high = question.least - 1, WIN if question.nearest else question.least
    return worker.run(moves, MAX_PLY, *((low, high) if worker.maximising else (-high, -low)))


def _proven(worker: Worker, question: Question, found: Iteration) -> int | None:
    value = found.value if worker.maximising else -found.value
    return found.line[0] if found.proven and value >= question.least else None
