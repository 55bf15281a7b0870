"""Games that break one promise each, deep in the tree: the engine must report the error to its caller in one line.

The tables determine which promise is broken, so that all of them share one compiled kernel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zerosum import CHANCE, MAX, Game
from zerosum.jit.bits import mix

WIDTH, HEIGHT = 4, 9
PROMISES = {
    "max_moves": "moves yields more than max_moves = 4 moves",
    "moves below 0": "moves yields -1, outside",
    "moves too large": "moves yields 2147483648, outside",
    "an exception": "a compiled rule raised an exception",
}
KINDS = tuple(PROMISES)


class Broken(NamedTuple):
    name: int
    level: int
    turn: int


class Kind(NamedTuple):
    kind: np.ndarray


def is_broken(s):
    """True in a few positions, none of them near the root."""
    return s.level >= 5 and s.name % 16 == 5


def moves(s, t):
    if is_broken(s):
        if t.kind[0] == 0:
            yield WIDTH
        elif t.kind[0] == 1:
            yield -1
        elif t.kind[0] == 2:
            yield 2**31
    for i in range(WIDTH):
        yield i


def play(s, move, t):
    if is_broken(s) and t.kind[0] == 3:
        raise ValueError("broken")
    return Broken(mix(mix(17 + s.name, s.level), move) & 0xFF, s.level + 1, 1 - s.turn)


def broken_game(promise: str) -> Game:
    """A tree of 4 moves for 9 plies with many transpositions."""
    return Game(
        "broken",
        Broken,
        lambda: Broken(0, 0, MAX),
        lambda s: s.turn,
        moves,
        play,
        lambda s: (s.name & 3) - 1,
        WIDTH,
        is_terminal=lambda s: s.level >= HEIGHT,
        evaluate=lambda s: (s.name & 15) - 8,
        tables=Kind(np.array([KINDS.index(promise)])),
    )


class Loaded(NamedTuple):
    place: int
    tossing: int


def loaded_dice(places: int = 6) -> Game:
    """A walk in which, one place before the last, the probabilities of the dice add up to more than 1."""

    def chances(s):
        yield 0, 0.25
        yield 1, 0.75 if s.place < places - 1 else 0.85

    def toss(s):
        yield 0

    def features(s, out):
        out[0] = 1.0 * s.place
        return MAX

    return Game(
        "loaded-dice",
        Loaded,
        lambda: Loaded(1, 0),
        lambda s: CHANCE if s.tossing else MAX,
        toss,
        lambda s, move: Loaded(s.place + (1 if move else 0), 0) if s.tossing else Loaded(s.place, 1),
        lambda s: 1,
        1,
        is_terminal=lambda s: s.place >= places,
        chances=chances,
        max_chances=2,
        bounds=(-1, 1),
        features=features,
        feature_names=("place",),
    )
