"""Perft: how many lines of play there are to a depth. Proves that the rules are right, and how fast they are."""

from __future__ import annotations

from zerosum.jit.kernel import Kernel
from zerosum.jit.rules import ERROR, HEADER, STOP, Rules, recursive

DEPTH = 4
assert HEADER > DEPTH


def build(rules: Rules):
    moves, play, is_terminal, unpack, pack = rules.moves, rules.play, rules.is_terminal, rules.unpack, rules.pack
    width, state, culprit, buffer = rules.max_moves, rules.at.state, rules.at.culprit, rules.at.free

    @recursive("int", "State", "int", "int", "memory")
    def count(s, depth, at, mem):
        """Lines of exactly ``depth >= 1`` plies from ``s``; uses ``mem[at:]``. A game that ends earlier has none."""
        if is_terminal(s, mem):
            return 0
        n = moves(s, mem, at, at + width)
        if n < 0:
            pack(s, mem, culprit)
            mem[ERROR] = n
            mem[STOP] = 1
            return 0
        if depth == 1:
            return n
        total = 0
        for i in range(n):
            total += count(play(s, mem[at + i], mem), depth - 1, at + n, mem)
            if mem[STOP]:
                break
        return total

    def entry(mem):
        return count(unpack(mem, state), mem[DEPTH], buffer, mem)

    return entry


PERFT = Kernel("perft", ("moves", "play", "is_terminal"), build)
