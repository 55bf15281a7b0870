"""Alpha-beta with a transposition table: the engine's search.

Every technique is a switch, read from memory at run time (``SearchOptions``). The steps of ``value`` are
numbered, each with its reason. Values are for MAX, everywhere outside a node; inside, for whom it is to
move, so that the code is written once for both players (who need not alternate).
"""

from __future__ import annotations

from zerosum.game import MAX, WIN
from zerosum.jit.kernel import Kernel
from zerosum.jit.rules import ERROR, NODE_LIMIT, NODES, STOP, Rules, recursive
from zerosum.search.memory import (
    ALPHA,
    BETA,
    DEPTH,
    MAX_PLY,
    NO_BOUND,
    OPTIONS,
    PROVEN,
    PV_ROW,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    SearchLayout,
)
from zerosum.search.options import index_of
from zerosum.search.pv import extend_pv
from zerosum.search.table import (
    EXACT,
    LOWER,
    UPPER,
    data_bound,
    data_depth,
    data_index,
    data_proven,
    data_value,
    probe,
    remember,
)
from zerosum.search.values import from_table, guess_value, outcome_value, to_table

USE_TABLE = OPTIONS + index_of("table")
EXACT_DRAFT = OPTIONS + index_of("exact_draft")
HASH_MOVE = OPTIONS + index_of("hash_move")
ORDER = OPTIONS + index_of("order")
PVS = OPTIONS + index_of("pvs")
MATE_DISTANCE = OPTIONS + index_of("mate_distance")

MOVE = (1 << 32) - 1  # a word of the move buffer: the move, and above it its index as generated
FIRST = 1 << 60  # the hash move's score: before all others


