"""How matches and self-play scale with workers, and how long large work would take on many machines.

    python bench/cluster.py speedup                     1, 2 and up to 16 processes of this machine, in 140 s
    python bench/cluster.py speedup --workers 1 4 8     other numbers of workers; --seconds: more time, more rounds
    python bench/cluster.py speedup --ray               the same on Ray
    python bench/cluster.py table                       40,000 games, 1 G positions, checkers with 8 pieces

Rates are measured in windows in which all workers are busy, because real work starts its processes once and runs for
hours. Windows with different numbers of workers take turns, in rounds, so that a machine whose speed changes does not
favour one of them. Games and positions differ in the work they take; moves to a fixed number of nodes, and nodes, do
not. So these are counted, and reported as games and positions of average length.

The column "machine" is what the same number of independent processes achieve, each running a plain Python loop. Nothing
scales better than that if cores share a clock frequency, or two processors share a core.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zerosum.arena.match import Match, Plan
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.time_control import TimeControl
from zerosum.games import load
from zerosum.learn.gathering import Playing, gather
from zerosum.learn.self_play_work import SelfPlayWork
from zerosum.running.stopping import Stop
from zerosum.working.nodes import pace
from zerosum.working.processes import Processes
from zerosum.working.sharing import Shared
from zerosum.working.team import Team, Workers
from zerosum.working.work import Tell, UnitRunner, Work

WARM, WINDOW = 1.0, 4.0
"""Warm-up seconds after every worker has delivered something, and seconds that count."""

MOST = 16
NODES, DEPTH = 2_000, 4
ENOUGH = 10**4
"""More games than fit into any window."""

WORKS = ("games", "positions", "machine")


@dataclass
class Tally:
    """Totals over windows: work done, the pieces of it that users count, and seconds; and the rate of each window."""

    work: float = 0.0
    pieces: float = 0.0
    seconds: float = 0.0
    rates: list[float] = field(default_factory=list)

    def add(self, work: float, pieces: float, seconds: float) -> None:
        self.work, self.pieces, self.seconds = self.work + work, self.pieces + pieces, self.seconds + seconds
        self.rates.append(work / seconds)


class Metered(Workers):
    """Workers whose results are counted. ``weigh`` returns the work and the pieces of a result.

    A unit done partly outside the window counts in part. Otherwise more workers would seem slower, because more of
    their units are in progress when the window ends.
    """

    def __init__(self, workers: Workers, count: int, weigh: Callable[[Any], tuple[float, float]]) -> None:
        self._workers, self._count, self._weigh = workers, count, weigh
        self._window: tuple[float, float] | None = None
        self._begun: dict[int, float] = {}  # start times by the id of the unit
        self._done: list[tuple[float, float, float, float]] = []  # from, to, work, pieces

    @property
    def count(self) -> int:
        return self._count

    def share(self, value: Any) -> Shared:
        return self._workers.share(value)

    def team(self, work: Work[Any, Any]) -> Team[Any, Any]:
        team = self._workers.team(work)
        run, give = team.run, team.give

        def timed(worker: int, unit: Any) -> None:
            self._begun[id(unit)] = time.perf_counter()
            give(worker, unit)

        def counted(*units: Any, **how: Any) -> Iterator[tuple[Any, Any]]:
            for unit, found in run(*units, **how):
                now = time.perf_counter()
                if self._window is None and team.size == self._count:
                    self._window = now + WARM, now + WARM + WINDOW
                self._done.append((self._begun.pop(id(unit)), now, *self._weigh(found)))
                yield unit, found

        team.give, team.run = timed, counted  # type: ignore[method-assign]
        return team

    @property
    def is_over(self) -> bool:
        """Whether the window is over and everything begun in it is done."""
        if self._window is None or time.perf_counter() < self._window[1]:
            return False
        return all(began > self._window[1] for began in self._begun.values())

    def tell(self, tally: Tally) -> None:
        assert self._window is not None
        first, last = self._window
        shares = [max(0.0, min(end, last) - max(begin, first)) / (end - begin) for begin, end, _, _ in self._done]
        work, pieces = (sum(s * one[at] for s, one in zip(shares, self._done, strict=True)) for at in (2, 3))
        tally.add(work, pieces, last - first)


def games(workers: Workers, count: int, tally: Tally) -> None:
    """Play chess games by nodes, each written to a file as in a match. The unit of equal work is a move."""
    players = [parse_player(f"nodes:{NODES}"), parse_player(f"nodes:{NODES},name=other")]
    rules = Rules(TimeControl.parse("none"), max_plies=120)
    plan = Plan(load("chess"), players, rules, games=ENOUGH, openings="random:8", seed=1)
    meter = Metered(workers, count, lambda played: (len(played.record.moves) - played.record.opening, 1))
    with tempfile.TemporaryDirectory() as folder:
        match = Match(plan, Path(folder) / "games.jsonl", workers=meter)
        with contextlib.suppress(KeyboardInterrupt):
            match.run(lambda record, standings: match.stop() if meter.is_over else None)
    meter.tell(tally)


def positions(workers: Workers, count: int, tally: Tally) -> None:
    """Gather positions by self-play in chess, written to a file. The unit of equal work is a node."""

    def weigh(done: Any) -> tuple[float, float]:
        return sum(one.nodes for one in done.games), sum(len(one.values) for one in done.games)

    meter, stop = Metered(workers, count, weigh), Stop()
    with tempfile.TemporaryDirectory() as folder:
        gather(
            load("chess"),
            Path(folder) / "positions.zsp",
            positions=10**9,
            playing=Playing(depth=DEPTH, seed=1),
            workers=meter,
            stop=stop,
            on_progress=lambda now: stop.set() if meter.is_over else None,
        )
    meter.tell(tally)


@dataclass(frozen=True)
class Loops(Work[int, float]):
    """Work that measures the speed of a plain Python loop in a worker."""

    def open(self, tell: Tell) -> Looper:
        return Looper()


class Looper(UnitRunner[int, float]):
    def do(self, unit: int) -> float:
        now = pace()
        return float(now.speed * now.share)


def machine(count: int, tally: Tally) -> None:
    """Measure the total of ``count`` busy processes, in loops a second."""
    with Processes(count).team(Loops()) as team:
        found = [speed for _, speed in team.run(range(6 * count))][count:-count]
    tally.add(count * sum(found) / len(found), 0, 1)


def compile_all() -> None:
    """Compile everything in parallel, so that all workers load it from the cache."""
    start = multiprocessing.get_context("spawn")
    found = [start.Process(target=_compile, args=(work,)) for work in WORKS[:2]]
    for process in found:
        process.start()
    for process in found:
        process.join()


def _compile(work: str) -> None:
    if work == "games":
        player = parse_player(f"nodes:{NODES}").make(load("chess"), None)
        player.prepare()
        player.close()
    else:
        SelfPlayWork(load("chess"), {"depth": DEPTH, "both_begin": True}).open(lambda word: None)


def speedup(counts: list[int], seconds: float, ray: bool) -> None:
    """Run as many rounds of windows as there is time for, but at least one."""
    began = time.perf_counter()
    print(f"{_machine()}\nchess: matches of {NODES} nodes a move, self-play to depth {DEPTH}; windows of {WINDOW:g} s")
    compile_all()
    print(f"compiled or loaded in {time.perf_counter() - began:.0f} s\n", flush=True)
    tallies = {work: {count: Tally() for count in counts} for work in WORKS}
    longest = 0.0
    print(f"{'round':>11} {'workers':>11} {'moves/s':>11} {'nodes/s':>11} {'loops/s':>11} {'took':>11}")
    for turn, count in _turns(counts):
        if turn > 1 and time.perf_counter() - began + longest > seconds:
            break
        start = time.perf_counter()
        with _workers(count, ray) as workers:
            games(workers, count, tallies["games"][count])
            positions(workers, count, tallies["positions"][count])
        machine(count, tallies["machine"][count])
        took = time.perf_counter() - start
        longest = max(longest, took)
        rates = (f"{tallies[work][count].rates[-1]:,.0f}" for work in WORKS)
        print(" ".join(f"{cell:>11}" for cell in (turn, count, *rates, f"{took:.0f} s")), flush=True)
    print(f"\nall rounds together, {time.perf_counter() - began:.0f} s:")
    headings = ("workers", "games/s", "speed-up", "positions/s", "speed-up", "machine")
    print(" ".join(f"{heading:>11}" for heading in headings))
    for count in counts:
        cells = [str(count)]
        for work in WORKS:
            one = tallies[work]
            whole = sum(tally.work for tally in one.values()) / max(sum(tally.pieces for tally in one.values()), 1)
            rate, first = (one[at].work / one[at].seconds for at in (count, counts[0]))
            cells += [f"{rate / whole:,.1f}"] * (work != "machine") + [f"{rate / first:.2f}x"]
        print(" ".join(f"{cell:>11}" for cell in cells), flush=True)


def _turns(counts: list[int]) -> Iterator[tuple[int, int]]:
    """Yield rounds and numbers of workers, up and down."""
    for turn in itertools.count(1):
        for count in counts if turn % 2 else counts[::-1]:
            yield turn, count


def _machine() -> str:
    """Describe the processors, as far as the system reports them."""
    name, siblings = "processors", ""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    with contextlib.suppress(OSError):
        shared = Path("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list").read_text().strip()
        siblings = f", processor 0 shares its core with: {shared}"
    return f"{os.cpu_count()} x {name}{siblings}"


def _workers(count: int, ray: bool) -> Workers:
    if not ray:
        return Processes(count)
    from zerosum.working.cluster import Cluster

    return Cluster(processors=count)


def main() -> None:
    most = min(os.cpu_count() or 1, MOST)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speedup", "table"))
    parser.add_argument("--ray", action="store_true", help="use Ray instead of the process pool")
    parser.add_argument("--workers", type=int, nargs="+", default=sorted({1, min(2, most), most}))
    parser.add_argument("--seconds", type=float, default=140.0, help="time limit: no round starts that would end later")
    asked = parser.parse_args()
    if asked.what == "speedup":
        speedup(asked.workers, asked.seconds, asked.ray)
    else:
        from cluster_table import table

        table()


if __name__ == "__main__":
    main()
