"""The exact values of graphs, by methods that share nothing with the search: no windows, no table, no recursion.

Values are for MAX and counted from the position itself. Compiled with Numba where that is wanted; the same functions
run in plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.game import MAX, WIN

BEYOND = 1 << 30
"""More than any value: what is not known of games that may go on for ever."""


def outcome_rows(utilities: Any, scored: bool) -> Any:
    """What a finished position is worth."""
    return utilities.copy() if scored else np.sign(utilities) * WIN


def without_past(
    successors: Any,
    counts: Any,
    turns: Any,
    ends: Any,
    outcomes: Any,
    resets: Any,
    clocks: int,
    clocked: bool,
    scored: bool,
    start: int,
) -> Any:
    """Values by position and clock of a game without repetition: of k plies, for growing k until nothing changes.

    What is not over after k plies counts as ``start``: 0 where endless play is a draw; where margins count, less than
    everything for what MAX can force, and more than everything for what MIN can.
    """
    size = len(turns)
    values = np.full((size, clocks + 1), start, np.int64)
    for node in range(size):
        if ends[node]:
            values[node, :] = outcomes[node]
        elif clocked:
            values[node, 0] = 0
    changed = True
    while changed:
        changed = False
        before = values.copy()
        for node in range(size):
            if ends[node]:
                continue
            for clock in range(1 if clocked else 0, clocks + 1):
                best = 0
                for move in range(counts[node]):
                    reset = resets[node, move]
                    left = (clock - 1 if reset < 0 else reset) if clocked else 0
                    found = before[successors[node, move], left]
                    if abs(found) < BEYOND and not scored and found != 0:
                        found = found - 1 if found > 0 else found + 1
                    if move == 0 or (found > best if turns[node] == MAX else found < best):
                        best = found
                if best != values[node, clock]:
                    values[node, clock] = best
                    changed = True
    return values


def with_past(
    successors: Any,
    counts: Any,
    turns: Any,
    ends: Any,
    outcomes: Any,
    resets: Any,
    clocks: int,
    clocked: bool,
    scored: bool,
    times: int,
) -> Any:
    """Values by past, position and clock of a game that is drawn when a position occurs for the ``times``-th time.

    The past is a number with base ``times``: its digits say how often each position has occurred, at most times - 1.
    Every move makes it larger, so from the largest number down all that follows is known.
    """
    size = len(turns)
    pasts = times**size
    values = np.zeros((pasts, size, clocks + 1), np.int64)
    for past in range(pasts - 1, -1, -1):
        for node in range(size):
            if ends[node]:
                values[past, node, :] = outcomes[node]
                continue
            if past // times**node % times == 0:
                continue  # where we are has occurred
            for clock in range(1 if clocked else 0, clocks + 1):
                best = 0
                for move in range(counts[node]):
                    to = successors[node, move]
                    reset = resets[node, move]
                    left = (clock - 1 if reset < 0 else reset) if clocked else 0
                    found = 0
                    if ends[to]:
                        found = outcomes[to]
                    elif past // times**to % times < times - 1:
                        found = values[past + times**to, to, left]
                    if not scored and found != 0:
                        found = found - 1 if found > 0 else found + 1
                    if move == 0 or (found > best if turns[node] == MAX else found < best):
                        best = found
                values[past, node, clock] = best
    return values
