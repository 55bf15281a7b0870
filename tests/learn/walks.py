"""Sutton's random walk as a game: coin tosses move a pawn until it falls off one end (Sutton 1988).

Its exact values are known: from place n of ``PLACES``, MAX wins with chance n / (PLACES + 1). The players only toss.
"""

from __future__ import annotations

from typing import NamedTuple

import zerosum as zs
from zerosum.game import CHANCE, MAX

PLACES = 5
NAMES = tuple(f"place {n}" for n in range(1, PLACES + 1))


class Walk(NamedTuple):
    place: int
    tossing: int


def initial():
    return Walk((PLACES + 1) // 2, 0)


def to_move(s):
    return CHANCE if s.tossing else MAX


def moves(s):
    yield 0


def play(s, move):
    if s.tossing:
        return Walk(s.place + (1 if move else -1), 0)
    return Walk(s.place, 1)


def chances(s):
    yield 0, 0.5
    yield 1, 0.5


def is_terminal(s):
    return s.place == 0 or s.place == PLACES + 1


def utility(s):
    return 1 if s.place else -1


def features(s, out):
    out[s.place - 1] = 1.0
    return MAX


def walk() -> zs.Game:
    return zs.Game(
        "walk",
        Walk,
        initial,
        to_move,
        moves,
        play,
        utility,
        1,
        is_terminal=is_terminal,
        chances=chances,
        max_chances=2,
        bounds=(-1, 1),
        features=features,
        feature_names=NAMES,
    )


game = walk()
