"""A backgammon position as six integers.

Each player numbers the points 1 to 24 from their own side and moves downwards; 25 is the bar and 0 is off the board. So
MAX's point p is MIN's point 25 - p. A player's checkers are stored in 26 *slots* of four bits, slots 0 to 12 in one
word and 13 to 25 in another.

>>> s = initial()
>>> [checkers(s.max_low, s.max_high, slot) for slot in (6, 8, 13, 24)]
[5, 3, 5, 2]
>>> pips(s.max_low, s.max_high)
167
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from zerosum.game import MAX

OFF, BAR, POINTS, CHECKERS, HOME = 0, 25, 24, 15, 6
SLOTS = 26
SLOTS_OF_A_WORD = 13
SLOT_BITS = 4
FULL = (1 << SLOT_BITS) - 1  # also the number of a player's checkers
BAR_UNIT = 1 << SLOT_BITS * (BAR - SLOTS_OF_A_WORD)  # one checker on the bar, in the high word

# One bit for each slot, as the player who moves counts them.
BAR_BIT = 1 << BAR
OUTSIDE = (1 << SLOTS) - (1 << HOME + 1)  # slots outside the home board: no checker may be borne off while one is there
EVERY_FOURTH = 0x1111111111111


class Position(NamedTuple):
    """The checkers of both players, the player to move, and the roll: 31 for a three and a one, 0 before the roll."""

    max_low: int
    max_high: int
    min_low: int
    min_high: int
    player: int
    roll: int


START = ((6, 5), (8, 3), (13, 5), (24, 2))


def packed(slots: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The two words of a player's checkers, given pairs of a slot and its number of checkers.

    >>> packed([(0, 13), (1, 2)])
    (45, 0)
    """
    words = [0, 0]
    for slot, count in slots:
        words[slot // SLOTS_OF_A_WORD] += count << SLOT_BITS * (slot % SLOTS_OF_A_WORD)
    return words[0], words[1]


START_LOW, START_HIGH = packed(START)


def initial():
    return Position(START_LOW, START_HIGH, START_LOW, START_HIGH, MAX, 0)


def checkers(low, high, slot):
    """The number of checkers that a player with these words has in a slot."""
    if slot < SLOTS_OF_A_WORD:
        return (low >> SLOT_BITS * slot) & FULL
    return (high >> SLOT_BITS * (slot - SLOTS_OF_A_WORD)) & FULL


def pips(low, high):
    """The pip count of a player: how far all checkers have to go."""
    total = 0
    for slot in range(1, SLOTS):
        total += slot * checkers(low, high, slot)
    return total


def gathered(word):
    """Every fourth bit of a word of 13 slots, packed together."""
    word &= EVERY_FOURTH
    word = (word | word >> 3) & 0x3030303030303
    word = (word | word >> 6) & 0xF000F000F000F
    word = (word | word >> 12) & 0xFF000000FF
    word = (word | word >> 24) & 0xFFFF
    return word & 0x1FFF


def plane(low, high, bit):
    """The set of slots whose number of checkers has this bit."""
    return gathered(low >> bit) | gathered(high >> bit) << SLOTS_OF_A_WORD


def mirrored(slots):
    """A set of slots as the other player counts them."""
    slots = (slots >> 1 & 0x55555555) | (slots & 0x55555555) << 1
    slots = (slots >> 2 & 0x33333333) | (slots & 0x33333333) << 2
    slots = (slots >> 4 & 0x0F0F0F0F) | (slots & 0x0F0F0F0F) << 4
    slots = (slots >> 8 & 0x00FF00FF) | (slots & 0x00FF00FF) << 8
    slots = (slots >> 16 & 0x0000FFFF) | (slots & 0x0000FFFF) << 16
    return slots >> 32 - SLOTS
