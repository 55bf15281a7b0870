"""Solves tiers with workers: small tiers as wholes, several at a time, and large ones in slices.

``pump`` keeps the workers busy, in a thread of its own; ``solve`` returns the tiers in order. Which tiers a tier needs
becomes known when it is tried (endgame/tier_work.py); from then on, it waits for those.
"""

from __future__ import annotations

import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zerosum.endgame.solve import Expanded, SolvedTier, Solver
from zerosum.endgame.tier_work import Batch, BatchDone, Missing, Slice, Solved, TierFound, TierUnit, TierWork, Volume
from zerosum.jit.row import Row
from zerosum.solved_tiers import SHARE
from zerosum.working.sharing import Shared
from zerosum.working.team import Team, Workers

SLICE, LEAST = 1 << 20, 1 << 18
"""Maximum and minimum positions of a slice: a tenth to a third of a second of work, long compared with sending it."""

BATCH = 1 << 18
"""Positions in a batch of small tiers: as long as the tiers last, at least this many."""

LARGEST_WHOLE, IN_MEMORY, PART = 1 << 24, 1 << 27, 8
"""A worker solves a tier as a whole if it has at most LARGEST_WHOLE positions, and at most one PART of a worker's share
of all positions: otherwise others might end up waiting for it. All workers of a machine together may solve IN_MEMORY
positions at a time, which take some 40 bytes each."""

AHEAD = 1 << 24
"""Positions in slices of later tiers that may be expanded: each takes about 40 bytes until its tier can be solved."""

LOOK_AHEAD = 256
"""Number of waiting tiers and slices that are skipped in search of one that can start."""

PATIENCE = 0.1
"""Seconds between two looks whether the build was stopped."""


class Piece(NamedTuple):
    """A tier, or a slice of it, that no worker has."""

    tier: int
    first: int
    end: int
    size: int

    @property
    def is_whole(self) -> bool:
        return self.end - self.first == self.size


