"""Solving: find the exact value with null windows, halving the range of possible values."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from zerosum.game import WIN, Game
from zerosum.search.limits import MAX_PLY
from zerosum.search.memory import FOREVER, NO_BOUND
from zerosum.search.options import SearchOptions
from zerosum.search.result import Report, Result, make_result
from zerosum.search.selective import first, predict_value
from zerosum.search.team import Team
from zerosum.search.values import bound_values
from zerosum.search.worker import Iteration, Worker

SOON = (6, 12, 20)
"""Search for wins and losses within this many plies first."""

STEP = 4
"""How far from a wrong guess the next question is; after that the steps double."""

SHORT = 20
"""With at most this many plies left on the clock, all lines can be followed to its end, so unproven entries are no
help."""


def solve_by_bisection(
    worker: Worker | Team,
    s: Any,
    moves: list[int],
    selective: SearchOptions | None = None,
    on_report: Report = lambda result: None,
) -> Result:
    """The proven value of ``s`` with its line; not ``proven`` if it was stopped or depends on repetitions.

    With ``selective``, the options of a search with ProbCut, guesses come first: see ``predict_value``.
    """
    game = worker.game
    started = time.perf_counter()
    low, high = (-NO_BOUND, NO_BOUND) if game.scored else (1 - WIN, WIN - 1)
    if game.has("bounds"):
        lowest, highest = bound_values(game.scored)
        certain = game.bounds(s)
        low, high = max(low, lowest(int(certain[0]), 0)), min(high, highest(int(certain[1]), 0))
    if not game.has("clock"):
        guess = None
        if selective is not None and low < high:
            proof = worker.options

            def tell(confidence: int, value: int, move: int) -> None:
                seconds = time.perf_counter() - started
                result = make_result(game, value, (move,), worker.left or 0, worker.nodes, seconds)
                on_report(replace(result, confidence=confidence))

            guess, moves = predict_value(worker, moves, selective, tell)
            worker.use(proof, proofs=True)
        found, _, _ = _bisect(worker, moves, low, high, guess)
    else:
        found = _with_clock(worker, moves, low, high, game.clock(s))
        found = replace(found, line=_until_over(game, s, found.line))
    seconds = time.perf_counter() - started
    line, certainty = found.line, {"proven": found.proven, "exact": found.exact}
    return make_result(game, found.value, line, len(line), worker.nodes, seconds, **certainty)


def _with_clock(worker: Worker | Team, moves: list[int], low: int, high: int, left: int) -> Iteration:
    """The value with this many plies left.

    The clock is ignored at first, so that positions that differ only in it count as one. It only moves values towards
    a draw: a draw without it is a draw with it, and a win that comes in time is the same win. The clock is counted only
    if a win would come too late, or nothing is proven. Without a clock lines end by repetition; no proof can depend
    on one, so the first repetition is enough. A game without a repetition rule needs its clock from the start.
    """
    options = worker.options
    if worker.game.repetition:
        worker.use(replace(options, early_repetition=True))
        worker.add_time(FOREVER)
        found, least, most = _bisect(worker, moves, low, high)
        worker.add_time(0)
        in_time = found.value == 0 or WIN - abs(found.value) <= left
        if found.stopped or (found.proven and in_time):
            return found if in_time else replace(found, value=0)
        if found.proven:
            low, high = min(least, 0), max(most, 0)
    worker.use(options, proofs=not worker.game.repetition or left <= SHORT)
    return _bisect(worker, moves, low, high)[0]


def _until_over(game: Game, s: Any, line: tuple[int, ...]) -> tuple[int, ...]:
    """A line found without the clock, cut where the clock ends the game."""
    for ply, move in enumerate(line):
        if game.is_over(s):
            return line[:ply]
        s = game.play(s, move)
    return line


def _bisect(
    worker: Worker | Team, moves: list[int], low: int, high: int, guess: int | None = None
) -> tuple[Iteration, int, int]:
    """The value between ``low`` and ``high``, and the final bounds.

    Every search asks one question, "more than m?", with the null window (m, m + 1): the answer is a bound on
    one side, and often a better one than needed (fail-soft). In games without margins the first questions are about
    quick wins and losses, because mate distance keeps these searches short; then who wins at all; then the
    exact distance. In scored games the first questions may be about a guess. The table keeps the results
    from one question to the next.
    """
    questions = Questions(worker.game)
    if guess is not None:
        questions.guess, questions.step = guess, 1
    elif low < high and worker.game.scored and worker.game.has("evaluate") and worker.options.guess_nodes > 1:
        questions.guess, moves = _guess(worker, moves)
    while low < high:
        middle = questions.next(low, high)
        found = worker.run(moves, MAX_PLY, middle, middle + 1)
        if found.stopped:
            return replace(found, line=tuple(moves[:1]), value=0), low, high
        if found.value > middle:
            low = max(low, int(found.value))
        else:
            high = min(high, int(found.value))
        # If all moves fail, the one that fails least is no better than the move that was good enough before.
        if (found.value > middle) == worker.maximising:
            moves = first(moves, found.place)
    # The value is known. A last search with an open window around it, mostly from the table, finds the line.
    best = worker.run(moves, MAX_PLY, low - 1, low + 1)
    if best.stopped:
        best = replace(best, line=tuple(moves[:1]))
    # A value that depends on unproven answers may turn out different when its line is followed.
    agrees = best.value == low
    return replace(best, value=low, proven=best.proven and agrees, exact=best.exact and agrees), low, high


def _guess(worker: Worker | Team, moves: list[int]) -> tuple[int | None, list[int]]:
    """The value that iterative deepening finds, and the moves with the best one first.

    It also leaves moves to try first in the table. How deep it goes, and so what it finds, depends only on the number
    of positions, not on the time.
    """
    value = None
    for depth in range(1, MAX_PLY):
        found = worker.run(moves, depth)
        if found.stopped:
            break
        value, moves = int(found.value), first(moves, found.place)
        if worker.nodes >= worker.options.guess_nodes or found.exact:
            break
    return value, moves


class Questions:
    """The numbers m of the questions "more than m?", one after another."""

    def __init__(self, game: Game) -> None:
        self.soon = [] if game.scored else [WIN - plies for plies in SOON]
        self.guess: int | None = None  # a guess at the value
        self.before: tuple[int, int] | None = None  # the bounds at the first question
        self.step = STEP

    def next(self, low: int, high: int) -> int:
        """The next m to ask about, ``low <= m < high``."""
        if self.guess is None:
            return _question(low, high, self.soon)
        if self.before is None:
            self.before = low, high
            return min(max(self.guess - 1, low), high - 1)
        if low > self.before[0] and high < self.before[1]:
            return (low + high) >> 1
        # Move away from the guess, in growing steps, until the value is between two answers.
        middle = low + self.step - 1 if low > self.before[0] else high - self.step
        self.step *= 2
        return min(max(middle, low), high - 1)


def _question(low: int, high: int, soon: list[int]) -> int:
    """The next m to ask about, ``low <= m < high``; removes from ``soon`` what is decided or asked."""
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
