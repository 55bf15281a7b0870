"""When values in the table hold in a game whose clock can end it.

Keys do not include the clock, so one entry serves a position with any time left. A clock only ever moves values
towards a draw, and does not affect a game that ends before the clock does. So:

- A win within n plies holds if at least n plies are left, or if at least as much time is left as when it was found.
- "No win", or "no win this near", holds always if the end of the clock did not affect the search; otherwise it holds
  if no more time is left than then.

Where these rules need it, the time left is stored with the value, in ten of its bits. A value that does not hold is
ignored, except for its move, which is tried first.
"""

from __future__ import annotations

from zerosum.game import WIN
from zerosum.search.memory import CLOCK, GUESSED, SKIPPED, UNSEEN
from zerosum.search.table import LOWER, UPPER
from zerosum.search.values import WON

TIME_BITS = 10
EVERYWHERE = (1 << TIME_BITS) - 1
"""The time left if it does not matter."""


def with_time(value, doubts, left):
    """(value with the time it needs, doubts) to store for a position with this many plies left.

    ``value`` is for the side to move, with wins counted from the position itself.
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
    """Whether the value depends on the clock."""
    return stored & EVERYWHERE != EVERYWHERE


def bound_in_time(stored, bound, left):
    """The part of a bound (LOWER, UPPER, both or 0) that holds with this many plies left."""
    value, time = stored >> TIME_BITS, stored & EVERYWHERE
    winning, losing = LOWER, UPPER
    if value < 0:
        winning, losing = UPPER, LOWER
    later = time != EVERYWHERE and left > time  # more time is left than when it was stored
    if value >= WON or value <= -WON:
        earlier = time == EVERYWHERE or left < time
        if earlier and WIN - abs(value) > left:
            bound &= ~winning
        if later:
            bound &= ~losing
    elif later:
        bound = 0
    return bound
