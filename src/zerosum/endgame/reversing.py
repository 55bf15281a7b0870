"""Retrograde analysis in items, for a GPU: the lists and the backward steps, which do not ask the rules.

The open moves that the last sweep listed are reversed: ``count`` counts those that lead to each position, ``add_up``
and ``spread`` compute where those to each position begin, and ``enter`` stores where they come from. Then ``propagate``
updates the predecessors of the positions decided in one round, as in ``kernel``: each edge is followed once. A position
is lost when its counter reaches 0.

With distances, a round is a layer, and ``propagate_layer`` decides nothing: it records the distance to the end, and
``due`` decides the positions that end in that many plies. Two threads never write the same distance: of the threads
that find a win, the first writes it, and of those that refute a move, the last; no position has both.

Positions that are decided while the moves are being listed are not missed: a move was open when it was listed, so it
leads to a position in the last list, and the first round consists of all positions in that list that are decided by
then.
"""

from __future__ import annotations

from zerosum.endgame.memory import DISTANCES, SIZE, TASK, VALUES
from zerosum.endgame.sweeping import (
    FOUND_COUNT,
    LIST_COUNT,
    NEARER_WIN,
    OPEN_MOVE,
    WIN,
    has_bit,
    set_bit,
    share_value,
)
from zerosum.jit.kernel import ItemKernel
from zerosum.jit.rules import Rules
from zerosum.jit.words import add_shared, memory_at, or_shared
from zerosum.solved_tiers import (
    DRAW,
    LOSS,
    UNKNOWN,
    VICTORY,
    get_distance,
    get_place,
    get_value,
    put_distance,
    put_place,
)

WORDS = TASK.then(
    *("phase", "first"),  # the step to do; the number of item 0
    *("listed", "list_base"),  # undecided positions, a word each; the tally's count before this list
    *("holes", "coming", "tally"),  # as in ``sweeping``
    *("edges", "starts", "sums", "sources", "counters"),
    "found",  # positions decided in rounds, in the order in which they were decided
    *("layer", "to_come"),  # as in ``sweeping``
    *("counts", "lengths"),  # wins, draws and losses; a bit for each distance that occurs
)
# fmt: off
(
    PHASE, FIRST, LISTED, LIST_BASE, HOLES, COMING, TALLY, EDGES, STARTS, SUMS, SOURCES, COUNTERS, FOUND, LAYER,
    TO_COME, COUNTS, LENGTHS,
) = WORDS
# fmt: on

LIST, MERGE, COUNT, ADD_UP, SPREAD, ENTER, COLLECT, PROPAGATE, DUE, PROPAGATE_LAYER, FINISH = range(11)

PER_WORD = 32
"""Number of values in a word."""

CHUNK = 128
"""Number of positions whose edges one item of ``add_up`` counts."""


def edge_target(edge):
    return edge >> 32 & 0x7FFFFFFF


def share_place(words, i, place):
    """Add to a 32-bit number in a word that other threads also add to; return its old value."""
    shift = (i & 1) << 5
    return add_shared(words, i >> 1, place << shift) >> shift & 0xFFFFFFFF


