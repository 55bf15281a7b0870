"""Counts that confirm the theory of minimax and alpha-beta: time, memory, the best and the worst case.

>>> memory_of_minimax(uniform(3, 4).game)  # b·m + 1: at most b successors on each level, and the root
13
>>> evaluations(hardest_tree(3, 4)), evaluations(hardest_tree(3, 4).ordered("best"))
(81, 17)
"""

from __future__ import annotations

from typing import Any

from zerosum.classroom.alphabeta import alphabeta
from zerosum.classroom.events import Event, Kind
from zerosum.classroom.minimax import minimax
from zerosum.classroom.tree import Tree
from zerosum.classroom.walk import start_of
from zerosum.game import Game


def uniform(branching: int, depth: int) -> Tree:
    """A uniform tree with random leaves."""
    return Tree.uniform(branching, depth, seed=1)


def hardest_tree(branching: int, depth: int) -> Tree:
    """A tree in which alpha-beta cuts off nothing at all.

    Each child of a MAX node is better for MAX than all before it, each child of a MIN node worse, and so is every leaf
    below it. So no value ever falls outside the window. A leaf is a number in base b: its digits say which child was
    taken on each level, counted from the worst for MAX.

    >>> [leaf.value for _, leaf in hardest_tree(2, 2).nodes() if not leaf.children]
    [1, 0, 3, 2]
    """

    def grow(level: int, value: int) -> Any:
        if level == depth:
            return value
        children = range(branching) if level % 2 == 0 else reversed(range(branching))
        return [grow(level + 1, branching * value + digit) for digit in children]

    return Tree.from_lists(grow(0, 0))


def evaluations(tree: Tree, algorithm: Any = alphabeta) -> int:
    """The number of leaves that an algorithm looks at."""
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        count += event.kind is Kind.EVALUATE

    algorithm(tree.game, tell=listen)
    return count


def nodes_of_minimax(game: Game) -> int:
    """The number of nodes that minimax enters, including the root."""
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        count += event.kind is Kind.ENTER

    minimax(game, tell=listen)
    return count


def memory_of_minimax(game: Game) -> int:
    """The most nodes that depth-first search keeps at once: the path, and the waiting successors on each level."""
    most = 0

    def visit(s: Any, kept: int) -> None:
        nonlocal most
        moves = [] if game.terminal_test(s) else list(game.moves(s))
        most = max(most, kept + len(moves))
        for place, move in enumerate(moves):
            # This successor is on the path, those after it wait, and those before it are forgotten.
            visit(game.play(s, move), kept + len(moves) - place)

    visit(start_of(game, None), 1)
    return most


def is_depth_first(events: list[Event]) -> bool:
    """Whether every node was left before its next sibling was entered."""
    open_: list[tuple[int, ...]] = []
    for event in events:
        if event.kind is Kind.ENTER:
            if open_ and event.path[:-1] != open_[-1]:
                return False
            open_.append(event.path)
        elif event.kind is Kind.LEAVE and open_.pop() != event.path:
            return False
    return True
