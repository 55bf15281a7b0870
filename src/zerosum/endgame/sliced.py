"""Solves tiers that workers expand slice by slice; a tier is solved here when all its slices have arrived.

Slices of later tiers are handed out before earlier tiers are solved, as long as they do not need them. What a slice
needs becomes known when it is tried (endgame/slices.py); from then on, its tier waits for that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from zerosum.endgame.slices import Expanded, Missing, Slice, SliceWork, Volume
from zerosum.endgame.solve import SolvedTier, Solver
from zerosum.jit.row import Row
from zerosum.solved_tiers import SHARE
from zerosum.working.sharing import Shared
from zerosum.working.team import Workers

SLICE, LEAST = 1 << 20, 1 << 18
"""Maximum and minimum positions of a slice: a tenth to a third of a second of work, long compared with sending it."""

SMALL = 1 << 18
"""Tiers with fewer positions are solved here, with threads."""

AHEAD = 1 << 24
"""Positions that may be expanded before their tier can be solved: each takes about 40 bytes until then."""

LOOK_AHEAD = 256
"""Number of waiting slices that are skipped in search of one that can start."""

Place = tuple[int, int]
"""A tier and the first position of a slice."""


class SlicedSolver:
    """Solves the tiers in ``todo``, pairs of number and size, in order. Use as a context manager."""

    def __init__(
        self,
        solver: Solver,
        workers: Workers,
        with_distance: bool,
        todo: list[tuple[int, int]],
        tick: Callable[[int], None],
    ) -> None:
        self.solver, self.with_distance, self._tick = solver, with_distance, tick
        self._store = _TierStore(workers)
        self._workers = max(1, workers.count)
        self._new: deque[tuple[int, int, int, int]] = deque(
            (tier, size, first, min(first + step, size))
            for tier, size in todo
            if size >= SMALL
            for step in [self._step(size)]
            for first in range(0, size, step)
        )
        self._left = len(self._new)
        self._again: deque[tuple[int, int, int, int]] = deque()  # slices that were tried too early
        self._needs: dict[int, int] = {}  # number of tiers that must be solved before this one can be tried again
        self._solved = self._waiting = 0
        self._found: dict[int, dict[int, Expanded]] = {}
        self._team = workers.team(SliceWork(solver.game, solver.directory.tiers, with_distance, solver.target))
        self._run = self._team.run(self._units(), is_over=lambda: solver.stopped, ahead=1 << 40)

    def __enter__(self) -> SlicedSolver:
        return self

    def __exit__(self, *problem: Any) -> None:
        self._team.close()

    @property
    def where(self) -> str:
        """The workers that expand positions, in words."""
        return self._team.where

    def solve(self, tier: int, size: int) -> SolvedTier | None:
        """Solve a tier, after all earlier ones were added; None if stopped."""
        if size < SMALL:
            return self.solver.solve(tier, size, self.with_distance)
        wanted = -(-size // self._step(size))
        while len(self._found.get(tier, ())) < wanted:
            unit, found = next(self._run, (None, None))
            if unit is None or found is None:
                return None
            self._take(unit, found)
        self._waiting -= size
        slices = self._found.pop(tier)
        return self.solver.solve(tier, size, self.with_distance, [slices[first] for first in sorted(slices)])

    def _step(self, size: int) -> int:
        """The number of positions in a slice of a tier: about two slices for each worker, in whole shares."""
        wanted = min(max(-(-size // (2 * self._workers)), LEAST), SLICE)
        return -(-wanted // SHARE) * SHARE

    def add(self, tier: int, size: int, values: Row, distances: Row | None) -> None:
        """Make a solved tier available to workers."""
        self._store.add(tier, size, values, distances)
        self._solved = tier + 1

    def _take(self, unit: Slice, found: Expanded | Missing) -> None:
        self._store.returned((unit.tier, unit.first))
        if isinstance(found, Missing):
            self._needs[unit.tier] = max(found.tiers, self._needs.get(unit.tier, 0))
            self._again.append((unit.tier, unit.size, unit.first, unit.end))
            self._waiting -= unit.end - unit.first
            return
        self._left -= 1
        self._found.setdefault(unit.tier, {})[unit.first] = found
        self._tick(unit.end - unit.first)

    def _units(self) -> Iterator[Slice | None]:
        """Yield slices as they can start; None if none can start now."""
        while self._left:
            chosen = self._due(self._again) or (self._due(self._new) if self._waiting < AHEAD else None)
            if chosen is None:
                yield None
                continue
            tier, size, first, end = chosen
            self._waiting += end - first
            yield Slice(tier, size, first, end, self._store.lent((tier, first)))

    def _due(self, queue: deque[tuple[int, int, int, int]]) -> tuple[int, int, int, int] | None:
        """Remove and return the first slice of a queue that does not wait for a tier."""
        for place, (tier, *_) in enumerate(queue):
            if self._needs.get(tier, 0) <= self._solved:
                chosen = queue[place]
                del queue[place]
                return chosen
            if place >= LOOK_AHEAD:
                return None
        return None


class _TierStore:
    """Solved tiers for workers, in few volumes: two of equal length are joined, so that tiers are rarely copied."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._volumes: list[tuple[Volume, Any, Any]] = []  # with the arrays
        self._lent: set[Place] = set()
        self._old: list[tuple[list[Shared], set[Place]]] = []  # replaced volumes, and slices that may still read them

    def add(self, tier: int, size: int, values: Row, distances: Row | None) -> None:
        shares = -(-size // SHARE)
        pair = values.array(2 * shares), None if distances is None else distances.array(16 * shares)
        first = tier
        sizes: tuple[int, ...] = (size,)
        replaced: list[Shared] = []
        while self._volumes and len(self._volumes[-1][0].sizes) <= len(sizes):
            volume, *arrays = self._volumes.pop()
            first, sizes = volume.first, (*volume.sizes, *sizes)
            pair = _joined(arrays[0], pair[0]), None if pair[1] is None else _joined(arrays[1], pair[1])
            replaced += [shared for shared in (volume.values, volume.distances) if shared is not None]
        share = self._workers.share
        volume = Volume(first, sizes, share(pair[0]), None if pair[1] is None else share(pair[1]))
        self._volumes.append((volume, *pair))
        self._old.append((replaced, set(self._lent)))

    def lent(self, place: Place) -> tuple[Volume, ...]:
        """The volumes, for a slice that is handed out."""
        self._lent.add(place)
        return tuple(volume for volume, *_ in self._volumes)

    def returned(self, place: Place) -> None:
        """Note that a slice has come back, and drop replaced volumes that no other slice can read."""
        self._lent.discard(place)
        for _, readers in self._old:
            readers.discard(place)
        for shared, readers in self._old:
            if not readers:
                for one in shared:
                    one.drop()
        self._old = [old for old in self._old if old[1]]


def _joined(one: Any, other: Any) -> Any:
    import numpy as np

    return np.concatenate([one, other])
