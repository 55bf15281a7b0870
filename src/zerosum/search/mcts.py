"""Monte-Carlo tree search: the tree grows where simulations go well.

A simulation descends from the root, taking at each node the move with the highest upper confidence bound (UCT:
L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006). Where it leaves the tree, it estimates the
position by a random game to the end or by the evaluation, and adds the result to all nodes on its path. Workers share
the tree; until a simulation ends, its moves count as lost, so that other workers try something else (virtual loss:
G. Chaslot, M. Winands and H. J. van den Herik, Parallel Monte-Carlo tree search, CG 2008).

Certain results move up the tree as bounds (after M. Winands, Y. Björnsson and J.-T. Saito, Monte-Carlo tree search
solver, CG 2008): the lower bound of a MAX node is the highest lower bound of its moves, and so on. Bounds come from
finished games only. A repetition just ends the simulation as a draw and gives no bound. Keys include the clock,
and the tree is dropped when the positions before the root that must not be repeated change, so a bound holds on every
path to its node.

``classroom/mcts.py`` is a readable version.
"""

from __future__ import annotations

from math import sqrt

from zerosum.game import CHANCE, MAX, WIN, Game
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import NODE_LIMIT, NODES, STOP, Region, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.words import float_word, floating, memory_at, word_float
from zerosum.search.dice import next_below, next_fraction, pick_outcome
from zerosum.search.memory import NO_BOUND, PAST_LIMIT, PLIES, ROOT_COUNT
from zerosum.search.repetition import repetition_test
from zerosum.search.tree import (
    BUCKETS,
    BY_ORDER,
    BY_SCORE,
    CHILD,
    DECIDED,
    DECISIONS,
    DICE,
    EDGE,
    END,
    EXPLORE,
    FLOOR,
    FREE,
    FULL,
    HEAD,
    HIGH,
    IS_NEWS,
    KEY,
    LOST,
    LOW,
    MARK,
    MIXTURE,
    MOVE,
    MOVE_BITS,
    OPEN,
    PART,
    PLY,
    ROOT,
    SCALE,
    SCORE,
    SCORES,
    SIZE,
    SUM,
    TASK,
    TOTAL,
    TREE,
    TRIES,
    VALUE,
    VISITS,
    WORDS,
    collection,
    edges_of,
    enter,
    find,
    mover_of,
    part_of,
)
from zerosum.search.values import WON

SIMULATE, FIND_ROOT, MAKE_ROOT, COLLECT, DESCEND, ASCEND = range(6)
"""Tasks: run simulations; find or make the root's node, or make one for the chosen moves only; discard nodes; the two
halves of a simulation, for callers that evaluate positions elsewhere."""

DEEPEST = PLIES - 2
"""A simulation leaves the tree here at the latest."""

LONGEST_PLAYOUT = 1000
"""A random game of more plies is scored by the evaluation, or as a draw."""

DOUBT = 0.1
"""With ``order``, an untried move is assumed to be this much worse than the node's mean."""

NOTHING = 9.0
"""Stands for no result; results are from -1 to 1."""

LOGS = 1024
"""Logarithms and inverse square roots are tabulated up to here."""

LN_32 = 3.4657359027997265


def regions(game: Game) -> list[Region]:
    return [
        Region("root_moves", width_of(game)),
        Region("path", PAST_LIMIT + PLIES),  # keys of the past, then of the line: see ``repetition``
        Region("path_from", PAST_LIMIT + PLIES),
        Region("nodes", PLIES),  # on a simulation's path, and the edge taken at each
        Region("edges", PLIES),
        Region("floors", PLIES),  # and the result that its mover is certain of there
        Region("leaf", game.state_type.size),  # the position where it left the tree
        Region("buffer", width_of(game)),
        Region("points", game.max_moves if game.has("order") else 0),  # of the moves in the buffer, by their order
        Region("logs", LOGS),
        Region("roots", LOGS),
        Region("counts", BUCKETS),
    ]


