"""Retrograde analysis of one tier, compiled from the game's own rules.

1. ``expand`` asks the rules once for every position: is the game over, and where do the moves lead? Moves to earlier
   tiers are looked up immediately. Moves within the tier become edges, which are kept in memory.
2. ``count_edges``, ``add_up`` and ``reverse`` reverse the edges: for every position, they list its predecessors.
3. ``propagate`` counts backwards from the decided positions. A position is won as soon as one move leads to a
   position that is lost for the opponent, and lost when the last of its moves has been refuted. Each edge is followed
   once, so no work is wasted, however long the wins are (K. Thompson, Retrograde Analysis of Certain Endgames, ICCA
   Journal 9, 1986; here without a generator of backward moves).
4. ``finish``: play can continue forever in the positions that are left, so they are draws.

Each thread owns a share of the positions: it alone writes their values and counters, and has its own list of edges
that begin there. Threads synchronise between rounds, so no two threads ever write the same word.

A position's counter is 4 for each move not yet refuted, plus 2 if a win is in sight (with distances, perhaps not the
nearest win), plus 1 if some move at least draws. At 0 the position is lost.
"""

from __future__ import annotations

from zerosum.endgame.checks import complaints, outlooks, spot_checks, verdicts
from zerosum.endgame.memory import (
    ADD_UP,
    BAD_MOVES,
    COLLECT,
    COUNT_EDGES,
    COUNTERS,
    DIRECTORY,
    DISTANCES,
    DRAWS,
    DUE,
    EDGE_COUNT,
    EDGE_LIMIT,
    EDGES,
    END,
    EXPAND,
    FARTHEST,
    FOUND,
    FOUND_COUNT,
    HOLE,
    INTO_HOLE,
    LATER_TIER,
    LAYER,
    LISTS,
    LONGEST,
    LOSSES,
    NEVER,
    NEXT,
    NEXT_LAYER,
    NOT_ONE_TO_ONE,
    OUTSIDE,
    PHASE,
    PROPAGATE,
    PROPAGATE_LAYER,
    REVERSE,
    SIZE,
    SOURCES,
    SPOT_CHECK,
    STARTS,
    THREADS,
    TIER,
    TOO_FAR,
    USES,
    VALUES,
    WINS,
    WORDS,
    regions,
)
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import STOP
from zerosum.jit.rules import Rules, recursive
from zerosum.jit.words import memory_at
from zerosum.solved_tiers import (
    DRAW,
    LOSS,
    UNKNOWN,
    VICTORY,
    get_distance,
    get_place,
    get_value,
    lookup,
    lookup_distance,
    put_distance,
    put_place,
    put_value,
    tier_size,
)


