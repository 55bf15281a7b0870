"""Ranks: how many plies a game can last at most, if one player keeps to a strategy."""

from __future__ import annotations

from typing import Any


def longest_ways(count: int, parents: Any, children: Any) -> Any:
    """For each of ``count`` positions the length of the longest way to the end; 0 where a way goes round in circles.

    ``parents`` and ``children`` are the two ends of each move that leads to an unfinished position.

    >>> import numpy as np
    >>> longest_ways(3, np.array([0, 0, 1]), np.array([1, 2, 2])).tolist()
    [3, 2, 1]
    """
    import numpy as np

    ranks = np.zeros(count, np.int64)
    left = np.bincount(parents, minlength=count)  # moves to positions whose rank is not known yet
    order = np.argsort(children, kind="stable")
    before = parents[order]
    ends = np.cumsum(np.bincount(children, minlength=count))
    ready, rank = np.flatnonzero(left == 0), 0
    while len(ready):
        rank += 1
        ranks[ready] = rank
        # All moves that lead to a position that is ready now.
        starts = np.where(ready > 0, ends[ready - 1], 0)
        lengths = ends[ready] - starts
        offsets = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        touched = before[np.arange(lengths.sum()) + offsets]
        np.subtract.at(left, touched, 1)
        touched = np.unique(touched)
        ready = touched[left[touched] == 0]
    return ranks
