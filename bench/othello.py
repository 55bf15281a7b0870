"""Othello: perft, and the FFO endgames solved with the right scores.

    python bench/othello.py FOLDER [--seconds 60] [--threads 1] [--first 1] [--last 39]

FOLDER holds the files fforum-1-19.obf and fforum-20-39.obf: a position, then every legal move with its exact score
for the player to move.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from timing import machine

import zerosum as zs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=39)
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("othello")
    zs.perft(game, game.initial(), 2)  # compiles
    started = time.perf_counter()
    leaves = zs.perft(game, game.initial(), 9)
    seconds = time.perf_counter() - started
    print(f"perft 9: {leaves:,} in {seconds:.2f} s, {leaves / seconds / 1e6:.0f} M/s")
    engine = zs.Engine(game, threads=arguments.threads, hash_mb=512)
    files = (arguments.folder / name for name in ("fforum-1-19.obf", "fforum-20-39.obf"))
    rows = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    right = wrong = unsolved = 0
    for number, row in enumerate(rows, 1):
        if not arguments.first <= number <= arguments.last:
            continue
        board, *moves = row.split(";")
        s = game.parse_state(board.strip())
        best = max(int(score) for score in re.findall(r"[a-h][1-8]:\s*([+-]?\d+)", ";".join(moves), re.IGNORECASE))
        found = engine.solve(s, seconds=arguments.seconds)
        value = int(found.value) * (1 if game.to_move(s) == zs.MAX else -1)
        empties = board.count("-") + board.count(".")
        if not found.proven:
            unsolved += 1
            verdict = "not in time"
        elif value == best:
            right += 1
            verdict = "right"
        else:
            wrong += 1
            verdict = f"WRONG, {best:+d} is right"
        print(
            f"#{number}: {empties} empty, {value:+d} {verdict}, {found.nodes:,} nodes, {found.seconds:.2f} s,"
            f" {found.nodes_per_second / 1e6:.1f} M nodes/s",
            flush=True,
        )
    print(f"{right} right, {wrong} wrong, {unsolved} not solved within {arguments.seconds:g} s")


if __name__ == "__main__":
    main()
