"""Draws by repetition: how often a key occurs on the line, game and search together."""

from __future__ import annotations

from zerosum.jit.rules import Rules
from zerosum.search.memory import PAST, SWITCHES, SearchLayout
from zerosum.search.options import switch

EARLY = switch("early_repetition")


def repetition_test(rules: Rules, layout: SearchLayout):
    """The functions repeated and note_position for one game."""
    path, path_from, times = layout.path, layout.path_from, rules.repetition

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

    return repeated, note_position
