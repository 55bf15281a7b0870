"""Retrograde analysis in items, for a GPU: the steps that ask the rules. The others are in ``reversing``.

No thread owns a position here, so threads may write to the same word: values are set with ``or_shared`` where there was
none before, and all sums are computed with ``add_shared``.

1. ``survey``: is the index a position, and does that position have this index? Is the game over there?
2. ``judge``, in sweeps over all undecided positions: a move to a position that is lost for the opponent wins; if every
   move leads to a position that is won for the opponent, the position is lost; if no move is open any more and neither
   holds, it is drawn. A sweep reads what other threads write in the meantime. That decides some positions sooner, but
   none differently: values are only ever derived from correct values. When a sweep changes nothing, play can continue
   forever in the positions that are left.
3. The last sweep that is needed lists the open moves, and ``reversing`` works backwards from them.

With distances, each sweep is a layer: layer n decides the positions that end in n plies, and sees only those that end
in fewer. New values are kept apart until the sweep is over, because a value and its distance are in two words, which
cannot be written atomically. The sweep that lists the open moves is layer 0, in which nothing is near enough to be
decided: it records the distances that the other moves lead to.
"""

from __future__ import annotations

from zerosum.endgame.checks import complaints, outlooks, spot_checks, verdicts
from zerosum.endgame.memory import (
    BAD_MOVES,
    DIRECTORY,
    DISTANCES,
    FARTHEST,
    INTO_HOLE,
    LATER_TIER,
    NEVER,
    NOT_ONE_TO_ONE,
    OUTSIDE,
    SIZE,
    SPOT_CHECK,
    TASK,
    TIER,
    TOO_FAR,
    USES,
    VALUES,
)
from zerosum.game import Game
from zerosum.jit.kernel import ItemKernel
from zerosum.jit.plan import STOP, Region, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.words import add_shared, memory_at, or_shared
from zerosum.solved_tiers import (
    DRAW,
    LOSS,
    UNKNOWN,
    VICTORY,
    get_distance,
    get_value,
    lookup,
    lookup_distance,
    tier_size,
)

WORDS = TASK.then(
    *("phase", "first"),  # the step to do; the position of item 0, if items are not from a list
    "listed",  # the positions to judge, a word each
    "holes",  # indices that are not positions, a bit each
    "coming",  # where new values go: to the other values or, with distances, to a separate row
    *("layer", "to_come"),  # with distances: this layer, and a bit for each later one in which something may be decided
    "checking",  # whether this is the first sweep, which examines all moves
    "tally",  # sums, see below
    *("edges", "bases", "counters"),  # open moves, where those of each lane go, and the number of each position; or 0
)
PHASE, FIRST, LISTED, HOLES, COMING, LAYER, TO_COME, CHECKING, TALLY, EDGES, BASES, COUNTERS = WORDS

SURVEY, JUDGE = range(2)

LANES = 64
"""Number of words over which a sum is spread, so that few threads wait for each other."""

DECIDED, OPEN, SOME_HOLES, LIST_COUNT, FOUND_COUNT, TALLIES = 0, LANES, 2 * LANES, 2 * LANES + 1, 2 * LANES + 2, 192
"""The tally: positions decided, open moves of the others, whether there are holes, and the lengths of two lists."""

EDGE = -1 << 63
"""Marks a word that contains an edge: below are 31 bits for its target, 31 for its source, and whether the same player
moves again."""

OPEN_MOVE, NEARER_WIN, WIN, DRAWN = 8, 4, 2, 1
"""A position's counter: 8 for each open move, plus 4 if one of them wins, 2 if a win is in sight, 1 if a move draws."""

LAYERS = FARTHEST + 2
"""The bits of ``to_come``."""


def regions(game: Game) -> list[Region]:
    return [Region("buffer", 2 * width_of(game))]  # the moves of a position, and of a successor


def has_bit(words, i):
    return words[i >> 6] >> (i & 63) & 1


def set_bit(words, i):
    """Set a bit that other threads may set too; most find it already set and need not write."""
    if has_bit(words, i) == 0:
        or_shared(words, i >> 6, 1 << (i & 63))


def share_value(words, i, value):
    """Write a value to a word that other threads write to; return the old value, which must be UNKNOWN or the same."""
    shift = (i & 31) << 1
    return or_shared(words, i >> 5, value << shift) >> shift & 3


