"""Perft: how many lines of play there are to a depth. Proves that the rules are right, and how fast they are.

A ply is a move, or where chance is to move an outcome, each counted once whatever its probability.
"""

from __future__ import annotations

from zerosum.game import CHANCE
from zerosum.jit.kernel import Kernel
from zerosum.jit.rules import ERROR, HEADER, STOP, Rules, recursive
from zerosum.jit.words import whole

DEPTH = 4
assert HEADER > DEPTH


def moves_or_outcomes(rules: Rules):
    """The function that fills the buffer with the moves of a state, or where chance is to move with the outcomes."""
    to_move, moves, chances = rules.to_move, rules.moves, rules.chances
    max_moves, max_chances = rules.max_moves, rules.max_chances

    def fill(s, mem, at, end):
        if to_move(s, mem) != CHANCE:
            return moves(s, mem, at, at + max_moves)
        n = chances(s, mem, at, at + 2 * max_chances)
        for i in range(n):
            mem[at + i] = mem[at + 2 * i]
        return n

    return fill


def build(rules: Rules):
    play, is_terminal, unpack, pack = rules.play, rules.is_terminal, rules.unpack, rules.pack
    moves, count_moves = rules.moves, rules.count_moves
    if rules.has["chances"]:
        moves = count_moves = moves_or_outcomes(rules)
    width, state, culprit, buffer = rules.max_moves, rules.at.state, rules.at.culprit, rules.at.free

    def wrong(s, code, mem):
        pack(s, mem, culprit)
        mem[ERROR] = code
        mem[STOP] = 1
        return 0

    def last_ply(s, at, mem):
        """The number of moves of ``s``: the last ply is counted without being played."""
        if is_terminal(s, mem):
            return 0
        n = count_moves(s, mem, at, at + width)
        return n if n >= 0 else wrong(s, n, mem)

    @recursive("int", "State", "int", "int", "memory")
    def count(s, depth, at, mem):
        """Lines of exactly ``depth >= 2`` plies from ``s``; uses ``mem[at:]``. A game that ends earlier has none."""
        if is_terminal(s, mem):
            return 0
        n = moves(s, mem, at, at + width)
        if n < 0:
            return wrong(s, n, mem)
        total = 0
        if depth == 2:
            # A loop of its own for the leaves' parents, nearly all there are: one call less for each, and what counting
            # does not look at, such as keys and sums, need not even be worked out.
            for i in range(n):
                total += last_ply(play(s, mem[at + i], mem), at + n, mem)
                if mem[STOP]:
                    break
            return total
        for i in range(n):
            total += count(play(s, mem[at + i], mem), depth - 1, at + n, mem)
            if mem[STOP]:
                break
        return total

    def entry(mem):
        s = unpack(mem, state)
        # A constant has a type of its own, for which everything below would be compiled once more.
        at = whole(buffer)
        return last_ply(s, at, mem) if mem[DEPTH] == 1 else count(s, mem[DEPTH], at, mem)

    return entry


PERFT = Kernel("perft", ("to_move", "moves", "chances", "play", "is_terminal"), build)
