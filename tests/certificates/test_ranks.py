"""Longest paths through random graphs, and row lookup, compared with the obvious implementation."""

from __future__ import annotations

import random

import numpy as np

from zerosum.certifying.known import Known
from zerosum.certifying.ranks import longest_ways


def obvious_ranks(least, edges):
    """Ranks by recursion; 0 where a path leads into a cycle."""
    behind = {node: [child for parent, child in edges if parent == node] for node in range(len(least))}
    found: dict[int, int] = {}

    def rank(node: int, before: frozenset[int]) -> int:
        if node in before:
            return 0
        if node not in found:
            ranks = [rank(child, before | {node}) for child in behind[node]]
            if not all(ranks):
                return 0
            found[node] = max([least[node], *(one + 1 for one in ranks)])
        return found[node]

    return [rank(node, frozenset()) for node in range(len(least))]


def test_ranks_are_the_longest_ways():
    circles = 0
    for seed in range(200):
        dice = random.Random(seed)
        count = dice.randrange(1, 12)
        least = [dice.choice([1, 1, 1, 5]) for _ in range(count)]
        edges = [(dice.randrange(count), dice.randrange(count)) for _ in range(dice.randrange(14))]
        if seed % 2:
            edges = [(max(edge), min(edge)) for edge in edges if edge[0] != edge[1]]  # no cycles
        parents, children = (np.array([edge[end] for edge in edges], np.int64) for end in (0, 1))
        wanted = obvious_ranks(least, edges)
        assert longest_ways(np.array(least), parents, children).tolist() == wanted
        circles += 0 in wanted
    assert circles > 20


def test_rows_are_found_by_number_zeros_at_their_end_included():
    dice = random.Random(1)
    known, numbers = Known(3), {}
    for _ in range(60):
        rows = sorted({bytes(dice.choice([0, 0, 1, 255]) for _ in range(3)) for _ in range(dice.randrange(1, 9))})
        found = known.find(known.array(rows)).tolist()
        assert found == [numbers.get(row, -1) for row in rows]
        new = [row for row in rows if row not in numbers]
        for row, number in zip(new, known.add(known.array(new)).tolist(), strict=True):
            numbers[row] = number
    ordered, places = known.in_order()
    assert [ordered.tobytes()[at : at + 3] for at in range(0, 3 * len(numbers), 3)] == sorted(numbers)
    assert places.tolist() == [numbers[row] for row in sorted(numbers)]
    assert known.count == len(numbers) == 27
