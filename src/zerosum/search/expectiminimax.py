"""Expectiminimax: minimax for games with dice.

The value of a chance node is the average of its successors, weighted by probability (D. Michie,
Game-playing and game-learning automata, 1966). Depth counts moves. Chance events do not count, so the
horizon comes after the same number of decisions on every line.

Where a player moves, pruning works as in alpha-beta. Where chance moves, it uses the game's ``bounds``: Star1 stops as
soon as the remaining outcomes can no longer bring the average back into the window, and Star2 first tries
one move after each of them (B. Ballard, The *-minimax search procedure for trees containing chance nodes, Artificial
Intelligence 21, 1983; T. Hauk, M. Buro and J. Schaeffer, Rediscovering *-minimax search, CG 2004, LNCS 3846, 2006).
``classroom/star.py`` is a readable version. Values stay exact; only the move filter may prune what matters.
"""

from __future__ import annotations

from zerosum.game import CHANCE, MAX
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import NODE_LIMIT, NODES, STOP
from zerosum.jit.rules import Rules, recursive
from zerosum.jit.words import float_word, floating, word_float
from zerosum.search.chance_ordering import FIRST_OF_ALL, INDEX, MOVE, chance_ordering
from zerosum.search.float_table import float_place, probe_float, remember_float
from zerosum.search.memory import (
    DEPTH,
    DOUBTS,
    FILTER_MARGIN,
    FILTER_MOVES,
    PV_ROW,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    SEARCH,
    SWITCHES,
    UNSEEN,
    search_regions,
)
from zerosum.search.options import switch
from zerosum.search.pv import extend_pv
from zerosum.search.repetition import repetition_test
from zerosum.search.table import EXACT, LOWER, UPPER, data_bound, data_depth, data_doubts
from zerosum.search.values import CHANCES_IN_A_ROW

USE_TABLE = switch("table")
WINDOWS = switch("windows")
STAR1 = switch("star1")
STAR2 = switch("star2")
CHANCE_ORDER = switch("chance_order")
EVALUATE_EVENTS = switch("evaluate_events")
MOVE_FILTER = switch("move_filter")

ENDLESS = float("inf")


