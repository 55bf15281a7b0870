"""Minimax to a horizon: every line to the end or to the full depth, without pruning and without a table."""

from __future__ import annotations

from zerosum.game import MAX
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import NODE_LIMIT, NODES, STOP
from zerosum.jit.rules import Rules, recursive
from zerosum.search.memory import (
    DEPTH,
    DOUBTS,
    NO_BOUND,
    PV_ROW,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    SEARCH,
    UNSEEN,
    search_regions,
)
from zerosum.search.pv import extend_pv
from zerosum.search.values import guess_value, outcome_value


def build(rules: Rules):
    to_move, moves, play, utility = rules.to_move, rules.moves, rules.play, rules.utility
    is_terminal, evaluate, unpack, fail = rules.is_terminal, rules.evaluate, rules.unpack, rules.fail
    width, state = rules.max_moves, rules.at.state
    outcome, guess = outcome_value(rules.scored), guess_value(rules.scored)
    place = rules.at
    root_moves, root_values, pv_rows, buffer = place["root_moves"], place["root_values"], place["pv"], place["buffer"]

    @recursive("int", "State", "int", "int", "int", "memory")
    def value(s, depth, ply, at, mem):
        """The exact value of ``s`` for MAX, ``depth`` moves ahead. Leaves its line in the row of ``ply``."""
        if mem[STOP]:
            return 0
        mem[NODES] += 1
        if mem[NODES] >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        mem[pv_rows + ply * PV_ROW] = 0
        if is_terminal(s, mem):
            return outcome(utility(s, mem), ply)
        if depth <= 0:
            mem[DOUBTS] = UNSEEN
            return guess(evaluate(s, mem))
        n = moves(s, mem, at, at + width)
        if n < 0:
            return fail(s, n, mem)
        if n == 0:
            return outcome(utility(s, mem), ply)
        sign = 1 if to_move(s, mem) == MAX else -1
        best = -NO_BOUND
        for i in range(n):
            found = sign * value(play(s, mem[at + i], mem), depth - 1, ply + 1, at + n, mem)
            if mem[STOP]:
                return 0
            if found > best:
                best = found
                extend_pv(pv_rows, ply, mem[at + i], mem)
        return sign * best

    def entry(mem):
        """Search the root's moves one by one; leave the value of each, and the first best move."""
        s = unpack(mem, state)
        sign = 1 if to_move(s, mem) == MAX else -1
        best = -NO_BOUND
        mem[DOUBTS] = 0
        for i in range(mem[ROOT_COUNT]):
            found = sign * value(play(s, mem[root_moves + i], mem), mem[DEPTH] - 1, 1, buffer, mem)
            if mem[STOP]:
                break
            mem[root_values + i] = sign * found
            mem[ROOT_DONE] = i + 1
            if found > best:
                best = found
                mem[ROOT_BEST] = i
                mem[ROOT_VALUE] = sign * found
                extend_pv(pv_rows, 0, mem[root_moves + i], mem)
        return sign * best

    return entry


MINIMAX = Kernel(
    "minimax", ("to_move", "moves", "play", "utility", "is_terminal", "evaluate"), build, SEARCH, search_regions
)
