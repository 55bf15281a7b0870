"""The bear-off table: the exact distribution of the rolls that a player with all checkers at home needs.

There are 54,264 ways to place up to 15 checkers on 6 points. For each of them, and each roll, the table assumes the
play that leaves the fewest rolls on average; this gives the probability of needing 1, 2, 3 … rolls. When both players
are bearing off, neither can hinder the other, so two rows of the table give each player's chance of finishing first.
(The fewest rolls on average is nearly always best. A player who is far behind may do better with a play that is slower
on average; the table ignores this.)

>>> found = table()
>>> found.mean[rank((1, 0, 0, 0, 0, 0))].item(), found.mean[rank((0, 0, 0, 0, 0, 15))].round(3).item()
(1.0, 12.266)
>>> found.needed.shape
(54264, 32)
"""

from __future__ import annotations

import contextlib
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.errors import ZerosumError
from zerosum.files import written_whole
from zerosum.jit.store import folder

FORMAT = 1
POINTS, CHECKERS = 6, 15
POSITIONS = comb(CHECKERS + POINTS, POINTS)
MOST_ROLLS = 32  # more are never needed: each roll takes at least 3 pips, of at most 90
FIRST_ROLLS = 16  # after this many rolls a checker is off, except with negligible probability

# The number of positions with at most n checkers on k points, by k and n: used for ranking.
WAYS = np.array([[comb(n + k, k) for n in range(CHECKERS + 1)] for k in range(POINTS + 1)], np.int64)


class BearOff(NamedTuple):
    """The table, with a row for each position.

    Attributes:
        needed: the probability of needing exactly n rolls.
        none_off: the probability that no checker is off after n rolls; 0 if one is off already.
        mean: the average number of rolls needed.
    """

    needed: npt.NDArray[np.float32]
    none_off: npt.NDArray[np.float32]
    mean: npt.NDArray[np.float64]


def rank(counts: Any) -> Any:
    """The index of a position, given the number of checkers on points 1 to 6; of many positions, given arrays.

    >>> int(rank((0, 0, 0, 0, 0, 0))), int(rank((0, 0, 0, 0, 0, 15)))
    (0, 54263)
    """
    left, found = CHECKERS, 0
    for point in range(POINTS, 0, -1):
        found = found + WAYS[point][left] - WAYS[point][left - counts[point - 1]]
        left = left - counts[point - 1]
    return found


def all_positions() -> npt.NDArray[np.int64]:
    """The number of checkers on points 1 to 6, for all positions in the order of ``rank``."""
    rows = np.zeros((1, 0), np.int64)
    for _ in range(POINTS):  # from point 6 down
        left = CHECKERS - rows.sum(axis=1)
        repeats = left + 1
        starts = np.repeat(np.cumsum(repeats) - repeats, repeats)
        counts = np.arange(len(starts)) - starts
        rows = np.column_stack([np.repeat(rows, repeats, axis=0), counts])
    return rows[:, ::-1].copy()


def steps(positions: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The position after a step, by position, die - 1 and point - 1; -1 if illegal. Position 0 leads to itself."""
    found = np.full((len(positions), POINTS, POINTS), -1, np.int32)
    found[0] = 0
    for die in range(1, 7):
        for point in range(1, POINTS + 1):
            allowed = positions[:, point - 1] > 0
            if point < die:  # a larger die bears off only from the highest point
                allowed &= positions[:, point:].sum(axis=1) == 0
            after = positions[allowed].copy()
            after[:, point - 1] -= 1
            if point > die:
                after[:, point - die - 1] += 1
            found[allowed, die - 1, point - 1] = rank(after.T)
    return found


@lru_cache(maxsize=1)
def table() -> BearOff:
    """The table, loaded from disk, or built now and saved next to the compiled kernels."""
    path = folder() / f"backgammon-bear-off-{FORMAT}.npy"
    try:
        kept = np.load(path, mmap_mode="r", allow_pickle=False)
        if kept.dtype == np.float32 and kept.shape == (POSITIONS, MOST_ROLLS + FIRST_ROLLS + 1):
            found = _parts(kept)
            # Ignore a damaged file: the probabilities of each row must add up to 1 and match the mean.
            rolls = found.needed @ np.arange(MOST_ROLLS, dtype=np.float32)
            if np.allclose(found.needed.sum(axis=1), 1, atol=1e-5) and np.allclose(rolls, found.mean, atol=1e-4):
                return found
    except (OSError, ValueError, EOFError):
        pass
    found = build()
    columns = np.concatenate([found.needed, found.none_off, found.mean[:, None]], axis=1, dtype=np.float32)
    with contextlib.suppress(OSError, ZerosumError):  # if the folder is read-only, building takes a second each time
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            np.save(file, columns)
    return found


def _parts(columns: npt.NDArray[np.float32]) -> BearOff:
    needed, none_off, mean = np.split(np.asarray(columns), [MOST_ROLLS, MOST_ROLLS + FIRST_ROLLS], axis=1)
    return BearOff(np.ascontiguousarray(needed), np.ascontiguousarray(none_off), mean[:, 0].astype(np.float64))


def build() -> BearOff:
    """Build the table backwards: positions with fewer pips first."""
    positions = all_positions()
    step = steps(positions)
    pips = positions @ np.arange(1, POINTS + 1)
    order = np.argsort(pips, kind="stable")
    borders = np.searchsorted(pips[order], np.arange(pips.max() + 2))
    mean = np.zeros(POSITIONS + 1)
    mean[-1] = np.inf  # for illegal steps, -1
    # The position after the best play of 1 to 4 steps of one die.
    reached = np.full((4, 6, POSITIONS + 1), -1, np.int32)
    reached[:, :, 0] = 0
    needed = np.zeros((POSITIONS, MOST_ROLLS), np.float64)
    needed[0, 0] = 1.0
    none_off = np.zeros((POSITIONS, FIRST_ROLLS), np.float64)
    for level in range(1, len(borders) - 1):
        here = order[borders[level] : borders[level + 1]]
        if not len(here):
            continue
        own = step[here]
        row = np.arange(len(here))

        def best(places: Any, row: Any = row) -> Any:
            return places[row, np.argmin(mean[places], axis=1)]

        ends = []
        for die in range(6):
            reached[0, die, here] = best(own[:, die])
            for more in range(1, 4):
                reached[more, die, here] = best(reached[more - 1, die][own[:, die]])
            ends.append((1, reached[3, die, here]))
            for other in range(die):
                both = np.concatenate([reached[0, other][own[:, die]], reached[0, die][own[:, other]]], axis=1)
                ends.append((2, best(both)))
        for weight, places in ends:
            mean[here] += weight / 36 * mean[places]
            needed[here, 1:] += weight / 36 * needed[places, :-1]
            none_off[here, 1:] += weight / 36 * none_off[places, :-1]
        mean[here] += 1
        full = here[positions[here].sum(axis=1) == CHECKERS]
        some = here[positions[here].sum(axis=1) < CHECKERS]
        none_off[full, 0], none_off[some] = 1.0, 0.0
    return BearOff(needed.astype(np.float32), none_off.astype(np.float32), mean[:-1])
