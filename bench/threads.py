"""One thread against two: nodes/s, and the time to a fixed depth and to solve, over random positions.

python bench/threads.py [--positions 50] [--depth 16]
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
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--depth", type=int, default=16)
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("connect-four")
    openings = positions(game, arguments.positions, plies=8)
    middles = positions(game, arguments.positions, plies=12)
    compare(game, f"to depth {arguments.depth}", openings, lambda e, s: e.search(s, depth=arguments.depth))
    compare(game, "to solve", middles, lambda e, s: e.solve(s))


def positions(game: zs.Game, count: int, plies: int) -> list[object]:
    """Positions after random moves that no two plies decide."""
    chance = random.Random(1)
    found: list[object] = []
    while len(found) < count:
        s = game.initial()
        for _ in range(plies):
            if not game.is_over(s):
                s = game.play(s, chance.choice(game.legal_moves(s)))
        if not game.is_over(s) and len(set(game.bounds(s))) > 1:
            found.append(s)
    return found


def compare(game: zs.Game, what: str, states: list[object], work: Callable[[zs.Engine, object], zs.Result]) -> None:
    """Each position with both, one after the other, so that a slow moment hits both."""
    engines = {threads: zs.Engine(game, threads=threads) for threads in (1, 2)}
    seconds, nodes = dict.fromkeys(engines, 0.0), dict.fromkeys(engines, 0)
    for s in states:
        for threads, engine in engines.items():
            engine.clear()
            engine.search(s, depth=1)  # touches the new table
            started = time.perf_counter()
            nodes[threads] += work(engine, s).nodes
            seconds[threads] += time.perf_counter() - started
    speed = {threads: nodes[threads] / seconds[threads] for threads in engines}
    print(
        f"{what}, {len(states)} positions: 1 thread {seconds[1]:.2f} s, {speed[1] / 1e6:.2f} M nodes/s;"
        f" 2 threads {seconds[2]:.2f} s, {speed[2] / 1e6:.2f} M nodes/s;"
        f" nodes/s {speed[2] / speed[1]:.2f} ×, time saved {seconds[1] / seconds[2]:.2f} ×"
    )


if __name__ == "__main__":
    main()
