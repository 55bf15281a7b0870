"""What Ray costs: the same command with and without ``--cluster``, in turns, on two processors each.

    python bench/cluster_overhead.py                        match, gather and endgame, for 15 minutes
    python bench/cluster_overhead.py endgame --seconds 300  one of them
    python bench/cluster_overhead.py gather --positions 1000000

The processors of this machine are divided into lanes of two. A lane runs one kind of work over and over, with Ray and
without it in turns, and lanes of the same work begin with different sides: a machine whose speed changes slows down
both. Seconds are for the whole command, including Ray's start and end. A cost comes with its standard error, which is
that of the mean ratio of neighbouring runs.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from cluster_nodes import command, summary

WORKS = ("match", "gather", "endgame")
LANE = 2
"""Processors of a lane."""


@dataclass
class Tally:
    """Seconds of runs without and with Ray, the ratios of neighbouring runs, and hashes of what they wrote."""

    without: list[float] = field(default_factory=list)
    ray: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    found: set[str] = field(default_factory=set)


def run(asked: argparse.Namespace, folder: Path, more: list[str]) -> tuple[float, str]:
    """Run a command in a new folder. Returns its seconds and a hash of its results."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        out = Path(place) / "out"
        words = [sys.executable, "-m", "zerosum", *command(asked, out), *more]
        began = time.perf_counter()
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        seconds = time.perf_counter() - began
        if done.returncode:
            return seconds, f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"
        return seconds, summary(asked, out)


def lane(asked: argparse.Namespace, processors: set[int], ray_first: bool, until: float, tally: Tally) -> None:
    """Run pairs of commands on these processors until the next pair would not end in time."""
    os.sched_setaffinity(0, processors)  # of this thread, and of all that it starts
    with tempfile.TemporaryDirectory() as place:
        longest = 0.0
        while time.perf_counter() + longest < until:
            began, seconds = time.perf_counter(), {}
            for with_ray in (ray_first, not ray_first):
                seconds[with_ray], found = run(asked, Path(place), ["--cluster"] * with_ray)
                tally.found.add(found)
                print(
                    f"{asked.what:>8}, {'with' if with_ray else 'without'} Ray: {seconds[with_ray]:6.1f} s", flush=True
                )
            tally.without.append(seconds[False])
            tally.ray.append(seconds[True])
            tally.ratios.append(seconds[True] / seconds[False])
            longest = max(longest, time.perf_counter() - began)
            ray_first = not ray_first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works", nargs="*", metavar="WORK", help=", ".join(WORKS))
    parser.add_argument("--seconds", type=float, default=900.0)
    parser.add_argument("--games", type=int, default=2_800)
    parser.add_argument("--positions", type=int, default=280_000)
    parser.add_argument("--pieces", type=int, default=5)
    asked = parser.parse_args()
    if unknown := [name for name in asked.works if name not in WORKS]:
        parser.error(f"unknown work {unknown[0]!r}: choose from {', '.join(WORKS)}")
    # Where it is set, every process compiles all its modules anew, and with Ray there are more of them.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    each = {name: argparse.Namespace(**{**vars(asked), "what": name}) for name in asked.works or WORKS}
    with tempfile.TemporaryDirectory() as place:  # compile before anything is timed
        for name in each:
            small = argparse.Namespace(what=name, games=2, positions=50, pieces=2)
            print(f"{name:>8}, compiled in {run(small, Path(place), [])[0]:.0f} s", flush=True)
    usable = sorted(os.sched_getaffinity(0))
    lanes = [set(usable[at : at + LANE]) for at in range(0, len(usable) - LANE + 1, LANE)]
    tallies = {name: Tally() for name in each}
    shares = math.ceil(len(each) / len(lanes))  # kinds of work that take turns in a lane
    began = time.perf_counter()
    for part in range(shares):
        now = list(each)[part * len(lanes) : (part + 1) * len(lanes)]
        until = began + asked.seconds * (part + 1) / shares
        threads = []
        for at, processors in enumerate(lanes):
            name, ray_first = now[at % len(now)], at // len(now) % 2 == 1
            threads.append(
                threading.Thread(target=lane, args=(each[name], processors, ray_first, until, tallies[name]))
            )
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"\n{'work':>8}  {'pairs':>5}  {'without':>8}  {'with Ray':>8}  {'cost':>7}")
    for name, tally in tallies.items():
        mean = statistics.mean(tally.ratios)
        error = statistics.stdev(tally.ratios) / math.sqrt(len(tally.ratios)) if len(tally.ratios) > 1 else math.nan
        print(
            f"{name:>8}  {len(tally.ratios):>5}  {statistics.mean(tally.without):>6.1f} s"
            f"  {statistics.mean(tally.ray):>6.1f} s  {100 * (mean - 1):+.1f} ± {100 * error:.1f} %"
            f"  {'equal files' if len(tally.found) == 1 else 'FILES DIFFER: ' + ', '.join(sorted(tally.found))}"
        )


if __name__ == "__main__":
    main()
