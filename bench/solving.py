"""Connect four solved: zerosum against bitbully (a C++ solver), position by position, one thread, no book.

    python bench/solving.py FOLDER [--positions N]

FOLDER contains Pascal Pons's files Test_L1_R1, Test_L2_R1 and Test_L3_R1. Each line has the columns played and the
score for the player to move, which is derived here from the distance that zerosum finds.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from timing import machine

import zerosum as zs

FILES = ("Test_L1_R1", "Test_L2_R1", "Test_L3_R1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=1000)
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("connect-four")
    engine = zs.Engine(game)
    engine.prepare()
    engine.solve(game.play(game.initial(), 3), seconds=1)  # touches the table's memory once
    for name in FILES:
        rows = [line.split() for line in (arguments.folder / name).read_text().splitlines()][: arguments.positions]
        states = [zs.Line.parse(game, list(columns)).state for columns, _ in rows]
        engine.clear()
        started = time.perf_counter()
        results = list(engine.solve_many(states))
        ours = time.perf_counter() - started
        wrong = sum(
            score(len(columns), result) != int(wanted) for (columns, wanted), result in zip(rows, results, strict=True)
        )
        nodes = sum(result.nodes for result in results) / len(rows)
        print(f"{name}: zerosum {1000 * ours / len(rows):.3f} ms a position, {nodes:,.0f} nodes, {wrong} wrong", end="")
        theirs = bitbully_seconds(rows)
        if theirs is None:
            print("; bitbully is not installed: pip install bitbully")
        else:
            print(f"; bitbully {1000 * theirs / len(rows):.3f} ms; time as a ratio {ours / theirs:.2f} ×")


def score(played: int, result: zs.Result) -> int:
    """Return Pons's score for the player to move: 1 for a win with the last stone, 2 with the last but one, …"""
    if result.distance is None:
        return 0
    winners_stones = (played + result.distance + 1) // 2
    mover_wins = (result.value > 0) == (played % 2 == 0)
    return (22 - winners_stones) * (1 if mover_wins else -1)


def bitbully_seconds(rows: list[list[str]]) -> float | None:
    try:
        from bitbully import BitBully, Board
    except ImportError:
        return None
    boards = []
    for columns, _ in rows:
        board = Board()
        board.play([int(column) - 1 for column in columns])
        boards.append(board)
    solver = BitBully(opening_book=None)
    started = time.perf_counter()
    wrong = sum(solver.mtdf(board) != int(wanted) for board, (_, wanted) in zip(boards, rows, strict=True))
    assert not wrong
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
