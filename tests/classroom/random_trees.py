"""Random trees for the tests of the classroom: uniform and ragged, with ties, extra moves and chance."""

from __future__ import annotations

from functools import cache

from zerosum.classroom.tracing import ALGORITHMS
from zerosum.classroom.tree import Tree
from zerosum.game import MAX, MIN

SAMPLING = ("mcts", "mcts-solver")
"""Algorithms that estimate by simulations, without a depth, windows, or a single pass through the tree."""

GROWING = (*SAMPLING, "proof")
"""Algorithms whose tree grows node by node: they neither enter nor leave nodes."""

EXACT = [name for name in ALGORITHMS if name not in SAMPLING]


def trees(count: int) -> list[Tree]:
    """Trees without chance; most are ragged, every fifth is uniform."""
    return [_tree(seed) for seed in range(count)]


@cache
def _tree(seed: int) -> Tree:
    first = MAX if seed % 7 else MIN
    if seed % 5 == 0:
        return Tree.uniform(2 + seed % 2, 1 + seed % 3, seed, low=-3, high=3, first=first)
    spread = 1 + seed % 8  # with few different values there are many ties
    return Tree.random(
        seed,
        depth=2 + seed % 4,
        branching=3,
        low=-spread,
        high=spread,
        again=0.25 * (seed % 3),
        noisy=0.4,
        evaluations=seed % 2 == 0,
        first=first,
    )


def chance_trees(count: int) -> list[Tree]:
    """Trees with chance."""
    return [_chance_tree(seed) for seed in range(count)]


@cache
def _chance_tree(seed: int) -> Tree:
    return Tree.random(
        seed,
        depth=2 + seed % 4,
        branching=3,
        low=-1 - seed % 8,
        high=1 + seed % 8,
        chance=0.4,
        again=0.25 * (seed % 3),
        evaluations=seed % 2 == 0,
        first=MAX if seed % 7 else MIN,
    )
