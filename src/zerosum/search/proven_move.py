"""Find a move that is certainly good enough: one search with one window, where solving would need many."""

from __future__ import annotations

from dataclasses import replace

from zerosum.game import WIN
from zerosum.search.algorithm import Question
from zerosum.search.limits import MAX_PLY
from zerosum.search.memory import FOREVER
from zerosum.search.worker import Iteration, Worker


def find_proven_move(worker: Worker, question: Question, moves: list[int]) -> int | None:
    """The one of ``moves``, in the worker's position, that answers the question; None if none is proven.

    The clock is ignored at first, as in solving: a win that comes in time is the same win.
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
    """Search with a null window, or with one that is open above to find the nearest win."""
    low, high = question.least - 1, WIN if question.nearest else question.least
    return worker.run(moves, MAX_PLY, *((low, high) if worker.maximising else (-high, -low)))


def _proven(worker: Worker, question: Question, found: Iteration) -> int | None:
    value = found.value if worker.maximising else -found.value
    return found.line[0] if found.proven and value >= question.least else None
