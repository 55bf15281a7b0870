"""Othello: perft, and the FFO endgames solved with the right scores.

    python bench/othello.py FOLDER [--seconds 60] [--threads 1] [--first 1] [--last 44] [--weights FILE]
    python bench/othello.py FOLDER --made 40 --zebra FOLDER     # new positions that nothing was tuned on; with Zebra

FOLDER contains the files fforum-1-19.obf and fforum-20-39.obf: a position, then every legal move with its exact score
for the player to move. Positions 40 to 44 are below, with their published scores. --made N uses N positions with 20
to 24 empty squares instead, from games that the engine plays against itself. Every position starts with an empty
table. --zebra names a folder with scrzebra and its coeffs2.bin: Zebra solves the same positions on one thread, before
and after ours, and must agree. Build it with optimisation, which its Makefile leaves out: gcc -O3, but bitbtest.c
with -O1 -fno-tree-ter -fno-tree-forwprop, or it crashes. Comparisons use processor time.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from timing import machine

import zerosum as zs
from zerosum.learn.files import with_weights_from

MORE = (
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; a2:+38",
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; h4:+0",
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X; g2:+6",
    "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; c7:-12",
    "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O; d2:-14",
)


class Task(NamedTuple):
    """A position as text, and its value for the player to move, if known."""

    name: str
    board: str
    value: int | None = None


def published(folder: Path, first: int, last: int) -> Iterator[Task]:
    files = (folder / name for name in ("fforum-1-19.obf", "fforum-20-39.obf"))
    rows = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    for number, row in enumerate([*rows, *MORE], 1):
        if first <= number <= last:
            board, *moves = row.split(";")
            scores = re.findall(r"[a-h][1-8]:\s*([+-]?\d+)", ";".join(moves), re.IGNORECASE)
            yield Task(f"#{number}", board.strip(), max(map(int, scores)))


def made(game: zs.Game, count: int, seed: int) -> Iterator[Task]:
    """Yield positions of games that start with ten random moves; then both sides play well, to avoid early wins."""
    rng = random.Random(seed)
    engine = zs.Engine(game, hash_mb=16)
    for number in range(count):
        empties = rng.randint(20, 24)
        line = zs.Line(game)
        while game.format_state(line.state).count("-") > empties and not game.is_over(line.state):
            moves = game.legal_moves(line.state)
            line = line.play(rng.choice(moves) if len(line) < 10 else engine.search(line, nodes=20_000).move)
        if not game.is_over(line.state):
            yield Task(f"made {number}", game.format_state(line.state))


def children() -> float:
    """Return the processor time of the child processes that have run so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def zebra(folder: Path, tasks: list[Task]) -> tuple[float, list[int]]:
    """Return Zebra's processor time for all positions, without its start-up, and the values."""
    with tempfile.TemporaryDirectory() as place:
        script, answers = Path(place) / "script", Path(place) / "answers"

        def run(rows: list[Task]) -> float:
            script.write_text("".join(f"{task.board}\n" for task in rows))
            words = [folder / "scrzebra", "-e", "0", "-h", "22", "-b", "0", "-script", script, answers]
            before = children()
            subprocess.run(words, cwd=folder, check=True, capture_output=True)
            return children() - before

        nearly_full = Task("", "X" * 62 + "O- X")
        start = min(run([nearly_full]) for _ in range(3))
        seconds = run(tasks) - start
        scores = re.findall(r"(\d+) - +(\d+)", answers.read_text())
    black = [int(first) - int(second) for first, second in scores]
    return seconds, [n if task.board.endswith("X") else -n for n, task in zip(black, tasks, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--last", type=int, default=44)
    parser.add_argument("--made", type=int, default=0, help="solve this many self-play positions instead")
    parser.add_argument("--seed", type=int, default=1, help="seed of --made")
    parser.add_argument("--zebra", type=Path, help="the folder of scrzebra")
    parser.add_argument("--hash", type=int, default=512, help="megabytes")
    parser.add_argument("--weights", type=Path, help="weights file; default: the game's own weights")
    parser.add_argument("--option", action="append", default=[], help="option of alpha-beta, NAME=VALUE")
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("othello")
    zs.perft(game, game.initial(), 2)  # compiles
    started = time.perf_counter()
    leaves = zs.perft(game, game.initial(), 9)
    seconds = time.perf_counter() - started
    print(f"perft 9: {leaves:,} in {seconds:.2f} s, {leaves / seconds / 1e6:.0f} M/s")
    if arguments.weights:
        game = with_weights_from(game, arguments.weights)
    words = (option.partition("=") for option in arguments.option)
    chosen = zs.AlphaBeta(**{name: zs.AlphaBeta.option(name, word) for name, _, word in words})
    engine = zs.Engine(game, chosen, threads=arguments.threads, hash_mb=arguments.hash)
    engine.prepare()
    engine.search(game.initial(), depth=1)  # allocates the table outside the measured time
    engine.clear()
    tasks = list(
        made(zs.load("othello"), arguments.made, arguments.seed)
        if arguments.made
        else published(arguments.folder, arguments.first, arguments.last)
    )
    others = [zebra(arguments.zebra, tasks)] if arguments.zebra else []
    right = wrong = unsolved = nodes = 0
    seconds = used = 0.0
    values, times = [], []
    for task in tasks:
        s = game.parse_state(task.board)
        engine.clear()
        used -= time.process_time()
        found = engine.solve(s, seconds=arguments.seconds)
        used += time.process_time()
        nodes, seconds = nodes + found.nodes, seconds + found.seconds
        value = int(found.value) * (1 if game.to_move(s) == zs.MAX else -1)
        values.append(value)
        times.append(found.seconds)
        if not found.proven:
            unsolved += 1
            verdict = "not in time"
        elif task.value is None:
            verdict = "found"
        elif value == task.value:
            right += 1
            verdict = "right"
        else:
            wrong += 1
            verdict = f"WRONG, {task.value:+d} is right"
        print(
            f"{task.name}: {task.board.count('-')} empty, {value:+d} {verdict}, {found.nodes:,} nodes,"
            f" {found.seconds:.2f} s, {found.nodes_per_second / 1e6:.1f} M nodes/s",
            flush=True,
        )
    print(f"{right} right, {wrong} wrong, {unsolved} not solved within {arguments.seconds:g} s")
    print(f"{nodes:,} nodes, {seconds:.2f} s, {used:.2f} s of processor time")
    if arguments.made:
        slowest = sorted(range(len(tasks)), key=times.__getitem__)[-20:]
        print(f"the {len(slowest)} slowest: {sum(times[i] for i in slowest):.2f} s, of all {sum(times):.2f} s")
    if arguments.zebra:
        others.append(zebra(arguments.zebra, tasks))
        theirs = sum(took for took, _ in others) / len(others)
        differ = sum(ours != zebras for ours, zebras in zip(values, others[0][1], strict=True))
        print(f"Zebra: {', '.join(f'{took:.2f} s' for took, _ in others)}; {differ} values differ")
        print(f"ours / Zebra: {used / theirs:.2f} × the processor time")


if __name__ == "__main__":
    main()