def build(rules: Rules):
    to_move, moves, play, utility = rules.to_move, rules.moves, rules.play, rules.utility
    is_terminal, evaluate, order, key_of = rules.is_terminal, rules.evaluate, rules.order, rules.key
    unpack, pack = rules.unpack, rules.pack
    width, state, culprit, scored = rules.max_moves, rules.at.state, rules.at.culprit, rules.scored
    has_order, has_evaluate = rules.has["order"], rules.has["evaluate"]
    outcome, guess = outcome_value(scored), guess_value(scored)
    for_table, from_the_table = to_table(scored), from_table(scored)
    layout = SearchLayout(rules.at, width)
    root_moves, root_values, pv_rows, buffer = layout.root_moves, layout.root_values, layout.pv, layout.buffer
    gap = layout.gap

    def score_moves(s, sign, n, at, mem):
        """Give each of the ``n`` moves at ``mem[at:]`` its score, high first, and note its index."""
        for i in range(n):
            move = mem[at + i]
            if has_order:
                mem[at + gap + i] = order(s, move, mem)
            elif has_evaluate:
                mem[at + gap + i] = sign * evaluate(play(s, move, mem), mem)
            else:
                mem[at + gap + i] = 0
            mem[at + i] = move | (i << 32)

    def pick(i, n, at, mem):
        """Bring the move with the highest score of those from ``i`` on to place ``i``."""
        best = i
        for j in range(i + 1, n):
            if mem[at + gap + j] > mem[at + gap + best]:
                best = j
        if best != i:
            word, score = mem[at + best], mem[at + gap + best]
            mem[at + best], mem[at + gap + best] = mem[at + i], mem[at + gap + i]
            mem[at + i], mem[at + gap + i] = word, score

    @recursive("int", "State", "int", "int", "int", "int", "int", "memory")
    def value(s, alpha, beta, depth, ply, at, mem):
        """The value of ``s`` for MAX, ``depth`` moves ahead, fail-soft.

        For a result v: v <= alpha means value <= v; v >= beta means value >= v; else v is exact. Leaves
        ``mem[PROVEN]``, and where alpha + 1 < beta the line in the row of ``ply``. Uses ``mem[at:]``.
        """
        # 1. Count, and stop when told to.
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        if mem[STOP]:
            return 0
        # 2. The end of the game.
        if is_terminal(s, mem):
            mem[PROVEN] = 1
            mem[pv_rows + ply * PV_ROW] = 0
            return outcome(utility(s, mem), ply)
        # 3. The horizon: a guess.
        if depth <= 0 or ply >= MAX_PLY:
            mem[PROVEN] = 0
            mem[pv_rows + ply * PV_ROW] = 0
            return guess(evaluate(s, mem))
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        low, high = (alpha, beta) if maximising else (-beta, -alpha)
        open_window = high - low > 1
        if open_window:
            mem[pv_rows + ply * PV_ROW] = 0
        # 4. Mate distance: the game cannot end before the next ply, so no better or worse value is possible.
        if not scored and mem[MATE_DISTANCE]:
            high = min(high, WIN - ply - 1)
            low = max(low, ply + 1 - WIN)
            if low >= high:
                mem[PROVEN] = 1
                return sign * low
        # 5. The table: this position may be known already. On the principal variation with PVS it only
        #    gives the move, so that the line can be followed to its end.
        use_table = mem[USE_TABLE]
        key = 0
        hint = -1
        if use_table:
            key = key_of(s, mem)
            data = probe(key, mem)
            if data != 0:
                hint = data_index(data)
                known = data_depth(data)
                proven = data_proven(data)
                if mem[EXACT_DRAFT]:
                    usable = known == depth or (proven and known < depth)
                else:
                    usable = known >= depth or proven
                if usable and not (open_window and mem[PVS]):
                    found = from_the_table(data_value(data), ply)
                    bound = data_bound(data)
                    if bound == EXACT or (bound == LOWER and found >= high) or (bound == UPPER and found <= low):
                        mem[PROVEN] = proven
                        return sign * found
        # 6. All moves; a state without any is finished too.
        n = moves(s, mem, at, at + width)
        if n <= 0:
            mem[PROVEN] = 1
            if n < 0:
                pack(s, mem, culprit)
                mem[ERROR] = n
                mem[STOP] = 1
                return 0
            return outcome(utility(s, mem), ply)
        # 7. Good moves first: the table's, then by score. Sorting pays only where subtrees hang below.
        sort = mem[ORDER] and depth > 1
        swapped = 0
        if sort:
            score_moves(s, sign, n, at, mem)
        if 0 <= hint < n and mem[HASH_MOVE]:
            if sort:
                mem[at + gap + hint] = FIRST
            else:
                swapped = hint
                first = mem[at]
                mem[at] = mem[at + hint]
                mem[at + hint] = first
        # 8. Search them.
        best = -NO_BOUND
        best_index = 0
        all_proven = 1
        start = low
        for i in range(n):
            if sort:
                pick(i, n, at, mem)
            word = mem[at + i]
            child = play(s, word & MOVE, mem)
            found = -NO_BOUND
            scout = i > 0 and open_window and mem[PVS]
            if scout:
                # 8a. A scout with an empty window: is this move better at all?
                a, b = (low, low + 1) if maximising else (-low - 1, -low)
                found = sign * value(child, a, b, depth - 1, ply + 1, at + n, mem)
            if not scout or low < found < high:
                # 8b. The first move, or a better one: by how much?
                a, b = (low, high) if maximising else (-high, -low)
                found = sign * value(child, a, b, depth - 1, ply + 1, at + n, mem)
            if mem[STOP]:
                return 0
            if found > best:
                best = found
                if sort:
                    best_index = word >> 32
                elif i == 0:
                    best_index = swapped
                else:
                    best_index = i if i != swapped else 0
                if found > low:
                    low = found
                    if open_window:
                        extend_pv(pv_rows, ply, word & MOVE, mem)
                    if low >= high:
                        all_proven = mem[PROVEN]
                        break
            all_proven &= mem[PROVEN]
        # 9. Remember. A win within the depth is proven even where other moves met the horizon.
        if not scored and best >= WIN - ply - depth:
            all_proven = 1
        mem[PROVEN] = all_proven
        if use_table:
            bound = EXACT
            if best >= high:
                bound = LOWER
            elif best <= start:
                bound = UPPER
            remember(key, for_table(best, ply), best_index, depth, bound, all_proven, mem)
        return sign * best

    def entry(mem):
        """Searches the root's moves within the window; leaves each one's value, the best, and its line.

        A move that is no better than an earlier one has a bound for its value.
        """
        s = unpack(mem, state)
        depth = mem[DEPTH]
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        low, high = (mem[ALPHA], mem[BETA]) if maximising else (-mem[BETA], -mem[ALPHA])
        best = -NO_BOUND
        all_proven = 1
        mem[pv_rows] = 0
        for i in range(mem[ROOT_COUNT]):
            move = mem[root_moves + i]
            child = play(s, move, mem)
            found = -NO_BOUND
            scout = i > 0 and mem[PVS]
            if scout:
                a, b = (low, low + 1) if maximising else (-low - 1, -low)
                found = sign * value(child, a, b, depth - 1, 1, buffer, mem)
            if not scout or low < found < high:
                a, b = (low, high) if maximising else (-high, -low)
                found = sign * value(child, a, b, depth - 1, 1, buffer, mem)
            if mem[STOP]:
                break
            mem[root_values + i] = sign * found
            mem[ROOT_DONE] = i + 1
            all_proven &= mem[PROVEN]
            if found > best:
                best = found
                mem[ROOT_BEST] = i
                mem[ROOT_VALUE] = sign * best
                if found > low:
                    low = found
                    extend_pv(pv_rows, 0, move, mem)
                    if low >= high:
                        break
        if not scored and best >= WIN - depth:
            all_proven = 1
        mem[PROVEN] = all_proven
        return sign * best

    return entry


ALPHABETA = Kernel(
    "alpha-beta",
    ("to_move", "moves", "play", "utility", "is_terminal", "evaluate", "order", "key"),
    build,
)
