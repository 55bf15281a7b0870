"""Patterns: small groups of cells that an evaluation looks at as a whole.

A game's ``patterns`` are families. A family is a tuple of instances, and an instance a tuple of cells: the same pattern
in different places of the board, read from its first cell to its last. All instances of a family share their weights.
This file imports neither NumPy nor Numba.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from zerosum.errors import GameError

MOST_CASES, MOST_INSTANCES = 2**16, 2048
"""The most ways to fill an instance, and the most instances in all families together."""

Cells = tuple[int, ...]
Patterns = tuple[tuple[Cells, ...], ...]


class Family(NamedTuple):
    """A pattern, with all its places on the board.

    Attributes:
        instances: one for each group of cells.
        turns: the orders in which an instance can be read, as permutations of its cells. They form a group, which
            includes the instance's own order. All readings of an instance have the same weight, so only one of them
            is looked up.
    """

    instances: tuple[Cells, ...]
    turns: tuple[Cells, ...]

    @property
    def length(self) -> int:
        return len(self.instances[0])


@lru_cache(maxsize=1024)
def family(instances: tuple[Cells, ...]) -> Family:
    """A family in which instances with the same cells in different orders are merged into one with turns.

    >>> family(((0, 1, 2), (2, 1, 0), (6, 7, 8), (8, 7, 6)))
    Family(instances=((0, 1, 2), (6, 7, 8)), turns=((0, 1, 2), (2, 1, 0)))
    """
    kept: dict[frozenset[int], Cells] = {}
    turns: dict[frozenset[int], set[Cells]] = {}
    for cells in instances:
        group = frozenset(cells)
        first = kept.setdefault(group, cells)
        turns.setdefault(group, set()).add(tuple(map(first.index, cells)))
    ways = {tuple(sorted(_closed(found))) for found in turns.values()}
    if len(ways) > 1:
        raise GameError(f"some instances are given in more orders than others, such as {max(kept.values())}")
    return Family(tuple(kept.values()), ways.pop())


def _closed(turns: set[Cells]) -> set[Cells]:
    """The group that these turns generate."""
    while True:
        more = {tuple(one[place] for place in other) for one, other in product(turns, turns)} - turns
        if not more:
            return turns
        turns = turns | more


def checked_patterns(game: str, patterns: Any, cells: int, features: int) -> Patterns:
    """A game's ``patterns`` as tuples; GameError unless they fit its cells and features."""
    if patterns and features % cells:
        raise GameError(f"{game}: with patterns active_features must be a multiple of cells = {cells}, not {features}")
    found = []
    for number, given in enumerate(patterns):
        try:
            found.append(_checked_family(given, cells, features // cells))
        except GameError as problem:
            raise GameError(f"{game}: family {number} of patterns: {problem}") from problem
    if sum(len(family(instances).instances) for instances in found) > MOST_INSTANCES:
        raise GameError(f"{game}: patterns have more than {MOST_INSTANCES} instances")
    return tuple(found)


def _checked_family(given: Any, cells: int, kinds: int) -> tuple[Cells, ...]:
    try:
        instances = tuple(tuple(int(cell) for cell in instance) for instance in given)
    except (TypeError, ValueError):
        raise GameError(f"it must be a list of instances, each a list of cells, not {given!r}") from None
    if not instances or not instances[0]:
        raise GameError("it has no cells")
    for instance in instances:
        if len(set(instance)) != len(instance) or len(instance) != len(instances[0]):
            raise GameError(f"{instance} is not {len(instances[0])} different cells, as its first instance is")
        if not all(0 <= cell < cells for cell in instance):
            raise GameError(f"{instance} has a cell outside 0 to {cells - 1}")
    cases = (kinds + 1) ** len(instances[0])
    if cases > MOST_CASES:
        raise GameError(f"{instances[0]} can be filled in {cases} ways, more than {MOST_CASES}")
    family(instances)
    return instances
