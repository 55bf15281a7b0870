"""Run many cases in many processes, for a given time."""

from __future__ import annotations

import multiprocessing
import os
import queue
import sys
import time
from dataclasses import dataclass
from typing import Any

from certainty.cases import Case, Difference, Tally, run
from certainty.classes import Places

TURN = 1.0
"""Seconds that a process spends on one class before it reports and continues with the next."""

SLOW = 3
"""Endgames and suites take longer to prove a value, so their turn is this many times as long."""

KEPT = 3
"""The number of cases with differences kept for each class in each turn, smallest first."""

WARMING = 40
"""This many cases use every kernel that a class needs."""

DEEP = 20_000
"""Python's recursion limit: an uncompiled search may follow a line for a thousand plies."""


@dataclass
class Report:
    """The results of one process in one turn."""

    tally: Tally
    faulty: list[tuple[str, int, int, Difference, Case]]  # class, seed, number


def turn(places: Places, world: str, seed: int, first: int, step: int, seconds: float) -> tuple[Report, int]:
    """Run every ``step``-th case of one class from ``first`` on until time is up; return also the next number."""
    tally, faulty, number = Tally(), [], first
    started = time.perf_counter()
    while True:
        case = places.case(world, seed, number)
        found = run(case, places.world(case), tally)
        if found:
            faulty.append((world, seed, number, found[0], case))
        number += step
        if time.perf_counter() - started >= seconds:
            break
    tally.seconds[world] += time.perf_counter() - started
    faulty.sort(key=lambda item: len(item[4].as_json()))
    return Report(tally, faulty[:KEPT]), number


def warm_up(places: Places, world: str) -> None:
    """Compile or build what a class needs, with and without a database, so that its time is spent on searches."""
    had = set()
    for number in range(WARMING):
        case = places.case(world, 0, number)
        helped = case.subject.get("helped", "") != ""
        if case.jit and helped not in had:
            had.add(helped)
            run(case, places.world(case), Tally())


def work(places: Places, worlds: list[str], seed: int, place: int, count: int, until: float, reports: Any) -> None:
    """Run class after class in one process; each process has its own share of the numbers."""
    prepare()
    numbers = dict.fromkeys(worlds, place)
    at = place * len(worlds) // count  # processes start with different classes
    while time.time() < until:
        world = worlds[at % len(worlds)]
        at += 1
        seconds = min(TURN * (SLOW if world.startswith(("ending:", "suite:")) else 1), max(until - time.time(), 0.01))
        report, numbers[world] = turn(places, world, seed, numbers[world], count, seconds)
        reports.put(report)
    reports.put(None)


def prepare() -> None:
    """Set up a process that checks cases."""
    sys.setrecursionlimit(DEEP)
    _remember_digests()


def _remember_digests() -> None:
    """Compute a kernel's fingerprint, which is the same for all graphs of a kind, once instead of for each engine."""
    from zerosum.jit.kernel import Kernel

    original = Kernel.digest
    if hasattr(original, "remembered"):
        return
    known: dict[Any, str] = {}

    def digest(self: Kernel, game: Any) -> str:
        what = (self.name, game.name, repr(game.source), game.given["moves"], game.given.get("key"))
        if what not in known:
            known[what] = original(self, game)
        return known[what]

    digest.remembered = known  # type: ignore[attr-defined]
    Kernel.digest = digest  # type: ignore[method-assign]


def run_all(places: Places, worlds: list[str], seed: int, seconds: float, workers: int, on_report: Any) -> Tally:
    """Run all classes in turn, in ``workers`` processes; call ``on_report(report)`` for each report."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers) as pool:
        pool.starmap(warm_up, [(places, world) for world in worlds], chunksize=1)
    total = Tally()
    reports: Any = context.Queue()
    until = time.time() + seconds
    processes = [
        context.Process(target=work, args=(places, worlds, seed, place, workers, until, reports), daemon=True)
        for place in range(workers)
    ]
    for process in processes:
        process.start()
    running = len(processes)
    while running:
        try:
            report = reports.get(timeout=5)
        except queue.Empty:
            if not any(process.is_alive() for process in processes):
                raise SystemExit("the processes ended without a report: see their output above") from None
            continue
        if report is None:
            running -= 1
            continue
        total.add(report.tally)
        on_report(report)
    for process in processes:
        process.join()
    return total


def cores() -> int:
    return os.cpu_count() or 1
