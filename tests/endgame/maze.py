"""A game that is a random graph with cycles, in three tiers with holes; players sometimes move twice."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zerosum.game import Game
from zerosum.jit.bits import mix

TIERS, NAMES = 3, 40


class Room(NamedTuple):
    tier: int
    name: int
    turn: int
    clock: int  # counts moves, and is not part of the position


class Seed(NamedTuple):
    seed: np.ndarray


def pick(s, salt, n, t):
    return (mix(mix(mix(mix(t.seed[0], s.tier), s.name), s.turn), salt) & 0xFFFFFF) % n


def is_terminal(s, t):
    return pick(s, 1, 12, t) == 0


def moves(s, t):
    if pick(s, 2, 15, t) != 0:
        for i in range(1 + pick(s, 3, 3, t)):
            yield i


def play(s, move, t):
    tier = s.tier - 1 if s.tier > 0 and pick(s, 10 + move, 6, t) == 0 else s.tier
    turn = s.turn if pick(s, 20 + move, 6, t) == 0 else 1 - s.turn
    name = pick(s, 30 + move, NAMES, t)
    if is_hole(name):
        name -= 1
    return Room(tier, name, turn, s.clock + 1)


def is_hole(name):
    return name % 7 == 3


def rank(s):
    return 2 * s.name + s.turn


def unrank(tier, index):
    return Room(tier, index >> 1, index & 1, 0)


def maze(seed: int = 0, **changes: Any) -> Game:
    game = Game(
        "maze",
        Room,
        lambda: Room(TIERS - 1, 0, 0, 0),
        lambda s: s.turn,
        moves,
        play,
        lambda s, t: pick(s, 2, 3, t) - 1,
        3,
        is_terminal=is_terminal,
        tiers=lambda n: [(f"floor {i}", 2 * NAMES) for i in range(min(n, TIERS))],
        tier=lambda s: s.tier,
        rank=rank,
        unrank=unrank,
        is_valid=lambda s: not is_hole(s.name),
        tables=Seed(np.array([seed])),
    )
    return game.with_(**changes) if changes else game


def without_clock(game: Game) -> Game:
    """The same game with positions that can be compared, for the classroom's dictionary."""
    return game.with_(play=lambda s, move, t: play(s, move, t)._replace(clock=0))


def rooms() -> list[Room]:
    return [
        Room(tier, name, turn, 0)
        for tier in range(TIERS)
        for name in range(NAMES)
        for turn in (0, 1)
        if not is_hole(name)
    ]


def above(s):
    """One move in every tier except the lowest."""
    if s.tier > 0:
        yield 0


def half_of_it(n: int) -> list[tuple[str, int]]:
    """The tiers of an index that leaves out the side to move."""
    return [(f"floor {i}", NAMES) for i in range(3)]


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"rank": lambda s: s.name}, "not one-to-one"),
    ({"unrank": lambda tier, i: Room(0, i >> 1, i & 1, 0)}, r"unrank\(1, 0\) has tier 0"),
    ({"tier": lambda s: 2 - s.tier}, "not one-to-one"),
    (
        {"rank": lambda s: s.name, "unrank": lambda tier, i: Room(tier, i, 0, 0), "tiers": half_of_it},
        "the position has other moves than unrank",
    ),
    ({"play": lambda s, m: Room(s.tier + 1, 0, 0, 0)}, "to the later tier 1"),
    ({"play": lambda s, m: Room(-1, 0, 0, 0)}, "outside all tiers: to tier -1"),
    ({"play": lambda s, m: Room(s.tier, 10**6, 0, 0)}, "outside all tiers: to tier 0, 2000000"),
    ({"play": lambda s, m: Room(0, 10**6, 0, 0), "moves": above}, "outside all tiers: to tier 0, 2000000"),
    ({"play": lambda s, m: Room(s.tier, 3, 0, 0)}, "which is not a position"),
    ({"play": lambda s, m: Room(0, 3, 0, 0)}, "which is not a position"),
]
"""Faults of an index, and the messages about them."""
