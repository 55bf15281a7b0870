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

No clock or repetition has a part in a database: its word holds for positions without a past, and for ever. Where a
clock runs, or positions before the root must not come again, a draw is still a draw, and a win with a known distance
is certain if there is time for it; any other win is at least a draw. If there is time enough, the search believes in
such a win as it does in an evaluation.
"""

from __future__ import annotations

from zerosum.game import WIN
from zerosum.jit.rules import Rules
from zerosum.jit.words import memory_at
from zerosum.search.memory import DATABASE, FOREVER, NO_BOUND, ROOT_TIER
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
"""As the root's tier: every hit ends the line, and only what is certain counts."""

ENOUGH = 30
"""With so many plies left on the clock, a win that the database gives no distance for is believed in."""

HOPE, BELIEF = 1, 2
"""A win that the clock may still spoil: steer for it at the horizon; take it for granted and end the line."""


def probing(rules: Rules):
    """Whether there is a database at all, and the functions ``probed`` and ``steered`` for one game."""
    if "rank" not in rules.has:
        return False, (lambda s, ply, left, mem: (-NO_BOUND, NO_BOUND, 0)), (lambda found, least, most, hope: found)
    tier_of, rank, scored = rules.tier, rules.rank, rules.scored

    def probed(s, ply, left, mem):
        """(least, most, hope): what ``s`` can be worth to the player to move with so many plies left, for certain.

        Equal where that is all known. ``hope``, negative for the opponent's: see HOPE and BELIEF.
        """
        directory = mem[DATABASE]
        tiers = memory_at(directory)
        tier = tier_of(s, mem)
        if tier < 0 or tier >= tiers[0]:
            return -NO_BOUND, NO_BOUND, 0
        index = rank(s, mem)
        verdict = lookup(directory, tier, index)
        if verdict == UNKNOWN:
            return -NO_BOUND, NO_BOUND, 0
        if verdict == DRAW:
            return 0, 0, 0
        least, most, hope = 1, NO_BOUND, 0
        if not scored:
            if tiers[1 + tiers[0] + tier] != 0:
                plies = lookup_distance(directory, tier, index)
                most = WIN - ply - plies
                least = most if plies <= left else 0
            elif left < FOREVER:
                least = 0
                if left >= ENOUGH and mem[ROOT_TIER] != ANYWHERE:
                    hope = HOPE if tier == mem[ROOT_TIER] else BELIEF
            elif tier == mem[ROOT_TIER]:
                least, hope = KEPT - STEERING, HOPE
            else:
                least = CONVERTED - ply
                most = least
        return (least, most, hope) if verdict == WON_BY_MOVER else (-most, -least, -hope)

    def steered(found, least, most, hope):
        """An evaluation for the player to move, within what ``probed`` says."""
        if not scored and hope > 0:
            return KEPT + min(max(found, -STEERING), STEERING)
        if not scored and hope < 0:
            return min(max(found, -STEERING), STEERING) - KEPT
        return min(max(found, least), most)

    return True, probed, steered
