"""Monte-Carlo tree search: simulations per second, compared with plain random games and OpenSpiel's C++ search.

    python bench/mcts.py [--seconds 1] [--repeats 3] [--games connect-four,othello] [--cpu]

Each side searches the start of a game (in backgammon, a position after the first roll) for the same time, starting
with an empty tree. A round goes through all sides, with a different seed each, because some trees take longer than
others; rates are the best of all rounds. *playouts* is ``zs.playouts`` on one thread: random games without a tree, the
least that a simulation can cost. OpenSpiel's bot is MCTSBot with RandomRolloutEvaluator(1) and its solver, all in C++;
it has one thread.

With --cpu a second is a second of processor time (with two threads, one on each), which other work on the machine
disturbs less. Time that threads spend waiting for each other does not count then.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from mcts_games import GAMES, Shared, bot, missing_peer, start_of, their_start
from timing import machine

import zerosum as zs
from zerosum.engine import playouts

HASH_MB = 1024

Rates = dict[str, list[float]]
Clock = Callable[[], float]


def our_rate(game: zs.Game, threads: int, s: Any, seconds: float, clock: Clock, seed: int) -> float:
    engine = zs.Engine(game, zs.Mcts(seed=seed), threads=threads, hash_mb=HASH_MB)
    engine.prepare()
    started = clock()
    found = engine.search(s, seconds=seconds)
    return found.nodes / (clock() - started)


def playout_rate(game: zs.Game, s: Any, seconds: float, clock: Clock) -> float:
    """Return random games a second, from as many as take about this time."""
    games = 64
    while True:
        started = clock()
        found = playouts(game, s, games)
        if found.seconds > seconds / 2:
            return games / (clock() - started)
        games = max(2 * games, int(games * seconds / max(found.seconds, 1e-3)))


def their_rate(rules: Any, seconds: float, clock: Clock, seed: int) -> float:
    searcher = bot(rules, seconds, seed)
    started = clock()
    root = searcher.mcts_search(their_start(rules))
    return root.explore_count / (clock() - started)  # type: ignore[no-any-return]


def measured(shared: Shared, with_peer: bool, seconds: float, repeats: int, by_cpu: bool) -> Rates:
    """Return the simulations, or games, a second of each side in each round."""
    clock = time.process_time if by_cpu else time.perf_counter
    threads_at_work = 2 if by_cpu else 1
    game = shared.load()
    s = start_of(game)
    zs.Engine(game, zs.Mcts()).search(s, nodes=1)  # compiles or loads the kernels
    playouts(game, s, 1)
    sides: dict[str, Callable[[int], float]] = {
        "playouts": lambda seed: playout_rate(game, s, seconds, clock),
        "one thread": lambda seed: our_rate(game, 1, s, seconds, clock, seed),
        "two threads": lambda seed: threads_at_work * our_rate(game, 2, s, seconds, clock, seed),
    }
    if with_peer:
        import pyspiel

        rules = pyspiel.load_game(shared.theirs)
        sides["OpenSpiel"] = lambda seed: their_rate(rules, seconds, clock, seed)
    rates: Rates = {name: [] for name in sides}
    for seed in range(1, repeats + 1):
        for name, rate in sides.items():
            rates[name].append(rate(seed))
    return rates


def row(name: str, rates: Rates) -> str:
    best = {side: max(found) for side, found in rates.items()}
    one, two, plain = best["one thread"], best["two threads"], best["playouts"]
    cells = [f"{plain:,.0f}", f"{one:,.0f}", f"{one / plain:.2f} ×", f"{two:,.0f}", f"{two / one:.2f} ×"]
    if "OpenSpiel" in best:
        theirs = best["OpenSpiel"]
        cells += [f"{theirs:,.0f}", f"{one / theirs:,.0f} ×"]
    return " | ".join([f"| {name}", *cells]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds for each search")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="count processor time")
    parser.add_argument("--games", default=",".join(GAMES), help="names, separated by commas")
    arguments = parser.parse_args()
    print(machine())
    missing = missing_peer()
    if missing:
        print(missing)
    head = ["per second", "playouts", "simulations", "/ playouts", "2 threads", "/ 1 thread"]
    head += [] if missing else ["OpenSpiel", "zerosum / OpenSpiel"]
    print("| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|", flush=True)
    for name in arguments.games.split(","):
        rates = measured(GAMES[name], not missing, arguments.seconds, arguments.repeats, arguments.cpu)
        print(row(name, rates), flush=True)


if __name__ == "__main__":
    main()
