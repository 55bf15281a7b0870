"""Every legal play of a roll, each result once.

A move is a whole play: up to four *steps*, each a checker of the own side moved by one die. It is written as the slots
where the steps begin, five bits each and in the order of play, 0 for none; with ``SMALL_FIRST`` the smaller die is
played first. Moving nothing, the pass, is 0.

A player's checkers are sets of slots here: ``one`` is the set of slots with one checker or more, ``two`` with two or
more, and so on to ``four``. No more is needed: no more than four checkers can leave a slot in one play.

>>> from zerosum.games.backgammon.position import initial
>>> len(list(moves(initial()._replace(roll=31)))), len(list(moves(initial()._replace(roll=22))))
(16, 75)
"""

from __future__ import annotations

from zerosum.game import MAX
from zerosum.games.backgammon.position import BAR_BIT, OUTSIDE, SLOTS, mirrored, plane
from zerosum.jit.bits import bits

STEP_BITS = 5
SOURCE = (1 << STEP_BITS) - 1
SMALL_FIRST = 1 << 4 * STEP_BITS
PASS = 0

# Each result comes from saying for each of 15 checkers how many of the four steps of a double it takes: there are
# C(15 + 4 - 1, 4) ways to say that. Two different dice go to 15 checkers each: far fewer ways.
MOST_MOVES = 3060

ON_BOARD = (1 << SLOTS) - 2  # the slots 1 to 25


def moves(s):
    if s.player == MAX:
        low, high, other_low, other_high = s.max_low, s.max_high, s.min_low, s.min_high
    else:
        low, high, other_low, other_high = s.min_low, s.min_high, s.max_low, s.max_high
    ones, twos, fours, eights = plane(low, high, 0), plane(low, high, 1), plane(low, high, 2), plane(low, high, 3)
    four = (fours | eights) & ON_BOARD
    three = ((ones & twos) | four) & ON_BOARD
    two = (twos | four) & ON_BOARD
    one = (ones | two) & ON_BOARD
    made = plane(other_low, other_high, 1) | plane(other_low, other_high, 2) | plane(other_low, other_high, 3)
    blots = plane(other_low, other_high, 0) & ~made
    # Slots 0 and 25 of the other player are no points: our own 25 and 0 are never landed on as points.
    free = ~mirrored(made) & ON_BOARD & ~BAR_BIT
    blots = mirrored(blots) & ON_BOARD & ~BAR_BIT
    large, small = s.roll // 10, s.roll % 10
    if large == small:
        yield from doubles(one, two, three, four, free, large, longest(one, two, three, four, free, large))
    else:
        yield from pairs(one, two, free, blots, large, small)


def sources(one, free, die):
    """The slots from which a checker may be moved by this die: from the bar first, and off only when all are home."""
    if one & BAR_BIT:
        return one & free << die & BAR_BIT
    found = one & free << die
    if one & OUTSIDE == 0:
        if one < 2 << die:  # nobody is further away than the die: the furthest checkers may leave
            return found | highest(one)
        return found | one & 1 << die
    return found


def highest(slots):
    """The highest of some slots of the home board, as a set; empty for none."""
    slots |= slots >> 1
    slots |= slots >> 2
    slots |= slots >> 4
    return slots ^ slots >> 1


def stepped(one, two, slot, die):
    """``one`` after a checker has left a slot."""
    after = one & (~(1 << slot) | two)
    return after | 1 << slot - die if slot > die else after