class TeamSolver:
    """Solves the tiers in ``todo``, pairs of number and size. While no worker is ready, they are solved here."""

    def __init__(
        self,
        solver: Solver,
        workers: Workers,
        with_distance: bool,
        todo: list[tuple[int, int]],
        tick: Callable[[int], None],
    ) -> None:
        self.solver, self.with_distance, self._tick = solver, with_distance, tick
        self.where = ""
        """The workers that are ready, in words."""
        self._workers = workers
        self._team: Team[TierUnit, TierFound] | None = None
        self._early: list[tuple[int, int, Any, Any]] = []  # tiers that were added before there was a team
        self._store = _TierStore(workers)
        self._queue = [Piece(tier, 0, size, size) for tier, size in todo]
        self._pieces = Counter(tier for tier, _ in todo)
        self._unfinished = len(self._queue)
        self._needs: dict[int, frozenset[int]] = {}
        self._known: set[int] = set()  # tiers that workers can look up
        self._expanded = 0  # positions of slices that are expanded, or being expanded
        self._awaited = -1  # the tier that the build waits for
        self._solved: dict[int, SolvedTier] = {}
        self._slices: dict[int, dict[int, Expanded]] = {}
        self._change = threading.Condition()  # guards all of these

    # In a thread of its own

    def pump(self) -> None:
        """Hand out work until all is done, or the build is stopped."""
        solver = self.solver
        while not self._workers.is_connected:  # a cluster takes seconds to get there, or never does
            if solver.stopped or not self._unfinished:
                return
            time.sleep(PATIENCE)
        work = TierWork(solver.game, solver.directory.tiers, self.with_distance, solver.target)
        with self._workers.team(work) as team:
            self._begin(team)
            for unit, found in team.run(self._units(team), is_over=lambda: solver.stopped, ahead=1 << 40):
                with self._change:
                    self._take(unit, found)
                    self._change.notify_all()

    def _begin(self, team: Team[TierUnit, TierFound]) -> None:
        """Divide large tiers into slices, now that the number of workers is known, and publish what is solved."""
        count, per_machine = max(1, self._workers.count), max(1, self._workers.per_machine)
        with self._change:
            self._team = team
            self._publish(self._early)
            self._early = []
            share = max(sum(piece.size for piece in self._queue) // (PART * count), SLICE)
            whole = min(LARGEST_WHOLE, IN_MEMORY // per_machine, share)
            self._queue = [one for piece in self._queue for one in _pieces(piece.tier, piece.size, whole, count)]
            self._pieces = Counter(piece.tier for piece in self._queue)
            self._unfinished = len(self._queue)

    def _units(self, team: Team[TierUnit, TierFound]) -> Iterator[TierUnit | None]:
        """Yield work as it can start; None if none can start now."""
        while True:
            with self._change:
                if not self._unfinished:
                    return
                self.where = team.where
                unit = self._next()
            yield unit

    def _next(self) -> TierUnit | None:
        """Take the next unit that does not wait for a tier from the queue: a slice, or enough tiers for a batch."""
        chosen: list[Piece] = []
        positions = 0
        for piece in self._queue[:LOOK_AHEAD]:
            if not self._needs.get(piece.tier, frozenset()) <= self._known:
                continue
            if piece.is_whole:
                chosen.append(piece)
                positions += piece.size
                if positions >= BATCH:
                    break
            elif not chosen and (self._expanded < AHEAD or piece.tier == self._awaited):
                self._queue.remove(piece)
                self._expanded += piece.end - piece.first
                return Slice(piece.tier, piece.size, piece.first, piece.end, self._store.lent(piece[:2]))
        if not chosen:
            return None
        taken = set(chosen)
        self._queue = [piece for piece in self._queue if piece not in taken]
        return Batch(tuple((one.tier, one.size) for one in chosen), self._store.lent(chosen[0][:2]))

    def _take(self, unit: TierUnit, found: TierFound) -> None:
        if isinstance(unit, Slice):
            piece = Piece(unit.tier, unit.first, unit.end, unit.size)
            self._store.returned(piece[:2])
            if isinstance(found, Missing):
                self._expanded -= unit.end - unit.first
                self._put_back(piece, found)
            elif isinstance(found, Expanded):
                self._unfinished -= 1
                self._slices.setdefault(unit.tier, {})[unit.first] = found
                self._tick(unit.end - unit.first)
        elif isinstance(found, BatchDone):
            self._store.returned((unit.tiers[0][0], 0))
            self._keep(found.solved, dict(unit.tiers))
            for tier, missing in found.missing.items():
                size = dict(unit.tiers)[tier]
                self._put_back(Piece(tier, 0, size, size), missing)

    def _put_back(self, piece: Piece, missing: Missing) -> None:
        self._needs[piece.tier] = self._needs.get(piece.tier, frozenset()) | missing.tiers
        insort(self._queue, piece)

    def _keep(self, solved: list[Solved], sizes: dict[int, int]) -> None:
        """Store tiers that workers have solved, for this process and for the workers."""
        packed = []
        for one in solved:
            # Copied out of the store in which results arrive, which is limited.
            values = one.values.copy()
            distances = None if one.distances is None else one.distances.copy()
            more = None if distances is None else Row.of(distances, self.solver.target)
            self._solved[one.tier] = SolvedTier(Row.of(values, self.solver.target), more, one.counts)
            packed.append((one.tier, sizes[one.tier], values, distances))
            self._unfinished -= 1
            self._tick(sizes[one.tier])
        self._publish(packed)

    def _publish(self, tiers: list[tuple[int, int, Any, Any]]) -> None:
        """Make solved tiers available to workers."""
        if tiers:
            self._store.add(tiers)
            self._known |= {tier for tier, *_ in tiers}

    # For the build

    def solve(self, tier: int, size: int) -> SolvedTier | None:
        """Solve a tier, after all earlier ones were added; None if stopped."""
        with self._change:
            self._awaited = tier
            while tier not in self._solved and len(self._slices.get(tier, ())) < self._pieces[tier]:
                if self.solver.stopped:
                    return None
                if (self._team is None or not self._team.size) and self._claim(tier):
                    break
                self._change.wait(PATIENCE)
            if tier in self._solved:
                return self._solved.pop(tier)
            slices = self._slices.pop(tier, None)
            if slices:
                self._expanded -= size
        parts = [slices[first] for first in sorted(slices)] if slices else None
        return self.solver.solve(tier, size, self.with_distance, parts)

    def _claim(self, tier: int) -> bool:
        """Take a tier out of the queue; False if a worker has a part of it."""
        if sum(piece.tier == tier for piece in self._queue) < self._pieces[tier]:
            return False
        self._queue = [piece for piece in self._queue if piece.tier != tier]
        self._unfinished -= self._pieces[tier]
        return True

    def add(self, tier: int, size: int, values: Row, distances: Row | None) -> None:
        """Make a tier that was solved or found here available to workers, as soon as there are any."""
        with self._change:
            if tier in self._known:
                return
            one = tier, size, values.array(), None if distances is None else distances.array()
            if self._team is None:
                self._early.append(one)
            else:
                self._publish([one])


def _pieces(tier: int, size: int, whole: int, workers: int) -> Iterator[Piece]:
    """The pieces of a tier: one, or about two slices for each worker, in whole shares."""
    if size <= whole:
        yield Piece(tier, 0, size, size)
        return
    step = -(-min(max(-(-size // (2 * workers)), LEAST), SLICE) // SHARE) * SHARE
    for first in range(0, size, step):
        yield Piece(tier, first, min(first + step, size), size)


Place = tuple[int, ...]
"""A tier and the first position of a slice; they name a unit that is handed out."""


class _TierStore:
    """Solved tiers for workers, in few volumes: two of similar length are joined, so that tiers are rarely copied."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._volumes: list[tuple[Volume, Any, Any]] = []  # with the arrays
        self._number = 0
        self._lent: set[Place] = set()
        self._old: list[tuple[list[Shared], set[Place]]] = []  # replaced volumes, and units that may still read them

    def add(self, tiers: list[tuple[int, int, Any, Any]]) -> None:
        """Add tiers: number, size, values and distances."""
        listed = tuple((tier, size) for tier, size, *_ in tiers)
        values = _joined([one for *_, one, _ in tiers])
        distances = None if tiers[0][3] is None else _joined([one for *_, one in tiers])
        replaced: list[Shared] = []
        while self._volumes and len(self._volumes[-1][1]) <= len(values):
            volume, *arrays = self._volumes.pop()
            listed, values = volume.tiers + listed, _joined([arrays[0], values])
            distances = None if distances is None else _joined([arrays[1], distances])
            replaced += [shared for shared in (volume.values, volume.distances) if shared is not None]
        share = self._workers.share
        self._number += 1
        volume = Volume(self._number, listed, share(values), None if distances is None else share(distances))
        self._volumes.append((volume, values, distances))
        self._old.append((replaced, set(self._lent)))

    def lent(self, place: Place) -> tuple[Volume, ...]:
        """The volumes, for a unit that is handed out."""
        self._lent.add(place)
        return tuple(volume for volume, *_ in self._volumes)

    def returned(self, place: Place) -> None:
        """Note that a unit has come back, and drop replaced volumes that no other unit can read."""
        self._lent.discard(place)
        for _, readers in self._old:
            readers.discard(place)
        for shared, readers in self._old:
            if not readers:
                for one in shared:
                    one.drop()
        self._old = [old for old in self._old if old[1]]


def _joined(arrays: list[Any]) -> Any:
    import numpy as np

    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
