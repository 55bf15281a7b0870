"""The memory of a search: its words, and the regions after them."""

from __future__ import annotations

from zerosum.game import Game
from zerosum.jit.plan import Region, Words, width_of
from zerosum.search.cut_rows import cut_regions
from zerosum.search.incremental_evaluation import evaluation_regions
from zerosum.search.limits import MAX_PLY
from zerosum.search.parameters import PARAMETERS, REDUCTIONS

SEARCH = Words(
    *("depth", "alpha", "beta"),  # what to search: moves ahead, and the window, for MAX
    *("table", "table_mask", "age"),  # the transposition table's address, buckets - 1, and this search's number
    "doubts",  # set by every value(): why its result may be uncertain, one bit for each reason below; 0 if certain
    *("root_count", "root_done", "root_best", "root_value"),  # the root's moves: how many, searched, best, its value
    "past",  # positions before the root that could be repeated
    "null_from",  # no null moves before this ply
    "busy",  # the address of the moves that threads are currently searching; 0 for a single thread
    *("switches", "unit"),  # the techniques that are on, one bit each, and the unit of margins: see SearchOptions
    *("filter_moves", "filter_margin"),  # in games with chance: what passes the move filter
    *("table_moves", "cutoff_moves"),  # the fewest moves left for the table to be used: see SearchOptions
    *("database", "root_tier"),  # the address of the endgame database, and the root's tier in it: see ``probing``
    "salt",  # mixed into table keys if positions before the root must not be repeated: see ``repetition``
    "extra_time",  # added to every clock
    "checking",  # how many shallow searches for ProbCut or move ordering are running: see ``probcut``, ``ordering``
    *("look_moves", "look_weight"),  # where moves are sorted by shallow searches, and how: see SearchOptions
)
# fmt: off
(
    DEPTH, ALPHA, BETA, TABLE, TABLE_MASK, AGE, DOUBTS, ROOT_COUNT, ROOT_DONE, ROOT_BEST, ROOT_VALUE, PAST, NULL_FROM,
    BUSY, SWITCHES, UNIT, FILTER_MOVES, FILTER_MARGIN, TABLE_MOVES, CUTOFF_MOVES, DATABASE, ROOT_TIER, SALT, EXTRA_TIME,
    CHECKING, LOOK_MOVES, LOOK_WEIGHT,
) = SEARCH
# fmt: on

# Doubts, collected from all parts of a tree.
UNSEEN = 1  # a horizon or a repetition affected the value: it is a guess
SKIPPED = 2  # even within the depth, lines were skipped or cut short: a win may be nearer than reported
CLOCK = 4  # the end of the clock affected the value: with more time left it may differ
PATH = 8  # a repetition affected the value: on another path to the position it may differ
GUESSED = UNSEEN | SKIPPED

PROOFS = 1 << 62
"""A bit next to the switches: use only proven entries of the table."""

FOREVER = 1 << 30
"""As extra time: no clock runs out."""


PV_ROW = 256
"""Words for a principal variation: its length, then its moves; longer ones are truncated."""

PAST_LIMIT = 1024
"""Number of positions before the root that are stored for repetitions."""

SLOTS = 4096
"""Number of history counters for each player, which moves share by their low bits."""

ANSWERS = 1 << 16
"""Number of counters that pairs of a move and its answer share."""

NO_BOUND = 1 << 40
"""Beyond every value."""


PLIES = MAX_PLY + 2


def search_regions(game: Game) -> list[Region]:
    """The regions that every search needs."""
    width = width_of(game)
    return [
        Region("root_moves", width),
        Region("root_values", width),
        Region("path", PAST_LIMIT + PLIES),  # keys of the past, then of the current line
        Region("path_from", PAST_LIMIT + PLIES),  # for each of these, the first one that it could repeat
        Region("line", PLIES),  # the move that led to each ply
        Region("excluded", PLIES),  # 1 + index of the move left out at each ply, for singular extensions
        Region("killers", 2 * PLIES),  # two for each ply
        Region("standings", PLIES),  # the evaluation at each ply, for the side to move
        Region("cuts", PLIES),  # whether a cut-off is expected at each ply
        Region("history", 2 * SLOTS),
        Region("counters", 2 * SLOTS),  # the move that refuted a move
        Region("answers", ANSWERS),  # how often a move was a good answer to another
        Region("parameters", len(PARAMETERS)),
        Region("reductions", REDUCTIONS * REDUCTIONS),  # in hundredths of a ply: see ``parameters``
        *cut_regions(game),
        Region("pv", PLIES * PV_ROW),
        # The moves of all plies of a line, one ply after another. Twice the room, because moves that another thread is
        # searching are deferred to the end.
        Region("buffer", 2 * PLIES * width),
        Region("scores", 2 * PLIES * width),  # of the moves in the buffer
        *evaluation_regions(game, PLIES),
    ]
