"""Monte-Carlo tree search on connect four: how often does it find a move that keeps the best result?

    python bench/mcts_best_moves.py FOLDER [--positions 200] [--simulations 1000,10000] [--explore 70,100]

FOLDER contains Pascal Pons's test sets (Test_L3_R1 and so on: moves as columns from 1, then a score). Positions in
which all moves are equally good are left out; alpha-beta solves whether each move wins, draws or loses, however late.
Each position starts with an empty tree and has its own seed.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from timing import machine

import zerosum as zs

SETS = "Test_L3_R1,Test_L2_R1,Test_L1_R1"

PATIENCE = 3.0
"""Time limit in seconds to solve a move; positions of the opening that take longer are left out."""


class Puzzle(NamedTuple):
    s: Any
    best: frozenset[int]


def outcomes(game: zs.Game, engine: zs.Engine, s: Any) -> dict[int, int]:
    """Return the value of each move for the side to move, 1, 0 or -1; empty if one takes too long to solve."""
    sign = 1 if game.to_move(s) == zs.MAX else -1
    values = {}
    for move in game.legal_moves(s):
        after = game.successor(s, move)
        value = game.utility(after) if game.is_over(after) else None
        if value is None:
            found = engine.solve(after, seconds=PATIENCE)
            if not found.proven:
                return {}
            value = found.value
        values[move] = sign * ((value > 0) - (value < 0))
    return values


def puzzles(game: zs.Game, file: Path, count: int) -> Iterator[Puzzle]:
    """Yield the positions of a file in which the choice of move matters."""
    engine = zs.Engine(game, hash_mb=256)
    for row in file.read_text().splitlines():
        if count == 0:
            return
        s = zs.Line.parse(game, list(row.split()[0])).state
        values = outcomes(game, engine, s)
        if len(set(values.values())) > 1:
            most = max(values.values())
            count -= 1
            yield Puzzle(s, frozenset(move for move, value in values.items() if value == most))


def share(game: zs.Game, found: list[Puzzle], simulations: int, explore: int, evaluate: int) -> tuple[float, float]:
    """Return the share of positions in which a best move was found, and of those whose result was proven."""
    right = proven = 0
    for seed, puzzle in enumerate(found):
        engine = zs.Engine(game, zs.Mcts(explore=explore, evaluate=evaluate, seed=seed), hash_mb=16)
        result = engine.search(puzzle.s, nodes=simulations)
        right += result.move in puzzle.best
        proven += result.proven
    return right / len(found), proven / len(found)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default=SETS, help="file names, separated by commas")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--simulations", type=numbers, default=[1000, 10_000, 100_000])
    parser.add_argument("--explore", type=numbers, default=[100])
    parser.add_argument("--evaluate", type=numbers, default=[0])
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("connect-four")
    print("| set | explore | evaluate | simulations | best move | proven |\n| --- " + "| --- " * 5 + "|")
    for name in arguments.sets.split(","):
        found = list(puzzles(game, arguments.folder / name, arguments.positions))
        for explore in arguments.explore:
            for evaluate in arguments.evaluate:
                for simulations in arguments.simulations:
                    right, proven = share(game, found, simulations, explore, evaluate)
                    error = 1.96 * math.sqrt(right * (1 - right) / len(found))
                    cells = (name, explore, f"{evaluate} %", f"{simulations:,}", f"{right:.1%} ± {error:.1%}")
                    print("| " + " | ".join(map(str, cells)) + f" | {proven:.1%} |", flush=True)


if __name__ == "__main__":
    main()
