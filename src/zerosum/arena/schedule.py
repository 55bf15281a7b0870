"""Who plays whom, in which order. The first games of a longer match are those of a shorter one.

Each opening makes a cycle: everybody who is to meet plays it twice, with sides changed.

>>> [(f.number, f.max_player, f.min_player, f.cycle) for f in schedule(2, 4)]
[(1, 0, 1, 0), (2, 1, 0, 0), (3, 0, 1, 1), (4, 1, 0, 1)]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple


class Fixture(NamedTuple):
    """A game to be played. ``cycle`` numbers the openings from 0; games of one cycle share opening and dice."""

    number: int
    max_player: int
    min_player: int
    cycle: int


def pairings(players: int, gauntlet: bool = False) -> list[tuple[int, int]]:
    """Everybody against everybody, or the first against all others.

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
