"""Where a search keeps its things: the words of its memory, and the regions behind them."""

from __future__ import annotations

from zerosum.jit.rules import Layout

# Words of the header, after those of every kernel (STOP, NODES, NODE_LIMIT, ERROR).
DEPTH, ALPHA, BETA = 4, 5, 6  # what to search: moves ahead, and the window, for MAX
TABLE, TABLE_MASK, AGE = 7, 8, 9  # the transposition table's address, buckets - 1, and this search's number
PROVEN = 10  # set by every value(): 1 if no horizon had a part in what it returned
ROOT_COUNT, ROOT_DONE, ROOT_BEST, ROOT_VALUE = 11, 12, 13, 14  # the root's moves: how many, searched, best, its value
OPTIONS = 16  # the first option; SearchOptions says which is which

MAX_PLY = 1000
"""No line is longer than this, so depths must not be either."""

PV_ROW = 256
"""Words for a principal variation: its length, then its moves; a longer one is cut."""

NO_BOUND = 1 << 40
"""Beyond every value."""


class SearchLayout:
    """The regions of a search's memory for one game."""

    def __init__(self, at: Layout, max_moves: int) -> None:
        self.root_moves = at.free
        self.root_values = self.root_moves + max_moves
        self.pv = self.root_values + max_moves
        self.buffer = self.pv + (MAX_PLY + 2) * PV_ROW
        # Moves of a line lie one behind the other, scores in a region of the same size behind them.
        self.gap = (MAX_PLY + 2) * max_moves
        self.words = self.buffer + 2 * self.gap
