"""Draws by repetition: how often a key occurs on the line, in the game and the search together.

Repetition only ever moves a value towards a draw, and the shortest win visits no position twice. Two things
follow for values in the table:

- A win holds on every path to the position, with one exception: positions before the root that have
  occurred so often that one more time is a draw. Nobody can go back and play differently there. So a hash of these
  positions, of which there are hardly ever any, is mixed into the table's keys (``SALT``) while they can be repeated.
- "No win within n plies" needs no repetition test within the search, and must not depend on one: a position whose
  best move leads back into the line would be stored as not won, which is wrong for every other line. So if the window
  is only about wins, only the positions before the root count; otherwise a value that a repetition affected is
  marked with a doubt (``PATH``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from zerosum.jit.bits import mix
from zerosum.jit.rules import Rules
from zerosum.search.memory import PAST, SALT, SWITCHES
from zerosum.search.options import switch

EARLY = switch("early_repetition")


def repetition_test(rules: Rules):
    """The functions repeated, note_position, repeats_past and salt_at for one game."""
    path, path_from, times = rules.at["path"], rules.at["path_from"], rules.repetition

    def repeated(key, ply, mem):
        """Whether ``key`` at ``ply`` has now occurred often enough on the line for a draw."""
        here = mem[PAST] + ply
        count = 1
        for i in range(mem[path_from + here], here):
            if mem[path + i] == key:
                count += 1
                if mem[SWITCHES] & EARLY and i > mem[PAST]:
                    return True
        return count >= times

    def note_position(key, reversible, ply, mem):
        """Record the key of ``ply``, and how far back the next ply must look: not beyond an irreversible move."""
        here = mem[PAST] + ply
        mem[path + here] = key
        mem[path_from + here + 1] = mem[path_from + here] if reversible else here + 1

    def repeats_past(key, mem):
        """Whether ``key`` has occurred so often up to the root that one more time is a draw."""
        if mem[SALT] == 0:
            return False
        count = 1
        for i in range(mem[PAST] + 1):
            if mem[path + i] == key:
                count += 1
        return count >= times

    def salt_at(ply, mem):
        """The hash to mix into the keys at ``ply``: 0 if no position before the root can be repeated."""
        salt = mem[SALT]
        if salt != 0 and mem[path_from + mem[PAST] + ply] > mem[PAST]:
            return 0
        return salt

    return repeated, note_position, repeats_past, salt_at


def salt_of(past: Sequence[int], root: int, times: int, free: bool) -> int:
    """The hash of all positions that must not be repeated; 0 if there are none.

    If the root's moves are ``free``, the root itself does not count: the winner need not return to it. It
    does count if some moves are excluded, or if each is valued separately; and in scored games, because a move that
    only leads back to the root would look as good as the best one.
    """
    counts = Counter(past)
    counts[root] = 0 if free else counts[root] + 1
    salt = 0
    for key in sorted(key for key, count in counts.items() if count >= times - 1):
        salt = mix(salt, key) or 1
    return salt
