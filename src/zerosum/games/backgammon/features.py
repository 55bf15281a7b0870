"""The features of a backgammon position for a network, from the point of view of the player on roll.

The first 200 are Tesauro's (TD-Gammon, 1995): for each of a player's 25 slots, including the bar, whether there is at
least one checker, two, three, and how many more. The others would take a network long to learn: how far both players
have to go, the probability of hitting a blot and what that costs, how well checkers can escape, how long the primes
are, and whether a checker on the bar can enter. In a race, where no more hits are possible, another network is used and
most of these features are 0. When both players are bearing off, the chances come from the table in ``bearoff``.

>>> import numpy as np
>>> from zerosum.games.backgammon.position import initial
>>> from zerosum.games.backgammon.tables import trained
>>> out = np.zeros(INPUTS)
>>> features(initial(), out, trained()[1]) == CONTACT
True
>>> [name for name, number in zip(NAMES, out.tolist()) if number][-2:]
['their moves of checkers on the way', 'their pips of the middle']
"""

from __future__ import annotations

import numpy as np

from zerosum.game import MAX
from zerosum.games.backgammon.bearoff import CHECKERS as ALL_CHECKERS
from zerosum.games.backgammon.bearoff import FIRST_ROLLS, MOST_ROLLS, POINTS, WAYS
from zerosum.games.backgammon.position import (
    BAR,
    BAR_BIT,
    FULL,
    HOME,
    SLOT_BITS,
    checkers,
    mirrored,
    plane,
)
from zerosum.jit.bits import bits

CONTACT, RACE = 0, 2  # twice the index of the network, leaving a bit for the player
NETWORKS = 2

SLOT_NUMBERS = 4
SIDE = SLOT_NUMBERS * BAR
RAW = 2 * SIDE
EXPERT = (
    "pips",
    "checkers off",
    "some checker off",
    "pips to the end of contact",
    "blots hit by a roll",
    "last checker runs",
    "checkers held back",
    "wall",
    "rolls that stay out",
    "checkers on the bar before a closed board",
    "pips that a hit costs them",
    "a checker on the bar would run",
    "worst place to run from",
    "moves of checkers on the way",
    "pips of the middle",
)
INPUTS = RAW + 2 * len(EXPERT)
NAMES = (
    *(
        f"{whose} {'bar' if slot == BAR else slot}: {what}"
        for whose in ("own", "their")
        for slot in range(1, BAR + 1)
        for what in ("one", "two", "three", "more")
    ),
    *(f"{whose} {what}" for whose in ("own", "their") for what in EXPERT),
)

POINT_BITS = (1 << BAR) - 2  # slots 1 to 24
HOME_BITS = (1 << HOME + 1) - 2
AHEAD = 12  # the reach of two sixes
PIPS_OF_A_ROLL = 49.0 / 6.0
FAR = 18  # slots beyond it are the opponent's home board
SHOTS_BITS = 8  # enough for 36 rolls
SHOTS_MASK = (1 << SHOTS_BITS) - 1


def runs() -> list[float]:
    """The pips that one checker can move with an average roll, by the blocked points ahead (bit j: 12 - j away)."""
    found = []
    for blocked in range(1 << AHEAD):
        is_open = [True] + [not blocked >> AHEAD - distance & 1 for distance in range(1, AHEAD + 1)]
        total = 0
        for a in range(1, 7):
            for b in range(1, 7):
                if a == b:
                    steps = 0
                    while steps < 4 and (steps + 1) * a <= AHEAD and is_open[(steps + 1) * a]:
                        steps += 1
                    total += steps * a
                elif is_open[a + b] and (is_open[a] or is_open[b]):
                    total += a + b
                else:
                    total += max(a if is_open[a] else 0, b if is_open[b] else 0)
        found.append(total / 36)
    return found


RUNS = np.array(runs(), np.float32)
WAYS_TO_LIE = WAYS.reshape(-1)
ROW_OF_WAYS = ALL_CHECKERS + 1


def features(s, out, t):
    """Write the features; return the network and the player, or a negative number if ``out`` begins with chances."""
    if s.player == MAX:
        low, high, other_low, other_high = s.max_low, s.max_high, s.min_low, s.min_high
    else:
        low, high, other_low, other_high = s.min_low, s.min_high, s.max_low, s.max_high
    if high == 0 and other_high == 0 and (low | other_low) >> SLOT_BITS * (HOME + 1) == 0:
        bearing_off(low, other_low, out, t)
        return -1 - s.player
    own = write_side(low, high, out, 0)
    their = write_side(other_low, other_high, out, SIDE)
    last, other_last = highest(own), highest(their)
    first, second = RAW, RAW + len(EXPERT)
    out[first + 1] = (low & FULL) / 15.0
    out[second + 1] = (other_low & FULL) / 15.0
    out[first + 2] = 1.0 if low & FULL else 0.0
    out[second + 2] = 1.0 if other_low & FULL else 0.0
    if last + other_last < BAR:
        return RACE + s.player
    two = several(low, high)
    other_two = several(other_low, other_high)
    write_knowledge(low, high, own, two, last, mirrored(their), mirrored(other_two), other_last, out, first)
    own, two = mirrored(own), mirrored(two)
    write_knowledge(other_low, other_high, their, other_two, other_last, own, two, last, out, second)
    return CONTACT + s.player


def write_side(low, high, out, at):
    """Write Tesauro's features of a player and the pip count; return the occupied slots."""
    one = (plane(low, high, 0) | several(low, high)) & (POINT_BITS | BAR_BIT)
    pips = 0
    for slot in bits(one):
        n = checkers(low, high, slot)
        pips += n * slot
        place = at + SLOT_NUMBERS * (slot - 1)
        out[place] = 1.0
        if n > 1:
            out[place + 1] = 1.0
            if n > 2:
                out[place + 2] = 1.0
                if n > 3:
                    out[place + 3] = (n - 3) * 0.5
    out[RAW if at == 0 else RAW + len(EXPERT)] = pips / 167.0
    return one


