"""Random games by a seed: every law of search must hold on all of them."""

from __future__ import annotations

from typing import NamedTuple

from zerosum import MAX, Game
from zerosum.jit.bits import mix


class Node(NamedTuple):
    name: int  # small, so that different lines meet in the same position
    level: int
    turn: int


def random_game(seed: int, width: int = 4, height: int = 7, names: int = 40, scored: bool = False) -> Game:
    """A game graph: ragged, with ties, with early ends, with players who move twice, with stalemates."""

    def draw(s, salt, n):
        return (mix(mix(mix(seed, s.name), s.level), salt) & 0xFFFFFF) % n

    def initial():
        return Node(0, 0, MAX)

    def to_move(s):
        return s.turn

    def is_terminal(s):
        return s.level >= height or (s.level > 1 and draw(s, 1, 9) == 0)

    def moves(s):
        if draw(s, 2, 12) != 0 or s.level == 0:
            for i in range(1 + draw(s, 3, width)):
                yield i

    def play(s, move):
        again = draw(s, 4 + move, 5) == 0
        return Node(draw(s, 20 + move, names), s.level + 1, s.turn if again else 1 - s.turn)

    def utility(s):
        return draw(s, 40, 7) - 3 if scored else draw(s, 40, 3) - 1

    def evaluate(s):
        return draw(s, 41, 9) - 4

    return Game(
        "random", Node, initial, to_move, moves, play, utility, width,
        is_terminal=is_terminal, evaluate=evaluate, scored=scored,
    )  # fmt: skip
