"""How matches and self-play speed up with workers, and what large work would take on many machines.

    python bench/cluster.py speedup            1, 2, 4, 8, 16 processes of this machine, as far as it has processors
    python bench/cluster.py speedup --ray      the same on Ray
    python bench/cluster.py table              40,000 games, 1 G positions, checkers with 8 pieces: machine hours

Rates are those of a window of some seconds when all workers are busy: processes start once, work goes on for hours. The
column "machine" is what as many processes get that share nothing: a loop of plain Python in each.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zerosum.arena.match import Match, Plan
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.standings import Standings
from zerosum.arena.time_control import TimeControl
from zerosum.formats.record import GameRecord
from zerosum.games import load
from zerosum.learn.self_play_work import Run, SelfPlayWork
from zerosum.working.nodes import pace
from zerosum.working.processes import Processes
from zerosum.working.team import Workers
from zerosum.working.work import Hands, Tell, Work

WINDOW = 8.0
WORKERS = (1, 2, 4, 8, 16)
NODES = 2_000
GAMES_A_UNIT = 4


@dataclass(frozen=True)
class Loops(Work[int, float]):
    """How fast a loop of plain Python is in a worker."""

    def open(self, tell: Tell) -> Looper:
        return Looper()


class Looper(Hands[int, float]):
    def do(self, unit: int) -> float:
        now = pace()
        return float(now.speed * now.share)


def machine(count: int) -> float:
    """What ``count`` busy processes get together, in loops a second."""
    with Processes(count).team(Loops()) as team:
        found = [speed for _, speed in team.run(range(6 * count))]
    return count * sum(found[count:-count] or found) / len(found[count:-count] or found)


def match_rate(workers: Workers, count: int) -> float:
    """Games a second of chess by nodes, each written to a file."""
    game = load("chess")
    players = [parse_player(f"nodes:{NODES}"), parse_player(f"nodes:{NODES},name=other")]
    rules = Rules(TimeControl.parse("none"), max_plies=120)
    plan = Plan(game, players, rules, games=10**6, openings="random:8", seed=1)
    times: list[float] = []

    def ended(record: GameRecord, standings: Standings) -> None:
        times.append(time.perf_counter())
        if len(times) > 2 * count and times[-1] - times[2 * count] > WINDOW:
            match.stop()

    with tempfile.TemporaryDirectory() as folder:
        match = Match(plan, Path(folder) / "games.jsonl", workers=workers)
        with contextlib.suppress(KeyboardInterrupt):
            match.run(ended)
    return (len(times) - 1 - 2 * count) / (times[-1] - times[2 * count])


def self_play_rate(workers: Workers, count: int) -> float:
    """Positions a second of self-play in chess."""
    work = SelfPlayWork(load("chess"), {"depth": 4, "both_begin": True, "resign": 10, "balance": 6, "seed": 1})
    times: list[float] = []
    positions: list[int] = []
    with workers.team(work) as team:
        for _, found in team.run(_runs()):
            times.append(time.perf_counter())
            positions.append(sum(len(one.values) for one in found.games))
            if len(times) > 2 * count and times[-1] - times[2 * count] > WINDOW:
                break
    return sum(positions[2 * count + 1 :]) / (times[-1] - times[2 * count])


def _runs() -> Iterator[tuple[int, Run]]:
    for number in itertools.count():
        yield number, Run(GAMES_A_UNIT * number, GAMES_A_UNIT * (number + 1))


def speedup(ray: bool) -> None:
    most = os.cpu_count() or 1
    print(f"{most} processors; chess: matches of {NODES} nodes a move, self-play to depth 4; windows of {WINDOW:g} s")
    headings = ("workers", "games/s", "speed-up", "positions/s", "speed-up", "machine")
    print(" ".join(f"{heading:>11}" for heading in headings), flush=True)
    first: tuple[float, ...] = ()
    for count in [number for number in WORKERS if number <= most]:
        with _workers(count, ray) as workers:
            found = match_rate(workers, count), self_play_rate(workers, count), machine(count)
        first = first or found
        games, positions, loops = (f"{one / base:.2f}x" for one, base in zip(found, first, strict=True))
        cells = (str(count), f"{found[0]:.2f}", games, f"{found[1]:,.0f}", positions, loops)
        print(" ".join(f"{cell:>11}" for cell in cells), flush=True)


def _workers(count: int, ray: bool) -> Workers:
    if not ray:
        return Processes(count)
    from zerosum.working.cluster import Cluster

    return Cluster(processors=count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speedup", "table"))
    parser.add_argument("--ray", action="store_true", help="on Ray instead of the pool of processes")
    asked = parser.parse_args()
    if asked.what == "speedup":
        speedup(asked.ray)
    else:
        from cluster_table import table

        table()


if __name__ == "__main__":
    main()
