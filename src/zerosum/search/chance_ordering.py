"""The order of moves and outcomes in a search with chance: the earlier the good ones, the more is pruned.

Moves: the table's best move comes first. Where the successors have subtrees, the others are sorted by their
successors' values, from a shallower search in the table or else from the evaluation. Just before the horizon only the
game's own ``order`` is cheap enough. Outcomes: those that affect the average most come first, by their probability and
by the distance between their bounds.
"""

from __future__ import annotations

from types import SimpleNamespace

from zerosum.game import MAX
from zerosum.jit.rules import Rules
from zerosum.jit.words import float_word, floating, word_float
from zerosum.search.float_table import float_place, probe_float
from zerosum.search.memory import SWITCHES
from zerosum.search.options import switch
from zerosum.search.table import data_index

HASH_MOVE = switch("hash_move")
ORDER = switch("order")
USE_TABLE = switch("table")
EXACT_DRAFT = switch("exact_draft")
MOVE_FILTER = switch("move_filter")

MOVE = (1 << 32) - 1
INDEX = 32  # from this bit on, a sorted move has its index as generated
FIRST_OF_ALL = 1e300


def chance_ordering(rules: Rules):
    """The functions for one game, by name."""
    to_move, play, evaluate, order = rules.to_move, rules.play, rules.evaluate, rules.order
    is_terminal, utility = rules.is_terminal, rules.utility
    has_order, has_evaluate = rules.has["order"], rules.has["evaluate"]
    gap = rules.at["scores"] - rules.at["buffer"]
    place_of = float_place(rules)

    def worth(s, mem):
        """An estimate of the value of ``s`` for MAX, for sorting."""
        if is_terminal(s, mem):
            return utility(s, mem)
        if mem[SWITCHES] & USE_TABLE and not mem[SWITCHES] & EXACT_DRAFT:
            data, word = probe_float(place_of(s, 0, mem), mem)
            if data != 0:
                return word_float(word)
        return evaluate(s, mem)

    def is_sorted(depth, mem):
        """Whether the moves of a position are worth sorting, ``depth`` moves before the horizon."""
        on = mem[SWITCHES]
        if depth <= 1:
            return has_order and on & ORDER != 0
        return (has_order or has_evaluate) and on & (ORDER | MOVE_FILTER) != 0

    def score(s, move, depth, mem):
        """How promising a move is for the player who makes it."""
        if has_evaluate:
            if depth > 1:
                found = worth(play(s, move, mem), mem)
                return found if to_move(s, mem) == MAX else -found
        return floating(order(s, move, mem))

    def score_moves(s, n, remembered, depth, at, mem):
        """Give the moves at ``mem[at : at + n]`` their index, and each a score, ``gap`` words further on.

        Returns the best score. The move with the index ``remembered`` gets the highest score of all.
        """
        top = -FIRST_OF_ALL
        for i in range(n):
            move = mem[at + i]
            found = score(s, move, depth, mem)
            top = max(top, found)
            mem[at + gap + i] = float_word(FIRST_OF_ALL if i == remembered else found)
            mem[at + i] = move | (i << INDEX)
        return top

    def swap(i, j, mem):
        word = mem[i]
        mem[i] = mem[j]
        mem[j] = word

    def number_moves(n, remembered, at, mem):
        """Give the moves only their index; swap the one with the index ``remembered`` with the first."""
        for i in range(n):
            mem[at + i] |= i << INDEX
        if remembered > 0:
            swap(at, at + remembered, mem)

    def pick(i, n, at, behind, mem):
        """Bring the best-scored move from ``i`` on to place ``i``; scores are ``behind`` words after the moves."""
        best = i
        top = word_float(mem[at + behind + i])
        for j in range(i + 1, n):
            this = word_float(mem[at + behind + j])
            if this > top:
                best, top = j, this
        if best != i:
            move = mem[at + best]
            mem[at + best], mem[at + behind + best] = mem[at + i], mem[at + behind + i]
            mem[at + i], mem[at + behind + i] = move, float_word(top)

    def remembered_index(data, n, mem):
        """The index of the best of ``n`` moves according to the table's entry; -1 if it has none."""
        index = data_index(data)
        return index if data != 0 and index < n and mem[SWITCHES] & HASH_MOVE else -1

    def probing_move(s, n, depth, at, mem):
        """The most promising of ``n`` moves at ``mem[at:]``: the only one that Star2 probes."""
        if mem[SWITCHES] & USE_TABLE:
            data, _ = probe_float(place_of(s, depth, mem), mem)
            index = remembered_index(data, n, mem)
            if index >= 0:
                return mem[at + index]
        best = mem[at]
        if is_sorted(depth, mem):
            top = -FIRST_OF_ALL
            for i in range(n):
                found = score(s, mem[at + i], depth, mem)
                if found > top:
                    best, top = mem[at + i], found
        return best

    def weight(i, at, n, mem):
        """How far outcome ``i`` can move the average."""
        spread = word_float(mem[at + gap + n + i]) - word_float(mem[at + gap + i])
        return word_float(mem[at + 2 * i + 1]) * spread

    def sort_outcomes(n, at, mem):
        """Sort the outcomes, with their bounds, by descending weight; equal ones keep their order."""
        for i in range(1, n):
            j = i
            while j > 0 and weight(j - 1, at, n, mem) < weight(j, at, n, mem):
                swap(at + 2 * j, at + 2 * j - 2, mem)
                swap(at + 2 * j + 1, at + 2 * j - 1, mem)
                swap(at + gap + j, at + gap + j - 1, mem)
                swap(at + gap + n + j, at + gap + n + j - 1, mem)
                j -= 1

    return SimpleNamespace(
        is_sorted=is_sorted,
        score=score,
        score_moves=score_moves,
        number_moves=number_moves,
        pick=pick,
        remembered_index=remembered_index,
        probing_move=probing_move,
        sort_outcomes=sort_outcomes,
    )
