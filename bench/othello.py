"""Othello: perft, and the FFO endgames solved with the right scores.

    python bench/othello.py FOLDER [--seconds 60] [--threads 1] [--first 1] [--last 44] [--weights FILE]

FOLDER holds the files fforum-1-19.obf and fforum-20-39.obf: a position, then every legal move with its exact score
for the player to move. Positions 40 to 44 are below, with their published scores. Every position begins with an empty
table.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

from timing import machine

import zerosum as zs
from zerosum.learn.files import with_weights_from

MORE = (
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; a2:+38",
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; h4:+0",
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X; g2:+6",
    "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; c7:-12",
    "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O; d2:-14",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=44)
    parser.add_argument("--hash", type=int, default=512, help="megabytes")
    parser.add_argument("--weights", type=Path, help="a file of weights; default: the game's own")
    parser.add_argument("--option", action="append", default=[], help="NAME=VALUE, of alpha-beta")
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("othello")
    zs.perft(game, game.initial(), 2)  # compiles
    started = time.perf_counter()
    leaves = zs.perft(game, game.initial(), 9)
    seconds = time.perf_counter() - started
    print(f"perft 9: {leaves:,} in {seconds:.2f} s, {leaves / seconds / 1e6:.0f} M/s")
    if arguments.weights:
        game = with_weights_from(game, arguments.weights)
    words = (option.partition("=") for option in arguments.option)
    chosen = zs.AlphaBeta(**{name: zs.AlphaBeta.option(name, word) for name, _, word in words})
    engine = zs.Engine(game, chosen, threads=arguments.threads, hash_mb=arguments.hash)
    engine.prepare()
    files = (arguments.folder / name for name in ("fforum-1-19.obf", "fforum-20-39.obf"))
    rows = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    right = wrong = unsolved = nodes = 0
    seconds = used = 0.0
    for number, row in enumerate([*rows, *MORE], 1):
        if not arguments.first <= number <= arguments.last:
            continue
        board, *moves = row.split(";")
        s = game.parse_state(board.strip())
        best = max(int(score) for score in re.findall(r"[a-h][1-8]:\s*([+-]?\d+)", ";".join(moves), re.IGNORECASE))
        engine.clear()
        used -= time.process_time()
        found = engine.solve(s, seconds=arguments.seconds)
        used += time.process_time()
        nodes, seconds = nodes + found.nodes, seconds + found.seconds
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
    print(f"{nodes:,} nodes, {seconds:.2f} s, {used:.2f} s of processor time")


if __name__ == "__main__":
    main()
