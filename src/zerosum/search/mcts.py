"""Monte-Carlo tree search: the tree grows where simulations go well.

A simulation goes down from the root, taking at each node the move with the highest upper confidence bound (UCT:
L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006), judges the position where it leaves the
tree, by a random game to the end or by the evaluation, and adds the result to all nodes on its way. Workers share the
tree; on the way down a move counts as lost for now, so that others try something else (virtual loss: G. Chaslot,
M. Winands and H. J. van den Herik, Parallel Monte-Carlo tree search, CG 2008).

What is certain climbs the tree as bounds (after M. Winands, Y. Björnsson and J.-T. Saito, Monte-Carlo tree search
solver, CG 2008): a node is worth at least what a move of MAX is worth at least, and so on. They stand on finished games
alone. A repetition on the way only ends the simulation as a draw; no bound comes from it. Keys have the clock in them,
and the tree is dropped where positions before the root may not come again, so a bound holds by every way to its node.

``classroom/mcts.py`` is the same to read.
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
"""Tasks: run simulations; find or make the root's node, or make one for chosen moves alone; throw nodes away; the two
halves of a simulation, for whoever judges positions elsewhere."""

DEEPEST = PLIES - 2
"""A simulation leaves the tree here at the latest."""

LONGEST_PLAYOUT = 1000
"""A random game of more plies is judged by the evaluation, or as a draw."""

DOUBT = 0.1
"""By order, a move that was never tried is taken to be worse by this than the moves so far."""

NOTHING = 9.0
"""Stands for no result: those are from -1 to 1."""

LOGS = 1024
"""Logarithms, and what 1 is divided by a square root, lie in tables up to here."""

LN_32 = 3.4657359027997265


def regions(game: Game) -> list[Region]:
    return [
        Region("root_moves", width_of(game)),
        Region("path", PAST_LIMIT + PLIES),  # keys of the past, then of the line: see ``repetition``
        Region("path_from", PAST_LIMIT + PLIES),
        Region("nodes", PLIES),  # of a simulation's way down, and the edge taken at each
        Region("edges", PLIES),
        Region("floors", PLIES),  # and what its mover had for certain there
        Region("leaf", game.state_type.size),  # the position where it has left the tree
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

    # What things are worth

    def normal(points, mem):
        """A result in the game's points as one from -1 to 1: who has won, or by how much."""
        if mem[BY_SCORE]:
            return min(max(points / word_float(mem[SCALE]), -1.0), 1.0)
        if points > 0.0:
            return 1.0
        return -1.0 if points < 0.0 else 0.0

    def playout(s, mem):
        """Plays at random to the end; the result in the game's points.

        Where repetitions are draws, a game ends in one when it has gone round in a circle: it meets a position that was
        noted after 1, 2, 4, 8 … plies (R. Brent, An improved Monte Carlo factorization algorithm, BIT 20, 1980).
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
        """What ``s`` is worth from -1 to 1, by chance, by the evaluation or by both; leaves its points."""
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
        """Whether nothing of interest is left to find out about a node."""
        tree = memory_at(mem[TREE])
        low, high = word_float(tree[at + LOW]), word_float(tree[at + HIGH])
        if scored:
            return low >= high
        return low >= WON or high <= -WON or low >= high

    collect = collection(counts, is_decided)

    def known(at, mem):
        """What a decided node is worth from -1 to 1; leaves its points."""
        low = word_float(memory_at(mem[TREE])[at + LOW])
        if not scored:
            high = word_float(memory_at(mem[TREE])[at + HIGH])
            low = 1.0 if low >= WON else (-1.0 if high <= -WON else 0.0)
        mem[SCORE] = float_word(low)
        return normal(low, mem)

    def farther(bound):
        """A bound seen from one ply before: wins and losses are a ply farther away."""
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
        """Fills the buffer with the moves, or outcomes with their probabilities, of ``s``; how many there are."""
        if ends(s, mem):
            return 0
        if has_chance:
            if to_move(s, mem) == CHANCE:
                return chances(s, mem, buffer, buffer + 2 * max_chances)
        return moves(s, mem, buffer, buffer + max_moves)

    def sort(s, n, mem):
        """Put the moves in the buffer in their order, the highest first."""
        for i in range(n):
            mem[points + i] = order(s, mem[buffer + i], mem)
            move, score, j = mem[buffer + i], mem[points + i], i
            while j > 0 and mem[points + j - 1] < score:
                mem[buffer + j], mem[points + j] = mem[buffer + j - 1], mem[points + j - 1]
                j -= 1
            mem[buffer + j], mem[points + j] = move, score

    def grow(s, key, n, mem):
        """A new node of ``s`` with the ``n`` moves in the buffer; 0 if there is no room."""
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
        """Whether a node's bounds are narrower for what its children are known to be worth; sets them."""
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
            # A proof stands on children that were decided before: whoever goes on to those never goes in a circle.
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
        """The edge with the highest upper confidence bound; without ``order``, one that was never tried comes first.

        If there is nothing left to find out about it, its value is noted and the best of the others is tried.
        """
        tree = memory_at(mem[TREE])
        size, visits = tree[at + SIZE], tree[at + VISITS]
        sign = 1.0 if mover_of(size) == MAX else -1.0
        n = edges_of(size)
        by_order, width, unseen, share = False, 0.0, 0.0, 0.0
        if has_order:
            by_order = mem[BY_ORDER] != 0
        if by_order:
            # P. Auer's bound with a share of the attention for each move (PUCT: C. Rosin, Multi-armed bandits with
            # episode context, 2011): the harmonic series, as moves lie in their order.
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
        """An outcome of chance by its probability."""
        tree = memory_at(mem[TREE])
        left = next_fraction(DICE, mem)
        last = at + HEAD + EDGE * (edges_of(tree[at + SIZE]) - 1)
        for e in range(at + HEAD, last, EDGE):
            left -= word_float(tree[e + TOTAL])
            if left < 0.0:
                return e
        return last

    def child_of(e, s, mem):
        """The node behind an edge that has none yet, if it has one now: that of the same position reached otherwise,
        or a new one where the edge was taken before, or where the game is over; else 0."""
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
        """The way of a simulation down; leaves the position where it ends, and what that is worth if it is known."""
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
            # 2. A position that has been there too often is a draw, this time.
            if repeats:
                key = key_of(s, mem)
                if repeats_past(key, mem) or repeated(key, ply, mem):
                    mem[SCORE] = float_word(0.0)
                    return 0
            # 3. Go on in the tree, or leave it: what is not decided is still to be judged.
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
            # 4. A way that goes round in a circle comes to nothing, also where no rule says so: see ``playout``.
            if child == noted:
                mem[SCORE] = float_word(0.0)
                return 0
            if ply >= due:
                noted, due = child, 2 * due
            at = child

    def ascend(mem):
        """Add the result to all nodes on the way, and what is certain now as far as it is news."""
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
        """Undo what the way down of a simulation that was stopped has counted."""
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
            # A decided node would lose its edges, and the root's tell which move is the best.
            if not is_decided(mem[ROOT], mem):
                collect(mem)
            mem[FULL] = 0
        elif mem[TASK] == FIND_ROOT:
            s = unpack(mem, state)
            key = tree_key(s, mem)
            mem[ROOT] = find(key, mem)
            # A node of which only the head was kept cannot say which move is the best: it begins anew.
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
