"""Quiescence: beyond the horizon, noisy moves are followed until the position can be judged.

The player to move may stand pat, that is, take the evaluation instead of any noisy move, unless the state
is forced: then all moves are looked at (D. Beal, A generalised quiescence search algorithm, Artificial
Intelligence 43, 1990).
"""

from __future__ import annotations

from zerosum.game import MAX
from zerosum.jit.rules import ERROR, NODE_LIMIT, NODES, STOP, Rules, recursive
from zerosum.search.memory import MAX_PLY, NO_BOUND, PROVEN, PV_ROW, SWITCHES, SearchLayout
from zerosum.search.options import switch
from zerosum.search.ordering import move_ordering
from zerosum.search.pv import extend_pv
from zerosum.search.values import guess_value, outcome_value

FORCED = switch("forced")
MOVE = (1 << 32) - 1


def quiet_search(rules: Rules, layout: SearchLayout):
    """The function quiet_value for one game."""
    to_move, moves, noisy_moves, play = rules.to_move, rules.moves, rules.noisy_moves, rules.play
    is_terminal, utility, evaluate, is_forced = rules.is_terminal, rules.utility, rules.evaluate, rules.is_forced
    pack, width, culprit = rules.pack, rules.max_moves, rules.at.culprit
    outcome, guess = outcome_value(rules.scored), guess_value(rules.scored)
    pv_rows = layout.pv
    score_moves, pick, _, _ = move_ordering(rules, layout)

    @recursive("int", "State", "int", "int", "int", "int", "memory")
    def quiet_value(s, alpha, beta, ply, at, mem):
        """The value of ``s`` for MAX once it is quiet, fail-soft within (alpha, beta). Never proven but at the end."""
        if mem[STOP]:
            return 0
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        if beta - alpha > 1:
            mem[pv_rows + ply * PV_ROW] = 0
        if is_terminal(s, mem):
            mem[PROVEN] = 1
            return outcome(utility(s, mem), ply)
        mem[PROVEN] = 0
        if ply >= MAX_PLY:
            return guess(evaluate(s, mem))
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        low, high = (alpha, beta) if maximising else (-beta, -alpha)
        open_window = high - low > 1
        best = -NO_BOUND
        forced = (mem[SWITCHES] & FORCED) != 0 and is_forced(s, mem) != 0
        if forced:
            n = moves(s, mem, at, at + width)
            if n == 0:
                mem[PROVEN] = 1
                return outcome(utility(s, mem), ply)
        else:
            best = sign * guess(evaluate(s, mem))
            if best >= high:
                return sign * best
            low = max(low, best)
            n = noisy_moves(s, mem, at, at + width)
        if n < 0:
            pack(s, mem, culprit)
            mem[ERROR] = n
            mem[STOP] = 1
            return 0
        sort = score_moves(s, sign, n, 2, ply, at, mem)
        for i in range(n):
            if sort:
                pick(i, n, at, mem)
            move = mem[at + i] & MOVE
            a, b = (low, high) if maximising else (-high, -low)
            found = sign * quiet_value(play(s, move, mem), a, b, ply + 1, at + n, mem)
            if mem[STOP]:
                return 0
            if found > best:
                best = found
                if found > low:
                    low = found
                    if open_window:
                        extend_pv(pv_rows, ply, move, mem)
                    if low >= high:
                        break
        mem[PROVEN] = 0
        return sign * best

    return quiet_value