def several(low, high):
    """The slots with two or more checkers."""
    return plane(low, high, 1) | plane(low, high, 2) | plane(low, high, 3)


def highest(slots):
    """The highest slot in a set; 0 if it is empty."""
    slot = BAR
    while slot > 0 and not slots >> slot & 1:
        slot -= 1
    return slot


def write_knowledge(low, high, one, two, last, their, their_two, their_last, out, at):
    """Write the other features of one player; all slots, including ``their``, are numbered from that player's side."""
    passed = BAR - their_last  # checkers below this slot have passed all opposing checkers
    to_go, middle, held, mobile = 0, 0, 0.0, 0.0
    blocked = their_two & POINT_BITS
    for slot in bits(one):
        n = checkers(low, high, slot)
        if slot > passed:
            to_go += n * (slot - passed)
        if slot > HOME:
            pips = RUNS[ahead_of(slot, blocked)]
            mobile += n * pips
            if slot > FAR:
                held += n * (PIPS_OF_A_ROLL - pips)
            else:
                middle += n * (slot - HOME)
    out[at + 3] = to_go / 100.0
    blots = their & ~their_two & POINT_BITS
    if blots:
        found = shots(one, checkers(low, high, BAR), blots, blocked)
        out[at + 4] = (found & SHOTS_MASK) / 36.0
        out[at + 10] = (found >> SHOTS_BITS) / 360.0
    worst = RUNS[ahead_of(BAR, blocked)]
    out[at + 11] = worst / 10.0
    for slot in range(FAR + 1, BAR):
        worst = min(worst, RUNS[ahead_of(slot, blocked)])
    out[at + 12] = worst / 10.0
    out[at + 13] = mobile / 100.0
    out[at + 14] = middle / 60.0
    out[at + 5] = RUNS[ahead_of(last, blocked)] / 10.0
    out[at + 6] = held / 20.0
    points = two & POINT_BITS
    wall = 0
    while points:
        points &= points << 1
        wall += 1
    out[at + 7] = wall / 6.0
    # The player's home board, as the opponent's checkers on the bar see it.
    closed = 0
    for _ in bits(two & HOME_BITS):
        closed += 1
    stay_out = closed * closed / 36.0
    out[at + 8] = stay_out
    out[at + 9] = stay_out if their & 1 else 0.0


def ahead_of(slot, blocked):
    """The blocked points ahead of a checker, as an index into ``RUNS``."""
    if slot >= AHEAD:
        return blocked >> slot - AHEAD & (1 << AHEAD) - 1
    return blocked << AHEAD - slot & (1 << AHEAD) - 1


def shots(one, bar, blots, blocked):
    """The number of the 36 rolls that can hit a blot, for a player with checkers in the slots ``one`` and on the bar.

    The bits from ``SHOTS_BITS`` on are the pips that the opponent loses in all these rolls, counting the most costly
    blot of each.
    """
    free = POINT_BITS & ~blocked
    found = 0
    for large in range(1, 7):
        for small in range(1, large):
            found += 2 * cost(hits(one, bar, blots, free, large, small))
        reached, steps, hit = one, 4, 0
        if bar:
            entered = BAR_BIT >> large & free
            reached, hit = one & ~BAR_BIT | entered, entered & blots
            steps = 4 - bar if entered else 0
        for _ in range(steps):
            reached = reached >> large & free
            hit |= reached & blots
        found += cost(hit)
    return found


def cost(hit):
    """One, plus the highest slot hit, shifted by ``SHOTS_BITS``: the pips that its checker loses."""
    if hit == 0:
        return 0
    slot = 0
    for place in bits(hit):
        slot = place
    return 1 + (slot << SHOTS_BITS)


def hits(one, bar, blots, free, large, small):
    if bar == 0:
        by_large, by_small = one >> large & free, one >> small & free
        return (by_large | by_small | by_large >> small | by_small >> large) & blots
    enter_large, enter_small = BAR_BIT >> large & free, BAR_BIT >> small & free
    found = (enter_large | enter_small) & blots
    if bar == 1:
        others = one & ~BAR_BIT
        if enter_large:
            found |= (others | enter_large) >> small & blots
        if enter_small:
            found |= (others | enter_small) >> large & blots
    return found


def bearing_off(low, other_low, out, t):
    """Write the chances of the player with ``low``, who is on roll, when all checkers are at home or off."""
    own, other = home_rank(low), home_rank(other_low)
    win, gammon, lost_gammon = 0.0, 0.0, 0.0
    behind = 1.0  # the probability that the opponent needs at least this many rolls
    for rolls in range(1, MOST_ROLLS):
        ours = t.needed[own, rolls]
        win += ours * behind
        if rolls <= FIRST_ROLLS:
            gammon += ours * t.none_off[other, rolls - 1]
        if rolls < FIRST_ROLLS:
            lost_gammon += t.needed[other, rolls] * t.none_off[own, rolls]
        behind -= t.needed[other, rolls]
    out[0], out[1], out[3] = win, gammon, lost_gammon


def home_rank(low):
    """The index of a player's home board in the table of ``bearoff``."""
    left, found = ALL_CHECKERS, 0
    for point in range(POINTS, 0, -1):
        n = low >> SLOT_BITS * point & FULL
        found += WAYS_TO_LIE[ROW_OF_WAYS * point + left] - WAYS_TO_LIE[ROW_OF_WAYS * point + left - n]
        left -= n
    return found
