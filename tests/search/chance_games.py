"""Random games with chance and known bounds, for testing pruning at chance nodes.

The number of the tree is part of the State, so that one engine can search thousands of trees.
"""

from __future__ import annotations

from typing import NamedTuple

import zerosum as zs
from zerosum.jit.bits import mix

HEIGHT, WIDTH, OUTCOMES = 8, 4, 4


class Spot(NamedTuple):
    tree: int
    name: int  # few, so that different lines meet
    level: int
    turn: int
    event: int
    total: int


def draw(s, salt, n):
    return (mix(mix(mix(s.tree, 4 * s.name + 2 * s.turn + s.event), s.level), salt) & 0xFFFFFF) % n


def to_move(s):
    return zs.CHANCE if s.event else s.turn


def is_terminal(s):
    return s.level >= HEIGHT or (s.level > 1 and draw(s, 1, 12) == 0)


def moves(s):
    if s.level == 0 or draw(s, 2, 15) != 0:
        for i in range(1 + draw(s, 3, WIDTH)):
            yield i


def chances(s):
    n = 1 + draw(s, 3, OUTCOMES)
    total = 0
    for i in range(n):
        total += 1 + draw(s, 60 + i, 5)
    for i in range(n):
        yield 7 * i, (1 + draw(s, 60 + i, 5)) / total


def play(s, move):
    event = draw(s, 80 + move, 5) < (1 if s.event else 4)
    turn = s.turn if s.event or draw(s, 4 + move, 5) == 0 else 1 - s.turn
    total = s.total + draw(s, 40 + move, 5) - 2
    return Spot(s.tree, draw(s, 20 + move, 10), s.level + 1, turn, int(event), total)


def utility(s):
    return s.total


def bounds(s):
    left = 2 * (HEIGHT - s.level)
    return s.total - left, s.total + left


def evaluate(s):
    """A value between the bounds, hardly ever the same twice."""
    low, high = bounds(s)
    return low + (high - low) * (0.3 + draw(s, 50, 4001) / 10000.0)


def order(s, move):
    return draw(s, 90 + move, 7)


def root(tree: int) -> Spot:
    """The root of a tree; MIN is to move in every other one."""
    return Spot(tree, 0, 0, tree % 2, 0, 0)


def bounded_game() -> zs.Game:
    """Ragged, with early ends, stalemates, events after events, and players who move twice."""
    return zs.Game(
        "bounded",
        Spot,
        lambda: root(0),
        to_move,
        moves,
        play,
        utility,
        WIDTH,
        is_terminal=is_terminal,
        chances=chances,
        max_chances=OUTCOMES,
        evaluate=evaluate,
        bounds=bounds,
        order=order,
    )
