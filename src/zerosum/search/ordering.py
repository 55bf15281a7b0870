"""The order of moves: what the table remembers, then what the game says, then what has worked lately.

The game's ``order`` (or the successor's evaluation) decides. Among moves that it finds equal, killers come
first, then the move that refuted the same move before, then the ones that refuted most.
"""

from __future__ import annotations

from zerosum.jit.rules import Rules
from zerosum.search.memory import SLOTS, SWITCHES, SearchLayout
from zerosum.search.options import switch

ORDER = switch("order")
KILLERS = switch("killers")
HISTORY = switch("history")

MOVE = (1 << 32) - 1
FIRST = 1 << 61  # the score of the table's move
LIMIT = 1 << 14  # of a history counter
KILLER, COUNTER = LIMIT * 4, LIMIT * 2
SCALE = 20  # bits for what has worked lately, below the bits of the game's own order


def move_ordering(rules: Rules, layout: SearchLayout):
    """The functions score_moves, pick, promote and reward for one game."""
    play, evaluate, order = rules.play, rules.evaluate, rules.order
    has_order, has_evaluate = rules.has["order"], rules.has["evaluate"]
    gap, line, killers = layout.gap, layout.line, layout.killers
    history, counters = layout.history, layout.counters

    def score_moves(s, sign, n, depth, ply, at, mem):
        """If the ``n`` moves at ``mem[at:]`` are to be sorted, give each its score and its index as generated.

        Sorting pays only where subtrees hang below.
        """
        on = mem[SWITCHES]
        if depth <= 1 or not on & (ORDER | KILLERS | HISTORY):
            return False
        player = history + (SLOTS if sign > 0 else 0)
        first, second = -1, -1
        if on & KILLERS:
            first, second = mem[killers + 2 * ply], mem[killers + 2 * ply + 1]
        refutation = -1
        if on & HISTORY:
            refutation = mem[counters + (SLOTS if sign > 0 else 0) + (mem[line + ply] & (SLOTS - 1))]
        for i in range(n):
            move = mem[at + i]
            score = 0
            if on & ORDER:
                if has_order:
                    score = order(s, move, mem) << SCALE
                elif has_evaluate:
                    score = sign * evaluate(play(s, move, mem), mem) << SCALE
            if move + 1 == first:
                score += KILLER + 1
            elif move + 1 == second:
                score += KILLER
            if on & HISTORY:
                if move + 1 == refutation:
                    score += COUNTER
                score += mem[player + (move & (SLOTS - 1))]
            mem[at + gap + i] = score
            mem[at + i] = move | (i << 32)
        return True

    def pick(i, n, at, mem):
        """Bring the move with the highest score of those from ``i`` on to place ``i``."""
        best = i
        top = mem[at + gap + i]
        for j in range(i + 1, n):
            if mem[at + gap + j] > top:
                best, top = j, mem[at + gap + j]
        if best != i:
            word = mem[at + best]
            mem[at + best], mem[at + gap + best] = mem[at + i], mem[at + gap + i]
            mem[at + i], mem[at + gap + i] = word, top

    def promote(index, sort, at, mem):
        """Make the move generated as number ``index`` the first."""
        if sort:
            mem[at + gap + index] = FIRST
        else:
            word = mem[at + index]
            mem[at + index] = mem[at]
            mem[at] = word

    def reward(move, player, depth, ply, at, searched, mem):
        """Note that ``move`` has refuted the last one, after ``searched - 1`` others did not."""
        if mem[SWITCHES] & KILLERS and mem[killers + 2 * ply] != move + 1:
            mem[killers + 2 * ply + 1] = mem[killers + 2 * ply]
            mem[killers + 2 * ply] = move + 1
        if mem[SWITCHES] & HISTORY:
            mem[counters + player * SLOTS + (mem[line + ply] & (SLOTS - 1))] = move + 1
            gain = min(depth * depth, 400)
            counter = history + player * SLOTS
            for i in range(searched - 1):
                slot = counter + (mem[at + i] & (SLOTS - 1))
                mem[slot] -= gain + (mem[slot] * gain >> 14)
            slot = counter + (move & (SLOTS - 1))
            # The higher a counter, the less it grows: it never leaves ±LIMIT.
            mem[slot] += gain - (mem[slot] * gain >> 14)

    return score_moves, pick, promote, reward