def build(rules: Rules):
    to_move, moves, chances, play, utility = rules.to_move, rules.moves, rules.chances, rules.play, rules.utility
    is_terminal, evaluate, key_of, bounds = rules.is_terminal, rules.evaluate, rules.key, rules.bounds
    reversible, unpack, fail = rules.reversible, rules.unpack, rules.fail
    max_moves, max_chances, state = rules.max_moves, rules.max_chances, rules.at.state
    has_bounds, has_evaluate, repeats = rules.has["bounds"], rules.has["evaluate"], rules.repetition > 0
    place = rules.at
    root_moves, root_values, pv_rows, buffer = place["root_moves"], place["root_values"], place["pv"], place["buffer"]
    gap = place["scores"] - place["buffer"]
    last_room = buffer + gap - rules.at.width  # after it, the buffer is too short for one more position
    repeated, note_position, _, _ = repetition_test(rules)
    # With a repetition rule, a value proven on one path to a position may be wrong on another.
    path_doubts = UNSEEN if repeats else 0
    place_of = float_place(rules)
    ordering = chance_ordering(rules)
    is_sorted, score, score_moves, number_moves = (
        ordering.is_sorted,
        ordering.score,
        ordering.score_moves,
        ordering.number_moves,
    )
    pick, remembered_index = ordering.pick, ordering.remembered_index
    probing_move, sort_outcomes = ordering.probing_move, ordering.sort_outcomes

    def wrong(s, code, mem):
        fail(s, code, mem)
        return 0.0

    def guess(s, mem):
        """The evaluation, clamped to the bounds if the search prunes by them."""
        found = evaluate(s, mem)
        if has_bounds:
            if mem[SWITCHES] & STAR1:
                least, most = bounds(s, mem)
                return min(max(found, floating(least)), floating(most))
        return found

    def fails_filter(number, points, top, mem):
        """Whether the filter skips the move with rank ``number`` and this many points."""
        if number == 0 or points == FIRST_OF_ALL:
            return False
        return number >= mem[FILTER_MOVES] or points < top - mem[FILTER_MARGIN] / 1000.0

    def known_bounds(s, n, at, mem):
        """Write the bounds of each outcome after the outcomes; return the averages of the lower and the upper ones."""
        low, high = 0.0, 0.0
        for i in range(n):
            least, most = bounds(play(s, mem[at + 2 * i], mem), mem)
            chance = word_float(mem[at + 2 * i + 1])
            low += chance * floating(least)
            high += chance * floating(most)
            mem[at + gap + i], mem[at + gap + n + i] = float_word(floating(least)), float_word(floating(most))
        return low, high

    @recursive("float", "State", "int", "int", "int", "float", "float", "int", "memory")
    def value(s, depth, ply, run, alpha, beta, at, mem):
        """The value of ``s`` for MAX, ``depth`` moves ahead; ``ply`` moves and then ``run`` events led to it.

        It is exact between alpha and beta; a result of at most alpha is an upper bound, one of at least beta a lower
        bound. Leaves ``mem[DOUBTS]``, and the line up to the first event in the row of ``ply``. Uses ``mem[at:]``
        and the same amount ``gap`` words further on.
        """
        # 1. Count the node, and stop if requested.
        if mem[STOP]:
            return 0.0
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        mem[pv_rows + ply * PV_ROW] = 0
        # 2. The end of the game, or too many repetitions.
        if is_terminal(s, mem):
            mem[DOUBTS] = 0
            return utility(s, mem)
        is_event = to_move(s, mem) == CHANCE
        key, place, data = 0, 0, 0
        if repeats and not is_event:
            key = key_of(s, mem)
            if repeated(key, ply, mem):
                mem[DOUBTS] = UNSEEN
                return 0.0
        # 3. The horizon: no depth left, or too many chance events in a row.
        ends = depth <= 0
        if is_event:
            ends = run >= CHANCES_IN_A_ROW or (ends and mem[SWITCHES] & EVALUATE_EVENTS)
        if ends or at > last_room:
            mem[DOUBTS] = UNSEEN
            return guess(s, mem)
        # 4. The table. It does not hold events in the middle of a run: their value may depend on how many more
        #    events may follow.
        use_table = mem[SWITCHES] & USE_TABLE and not (is_event and run > 0)
        if use_table:
            place = place_of(s, depth, mem)
            data, word = probe_float(place, mem)
            if data != 0 and (data_depth(data) >= depth or data_doubts(data) == 0):
                found, bound = word_float(word), data_bound(data)
                if bound == EXACT or (found >= beta if bound == LOWER else found <= alpha):
                    mem[DOUBTS] = data_doubts(data)
                    return found
        best, best_index, doubts = 0.0, -1, 0
        from_alpha, to_beta = alpha, beta
        if is_event:
            n = chances(s, mem, at, at + 2 * max_chances)
            if n < 0:
                return wrong(s, n, mem)
            below = at + 2 * n
            if has_bounds and mem[SWITCHES] & STAR1:
                # 5. Chance with bounds. low and high bound the average, from what is known so far; the bounds of each
                #    outcome are stored gap words after the outcomes.
                low, high = known_bounds(s, n, at, mem)
                if mem[SWITCHES] & CHANCE_ORDER:
                    sort_outcomes(n, at, mem)
                # 6. Star2: one move after each outcome gives a lower bound if MAX moves, an upper bound if MIN does.
                if mem[SWITCHES] & STAR2 and depth > 0 and not repeats:
                    for i in range(n):
                        if low >= beta or high <= alpha:
                            break
                        chance = word_float(mem[at + 2 * i + 1])
                        least, most = word_float(mem[at + gap + i]), word_float(mem[at + gap + n + i])
                        then = play(s, mem[at + 2 * i], mem)
                        if is_terminal(then, mem):
                            continue
                        mover = to_move(then, mem)
                        if mover == CHANCE or below > last_room:
                            continue
                        # Skip it if even the best result cannot cause a cut-off.
                        if (high < beta) if mover == MAX else (low > alpha):
                            continue
                        count = moves(then, mem, below, below + max_moves)
                        if count < 0:
                            return wrong(then, count, mem)
                        if count == 0:
                            continue
                        move = probing_move(then, count, depth, below, mem)
                        then = play(then, move, mem)
                        if mover == MAX:
                            most = min(most, (beta - (low - chance * least)) / chance)
                        else:
                            least = max(least, (alpha - (high - chance * most)) / chance)
                        found = value(then, depth - 1, ply + 1, 0, least, most, below, mem)
                        if mem[STOP]:
                            return 0.0
                        doubts |= mem[DOUBTS]
                        if mover == MAX:
                            if found > least:
                                low += chance * (found - least)
                                mem[at + gap + i] = float_word(found)
                                if found >= most and most < word_float(mem[at + gap + n + i]):
                                    low = max(low, beta)
                        elif found < most:
                            high += chance * (found - most)
                            mem[at + gap + n + i] = float_word(found)
                            if found <= least and least > word_float(mem[at + gap + i]):
                                high = min(high, alpha)
                # 7. Star1: each outcome within the window that still matters.
                for i in range(n):
                    if low >= beta or high <= alpha:
                        break
                    chance = word_float(mem[at + 2 * i + 1])
                    least, most = word_float(mem[at + gap + i]), word_float(mem[at + gap + n + i])
                    if least >= most:
                        best += chance * least
                        continue
                    least_of_use = (alpha - (high - chance * most)) / chance  # up to here the average is at most alpha
                    most_of_use = (beta - (low - chance * least)) / chance  # from here on it is at least beta
                    if least_of_use >= most:  # a cut-off that only rounding has hidden
                        high = min(high, alpha)
                        break
                    if most_of_use <= least:
                        low = max(low, beta)
                        break
                    then = play(s, mem[at + 2 * i], mem)
                    found = value(
                        then, depth, ply, run + 1, max(least_of_use, least), min(most_of_use, most), below, mem
                    )
                    if mem[STOP]:
                        return 0.0
                    doubts |= mem[DOUBTS]
                    if found >= most_of_use:
                        low = max(low + chance * (found - least), beta)
                        break
                    if found <= least_of_use:
                        high = min(high + chance * (found - most), alpha)
                        break
                    found = min(max(found, least), most)
                    low += chance * (found - least)
                    high += chance * (found - most)
                    best += chance * found
                if low >= beta:
                    best = low
                elif high <= alpha:
                    best = high
            else:
                # 8. Chance: the average of all outcomes.
                for i in range(n):
                    found = value(play(s, mem[at + 2 * i], mem), depth, ply, run + 1, -ENDLESS, ENDLESS, below, mem)
                    if mem[STOP]:
                        return 0.0
                    best += word_float(mem[at + 2 * i + 1]) * found
                    doubts |= mem[DOUBTS]
            mem[pv_rows + ply * PV_ROW] = 0  # the line ends here
        else:
            # 9. A player: the best move. A state without moves is finished too.
            n = moves(s, mem, at, at + max_moves)
            if n < 0:
                return wrong(s, n, mem)
            if n == 0:
                mem[DOUBTS] = 0
                return utility(s, mem)
            maximising = to_move(s, mem) == MAX
            filtered = has_evaluate and depth > 1 and mem[SWITCHES] & MOVE_FILTER
            remembered = remembered_index(data, n, mem)
            in_order = n > 1 and is_sorted(depth, mem)
            top = 0.0
            if in_order:
                top = score_moves(s, n, remembered, depth, at, mem)
            else:
                number_moves(n, remembered, at, mem)
            for i in range(n):
                if in_order:
                    pick(i, n, at, gap, mem)
                    if filtered and fails_filter(i, word_float(mem[at + gap + i]), top, mem):
                        doubts = UNSEEN
                        break
                move, index = mem[at + i] & MOVE, mem[at + i] >> INDEX
                if repeats:
                    note_position(key, reversible(s, move, mem), ply, mem)
                found = value(play(s, move, mem), depth - 1, ply + 1, 0, alpha, beta, at + n, mem)
                if mem[STOP]:
                    return 0.0
                if i == 0 or (found > best if maximising else found < best):
                    best, best_index = found, index
                    extend_pv(pv_rows, ply, move, mem)
                    if mem[SWITCHES] & WINDOWS:
                        if maximising:
                            alpha = max(alpha, best)
                        else:
                            beta = min(beta, best)
                        if alpha >= beta:
                            doubts = mem[DOUBTS]  # this move alone refutes the previous move
                            break
                doubts |= mem[DOUBTS]
        # 10. Store the result.
        if use_table:
            bound = LOWER if best >= to_beta else UPPER if best <= from_alpha else EXACT
            remember_float(place, float_word(best), best_index, depth, bound, doubts | path_doubts, mem)
        mem[DOUBTS] = doubts
        return best

    def sort_root(s, count, depth, mem):
        """Sort the root moves by score, except the first, which is the best so far and stays first.

        Returns the best score.
        """
        top = score(s, mem[root_moves], depth, mem)
        for i in range(1, count):
            found = score(s, mem[root_moves + i], depth, mem)
            top = max(top, found)
            mem[root_values + i] = float_word(found)
        for i in range(1, count):
            pick(i, count, root_moves, root_values - root_moves, mem)
        return top

    def entry(mem):
        """Search the root's moves one by one; leave the first best move, and its value as the bits of a float.

        If there are no moves, chance is to move at the root: leave only its value.
        """
        s = unpack(mem, state)
        depth, count = mem[DEPTH], mem[ROOT_COUNT]
        mem[pv_rows] = 0
        mem[ROOT_BEST] = 0
        if count == 0:
            best = value(s, depth, 0, 0, -ENDLESS, ENDLESS, buffer, mem)
            if mem[STOP] == 0:
                mem[ROOT_VALUE] = float_word(best)
                mem[ROOT_DONE] = 1
            return mem[ROOT_DONE]
        maximising = to_move(s, mem) == MAX
        alpha, beta = -ENDLESS, ENDLESS
        best, doubts, key, top = 0.0, 0, 0, 0.0
        if repeats:
            key = key_of(s, mem)
        in_order = is_sorted(depth, mem) and count > 1
        if in_order:
            top = sort_root(s, count, depth, mem)
        filtered = in_order and has_evaluate and depth > 1 and mem[SWITCHES] & MOVE_FILTER
        for i in range(count):
            move = mem[root_moves + i]
            if filtered and fails_filter(i, word_float(mem[root_values + i]), top, mem):
                doubts = UNSEEN
                mem[ROOT_DONE] = count
                break
            if repeats:
                note_position(key, reversible(s, move, mem), 0, mem)
            found = value(play(s, move, mem), depth - 1, 1, 0, alpha, beta, buffer, mem)
            if mem[STOP]:
                break
            mem[ROOT_DONE] = i + 1
            if i == 0 or (found > best if maximising else found < best):
                best = found
                mem[ROOT_BEST] = i
                mem[ROOT_VALUE] = float_word(best)
                extend_pv(pv_rows, 0, move, mem)
                if mem[SWITCHES] & WINDOWS:
                    if maximising:
                        alpha = best
                    else:
                        beta = best
            doubts |= mem[DOUBTS]
        mem[DOUBTS] = doubts
        return mem[ROOT_DONE]

    return entry


EXPECTIMINIMAX = Kernel(
    "expectiminimax",
    (
        "to_move",
        "moves",
        "chances",
        "play",
        "utility",
        "is_terminal",
        "evaluate",
        "bounds",
        "order",
        "key",
        "reversible",
        "canonical",
    ),
    build,
    SEARCH,
    search_regions,
)
