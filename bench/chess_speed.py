"""Chess: nodes/s on one processor with the full evaluation, and the time to depth 14 from the start.

python bench/chess_speed.py [--rounds 5] [--threads 2]

Deep Blue searched 14 plies ahead in five minutes.
"""

from __future__ import annotations

import argparse
import statistics
import time

from timing import machine

import zerosum as zs

# An opening, a middle game, a pawn ending with rooks, a tactical middle game, a quiet ending.
POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r2q1rk1/ppp2ppp/2n1bn2/2bpp3/4P3/2NP1NP1/PPP1QPBP/R1B2RK1 w - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "2r3k1/pp3ppp/4b3/3p4/3P4/P3PN2/1P3PPP/2R3K1 w - - 0 20",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--depth", type=int, default=14)
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("chess")
    speed(game, arguments.rounds)
    to_depth(game, arguments.rounds, arguments.threads, arguments.depth)


def speed(game: zs.Game, rounds: int) -> None:
    engine = zs.Engine(game)
    engine.prepare()
    rates = []
    for _ in range(rounds):
        nodes, seconds = 0, 0.0
        for fen in POSITIONS:
            engine.clear()
            found = engine.search(game.parse_state(fen), seconds=1)
            nodes, seconds = nodes + found.nodes, seconds + found.seconds
        rates.append(nodes / seconds / 1e6)
    print(
        f"1 thread, {len(POSITIONS)} positions, {rounds} rounds: median {statistics.median(rates):.2f} M nodes/s,"
        f" {min(rates):.2f} to {max(rates):.2f}"
    )


def to_depth(game: zs.Game, rounds: int, threads: int, depth: int) -> None:
    engine = zs.Engine(game, threads=threads)
    engine.prepare()
    times, nodes = [], []
    for _ in range(rounds):
        engine.clear()
        started = time.perf_counter()
        nodes.append(engine.search(game.initial(), depth=depth).nodes)
        times.append(time.perf_counter() - started)
    print(
        f"depth {depth} from the start, {threads} threads, {rounds} rounds: median {statistics.median(times):.2f} s"
        f" ({min(times):.2f} to {max(times):.2f}), {statistics.median(nodes):,.0f} nodes"
    )


if __name__ == "__main__":
    main()
