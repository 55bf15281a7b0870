"""Solves one tier: the threads, memory and rounds around the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from zerosum.endgame import memory as m
from zerosum.endgame.checks import SPOT_CHECKS, complain, too_far
from zerosum.endgame.kernel import RETROGRADE
from zerosum.game import Game
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import STOP
from zerosum.jit.row import Row
from zerosum.jit.target import Target
from zerosum.running.crew import Crew, Member
from zerosum.solved_tiers import SHARE, Directory

EDGES_AT_ONCE = 1 << 20
"""Approximate number of edges in a portion; a thread reports progress after each portion."""

SMALL = 1 << 14
"""Tiers with fewer positions are solved by one thread: with two, synchronisation would take longer than the work."""


@dataclass(frozen=True)
class Counts:
    """The results in a tier, for the player to move; ``longest`` is in plies, if distances are known."""

    wins: int
    draws: int
    losses: int
    longest: int | None

    @property
    def positions(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class SolvedTier:
    values: Row
    distances: Row | None
    counts: Counts


class Portion(NamedTuple):
    """Positions from ``first`` to ``end``, and their moves within the tier: their number and the packed places."""

    first: int
    end: int
    used: int
    edges: Any


class Expanded(NamedTuple):
    """Positions of a tier that a worker has expanded: values, counters and distances as the kernel left them."""

    values: Any
    counters: Any
    distances: Any
    portions: list[Portion]


class Solver:
    """Solves the tiers of one game, in order; each thread has its own memory.

    ``tick(positions)`` is called from the threads with the number of newly expanded positions.
    """

    def __init__(
        self,
        game: Game,
        tiers: int,
        threads: int,
        target: Target,
        tick: Callable[[int], None],
        kernel: Kernel = RETROGRADE,
    ) -> None:
        self.game, self.target, self.tick = game, target, tick
        self.crew = Crew(kernel, game, threads, target)
        self.directory = Directory(tiers, target)
        self.crew.put(directory=self.directory.address)

    @property
    def stopped(self) -> bool:
        return any(member.stopped for member in self.crew)

    def solve(
        self, tier: int, size: int, with_distance: bool, slices: Sequence[Expanded] | None = None
    ) -> SolvedTier | None:
        """Solve a tier; the earlier tiers must be in the directory. None if stopped.

        ``slices`` are all its positions, in order, if workers have expanded them.
        """
        # 2, 32 and 16 bits for each position, in whole shares.
        shares = -(-size // SHARE)
        values, counters = Row(2 * shares, self.target), Row(32 * shares, self.target)
        distances = Row(16 * shares, self.target) if with_distance else None
        workers = self.crew.members if size >= SMALL else self.crew.members[:1]
        bounds = _bounds(size, len(workers), slices)
        team = [_Share(self, worker, a, b, size) for worker, a, b in zip(workers, bounds, bounds[1:], strict=False)]
        for share in team:
            row = share.row
            row[m.TIER], row[m.SIZE], row[m.VALUES], row[m.COUNTERS] = tier, size, values.address, counters.address
            row[m.DISTANCES] = distances.address if distances is not None else 0
            row[m.THREADS], row[m.NEXT_LAYER], row[m.SPOT_CHECK] = len(team), 1, size // SPOT_CHECKS + 1
        if slices is not None:
            _put_together(slices, values, counters, distances, team)
        for step in (_Share.expand, _Share.turn_round, _Share.collect)[slices is not None :]:
            self._together(step, team)
            if self.stopped:
                return None
        if with_distance:
            self._by_layers(team)
        else:
            self._by_rounds(team)
        self._together(lambda share: share.run(m.FINISH), team)
        if self.stopped:
            return None
        wins, draws, losses = (sum(int(share.row[word]) for share in team) for word in (m.WINS, m.DRAWS, m.LOSSES))
        longest = max(int(share.row[m.LONGEST]) for share in team) if with_distance else None
        return SolvedTier(values, distances, Counts(wins, draws, losses, longest))

    def _by_rounds(self, team: list[_Share]) -> None:
        while _hand_out(team):
            self._together(lambda share: share.run(m.PROPAGATE), team)

    def _by_layers(self, team: list[_Share]) -> None:
        """Decide positions in order of distance: those that end in n plies after all that end sooner."""
        layer = 0
        while True:
            for share in team:
                share.row[m.LAYER] = layer
            if _hand_out(team):
                self._together(lambda share: share.run(m.PROPAGATE_LAYER), team)
                layer += 1
            else:
                layer = min(int(share.row[m.NEXT_LAYER]) for share in team)
                if layer == m.NEVER:
                    return
            if layer > m.FARTHEST:
                raise too_far(self.game)
            for share in team:
                share.row[m.LAYER] = layer
            self._together(lambda share: share.run(m.DUE), team)

    def check(self, tier: int, size: int, step: int, with_distance: bool) -> int:
        """Recompute every ``step``-th position of a tier from its successors; return how many. Raises EndgameError."""
        workers = self.crew.members if size // step >= SMALL else self.crew.members[:1]
        bounds = [size * i // len(workers) // step * step for i in range(len(workers))] + [size]
        team = [_Share(self, worker, a, b, size) for worker, a, b in zip(workers, bounds, bounds[1:], strict=False)]
        for share in team:
            row = share.row
            row[m.TIER], row[m.SIZE], row[m.EDGE_LIMIT], row[m.EDGE_COUNT] = tier, size, step, 0
            row[m.DISTANCES] = self.directory.address if with_distance else 0
        self._together(_Share.run, team)
        return sum(int(share.row[m.EDGE_COUNT]) for share in team)

    def _together(self, step: Callable[[_Share], None], team: list[_Share]) -> None:
        """Do one step of every share, each in its own thread; then raise the first problem, if there is one."""

        def one(share: _Share) -> Callable[[], None]:
            return lambda: step(share)

        self.crew.together([one(share) for share in team])
        for share in team:
            complain(self.game, share.member)


class _Share:
    """One thread's part of a tier."""

    def __init__(self, solver: Solver, member: Member, first: int, end: int, size: int) -> None:
        self.solver, self.member, self.row = solver, member, member.row
        self.first, self.end, self.size = first, end, size
        self.portions: list[tuple[int, int, int, Row]] = []  # first position, end, number of edges, and edges
        self.starts: Row
        self.sources: Row
        self.found: Row
        self.handed_out = 0  # number of decided positions that have been handed out

    def run(self, phase: int = 0, first: int | None = None, end: int | None = None) -> None:
        row = self.row
        row[m.PHASE] = phase
        row[m.NEXT] = self.first if first is None else first
        row[m.END] = self.end if end is None else end
        self.member.run()

    def expand(self) -> None:
        row, target, width = self.row, self.solver.target, self.solver.game.max_moves
        limit = min(EDGES_AT_ONCE, (self.end - self.first) * width) + width
        edges = Row(limit // 2 + 1, target)
        row[m.EDGES], row[m.EDGE_LIMIT] = edges.address, limit
        at = self.first
        while at < self.end and not row[STOP]:
            self.run(m.EXPAND, at)
            there, used = int(row[m.NEXT]), int(row[m.EDGE_COUNT])
            if used:
                portion = Row(0, target)
                portion.row = edges.row[: used // 2 + 1].copy()
                self.portions.append((at, there, used, portion))
            self.solver.tick(there - at)
            at = there

    def turn_round(self) -> None:
        row, target = self.row, self.solver.target
        self.starts = Row(self.size // 2 + 2, target)
        row[m.STARTS] = self.starts.address
        for _, _, used, portion in self.portions:
            row[m.EDGES], row[m.EDGE_COUNT] = portion.address, used
            self.run(m.COUNT_EDGES)
        self.run(m.ADD_UP)
        total = sum(used for _, _, used, _ in self.portions)
        self.sources = Row(total // 2 + 1, target)
        row[m.SOURCES] = self.sources.address
        while self.portions and not row[STOP]:
            first, end, _, portion = self.portions.pop()
            row[m.EDGES] = portion.address
            self.run(m.REVERSE, first, end)

    def collect(self) -> None:
        self.found = Row((self.end - self.first) // 2 + 1, self.solver.target)
        self.row[m.FOUND] = self.found.address
        self.run(m.COLLECT)


def _bounds(size: int, workers: int, slices: Sequence[Expanded] | None) -> list[int]:
    """Where the shares of the threads begin, and the end: at word boundaries, and between slices if there are any."""
    if slices is None:
        shares = -(-size // SHARE)
        return [*(min(size, SHARE * (shares * i // workers)) for i in range(workers)), size]
    places = [0, *accumulate(SHARE * len(one.values) // 2 for one in slices)]
    return [*(places[len(slices) * i // workers] for i in range(workers)), size]


def _put_together(
    slices: Sequence[Expanded], values: Row, counters: Row, distances: Row | None, team: list[_Share]
) -> None:
    """Copy the workers' results to where the threads expect them."""
    at = 0  # in shares
    for part in slices:
        count = len(part.values) // 2
        for into, words in ((values, part.values), (counters, part.counters), (distances, part.distances)):
            if into is not None:
                each = len(words) // count
                into.row[at * each : (at + count) * each] = _like(words, into)
        for portion in part.portions:
            owner = next(share for share in team if share.first <= portion.first < share.end)
            owner.portions.append((*portion[:3], Row.of(portion.edges, values.target)))
        at += count


def _like(words: Any, row: Row) -> Any:
    """An array in the form that a row takes."""
    return words if row.target.is_compiled else words.tolist()


def _hand_out(team: Iterable[_Share]) -> int:
    """Assign the positions decided since the last call to this round; return their number."""
    team = list(team)
    total = 0
    for i, share in enumerate(team):
        count = int(share.row[m.FOUND_COUNT])
        for other in team:
            at = other.member.at["lists"] + m.LISTS * i
            other.row[at], other.row[at + 1], other.row[at + 2] = share.found.address, share.handed_out, count
        total += count - share.handed_out
        share.handed_out = count
    return total
