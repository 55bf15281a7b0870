"""Exact values of graphs, by methods that share nothing with the search: no windows, no table, no recursion.

Values are for MAX and counted from the position itself. The functions run in plain Python, or compiled with Numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.game import MAX, WIN

BEYOND = 1 << 30
"""More than any value: stands for what is unknown in games that may never end."""


def outcome_rows(utilities: Any, scored: bool) -> Any:
    """Return the values of finished positions."""
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
    """Return values by position and clock of a game without repetition.

    They are computed for k plies of play, with k growing until nothing changes. A game that is not over after k plies
    counts as ``start``: 0 if endless play is a draw; in scored games, less than every value to find what MAX can force,
    and more than every value to find what MIN can force.
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
    """Return values by past, position and clock of a game drawn when a position occurs for the ``times``-th time.

    The past is a number in base ``times``: its digits say how often each position has occurred, at most times - 1.
    Every move increases it, so in descending order the values of all successors are known.
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
                continue  # impossible: the current position has occurred
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
