"""Solving: the exact value by empty windows, halving the range of values that are still possible."""

from __future__ import annotations

import time
from typing import Any

from zerosum.game import WIN
from zerosum.search.deepening import make_result
from zerosum.search.memory import MAX_PLY, NO_BOUND
from zerosum.search.result import Result
from zerosum.search.values import bound_values
from zerosum.search.worker import Worker

SOON = (6, 12, 20)
"""Wins and losses within so many plies are looked for before others."""


def solve_by_bisection(worker: Worker, s: Any, moves: list[int]) -> Result:
    """The proven value of ``s`` and a line that shows it; ``proven`` is False only if it was stopped.

    Every search asks one question, "more than m?", with the empty window (m, m + 1): the answer is a bound on
    one side, and often a better one than asked for (fail-soft). Where the nearest win counts, quick wins and
    losses are asked for first, because mate distance keeps such searches short; then who wins at all; then the
    exact distance. The table keeps all that was found from one question to the next.
    """
    game = worker.game
    started = time.perf_counter()
    low, high = (-NO_BOUND, NO_BOUND) if game.scored else (1 - WIN, WIN - 1)
    if game.has("bounds"):
        lowest, highest = bound_values(game.scored)
        certain = game.bounds(s)
        low, high = max(low, lowest(int(certain[0]), 0)), min(high, highest(int(certain[1]), 0))
    soon = [] if game.scored else [WIN - plies for plies in SOON]
    while low < high:
        middle = _question(low, high, soon)
        found = worker.run(moves, MAX_PLY, middle, middle + 1)
        if found.stopped:
            return _answer(worker, moves[:1], 0, started, proven=False)
        if found.value > middle:
            low = max(low, int(found.value))
        else:
            high = min(high, int(found.value))
        if found.done:
            moves = [moves[found.place], *moves[: found.place], *moves[found.place + 1 :]]
    # The value is known; a last search with an open window around it, almost all from the table, shows the line.
    best = worker.run(moves, MAX_PLY, low - 1, low + 1)
    if best.stopped:
        return _answer(worker, moves[:1], low, started, proven=False)
    return _answer(worker, best.line, low, started, proven=best.proven)


def _question(low: int, high: int, soon: list[int]) -> int:
    """The next m to ask about, ``low <= m < high``; takes from ``soon`` what is decided or asked."""
    if low <= 0 <= high:
        while soon:
            if soon[0] <= high:
                return soon[0] - 1
            if low <= -soon[0] < high:
                return -soon.pop(0)
            soon.pop(0)
        return 0 if high > 0 else -1
    if low == -NO_BOUND:
        return high - 1
    if high == NO_BOUND:
        return low
    return (low + high) >> 1


def _answer(worker: Worker, line: Any, value: int, started: float, proven: bool) -> Result:
    seconds = time.perf_counter() - started
    return make_result(worker.game, tuple(line), value, len(line), worker.nodes, seconds, proven)
