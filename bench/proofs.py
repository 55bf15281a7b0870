"""Proof-number search compared with bisection: positions solved, nodes and seconds, on one thread and two.

    python bench/proofs.py                          # everything, 10 seconds for each position
    python bench/proofs.py mates hex --seconds 60

Mates: chess positions by their distance to mate, from a database of three men, and those of Win at Chess that are
forced mates. Connect four: 6×5 from the start, and published positions of 7×6 from 12 plies on, compared with their
scores. Hex: after each first move. Checkers: random positions of five men with a database of three.
bench/soundness.py --proofs compares proven values with the truth, for as long as you like.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import zerosum as zs
from zerosum.endgame.build import build

DATA = Path(__file__).parents[2] / "shared" / "data"

WAYS: dict[str, tuple[Any, int]] = {
    "bisection": ("alphabeta", 1),
    "proof": (zs.Proof(shorten=False), 1),
    "proof, 2 threads": (zs.Proof(shorten=False), 2),
}


class Task(NamedTuple):
    """A position, its description, and the winner if known."""

    name: str
    s: Any
    outcome: int | None = None


class Group(NamedTuple):
    name: str
    game: zs.Game
    tasks: list[Task]
    database: Any = None


def measure(group: Group, seconds: float) -> None:
    """Print one line for each method; nodes and times are for the positions that all methods solve."""
    found = {way: list(solve(group, *how, seconds)) for way, how in WAYS.items()}
    both = [i for i in range(len(group.tasks)) if all(results[i].proven for results in found.values())]
    print(f"\n{group.name}: {len(group.tasks)} positions, {seconds:g} s each; {len(both)} solved by all")
    for way, results in found.items():
        wrong = sum(
            result.proven and task.outcome is not None and result.outcome != task.outcome
            for task, result in zip(group.tasks, results, strict=True)
        )
        solved = [result for result in results if result.proven]
        nodes, times = [results[i].nodes for i in both], [results[i].seconds for i in both]
        longest = max((result.distance or 0 for result in solved), default=0)
        print(
            f"  {way:18} solved {len(solved):4}  wrong {wrong}  nodes {sum(nodes):13,}  seconds {sum(times):8.2f}"
            f"  median nodes {int(median(nodes)) if nodes else 0:9,}  longest win {longest}",
            flush=True,
        )


def solve(group: Group, algorithm: Any, threads: int, seconds: float) -> Iterator[zs.Result]:
    engine = zs.Engine(group.game, algorithm, threads=threads, hash_mb=256, database=group.database)
    engine.prepare()
    for task in group.tasks:
        engine.clear()
        yield engine.solve(task.s, seconds=seconds)


def mates(folder: Path, count: int) -> Iterator[Group]:
    """Yield won endings with king and rook or queen, by moves to mate; and Win at Chess."""
    game = zs.load("chess")
    database = build(game, 3, folder / "chess-3", distance=True, threads=1)
    rng = random.Random(1)
    wanted: dict[int, list[Task]] = {moves: [] for moves in range(2, 11)}
    while any(len(tasks) < count for tasks in wanted.values()):
        tier = rng.randrange(len(database.tiers))
        s = game.unrank(tier, rng.randrange(database.tiers[tier].size))
        if not game.is_valid(s) or game.is_over(s) or game.to_move(s) != zs.MAX:
            continue
        known = database.probe(s)
        moves = (known.distance or 0) // 2 + 1
        if known.outcome == 1 and moves in wanted and len(wanted[moves]) < count:
            wanted[moves].append(Task(game.format_state(s), s, 1))
    for moves, tasks in wanted.items():
        yield Group(f"chess, three men, mate in {moves}", game, tasks)
    suite = DATA / "chess" / "tactics" / "wac.epd"
    if suite.is_file():
        fens = [" ".join(line.split()[:4]) + " 0 1" for line in suite.read_text().splitlines() if line.strip()]
        yield Group("Win at Chess", game, [Task(fen, game.parse_state(fen)) for fen in fens[: 20 * count]])


def connect_four(folder: Path, count: int) -> Iterator[Group]:
    small = zs.load("connect-four", width=6, height=5)
    yield Group("connect four 6×5", small, [Task("start", small.initial())])
    game = zs.load("connect-four")
    for name in ("Test_L1_R1", "Test_L2_R1", "Test_L3_R1"):
        file = DATA / "connect4" / name
        lines = file.read_text().splitlines() if file.is_file() else []
        tasks = []
        for text in lines:
            moves, score = text.split()
            if len(moves) >= 12 and len(tasks) < 10 * count:
                s = zs.Line.parse(game, list(moves)).state
                sign = 1 if game.to_move(s) == zs.MAX else -1
                tasks.append(Task(moves, s, sign * ((int(score) > 0) - (int(score) < 0))))
        yield Group(f"connect four 7×6, {name}", game, tasks)


def hex_boards(folder: Path, count: int) -> Iterator[Group]:
    game = zs.load("hex", size=5)
    s = game.initial()
    # A board rotated by 180° is equivalent.
    half = [move for move in game.legal_moves(s) if move <= 12]
    yield Group("hex 5×5, after each first move", game, [Task(game.format_move(s, m), game.play(s, m)) for m in half])
    yield Group("hex 5×5", game, [Task("start", s)])
    large = zs.load("hex", size=6)
    lines = [zs.Line.parse(large, text) for text in ("c3 d4 c4 d3", "d3 c4 b4 c5", "c4 d3 d2 e2")]
    yield Group("hex 6×6, after four moves", large, [Task(str(line.moves), line.state) for line in lines])


def checkers(folder: Path, count: int) -> Iterator[Group]:
    game = zs.load("checkers")
    database = build(game, 3, folder / "checkers-3", distance=False, threads=1)
    rng, tiers, tasks = random.Random(5), game.tiers(5), []
    while len(tasks) < 4 * count:
        tier = rng.randrange(len(tiers))
        s = game.state(game.unrank(tier, rng.randrange(tiers[tier][1])))
        if game.is_valid(s) and not game.is_over(s) and len(game.pieces(s)) == 5:
            tasks.append(Task(game.format_state(s), s))
    yield Group("checkers, five men, database of three", game, tasks, database)


GROUPS: dict[str, Callable[[Path, int], Iterator[Group]]] = {
    "mates": mates,
    "connect-four": connect_four,
    "hex": hex_boards,
    "checkers": checkers,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, []], help="groups to measure; default: all")
    parser.add_argument("--seconds", type=float, default=10, help="seconds for each position")
    parser.add_argument("--count", type=int, default=5, help="number of positions of a kind; some groups have more")
    parser.add_argument("--databases", type=Path, help="keep the endgame databases in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="zerosum-proofs-") as scratch:
        for name in arguments.groups or GROUPS:
            for group in GROUPS[name](arguments.databases or Path(scratch), arguments.count):
                if group.tasks:
                    measure(group, arguments.seconds)


if __name__ == "__main__":
    main()
