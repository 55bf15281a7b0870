"""Networks at the speed of search: are updated sums right, and what do they cost?

    python bench/networks.py [--positions 10000000]

First, random walks through every game with active features (and with random pattern weights, if it has patterns)
evaluate each position twice, with updated sums and with sums computed anew, and count the differences. Then, in chess,
come nanoseconds per evaluation (hand-written, and network computed anew) and nodes a second of searches with both,
taken in turns.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "networks"))

from some_network import some_network, some_weights
from walking import walk

import zerosum as zs
from zerosum.game import Game
from zerosum.games import load
from zerosum.networks.sparse import shape_of
from zerosum.networks.sparse_file import learned
from zerosum.search.evaluating import Evaluator

GAMES = ("chess", "checkers", "othello", "connect-four", "kalah", "hex")
SECONDS, ROUNDS = 2.0, 5
FENS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000_000, help="positions to evaluate twice in each game")
    wanted = parser.parse_args().positions
    for name in GAMES:
        kept_sums(trained_game(name), wanted)
        if load(name).patterns:
            kept_sums(learned(load(name), some_weights(load(name))), wanted)
    evaluations()
    searches()


def trained_game(name: str) -> Game:
    """Return the game evaluated by its own network, or by a random one."""
    game = load(name)
    return game if shape_of(game) is not None else learned(game, some_network(game, hidden=64))


def kept_sums(game: Game, wanted: int) -> None:
    total = wrong = seed = 0
    began = time.perf_counter()
    while total < wanted:
        seed += 1
        positions, differing = walk(game, 2000, seed)
        total, wrong = total + positions, wrong + differing
    print(f"{game.name}: {total:,} positions, {wrong} differ ({time.perf_counter() - began:.0f} s)", flush=True)


def evaluations() -> None:
    chess = load("chess")
    states = np.repeat([chess.state_type.words(chess.parse_state(fen)) for fen in FENS], 100_000, axis=0)
    for what, game in (("hand-written", load("chess", network=0)), ("network, computed anew", chess)):
        evaluator = Evaluator(game, states)
        times = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            evaluator.values()
            times.append(time.perf_counter() - began)
        print(f"{what}: {min(times) / len(states) * 1e9:.0f} ns per evaluation", flush=True)


def searches() -> None:
    games = {"hand-written": load("chess", network=0), "network": load("chess")}
    engines = {name: zs.Engine(game) for name, game in games.items()}
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    for engine in engines.values():
        engine.prepare()
    for _ in range(ROUNDS):
        for fen in FENS:
            for name, engine in engines.items():
                engine.clear()
                result = engine.search(engine.game.parse_state(fen), seconds=SECONDS)
                speeds[name].append(result.nodes / result.seconds)
    for name, found in speeds.items():
        print(f"{name}: {statistics.median(found) / 1e6:.2f} M nodes/s")
    ratios = [a / b for a, b in zip(speeds["network"], speeds["hand-written"], strict=True)]
    print(f"network / hand-written: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
