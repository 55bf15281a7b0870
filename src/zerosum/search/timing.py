"""What a clock that ends games leaves of the values in the table.

Keys leave the clock out, so one entry serves a position at every time that may be left. A clock only ever moves values
towards a draw, and the end of a game that comes before the clock's is not touched by it. So:

- A win within n plies holds where at least n plies are left, and where no less is left than when it was found.
- That there is no win, or none so near, holds everywhere if the clock's end had no part in finding it; else where no
  more is left than then.

The time that was left is kept beside the value, in ten of its bits, wherever these rules need it. What does not
hold is forgotten for now; only the move remains, to be tried first.
"""

from __future__ import annotations

from zerosum.game import WIN
from zerosum.search.memory import CLOCK, GUESSED, SKIPPED, UNSEEN
from zerosum.search.table import LOWER, UPPER
from zerosum.search.values import WON

TIME_BITS = 10
EVERYWHERE = (1 << TIME_BITS) - 1
"""Stands for the time left where it does not matter."""


def with_time(value, doubts, left):
    """(the value with the time it needs, doubts) to be stored, for a position with this many plies left.

    ``value`` is for the side to move, wins counted from the position itself.
    """
    if value >= WON or value <= -WON:
        matters = WIN - abs(value) > left
    else:
        matters = doubts & CLOCK != 0
        if matters and doubts & UNSEEN:
            doubts |= SKIPPED
            matters = False
    time = EVERYWHERE
    if matters and left < EVERYWHERE:
        time = left
    elif matters:
        doubts |= GUESSED  # more than the bits can hold
    return value << TIME_BITS | time, doubts & GUESSED


def value_part(stored):
    return stored >> TIME_BITS


def needs_time(stored):
    """Whether the value was found with the help of the clock."""
    return stored & EVERYWHERE != EVERYWHERE


def bound_in_time(stored, bound, left):
    """What is left of a bound (LOWER, UPPER, both or 0) with this many plies left."""
    value, time = stored >> TIME_BITS, stored & EVERYWHERE
    winning, losing = LOWER, UPPER
    if value < 0:
        winning, losing = UPPER, LOWER
    later = time != EVERYWHERE and left > time  # there is more time than there was
    if value >= WON or value <= -WON:
        earlier = time == EVERYWHERE or left < time
        if earlier and WIN - abs(value) > left:
            bound &= ~winning
        if later:
            bound &= ~losing
    elif later:
        bound = 0
    return bound
