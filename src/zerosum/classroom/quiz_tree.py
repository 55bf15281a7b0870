"""Small trees for quizzes, made from a seed: all leaves are different, and the answers are not obvious.

All numbers come from ``random.Random(whole number).random()``, which Python promises never to change: a seed
gives the same quiz on every machine and with every version.

>>> tree, recorded = quiz_tree("alphabeta", seed=1, difficulty=2)
>>> (tree, recorded.value) == (quiz_tree("alphabeta", seed=1, difficulty=2)[0], recorded.value)
True
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from zerosum.classroom.events import Kind
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.node import below
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree
from zerosum.errors import ZerosumError
from zerosum.game import MAX

SUBJECTS = ("minimax", "alphabeta", "expectiminimax")

LEVELS = (1, 2, 3, 4, 5)

# The number of children of a node, level by level from the root. Nodes on a level with (2, 3) have two or three.
PLAYERS_ONLY: dict[int, tuple[Sequence[int], ...]] = {
    1: ((2,), (2,)),
    2: ((3,), (3,)),
    3: ((2,), (2, 3), (2, 3)),
    4: ((3,), (2, 3), (2, 3)),
    5: ((2,), (2, 3), (2,), (2, 3)),
}
# The second level is chance. From difficulty 3 on, MIN moves after it; at 5 another level of chance follows.
WITH_CHANCE: dict[int, tuple[Sequence[int], ...]] = {
    1: ((2,), (2,)),
    2: ((3,), (2, 3)),
    3: ((2,), (2,), (2, 3)),
    4: ((3,), (2, 3), (2, 3)),
    5: ((2,), (2,), (2,), (2,)),
}
SHARES = {2: ((0.5, 0.5), (0.25, 0.75), (0.75, 0.25)), 3: ((0.25, 0.25, 0.5), (0.5, 0.25, 0.25), (0.25, 0.5, 0.25))}

ATTEMPTS = 1000
"""The most trees to try until one is interesting; in practice a handful is enough."""


class Draws:
    """Whole numbers from a seed, by the one method of ``random`` whose results are promised not to change."""

    def __init__(self, *numbers: int) -> None:
        mixed = 0
        for number in numbers:
            mixed = (mixed * 1_000_003 + number) % 2**61
        self._random = random.Random(mixed)

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit - 1``."""
        return int(self._random.random() * limit)

    def choice(self, things: Sequence[Any]) -> Any:
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[Any]) -> list[Any]:
        left, found = list(things), []
        while left:
            found.append(left.pop(self.below(len(left))))
        return found


def quiz_tree(subject: str, seed: int, difficulty: int) -> tuple[Tree, Trace]:
    """The tree of a quiz and its trace; ZerosumError for an unknown subject or difficulty."""
    if subject not in SUBJECTS:
        raise ZerosumError(f"unknown quiz {subject!r}; choose {', '.join(SUBJECTS)}")
    if difficulty not in LEVELS:
        raise ZerosumError(f"unknown difficulty {difficulty!r}; choose {', '.join(map(str, LEVELS))}")
    for attempt in range(ATTEMPTS):
        draws = Draws(seed, SUBJECTS.index(subject), difficulty, attempt)
        tree = _grow(subject, difficulty, draws)
        recorded = trace(subject, tree)
        if _is_interesting(subject, difficulty, tree, recorded):
            return tree, recorded
    raise AssertionError(f"no interesting tree for {subject}, difficulty {difficulty}, seed {seed}")


def _grow(subject: str, difficulty: int, draws: Draws) -> Tree:
    has_chance = subject == "expectiminimax"
    widths = (WITH_CHANCE if has_chance else PLAYERS_ONLY)[difficulty]
    # Multiples of 4 keep averages over quarters whole numbers, or nearly so.
    numbers = range(-40, 84, 4) if has_chance else range(1, 40) if difficulty < 3 else range(-20, 40)
    leaves = iter(draws.shuffled(numbers))

    def grow(level: int) -> Any:
        if level == len(widths):
            return next(leaves)
        children = [grow(level + 1) for _ in range(draws.choice(widths[level]))]
        if has_chance and level % 2 == 1 and (level == 1 or difficulty == 5):
            return list(zip(draws.choice(SHARES[len(children)]), children, strict=True))
        return children

    return Tree.from_lists(grow(0), first=MAX, title=f"{subject}, difficulty {difficulty}")


def _is_interesting(subject: str, difficulty: int, tree: Tree, recorded: Trace) -> bool:
    """Whether there is one best move that is not the obvious one; for alpha-beta, whether there are cut-offs."""
    values = child_values(tree)
    if len(set(values)) < len(values):
        return False
    if subject == "alphabeta":
        kinds = {event.kind for event in recorded.events}
        cuts = sum(event.kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF) for event in recorded.events)
        both = {Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF} <= kinds
        return cuts >= 1 and Kind.PRUNE in kinds and (difficulty < 3 or cuts >= 2) and (difficulty < 4 or both)
    # The largest leaf must not be below the best move, or the answer would need no calculation.
    tops = [
        max(node.value for _, node in below(child) if node.value is not None and not node.children)
        for child in tree.root.children
    ]
    return tops.index(max(tops)) != values.index(max(values))


def child_values(tree: Tree) -> list[float]:
    """The value of each move at the root with best play by both."""
    game = tree.game
    start = game.initial()
    return [expectiminimax(game, game.play(start, move)) for move in tree.root.moves]
