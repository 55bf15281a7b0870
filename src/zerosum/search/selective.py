"""Solving with an evaluation: guesses of rising confidence before the proof.

Iterative deepening with ProbCut finds a guess. Then come searches to the end of the game in which ProbCut prunes less
and less, at 73 % confidence, at 87 % and so on; each tests the value that the last one found. They take little of the
time, and leave two things for the proof: a value that it only has to confirm, and in the table a good move for every
position that matters. Nothing else of theirs affects the proof, which uses only proven entries of the table.
"""

from __future__ import annotations

from collections.abc import Callable

from zerosum.search.limits import MAX_PLY
from zerosum.search.memory import NO_BOUND
from zerosum.search.options import SearchOptions
from zerosum.search.probcut import CONFIDENCES
from zerosum.search.team import Team
from zerosum.search.worker import Worker

LEAST_LEFT = 12
"""With fewer moves left than this, the proof takes less time than a guess."""

STAGE, APART = 300, 100
"""The depth of the first stage, beyond the end of any game that is solved, and how much deeper each next one is. So
table entries of an earlier stage are never deep enough for a later one, at any ply."""

assert STAGE + APART * len(CONFIDENCES) <= MAX_PLY

OnStage = Callable[[int, int, int], None]
"""Called after each stage with the confidence in percent, the value, and the best move."""


def predict_value(
    worker: Worker | Team, moves: list[int], options: SearchOptions, on_stage: OnStage
) -> tuple[int | None, list[int]]:
    """The value after stages of rising confidence, and the moves with the best one first.

    ``options`` are those of the proof, with ProbCut on. The value is None if the search was stopped, or not worthwhile.
    """
    left = worker.left or 0
    if left < LEAST_LEFT:
        return None, moves
    value: int | None = None
    worker.use(options.with_numbers(probcut_confidence=CONFIDENCES[0]))
    for depth in range(1, left // 2 + 1):
        found = worker.run(moves, depth)
        if found.stopped:
            return None, moves
        value, moves = int(found.value), first(moves, found.place)
        if found.exact:
            return value, moves
    for number, confidence in enumerate(stages(left)):
        worker.use(options.with_numbers(probcut_confidence=confidence))
        low, high = -NO_BOUND, NO_BOUND
        while low < high:
            assert value is not None
            # The null window is just below the guess at first, then just above the last lower bound.
            middle = min(max(value - 1, low), high - 1) if low == -NO_BOUND else low
            found = worker.run(moves, STAGE + APART * number, middle, middle + 1)
            if found.stopped:
                return value, moves
            if found.value > middle:
                low = value = int(found.value)
            else:
                high = value = int(found.value)
            if (found.value > middle) == worker.maximising:  # otherwise all moves have failed
                moves = first(moves, found.place)
        on_stage(confidence, value or 0, moves[0])
    return value, moves


def stages(left: int) -> tuple[int, ...]:
    """The confidences to step through with ``left`` moves left: the longer the proof, the more of them.

    Measured in Othello, where shorter proofs are just as fast with the guess alone.
    """
    if left < 21:
        return ()
    return CONFIDENCES[:3:2] if left < 24 else CONFIDENCES


def first(moves: list[int], place: int) -> list[int]:
    """These moves with the one at ``place`` first."""
    return [moves[place], *moves[:place], *moves[place + 1 :]]
