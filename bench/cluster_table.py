"""How long large work would take on 1 to 4,096 workers, computed from rates measured here.

A worker is one processor like those of this machine. Three things limit the speed: the workers, the one place that
collects results (it writes games and positions, and counts backwards in databases), and the network to that place. The
table names the limiting one. Processor hours include the one place. Rates are per second of processor time, so other
work on this machine does not count.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.arena.games_file import GamesFile
from zerosum.arena.match import Match, Plan
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.standings import Standings
from zerosum.arena.time_control import TimeControl
from zerosum.endgame import solve, team_solver
from zerosum.endgame.build import build
from zerosum.endgame.solve import Expanded
from zerosum.endgame.team_solver import SLICE, TeamSolver
from zerosum.endgame.tier_work import TierWork
from zerosum.formats.record import replay
from zerosum.game import Line
from zerosum.games import load
from zerosum.jit.target import CPU
from zerosum.learn.positions_file import Columns, PositionsFile
from zerosum.learn.self_play_work import FEW
from zerosum.search.selfplay import SelfPlay
from zerosum.wording import duration
from zerosum.working.processes import Processes
from zerosum.working.threads import Threads

WORKERS = (1, 16, 256, 4096)
NETWORK = 1.25e9
"""Bytes a second to the one place: 10 Gbit/s."""

PLACE = 16
"""The most processors of the one place: solving and writing a tier uses them all. One thread is measured."""

SEND, SEND_EACH = 0.5e-3, 1.8e-6
"""Seconds of the one place for each unit, and for each worker it is waiting for: Ray, measured with units that do
nothing, while waiting for up to 4,096."""

GAMES, POSITIONS = 40_000, 10**9
CHECKERS = 443_748_401_247
"""Positions of checkers with up to 8 pieces (J. Schaeffer and others, Solving Checkers, 2005)."""

SMALL_SLICE = 1 << 12
"""Positions of a slice while the traffic of slices is measured, on tiers that are small."""

CLOCK = "5+0.05"
FIELDS = ("states", "values", "flags")
START = 10.0
"""Seconds until all workers are ready, with kernels compiled."""


@dataclass(frozen=True)
class Job:
    """Work of a number of pieces. Rates are in pieces a second, of one worker and of one thread of the one place."""

    name: str
    pieces: float
    worker: float
    place: float
    bytes: float  # network traffic per piece
    unit: float = 1.0  # pieces in a unit
    tail: float = 0.0  # seconds at the end in which workers are idle
    threads: int = 1  # threads that the one place can use
    grows: bool = False  # whether units grow with the number of workers

    def on(self, workers: int) -> tuple[float, str]:
        """Return the seconds, and what limits the speed."""
        rate, slowest = self.rate(workers)
        return START + self.pieces / rate + self.tail, slowest

    def rate(self, workers: int) -> tuple[float, str]:
        """Return the pieces a second, and what limits them."""
        unit = self.unit * max(1.0, workers / FEW) if self.grows else self.unit
        send = (SEND + SEND_EACH * workers) / unit
        place = 1 / (1 / (self.place * self.place_for(workers)) + send)
        bounds = {"workers": workers * self.worker, "the one place": place, "network": NETWORK / self.bytes}
        slowest = min(bounds, key=lambda name: bounds[name])
        return bounds[slowest], slowest

    def place_for(self, workers: int) -> int:
        """Return the processors of the one place: no more than there are workers."""
        return min(self.threads, workers)

    @property
    def enough(self) -> int:
        """The number of workers beyond which more of them gain at most 5 %."""
        most = max(self.rate(workers)[0] for workers in range(1, 20_000))
        return next(workers for workers in range(1, 20_000) if self.rate(workers)[0] >= 0.95 * most)


def matches() -> Job:
    """Measure a chess match by the clock: how long a game takes, and from quick games what storing one costs."""
    game = load("chess")
    players = [parse_player("engine"), parse_player("engine:name=other")]
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        slow = Plan(game, players, Rules(TimeControl.parse(CLOCK)), games=4, openings="random:8")
        with Processes(2) as workers:
            Match(slow, Path(folder) / "slow.jsonl", workers=workers).run()
        seconds = 2 * (time.perf_counter() - began) / 4
        quick = [parse_player("nodes:200"), parse_player("nodes:200,name=other")]
        plan = Plan(game, quick, Rules(TimeControl.parse("none"), max_plies=120), games=20, openings="random:8")
        records: list[Any] = []
        Match(plan, Path(folder) / "quick.jsonl").run(lambda record, _: records.append(record))
        words = [replay(game, record).words() for record in records]
        standings = Standings(plan.names)
        began = time.process_time()
        with GamesFile(Path(folder) / "kept.jsonl", game, plan.header()) as file:
            for record, line in zip(records, words, strict=True):
                file.add(record, Line.of_words(game, *line))
                standings.add(record)
        kept = (time.process_time() - began) / len(records)
    print(f"a game at {CLOCK}: {seconds:.1f} s; storing one: {1000 * kept:.1f} ms")
    return Job(f"{GAMES:,} games of chess, {CLOCK}", GAMES, 1 / seconds, 1 / kept, 20_000, tail=2 * seconds)


def positions() -> Job:
    """Measure self-play in chess: the positions of a worker, and what one place can pack and write."""
    game = load("chess")
    player = SelfPlay(game, depth=4, both_begin=True, resign=10, balance=6, seed=1)
    began = time.process_time()
    played = list(player.games(range(200)))
    rate = sum(len(one.values) for one in played) / (time.process_time() - began)
    states, values, flags = (np.concatenate([getattr(one, name) for one in played]) for name in FIELDS)
    columns = Columns(states, values, np.sign(values), flags)
    count, size = states.shape
    with tempfile.TemporaryDirectory() as folder:
        file = PositionsFile(Path(folder) / "some.zsp", game)
        began = time.process_time()
        file.add(columns, {"seed": 1})
        packed = count / (time.process_time() - began)
    print(f"self-play, depth 4: {rate:,.0f} positions/s of a worker; packed and written: {packed:,.0f}/s")
    name, traffic = f"{POSITIONS / 1e9:.0f} G positions, chess, depth 4", 8 * (size + 3)
    return Job(name, POSITIONS, rate, packed, traffic, rate / 2, tail=1.0, grows=True)


def databases() -> Job:
    """Measure checkers with 4 pieces: the work of the workers, of the one place, and the traffic between them.

    All tiers but the smallest are sliced, as nearly all of those with 8 pieces would be.
    """
    game = load("checkers")
    spent: dict[str, float] = {}
    together = solve.Solver._together

    def timed(self: solve.Solver, step: Callable[[Any], None], team: list[Any]) -> None:
        began = time.process_time()
        together(self, step, team)
        name = getattr(step, "__name__", "")
        spent[name] = spent.get(name, 0.0) + time.process_time() - began

    moved = sliced = 0
    take = TeamSolver._take

    def weighed(self: TeamSolver, unit: Any, found: Any) -> None:
        nonlocal moved, sliced
        if isinstance(found, Expanded):
            sliced += unit.end - unit.first
            moved += sum(one.nbytes for one in (found.values, found.counters, *(p.edges for p in found.portions)))
        take(self, unit, found)

    with tempfile.TemporaryDirectory() as folder:
        TierWork(game, 1, False, CPU).open(lambda word: None)  # compiled before it is timed
        solve.Solver._together = timed  # type: ignore[method-assign]
        began = time.process_time()
        database = build(game, 4, Path(folder) / "whole", threads=1)
        whole = time.process_time() - began
        solve.Solver._together = together  # type: ignore[method-assign]
        TeamSolver._take = weighed  # type: ignore[method-assign]
        team_solver.LARGEST_WHOLE, team_solver.LEAST, team_solver.SLICE = 0, SMALL_SLICE, SMALL_SLICE
        build(game, 4, Path(folder) / "slices", threads=1, workers=Threads(1))
        TeamSolver._take = take  # type: ignore[method-assign]
    indices = sum(tier.size for tier in database.tiers)
    expand, rest = indices / spent["expand"], indices / (whole - spent["expand"])
    sent = moved / sliced
    print(f"checkers: {expand:,.0f} positions/s expanded by a worker, {rest:,.0f}/s solved and written by one thread,")
    print(f"          {sent:.0f} bytes a position between them")
    sizes = {n: [size for _, size in game.tiers(n)] for n in (6, 7)}
    growth = max(sizes[7]) / max(sizes[6])
    largest = growth * max(sizes[7])
    print(
        f"          8 pieces: the largest tier has some {largest:.1e} positions, {40 * largest / 2**30:,.0f} GiB in one"
    )
    print(f"          place while it is solved; all values, for every node: {CHECKERS / 4 / 2**30:,.0f} GiB")
    return Job(f"checkers, 8 pieces, {CHECKERS / 1e9:.0f} G positions", CHECKERS, expand, rest, sent, SLICE, 0.0, PLACE)


def rows(jobs: Iterable[Job]) -> Iterable[tuple[str, ...]]:
    for job in jobs:
        alone = job.on(1)[0]
        for workers in WORKERS:
            seconds, slowest = job.on(workers)
            yield (
                job.name if workers == 1 else "",
                f"{workers:,}",
                duration(seconds),
                f"{(workers + job.place_for(workers)) * seconds / 3600:,.0f}",
                f"{alone / seconds:,.1f}x",
                slowest,
            )


def table() -> None:
    jobs = [matches(), positions(), databases()]
    print()
    print("| work | workers | time | processor hours | speed-up | bound by |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for row in rows(jobs):
        print(f"| {' | '.join(row)} |")
    for job in jobs:
        print(f"{job.name}: hardly faster with more than {job.enough:,} workers")
