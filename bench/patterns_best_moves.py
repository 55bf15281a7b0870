"""Connect four's learned patterns and its handwritten evaluation: how often does a search keep the best result?

    python bench/patterns_best_moves.py FOLDER [--positions 100] [--depths 2,4,6,8]

FOLDER and the positions are those of ``mcts_best_moves.py``. Both searches go to the same depth, from an empty table.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from mcts_best_moves import SETS, Puzzle, puzzles
from timing import machine

import zerosum as zs


def share(engine: zs.Engine, found: list[Puzzle], depth: int) -> float:
    """Return the share of positions in which a search to this depth chooses a best move."""
    right = 0
    for puzzle in found:
        engine.clear()
        right += engine.search(puzzle.s, depth=depth).move in puzzle.best
    return right / len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=100, help="of each set")
    parser.add_argument("--depths", default="2,4,6,8")
    arguments = parser.parse_args()
    print(machine())
    handwritten, learned = (zs.load("connect-four", patterns=patterns) for patterns in (0, 1))
    engines = [zs.Engine(game, hash_mb=16) for game in (handwritten, learned)]
    for name in SETS.split(","):
        found = list(puzzles(handwritten, arguments.folder / name, arguments.positions))
        for depth in map(int, arguments.depths.split(",")):
            shares = [f"{100 * share(engine, found, depth):.1f} %" for engine in engines]
            print(
                f"{name}, {len(found)} positions, depth {depth}: handwritten {shares[0]}, patterns {shares[1]}",
                flush=True,
            )


if __name__ == "__main__":
    main()
