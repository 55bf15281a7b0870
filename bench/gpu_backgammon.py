"""Backgammon on a GPU and on all CPU cores: games a second of rollouts and of look-ahead self-play.

    python bench/gpu_backgammon.py [--seconds 2] [--threads N]

Needs a GPU; ZEROSUM_GPU=simulated tests the script without one. Rollouts start from the opening position, and remove
no luck, or the luck of eight rolls. Self-play uses the shipped network. With CuPy, a last line has a round of
training on the GPU: games and fit. Kernels are compiled first, in parallel, and compiling is not counted.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import zerosum as zs
from zerosum.jit.gpu.card import the_card
from zerosum.jit.target import CPU, GPU
from zerosum.learn.lookahead import lookahead_kernel
from zerosum.learn.lookahead_games import LookaheadGames
from zerosum.learn.lookahead_training import LookaheadTraining
from zerosum.learn.lookahead_waves import features_kernel, kernels_for
from zerosum.learn.training import TdOptions
from zerosum.networks.gpu_form import for_gpu
from zerosum.networks.network import Network, shape_for
from zerosum.search.batches import LIST
from zerosum.search.rollout import roll_out
from zerosum.search.rollout_kernel import ROLLOUT
from zerosum.search.rollout_waves import KERNELS

HIDDEN, ROUND_GAMES, LUCK = 256, 8_000, 8


def prepared(number: int) -> int:
    """Compile one of the kernels in a separate process; return their number."""
    game = zs.load("backgammon")
    shape = shape_for(game, HIDDEN)
    on_gpu_kernels = [(kernel, for_gpu(game)) for kernel in (LIST, *KERNELS)]
    on_gpu_kernels += [(kernel, game) for kernel in (LIST, *kernels_for(shape), features_kernel(shape))]
    todo = [(ROLLOUT, game, CPU), (lookahead_kernel(shape), game, CPU), *((*pair, GPU) for pair in on_gpu_kernels)]
    if number < len(todo):
        kernel, rules, target = todo[number]
        kernel.of(rules, target)
    return len(todo)


def rate(play: Callable[[int], object], games: int, seconds: float, most: int) -> float:
    """Return games a second, with four times as many games each time until they take long enough."""
    games = min(games, most)
    play(games)
    while True:
        began = time.perf_counter()
        play(games)
        taken = time.perf_counter() - began
        if taken > seconds / 2 or games >= most:
            return games / taken
        games = min(4 * games, most)


def tell(what: str, processor: float, card: float) -> None:
    print(f"| {what} | {processor:,.0f} | {card:,.0f} | {card / processor:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--most", type=int, default=1 << 19, help="the most games at a time")
    chosen = parser.parse_args()
    seconds, threads, most = chosen.seconds, chosen.threads, chosen.most
    began = time.perf_counter()
    with ProcessPoolExecutor(threads, get_context("spawn")) as pool:
        list(pool.map(prepared, range(prepared(1000))))
    print(f"{the_card().name} and {threads} threads; {time.perf_counter() - began:.0f} s to compile\n")
    game = zs.load("backgammon")
    s, shape = game.initial(), shape_for(game, HIDDEN)
    print("| games a second | processor | card | ratio |\n| --- | --- | --- | --- |", flush=True)

    for luck in (0, LUCK):
        here = partial(roll_out, game, [s], luck=luck)
        processor = rate(lambda games, here=here: here(games=games, threads=threads), 36 * threads, seconds, most)
        card = rate(lambda games, here=here: here(games=games, device="gpu"), 36 * 64, seconds, most)
        tell(f"rollouts, luck of {luck} rolls removed", processor, card)

    network = replace(Network.fresh(game, HIDDEN), weights=game.tables.network.copy())
    options = TdOptions(10**6, HIDDEN, look_ahead=True, trace=0.8, round_games=ROUND_GAMES, batch=1024)
    training = LookaheadTraining(game, options, start=network, threads=threads)
    player = LookaheadGames(game, shape, GPU, seed=0, trace=0.8, explore=0.0, most=min(most, 1 << 16))

    def on_gpu(games: int) -> None:
        player.crew.run(lambda report: player.play(network.weights, 0, games, lambda over, positions: None))

    processor = rate(lambda games: training._play(games, None), 4 * threads, seconds, most)
    tell("look-ahead self-play", processor, rate(on_gpu, 1_000, seconds, min(most, 1 << 16)))

    if importlib.util.find_spec("cupy") is not None:
        fitted = LookaheadTraining(game, options, start=network, gpu=True)
        fitted.advance(ROUND_GAMES)
        began = time.perf_counter()
        fitted.advance(ROUND_GAMES)
        print(f"\nwith fits, all on the card: {ROUND_GAMES / (time.perf_counter() - began):,.0f} games/s of training")


if __name__ == "__main__":
    main()
