"""Solving: the exact value by empty windows, halving the range of values that are still possible."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from zerosum.game import WIN, Game
from zerosum.search.memory import FOREVER, MAX_PLY, NO_BOUND
from zerosum.search.options import SearchOptions
from zerosum.search.result import Report, Result, make_result
from zerosum.search.selective import first, foretold
from zerosum.search.team import Team
from zerosum.search.values import bound_values
from zerosum.search.worker import Iteration, Worker

SOON = (6, 12, 20)
"""Wins and losses within this many plies are looked for before others."""

STEP = 4
"""How far from a wrong guess the next question is; from there on the steps double."""

SHORT = 20
"""With this many plies left on the clock, all lines can be followed to its end: nothing unproven is of use."""


def solve_by_bisection(
    worker: Worker | Team,
    s: Any,
    moves: list[int],
    selective: SearchOptions | None = None,
    on_report: Report = lambda result: None,
) -> Result:
    """The proven value of ``s`` and a line that shows it; not ``proven`` if it was stopped or stands on repetitions.

    With ``selective``, the options of a search with ProbCut, guesses come first, which are reported: see ``foretold``.
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
                told = make_result(game, value, (move,), worker.left or 0, worker.nodes, seconds)
                on_report(replace(told, confidence=confidence))

            guess, moves = foretold(worker, moves, selective, tell)
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

    The clock is left out at first, because positions that differ in it alone are then one. It only moves values towards
    a draw: a draw without it is one with it, and a win that comes in time is the same win. Only where a win would come
    too late, or nothing is proven, is the clock counted. Without a clock lines end by repetition; no proof can stand
    on one, so the first will do. A game that knows no repetition needs its clock from the start.
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
    """A line that was found without the clock, as far as the clock lets it go."""
    for ply, move in enumerate(line):
        if game.is_over(s):
            return line[:ply]
        s = game.play(s, move)
    return line


def _bisect(
    worker: Worker | Team, moves: list[int], low: int, high: int, guess: int | None = None
) -> tuple[Iteration, int, int]:
    """The value between ``low`` and ``high``, and what is left of these two.

    Every search asks one question, "more than m?", with the empty window (m, m + 1): the answer is a bound on
    one side, and often a better one than asked for (fail-soft). Where the nearest win counts, quick wins and
    losses are asked for first, because mate distance keeps such searches short; then who wins at all; then the
    exact distance. Where margins count, the first questions may be about a guess. The table keeps all that was found
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
        # Where all moves fail, the one that fails least is no better than the one that was good enough before.
        if (found.value > middle) == worker.maximising:
            moves = first(moves, found.place)
    # The value is known; a last search with an open window around it, almost all from the table, shows the line.
    best = worker.run(moves, MAX_PLY, low - 1, low + 1)
    if best.stopped:
        best = replace(best, line=tuple(moves[:1]))
    # What unproven answers have led to may turn out otherwise now that its line is followed.
    agrees = best.value == low
    return replace(best, value=low, proven=best.proven and agrees, exact=best.exact and agrees), low, high


def _guess(worker: Worker | Team, moves: list[int]) -> tuple[int | None, list[int]]:
    """What deepening makes of the value, and the moves with the best one first.

    It also leaves moves to try first in the table. How deep it goes, and so what it finds, depends on the number of
    positions alone, not on the time.
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
    """The numbers m of the questions "more than m?", one after the other."""

    def __init__(self, game: Game) -> None:
        self.soon = [] if game.scored else [WIN - plies for plies in SOON]
        self.guess: int | None = None  # a guess at the value
        self.before: tuple[int, int] | None = None  # the bounds when the first question was asked
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
        # Away from the guess, in growing steps, until the value lies between two answers.
        middle = low + self.step - 1 if low > self.before[0] else high - self.step
        self.step *= 2
        return min(max(middle, low), high - 1)


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
