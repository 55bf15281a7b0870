"""A slow, straightforward backgammon generator to compare the fast one with, and positions to compare on.

A side is a list of 26 numbers of checkers: 0 is off, 1 to 24 the points as that side counts them, 25 the bar.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from zerosum.games.backgammon.position import Position
from zerosum.games.backgammon.position_id import position_of, sides
from zerosum.games.backgammon.rules import chances, initial, is_terminal, play

Side = tuple[int, ...]
ROLLS = [roll for roll, _ in chances(initial())]


def single_steps(own: Side, other: Side, die: int) -> Iterator[tuple[Side, Side]]:
    """The two sides after each step that the die allows."""
    for start in range(1, 26):
        if own[start] == 0 or (own[25] and start != 25):
            continue
        end = start - die
        after, others = list(own), list(other)
        if end >= 1:
            if other[25 - end] >= 2:
                continue
            if other[25 - end] == 1:
                others[25 - end] = 0
                others[25] += 1
        else:
            if sum(own[7:]) or (end < 0 and sum(own[start + 1 :])):
                continue
            end = 0
        after[start] -= 1
        after[end] += 1
        yield tuple(after), tuple(others)


def sequences(own: Side, other: Side, dice: list[int], played: tuple[int, ...]) -> Iterator[tuple[Side, Side, tuple]]:
    """The ends of all sequences of steps with these dice, in this order, until no more can be played."""
    ended = True
    if dice:
        for after, others in single_steps(own, other, dice[0]):
            ended = False
            yield from sequences(after, others, dice[1:], (*played, dice[0]))
    if ended:
        yield own, other, played


def results(s: Position) -> set[Position]:
    """All positions that a legal play of the roll leads to."""
    own, other = (tuple(side) for side in sides(s))
    large, small = divmod(s.roll, 10)
    orders = [[large] * 4] if large == small else [[large, small], [small, large]]
    ends = [end for dice in orders for end in sequences(own, other, dice, ())]
    most = max(len(played) for _, _, played in ends)
    ends = [end for end in ends if len(end[2]) == most]
    if most == 1 and any(played == (large,) for _, _, played in ends):
        ends = [end for end in ends if end[2] == (large,)]
    return {position_of(list(others), list(after), 1 - s.player) for after, others, _ in ends}


def game_positions(count: int, seed: int) -> Iterator[Position]:
    """Positions after a roll, from random games."""
    from zerosum.games.backgammon.generate import moves

    chooser = random.Random(seed)
    s = initial()
    for _ in range(count):
        if is_terminal(s):
            s = initial()
        s = play(s, chooser.choice(ROLLS))
        yield s
        s = play(s, chooser.choice(list(moves(s))))


def strange_positions(count: int, seed: int) -> Iterator[Position]:
    """Positions after a roll that are rare in games: few checkers, primes, checkers on the bar, bearing off."""
    chooser = random.Random(seed)
    for _ in range(count):
        own, other = [0] * 26, [0] * 26
        mine, theirs, reach = chooser.randint(1, 15), chooser.randint(1, 15), chooser.choice([6, 8, 12, 24, 24])
        for _ in range(mine):
            own[25 if chooser.random() < 0.05 else chooser.randint(1, reach)] += 1
        places = [point for point in range(1, 25) if own[25 - point] == 0]
        places = chooser.sample(places, min(len(places), chooser.randint(2, 12)))
        for _ in range(theirs):
            other[25 if chooser.random() < 0.05 else chooser.choice(places)] += 1
        own[0], other[0] = 15 - mine, 15 - theirs
        yield position_of(own, other, chooser.randint(0, 1), chooser.choice(ROLLS))
