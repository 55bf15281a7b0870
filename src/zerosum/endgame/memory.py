"""The memory layout of the kernels that solve and verify a tier, and the problems that they record."""

from __future__ import annotations

from zerosum.game import Game
from zerosum.jit.kernel import ITEMS
from zerosum.jit.plan import Region, width_of

TASK = ITEMS.then(
    *("tier", "size", "directory"),  # the current tier, and the earlier ones
    *("values", "distances"),  # of the tier, 2 and 16 bits each; 0 without distances
    *("problem", "place", "should", "stored"),  # the problem, its place, and details
    "spot_check",  # positions whose index is a multiple of this have the indices of their successors checked too
)
"""The words that all these kernels share."""

TIER, SIZE, DIRECTORY, VALUES, DISTANCES, PROBLEM, PLACE, SHOULD, IS, SPOT_CHECK = TASK

WORDS = TASK.then(
    *("phase", "next", "end"),  # what to do, and the positions to do it to
    "counters",
    *("edges", "edge_count", "edge_limit"),  # the edges of the next positions, in order
    *("starts", "sources"),  # the reversed edges
    *("found", "found_count"),  # this thread's decided positions, in order of decision
    *("threads", "layer", "next_layer"),
    *("wins", "draws", "losses", "longest"),
)
# fmt: off
(
    PHASE, NEXT, END, COUNTERS, EDGES, EDGE_COUNT, EDGE_LIMIT, STARTS, SOURCES, FOUND, FOUND_COUNT, THREADS, LAYER,
    NEXT_LAYER, WINS, DRAWS, LOSSES, LONGEST,
) = WORDS
# fmt: on

EXPAND, COUNT_EDGES, ADD_UP, REVERSE, COLLECT, PROPAGATE, DUE, PROPAGATE_LAYER, FINISH = range(9)

NOT_ONE_TO_ONE, LATER_TIER, OUTSIDE, INTO_HOLE, BAD_MOVES, TOO_FAR, WRONG_VALUE, WRONG_DISTANCE, UNLIKE = range(1, 10)

HOLE = 0xFFFFFFFF
"""The counter of an index that is not a position."""

FARTHEST = 0xFFFE
"""The greatest distance: distances have 16 bits."""

NEVER = 1 << 40

LISTS = 3
"""Words for each thread's decided positions: their address, and the range of this round."""

MOST_THREADS = 1024


def regions(game: Game) -> list[Region]:
    return [
        Region("buffer", 2 * width_of(game)),  # the moves of a position, and of a successor
        Region("lists", LISTS * MOST_THREADS),  # the positions that each thread has decided
    ]


USES = ("to_move", "moves", "play", "utility", "is_terminal", "tier", "rank", "unrank", "is_valid")
