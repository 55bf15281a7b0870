"""Perft of checkers: against a C++ twin with the same algorithm, and all published counts.

    python bench/checkers_perft.py [--depth 10] [--repeats 9]
    python bench/checkers_perft.py --all

Different jump paths are different moves here, so depth 12 has 388,623,673 lines of play; counted by results, there
would be 388,617,999. Needs g++; builds bench/build/checkers_twin.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from pathlib import Path

from against_cpp import COMPILER
from timing import clocked, in_seconds, interleaved, machine, speed_ratio

import zerosum as zs

HERE = Path(__file__).parent
SOURCE, PROGRAM = HERE / "checkers_twin.cpp", HERE / "build" / "checkers_twin"
COUNTS = [
    7,
    49,
    302,
    1_469,
    7_361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_623_673,
]


def build() -> None:
    """Compile the twin if its source is newer."""
    if not PROGRAM.exists() or PROGRAM.stat().st_mtime < SOURCE.stat().st_mtime:
        PROGRAM.parent.mkdir(exist_ok=True)
        subprocess.run([*COMPILER, str(SOURCE), "-o", str(PROGRAM)], check=True)


def run_twin(depth: int) -> tuple[int, float]:
    """Return the twin's count, and the seconds of its own work."""
    printed = subprocess.run([str(PROGRAM), str(depth)], check=True, capture_output=True, text=True).stdout.split()
    return int(printed[0]), float(printed[1])


def against_twin(depth: int, repeats: int) -> None:
    game = zs.load("checkers")
    s = game.initial()
    leaves, (theirs, _) = zs.perft(game, s, depth), run_twin(depth)
    if leaves != theirs:
        raise SystemExit(f"not the same work: {leaves} here, {theirs} in C++")
    sides = {"zerosum": clocked(lambda: zs.perft(game, s, depth)), "C++": lambda: run_twin(depth)[1]}
    times = interleaved(sides, repeats)
    print(f"perft {depth}: {leaves:,} leaves")
    for name, seconds in times.items():
        print(f"  {name:8} {in_seconds(seconds)}, {leaves / min(seconds) / 1e6:.0f} M leaves/s")
    print(f"  leaves/s, zerosum / C++: {speed_ratio(times, 'zerosum', 'C++')}")


def all_counts() -> None:
    """Check every published count; stop at the first that differs."""
    game = zs.load("checkers")
    for depth, count in enumerate(COUNTS, 1):
        began = time.perf_counter()
        found = zs.perft(game, game.initial(), depth)
        seconds = time.perf_counter() - began
        if found != count:
            raise SystemExit(f"depth {depth}: {found:,}, published {count:,}")
        print(f"{depth:3} {found:>12,}  {seconds:8.3f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--all", action="store_true", help="check the published counts of depths 1 to 12")
    given = parser.parse_args()
    print(machine())
    if given.all:
        all_counts()
        return
    build()
    against_twin(given.depth, given.repeats)


if __name__ == "__main__":
    main()
