"""Backgammon learned from nothing: points a game against pubeval by number of games of self-play.

    python bench/backgammon_learning.py OUT.npz --games 1000000 --hidden 128 [--look-ahead] [--start FILE] [--plot FILE]

--resume continues an interrupted run from OUT.npz. Each point of the curve is a match of 5,000 games.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from pubeval import with_pubeval
from timing import machine

from zerosum.classroom.drawing.plot import line_plot
from zerosum.errors import WeightsError
from zerosum.games.backgammon import backgammon
from zerosum.learn.duel import Duel
from zerosum.learn.training import TdOptions, Training, kind_of, resume
from zerosum.networks.network import Network

MARKS = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000)


def marks(last: int, step: int, look_ahead: bool) -> list[int]:
    """Return the numbers of games after which to measure; with look-ahead, not in the middle of a round."""
    early = () if look_ahead else MARKS
    return sorted({*(mark for mark in early if mark < last), *range(step, last, step), last})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--hidden", type=int, default=80)
    parser.add_argument("--rate", type=float, default=0.0006)
    parser.add_argument("--last-rate", type=float, default=0.00005)
    parser.add_argument("--trace", type=float, default=0.0)
    parser.add_argument("--look-ahead", action="store_true")
    parser.add_argument("--round-games", type=int, default=4_000)
    parser.add_argument("--window", type=int, default=1_500_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--gpu", action="store_true", help="fit with CuPy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--step", type=int, default=500_000, help="games between measurements")
    parser.add_argument("--matches", type=int, default=5_000, help="games for each point of the curve; 0: no matches")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    print(machine())
    game = backgammon()
    training = begin(game, arguments)
    duel = Duel(with_pubeval(game), training.shape, "order") if arguments.matches else None
    began, cpu = time.perf_counter(), time.process_time()
    first = training.games
    for mark in marks(training.options.games, arguments.step, training.options.look_ahead):
        if mark <= training.games:
            continue
        while training.games < mark:
            training.advance(min(mark - training.games, training.step))
            training.save(arguments.out)
        learned_in, cpu_in = time.perf_counter() - began, time.process_time() - cpu
        score = ""
        if duel is not None:
            found = duel.play(training.weights, arguments.matches, seed=mark, threads=arguments.threads)
            training.note(found)
            training.save(arguments.out)
            score = f": {found}"
        done = training.games - first
        print(
            f"{training.games:>9,} games, {learned_in:6.0f} s, {done / learned_in:6.0f} games/s,"
            f" {done / cpu_in:6.0f} a CPU second, missed {training.missed:.5f}{score}",
            flush=True,
        )
    if arguments.plot:
        points = [(float(games), points) for games, points, _ in training.curve]
        title, axes = "Backgammon from nothing", {"x_label": "games", "y_label": "points a game"}
        arguments.plot.write_text(line_plot({"against pubeval": points}, title=title, **axes))


def begin(game: Any, arguments: argparse.Namespace) -> Training:
    """Start a new run, start from the weights of another, or resume one."""
    if arguments.resume:
        return resume(game, Network.read(arguments.out, game), threads=arguments.threads, gpu=arguments.gpu)
    if arguments.out.exists():
        raise WeightsError(f"{str(arguments.out)!r} already exists: add --resume to continue it")
    options = TdOptions(
        games=arguments.games,
        hidden=arguments.hidden,
        rate=arguments.rate,
        last_rate=arguments.last_rate,
        trace=arguments.trace,
        look_ahead=arguments.look_ahead,
        round_games=arguments.round_games,
        window=arguments.window,
        batch=arguments.batch,
        seed=arguments.seed,
    )
    start = Network.read(arguments.start, game) if arguments.start else None
    words = [Path(word).name if "/" in word else word for word in sys.argv]  # without this machine's folders
    made: dict[str, Any] = {"command": " ".join(["python", *words]), "seed": arguments.seed}
    if start is not None:
        made["began with"] = dict(start.made)
    kind = kind_of(options.look_ahead)
    return kind(game, options, start=start, threads=arguments.threads, gpu=arguments.gpu, made=made)


if __name__ == "__main__":
    main()
