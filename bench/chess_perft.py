"""Chess perft: against Stockfish's ``go perft``, and every line of the published suites.

    python bench/chess_perft.py [--depth 6] [--rounds 7] [--stockfish /usr/games/stockfish]
    python bench/chess_perft.py --all FOLDER

Stockfish's start-up, a run with only ``quit``, is measured in every round and subtracted. FOLDER contains
standard.epd and tricky.perft.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from timing import clocked, interleaved, machine, speed_ratio

import zerosum as zs

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "games"))


def stockfish_path(given: str | None) -> str | None:
    return given or shutil.which("stockfish") or shutil.which("/usr/games/stockfish")


def run_stockfish(path: str, commands: str) -> str:
    return subprocess.run([path], input=f"{commands}quit\n", capture_output=True, text=True, check=True).stdout


def against_stockfish(path: str, depth: int, rounds: int) -> None:
    """Compare perft from the start, one thread each, in turns."""
    game = zs.load("chess")
    s = game.initial()
    zs.perft(game, s, 2)  # compiles
    leaves = zs.perft(game, s, depth)
    theirs = run_stockfish(path, f"go perft {depth}\n")
    if f"Nodes searched: {leaves}\n" not in theirs:
        raise SystemExit(f"the counts differ: {leaves} here, {theirs.splitlines()[-1]!r} there")
    sides = {
        "zerosum": clocked(lambda: zs.perft(game, s, depth)),
        "stockfish": clocked(lambda: run_stockfish(path, f"go perft {depth}\n")),
        "start-up": clocked(lambda: run_stockfish(path, "")),
    }
    times = interleaved(sides, rounds)
    times["stockfish"] = [a - b for a, b in zip(times["stockfish"], times.pop("start-up"), strict=True)]
    print(f"perft {depth}: {leaves:,} leaves; {theirs.splitlines()[0]}")
    for name, seconds in times.items():
        best = min(seconds)
        print(f"  {name:10} best {best:.3f} s, {leaves / best / 1e6:.0f} M leaves/s")
    print(f"  zerosum's speed with Stockfish's as 1: {speed_ratio(times, 'zerosum', 'stockfish')}")


def all_counts(folder: Path) -> None:
    """Check every count of the suites; stop at the first that differs."""
    from chess_suites import suite_counts

    game = zs.load("chess", draws=0)  # published counts ignore draws
    zs.perft(game, game.initial(), 2)
    counts = list(suite_counts(folder))
    total, began = 0, time.perf_counter()
    for number, (fen, depth, nodes) in enumerate(counts, 1):
        found = zs.perft(game, game.parse_state(fen), depth)
        if found != nodes:
            raise SystemExit(f"\n{fen} at depth {depth}: {found}, published {nodes}")
        total += nodes
        if sys.stderr.isatty():
            print(f"\r{number} of {len(counts)} ", end="", file=sys.stderr)
    seconds = time.perf_counter() - began
    print(f"{len(counts)} counts agree: {total:,} leaves in {seconds:.1f} s, {total / seconds / 1e6:.0f} M leaves/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--stockfish", help="path of Stockfish; by default it is searched for")
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="check every line of the suites in this folder")
    given = parser.parse_args()
    print(machine())
    if given.all:
        all_counts(given.all)
        return
    path = stockfish_path(given.stockfish)
    if path is None:
        raise SystemExit("Stockfish is not installed: apt-get install stockfish, or --stockfish PATH")
    against_stockfish(path, given.depth, given.rounds)


if __name__ == "__main__":
    main()
