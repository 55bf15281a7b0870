"""One thread's search: its memory, and one run of the kernel at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zerosum.game import CHANCE, MAX, WIN, Game, Line
from zerosum.jit.plan import HEADER, NODE_LIMIT, NODES, STOP
from zerosum.jit.rules import Rules
from zerosum.jit.words import word_float
from zerosum.running.crew import Member
from zerosum.search.cut_rows import cut_rows
from zerosum.search.limits import MAX_PLY, NO_LIMIT
from zerosum.search.memory import (
    AGE,
    BETA,
    BUSY,
    CHECKING,
    CUTOFF_MOVES,
    DATABASE,
    DEPTH,
    DOUBTS,
    EXTRA_TIME,
    FILTER_MARGIN,
    FILTER_MOVES,
    LOOK_MOVES,
    LOOK_WEIGHT,
    NO_BOUND,
    PAST,
    PAST_LIMIT,
    PROOFS,
    PV_ROW,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_TIER,
    ROOT_VALUE,
    SALT,
    SLOTS,
    SWITCHES,
    TABLE,
    TABLE_MASK,
    TABLE_MOVES,
    UNIT,
    UNSEEN,
)
from zerosum.search.options import SearchOptions
from zerosum.search.parameters import DEFAULTS, reduction_rows, words
from zerosum.search.probing import CONVERTED
from zerosum.search.repetition import salt_of
from zerosum.search.result import Progress
from zerosum.search.table import Table

PAGE = 4096
"""Bytes of a memory page."""

NOWHERE = -1
"""Marks places in the line where no move has been made; no move has this number."""


@dataclass(frozen=True)
class Iteration:
    """The result of one run of the kernel: ``done`` root moves were searched, the best is at ``place``."""

    value: float  # a whole number unless the game has chance nodes
    place: int
    done: int
    stopped: bool
    proven: bool  # who wins, or the value, is certain
    exact: bool  # the value itself is certain too, within the window, including the distance of a win
    line: tuple[int, ...]


def is_certain_win(game: Game, value: float, plies: int = WIN) -> bool:
    """Whether a player certainly wins within this many plies, though the win may be nearer than the value says.

    A win from a database without distances also counts if the database is reached within this many plies, unless the
    game has a clock.
    """
    if game.scored:
        return False
    if abs(value) <= CONVERTED:
        return not game.has("clock") and abs(value) >= CONVERTED - min(plies, MAX_PLY)
    return abs(value) >= WIN - plies


class Worker:
    """A member of a crew that searches, used for one search after another."""

    def __init__(self, member: Member, options: SearchOptions) -> None:
        self.member, self.game, self.row = member, member.game, member.row
        self.at = member.at
        self.maximising = True
        self.left: int | None = None  # moves left at the root, if the game counts them
        self._parameters: Mapping[str, int] | None = None
        self.use(options)
        self._key = Rules(self.game, ("key",), compiled=False).key if self.game.repetition else None

    def use(self, options: SearchOptions, proofs: bool = False) -> None:
        """Search with these techniques from now on; with ``proofs``, use only proven entries of the table."""
        self.options = options
        self.row[SWITCHES], self.row[UNIT] = options.switches() | (PROOFS if proofs else 0), options.unit
        self.row[FILTER_MOVES], self.row[FILTER_MARGIN] = options.filter_moves, options.filter_margin
        self.row[TABLE_MOVES], self.row[CUTOFF_MOVES] = options.table_moves, options.cutoff_moves
        self.row[LOOK_MOVES], self.row[LOOK_WEIGHT], self.row[CHECKING] = options.look_moves, options.look_weight, 0
        if options.parameters != self._parameters:  # thousands of words: not before every search
            self._parameters = options.parameters
            chosen = {**DEFAULTS, **options.parameters}
            self._put("parameters", words(chosen))
            self._put("reductions", reduction_rows(chosen["reduction_base"], chosen["reduction_divisor"]))
            for region, rows in cut_rows(self.game.probcut, self.game.phases, chosen["probcut_confidence"]).items():
                self._put(region, rows)

    def _put(self, region: str, words: list[int]) -> None:
        self.row[self.at[region] : self.at[region] + len(words)] = words

    def look_into(self, database: Any, tier: int) -> None:
        """Search with the endgame database at this address; ``tier`` is the root's tier in it: see ``probing``."""
        self.row[DATABASE], self.row[ROOT_TIER] = database, tier

    def begin(
        self,
        position: Any,
        table: Table | None,
        age: int,
        nodes: int | None,
        shared: bool = False,
        free: bool = True,
    ) -> None:
        """Prepare to search a State or Line, alone or with other workers; ``free``: all moves are candidates."""
        row = self.row
        row[NODES], row[NODE_LIMIT] = 0, nodes or NO_LIMIT
        if table is not None:
            row[TABLE], row[TABLE_MASK], row[AGE] = table.address, table.mask, age
            row[BUSY] = table.busy.ctypes.data if shared else 0
        s = position.state if isinstance(position, Line) else position
        self.member.put_state(s)
        self._mark_line()
        self.maximising = self.game.to_move(s) == MAX
        self.left = int(self.game.moves_left(s)) if self.game.has("moves_left") else None
        if age == 0:
            self.forget()
        row[SALT] = row[EXTRA_TIME] = 0
        if self._key is not None:
            note_past(self.member, self._key, position, free)

    def run(self, moves: Sequence[int], depth: int, alpha: float = -NO_BOUND, beta: float = NO_BOUND) -> Iteration:
        """Search these root moves to one depth within a window for MAX; no moves if chance is to move."""
        row, at = self.row, self.at
        row[DEPTH : BETA + 1] = depth, alpha, beta
        row[ROOT_COUNT], row[ROOT_DONE] = len(moves), 0
        row[at["root_moves"] : at["root_moves"] + len(moves)] = moves
        self.member.run()
        header = self._words(0, HEADER)
        moves = self._words(at["root_moves"], len(moves))  # in the order in which the kernel searched them
        done, place, stopped = header[ROOT_DONE], header[ROOT_BEST], bool(header[STOP])
        _, *line = self._words(at["pv"], min(int(row[at["pv"]]), PV_ROW - 1) + 1)
        if not done or line[:1] != moves[place : place + 1]:
            line = moves[place if done else 0 :][:1]
        word = header[ROOT_VALUE]
        value = word_float(word) if self.game.has("chances") else word
        exact = not header[DOUBTS] & UNSEEN and not stopped
        certain = exact or (not stopped and is_certain_win(self.game, value))
        return Iteration(value, place, done, stopped, certain, exact, tuple(line))

    def _words(self, first: int, count: int) -> list[int]:
        """Words of the memory as Python integers."""
        words = self.row[first : first + count]
        return words if isinstance(words, list) else words.tolist()

    def add_time(self, plies: int) -> None:
        """From now on, search as if every clock had this many more plies."""
        self.row[EXTRA_TIME] = plies

    @property
    def nodes(self) -> int:
        return int(self.row[NODES])

    @property
    def seldepth(self) -> int:
        """Plies of the longest line since ``begin``, without quiescence."""
        first = self.at["line"] + 1
        words = self.row[first : first + MAX_PLY]
        return next((ply for ply, move in enumerate(words, 1) if move == NOWHERE), MAX_PLY) - 1

    def progress(self) -> Progress | None:
        """The state of the search; None before it has begun. Approximate, as the kernel is running."""
        header = self._words(0, HEADER)
        number = header[ROOT_DONE]
        if number >= header[ROOT_COUNT]:
            return None
        return Progress(header[DEPTH], int(self.row[self.at["root_moves"] + number]), number + 1, header[NODES])

    def touch(self) -> None:
        """Allocate all memory now, by touching a word in each page."""
        if not isinstance(self.row, list):
            self.row[:: PAGE // 8] += 0

    def forget(self) -> None:
        """Clear killers and history, as in a new engine."""
        first, last = self.at["killers"], self.at["parameters"]
        self.row[first:last] = [0] * (last - first) if isinstance(self.row, list) else 0

    def _mark_line(self) -> None:
        """Mark that no move has been made yet, so that the longest line can be found afterwards."""
        first = self.at["line"] + 1
        self.row[first : first + MAX_PLY] = [NOWHERE] * MAX_PLY if isinstance(self.row, list) else NOWHERE

    def fade(self) -> None:
        """Halve the history: what worked in the last position may not work in this one."""
        first = self.at["history"]
        counters = self.row[first : first + 2 * SLOTS]
        self.row[first : first + 2 * SLOTS] = (
            [c // 2 for c in counters] if isinstance(counters, list) else counters // 2
        )


def note_past(member: Member, key: Any, position: Any, free: bool) -> None:
    """Record the keys of the positions before the root, as far back as they could be repeated.

    ``free``: the best of all moves is wanted; see ``salt_of``.
    """
    row, at, game = member.row, member.at, member.game
    states = position.states if isinstance(position, Line) else (position,)
    moves = position.moves if isinstance(position, Line) else ()
    first = len(states) - 1
    while first > 0 and len(states) - first < PAST_LIMIT:
        s, move = states[first - 1], moves[first - 1]
        if game.to_move(s) != CHANCE and game.has("reversible") and not game.reversible(s, move):
            break
        first -= 1
    *keys, root = (key(s, None) for s in states[first:])
    row[SALT] = salt_of(keys, root, game.repetition, free and not game.scored)
    row[PAST] = len(keys)
    row[at["path"] : at["path"] + len(keys)] = keys
    row[at["path_from"] + len(keys)] = 0
