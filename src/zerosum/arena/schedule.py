"""The schedule of a match. A longer match begins with the games of a shorter one.

Each opening makes a cycle: every pairing plays it twice, with sides changed.

>>> [(f.number, f.max_player, f.min_player, f.cycle) for f in schedule(2, 4)]
[(1, 0, 1, 0), (2, 1, 0, 0), (3, 0, 1, 1), (4, 1, 0, 1)]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple


class Fixture(NamedTuple):
    """A scheduled game. ``cycle`` numbers the openings from 0; games of one cycle share the opening and the dice."""

    number: int
    max_player: int
    min_player: int
    cycle: int


def pairings(players: int, gauntlet: bool = False) -> list[tuple[int, int]]:
    """All pairs of players, or the first player with each of the others.

    >>> pairings(3), pairings(3, gauntlet=True)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (0, 2)])
    """
    if gauntlet:
        return [(0, other) for other in range(1, players)]
    return list(combinations(range(players), 2))


def schedule(players: int, games: int, gauntlet: bool = False) -> Iterator[Fixture]:
    """All games of a match, with this number of games for each pairing."""
    meetings = pairings(players, gauntlet)
    for cycle in range((games + 1) // 2):
        for place, (one, other) in enumerate(meetings):
            number = 2 * (cycle * len(meetings) + place) + 1
            yield Fixture(number, one, other, cycle)
            if 2 * cycle + 1 < games:
                yield Fixture(number + 1, other, one, cycle)
