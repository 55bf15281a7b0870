"""Draws by repetition: how often a key occurs on the line, game and search together.

Repetition only ever moves a value towards a draw, and the shortest way to win visits no position twice. Two things
follow for values that the table keeps:

- A win that was found holds by every way to the position, but for one thing: positions before the root that have
  occurred so often that once more is a draw. Nobody can go back and play otherwise there. So a hash of these
  positions, of which there are hardly ever any, is joined to the keys of the table (``SALT``) for as long as they can
  come back.
- "No win within n plies" needs no test for repetition within the search, and must not stand on one: a position whose
  best move leads back into the line would be remembered as not won, wrongly for every other line. So where only wins
  are asked about, nothing but the positions before the root counts; elsewhere, what a repetition had a part in is
  marked as a doubt (``PATH``).
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
        """Whether ``key`` at ``ply`` occurs on the line for the last time that is allowed."""
        here = mem[PAST] + ply
        count = 1
        for i in range(mem[path_from + here], here):
            if mem[path + i] == key:
                count += 1
                if mem[SWITCHES] & EARLY and i > mem[PAST]:
                    return True
        return count >= times

    def note_position(key, reversible, ply, mem):
        """Enter the key of ``ply``, and how far the next ply has to look back: not beyond an irreversible move."""
        here = mem[PAST] + ply
        mem[path + here] = key
        mem[path_from + here + 1] = mem[path_from + here] if reversible else here + 1

    def repeats_past(key, mem):
        """Whether ``key`` has occurred so often up to the root that once more is a draw."""
        if mem[SALT] == 0:
            return False
        count = 1
        for i in range(mem[PAST] + 1):
            if mem[path + i] == key:
                count += 1
        return count >= times

    def salt_at(ply, mem):
        """What is joined to the keys of ``ply``: 0 where no position before the root can come back."""
        salt = mem[SALT]
        if salt != 0 and mem[path_from + mem[PAST] + ply] > mem[PAST]:
            return 0
        return salt

    return repeated, note_position, repeats_past, salt_at


def salt_of(past: Sequence[int], root: int, times: int, free: bool) -> int:
    """The hash of all positions that must not come again; 0 if there are none.

    Where the root's moves are ``free``, the root itself does not count: whoever wins there need not come back to it.
    Where some are left out, or each is to be judged by itself, it does; and where margins count, because a move that
    only leads back to the root would look as good as the best one.
    """
    counts = Counter(past)
    counts[root] = 0 if free else counts[root] + 1
    salt = 0
    for key in sorted(key for key, count in counts.items() if count >= times - 1):
        salt = mix(salt, key) or 1
    return salt
