"""How fast a network learns backgammon: games of self-play a second on one core and on two, by hidden units.

    python bench/training_speed.py [--hidden 40 80 128] [--seconds 20] [--start FILE]

Games of an untrained network are long, so it plays a few thousand first; with --start it starts from a trained network
with that number of hidden units. The time from nothing to beating pubeval follows: `until pubeval` plays a match of
2,000 games after every 2,500 games, and stops at the first that is won by two standard errors.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from pubeval import with_pubeval
from timing import machine

from zerosum.games.backgammon import backgammon
from zerosum.learn.duel import Duel
from zerosum.learn.td_training import TdOptions, TdTraining
from zerosum.networks.network import Network

WARM_UP = 3_000


def speed(hidden: int, threads: int, seconds: float, start: Path | None) -> None:
    game = backgammon()
    network = Network.read(start, game) if start else None
    training = TdTraining(game, TdOptions(games=10**6, hidden=hidden), start=network, threads=threads)
    training.advance(WARM_UP if network is None else 100)
    began, cpu, games = time.perf_counter(), time.process_time(), training.games
    while time.perf_counter() - began < seconds:
        training.advance(1_000)
    taken, used, played = time.perf_counter() - began, time.process_time() - cpu, training.games - games
    print(
        f"{hidden} hidden units, {threads} threads: {played / taken:,.0f} games/s,"
        f" {played / used:,.0f} a CPU second ({used / taken:.2f} cores were available)",
        flush=True,
    )


def until_pubeval(hidden: int, threads: int) -> None:
    game = backgammon()
    training = TdTraining(game, TdOptions(games=50_000, hidden=hidden, last_rate=0.0006), threads=threads)
    duel = Duel(with_pubeval(game), training.shape, "order")
    seconds = used = 0.0
    while True:
        began, cpu = time.perf_counter(), time.process_time()
        training.advance(2_500)
        seconds, used = seconds + time.perf_counter() - began, used + time.process_time() - cpu
        score = duel.play(training.weights, 2_000, seed=training.games, threads=threads)
        if score.points > 2 * score.error:
            break
    print(
        f"{hidden} hidden units, {threads} threads: pubeval is beaten after {training.games:,} games, {seconds:.0f} s"
        f" ({used:.0f} CPU seconds): {score}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hidden", type=int, nargs="*", default=[80])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--start", type=Path)
    arguments = parser.parse_args()
    print(machine())
    for hidden in arguments.hidden:
        for threads in (1, 2):
            speed(hidden, threads, arguments.seconds, arguments.start)
        until_pubeval(hidden, 2)


if __name__ == "__main__":
    main()
