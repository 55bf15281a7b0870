"""Endgame databases inside a search: what they know of a position, as bounds on its value.

A database tells who wins. Where it also has the distance, or the position is a draw, that is the exact value and ends
the line. Where it has no distances, a win must still be won, so it depends on where the search began:

- A hit in another tier than the root's ends the line too. It is worth less than a win that the search itself has seen
  to the end, more than anything that is not sure, and the more the fewer plies away it is: so the engine goes for the
  nearest move into a smaller ending that is won. Such a win counts as proven: who wins is, if not when.
- In the root's own tier everybody would be content with any move that keeps the win. There the database only gives
  bounds, and the search goes on. At its horizon the evaluation chooses among won positions; a position that is not won
  is never taken for one, however good it looks.

In games whose margins count (``scored``) the database, which knows who wins but not by how much, gives bounds.

No clock or repetition has a part in a database: its word holds for positions without a past.
"""

from __future__ import annotations

from zerosum.game import WIN
from zerosum.jit.rules import Rules
from zerosum.jit.words import memory_at
from zerosum.search.memory import DATABASE, NO_BOUND, ROOT_TIER
from zerosum.search.packed import DRAW, UNKNOWN, lookup, lookup_distance
from zerosum.search.packed import WON as WON_BY_MOVER
from zerosum.search.result import LONGEST_WIN, NO_DISTANCE

CONVERTED = WIN - NO_DISTANCE
"""A win that is known from the database, less the plies to get there; all beyond are wins with a known distance."""

KEPT = WIN - 3 * LONGEST_WIN // 4
"""A win at the horizon, still in the root's tier; the evaluation is added to it."""

STEERING = LONGEST_WIN // 8
"""Evaluations count for at most so much among won positions."""

ANYWHERE = -1
"""As the root's tier: every hit ends the line."""


def probing(rules: Rules):
    """Whether there is a database at all, and the functions ``probed`` and ``steered`` for one game."""
    if "rank" not in rules.has:
        return False, (lambda s, ply, mem: (-NO_BOUND, NO_BOUND)), (lambda found, least, most: found)
    tier_of, rank, scored = rules.tier, rules.rank, rules.scored

    def probed(s, ply, mem):
        """The least and the most that ``s`` can be worth to the player to move; equal where that is all known."""
        directory = mem[DATABASE]
        tiers = memory_at(directory)
        tier = tier_of(s, mem)
        if tier < 0 or tier >= tiers[0]:
            return -NO_BOUND, NO_BOUND
        index = rank(s, mem)
        verdict = lookup(directory, tier, index)
        if verdict == UNKNOWN:
            return -NO_BOUND, NO_BOUND
        if verdict == DRAW:
            return 0, 0
        least, most = 1, NO_BOUND
        if not scored:
            if tiers[1 + tiers[0] + tier] != 0:
                least = WIN - ply - lookup_distance(directory, tier, index)
                most = least
            elif tier == mem[ROOT_TIER]:
                least = KEPT - STEERING
            else:
                least = CONVERTED - ply
                most = least
        return (least, most) if verdict == WON_BY_MOVER else (-most, -least)

    def steered(found, least, most):
        """An evaluation for the player to move, within what ``probed`` says."""
        if scored:
            return min(max(found, least), most)
        if least > 0:
            return KEPT + min(max(found, -STEERING), STEERING)
        if most < 0:
            return min(max(found, -STEERING), STEERING) - KEPT
        return found

    return True, probed, steered
