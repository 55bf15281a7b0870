"""Solves one tier in items, for a GPU: the memory, sweeps and rounds around two kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zerosum.endgame import memory as m
from zerosum.endgame import reversing, sweeping
from zerosum.endgame.checks import SPOT_CHECKS, complain, too_far
from zerosum.endgame.reversing import CHUNK, PER_WORD, REVERSE
from zerosum.endgame.solve import Counts, SolvedTier
from zerosum.endgame.sweeping import DECIDED, FOUND_COUNT, LANES, LAYERS, LIST_COUNT, OPEN, SWEEP, TALLIES
from zerosum.game import Game
from zerosum.jit.row import Row
from zerosum.jit.target import CPU, Target
from zerosum.running.crew import Crew
from zerosum.solved_tiers import SHARE, Directory

PORTION = 1 << 12
"""Items that a CPU thread takes at a time."""


@dataclass(frozen=True)
class Limits:
    """Limits on memory, and when to list edges.

    ``positions`` in a list take 16 bytes each, ``edges`` 12, and with edges every position of the tier takes 8. Sweeps
    continue while each decides at least the share ``worthwhile`` of the positions it judges; then the open moves are
    listed, which costs as much as one or two sweeps. With distances they are always listed, since each layer would be a
    sweep.

    In checkers with five pieces, the rules are asked 1.37 times for each position, and 1.72 times by sweeps alone; with
    four pieces and distances, 1.9 and 22 times.
    """

    positions: int = 1 << 28
    edges: int = (1 << 31) - 1
    worthwhile: float = 0.5


@dataclass
class Work:
    """The work done: sweeps, positions examined in them, room for edges, and rounds over the edges."""

    sweeps: int = 0
    examined: int = 0
    edges: int = 0
    rounds: int = 0


class Sweeper:
    """Solves the tiers of one game, in order, with the same result as ``Solver``.

    ``tick(positions)`` is called with the number of positions examined for the first time.
    """

    def __init__(
        self,
        game: Game,
        tiers: int,
        threads: int,
        target: Target,
        tick: Callable[[int], None],
        limits: Limits | None = None,
    ) -> None:
        self.game, self.target, self.tick, self.limits = game, target, tick, limits or Limits()
        # Plain kernels have no words that two threads may change; a GPU manages its own threads.
        workers = threads if target is CPU else 1
        self.crew, self.helpers = Crew(SWEEP, game, workers, target), Crew(REVERSE, game, workers, target)
        self.directory = Directory(tiers, target)
        self.crew.put(directory=self.directory.address)
        self.work = Work()

    @property
    def stopped(self) -> bool:
        return any(member.stopped for member in self.crew)

    def solve(self, tier: int, size: int, with_distance: bool) -> SolvedTier | None:
        """Solve a tier; the earlier tiers must be in the directory. None if stopped."""
        return _Tier(self, tier, size, with_distance).solve()


class _Tier:
    """The rows of one tier, and the steps that solve it."""

    def __init__(self, sweeper: Sweeper, tier: int, size: int, far: bool) -> None:
        self.sweeper, self.target, self.limits = sweeper, sweeper.target, sweeper.limits
        self.size, self.far = size, far
        shares = -(-size // SHARE)
        self.words = 2 * shares  # of values
        self.values, self.holes = self._row(2 * shares), self._row(shares)
        self.distances = self._row(16 * shares) if far else None
        self.coming = self._row(2 * shares) if far else self.values
        self.tally, self.to_come = self._row(TALLIES), self._row(LAYERS // 64 + 1 if far else 1)
        self.counted = np.zeros(TALLIES, np.int64)
        self.listed = self._row(min(SHARE * shares, self._positions_at_once))
        common = {
            "size": size,
            "values": self.values.address,
            "distances": 0 if self.distances is None else self.distances.address,
            "holes": self.holes.address,
            "coming": self.coming.address,
            "tally": self.tally.address,
            "listed": self.listed.address,
            "to_come": self.to_come.address,
        }
        # Kernels have only their addresses, so they are kept alive here.
        self.counters: Row
        self.starts: Row
        self.sources: Row
        self.found: Row
        sweeper.crew.put(tier=tier, spot_check=size // SPOT_CHECKS + 1, layer=m.NEVER, edges=0, **common)
        sweeper.helpers.put(**common)

    @property
    def _positions_at_once(self) -> int:
        return max(SHARE, self.limits.positions // SHARE * SHARE)

    def _row(self, words: int) -> Row:
        return Row(words, self.target)

    def solve(self) -> SolvedTier | None:
        self._ask(sweeping.SURVEY, self.size)
        if not self.sweeper.stopped:
            if self.far:
                self._by_layers()
            else:
                self._by_sweeps()
        return None if self.sweeper.stopped else self._finished()

    # Steps of the kernels

    def _ask(self, phase: int, count: int) -> None:
        """Do a step that asks the rules; then raise the first problem, if there is one."""
        crew = self.sweeper.crew
        crew.put(phase=phase, first=0)
        crew.do_items(count, PORTION)
        for member in sorted(crew, key=lambda member: member.place):
            complain(self.sweeper.game, member)

    def _help(self, phase: int, count: int, first: int = 0, **rows: Row) -> None:
        """Do a step that does not ask the rules."""
        helpers = self.sweeper.helpers
        helpers.put(phase=phase, first=first, **{name: row.address for name, row in rows.items()})
        helpers.do_items(count, PORTION)

    def _counted(self) -> Any:
        """What was added to the tally since the last call."""
        now = self.tally.array().copy()
        new, self.counted = now - self.counted, now
        return new

    # Sweeps

    def _slices(self, at_most: int) -> Iterator[tuple[int, int]]:
        """The tier in parts (first, end) whose undecided positions, ``at_most`` in total, fit into the list."""
        step = self.size if at_most <= self._positions_at_once else self._positions_at_once
        return ((first, min(first + step, self.size)) for first in range(0, self.size, step))

    def _list(self, first: int, end: int) -> int:
        """List the undecided positions of a part, and return their number."""
        self.sweeper.helpers.put(list_base=int(self.counted[LIST_COUNT]))
        self._help(reversing.LIST, -(-(end - first) // PER_WORD), first // PER_WORD)
        now = int(self.tally.array()[LIST_COUNT])
        count, self.counted[LIST_COUNT] = now - int(self.counted[LIST_COUNT]), now
        return count

    def _sweep(self, at_most: int, checking: bool = False) -> tuple[int, Any]:
        """Judge all undecided positions, ``at_most`` of them; return the number left, and the change of the tally."""
        sweeper, listed = self.sweeper, 0
        sweeper.crew.put(checking=int(checking))
        for first, end in self._slices(at_most):
            count = self._list(first, end)
            self._ask(sweeping.JUDGE, count)
            if sweeper.stopped:
                return 0, self._counted()
            listed += count
            if checking:
                sweeper.tick(end - first)
        sweeper.work.sweeps += 1
        sweeper.work.examined += listed
        new = self._counted()
        return listed - _sum(new, DECIDED), new

    def _by_sweeps(self) -> None:
        left, new = self._sweep(self.size, checking=True)
        while left and not self.sweeper.stopped:
            decided = _sum(new, DECIDED)
            if not decided:
                return  # the rest are draws: play can continue forever
            if self._fits(left, new) and decided < self.limits.worthwhile * (left + decided):
                self._list_edges(left, new)
                self._by_rounds(left)
                return
            left, new = self._sweep(left)

    def _by_layers(self) -> None:
        """Decide positions in order of distance: those that end in n plies after all that end sooner."""
        left, layer = self.size, 0
        while left and layer < m.NEVER and not self.sweeper.stopped:
            self._put_layer(layer)
            left, new = self._sweep(left, checking=layer == 0)
            self._help(reversing.MERGE, self.words)
            if left and self._fits(left, new):
                self._put_layer(0)
                self._list_edges(left, new)
                self._help(reversing.MERGE, self.words)
                self._by_layers_of_edges(layer + 1)
                return
            layer = layer + 1 if _sum(new, DECIDED) else self._next_layer(layer)

    def _put_layer(self, layer: int) -> None:
        """Set the layer in the kernels."""
        if layer > m.FARTHEST:
            raise too_far(self.sweeper.game)
        for crew in (self.sweeper.crew, self.sweeper.helpers):
            crew.put(layer=layer)

    def _next_layer(self, layer: int) -> int:
        """The next layer after an empty one in which something may be decided, or NEVER."""
        coming = _bits(self.to_come)
        return int(min(coming[coming > layer], default=m.NEVER))

    # Edges

    def _fits(self, left: int, new: Any) -> bool:
        return left <= self._positions_at_once and _sum(new, OPEN) <= self.limits.edges

    def _list_edges(self, left: int, new: Any) -> None:
        """List the open moves of the remaining positions, and reverse them.

        The last sweep counted the open moves of each lane; there cannot be more now.
        """
        sweeper, lanes = self.sweeper, new[OPEN : OPEN + LANES]
        slots = int(lanes.sum())
        edges, bases = self._row(slots + 1), Row.of(np.cumsum(lanes) - lanes, self.target)
        self.counters, self.starts = self._row(self.size // 2 + 1), self._row(self.size // 2 + 1)
        sweeper.crew.put(edges=edges.address, bases=bases.address, counters=self.counters.address)
        self._sweep(left)
        sweeper.work.edges += slots
        chunks = -(-self.size // CHUNK)
        sums = self._row(chunks)
        self._help(reversing.COUNT, slots, edges=edges, starts=self.starts)
        self._help(reversing.ADD_UP, chunks, sums=sums)
        numbers = sums.array()
        sums = Row.of(np.cumsum(numbers) - numbers, self.target)
        self._help(reversing.SPREAD, chunks, sums=sums)
        self.sources, self.found = self._row(int(numbers.sum()) // 2 + 1), self._row(left)
        self._help(reversing.ENTER, slots, sources=self.sources, counters=self.counters, found=self.found)

    def _by_rounds(self, left: int) -> None:
        self._help(reversing.COLLECT, left)
        begin, end = 0, self._found()
        while begin < end and not self.sweeper.stopped:
            self.sweeper.work.rounds += 1
            self._help(reversing.PROPAGATE, end - begin, begin)
            begin, end = end, self._found()

    def _by_layers_of_edges(self, layer: int) -> None:
        begin = 0
        while layer < m.NEVER and not self.sweeper.stopped:
            self.sweeper.work.rounds += 1
            self._put_layer(layer)
            self._help(reversing.DUE, self.words)
            end = self._found()
            if end > begin:
                self._help(reversing.PROPAGATE_LAYER, end - begin, begin)
                begin, layer = end, layer + 1
            else:
                layer = self._next_layer(layer)

    def _found(self) -> int:
        return int(self.tally.array()[FOUND_COUNT])

    def _finished(self) -> SolvedTier:
        counts, lengths = self._row(3), self._row(LAYERS // 64 + 1)
        self._help(reversing.FINISH, self.words, counts=counts, lengths=lengths)
        wins, draws, losses = (int(count) for count in counts.array())
        longest = int(max(_bits(lengths), default=0)) if self.far else None
        return SolvedTier(self.values, self.distances, Counts(wins, draws, losses, longest))


def _sum(tally: Any, first: int) -> int:
    """The sum of all lanes of a tally."""
    return int(tally[first : first + LANES].sum())


def _bits(row: Row) -> Any:
    """The numbers of the bits that are set, in order."""
    return np.flatnonzero(np.unpackbits(row.array().view(np.uint8), bitorder="little"))
