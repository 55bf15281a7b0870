"""The memory of the kernels that solve and verify a tier, what both ask of rules, and the problems that they note."""

from __future__ import annotations

from zerosum.game import MAX, Game
from zerosum.jit.plan import STOP, Region, Words, width_of
from zerosum.jit.rules import Rules
from zerosum.packed import DRAW, LOSS, VICTORY

WORDS = Words(
    *("phase", "tier", "next", "end"),  # what to do, in which tier, and the positions to do it to
    "size",  # of the tier
    "directory",  # the earlier tiers
    *("values", "counters", "distances"),  # of the tier; no distances: 0
    *("edges", "edge_count", "edge_limit"),  # the edges of the next positions, in order
    *("starts", "sources"),  # the edges turned round
    *("found", "found_count"),  # this thread's decided positions, in order of decision
    *("threads", "layer", "next_layer"),
    *("wins", "draws", "losses", "longest"),
    *("problem", "place", "should", "stored"),  # what is wrong, where, and numbers that tell more
    "spot_check",  # the positions whose number is a multiple of this one have the index checked with their successors
)
# fmt: off
(
    PHASE, TIER, NEXT, END, SIZE, DIRECTORY, VALUES, COUNTERS, DISTANCES, EDGES, EDGE_COUNT, EDGE_LIMIT, STARTS,
    SOURCES, FOUND, FOUND_COUNT, THREADS, LAYER, NEXT_LAYER, WINS, DRAWS, LOSSES, LONGEST, PROBLEM, PLACE, SHOULD, IS,
    SPOT_CHECK,
) = WORDS
# fmt: on

EXPAND, COUNT_EDGES, ADD_UP, REVERSE, COLLECT, PROPAGATE, DUE, PROPAGATE_LAYER, FINISH = range(9)

NOT_ONE_TO_ONE, LATER_TIER, OUTSIDE, INTO_HOLE, BAD_MOVES, TOO_FAR, WRONG_VALUE, WRONG_DISTANCE, UNLIKE = range(1, 10)

HOLE = 0xFFFFFFFF
"""The counter of an index that stands for no position."""

FARTHEST = 0xFFFE
"""Distances are 16 bits."""

NEVER = 1 << 40

LISTS = 3
"""Words for each thread's decided positions: their address, and which of them are this round's."""

MOST_THREADS = 1024


def regions(game: Game) -> list[Region]:
    return [
        Region("buffer", 2 * width_of(game)),  # the moves of a position, and of a successor
        Region("lists", LISTS * MOST_THREADS),  # what each thread has decided
    ]


USES = ("to_move", "moves", "play", "utility", "is_terminal", "tier", "rank", "unrank", "is_valid")


def complaints(rules: Rules):
    """The function that notes what is wrong, and where, and ends the work."""
    pack, culprit = rules.pack, rules.at.culprit

    def wrong(s, problem, place, should, found, mem):
        pack(s, mem, culprit)
        mem[PROBLEM], mem[PLACE], mem[SHOULD], mem[IS] = problem, place, should, found
        mem[STOP] = 1

    return wrong


def verdicts(rules: Rules):
    """The function that tells what a finished position is worth to the player to move."""
    utility, to_move = rules.utility, rules.to_move

    def verdict(s, mem):
        value = utility(s, mem)
        if to_move(s, mem) != MAX:
            value = -value
        return VICTORY if value > 0 else LOSS if value < 0 else DRAW

    return verdict
