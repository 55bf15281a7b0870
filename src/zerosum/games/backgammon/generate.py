"""All legal plays of a roll, one for each resulting position.

A move is a whole play: up to four *steps*, each of which moves one checker by one die. It is encoded as the slots where
the steps begin, five bits each, in the order of play, 0 for none; with ``SMALL_FIRST`` the smaller die is played first.
A pass, which moves nothing, is 0.

A player's checkers are sets of slots here: ``one`` is the set of slots with at least one checker, ``two`` with at least
two, and so on up to ``four``. That is enough, because at most four checkers can leave a slot in one play.

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

# An upper bound: a result is determined by how many of a double's four steps each of the 15 checkers takes, and there
# are C(15 + 4 - 1, 4) ways to distribute them. Two different dice each move one of 15 checkers: far fewer ways.
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
    # The opponent's slots 0 and 25 are not points, so they must not block our slots 25 and 0.
    free = ~mirrored(made) & ON_BOARD & ~BAR_BIT
    blots = mirrored(blots) & ON_BOARD & ~BAR_BIT
    large, small = s.roll // 10, s.roll % 10
    if large == small:
        yield from doubles(one, two, three, four, free, large, longest(one, two, three, four, free, large))
    else:
        yield from pairs(one, two, free, blots, large, small)


def sources(one, free, die):
    """The slots from which this die may move a checker: from the bar first, and off only when all are at home."""
    if one & BAR_BIT:
        return one & free << die & BAR_BIT
    found = one & free << die
    if one & OUTSIDE == 0:
        if one < 2 << die:  # no checker is further away than the die: the furthest may be borne off
            return found | highest(one)
        return found | one & 1 << die
    return found


def highest(slots):
    """The highest of some slots of the home board, as a set; empty if there are none."""
    slots |= slots >> 1
    slots |= slots >> 2
    slots |= slots >> 4
    return slots ^ slots >> 1


def stepped(one, two, slot, die):
    """``one`` after a checker has moved from a slot."""
    after = one & (~(1 << slot) | two)
    return after | 1 << slot - die if slot > die else after


def pairs(one, two, free, blots, large, small):
    """Plays of two different dice: both if possible, otherwise the larger, otherwise the smaller, otherwise a pass.

    Let a be the slot of the larger die and b that of the smaller. All plays of both dice have different results, with
    two exceptions: one checker may take both steps in two orders, which differ only in what it hits on the way; and
    two checkers that either die can bear off may use the dice either way.
    """
    with_large, with_small = sources(one, free, large), sources(one, free, small)
    found = False
    for a in bits(with_large):
        after = stepped(one, two, a, large)
        second = sources(after, free, small)
        if second >> a + small & 1:  # a checker from a + small lands on a, where one leaves by the larger die
            if is_other_way(one, two, free, blots, large, small, a + small):
                second &= ~(1 << a + small)
        if a <= small:  # of two checkers borne off, the further one uses the larger die
            second &= (2 << a) - 1 | -(2 << small)
        for b in bits(second):
            yield a | b << STEP_BITS
            found = True
    for b in bits(with_small):
        # Plays where the larger die could move first have been found above.
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
    """Whether a checker on ``start`` may use the larger die first with the same result as the smaller die first."""
    between = start - large
    if between < 1:
        return False
    if (blots >> between | blots >> start - small) & 1:
        return False
    if not sources(one, free, large) >> start & 1:
        return False
    return sources(stepped(one, two, start, large), free, small) >> between & 1 == 1


def longest(one, two, three, four, free, die):
    """The most steps of a double that can be played."""
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
    """Plays of this many steps of one die, from the furthest slots first.

    The number of checkers that leave each slot determines the result, and vice versa, so sources in descending order
    give each result once. Every legal sequence of steps stays legal when sorted this way: a checker further back never
    needs a nearer one to move first.
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
    """The slot where a step ends, as a set; empty if the checker is borne off."""
    return 1 << slot - die if slot > die else 0
