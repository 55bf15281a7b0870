"""Alpha-beta: the engine's search, with every classical technique as a switch.

The switches are words of memory, read at run time (``SearchOptions`` says what each does and which are
sound), and so are their tuning parameters (``parameters``). The steps of ``value`` are numbered, each
with its reason and its source. Outside a node, values are for MAX; inside, they are for the side to move, so
that the code is written once for both players (who need not alternate).

Every value comes with its doubts (``memory`` lists them); a value without doubts is proven. A win or loss with a
distance is never a guess: whatever was pruned, the winner has a forced win. Only the distance may be wrong; it is
then an upper bound. ``repetition`` and ``timing`` explain how the history of a game and its clock affect such values.
"""

from __future__ import annotations

from zerosum.game import MAX, MIN, WIN
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import NODE_LIMIT, NODES, STOP
from zerosum.jit.rules import Rules, recursive
from zerosum.search.incremental_evaluation import RULES_USED, make_evaluation
from zerosum.search.limits import MAX_PLY
from zerosum.search.memory import (
    ALPHA,
    BETA,
    BUSY,
    CHECKING,
    CLOCK,
    CUTOFF_MOVES,
    DEPTH,
    DOUBTS,
    EXTRA_TIME,
    FOREVER,
    GUESSED,
    LOOK_MOVES,
    NO_BOUND,
    NULL_FROM,
    PATH,
    PROOFS,
    PV_ROW,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    SEARCH,
    SKIPPED,
    SWITCHES,
    TABLE_MOVES,
    UNIT,
    UNSEEN,
    search_regions,
)
from zerosum.search.options import switch
from zerosum.search.ordering import HALF, LIMIT, SCALE, looking_ahead, move_ordering
from zerosum.search.parameters import REDUCTIONS, WHOLE, places
from zerosum.search.probcut import NOTHING, prob_cutting
from zerosum.search.probing import BELIEF, CONVERTED, probing
from zerosum.search.pv import extend_pv
from zerosum.search.quiescence import quiet_search
from zerosum.search.repetition import repetition_test
from zerosum.search.table import (
    EXACT,
    LOWER,
    UPPER,
    data_bound,
    data_depth,
    data_doubts,
    data_index,
    data_value,
    expect,
    is_busy,
    probe,
    remember,
    set_busy,
)
from zerosum.search.timing import bound_in_time, needs_time, value_part, with_time
from zerosum.search.values import WON, bound_values, from_table, guess_value, outcome_value, to_table

USE_TABLE = switch("table")
EXACT_DRAFT = switch("exact_draft")
HASH_MOVE = switch("hash_move")
PVS = switch("pvs")
MATE_DISTANCE = switch("mate_distance")
SYMMETRY = switch("symmetry")
BOUNDS = switch("bounds")
ENDINGS = switch("endings")
QUIESCENCE = switch("quiescence")
FORCED = switch("forced")
SINGULAR = switch("singular")
NULL_MOVE = switch("null_move")
LATE = switch("reductions")
FUTILITY = switch("futility")
RAZORING = switch("razoring")
LATE_PRUNING = switch("late_pruning")
IIR = switch("iir")
PROBCUT = switch("probcut")
GUESSES = FUTILITY | RAZORING | NULL_MOVE | LATE_PRUNING  # techniques that use the evaluation of an inner position

MOVE = (1 << 32) - 1  # the low half of a word in the move buffer: the move; the high half is its index as generated
BUSY_DEPTH, BUSY_PLY = 6, 12  # threads avoid each other's subtrees where these are large
PASSED = MOVE - 1  # stands for a null move in the line; no move has this number


