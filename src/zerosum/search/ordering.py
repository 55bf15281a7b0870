"""Move ordering: the table's move, then the game's order, then what has worked recently.

The game's ``order`` (or the successor's evaluation) decides. Among moves of equal order, killers come
first, then the counter-move (the one that refuted the same move before), then those with the best history, overall and
as an answer to the same move.
"""

from __future__ import annotations

from zerosum.jit.rules import Rules, recursive
from zerosum.search.memory import ANSWERS, CHECKING, LOOK_WEIGHT, NO_BOUND, SLOTS, SWITCHES
from zerosum.search.options import switch

ORDER = switch("order")
KILLERS = switch("killers")
HISTORY = switch("history")
QUIESCENCE = switch("quiescence")

MOVE = (1 << 32) - 1
LIMIT = 1 << 14  # where history counters saturate
ANSWER_STEP, MOVE_STEP = 40503, 27  # odd numbers that spread pairs of moves over the counters
KILLER, COUNTER = LIMIT * 4, LIMIT * 2
SCALE = 20  # bits for killers and history, below the bits of the game's own order
HALF = 1 << SCALE - 1


def move_ordering(rules: Rules, judge):
    """The functions score_moves, pick and reward for one game; ``judge(s, ply, mem)`` evaluates."""
    play, order = rules.play, rules.order
    has_order, has_evaluate = rules.has["order"], rules.has["evaluate"]
    place = rules.at
    gap, line, killers = place["scores"] - place["buffer"], place["line"], place["killers"]
    history, counters, answers = place["history"], place["counters"], place["answers"]
    has_noisy = rules.has["noisy_moves"]

    def score_moves(s, sign, n, done, swapped, depth, ply, at, mem):
        """Give the moves at ``mem[at + done : at + n]`` scores and their indices as generated; whether to sort them.

        The first generated move is at the place ``swapped``. Sorting pays only if the moves have subtrees.
        """
        on = mem[SWITCHES]
        if not on & (ORDER | KILLERS | HISTORY):
            return False
        if depth <= 1 and not (has_noisy and on & QUIESCENCE):
            return False
        player = history + (SLOTS if sign > 0 else 0)
        first, second = -1, -1
        if on & KILLERS:
            first, second = mem[killers + 2 * ply], mem[killers + 2 * ply + 1]
        refutation, before = -1, mem[line + ply]
        if on & HISTORY:
            refutation = mem[counters + (SLOTS if sign > 0 else 0) + (mem[line + ply] & (SLOTS - 1))]
        for i in range(done, n):
            move = mem[at + i]
            score = 0
            if on & ORDER:
                if has_order:
                    score = order(s, move, mem) << SCALE
                elif has_evaluate:
                    score = sign * judge(play(s, move, mem), ply + 1, mem) << SCALE
            if move + 1 == first:
                score += KILLER + 1
            elif move + 1 == second:
                score += KILLER
            if on & HISTORY:
                if move + 1 == refutation:
                    score += COUNTER
                score += mem[player + (move & (SLOTS - 1))] + mem[answers + answer_slot(before, move)]
            mem[at + gap + i] = score
            mem[at + i] = move | (i << 32)
        if done:
            mem[at + swapped] &= MOVE
        return True

    def answer_slot(before, move):
        """The counter for ``move`` as an answer to the move before it."""
        return ((before & (SLOTS - 1)) * ANSWER_STEP + (move & (SLOTS - 1)) * MOVE_STEP) & (ANSWERS - 1)

    def count_up(slot, gain, mem):
        """Raise a counter: the higher it is, the less it grows, so it stays within ±LIMIT."""
        mem[slot] += gain - (mem[slot] * gain >> 14)

    def count_down(slot, gain, mem):
        mem[slot] -= gain + (mem[slot] * gain >> 14)

    def pick(i, n, at, mem):
        """Bring the best-scored move from ``i`` on to place ``i``."""
        best = i
        top = mem[at + gap + i]
        for j in range(i + 1, n):
            if mem[at + gap + j] > top:
                best, top = j, mem[at + gap + j]
        if best != i:
            word = mem[at + best]
            mem[at + best], mem[at + gap + best] = mem[at + i], mem[at + gap + i]
            mem[at + i], mem[at + gap + i] = word, top

    def reward(move, player, depth, ply, at, searched, mem):
        """Record that ``move`` caused a cut-off after ``searched - 1`` others did not."""
        if mem[SWITCHES] & KILLERS and mem[killers + 2 * ply] != move + 1:
            mem[killers + 2 * ply + 1] = mem[killers + 2 * ply]
            mem[killers + 2 * ply] = move + 1
        if mem[SWITCHES] & HISTORY:
            mem[counters + player * SLOTS + (mem[line + ply] & (SLOTS - 1))] = move + 1
            gain = min(depth * depth, 400)
            counter, before = history + player * SLOTS, mem[line + ply]
            for i in range(searched - 1):
                other = mem[at + i] & MOVE
                count_down(counter + (other & (SLOTS - 1)), gain, mem)
                count_down(answers + answer_slot(before, other), gain, mem)
            count_up(counter + (move & (SLOTS - 1)), gain, mem)
            count_up(answers + answer_slot(before, move), gain, mem)

    return score_moves, pick, reward


def looking_ahead(rules: Rules, judge, search):
    """The function ``look`` for one game; ``search(s, alpha, beta, depth, ply, at, mem)`` is the main search."""
    play, gap = rules.play, rules.at["scores"] - rules.at["buffer"]

    @recursive("int", "State", "int", "int", "int", "int", "int", "int", "int", "memory")
    def look(s, sign, n, done, depth, ply, at, below, mem):
        """Add the results of searches to ``depth`` to the scores of the moves at ``mem[at + done : at + n]``.

        These searches are only for ordering, and do not replace deeper entries in the table.
        """
        mem[CHECKING] += 1
        for i in range(done, n):
            child = play(s, mem[at + i] & MOVE, mem)
            if depth > 0:
                found = search(child, -NO_BOUND, NO_BOUND, depth, ply + 1, below, mem)
            else:
                found = judge(child, ply + 1, mem)
            mem[at + gap + i] += sign * found * mem[LOOK_WEIGHT] << SCALE
        mem[CHECKING] -= 1
        return 0

    return look
