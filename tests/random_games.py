"""Random games from a seed: every law of search must hold on all of them.

The seed is in the game's tables, so that hundreds of games share one compiled kernel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zerosum import MAX, Game
from zerosum.jit.bits import mix

HEIGHT, WIDTH, NAMES = 6, 4, 20


class Node(NamedTuple):
    name: int  # few, so that different lines reach the same position; 2n and 2n + 1 are mirror images
    level: int
    turn: int
    total: int


class Seed(NamedTuple):
    seed: np.ndarray


def draw(s, salt, n, t):
    return (mix(mix(mix(t.seed[0], s.name >> 1), s.level), salt) & 0xFFFFFF) % n


def initial():
    return Node(0, 0, MAX, 0)


def to_move(s):
    return s.turn


def is_terminal(s, t):
    return s.level >= HEIGHT or (s.level > 1 and draw(s, 1, 9, t) == 0)


def moves(s, t):
    if s.level == 0 or draw(s, 2, 12, t) != 0:
        for i in range(1 + draw(s, 3, WIDTH, t)):
            yield i


def noisy_moves(s, t):
    for i in moves(s, t):
        if draw(s, 60 + i, 3, t) == 0:
            yield i


def play(s, move, t):
    again = draw(s, 4 + move, 5, t) == 0
    name = 2 * draw(s, 20 + move, NAMES, t) + (s.name + draw(s, 30 + move, 2, t)) % 2
    return Node(name, s.level + 1, s.turn if again else 1 - s.turn, s.total + draw(s, 40 + move, 3, t) - 1)


def skip(s):
    return Node(s.name, s.level, 1 - s.turn, s.total)


def utility(s):
    return s.total


def evaluate(s, t):
    return s.total + draw(s, 50, 5, t) - 2


def bounds(s):
    left = HEIGHT - s.level
    return s.total - left, s.total + left


def outcome_bounds(s):
    low, high = bounds(s)
    return (low > 0) - (low < 0), (high > 0) - (high < 0)


def canonical(s):
    return Node(s.name & ~1, s.level, s.turn, s.total)


def is_forced(s, t):
    return draw(s, 51, 6, t) == 0


def moves_left(s):
    return HEIGHT - s.level


def is_ending(s):
    return s.level == HEIGHT - 1


def ending(s, low, high, t):
    """The value one ply before the end, or the first one outside the window."""
    sign = 1 if s.turn == MAX else -1
    best = -HEIGHT - 1
    for move in moves(s, t):
        best = max(best, sign * play(s, move, t).total)
        if best >= (high if s.turn == MAX else -low):
            break
    return s.total if best < -HEIGHT else sign * best


def game_with_endings(seed: int = 0) -> Game:
    """The scored random game, with ``moves_left`` and with the values one ply before the end."""
    return random_game(seed, scored=True).with_(moves_left=moves_left, is_ending=is_ending, ending=ending)


def random_game(seed: int = 0, scored: bool = False) -> Game:
    """A ragged game with ties, early ends, stalemates, symmetries, and players who move twice."""
    return Game(
        "random",
        Node,
        initial,
        to_move,
        moves,
        play,
        utility,
        WIDTH,
        is_terminal=is_terminal,
        evaluate=evaluate,
        noisy_moves=noisy_moves,
        skip=skip,
        bounds=bounds if scored else outcome_bounds,
        canonical=canonical,
        is_forced=is_forced,
        scored=scored,
        tables=Seed(np.array([seed])),
    )


class Spot(NamedTuple):
    name: int
    turn: int


def roundabout(seed: int = 0, repetition: int = 2) -> Game:
    """A game that goes in circles until a position has occurred ``repetition`` times."""

    def pick(s, salt, n, t):
        return (mix(mix(t.seed[0], 2 * s.name + s.turn), salt) & 0xFFFFFF) % n

    def spot_moves(s, t):
        for i in range(1 + pick(s, 1, 3, t)):
            yield i

    return Game(
        "roundabout",
        Spot,
        lambda: Spot(0, 0),
        lambda s: s.turn,
        spot_moves,
        lambda s, m, t: Spot(pick(s, 10 + m, 7, t), 1 - s.turn),
        lambda s, t: pick(s, 2, 3, t) - 1,
        3,
        is_terminal=lambda s, t: s.name > 0 and pick(s, 3, 5, t) == 0,
        evaluate=lambda s, t: pick(s, 4, 9, t) - 4,
        reversible=lambda s, m, t: pick(s, 20 + m, 4, t) != 0,
        repetition=repetition,
        tables=Seed(np.array([seed])),
    )


def with_seed(game: Game, seed: int) -> Game:
    return game.with_(tables=Seed(np.array([seed])))
