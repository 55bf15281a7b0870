"""Quiescence: beyond the horizon, follow noisy moves until the position is quiet enough to evaluate.

The player to move may stand pat, that is, take the evaluation instead of any noisy move, unless the state
is forced: then all moves are searched (D. Beal, A generalised quiescence search algorithm, Artificial
Intelligence 43, 1990). Noisy moves whose ``order`` is below 0 lose something and are skipped.
"""

from __future__ import annotations

from zerosum.game import MAX
from zerosum.jit.plan import NODE_LIMIT, NODES, STOP
from zerosum.jit.rules import Rules, recursive
from zerosum.search.limits import MAX_PLY
from zerosum.search.memory import (
    CLOCK,
    DOUBTS,
    EXTRA_TIME,
    FOREVER,
    NO_BOUND,
    PATH,
    PV_ROW,
    SALT,
    SWITCHES,
    UNSEEN,
)
from zerosum.search.options import switch
from zerosum.search.ordering import HALF, move_ordering
from zerosum.search.probing import BELIEF, probing
from zerosum.search.pv import extend_pv
from zerosum.search.table import (
    EXACT,
    LOWER,
    UPPER,
    data_bound,
    data_depth,
    data_doubts,
    data_index,
    data_value,
    probe,
    remember,
)
from zerosum.search.timing import bound_in_time, needs_time, value_part, with_time
from zerosum.search.values import from_table, guess_value, outcome_value, to_table

USE_TABLE = switch("table")
EXACT_DRAFT = switch("exact_draft")
HASH_MOVE = switch("hash_move")
PVS = switch("pvs")
FORCED = switch("forced")
MOVE = (1 << 32) - 1
FIRST = 1 << 61  # the score of the table's move


def quiet_search(rules: Rules, judge, out_of_time, repeats_past):
    """The function quiet_value for one game; the function arguments come from the main search."""
    to_move, moves, noisy_moves, play = rules.to_move, rules.moves, rules.noisy_moves, rules.play
    is_terminal, utility, is_forced = rules.is_terminal, rules.utility, rules.is_forced
    fail, width, key_of = rules.fail, rules.max_moves, rules.key
    outcome, guess = outcome_value(rules.scored), guess_value(rules.scored)
    for_table, from_the_table = to_table(rules.scored), from_table(rules.scored)
    pv_rows, gap, has_order = rules.at["pv"], rules.at["scores"] - rules.at["buffer"], rules.has["order"]
    score_moves, pick, _ = move_ordering(rules, judge)
    has_database, probed, steered, undated = probing(rules)
    clock, has_clock, repeats = rules.clock, rules.has["clock"], rules.repetition > 0

    @recursive("int", "State", "int", "int", "int", "int", "memory")
    def quiet_value(s, alpha, beta, ply, at, mem):
        """The value of ``s`` for MAX once it is quiet, fail-soft within (alpha, beta). Proven only if the game ends."""
        if mem[STOP]:
            return 0
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        if beta - alpha > 1:
            mem[pv_rows + ply * PV_ROW] = 0
        if is_terminal(s, mem):
            mem[DOUBTS] = 0
            return outcome(utility(s, mem), ply)
        left = FOREVER
        if has_clock:
            left = clock(s, mem) + mem[EXTRA_TIME]
            if left <= 0:
                return out_of_time(s, ply, at, mem)
        mem[DOUBTS] = UNSEEN
        # Only repetitions of positions before the root count: those that can spoil a win.
        key, salt = 0, 0
        if repeats:
            key, salt = key_of(s, mem), mem[SALT]
            if repeats_past(key, mem):
                mem[DOUBTS] = UNSEEN | PATH
                return 0
        least, most, hope = -NO_BOUND, NO_BOUND, 0
        if has_database:
            least, most, hope = probed(s, ply, left if salt == 0 else 0, mem)
            if least == most:
                mem[DOUBTS] = 0
                return least if to_move(s, mem) == MAX else -least
            if hope == BELIEF or hope == -BELIEF:
                sign = 1 if to_move(s, mem) == MAX else -1
                return sign * undated(hope, least, most, ply, sign * alpha, sign * beta, mem)
        if ply >= MAX_PLY:
            return guess(judge(s, ply, mem))
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        low, high = (alpha, beta) if maximising else (-beta, -alpha)
        open_window = high - low > 1
        # The table, including entries from the search before the horizon.
        on, place, hint = mem[SWITCHES], 0, -1
        if on & USE_TABLE:
            place = (key if repeats else key_of(s, mem)) ^ salt
            data = probe(place, mem)
            if data != 0:
                hint = data_index(data)
                known, bound, doubts = data_value(data), data_bound(data), data_doubts(data)
                if has_clock:
                    bound = bound_in_time(known, bound, left)
                    if needs_time(known):
                        doubts |= CLOCK
                    known = value_part(known)
                known = from_the_table(known, ply)
                if (doubts == 0 or data_depth(data) == 0 or not on & EXACT_DRAFT) and not (open_window and on & PVS):
                    if bound == EXACT or (bound & LOWER and known >= high) or (bound & UPPER and known <= low):
                        mem[DOUBTS] = doubts
                        return sign * known
        best, best_index = -NO_BOUND, -1
        start = low
        forced = on & FORCED and is_forced(s, mem) != 0
        if forced:
            n = moves(s, mem, at, at + width)
            if n == 0:
                mem[DOUBTS] = 0
                return outcome(utility(s, mem), ply)
        else:
            hint = -1  # an index into all moves is meaningless for the noisy ones
            best = sign * guess(judge(s, ply, mem))
            if has_database:
                best = steered(best, least, most, hope)
            if best >= high:
                return sign * best
            low = max(low, best)
            n = noisy_moves(s, mem, at, at + width)
        if n < 0:
            return fail(s, n, mem)
        sort = score_moves(s, sign, n, 0, 0, 1, ply, at, mem)
        if sort and 0 <= hint < n and on & HASH_MOVE:
            mem[at + gap + hint] = FIRST
        for i in range(n):
            if sort:
                pick(i, n, at, mem)
                if has_order and not forced:
                    if mem[at + gap + i] < -HALF:
                        break
            move = mem[at + i] & MOVE
            a, b = (low, high) if maximising else (-high, -low)
            found = sign * quiet_value(play(s, move, mem), a, b, ply + 1, at + n, mem)
            if mem[STOP]:
                return 0
            if found > best:
                best = found
                best_index = mem[at + i] >> 32 if sort else i
                if found > low:
                    low = found
                    if open_window:
                        extend_pv(pv_rows, ply, move, mem)
                    if low >= high:
                        break
        if on & USE_TABLE:
            bound = EXACT
            if best >= high:
                bound = LOWER
            elif best <= start:
                bound = UPPER
            stored, doubts = for_table(best, ply), UNSEEN
            if has_clock:
                stored, doubts = with_time(stored, doubts, left)
            remember(place, stored, best_index if forced else -1, 0, bound, doubts, mem)
        mem[DOUBTS] = UNSEEN
        return sign * best

    return quiet_value
