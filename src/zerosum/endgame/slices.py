"""Slices of tiers as units of work: a worker asks the rules about the positions of a slice.

That is most of the work of solving a tier, and slices are independent of each other. The results, including the moves
within the tier, are sent to one process, which counts backwards from the decided positions.

A slice may start before all earlier tiers are solved. If one of its positions leads to a tier that the worker does not
have yet, the answer is Missing, and the slice is done again later: nothing is ever guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from zerosum.endgame import memory as m
from zerosum.endgame.checks import SPOT_CHECKS, complain
from zerosum.endgame.kernel import RETROGRADE
from zerosum.game import Game
from zerosum.jit.plan import ERROR, HALT, STOP
from zerosum.jit.row import Row
from zerosum.jit.target import Target
from zerosum.running.crew import Crew
from zerosum.solved_tiers import SHARE, Directory
from zerosum.working.sharing import Shared
from zerosum.working.work import Ended, Tell, UnitRunner, Work

EDGES_AT_ONCE = 1 << 20
"""Approximate number of edges in a portion."""

WORDS = {"values": 2, "counters": 32, "distances": 16}
"""Number of words for a share of positions."""


class Volume(NamedTuple):
    """Consecutive solved tiers in one piece: the first tier, their sizes, and their packed values one after another."""

    first: int
    sizes: tuple[int, ...]
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


class Missing(NamedTuple):
    """A slice that must wait until this many tiers are solved."""

    tiers: int


class Portion(NamedTuple):
    """Positions from ``first`` to ``end``, and their moves within the tier: their number and the packed places."""

    first: int
    end: int
    used: int
    edges: Any


class Expanded(NamedTuple):
    """An expanded slice: packed values, counters and distances as the kernel left them, and its edges."""

    values: Any
    counters: Any
    distances: Any
    portions: list[Portion]


@dataclass(frozen=True)
class SliceWork(Work[Slice, "Expanded | Missing"]):
    game: Game
    tiers: int
    with_distance: bool
    target: Target

    def open(self, tell: Tell) -> Expander:
        return Expander(self)


class Expander(UnitRunner[Slice, "Expanded | Missing"]):
    """A worker for slices. It keeps the solved tiers that it has received."""

    def __init__(self, work: SliceWork) -> None:
        self.work = work
        self.crew = Crew(RETROGRADE, work.game, 1, work.target)
        self.directory = Directory(work.tiers, work.target)
        self.crew.put(directory=self.directory.address)
        self._known: dict[int, int] = {}  # number of tiers in a volume, by its first tier
        self._is_over = False

    def do(self, unit: Slice) -> Expanded | Missing:
        self._look_up(unit.volumes)
        work, member = self.work, self.crew[0]
        row, game, target = member.row, work.game, work.target
        shares = -(-(unit.end - unit.first) // SHARE)
        has = {name: name != "distances" or work.with_distance for name in WORDS}
        rows = {name: _Window(unit, words * shares, words, target) for name, words in WORDS.items() if has[name]}
        row[STOP] = row[HALT] = row[ERROR] = row[m.PROBLEM] = 0
        row[m.TIER], row[m.SIZE], row[m.SPOT_CHECK] = unit.tier, unit.size, unit.size // SPOT_CHECKS + 1
        row[m.VALUES], row[m.COUNTERS] = rows["values"].address, rows["counters"].address
        row[m.DISTANCES] = rows["distances"].address if work.with_distance else 0
        limit = min(EDGES_AT_ONCE, (unit.end - unit.first) * game.max_moves) + game.max_moves
        edges = Row(limit // 2 + 1, target)
        row[m.EDGES], row[m.EDGE_LIMIT], row[m.PHASE] = edges.address, limit, m.EXPAND
        portions, at = [], unit.first
        while at < unit.end:
            if self._is_over:
                raise Ended
            row[m.NEXT], row[m.END] = at, unit.end
            member.run()
            if row[m.PROBLEM]:
                return self._problem(unit)
            there, used = int(row[m.NEXT]), int(row[m.EDGE_COUNT])
            if used:
                portions.append(Portion(at, there, used, edges.array(used // 2 + 1).copy()))
            at = there
        distances = rows["distances"].array() if work.with_distance else None
        return Expanded(rows["values"].array(), rows["counters"].array(), distances, portions)

    def _problem(self, unit: Slice) -> Missing:
        """The tiers that are missing; raises the error if none is."""
        row = self.crew[0].row
        wanted = int(row[m.SHOULD])
        known = [part is not None for part in self.directory.parts[: unit.tier]]
        if row[m.PROBLEM] == m.OUTSIDE and 0 <= wanted < unit.tier and not known[wanted]:
            return Missing(wanted + 1)
        if not all(known):
            return Missing(unit.tier)
        complain(self.work.game, self.crew[0])
        raise AssertionError("an unknown problem")

    def _look_up(self, volumes: tuple[Volume, ...]) -> None:
        """Add solved tiers that are new. A volume that contains others replaces them."""
        for volume in volumes:
            if self._known.get(volume.first) == len(volume.sizes):
                continue
            self._known[volume.first] = len(volume.sizes)
            values, at = volume.values.get(), 0
            distances = None if volume.distances is None else volume.distances.get()
            for tier, size in enumerate(volume.sizes, volume.first):
                shares = -(-size // SHARE)
                part = _part(values, at * 2, shares * 2, self.work.target)
                more = None if distances is None else _part(distances, at * 16, shares * 16, self.work.target)
                self.directory.put(tier, size, part, more)
                at += shares

    def stop(self) -> None:
        self._is_over = True
        self.crew.stop()


def _part(words: Any, at: int, count: int, target: Target) -> Row:
    return Row.of(words[at : at + count], target)


class _Window:
    """A row for the positions of a slice only, which the kernel indexes as in the whole tier."""

    def __init__(self, unit: Slice, count: int, words: int, target: Target) -> None:
        self.skipped = unit.first // SHARE * words
        self.count, self.target = count, target
        # A plain row has no address arithmetic, so it also has room for what comes before.
        self.row = Row(count if target.is_compiled else self.skipped + count, target)

    @property
    def address(self) -> Any:
        return self.row.address - 8 * self.skipped if self.target.is_compiled else self.row.address

    def array(self) -> Any:
        return self.row.array() if self.target.is_compiled else self.row.array()[self.skipped :]