def build(rules: Rules):
    to_move, moves, play, is_terminal = rules.to_move, rules.moves, rules.play, rules.is_terminal
    tier_of, rank, unrank, is_valid = rules.tier, rules.rank, rules.unrank, rules.is_valid
    max_moves, wrong, verdict = rules.max_moves, complaints(rules), verdicts(rules)
    buffer, lists = rules.at["buffer"], rules.at["lists"]

    # Not recursive, but marked as such: a function called through a symbol is compiled once, not once for every call.
    check_successors = spot_checks(rules, recursive("int", "State", "int", "memory")(outlooks(rules)))

    def expand(mem):
        """Expand the positions from NEXT to END, or until the room for edges is used up; NEXT says how far it got."""
        tier, size, directory = mem[TIER], mem[SIZE], mem[DIRECTORY]
        values, counters, edges = memory_at(mem[VALUES]), memory_at(mem[COUNTERS]), memory_at(mem[EDGES])
        far = mem[DISTANCES] != 0
        distances = memory_at(mem[DISTANCES]) if far else values
        used, room = 0, mem[EDGE_LIMIT] - max_moves
        i = mem[NEXT]
        while i < mem[END] and used <= room and mem[STOP] == 0:
            s = unrank(tier, i, mem)
            if not is_valid(s, mem):
                put_place(counters, i, HOLE)
                i += 1
                continue
            if tier_of(s, mem) != tier or rank(s, mem) != i:
                wrong(s, NOT_ONE_TO_ONE, i, tier_of(s, mem), rank(s, mem), mem)
                break
            n = 0
            if not is_terminal(s, mem):
                n = moves(s, mem, buffer, buffer + max_moves)
                if n < 0:
                    wrong(s, BAD_MOVES, i, n, 0, mem)
                    break
            if n == 0:
                value = verdict(s, mem)
                if value == DRAW:
                    put_place(counters, i, 1)
                else:
                    put_value(values, i, value)
                i += 1
                continue
            mover = to_move(s, mem)
            first, hope, nearest, last = used, 0, NEVER, 0
            for j in range(n):
                after = play(s, mem[buffer + j], mem)
                its_tier = tier_of(after, mem)
                same = to_move(after, mem) == mover
                if its_tier == tier:
                    place = rank(after, mem)
                    if place < 0 or place >= size:
                        wrong(s, OUTSIDE, i, its_tier, place, mem)
                        break
                    put_place(edges, used, place << 1 | same)
                    used += 1
                    continue
                if its_tier > tier:
                    wrong(s, LATER_TIER, i, its_tier, mem[buffer + j], mem)
                    break
                if its_tier < 0:
                    wrong(s, OUTSIDE, i, its_tier, mem[buffer + j], mem)
                    break
                place = rank(after, mem)
                if place < 0 or place >= tier_size(directory, its_tier):
                    wrong(s, OUTSIDE, i, its_tier, place, mem)
                    break
                value = lookup(directory, its_tier, place)
                if value == UNKNOWN:
                    wrong(s, INTO_HOLE, i, its_tier, place, mem)
                    break
                if value == DRAW:
                    hope |= 1
                    continue
                distance = lookup_distance(directory, its_tier, place) + 1 if far else 0
                if (value == VICTORY) == same:
                    hope |= 2
                    nearest = min(nearest, distance)
                    if not far:
                        break
                else:
                    last = max(last, distance)
            if i % mem[SPOT_CHECK] == 0 and mem[STOP] == 0:
                check_successors(s, i, n, mem)
            if hope >= 2 and not far:
                used = first
                put_value(values, i, VICTORY)
            elif hope == 0 and used == first and not far:
                put_value(values, i, LOSS)
            else:
                put_place(counters, i, (used - first) << 2 | hope)
                if far:
                    last = nearest if hope >= 2 else last
                    if last > FARTHEST:
                        wrong(s, TOO_FAR, i, last, 0, mem)
                        break
                    put_distance(distances, i, last)
            i += 1
        mem[NEXT], mem[EDGE_COUNT] = i, used
        return i

    def count_edges(mem):
        """Count the edges that lead to each position; the counts are in STARTS, shifted by one."""
        edges, starts = memory_at(mem[EDGES]), memory_at(mem[STARTS])
        for j in range(mem[EDGE_COUNT]):
            to = (get_place(edges, j) >> 1) + 1
            put_place(starts, to, get_place(starts, to) + 1)
        return 0

    def add_up(mem):
        """Turn the numbers of edges into the places in SOURCES where the edges to each position begin."""
        starts = memory_at(mem[STARTS])
        total = 0
        for i in range(mem[SIZE] + 1):
            total += get_place(starts, i)
            put_place(starts, i, total)
        return total

    def reverse(mem):
        """Enter the edges of the positions from NEXT to END. Each start advances, and is the end when all are in."""
        edges, starts, sources = memory_at(mem[EDGES]), memory_at(mem[STARTS]), memory_at(mem[SOURCES])
        counters = memory_at(mem[COUNTERS])
        j = 0
        for i in range(mem[NEXT], mem[END]):
            counter = get_place(counters, i)
            if counter == HOLE:
                continue
            for _ in range(counter >> 2):
                edge = get_place(edges, j)
                to = edge >> 1
                if get_place(counters, to) == HOLE:
                    wrong(unrank(mem[TIER], i, mem), INTO_HOLE, i, mem[TIER], to, mem)
                    return 0
                at = get_place(starts, to)
                put_place(sources, at, i << 1 | edge & 1)
                put_place(starts, to, at + 1)
                j += 1
        return j

    def collect(mem):
        """List the positions in this thread's share that are already decided."""
        values, found = memory_at(mem[VALUES]), memory_at(mem[FOUND])
        count = 0
        for i in range(mem[NEXT], mem[END]):
            if get_value(values, i) != UNKNOWN:
                put_place(found, count, i)
                count += 1
        mem[FOUND_COUNT] = count
        return count

    def propagate(mem):
        """Update the predecessors of all threads' positions of this round; list those decided in our share."""
        values, counters, found = memory_at(mem[VALUES]), memory_at(mem[COUNTERS]), memory_at(mem[FOUND])
        starts, sources = memory_at(mem[STARTS]), memory_at(mem[SOURCES])
        count = mem[FOUND_COUNT]
        for thread in range(mem[THREADS]):
            decided = memory_at(mem[lists + LISTS * thread])
            for j in range(mem[lists + LISTS * thread + 1], mem[lists + LISTS * thread + 2]):
                place = get_place(decided, j)
                won = get_value(values, place) == VICTORY
                for at in range(get_place(starts, place - 1) if place else 0, get_place(starts, place)):
                    edge = get_place(sources, at)
                    i = edge >> 1
                    if get_value(values, i) != UNKNOWN:
                        continue
                    if won == (edge & 1):
                        put_value(values, i, VICTORY)
                    else:
                        counter = get_place(counters, i) - 4
                        put_place(counters, i, counter)
                        if counter != 0:
                            continue
                        put_value(values, i, LOSS)
                    put_place(found, count, i)
                    count += 1
        mem[FOUND_COUNT] = count
        return count

    def due(mem):
        """Decide and list the positions in our share that end in LAYER plies; NEXT_LAYER is the next distance."""
        values, counters, distances = memory_at(mem[VALUES]), memory_at(mem[COUNTERS]), memory_at(mem[DISTANCES])
        found, count, layer, coming = memory_at(mem[FOUND]), mem[FOUND_COUNT], mem[LAYER], NEVER
        for i in range(mem[NEXT], mem[END]):
            distance = get_distance(distances, i)
            if distance < layer or distance >= coming or get_value(values, i) != UNKNOWN:
                continue
            counter = get_place(counters, i)
            if counter == 0 or counter & 2:
                if distance > layer:
                    coming = distance
                    continue
                put_value(values, i, VICTORY if counter else LOSS)
                put_place(found, count, i)
                count += 1
        mem[FOUND_COUNT], mem[NEXT_LAYER] = count, coming
        return count

    def propagate_layer(mem):
        """Like ``propagate``, but only record distances: the next layer decides."""
        values, counters, distances = memory_at(mem[VALUES]), memory_at(mem[COUNTERS]), memory_at(mem[DISTANCES])
        starts, sources, after = memory_at(mem[STARTS]), memory_at(mem[SOURCES]), mem[LAYER] + 1
        for thread in range(mem[THREADS]):
            decided = memory_at(mem[lists + LISTS * thread])
            for j in range(mem[lists + LISTS * thread + 1], mem[lists + LISTS * thread + 2]):
                place = get_place(decided, j)
                won = get_value(values, place) == VICTORY
                for at in range(get_place(starts, place - 1) if place else 0, get_place(starts, place)):
                    edge = get_place(sources, at)
                    i = edge >> 1
                    if get_value(values, i) != UNKNOWN:
                        continue
                    counter = get_place(counters, i)
                    if won == (edge & 1):
                        put_place(counters, i, counter | 2)
                        put_distance(distances, i, after)
                    elif not counter & 2:
                        put_place(counters, i, counter - 4)
                        put_distance(distances, i, max(after, get_distance(distances, i)))
        return 0

    def finish(mem):
        """Mark the rest of our share as draws, and count all results."""
        values, counters = memory_at(mem[VALUES]), memory_at(mem[COUNTERS])
        far = mem[DISTANCES] != 0
        distances = memory_at(mem[DISTANCES]) if far else values
        wins, draws, losses, longest = 0, 0, 0, 0
        for i in range(mem[NEXT], mem[END]):
            value = get_value(values, i)
            if value == UNKNOWN:
                if get_place(counters, i) != HOLE:
                    put_value(values, i, DRAW)
                    draws += 1
                if far:
                    put_distance(distances, i, 0)
                continue
            if value == VICTORY:
                wins += 1
            else:
                losses += 1
            if far:
                longest = max(longest, get_distance(distances, i))
        mem[WINS], mem[DRAWS], mem[LOSSES], mem[LONGEST] = wins, draws, losses, longest
        return 0

    def entry(mem):
        phase = mem[PHASE]
        if phase == EXPAND:
            return expand(mem)
        if phase == COUNT_EDGES:
            return count_edges(mem)
        if phase == ADD_UP:
            return add_up(mem)
        if phase == REVERSE:
            return reverse(mem)
        if phase == COLLECT:
            return collect(mem)
        if phase == PROPAGATE:
            return propagate(mem)
        if phase == DUE:
            return due(mem)
        if phase == PROPAGATE_LAYER:
            return propagate_layer(mem)
        return finish(mem)

    return entry


RETROGRADE = Kernel("retrograde", USES, build, WORDS, regions)