def build(rules: Rules):
    def is_open(i, values, holes):
        return get_value(values, i) == UNKNOWN and has_bit(holes, i) == 0

    def list_open(word, mem):
        """Add the undecided positions in a word of values to the list."""
        values, holes, listed = memory_at(mem[VALUES]), memory_at(mem[HOLES]), memory_at(mem[LISTED])
        first, count = PER_WORD * word, 0
        end = min(first + PER_WORD, mem[SIZE])
        for i in range(first, end):
            if is_open(i, values, holes):
                count += 1
        if count != 0:
            at = add_shared(memory_at(mem[TALLY]), LIST_COUNT, count) - mem[LIST_BASE]
            for i in range(first, end):
                if is_open(i, values, holes):
                    listed[at] = i
                    at += 1

    def merge(word, mem):
        """Merge a word of new values into the values."""
        values, coming = memory_at(mem[VALUES]), memory_at(mem[COMING])
        if coming[word] != 0:
            values[word] |= coming[word]
            coming[word] = 0

    def count(at, mem):
        edge = memory_at(mem[EDGES])[at]
        if edge != 0:
            share_place(memory_at(mem[STARTS]), edge_target(edge), 1)

    def add_up(chunk, mem):
        """Count the edges that lead to the positions of a chunk."""
        starts, total = memory_at(mem[STARTS]), 0
        for i in range(CHUNK * chunk, min(CHUNK * (chunk + 1), mem[SIZE])):
            total += get_place(starts, i)
        memory_at(mem[SUMS])[chunk] = total

    def spread(chunk, mem):
        """Turn numbers of edges into the places where those of each position begin; SUMS now has that of the chunk."""
        starts, total = memory_at(mem[STARTS]), memory_at(mem[SUMS])[chunk]
        for i in range(CHUNK * chunk, min(CHUNK * (chunk + 1), mem[SIZE])):
            here = get_place(starts, i)
            put_place(starts, i, total)
            total += here

    def enter(at, mem):
        """Put an edge with the others to the same position. Each start advances, and is the end when all are in."""
        edge = memory_at(mem[EDGES])[at]
        if edge != 0:
            place = share_place(memory_at(mem[STARTS]), edge_target(edge), 1)
            or_shared(memory_at(mem[SOURCES]), place >> 1, (edge & 0xFFFFFFFF) << ((place & 1) << 5))

    def find(i, mem):
        memory_at(mem[FOUND])[add_shared(memory_at(mem[TALLY]), FOUND_COUNT, 1)] = i

    def collect(i, mem):
        """Add a position of the list to the first round, if it is decided."""
        value = get_value(memory_at(mem[VALUES]), i)
        if value in (VICTORY, LOSS):
            find(i, mem)

    def propagate(place, mem):
        """Update the predecessors of a decided position; those that become decided are added to the next round."""
        values, counters = memory_at(mem[VALUES]), memory_at(mem[COUNTERS])
        starts, sources = memory_at(mem[STARTS]), memory_at(mem[SOURCES])
        won = get_value(values, place) == VICTORY
        for at in range(get_place(starts, place - 1) if place else 0, get_place(starts, place)):
            edge = get_place(sources, at)
            i = edge >> 1
            if get_value(values, i) != UNKNOWN:
                continue
            if won == (edge & 1):
                if share_value(values, i, VICTORY) == UNKNOWN:
                    find(i, mem)
            elif share_place(counters, i, -OPEN_MOVE) == OPEN_MOVE:
                # The last open move. No other thread can find a win here: a winning move stays open.
                share_value(values, i, LOSS)
                find(i, mem)

    def due(word, mem):
        """Decide and list the positions in a word of values that end in LAYER plies; TO_COME: when others end."""
        values, holes, layer = memory_at(mem[VALUES]), memory_at(mem[HOLES]), mem[LAYER]
        counters, distances = memory_at(mem[COUNTERS]), memory_at(mem[DISTANCES])
        first, added = PER_WORD * word, 0
        for i in range(first, min(first + PER_WORD, mem[SIZE])):
            if not is_open(i, values, holes):
                continue
            counter, distance = get_place(counters, i), get_distance(distances, i)
            if counter != 0 and counter & WIN == 0:
                continue
            if distance > layer:
                set_bit(memory_at(mem[TO_COME]), distance)
            else:
                added |= (VICTORY if counter != 0 else LOSS) << ((i - first) << 1)
                find(i, mem)
        values[word] |= added

    def note_distance(i, before, distance, mem):
        """Change a distance in a word whose other distances may be changed by other threads."""
        add_shared(memory_at(mem[DISTANCES]), i >> 2, (distance - before) << ((i & 3) << 4))

    def propagate_layer(place, mem):
        """Like ``propagate``, but only record distances: the next layer decides."""
        values, counters, distances = memory_at(mem[VALUES]), memory_at(mem[COUNTERS]), memory_at(mem[DISTANCES])
        starts, sources, after = memory_at(mem[STARTS]), memory_at(mem[SOURCES]), mem[LAYER] + 1
        won = get_value(values, place) == VICTORY
        for at in range(get_place(starts, place - 1) if place else 0, get_place(starts, place)):
            edge = get_place(sources, at)
            i = edge >> 1
            if get_value(values, i) != UNKNOWN:
                continue
            if won == (edge & 1):
                shift = (i & 1) << 5
                before = or_shared(counters, i >> 1, (NEARER_WIN | WIN) << shift) >> shift
                # Layers come in order, so the first win found over an edge is the nearest of these.
                if before & NEARER_WIN == 0:
                    noted = get_distance(distances, i)
                    if before & WIN == 0 or noted > after:
                        note_distance(i, noted, after, mem)
            elif share_place(counters, i, -OPEN_MOVE) == OPEN_MOVE:
                noted = get_distance(distances, i)
                if noted < after:
                    note_distance(i, noted, after, mem)

    def finish(word, mem):
        """Mark the undecided positions of a word as draws, and count all results."""
        values, holes, counts = memory_at(mem[VALUES]), memory_at(mem[HOLES]), memory_at(mem[COUNTS])
        far = mem[DISTANCES] != 0
        distances = memory_at(mem[DISTANCES]) if far else values
        wins, draws, losses, added = 0, 0, 0, 0
        first = PER_WORD * word
        for i in range(first, min(first + PER_WORD, mem[SIZE])):
            value = get_value(values, i)
            if value == VICTORY:
                wins += 1
            elif value == LOSS:
                losses += 1
            elif value == DRAW:
                draws += 1
            elif has_bit(holes, i) == 0:
                draws += 1
                added |= DRAW << ((i - first) << 1)
            if far and value in (VICTORY, LOSS):
                set_bit(memory_at(mem[LENGTHS]), get_distance(distances, i))
            elif far and get_distance(distances, i) != 0:
                # A distance recorded for a position that turned out drawn. No other item shares this word.
                put_distance(distances, i, 0)
        values[word] |= added
        add_shared(counts, 0, wins)
        add_shared(counts, 1, draws)
        add_shared(counts, 2, losses)

    def item(i, mem):
        phase = mem[PHASE]
        at = mem[FIRST] + i
        if phase == LIST:
            list_open(at, mem)
        elif phase == MERGE:
            merge(at, mem)
        elif phase == COUNT:
            count(at, mem)
        elif phase == ADD_UP:
            add_up(at, mem)
        elif phase == SPREAD:
            spread(at, mem)
        elif phase == ENTER:
            enter(at, mem)
        elif phase == COLLECT:
            collect(memory_at(mem[LISTED])[at], mem)
        elif phase == PROPAGATE:
            propagate(memory_at(mem[FOUND])[at], mem)
        elif phase == DUE:
            due(at, mem)
        elif phase == PROPAGATE_LAYER:
            propagate_layer(memory_at(mem[FOUND])[at], mem)
        else:
            finish(at, mem)
        return 1

    return item


REVERSE = ItemKernel("reverse", (), build, WORDS)
