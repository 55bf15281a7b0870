"""Where a search keeps its things: the words of its memory, and the regions behind them."""

from __future__ import annotations

from zerosum.game import Game
from zerosum.jit.plan import Region, Words, width_of
from zerosum.search.cut_rows import cut_regions
from zerosum.search.judging import judging_regions
from zerosum.search.parameters import PARAMETERS, REDUCTIONS

SEARCH = Words(
    *("depth", "alpha", "beta"),  # what to search: moves ahead, and the window, for MAX
    *("table", "table_mask", "age"),  # the transposition table's address, buckets - 1, and this search's number
    "doubts",  # set by every value(): why what it returned may not be certain, a bit for each reason below; 0 if it is
    *("root_count", "root_done", "root_best", "root_value"),  # the root's moves: how many, searched, best, its value
    "past",  # positions before the root that could be repeated
    "null_from",  # no null moves before this ply
    "busy",  # the address of the moves that threads are searching at the moment; 0 for a single thread
    *("switches", "unit"),  # the techniques that are on, a bit each, and the unit of margins: see SearchOptions
    *("filter_moves", "filter_margin"),  # in games with chance: what passes the filter of moves
    *("table_moves", "cutoff_moves"),  # moves left, at least, where the table is asked: see SearchOptions
    *("database", "root_tier"),  # the address of the endgame database, and the root's place in it: see ``probing``
    "salt",  # joined to keys in the table, where positions before the root may not come again: see ``repetition``
    "extra_time",  # added to every clock
    "checking",  # how many shallow searches are under way that only foretell or order: see ``probcut``, ``ordering``
    *("look_moves", "look_weight"),  # where moves are sorted by shallow searches, and how: see SearchOptions
)
# fmt: off
(
    DEPTH, ALPHA, BETA, TABLE, TABLE_MASK, AGE, DOUBTS, ROOT_COUNT, ROOT_DONE, ROOT_BEST, ROOT_VALUE, PAST, NULL_FROM,
    BUSY, SWITCHES, UNIT, FILTER_MOVES, FILTER_MARGIN, TABLE_MOVES, CUTOFF_MOVES, DATABASE, ROOT_TIER, SALT, EXTRA_TIME,
    CHECKING, LOOK_MOVES, LOOK_WEIGHT,
) = SEARCH
# fmt: on

# Doubts, from all parts of a tree together.
UNSEEN = 1  # a horizon, or a repetition, had a part in the value: it is a guess
SKIPPED = 2  # even within the depth, lines were left out or cut short: a win may be nearer than it is said to be
CLOCK = 4  # the clock's end had a part: with more time left the value may be another
PATH = 8  # a repetition had a part: by another way to the position the value may be another
GUESSED = UNSEEN | SKIPPED

PROOFS = 1 << 62
"""Beside the switches: of the table, only what is proven counts."""

FOREVER = 1 << 30
"""As extra time: no clock runs out."""

MAX_PLY = 1000
"""No line is longer than this, so depths must not be either."""

PV_ROW = 256
"""Words for a principal variation: its length, then its moves; a longer one is cut."""

PAST_LIMIT = 1024
"""Number of positions before the root that are remembered for repetitions."""

SLOTS = 4096
"""Moves share this many history counters for each player, by their low bits."""

ANSWERS = 1 << 16
"""Pairs of a move and the answer to it share this many counters."""

NO_BOUND = 1 << 40
"""Beyond every value."""


PLIES = MAX_PLY + 2


def search_regions(game: Game) -> list[Region]:
    """What every search keeps."""
    width = width_of(game)
    return [
        Region("root_moves", width),
        Region("root_values", width),
        Region("path", PAST_LIMIT + PLIES),  # keys of the past, then of the line that is being searched
        Region("path_from", PAST_LIMIT + PLIES),  # for each of these, the first that it could repeat
        Region("line", PLIES),  # the move that led to each ply
        Region("excluded", PLIES),  # 1 + index of the move left out at each ply, for singular extensions
        Region("killers", 2 * PLIES),  # two for each ply
        Region("standings", PLIES),  # the evaluation at each ply, for the side to move
        Region("cuts", PLIES),  # whether a refutation is expected at each ply
        Region("history", 2 * SLOTS),
        Region("counters", 2 * SLOTS),  # the move that refuted a move
        Region("answers", ANSWERS),  # how often a move was a good answer to another
        Region("parameters", len(PARAMETERS)),
        Region("reductions", REDUCTIONS * REDUCTIONS),  # in hundredths of a ply: see ``parameters``
        *cut_regions(game),
        Region("pv", PLIES * PV_ROW),
        # The moves of all plies of a line, one ply after another. Twice the room, because moves that another thread is
        # searching are put at the end.
        Region("buffer", 2 * PLIES * width),
        Region("scores", 2 * PLIES * width),  # of the moves in the buffer
        *judging_regions(game, PLIES),
    ]
