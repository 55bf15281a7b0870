"""Endgame databases inside a search: what they say about a position, as bounds on its value.

A database says who wins. If it also has the distance, or the position is a draw, that is the exact value and ends
the line. If it has no distances, the engine must still make progress towards the win, so the answer depends on where
the search began:

- A hit in a tier other than the root's ends the line too. Its value is below every win that the search has followed to
  the end, above everything uncertain, and the higher the fewer plies away it is. So the engine heads for the
  nearest move into a smaller endgame that is won. The winner is then certain, but there may still be a win with a
  distance: the game may even be over in that position.
- In the root's own tier, any move that keeps the win would look good enough. There the database only gives
  bounds, and the search goes on. At its horizon the evaluation chooses among won positions; a position that is not won
  is never preferred to one, however good it looks.

In scored games the database, which says who wins but not by how much, gives bounds.

Databases ignore clocks and repetitions: their answers are for positions without a past and without a time limit. If a
clock runs, or positions before the root must not be repeated, a draw is still a draw, and a win with a known distance
is certain if there is time for it; any other win is at least a draw. If there is enough time, the search trusts
it as it trusts an evaluation.
"""

from __future__ import annotations

from zerosum.game import WIN
from zerosum.jit.rules import Rules
from zerosum.jit.words import memory_at
from zerosum.search.memory import DATABASE, DOUBTS, FOREVER, GUESSED, NO_BOUND, ROOT_TIER
from zerosum.search.result import LONGEST_WIN, NO_DISTANCE
from zerosum.solved_tiers import DRAW, UNKNOWN, VICTORY, lookup, lookup_distance

CONVERTED = WIN - NO_DISTANCE
"""The value of a win from the database, less the plies to reach it. Higher values are wins with a known distance."""

KEPT = WIN - 3 * LONGEST_WIN // 4
"""A win at the horizon, still in the root's tier; the evaluation is added to it."""

STEERING = LONGEST_WIN // 8
"""The most that an evaluation can count among won positions."""

ANYWHERE = -1
"""As the root's tier: every hit ends the line, and only certain results count."""

ENOUGH = 30
"""With this many plies left on the clock, a win without a distance in the database is trusted."""

HOPE, BELIEF = 1, 2
"""A win without a distance: head for it at the horizon; or end the line with it, at ``CONVERTED``."""


def _nothing(s, ply, left, mem):
    return -NO_BOUND, NO_BOUND, 0


def probing(rules: Rules):
    """Whether there is a database, and the functions ``probed``, ``steered`` and ``undated`` for one game."""
    if "rank" not in rules.has:
        return False, _nothing, (lambda found, least, most, hope: found), None
    tier_of, rank, scored = rules.tier, rules.rank, rules.scored

    def probed(s, ply, left, mem):
        """(least, most, hope): certain bounds on the value of ``s`` for the side to move, with ``left`` plies left.

        The bounds are equal if the value is known. ``hope`` is HOPE or BELIEF, negated for a win of the opponent.
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
                least, hope = CONVERTED - ply, BELIEF
        return (least, most, hope) if verdict == VICTORY else (-most, -least, -hope)

    def steered(found, least, most, hope):
        """An evaluation for the player to move, adjusted to the results of ``probed``."""
        if not scored and hope > 0:
            return KEPT + min(max(found, -STEERING), STEERING)
        if not scored and hope < 0:
            return min(max(found, -STEERING), STEERING) - KEPT
        return min(max(found, least), most)

    def undated(hope, least, most, ply, one, other, mem):
        """The value, for the player to move, of a win without a distance; the window is between ``one`` and ``other``.

        Leaves its doubts: none if it only has to show who wins, and that is certain.
        """
        found = CONVERTED - ply if hope > 0 else ply - CONVERTED
        is_answer = found >= max(one, other) if hope > 0 else found <= min(one, other)
        is_certain = least >= found if hope > 0 else most <= found
        mem[DOUBTS] = 0 if is_answer and is_certain else GUESSED
        return found

    return True, probed, steered, undated