def build(rules: Rules):
    to_move, moves, play, is_terminal = rules.to_move, rules.moves, rules.play, rules.is_terminal
    tier_of, rank, unrank, is_valid = rules.tier, rules.rank, rules.unrank, rules.is_valid
    max_moves, wrong, verdict = rules.max_moves, complaints(rules), verdicts(rules)
    buffer, check_successors = rules.at["buffer"], spot_checks(rules, outlooks(rules))

    def survey(i, mem):
        """Record whether index ``i`` is a hole or a finished position."""
        tier = mem[TIER]
        s = unrank(tier, i, mem)
        if not is_valid(s, mem):
            set_bit(memory_at(mem[HOLES]), i)
            set_bit(memory_at(mem[TALLY]), SOME_HOLES << 6)
            return 1
        if tier_of(s, mem) != tier or rank(s, mem) != i:
            wrong(s, NOT_ONE_TO_ONE, i, tier_of(s, mem), rank(s, mem), mem)
            return 0
        if is_terminal(s, mem):
            share_value(memory_at(mem[VALUES]), i, verdict(s, mem))
        return 1

    def decide(i, value, mem):
        share_value(memory_at(mem[COMING]), i, value)
        add_shared(memory_at(mem[TALLY]), DECIDED + (i & LANES - 1), 1)
        if mem[DISTANCES] != 0 and value != DRAW:
            or_shared(memory_at(mem[DISTANCES]), i >> 2, mem[LAYER] << ((i & 3) << 4))

    def leave_open(i, unknown, hope, distance, mem):
        """Count the open moves and, if edges are listed, add them to the others of this lane.

        ``hope`` is the best result of the other moves, and ``distance`` the plies to it.
        """
        lane = i & LANES - 1
        add_shared(memory_at(mem[TALLY]), OPEN + lane, unknown)
        if mem[EDGES] != 0:
            edges = memory_at(mem[EDGES])
            at = add_shared(memory_at(mem[BASES]), lane, unknown)
            for j in range(unknown):
                edges[at + j] = mem[buffer + j]
            add_shared(memory_at(mem[COUNTERS]), i >> 1, (unknown * OPEN_MOVE | hope) << ((i & 1) << 5))
            if mem[DISTANCES] != 0:
                or_shared(memory_at(mem[DISTANCES]), i >> 2, distance << ((i & 3) << 4))

    def judge(i, mem):
        """Decide position ``i`` by its moves, if enough is known about where they lead."""
        tier, size, directory, values = mem[TIER], mem[SIZE], mem[DIRECTORY], memory_at(mem[VALUES])
        far, layer, checking = mem[DISTANCES] != 0, mem[LAYER], mem[CHECKING] != 0
        distances = memory_at(mem[DISTANCES]) if far else values
        some_holes = memory_at(mem[TALLY])[SOME_HOLES] != 0
        s = unrank(tier, i, mem)
        n = moves(s, mem, buffer, buffer + max_moves)
        if n < 0:
            wrong(s, BAD_MOVES, i, n, 0, mem)
            return 0
        if n == 0:
            decide(i, verdict(s, mem), mem)
            return 1
        mover = to_move(s, mem)
        # The number of moves to undecided positions, and whether a move wins or draws, now or in a later layer.
        unknown, wins, draws, will_win, will_lose, nearest, last = 0, 0, 0, 0, 0, NEVER, 0
        for j in range(n):
            move = mem[buffer + j]
            after = play(s, move, mem)
            its_tier = tier_of(after, mem)
            # Record faults and report them after the loop: with exits from it, the threads would diverge.
            value, inside, place, same = DRAW, False, 0, False
            if its_tier > tier:
                wrong(s, LATER_TIER, i, its_tier, move, mem)
            elif its_tier < 0:
                wrong(s, OUTSIDE, i, its_tier, move, mem)
            else:
                inside = its_tier == tier
                place = rank(after, mem)
                if place < 0 or place >= (size if inside else tier_size(directory, its_tier)):
                    wrong(s, OUTSIDE, i, its_tier, place, mem)
                else:
                    same = to_move(after, mem) == mover
                    value = get_value(values, place) if inside else lookup(directory, its_tier, place)
                    if value == UNKNOWN and (not inside or (some_holes and has_bit(memory_at(mem[HOLES]), place))):
                        wrong(s, INTO_HOLE, i, its_tier, place, mem)
            if value == UNKNOWN:
                # Overwrite a move that has already been played.
                if mem[EDGES] != 0:
                    mem[buffer + unknown] = EDGE | place << 32 | i << 1 | same
                unknown += 1
                continue
            if value == DRAW:
                draws = DRAWN
                continue
            won = (value == VICTORY) == same
            if far:
                distance = get_distance(distances, place) if inside else lookup_distance(directory, its_tier, place)
                if won:
                    nearest = min(nearest, distance + 1)
                else:
                    last = max(last, distance + 1)
                if distance >= layer:
                    set_bit(memory_at(mem[TO_COME]), distance + 1)
                    if won:
                        will_win = WIN
                    else:
                        will_lose = 1
                    continue
            if won:
                wins = 1
                # The first sweep must see where all moves lead, unless another tier shows that the position is won.
                if not checking or not (inside or far):
                    break
        if mem[STOP] != 0:
            return 0
        last = nearest if nearest < NEVER else last
        if checking:
            if i % mem[SPOT_CHECK] == 0:
                check_successors(s, i, n, mem)
                if mem[STOP] != 0:
                    return 0
            if last > FARTHEST:
                wrong(s, TOO_FAR, i, last, 0, mem)
                return 0
        if wins != 0:
            decide(i, VICTORY, mem)
        elif unknown != 0 or will_win != 0 or (will_lose != 0 and draws == 0):
            leave_open(i, unknown, will_win | draws, last, mem)
        else:
            decide(i, DRAW if draws != 0 else LOSS, mem)
        return 1

    def item(i, mem):
        if mem[PHASE] == SURVEY:
            return survey(mem[FIRST] + i, mem)
        return judge(memory_at(mem[LISTED])[i], mem)

    return item


SWEEP = ItemKernel("sweep", USES, build, WORDS, regions)
