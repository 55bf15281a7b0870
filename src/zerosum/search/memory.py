"""Where a search keeps its things: the words of its memory, and the regions behind them."""

from __future__ import annotations

from zerosum.jit.rules import HEADER, Layout

# Words of the header, after those of every kernel (STOP, NODES, NODE_LIMIT, ERROR).
DEPTH, ALPHA, BETA = 4, 5, 6  # what to search: moves ahead, and the window, for MAX
TABLE, TABLE_MASK, AGE = 7, 8, 9  # the transposition table's address, buckets - 1, and this search's number
DOUBTS = 10  # set by every value(): why what it returned may not be certain, a bit for each reason below; 0 if it is
ROOT_COUNT, ROOT_DONE, ROOT_BEST, ROOT_VALUE = 11, 12, 13, 14  # the root's moves: how many, searched, best, its value
PAST = 15  # positions before the root that could be repeated
NULL_FROM = 16  # no null moves before this ply
BUSY = 17  # the address of the moves that threads are searching at the moment; 0 for a single thread
SWITCHES, UNIT = 18, 19  # the techniques that are on, a bit each, and the unit of margins: see SearchOptions
FILTER_MOVES, FILTER_MARGIN = 40, 41  # in games with chance: what passes the filter of moves
DATABASE, ROOT_TIER = 42, 43  # the address of the endgame database, and the root's place in it: see ``probing``
SALT = 44  # joined to keys in the table, where positions before the root may not come again: see ``repetition``
EXTRA_TIME = 45  # added to every clock

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
"""So many positions before the root are remembered for repetitions."""

SLOTS = 4096
"""Moves share this many history counters for each player, by their low bits."""

ANSWERS = 1 << 16
"""Pairs of a move and the answer to it share this many counters."""

REDUCTIONS = 64
"""Late moves are reduced by a table of depth × move number, both up to this."""

NO_BOUND = 1 << 40
"""Beyond every value."""


class SearchLayout:
    """The regions of a search's memory for one game."""

    def __init__(self, at: Layout, max_moves: int) -> None:
        plies = MAX_PLY + 2
        self.root_moves = at.free
        self.root_values = self.root_moves + max_moves
        self.path = self.root_values + max_moves  # keys of the past, then of the line that is being searched
        self.path_from = self.path + PAST_LIMIT + plies  # for each of these, the first that it could repeat
        self.line = self.path_from + PAST_LIMIT + plies  # the move that led to each ply
        self.excluded = self.line + plies  # 1 + index of the move left out at each ply, for singular extensions
        self.killers = self.excluded + plies  # two for each ply
        self.standings = self.killers + 2 * plies  # the evaluation at each ply, for whom it is to move
        self.cuts = self.standings + plies  # whether a refutation is expected at each ply
        self.history = self.cuts + plies
        self.counters = self.history + 2 * SLOTS  # the move that refuted a move
        self.answers = self.counters + 2 * SLOTS  # how often a move was a good answer to another
        self.reductions = self.answers + ANSWERS
        self.pv = self.reductions + REDUCTIONS * REDUCTIONS
        self.buffer = self.pv + plies * PV_ROW
        # Moves of a line lie one behind the other, scores in a region of the same size behind them.
        # Twice the moves, because those that another thread is at are put behind the others.
        self.gap = 2 * plies * max_moves
        self.words = self.buffer + 2 * self.gap


assert UNIT < FILTER_MARGIN < ROOT_TIER < EXTRA_TIME < HEADER
