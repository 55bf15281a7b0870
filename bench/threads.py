"""Several threads against one: nodes/s, and the time to a fixed depth and to solve, over random positions.

python bench/threads.py [--game chess] [--threads 1 2 4 8 16] [--positions 50] [--depth 16]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from timing import machine

import zerosum as zs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--depth", type=int, default=16)
    arguments = parser.parse_args()
    print(machine())
    game = zs.load(arguments.game)
    openings = positions(game, arguments.positions, plies=8)
    compare(
        game,
        arguments.threads,
        f"to depth {arguments.depth}",
        openings,
        lambda e, s: e.search(s, depth=arguments.depth),
    )
    if arguments.game == "connect-four":
        middles = positions(game, arguments.positions, plies=12)
        compare(game, arguments.threads, "to solve", middles, lambda e, s: e.solve(s))


def positions(game: zs.Game, count: int, plies: int) -> list[object]:
    """Return positions after random moves that are neither over nor decided by ``bounds``."""
    chance = random.Random(1)
    found: list[object] = []
    while len(found) < count:
        s = game.initial()
        for _ in range(plies):
            if not game.is_over(s):
                s = game.play(s, chance.choice(game.legal_moves(s)))
        if not game.is_over(s) and not (game.has("bounds") and len(set(game.bounds(s))) == 1):
            found.append(s)
    return found


def compare(
    game: zs.Game, numbers: list[int], what: str, states: list[object], work: Callable[[zs.Engine, object], zs.Result]
) -> None:
    """Search each position with every number of threads in turn, so that a slow moment affects all."""
    engines = {threads: zs.Engine(game, threads=threads, hash_mb=256) for threads in numbers}
    seconds, nodes = dict.fromkeys(engines, 0.0), dict.fromkeys(engines, 0)
    for s in states:
        for threads, engine in engines.items():
            engine.clear()
            engine.search(s, depth=1)  # allocates the new table
            started = time.perf_counter()
            nodes[threads] += work(engine, s).nodes
            seconds[threads] += time.perf_counter() - started
    first = numbers[0]
    print(f"{game.name}, {what}, {len(states)} positions")
    for threads in engines:
        speed, alone = nodes[threads] / seconds[threads], nodes[first] / seconds[first]
        print(
            f"{threads:5} threads {seconds[threads]:8.2f} s {speed / 1e6:8.2f} M nodes/s:"
            f" nodes/s {speed / alone:.2f} ×, time saved {seconds[first] / seconds[threads]:.2f} ×",
            flush=True,
        )


if __name__ == "__main__":
    main()
