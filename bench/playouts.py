"""zerosum against OpenSpiel: plies per second of random games from the start, on one core.

OpenSpiel plays in two ways. *C++* is the fastest way from Python: its MCTS bot, asked for a single simulation, has its
RandomRolloutEvaluator play all games in C++; games are cloned, moves listed and chosen, and nothing else is done.
*driven from Python* calls legal_actions and apply_action for every move, as a Python program would. The evaluator
does not report how many plies it played; the plies per game are taken from the games driven from Python. A pass is a
ply on all sides.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

from timing import clocked, interleaved, machine, speed_ratio

import zerosum as zs
from zerosum.engine import playouts

# OpenSpiel's name, zerosum's, and games a round: zerosum, OpenSpiel in C++, OpenSpiel from Python.
GAMES = [
    ("connect_four", "connect-four", (400_000, 20_000, 2_000)),
    ("othello", "othello", (30_000, 1_000, 300)),
]


def rollouts_in_cpp(rules: Any, games: int, start: Callable[[], Any] | None = None) -> Callable[[], None]:
    """Return a function that makes OpenSpiel play random games without returning to Python."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
    once = pyspiel.MCTSBot(
        rules, evaluator, uct_c=2.0, max_simulations=1, max_memory_mb=100, solve=False, seed=1, verbose=False
    )

    def play() -> None:
        once.mcts_search(start() if start else rules.new_initial_state())

    return play


def rollouts_from_python(rules: Any, games: int, plies: list[int]) -> Callable[[], None]:
    """Return a function that plays them move by move; it appends each round's number of plies to ``plies``."""
    dice = random.Random(1)

    def play() -> None:
        count = 0
        for _ in range(games):
            state = rules.new_initial_state()
            while not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))
                count += 1
        plies.append(count)

    return play


def compare(theirs: str, ours: str, counts: tuple[int, int, int], repeats: int) -> None:
    import pyspiel

    rules, game = pyspiel.load_game(theirs), zs.load(ours)
    here, in_cpp, from_python = counts
    s = game.initial()
    playouts(game, s, 1)  # compiles or loads the kernel
    our_plies: list[int] = []
    their_plies: list[int] = []

    def play() -> None:
        our_plies.append(playouts(game, s, here, seed=len(our_plies)).plies)

    times = interleaved(
        {
            "zerosum": clocked(play),
            "C++": clocked(rollouts_in_cpp(rules, in_cpp)),
            "Python": clocked(rollouts_from_python(rules, from_python, their_plies)),
        },
        repeats,
    )
    our_length, their_length = sum(our_plies) / (here * repeats), sum(their_plies) / (from_python * repeats)
    if abs(our_length / their_length - 1) > 0.03:
        raise SystemExit(f"{ours}: {our_length:.2f} plies a game here, {their_length:.2f} there: not the same game")
    a_ply = {
        "zerosum": [t / n for t, n in zip(times["zerosum"], our_plies, strict=True)],
        "C++": [t / (in_cpp * their_length) for t in times["C++"]],
        "Python": [t / n for t, n in zip(times["Python"], their_plies, strict=True)],
    }
    speeds = {side: 1e-6 / min(seconds) for side, seconds in a_ply.items()}
    print(f"\n{ours}, {our_length:.2f} plies a game (OpenSpiel: {their_length:.2f})")
    print(f"  zerosum {speeds['zerosum']:.2f} M plies/s, OpenSpiel in C++ {speeds['C++']:.3f} M,", end="")
    print(f" driven from Python {speeds['Python']:.3f} M")
    print(f"    zerosum / OpenSpiel in C++: {speed_ratio(a_ply, 'zerosum', 'C++')}")
    print(f"    zerosum / OpenSpiel driven from Python: {speed_ratio(a_ply, 'zerosum', 'Python')}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    print(machine())
    try:
        import pyspiel  # noqa: F401
    except ImportError as problem:
        raise SystemExit(f"{problem}; to measure it: pip install open_spiel") from problem
    for theirs, ours, counts in GAMES:
        compare(theirs, ours, counts, repeats)


if __name__ == "__main__":
    main()
