"""The rules of backgammon, except move generation, which is in generate.py.

>>> s = initial()
>>> to_move(s) == CHANCE, len(list(chances(s)))
(True, 21)
>>> s = play(s, 31)
>>> s.roll, to_move(s) == MAX
(31, True)
"""

from __future__ import annotations

from zerosum.game import CHANCE, MAX
from zerosum.games.backgammon.generate import SMALL_FIRST, SOURCE, STEP_BITS
from zerosum.games.backgammon.position import (
    BAR,
    BAR_UNIT,
    CHECKERS,
    FULL,
    HOME,
    SLOT_BITS,
    SLOTS_OF_A_WORD,
    Position,
    checkers,
    initial,
)

__all__ = ["chances", "initial", "is_terminal", "play", "to_move", "utility"]

MOST_ROLLS = 21
DOUBLE, OTHER = 1.0 / 36.0, 2.0 / 36.0


def to_move(s):
    return s.player if s.roll else CHANCE


def chances(s):
    for large in range(1, 7):
        for small in range(1, large):
            yield 10 * large + small, OTHER
        yield 11 * large, DOUBLE


def play(s, move):
    if s.roll == 0:
        return s._replace(roll=move)
    first, second = s.roll // 10, s.roll % 10
    if move & SMALL_FIRST:
        first, second = second, first
    if s.player == MAX:
        low, high, other_low, other_high = s.max_low, s.max_high, s.min_low, s.min_high
    else:
        low, high, other_low, other_high = s.min_low, s.min_high, s.max_low, s.max_high
    die = first
    steps = move & SMALL_FIRST - 1
    while steps:
        slot = steps & SOURCE
        steps >>= STEP_BITS
        if slot < SLOTS_OF_A_WORD:
            low -= 1 << SLOT_BITS * slot
        else:
            high -= 1 << SLOT_BITS * (slot - SLOTS_OF_A_WORD)
        slot = max(slot - die, 0)
        die = second
        if slot < SLOTS_OF_A_WORD:
            low += 1 << SLOT_BITS * slot
        else:
            high += 1 << SLOT_BITS * (slot - SLOTS_OF_A_WORD)
        if slot > 0 and checkers(other_low, other_high, BAR - slot) == 1:
            if slot > SLOTS_OF_A_WORD - 1:
                other_low -= 1 << SLOT_BITS * (BAR - slot)
            else:
                other_high -= 1 << SLOT_BITS * (BAR - slot - SLOTS_OF_A_WORD)
            other_high += BAR_UNIT
    if s.player == MAX:
        return Position(low, high, other_low, other_high, 1 - s.player, 0)
    return Position(other_low, other_high, low, high, 1 - s.player, 0)


def is_terminal(s):
    return s.max_low & FULL == CHECKERS or s.min_low & FULL == CHECKERS


def utility(s):
    """1 for a single game, 2 for a gammon, 3 for a backgammon; negative if MIN has won."""
    if s.max_low & FULL == CHECKERS:
        return stake(s.min_low, s.min_high)
    return -stake(s.max_low, s.max_high)


def stake(low, high):
    """What the loser pays: 2 with no checker off, 3 if one of them is also in the winner's home board or on the bar."""
    if low & FULL:
        return 1
    # The winner's points 1 to 6 are the loser's 24 to 19, next to the bar.
    return 3 if high >> SLOT_BITS * (BAR - HOME - SLOTS_OF_A_WORD) else 2
