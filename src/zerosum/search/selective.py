"""Solving with an evaluation: a value that is surer and surer, before anything is proven.

Deepening with ProbCut finds a guess. Then come searches to the end of the game in which ProbCut leaves out less and
less, at 73 % confidence, at 87 % and so on; each asks about what the last one found. They take little of the time, and
leave two things for the proof: a value that it only has to confirm, and in the table a good move for every position
that matters. Nothing else of theirs counts in the proof: it takes from the table only what is proven.
"""

from __future__ import annotations

from collections.abc import Callable

from zerosum.search.memory import MAX_PLY, NO_BOUND
from zerosum.search.options import SearchOptions
from zerosum.search.probcut import CONFIDENCES
from zerosum.search.team import Team
from zerosum.search.worker import Worker

LEAST_LEFT = 12
"""With fewer moves left the proof takes less time than a guess."""

STAGE, APART = 300, 100
"""The depth of the first stage, beyond the end of any game that is solved, and how much deeper the next ones are. What
an earlier stage left in the table is not deep enough for a later one, wherever in the line it comes up."""

assert STAGE + APART * len(CONFIDENCES) <= MAX_PLY

OnStage = Callable[[int, int, int], None]
"""Told after each stage: the confidence in percent, the value, and the best move."""


def foretold(
    worker: Worker | Team, moves: list[int], options: SearchOptions, on_stage: OnStage
) -> tuple[int | None, list[int]]:
    """What stages of rising confidence make of the value, and the moves with the best one first.

    ``options`` are those of the proof, with ProbCut on. None where it was stopped, or is not worth while.
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
            # What the window is answered by is next to the guess, or beyond the answer before.
            middle = min(max(value - 1, low), high - 1) if low == -NO_BOUND else low
            found = worker.run(moves, STAGE + APART * number, middle, middle + 1)
            if found.stopped:
                return value, moves
            if found.value > middle:
                low = value = int(found.value)
            else:
                high = value = int(found.value)
            if (found.value > middle) == worker.maximising:  # else all moves have failed
                moves = first(moves, found.place)
        on_stage(confidence, value or 0, moves[0])
    return value, moves


def stages(left: int) -> tuple[int, ...]:
    """The confidences to go through with ``left`` moves to come: the longer the proof, the more.

    Measured in Othello, where shorter proofs take no longer after the guess alone.
    """
    if left < 21:
        return ()
    return CONFIDENCES[:3:2] if left < 24 else CONFIDENCES


def first(moves: list[int], place: int) -> list[int]:
    """These moves with the one at ``place`` first."""
    return [moves[place], *moves[:place], *moves[place + 1 :]]
