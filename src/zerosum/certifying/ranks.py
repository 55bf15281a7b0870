"""Ranks: the most plies a game can last if one player follows a strategy."""

from __future__ import annotations

from typing import Any


def longest_ways(least: Any, parents: Any, children: Any) -> Any:
    """For each position, the length of the longest path to the end; 0 where a path leads into a cycle.

    ``parents`` and ``children`` are the two ends of each move that leads to an unfinished position. ``least`` is the
    minimum length of each position's path: 1, or the distance where an endgame database settles the position.

    >>> import numpy as np
    >>> longest_ways(np.array([1, 1, 1]), np.array([0, 0, 1]), np.array([1, 2, 2])).tolist()
    [3, 2, 1]
    """
    import numpy as np

    count = len(least)
    ranks, done = np.array(least, np.int64), np.zeros(count, np.bool_)
    left = np.bincount(parents, minlength=count)  # moves to positions whose rank is still unknown
    order = np.argsort(children, kind="stable")
    before = parents[order]
    ends = np.cumsum(np.bincount(children, minlength=count))
    ready = np.flatnonzero(left == 0)
    while len(ready):
        done[ready] = True
        # All moves that lead to a position in ``ready``.
        starts = np.where(ready > 0, ends[ready - 1], 0)
        lengths = ends[ready] - starts
        offsets = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        touched = before[np.arange(lengths.sum()) + offsets]
        np.subtract.at(left, touched, 1)
        np.maximum.at(ranks, touched, np.repeat(ranks[ready] + 1, lengths))
        touched = np.unique(touched)
        ready = touched[left[touched] == 0]
    return np.where(done, ranks, 0)