def build(rules: Rules):
    to_move, moves, play, utility = rules.to_move, rules.moves, rules.play, rules.utility
    is_terminal, judge, key_of, bounds = rules.is_terminal, make_evaluation(rules), rules.key, rules.bounds
    is_forced, skip, canonical, reversible = rules.is_forced, rules.skip, rules.canonical, rules.reversible
    unpack, fail, width, state, scored = rules.unpack, rules.fail, rules.max_moves, rules.at.state, rules.scored
    # Facts about the game are compiled in: a technique that it cannot use costs nothing.
    has_bounds, has_forced, has_skip = rules.has["bounds"], rules.has["is_forced"], rules.has["skip"]
    has_noisy, has_canonical = rules.has["noisy_moves"], rules.has["canonical"]
    has_evaluate, repeats, has_clock = rules.has["evaluate"], rules.repetition > 0, rules.has["clock"]
    clock = rules.clock
    has_ending, is_ending, ending = rules.has["ending"], rules.is_ending, rules.ending
    has_moves_left, moves_left = rules.has["moves_left"], rules.moves_left
    outcome, guess = outcome_value(scored), guess_value(scored)
    lowest, highest = bound_values(scored)
    for_table, from_the_table = to_table(scored), from_table(scored)
    place = rules.at
    root_moves, root_values, pv_rows, buffer = place["root_moves"], place["root_values"], place["pv"], place["buffer"]
    line, excluded_at, reductions = place["line"], place["excluded"], place["reductions"]
    standings, cuts, gap = place["standings"], place["cuts"], place["scores"] - place["buffer"]
    # Where the tunable parameters are stored.
    numbers = place["parameters"]
    futility_depth, futility_margin, razoring_depth, razoring_margin = places(
        numbers, "futility_depth futility_margin razoring_depth razoring_margin"
    )
    null_depth, null_base, null_slope, null_margin, null_most, null_verify = places(
        numbers, "null_depth null_base null_slope null_margin null_most null_verify"
    )
    iir_depth, probcut_depth, probcut_left = places(numbers, "iir_depth probcut_depth probcut_left")
    singular_depth, singular_draft, singular_margin, singular_share, singular_double = places(
        numbers, "singular_depth singular_draft singular_margin singular_share singular_double"
    )
    late_depth, late_base, late_slope, history_depth, history_margin = places(
        numbers, "late_depth late_base late_slope history_depth history_margin"
    )
    quiet_depth, quiet_base, quiet_margin = places(numbers, "quiet_depth quiet_base quiet_margin")
    reduction_depth, reduction_moves, reduction_open, reduction_worse, reduction_cut = places(
        numbers, "reduction_depth reduction_moves reduction_open reduction_worse reduction_cut"
    )
    reduction_history, reduction_most = places(numbers, "reduction_history reduction_most")
    score_moves, pick, reward = move_ordering(rules, judge)
    repeated, note_position, repeats_past, salt_at = repetition_test(rules)
    has_database, probed, steered, undated = probing(rules)

    def is_win_within(found, plies):
        """Whether a value for the side to move is a win at most this many plies from the root.

        A win that a database proves without a distance counts if the database is reached within these plies.
        """
        if has_database and not has_clock:
            if CONVERTED - plies <= found <= CONVERTED:
                return True
        return found >= WIN - plies

    @recursive("int", "State", "int", "int", "memory")
    def out_of_time(s, ply, at, mem):
        """The value of a state whose clock has run out: a draw, unless it has no moves and is finished anyway."""
        n = moves(s, mem, at, at + width)
        mem[DOUBTS] = 0
        if n < 0:
            return fail(s, n, mem)
        if n == 0:
            return outcome(utility(s, mem), ply)
        mem[DOUBTS] = CLOCK
        return 0

    def shallow(s, alpha, beta, depth, ply, at, mem):
        """``value``, for the parts of the search that are in other files."""
        return value(s, alpha, beta, depth, ply, at, mem)

    likely, look = prob_cutting(rules, shallow), looking_ahead(rules, judge, shallow)
    quiet_value = quiet_search(rules, judge, out_of_time, repeats_past)

    # If the horizon brings only the end of the game or a guess, leaves need no call of ``value``.
    plain_leaves = not has_forced and not has_noisy and not repeats and not has_clock

    def guessed(s, ply, mem):
        """The evaluation of ``s``, clamped to the game's ``bounds``."""
        mem[DOUBTS] = UNSEEN
        found = guess(judge(s, ply, mem))
        if has_bounds:
            if mem[SWITCHES] & BOUNDS:
                certain = bounds(s, mem)
                least, most = lowest(certain[0], ply), highest(certain[1], ply)
                found = min(max(found, least), most)
                mem[DOUBTS] = 0 if least == most else UNSEEN
        return found

    def leaf_value(s, alpha, beta, ply, mem):
        """What ``value`` returns at the horizon: its steps 1, 2 and 4."""
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        mem[pv_rows + ply * PV_ROW] = 0
        if is_terminal(s, mem):
            mem[DOUBTS] = 0
            return outcome(utility(s, mem), ply)
        if has_ending:
            if mem[SWITCHES] & ENDINGS and is_ending(s, mem):
                mem[DOUBTS] = 0
                return ending(s, alpha, beta, mem)
        if has_database:
            least, most, hope = probed(s, ply, FOREVER, mem)
            sign = 1 if to_move(s, mem) == MAX else -1
            if least == most:
                mem[DOUBTS] = 0
                return sign * least
            if hope == BELIEF or hope == -BELIEF:
                return sign * undated(hope, least, most, ply, sign * alpha, sign * beta, mem)
            return sign * steered(sign * guessed(s, ply, mem), least, most, hope)
        return guessed(s, ply, mem)

    @recursive("int", "State", "int", "int", "int", "int", "int", "int", "int", "memory")
    def shortcut(s, standing, high, depth, ply, at, improving, key, mem):
        """A value for the side to move in ``s`` that saves the full search, or NOTHING.

        The window is (high - 1, high); ``standing`` is the evaluation.
        """
        on, unit = mem[SWITCHES], mem[UNIT]
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        a, b = (high - 1, high) if maximising else (-high, 1 - high)
        # 8a. Reverse futility: near the horizon, an evaluation this far above the window is enough (E. Heinz,
        #     Extended futility pruning, ICCA Journal 21, 1998; here for the side that is ahead).
        if on & FUTILITY and depth <= mem[futility_depth]:
            if standing - unit * mem[futility_margin] * (depth - improving) // WHOLE >= high:
                mem[DOUBTS] = GUESSED
                return standing
        # 8b. Razoring: this far behind, only tactics can help (J. Birmingham and P. Kent, 1977).
        if has_noisy:
            if on & RAZORING and on & QUIESCENCE and depth <= mem[razoring_depth]:
                if standing + unit * mem[razoring_margin] * depth // WHOLE < high:
                    found = sign * quiet_value(s, a, b, ply, at, mem)
                    if found < high or mem[STOP]:
                        mem[DOUBTS] |= GUESSED
                        return found
        # 8c. Null move: if passing is good enough, moving is even better (C. Donninger, Null move and deep
        #     search, ICCA Journal 16, 1993). Verified at sufficient depth, because of zugzwang.
        if has_skip:
            if on & NULL_MOVE and depth >= mem[null_depth] and standing >= high and ply >= mem[NULL_FROM]:
                passed = skip(s, mem)
                # If ``skip`` does not pass the turn, passing gives no bound in this position.
                if mem[line + ply] != PASSED and to_move(passed, mem) != to_move(s, mem):
                    mem[line + ply + 1] = PASSED
                    if repeats:
                        note_position(key, 0, ply, mem)
                    mem[cuts + ply + 1] = 1 - mem[cuts + ply]
                    ahead = (standing - high) * WHOLE // (unit * mem[null_margin])
                    reduced = depth - mem[null_base] - depth * mem[null_slope] // WHOLE - min(ahead, mem[null_most])
                    found = sign * value(passed, a, b, reduced, ply + 1, at, mem)
                    if mem[STOP]:
                        return 0
                    if found >= high:
                        found = high if not scored and found >= WON else found
                        mem[DOUBTS] = GUESSED
                        if depth < mem[null_verify]:
                            return found
                        before = mem[NULL_FROM]
                        mem[NULL_FROM] = ply + max(reduced, 1)
                        checked = sign * value(s, a, b, max(reduced, 1), ply, at, mem)
                        mem[NULL_FROM] = before
                        if mem[STOP]:
                            return 0
                        if checked >= high:
                            mem[DOUBTS] = GUESSED
                            return found
        return NOTHING

    @recursive("int", "State", "int", "int", "int", "int", "int", "int", "int", "memory")
    def proven_cutoff(s, sign, high, n, depth, ply, at, place, mem):
        """A proven value of at least ``high`` for the side to move, from the table's entry for a successor, or NOTHING.

        The ``n`` moves of ``s`` are at ``mem[at:]``; the cut-off is stored at ``place``.
        """
        # Compute all keys first, and prefetch their buckets. They use the room that later holds scores.
        keys, movers = at + gap, at + gap + n
        for i in range(n):
            child = play(s, mem[at + i], mem)
            if has_canonical:
                if mem[SWITCHES] & SYMMETRY:
                    child = canonical(child, mem)
            mem[keys + i], mem[movers + i] = key_of(child, mem), to_move(child, mem)
            expect(mem[keys + i], mem)
        mover = MAX if sign > 0 else MIN
        for i in range(n):
            data = probe(mem[keys + i], mem)
            if data != 0 and data_doubts(data) & UNSEEN == 0:
                same = mem[movers + i] == mover
                known = from_the_table(data_value(data), ply + 1)
                known = known if same else -known
                if data_bound(data) & (LOWER if same else UPPER) and known >= high:
                    mem[DOUBTS] = data_doubts(data)
                    remember(place, for_table(known, ply), i, min(depth, 1023), LOWER, mem[DOUBTS], mem)
                    return known
        return NOTHING

    @recursive("int", "State", "int", "int", "int", "int", "int", "memory")
    def best_of_others(s, index, bar, depth, ply, at, mem):
        """The value of the best move of ``s`` except the one with this index, by a null-window search at ``bar``.

        Singular extensions are based on this search (T. Anantharaman, M. Campbell and F. Hsu, Singular
        extensions, Artificial Intelligence 43, 1990).
        """
        maximising = to_move(s, mem) == MAX
        a, b = (bar - 1, bar) if maximising else (-bar, 1 - bar)
        mem[excluded_at + ply] = index + 1
        found = value(s, a, b, depth, ply, at, mem)
        mem[excluded_at + ply] = 0
        return found if maximising else -found

    @recursive("int", "State", "int", "int", "int", "int", "int", "memory")
    def value(s, alpha, beta, depth, ply, at, mem):
        """The value of ``s`` for MAX, ``depth`` moves ahead, fail-soft.

        For a result v: v <= alpha means value <= v; v >= beta means value >= v; else v is exact. Leaves
        ``mem[DOUBTS]``, and where alpha + 1 < beta the line in the row of ``ply``. Uses ``mem[at:]``.
        """
        on = mem[SWITCHES]
        # 1. Count the node, and stop if requested.
        if mem[STOP]:
            return 0
        nodes = mem[NODES] + 1
        mem[NODES] = nodes
        if nodes >= mem[NODE_LIMIT]:
            mem[STOP] = 1
        if beta - alpha > 1:
            mem[pv_rows + ply * PV_ROW] = 0
        # 2. The end of the game, by its rules, its clock, or too many repetitions. If the window is only about wins,
        #    the line itself needs no repetition test (see ``repetition``), and guesses are useless.
        if is_terminal(s, mem):
            mem[DOUBTS] = 0
            return outcome(utility(s, mem), ply)
        left = FOREVER
        if has_clock:
            left = clock(s, mem) + mem[EXTRA_TIME]
            if left <= 0:
                return out_of_time(s, ply, at, mem)
        about_wins = not scored and (alpha >= WON or beta <= -WON)
        key, salt = 0, 0
        if repeats:
            key, salt = key_of(s, mem), salt_at(ply, mem)
            if repeats_past(key, mem) if about_wins else repeated(key, ply, mem):
                mem[DOUBTS] = UNSEEN | PATH
                return 0
        # 2a. An endgame database ends the line, or says who wins: see ``probing``.
        least, most, hope = -NO_BOUND, NO_BOUND, 0
        if has_database:
            least, most, hope = probed(s, ply, left if salt == 0 else 0, mem)
            if least == most:
                mem[DOUBTS] = 0
                return least if to_move(s, mem) == MAX else -least
            if hope == BELIEF or hope == -BELIEF:
                sign = 1 if to_move(s, mem) == MAX else -1
                return sign * undated(hope, least, most, ply, sign * alpha, sign * beta, mem)
        # 2b. Near the end, the game's ``ending`` gives the value. If the line is needed, the search goes on to find it.
        if has_ending:
            if on & ENDINGS and (depth <= 0 or beta - alpha <= 1 or not on & PVS) and is_ending(s, mem):
                mem[DOUBTS] = 0
                return ending(s, alpha, beta, mem)
        # 3. Extend forced states by one move, so that the horizon does not come right after a threat.
        forced = False
        if has_forced:
            forced = is_forced(s, mem) != 0
            if forced and on & FORCED and ply < 2 * mem[DEPTH]:
                depth += 1
        # 4. The horizon: an evaluation, clamped to the game's ``bounds``.
        if depth <= 0 or ply >= MAX_PLY:
            if has_noisy:
                if on & QUIESCENCE:
                    mem[NODES] -= 1  # quiet_value counts this position
                    return quiet_value(s, alpha, beta, ply, at, mem)
            if has_database:
                sign = 1 if to_move(s, mem) == MAX else -1
                return sign * steered(sign * guessed(s, ply, mem), least, most, hope)
            return guessed(s, ply, mem)
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        low, high = (alpha, beta) if maximising else (-beta, -alpha)
        open_window = high - low > 1
        # 5. Mate distance: the game cannot have ended before this ply, so no better or worse value is possible.
        #    (Not "before the next ply": a state without moves is finished, but only step 10 finds that out.)
        if not scored and on & MATE_DISTANCE:
            high = min(high, WIN - ply)
            low = max(low, ply - WIN)
            if low >= high:
                mem[DOUBTS] = 0
                return sign * low
        # 6. The game's ``bounds`` on the value. If the line is needed, the search goes on all the same.
        if has_bounds:
            if on & BOUNDS:
                certain = bounds(s, mem)
                floor, ceiling = lowest(certain[0], ply), highest(certain[1], ply)
                if not maximising:
                    floor, ceiling = -ceiling, -floor
                least, most = max(least, floor), min(most, ceiling)
                if open_window and on & PVS:
                    low, high = max(low, least - 1), min(high, most + 1)
                elif least == most:
                    mem[DOUBTS] = 0
                    return sign * least
                if least >= high:
                    mem[DOUBTS] = 0
                    return sign * least
                if most <= low:
                    mem[DOUBTS] = 0
                    return sign * most
        if has_database:
            if least >= high:
                mem[DOUBTS] = 0
                return sign * least
            if most <= low:
                mem[DOUBTS] = 0
                return sign * most
        # If the search reaches the end of the game, the tree's size depends on the moves left, not on the depth.
        size, sees_end = depth, False
        if has_moves_left:
            rest = moves_left(s, mem)
            sees_end = depth >= rest
            size = min(depth, rest)
        # 7. The table: this position may be known already. If the line is needed (an open window), use only
        #    its move. Otherwise a symmetric position does as well.
        excluded = mem[excluded_at + ply]
        hint = -1
        known_depth, known_bound, known_value = -1, 0, 0
        place, proven = 0, False  # the key in the table, and whether its entry is proven
        # The last positions are faster to search than to store, and would replace better entries.
        use_table = on & USE_TABLE != 0 and not (sees_end and size < mem[TABLE_MOVES])
        if use_table:
            if not repeats:
                if has_canonical:
                    if on & SYMMETRY and not open_window:
                        s = canonical(s, mem)
                key = key_of(s, mem)
            place = key ^ salt
            data = probe(place, mem)
            if data != 0 and excluded == 0:
                hint = data_index(data)
                known_depth, known_bound, known_value = data_depth(data), data_bound(data), data_value(data)
                doubts = data_doubts(data)
                if has_clock:
                    known_bound = bound_in_time(known_value, known_bound, left)
                    if needs_time(known_value):
                        doubts |= CLOCK
                    known_value = value_part(known_value)
                known_value = from_the_table(known_value, ply)
                proven = doubts & UNSEEN == 0
                if on & EXACT_DRAFT:
                    deep_enough = known_depth == depth
                    elsewhere = known_depth < depth
                else:
                    deep_enough = known_depth >= depth
                    elsewhere = True
                # A value that depends on guesses cannot answer a question about wins, except for a win that it found.
                is_guess = doubts & SKIPPED if about_wins else doubts & UNSEEN and on & PROOFS
                usable = (deep_enough and not is_guess) or (proven and elsewhere)
                if not (open_window and on & PVS):
                    if (known_bound & LOWER and known_value >= high) or (known_bound & UPPER and known_value <= low):
                        is_win = not scored and elsewhere and (known_value > CONVERTED or known_value < -CONVERTED)
                        if is_win and known_value * (1 if known_value >= high else -1) > 0:
                            mem[DOUBTS] = 0
                            return sign * known_value
                        if usable:
                            mem[DOUBTS] = doubts
                            return sign * known_value
                    elif usable and known_bound == EXACT:
                        mem[DOUBTS] = doubts
                        return sign * known_value
        # 8. Guesses that save the search: see ``shortcut``. Only with a null window, never in a forced state,
        #    and never about wins.
        standing, improving = -NO_BOUND, 0
        if has_evaluate and on & GUESSES:
            if excluded != 0:
                standing = mem[standings + ply]
            elif forced:
                mem[standings + ply] = NO_BOUND
            else:
                standing = sign * guess(judge(s, ply, mem))
                mem[standings + ply] = standing
                improving = 1 if ply >= 2 and standing > mem[standings + ply - 2] else 0
                # If an earlier search, however shallow, contradicts the evaluation, its value is the better guess.
                if known_bound == EXACT or known_bound == (LOWER if known_value > standing else UPPER):
                    if scored or -WON < known_value < WON:
                        standing = known_value
                if not open_window and (scored or -WON < low < WON):
                    found = shortcut(s, standing, high, depth, ply, at, improving, key, mem)
                    if found != NOTHING:
                        return sign * found
        # 9. ProbCut: a shallow search says that the value is almost certainly outside the window.
        if has_evaluate:
            if on & PROBCUT and not open_window and not forced and excluded == 0 and (scored or -WON < low < WON):
                if size >= mem[probcut_left] if sees_end else depth >= mem[probcut_depth]:
                    if standing == -NO_BOUND:
                        standing = sign * guess(judge(s, ply, mem))
                    found = likely(s, standing, low, high, depth, size if sees_end else 0, ply, at, mem)
                    if mem[STOP]:
                        return 0
                    if use_table:  # the shallow searches may have left a good move
                        data = probe(place, mem)
                        if data != 0:
                            hint = data_index(data)
                    if found != NOTHING:
                        if use_table and not proven and not has_clock:
                            bound = LOWER if found >= high else UPPER
                            remember(place, for_table(found, ply), hint, min(depth, 1023), bound, GUESSED, mem)
                        return sign * found
        # 9a. Internal iterative reduction: without a table move, search less deeply; the next iteration will have one.
        cut_short = on & IIR and hint < 0 and depth >= mem[iir_depth] and excluded == 0
        if cut_short:
            depth -= 1
            size = min(size, depth)
        # 10. Generate all moves; a state without moves is finished too.
        n = moves(s, mem, at, at + width)
        if n <= 0:
            mem[DOUBTS] = 0
            if n < 0:
                return fail(s, n, mem)
            return outcome(utility(s, mem), ply)
        # 10a. Enhanced transposition cut-off: the table's entry for a successor may prove that its move refutes this
        #      position (A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, Exploiting graph properties of game trees,
        #      AAAI 1996).
        if has_moves_left and not repeats and not has_clock:
            wanted = sees_end and use_table and size >= mem[CUTOFF_MOVES]
            if wanted and not open_window and not on & EXACT_DRAFT and excluded == 0:
                found = proven_cutoff(s, sign, high, n, depth, ply, at, place, mem)
                if found != NOTHING:
                    return sign * found
        # 11. Singular extension: extend the table's move if no other comes near it, by two if all are far below. If
        #     another move is also too good, two moves suggest a cut-off, which is enough (Y. Björnsson and T. Marsland,
        #     Multi-cut pruning in alpha-beta search, Theoretical Computer Science 252, 2001).
        extension = 0
        if on & SINGULAR and depth >= mem[singular_depth] and 0 <= hint < n and excluded == 0 and ply < 2 * mem[DEPTH]:
            is_recent = known_depth >= depth - mem[singular_draft]
            if known_bound != UPPER and is_recent and (scored or -WON < known_value < WON):
                bar = known_value - mem[UNIT] * mem[singular_margin] * depth // (16 * WHOLE)
                others = best_of_others(s, hint, bar, depth * mem[singular_share] // WHOLE, ply, at, mem)
                if mem[STOP]:
                    return 0
                if others < bar:
                    far = mem[UNIT] * mem[singular_double] // WHOLE
                    extension = 2 if not open_window and others < bar - far else 1
                elif bar >= high and not open_window:
                    mem[DOUBTS] = GUESSED
                    return sign * bar
                elif known_value >= high:
                    extension = -1
                # That search overwrote the same buffer.
                n = moves(s, mem, at, at + width)
        # 12. The table's move comes first; the others are sorted only if it does not cause a cut-off.
        swapped = 0  # where the first move was put instead
        if 0 <= hint < n and on & HASH_MOVE:
            swapped = hint
            word = mem[at + hint]
            mem[at + hint] = mem[at]
            mem[at] = word
        else:
            hint = -1
        sort = False
        # 13. Search them.
        best, best_index, best_move, best_rank = -NO_BOUND, 0, 0, 0
        doubts = 0
        start = low
        searched = 0
        share = mem[BUSY] != 0 and size >= BUSY_DEPTH and ply <= BUSY_PLY and excluded == 0 and use_table
        deferred, below = 0, at + n
        if share:
            below += n
        scouting = open_window and on & PVS
        late_from = mem[reduction_moves] if on & LATE and depth >= mem[reduction_depth] and not forced else n
        cut = mem[cuts + ply] != 0 and not open_window
        # 13a. Near the horizon, skip quiet moves if the evaluation is too far below the window, after a number of
        #      other moves, or if their history is bad.
        patience, choosy, history_floor = n, False, 0
        if has_evaluate and on & (FUTILITY | LATE_PRUNING) and not open_window and not forced:
            if scored or -WON < low < WON:
                if on & LATE_PRUNING:
                    if depth <= mem[late_depth]:
                        patience = (mem[late_base] + mem[late_slope] * depth * depth) // WHOLE >> 1 - improving
                    choosy, history_floor = depth <= mem[history_depth], -mem[history_margin] * depth
                if on & FUTILITY and depth <= mem[quiet_depth]:
                    if standing + mem[UNIT] * (mem[quiet_base] + mem[quiet_margin] * depth) // WHOLE <= low:
                        patience = 1
        i = -1
        while i + 1 < n + deferred:
            i += 1
            if i < n:
                if i == 0 and hint < 0:
                    sort = score_moves(s, sign, n, 0, 0, size, ply, at, mem)
                elif i == 1 and hint >= 0:
                    sort = score_moves(s, sign, n, 1, swapped, size, ply, at, mem)
                if has_evaluate and has_moves_left:
                    if sort and sees_end and size >= mem[LOOK_MOVES] and i == (0 if hint < 0 else 1):
                        look(s, sign, n, i, (size - mem[LOOK_MOVES]) >> 1, ply, at, below, mem)
                if sort:
                    pick(i, n, at, mem)
            word = mem[at + i]
            index = i
            if i >= n or (sort and (i > 0 or hint < 0)):
                index = word >> 32
            elif i == 0:
                index = swapped
            elif i == swapped:
                index = 0
            if index + 1 == excluded:
                continue
            move = word & MOVE
            # The game's order of the move (0 if quiet, less if it loses something; unused in games without
            # ``noisy_moves``), and its recent history.
            rank, lately = 0, 0
            if has_noisy and sort and index != hint:
                lately = mem[at + gap + i]
                rank = lately + HALF >> SCALE
                lately -= rank << SCALE
            child = play(s, move, mem)
            if has_moves_left and not has_canonical and not repeats:
                if use_table and sees_end and size > mem[TABLE_MOVES]:
                    expect(key_of(child, mem), mem)
            # A move that forces the other side is neither skipped nor reduced.
            forcing = False
            if has_forced and rank <= 0 and (choosy or searched >= patience or searched >= late_from):
                forcing = is_forced(child, mem) != 0
            if rank <= 0 and not forcing and (scored or best > -WON):
                if searched >= patience or (choosy and searched > 0 and rank == 0 and lately < history_floor):
                    doubts |= GUESSED
                    continue
            # 13b. If another thread is searching this move, defer it until the result is in the table.
            mark = 0
            if share and searched > 0:
                mark = mix(place, move)
                if i < n and is_busy(mark, mem):
                    mem[at + n + deferred] = move | (index << 32)
                    mem[at + gap + n + deferred] = mem[at + gap + i]
                    deferred += 1
                    continue
                set_busy(mark, mark, mem)
            mem[line + ply + 1] = move
            forgets = False  # whether nothing after the move can repeat what came before it
            if repeats:
                forgets = reversible(s, move, mem) == 0
                note_position(key, not forgets, ply, mem)
            deeper = depth - 1
            if index == hint:
                deeper += extension
            found = -NO_BOUND
            scout = searched > 0 and scouting
            if open_window:  # a child with a null window leaves no line
                mem[pv_rows + (ply + 1) * PV_ROW] = 0
            again = True
            if plain_leaves and deeper <= 0:
                a, b = (low, high) if maximising else (-high, -low)
                found = sign * leaf_value(child, a, b, ply + 1, mem)
                again = scout = False
            # 13c. Late move reductions: late moves are probably bad, so search them less deeply first, unless the
            #      game's order or their history favours them. Reduce more where an expected cut-off has not come.
            mem[cuts + ply + 1] = 1
            if again and searched >= late_from and rank <= 0 and not forcing:
                less = mem[reductions + min(depth, REDUCTIONS - 1) * REDUCTIONS + min(searched, REDUCTIONS - 1)]
                if open_window:
                    less -= mem[reduction_open]
                if has_evaluate and not improving:
                    less += mem[reduction_worse]
                if cut:
                    less += mem[reduction_cut]
                # In whole plies, so that small differences in history change nothing.
                trusted, most_trusted = lately * mem[reduction_history] // (WHOLE * LIMIT), mem[reduction_most]
                less = min(less // WHOLE - min(max(trusted, -most_trusted), most_trusted), deeper - 1)
                if less > 0:
                    a, b = (low, low + 1) if maximising else (-low - 1, -low)
                    found = sign * value(child, a, b, deeper - less, ply + 1, below, mem)
                    again = found > low
                    if mem[DOUBTS] & UNSEEN:
                        mem[DOUBTS] |= SKIPPED
            # 13d. Scout with a null window: is this move better at all? (T. Marsland and M. Campbell,
            #      Parallel search of strongly ordered game trees, Computing Surveys 14, 1982)
            if scout and again:
                a, b = (low, low + 1) if maximising else (-low - 1, -low)
                found = sign * value(child, a, b, deeper, ply + 1, below, mem)
                again = low < found < high
            # 13e. Find the exact value of the first move, or of a better one.
            if again:
                mem[cuts + ply + 1] = 0 if open_window or cut else 1
                a, b = (low, high) if maximising else (-high, -low)
                found = sign * value(child, a, b, deeper, ply + 1, below, mem)
            if mark != 0:
                set_busy(mark, 0, mem)
            if mem[STOP]:
                return 0
            searched += 1
            if extension < 0 and index == hint and mem[DOUBTS] & UNSEEN:
                mem[DOUBTS] |= SKIPPED
            if forgets:
                mem[DOUBTS] &= ~PATH
            if has_clock:
                if clock(child, mem) + mem[EXTRA_TIME] != left - 1:  # the move reset it: the old clock does not matter
                    mem[DOUBTS] &= ~CLOCK
            if found > best:
                best, best_index, best_move, best_rank = found, index, move, rank
                if found > low:
                    low = found
                    if open_window:
                        extend_pv(pv_rows, ply, move, mem)
                    if low >= high:
                        doubts = mem[DOUBTS]
                        break
            doubts |= mem[DOUBTS]
        # 14. If the excluded move is the only one, there is no other: the search for others fails low.
        if searched == 0:
            mem[DOUBTS] = GUESSED
            return sign * low
        # 15. Store the result, for the table and for move ordering. A win within the depth is certain even if other
        #     moves reached the horizon; it is certainly the nearest only if nothing was skipped.
        if cut_short and doubts & UNSEEN:
            doubts |= SKIPPED
        if least == most:
            # The value is certain, but moves chosen by a guess need not lead to it, so they are not a valid line.
            if open_window and (doubts & UNSEEN or best != least):
                mem[pv_rows + ply * PV_ROW] = 0
            doubts = 0
        elif not scored and is_win_within(best, ply + depth):
            if best >= high:
                doubts = 0
            elif not doubts & SKIPPED:
                doubts &= CLOCK | PATH
        if best < least or best > most:
            best = min(max(best, least), most)
            if least < most:
                doubts |= GUESSED  # only a bound: the value may lie beyond it
        if excluded == 0:
            # Noisy moves come early by the game's own order; storing them would only displace others.
            if best >= high and (not has_noisy or best_rank <= 0):
                reward(best_move, 1 if maximising else 0, size, ply, at, searched, mem)
            # A shallow search for ProbCut or move ordering must not replace a deeper entry for the position.
            if use_table and not (mem[CHECKING] and known_depth > depth):
                bound = EXACT
                if best >= high:
                    bound = LOWER
                elif best <= start:
                    bound = UPPER
                stored = for_table(best, ply)
                kept = doubts & GUESSED
                if repeats:
                    if doubts & PATH:
                        kept = GUESSED
                if has_clock:
                    stored, kept = with_time(stored, kept | doubts & CLOCK, left)
                remember(place, stored, best_index, min(depth, 1023), bound, kept, mem)
        mem[DOUBTS] = doubts
        return sign * best

    def entry(mem):
        """Search the root's moves within the window; leave the value of each, the best move, and its line.

        The value of a move that is no better than an earlier one is only a bound.
        """
        s = unpack(mem, state)
        depth = mem[DEPTH]
        maximising = to_move(s, mem) == MAX
        sign = 1 if maximising else -1
        low, high = (mem[ALPHA], mem[BETA]) if maximising else (-mem[BETA], -mem[ALPHA])
        best = -NO_BOUND
        doubts = 0
        key = 0
        if repeats:
            key = key_of(s, mem)
        mem[pv_rows] = 0
        for i in range(mem[ROOT_COUNT]):
            move = mem[root_moves + i]
            child = play(s, move, mem)
            mem[line + 1] = move
            if repeats:
                note_position(key, reversible(s, move, mem), 0, mem)
            found = -NO_BOUND
            scout = i > 0 and mem[SWITCHES] & PVS
            mem[pv_rows + PV_ROW] = 0
            if scout:
                mem[cuts + 1] = 1
                a, b = (low, low + 1) if maximising else (-low - 1, -low)
                found = sign * value(child, a, b, depth - 1, 1, buffer, mem)
            mem[cuts + 1] = 0
            if not scout or low < found < high:
                a, b = (low, high) if maximising else (-high, -low)
                found = sign * value(child, a, b, depth - 1, 1, buffer, mem)
            if mem[STOP]:
                break
            mem[root_values + i] = sign * found
            mem[ROOT_DONE] = i + 1
            if found > best:
                best = found
                mem[ROOT_BEST] = i
                mem[ROOT_VALUE] = sign * best
                if found > low:
                    low = found
                    extend_pv(pv_rows, 0, move, mem)
                    if low >= high:
                        doubts = mem[DOUBTS]
                        break
            doubts |= mem[DOUBTS]
        if not scored and is_win_within(best, depth) and (best >= high or not doubts & SKIPPED):
            doubts = 0
        mem[DOUBTS] = doubts
        return sign * best

    return entry


ALPHABETA = Kernel(
    "alpha-beta",
    (
        "to_move",
        "moves",
        "play",
        "utility",
        "is_terminal",
        "clock",
        "evaluate",
        "order",
        "key",
        "bounds",
        "noisy_moves",
        "is_forced",
        "skip",
        "reversible",
        "canonical",
        "moves_left",
        "is_ending",
        "ending",
        *RULES_USED,
    ),
    build,
    SEARCH,
    search_regions,
)

# The same with an endgame database: a separate kernel, so that users without a database need not compile it.
ALPHABETA_WITH_DATABASE = Kernel(
    "alpha-beta with a database", (*ALPHABETA.uses, "tier", "rank"), build, SEARCH, search_regions
)