def pairs(one, two, free, blots, large, small):
    """Plays of two different dice: both, else the larger, else the smaller, else the pass.

    With a the slot of the larger die and b that of the smaller, all plays of both dice have different results, but:
    the same checker may take both steps in two ways, which differ only by what it hits on the way; and two checkers
    that both dice can bear off may do so in two ways.
    """
    with_large, with_small = sources(one, free, large), sources(one, free, small)
    found = False
    for a in bits(with_large):
        after = stepped(one, two, a, large)
        second = sources(after, free, small)
        if second >> a + small & 1:  # one checker from a + small by the smaller, the next from there by the larger die
            if is_other_way(one, two, free, blots, large, small, a + small):
                second &= ~(1 << a + small)
        if a <= small:  # the further one of two that leave does so by the larger die
            second &= (2 << a) - 1 | -(2 << small)
        for b in bits(second):
            yield a | b << STEP_BITS
            found = True
    for b in bits(with_small):
        # Whatever the larger die could play at once has been found above.
        second = sources(stepped(one, two, b, small), free, large) & ~with_large
        if second == 0:
            continue
        if b > small:
            if second >> b - small & 1:
                if is_other_way(one, two, free, blots, large, small, b):
                    second &= ~(1 << b - small)
        else:
            second &= -(1 << b)
        for a in bits(second):
            yield b | a << STEP_BITS | SMALL_FIRST
            found = True
    if not found:
        if with_large:
            for a in bits(with_large):
                yield a
        elif with_small:
            for b in bits(with_small):
                yield b | SMALL_FIRST
        else:
            yield PASS


def is_other_way(one, two, free, blots, large, small, start):
    """Whether a checker may go from ``start`` by the larger die first, with the same result as by the smaller first."""
    between = start - large
    if between < 1:
        return False
    if (blots >> between | blots >> start - small) & 1:
        return False
    if not sources(one, free, large) >> start & 1:
        return False
    return sources(stepped(one, two, start, large), free, small) >> between & 1 == 1


def longest(one, two, three, four, free, die):
    """How many steps of a double can be played."""
    best = 0
    for a in bits(sources(one, free, die)):
        best = max(best, 1)
        bit, to = 1 << a, landing(a, die)
        two_a = two & ~bit | three & bit | one & to
        one_a = one & ~bit | two & bit | to
        three_a = three & ~bit | four & bit | two & to
        for b in bits(sources(one_a, free, die) & (2 << a) - 1):
            best = max(best, 2)
            bit, to = 1 << b, landing(b, die)
            two_b = two_a & ~bit | three_a & bit | one_a & to
            one_b = one_a & ~bit | two_a & bit | to
            for c in bits(sources(one_b, free, die) & (2 << b) - 1):
                best = max(best, 3)
                bit, to = 1 << c, landing(c, die)
                if sources(one_b & ~bit | two_b & bit | to, free, die) & (2 << c) - 1:
                    return 4
    return best


def doubles(one, two, three, four, free, die, steps):
    """Plays of this many steps of one die, further slots first.

    How many checkers leave each slot says what the result is, and the other way round: so sources in falling order
    give each result once. Every legal order of steps stays legal when sorted so: what stands further back never needs
    a nearer checker to move first.
    """
    if steps == 0:
        yield PASS
        return
    for a in bits(sources(one, free, die)):
        if steps == 1:
            yield a
            continue
        bit, to = 1 << a, landing(a, die)
        two_a = two & ~bit | three & bit | one & to
        one_a = one & ~bit | two & bit | to
        three_a = three & ~bit | four & bit | two & to
        for b in bits(sources(one_a, free, die) & (2 << a) - 1):
            two_steps = a | b << STEP_BITS
            if steps == 2:
                yield two_steps
                continue
            bit, to = 1 << b, landing(b, die)
            two_b = two_a & ~bit | three_a & bit | one_a & to
            one_b = one_a & ~bit | two_a & bit | to
            for c in bits(sources(one_b, free, die) & (2 << b) - 1):
                three_steps = two_steps | c << 2 * STEP_BITS
                if steps == 3:
                    yield three_steps
                    continue
                bit, to = 1 << c, landing(c, die)
                for d in bits(sources(one_b & ~bit | two_b & bit | to, free, die) & (2 << c) - 1):
                    yield three_steps | d << 3 * STEP_BITS


def landing(slot, die):
    """The slot, as a set, where a step ends; empty where it leaves the board."""
    return 1 << slot - die if slot > die else 0
