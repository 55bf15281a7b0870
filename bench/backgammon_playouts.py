"""zerosum against OpenSpiel at backgammon: plays per second of random games from the start, on one core.

A play is what a player does with one roll, even if a double takes OpenSpiel two actions, or no move is possible.
OpenSpiel plays in two ways, as in playouts.py: *in C++*, and *driven from Python*. The rules are the same but the
random games differ slightly: OpenSpiel chooses among all orders of dice and checkers, zerosum among distinct results.
Times are processor time rather than wall-clock time, so other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from playouts import rollouts_in_cpp
from timing import interleaved, machine, speed_ratio

import zerosum as zs
from zerosum.engine import playouts

GAME = "backgammon(scoring_type=full_scoring)"
OURS, IN_CPP, FROM_PYTHON = 5_000, 100, 30  # games a round


def on_the_processor(work: Callable[[], object]) -> Callable[[], float]:
    """Wrap ``work`` as a side for ``interleaved`` that returns the processor time of one call."""

    def run() -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return run


def started(rules: Any, dice: random.Random) -> Any:
    """Return an OpenSpiel game after the first roll: a search cannot start at a chance node."""
    state = rules.new_initial_state()
    state.apply_action(dice.choice(state.chance_outcomes())[0])
    return state


def driven_from_python(rules: Any, games: int, counts: list[int]) -> Callable[[], None]:
    """Return a function that plays games action by action; it appends each round's number of rolls to ``counts``."""
    dice = random.Random(1)

    def play() -> None:
        rolls = 0
        for _ in range(games):
            state = started(rules, dice)
            rolls += 1
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(dice.choices(outcomes, chances)[0])
                    rolls += 1
                else:
                    state.apply_action(dice.choice(state.legal_actions()))
        counts.append(rolls)

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    print(machine())
    try:
        import pyspiel
    except ImportError as problem:
        raise SystemExit(f"{problem}; to measure it: pip install open_spiel") from problem
    rules, game = pyspiel.load_game(GAME), zs.load("backgammon")
    playouts(game, game.initial(), 1)  # compiles or loads the kernel
    ours: list[int] = []
    theirs: list[int] = []

    def play() -> None:
        plies = playouts(game, game.initial(), OURS, seed=len(ours)).plies
        ours.append(plies // 2)  # zerosum counts a roll and a play as two plies

    times = interleaved(
        {
            "zerosum": on_the_processor(play),
            "C++": on_the_processor(rollouts_in_cpp(rules, IN_CPP, lambda: started(rules, random.Random(1)))),
            "Python": on_the_processor(driven_from_python(rules, FROM_PYTHON, theirs)),
        },
        repeats,
    )
    our_length, their_length = sum(ours) / (OURS * repeats), sum(theirs) / (FROM_PYTHON * repeats)
    a_play = {
        "zerosum": [t / n for t, n in zip(times["zerosum"], ours, strict=True)],
        "C++": [t / (IN_CPP * their_length) for t in times["C++"]],
        "Python": [t / n for t, n in zip(times["Python"], theirs, strict=True)],
    }
    speeds = {side: 1e-6 / min(seconds) for side, seconds in a_play.items()}
    print(f"\nbackgammon, {our_length:.1f} plays a game (OpenSpiel: {their_length:.1f})")
    print(f"  zerosum {speeds['zerosum']:.2f} M plays/s, OpenSpiel in C++ {speeds['C++']:.3f} M,", end="")
    print(f" driven from Python {speeds['Python']:.3f} M")
    print(f"    zerosum / OpenSpiel in C++: {speed_ratio(a_play, 'zerosum', 'C++')}")
    print(f"    zerosum / OpenSpiel driven from Python: {speed_ratio(a_play, 'zerosum', 'Python')}")


if __name__ == "__main__":
    main()