def build(rules: Rules):
    to_move, moves, chances, play, evaluate = rules.to_move, rules.moves, rules.chances, rules.play, rules.evaluate
    key_of, clock, reversible, fail = rules.key, rules.clock, rules.reversible, rules.fail
    pack, unpack, leaf = rules.pack, rules.unpack, rules.at["leaf"]
    max_moves, max_chances, state, scored = rules.max_moves, rules.max_chances, rules.at.state, rules.scored
    has_chance, has_clock, has_evaluate = rules.has["chances"], rules.has["clock"], rules.has["evaluate"]
    has_order, order = rules.has["order"], rules.order
    repeats, place = rules.repetition > 0, rules.at
    nodes, edges, floors, buffer = place["nodes"], place["edges"], place["floors"], place["buffer"]
    root_moves, counts, logs, points = place["root_moves"], place["counts"], place["logs"], place["points"]
    roots = place["roots"]
    ends, utility = rules.counting_the_clock()
    repeated, note_position, repeats_past, _ = repetition_test(rules)

    # Values

    def normal(points, mem):
        """Convert a result in the game's points to one from -1 to 1: who won, or by how much."""
        if mem[BY_SCORE]:
            return min(max(points / word_float(mem[SCALE]), -1.0), 1.0)
        if points > 0.0:
            return 1.0
        return -1.0 if points < 0.0 else 0.0

    def playout(s, mem):
        """Play at random to the end, and return the result in the game's points.

        If the game has a repetition rule, a playout that enters a cycle is a draw. Cycles are detected by comparison
        with the position noted after 1, 2, 4, 8 … plies (R. Brent, An improved Monte Carlo factorization algorithm,
        BIT 20, 1980).
        """
        noted, due = 0, 1
        for ply in range(LONGEST_PLAYOUT):
            if ends(s, mem):
                return floating(utility(s, mem))
            if repeats:
                key = key_of(s, mem)
                if ply > 0 and key == noted:
                    return 0.0
                if ply >= due:
                    noted, due = key, 2 * due
            if has_chance:
                if to_move(s, mem) == CHANCE:
                    n = chances(s, mem, buffer, buffer + 2 * max_chances)
                    if n < 0:
                        fail(s, n, mem)
                        return 0.0
                    s = play(s, pick_outcome(buffer, n, DICE, mem), mem)
                    continue
            n = moves(s, mem, buffer, buffer + max_moves)
            if n < 0:
                fail(s, n, mem)
                return 0.0
            if n == 0:
                return floating(utility(s, mem))
            s = play(s, mem[buffer + next_below(n, DICE, mem)], mem)
        return floating(evaluate(s, mem)) if has_evaluate and scored else 0.0

    def judge(s, mem):
        """The value of ``s`` from -1 to 1, by a random game, the evaluation or both. Leaves its points."""
        share = word_float(mem[MIXTURE])
        found, points = 0.0, 0.0
        if share < 1.0 or ends(s, mem):
            points = playout(s, mem)
            found = normal(points, mem)
            if share > 0.0 and ends(s, mem):
                share = 0.0
        if has_evaluate:
            if share > 0.0:
                guess = floating(evaluate(s, mem))
                guessed = guess / word_float(mem[SCALE])
                guessed /= sqrt(1.0 + guessed * guessed)
                found += share * (guessed - found)
                points += share * (guess - points)
        mem[SCORE] = float_word(points)
        return found

    def is_decided(at, mem):
        """Whether the value of a node is settled."""
        tree = memory_at(mem[TREE])
        low, high = word_float(tree[at + LOW]), word_float(tree[at + HIGH])
        if scored:
            return low >= high
        return low >= WON or high <= -WON or low >= high

    collect = collection(counts, is_decided)

    def known(at, mem):
        """The value of a decided node from -1 to 1. Leaves its points."""
        low = word_float(memory_at(mem[TREE])[at + LOW])
        if not scored:
            high = word_float(memory_at(mem[TREE])[at + HIGH])
            low = 1.0 if low >= WON else (-1.0 if high <= -WON else 0.0)
        mem[SCORE] = float_word(low)
        return normal(low, mem)

    def farther(bound):
        """A bound seen from one ply earlier: wins and losses are a ply farther away."""
        if scored:
            return bound
        if bound >= WON:
            return bound - 1.0
        return bound + 1.0 if bound <= -WON else bound

    # Growing the tree

    def tree_key(s, mem):
        key = key_of(s, mem)
        if has_clock:
            key = mix(key, clock(s, mem))
        return key if key != 0 else 1

    def listed(s, mem):
        """Fill the buffer with the moves of ``s``, or its outcomes and probabilities, and return their number."""
        if ends(s, mem):
            return 0
        if has_chance:
            if to_move(s, mem) == CHANCE:
                return chances(s, mem, buffer, buffer + 2 * max_chances)
        return moves(s, mem, buffer, buffer + max_moves)

    def sort(s, n, mem):
        """Sort the moves in the buffer by the game's ``order``, highest first."""
        for i in range(n):
            mem[points + i] = order(s, mem[buffer + i], mem)
            move, score, j = mem[buffer + i], mem[points + i], i
            while j > 0 and mem[points + j - 1] < score:
                mem[buffer + j], mem[points + j] = mem[buffer + j - 1], mem[points + j - 1]
                j -= 1
            mem[buffer + j], mem[points + j] = move, score

    def grow(s, key, n, mem):
        """Make a new node for ``s`` with the ``n`` moves in the buffer; 0 if there is no room."""
        tree = memory_at(mem[TREE])
        part = part_of(mem[PART])
        at = tree[part + FREE]
        if at + HEAD + EDGE * n > tree[part + END]:
            mem[FULL] = 1
            return 0
        low, high = -floating(NO_BOUND), floating(NO_BOUND)
        mover = to_move(s, mem)
        if not scored:
            low, high = -floating(WIN), floating(WIN)
        if n == 0:
            low = floating(utility(s, mem))
            if not scored:
                low = floating(WIN) if low > 0.0 else (-floating(WIN) if low < 0.0 else 0.0)
            high = low
        if has_order:
            if mem[BY_ORDER] and mover != CHANCE:
                sort(s, n, mem)
        tree[at + KEY], tree[at + SIZE], tree[at + VISITS] = key, mover << 32 | n, 0
        tree[at + LOW], tree[at + HIGH] = float_word(low), float_word(high)
        tree[at + SUM], tree[at + SCORES], tree[at + MARK] = float_word(0.0), float_word(0.0), 0
        for i in range(n):
            e = at + HEAD + EDGE * i
            tree[e + CHILD], tree[e + TRIES], tree[e + TOTAL] = 0, 0, float_word(0.0)
            if has_chance and mover == CHANCE:
                tree[e + MOVE], tree[e + TOTAL] = mem[buffer + 2 * i], mem[buffer + 2 * i + 1]
            else:
                tree[e + MOVE] = mem[buffer + i]
        tree[part + FREE] = at + HEAD + EDGE * n
        if key != 0:
            enter(key, at, mem)
        return at

    def narrowed(at, mem):
        """Narrow a node's bounds by those of its children; whether they changed."""
        tree = memory_at(mem[TREE])
        mover, before, until = mover_of(tree[at + SIZE]), word_float(tree[at + LOW]), word_float(tree[at + HIGH])
        least, most = -floating(NO_BOUND), floating(NO_BOUND)
        if not scored:
            least, most = farther(-floating(WIN)), farther(floating(WIN))
        low, high = most, most
        if mover == MAX:
            low, high = least, least
        if has_chance and mover == CHANCE:
            low, high = 0.0, 0.0
        for e in range(at + HEAD, at + HEAD + EDGE * edges_of(tree[at + SIZE]), EDGE):
            child, one, other = tree[e + CHILD], least, most
            if child != 0:
                one, other = farther(word_float(tree[child + LOW])), farther(word_float(tree[child + HIGH]))
                if is_decided(child, mem):
                    tree[e + MOVE] |= DECIDED
            if has_chance and mover == CHANCE:
                low += word_float(tree[e + TOTAL]) * one
                high += word_float(tree[e + TOTAL]) * other
            elif mover == MAX:
                low, high = max(low, one), max(high, other)
                if other < before or (not scored and other <= -WON):
                    tree[e + MOVE] |= LOST
            else:
                low, high = min(low, one), min(high, other)
                if one > until or (not scored and one >= WON):
                    tree[e + MOVE] |= LOST
        is_new, was_decided = low > before or high < until, is_decided(at, mem)
        if low > before:
            tree[at + LOW] = float_word(low)
        if high < until:
            tree[at + HIGH] = float_word(high)
        if is_decided(at, mem) and not was_decided:
            # A proof depends on children that were decided earlier, so following them never leads into a cycle.
            tree[DECISIONS] += 1
            tree[at + SIZE] += tree[DECISIONS] << 34
        return is_new

    # A simulation

    def logarithm(n, mem):
        more = 0.0
        while n >= LOGS:
            n >>= 5
            more += LN_32
        return word_float(mem[logs + n]) + more

    def inverse_root(n, mem):
        return word_float(mem[roots + n]) if n < LOGS else 1.0 / sqrt(floating(n))

    def choose(at, mem):
        """The edge with the highest upper confidence bound; without ``order``, untried edges come first.

        If the best edge is decided, its value is noted and the best of the others is returned.
        """
        tree = memory_at(mem[TREE])
        size, visits = tree[at + SIZE], tree[at + VISITS]
        sign = 1.0 if mover_of(size) == MAX else -1.0
        n = edges_of(size)
        by_order, width, unseen, share = False, 0.0, 0.0, 0.0
        if has_order:
            by_order = mem[BY_ORDER] != 0
        if by_order:
            # P. Auer's bound with a prior for each move (PUCT: C. Rosin, Multi-armed bandits with episode context,
            # 2011). The priors are the harmonic series, because the moves are sorted.
            width = word_float(mem[EXPLORE]) * sqrt(floating(visits + 1)) / (logarithm(n, mem) + 1.0)
            unseen = sign * word_float(tree[at + SUM]) / floating(visits + 1) - DOUBT
        else:
            width = word_float(mem[EXPLORE]) * sqrt(logarithm(visits + 1, mem))
        best, chosen, sure, decided = -1e9, 0, -1e9, 0
        mem[FLOOR] = float_word(NOTHING)
        for e in range(at + HEAD, at + HEAD + EDGE * n, EDGE):
            share += 1.0
            if tree[e + MOVE] & LOST:
                continue
            tries = tree[e + TRIES]
            found = unseen
            if by_order:
                if tries > 0:
                    found = sign * word_float(tree[e + TOTAL]) / floating(tries)
                found += width / (share * floating(1 + tries))
            elif tries <= 0:
                return e
            else:
                # With r = 1 / √n, mean + width · r, without a division.
                r = inverse_root(tries, mem)
                found = (sign * word_float(tree[e + TOTAL]) * r + width) * r
            if tree[e + MOVE] & DECIDED:
                if found > sure:
                    sure, decided = found, e
            elif found > best:
                best, chosen = found, e
        if chosen == 0:
            return decided if decided != 0 else at + HEAD
        if sure > best:
            mem[FLOOR] = float_word(known(tree[decided + CHILD], mem))
        return chosen

    def throw(at, mem):
        """A chance outcome, drawn by probability."""
        tree = memory_at(mem[TREE])
        left = next_fraction(DICE, mem)
        last = at + HEAD + EDGE * (edges_of(tree[at + SIZE]) - 1)
        for e in range(at + HEAD, last, EDGE):
            left -= word_float(tree[e + TOTAL])
            if left < 0.0:
                return e
        return last

    def child_of(e, s, mem):
        """The node for an edge that has none yet: the existing node of the same position, or a new one if the edge was
        taken before or the game is over; otherwise 0."""
        tree = memory_at(mem[TREE])
        key = tree_key(s, mem)
        child = find(key, mem)
        if child == 0 and (tree[e + TRIES] > 1 or ends(s, mem)):
            n = listed(s, mem)
            if n < 0:
                return fail(s, n, mem)
            child = grow(s, key, n, mem)
        if child != 0:
            tree[e + CHILD] = child
        return child

    def descend(mem):
        """A simulation's way down. Leaves the position where it ends, and its value if that is known."""
        tree = memory_at(mem[TREE])
        s, at, ply, noted, due = unpack(mem, state), mem[ROOT], 0, mem[ROOT], 1
        mem[OPEN], mem[IS_NEWS], mem[VALUE] = 0, 0, float_word(0.0)
        while True:
            # 1. Take a move. Until the result is known it counts as lost.
            mover = mover_of(tree[at + SIZE])
            e = throw(at, mem) if has_chance and mover == CHANCE else choose(at, mem)
            mem[nodes + ply], mem[edges + ply], mem[floors + ply] = at, e, mem[FLOOR]
            tree[e + TRIES] += 1
            if not has_chance or mover != CHANCE:
                tree[e + TOTAL] = float_word(word_float(tree[e + TOTAL]) + (-1.0 if mover == MAX else 1.0))
            move = tree[e + MOVE] & MOVE_BITS
            if repeats:
                note_position(key_of(s, mem), mover != CHANCE and reversible(s, move, mem), ply, mem)
            s = play(s, move, mem)
            ply += 1
            mem[PLY] = ply
            # 2. Too many repetitions are a draw, in this simulation only.
            if repeats:
                key = key_of(s, mem)
                if repeats_past(key, mem) or repeated(key, ply, mem):
                    mem[SCORE] = float_word(0.0)
                    return 0
            # 3. Stay in the tree, or leave it: an undecided position then needs an evaluation.
            child = tree[e + CHILD]
            is_new = child == 0
            if is_new:
                child = child_of(e, s, mem)
            if mem[STOP]:
                return 0
            if child != 0 and is_decided(child, mem):
                mem[VALUE], mem[IS_NEWS] = float_word(known(child, mem)), 1
                return 0
            if child == 0 or ply >= DEEPEST or (is_new and tree[child + VISITS] == 0):
                mem[OPEN] = 1
                pack(s, mem, leaf)
                return 0
            # 4. A path that enters a cycle counts as 0, even without a repetition rule: see ``playout``.
            if child == noted:
                mem[SCORE] = float_word(0.0)
                return 0
            if ply >= due:
                noted, due = child, 2 * due
            at = child

    def ascend(mem):
        """Add the result to all nodes on the path, and update their bounds as far as they change."""
        tree = memory_at(mem[TREE])
        value, is_news = word_float(mem[VALUE]), mem[IS_NEWS] != 0
        for i in range(mem[PLY] - 1, -1, -1):
            at, e = mem[nodes + i], mem[edges + i]
            mover = mover_of(tree[at + SIZE])
            tree[at + VISITS] += 1
            tree[at + SUM] = float_word(word_float(tree[at + SUM]) + value)
            tree[at + SCORES] = float_word(word_float(tree[at + SCORES]) + word_float(mem[SCORE]))
            if not has_chance or mover != CHANCE:
                tree[e + TOTAL] = float_word(word_float(tree[e + TOTAL]) + value - (-1.0 if mover == MAX else 1.0))
                floor = word_float(mem[floors + i])
                if floor != NOTHING:
                    value = max(value, floor) if mover == MAX else min(value, floor)
            if is_news:
                is_news = narrowed(at, mem)
        mem[NODES] += 1
        return 0

    def take_back(mem):
        """Undo the counts of a simulation that was stopped on its way down."""
        tree = memory_at(mem[TREE])
        for i in range(mem[PLY]):
            e, mover = mem[edges + i], mover_of(tree[mem[nodes + i] + SIZE])
            tree[e + TRIES] -= 1
            if not has_chance or mover != CHANCE:
                tree[e + TOTAL] = float_word(word_float(tree[e + TOTAL]) - (-1.0 if mover == MAX else 1.0))
        return 0

    def simulate(mem):
        descend(mem)
        if mem[STOP]:
            return take_back(mem)
        if mem[OPEN]:
            mem[VALUE] = float_word(judge(unpack(mem, leaf), mem))
        return ascend(mem)

    def entry(mem):
        if mem[TASK] == COLLECT:
            # A decided node would lose its edges, and the root's edges show which move is best.
            if not is_decided(mem[ROOT], mem):
                collect(mem)
            mem[FULL] = 0
        elif mem[TASK] == FIND_ROOT:
            s = unpack(mem, state)
            key = tree_key(s, mem)
            mem[ROOT] = find(key, mem)
            # A node that has lost its edges cannot show which move is best, so it is created again.
            if mem[ROOT] == 0 or edges_of(memory_at(mem[TREE])[mem[ROOT] + SIZE]) == 0:
                n = listed(s, mem)
                if n < 0:
                    return fail(s, n, mem)
                mem[ROOT] = grow(s, key, n, mem)
        elif mem[TASK] == MAKE_ROOT:
            for i in range(mem[ROOT_COUNT]):
                mem[buffer + i] = mem[root_moves + i]
            mem[ROOT] = grow(unpack(mem, state), 0, mem[ROOT_COUNT], mem)
        elif mem[TASK] == DESCEND:
            descend(mem)
        elif mem[TASK] == ASCEND:
            ascend(mem)
        else:
            while mem[STOP] == 0 and mem[FULL] == 0 and mem[NODES] < mem[NODE_LIMIT]:
                if is_decided(mem[ROOT], mem):
                    break
                simulate(mem)
        return 0

    return entry


MCTS = Kernel(
    "mcts",
    (
        "to_move",
        "moves",
        "chances",
        "play",
        "utility",
        "is_terminal",
        "evaluate",
        "key",
        "clock",
        "reversible",
        "order",
    ),
    build,
    WORDS,
    regions,
)
