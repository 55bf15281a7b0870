"""Tiers, and slices of large tiers, as units of work.

A worker solves small tiers from end to end and returns their values, a quarter of a byte for each position. Of a large
tier it expands a slice: it asks the rules about the positions, which is most of the work, and returns all it found,
including the moves within the tier; one process puts the slices together and counts backwards.

A unit may start before all earlier tiers are solved. If a position leads to a tier that the worker does not have, the
worker says so, and the tier or slice is tried again later: nothing is ever guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from zerosum.endgame import memory as m
from zerosum.endgame.checks import SPOT_CHECKS, complain
from zerosum.endgame.solve import EDGES_AT_ONCE, Counts, Expanded, Portion, Solver
from zerosum.errors import EndgameError
from zerosum.game import Game
from zerosum.jit.plan import ERROR, HALT, STOP
from zerosum.jit.row import Row
from zerosum.jit.target import Target
from zerosum.solved_tiers import SHARE
from zerosum.working.sharing import Shared
from zerosum.working.work import Ended, Tell, UnitRunner, Work

WORDS = {"values": 2, "counters": 32, "distances": 16}
"""Number of words for a share of positions."""

SURVEYED, GLANCES, GLANCE = 1 << 14, 64, 8
"""In tiers and slices of at least SURVEYED positions, a worker first looks at GLANCES places, GLANCE positions each:
these show most of the tiers that it needs, before there is work to lose."""


class Volume(NamedTuple):
    """Solved tiers in one piece: their numbers and sizes, and their packed values one after another."""

    number: int
    tiers: tuple[tuple[int, int], ...]
    values: Shared
    distances: Shared | None


class Slice(NamedTuple):
    """The positions of a tier from ``first`` to ``end``, and the solved tiers."""

    tier: int
    size: int
    first: int
    end: int
    volumes: tuple[Volume, ...]

    def __repr__(self) -> str:
        return f"tier {self.tier}, positions {self.first} to {self.end - 1}"


class Batch(NamedTuple):
    """Whole tiers, as pairs of number and size in their order, and the solved tiers."""

    tiers: tuple[tuple[int, int], ...]
    volumes: tuple[Volume, ...]

    def __repr__(self) -> str:
        return f"tiers {', '.join(str(tier) for tier, _ in self.tiers)}"


class Missing(NamedTuple):
    """Tiers that a slice needs and the worker does not have."""

    tiers: frozenset[int]


class Solved(NamedTuple):
    """A tier that a worker has solved: packed values and distances, and the counts."""

    tier: int
    values: Any
    distances: Any
    counts: Counts


class BatchDone(NamedTuple):
    """The solved tiers of a batch, and what each of the others needs."""

    solved: list[Solved]
    missing: dict[int, Missing]


TierUnit = Slice | Batch
TierFound = Expanded | Missing | BatchDone


@dataclass(frozen=True)
class TierWork(Work[TierUnit, TierFound]):
    in_portions = False

    game: Game
    tiers: int
    with_distance: bool
    target: Target

    def open(self, tell: Tell) -> TierRunner:
        return TierRunner(self)


class TierRunner(UnitRunner[TierUnit, TierFound]):
    """A worker for tiers and slices. It keeps the solved tiers that it has solved or received."""

    def __init__(self, work: TierWork) -> None:
        self.work = work
        self.solver = Solver(work.game, work.tiers, 1, work.target, lambda positions: None)
        self.directory = self.solver.directory
        self._received: set[int] = set()  # numbers of volumes
        self._is_over = False

    def do(self, unit: TierUnit) -> TierFound:
        self._look_up(unit.volumes)
        return self._slice(unit) if isinstance(unit, Slice) else self._batch(unit)

    def stop(self) -> None:
        self._is_over = True
        self.solver.crew.stop()

    # Whole tiers

    def _batch(self, unit: Batch) -> BatchDone:
        done = BatchDone([], {})
        for tier, size in unit.tiers:
            found = self._whole(tier, size)
            if isinstance(found, Missing):
                done.missing[tier] = found
            else:
                done.solved.append(found)
        return done

    def _whole(self, tier: int, size: int) -> Solved | Missing:
        missing = self._survey(tier, size, 0, size)
        if missing is not None:
            return missing
        self._clear()
        try:
            solved = self.solver.solve(tier, size, self.work.with_distance)
        except EndgameError:
            missing = self._missing(tier)
            if missing is None:
                raise
            return missing
        if solved is None:
            raise Ended
        self.directory.put(tier, size, solved.values, solved.distances)
        distances = None if solved.distances is None else solved.distances.array()
        return Solved(tier, solved.values.array(), distances, solved.counts)

    # Slices

    def _slice(self, unit: Slice) -> Expanded | Missing:
        missing = self._survey(unit.tier, unit.size, unit.first, unit.end)
        if missing is not None:
            return missing
        work, member = self.work, self.solver.crew[0]
        row, game = member.row, work.game
        rows = self._rows(unit.tier, unit.size, unit.first, unit.end)
        limit = min(EDGES_AT_ONCE, (unit.end - unit.first) * game.max_moves) + game.max_moves
        edges = Row(limit // 2 + 1, work.target)
        row[m.EDGES], row[m.EDGE_LIMIT] = edges.address, limit
        portions, at = [], unit.first
        self._clear()
        while at < unit.end:
            if self._is_over:
                raise Ended
            row[m.NEXT], row[m.END] = at, unit.end
            member.run()
            if row[m.PROBLEM]:
                missing = self._missing(unit.tier)
                if missing is None:
                    complain(game, member)
                    raise AssertionError("an unknown problem")
                return missing
            there, used = int(row[m.NEXT]), int(row[m.EDGE_COUNT])
            if used:
                portions.append(Portion(at, there, used, edges.array(used // 2 + 1).copy()))
            at = there
        distances = rows["distances"].array() if work.with_distance else None
        return Expanded(rows["values"].array(), rows["counters"].array(), distances, portions)

    def _rows(self, tier: int, size: int, first: int, end: int) -> dict[str, _Window]:
        """Rows for the positions of a slice, which the kernel expands next."""
        work, row = self.work, self.solver.crew[0].row
        shares = -(-(end - first) // SHARE)
        has = {name: name != "distances" or work.with_distance for name in WORDS}
        rows = {name: _Window(first, words * shares, words, work.target) for name, words in WORDS.items() if has[name]}
        row[m.TIER], row[m.SIZE], row[m.SPOT_CHECK] = tier, size, size // SPOT_CHECKS + 1
        row[m.VALUES], row[m.COUNTERS] = rows["values"].address, rows["counters"].address
        row[m.DISTANCES] = rows["distances"].address if work.with_distance else 0
        row[m.PHASE] = m.EXPAND
        return rows

    # Tiers that are not here

    def _survey(self, tier: int, size: int, first: int, end: int) -> Missing | None:
        """The missing tiers to which some positions lead, at places spread over a tier or slice; None if none do."""
        if end - first < SURVEYED:
            return None
        member = self.solver.crew[0]
        row = member.row
        rows = self._rows(tier, size, first, end)  # of which few pages are used
        row[m.SPOT_CHECK] = size + 1
        limit = (GLANCE + 1) * self.work.game.max_moves
        edges = Row(limit // 2 + 1, self.work.target)
        row[m.EDGES], row[m.EDGE_LIMIT] = edges.address, limit
        missing: set[int] = set()
        for number in range(GLANCES):
            at = first + (end - first - GLANCE) * number // (GLANCES - 1)
            stop = at + GLANCE
            while at < stop:
                self._clear()
                row[m.NEXT], row[m.END] = at, stop
                member.run()
                if not row[m.PROBLEM]:
                    break
                found = self._missing(tier)
                if found is None or row[m.PROBLEM] != m.OUTSIDE:
                    break  # whatever it is, expanding the positions in order reports it
                missing |= found.tiers
                at = int(row[m.PLACE]) + 1
        rows.clear()
        return Missing(frozenset(missing)) if missing else None

    def _missing(self, tier: int) -> Missing | None:
        """The tiers whose absence may be the cause of the recorded problem; None if all are here."""
        row = self.solver.crew[0].row
        wanted = int(row[m.SHOULD])
        unknown = frozenset(one for one, part in enumerate(self.directory.parts[:tier]) if part is None)
        if row[m.PROBLEM] == m.OUTSIDE and wanted in unknown:
            return Missing(frozenset([wanted]))
        return Missing(unknown) if unknown else None

    def _clear(self) -> None:
        """Forget the last problem, but not a call of ``stop``."""
        row = self.solver.crew[0].row
        row[STOP] = row[HALT] = row[ERROR] = row[m.PROBLEM] = 0
        if self._is_over:
            raise Ended

    def _look_up(self, volumes: tuple[Volume, ...]) -> None:
        """Add solved tiers. A volume that contains others replaces them, so that their memory is released."""
        for volume in volumes:
            if volume.number in self._received:
                continue
            self._received.add(volume.number)
            values, at = volume.values.get(), 0
            distances = None if volume.distances is None else volume.distances.get()
            for tier, size in volume.tiers:
                shares = -(-size // SHARE)
                part = _part(values, at * 2, shares * 2, self.work.target)
                more = None if distances is None else _part(distances, at * 16, shares * 16, self.work.target)
                self.directory.put(tier, size, part, more)
                at += shares


def _part(words: Any, at: int, count: int, target: Target) -> Row:
    return Row.of(words[at : at + count], target)


class _Window:
    """A row for the positions of a slice only, which the kernel indexes as in the whole tier."""

    def __init__(self, first: int, count: int, words: int, target: Target) -> None:
        self.skipped = first // SHARE * words
        self.count, self.target = count, target
        # A plain row has no address arithmetic, so it also has room for what comes before.
        self.row = Row(count if target.is_compiled else self.skipped + count, target)

    @property
    def address(self) -> Any:
        return self.row.address - 8 * self.skipped if self.target.is_compiled else self.row.address

    def array(self) -> Any:
        return self.row.array() if self.target.is_compiled else self.row.array()[self.skipped :]
