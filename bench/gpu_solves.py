"""Many small solves: a GPU compared with all processors, in one run.

    python bench/gpu_solves.py [--quick]

Positions come from random games. The processors' side is what users have: one process per processor, each with its own
table, solves a sample by ``Engine.solve_many``. "card" is ``Engine.solve_many(device="gpu")`` on all positions; "bare"
is the same without Python's share, from rows of words to arrays (``SmallSolver.solve_words``). "flat" is that kernel on
all processors, in threads: it separates what the GPU gains from what the algorithm gains. Values are compared.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import time
from typing import Any, NamedTuple

import numpy as np
from timing import machine

import zerosum as zs
from zerosum.jit.target import CPU, GPU
from zerosum.processors import usable_processors
from zerosum.search.small_solves import SmallSolver


class Case(NamedTuple):
    """Positions of a game with a number of empty squares: how many for a GPU, and for each processor."""

    game: str
    empties: int
    for_gpu: int
    for_each: int


CASES = (
    Case("othello", 8, 100_000, 1_500),
    Case("othello", 10, 60_000, 400),
    Case("othello", 12, 40_000, 80),
    Case("connect-four", 10, 100_000, 2_000),
    Case("connect-four", 16, 50_000, 1_000),
)

DISTINCT = 2_000
"""Positions that Python generates from random games; the others repeat them in another order."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="use a fiftieth of the positions, as a smoke test")
    share = 50 if parser.parse_args().quick else 1
    print(machine(), flush=True)
    cores = usable_processors()
    for case in CASES:
        compare(case, cores, case.for_gpu // share, max(1, case.for_each // share))


def compare(case: Case, cores: int, for_gpu: int, for_each: int) -> None:
    game = zs.load(case.game)
    states = positions(game, case.empties, DISTINCT)
    engine = zs.Engine(game)
    engine.prepare()
    many = [states[i % len(states)] for i in range(for_gpu)]
    list(engine.solve_many(many[:10], device="gpu"))  # compiles

    begin = time.perf_counter()
    results = list(engine.solve_many(many, device="gpu"))
    card = for_gpu / (time.perf_counter() - begin)

    words = np.array([game.state_type.words(s) for s in many], np.int64)
    bare, found = rate_of(SmallSolver(game, GPU), words)
    flat, _ = rate_of(SmallSolver(game, CPU, threads=cores), words[: 4 * for_each * cores])

    shares = [[many[(core * for_each + i) % len(many)] for i in range(for_each)] for core in range(cores)]
    processors, values = by_processes(case.game, shares)
    wanted = [value for part in values for value in part]
    got = [results[(core * for_each + i) % len(many)].value for core in range(cores) for i in range(for_each)]
    wrong = sum(a != b for a, b in zip(wanted, got, strict=True))

    left = int(found.unsolved.sum())
    nodes = int(abs(found.nodes).sum())
    print(
        f"{case.game}, {case.empties} empty, positions/s: {cores} processors {processors:,.0f}, flat {flat:,.0f};"
        f" card {card:,.0f} ({card / processors:.1f} × processors), bare {bare:,.0f} ({bare / processors:.1f} ×,"
        f" {bare / flat:.1f} × flat)\n  {bare * nodes / for_gpu / 1e6:,.0f} M nodes/s, {nodes / for_gpu:,.0f} each,"
        f" most {int(abs(found.nodes).max()):,}; {left} of {for_gpu} left to the processor; {wrong} values differ",
        flush=True,
    )


def rate_of(solver: SmallSolver, words: Any) -> tuple[float, Any]:
    solver.solve_words(words[:1000])  # chooses the ordering of moves
    begin = time.perf_counter()
    found = solver.solve_words(words)
    return len(words) / (time.perf_counter() - begin), found


def by_processes(name: str, shares: list[list[Any]]) -> tuple[float, list[list[float]]]:
    """Return the positions a second of all processes together, from when all are ready until the last is done."""
    context = multiprocessing.get_context("spawn")
    ready = context.Barrier(len(shares) + 1)
    answers = context.SimpleQueue()
    texts = [[zs.load(name).state_type.words(s) for s in share] for share in shares]
    workers = [context.Process(target=solve_share, args=(name, *pair, ready, answers)) for pair in enumerate(texts)]
    for worker in workers:
        worker.start()
    ready.wait()
    begin = time.perf_counter()
    found = dict(answers.get() for _ in workers)
    seconds = time.perf_counter() - begin
    for worker in workers:
        worker.join()
    return sum(map(len, shares)) / seconds, [found[number] for number in range(len(workers))]


def solve_share(name: str, number: int, rows: list[Any], ready: Any, answers: Any) -> None:
    game = zs.load(name)
    states = [game.state_type.from_words(list(row)) for row in rows]
    engine = zs.Engine(game)
    engine.prepare()
    engine.solve(game.successor(states[0], game.legal_moves(states[0])[0]))
    ready.wait()
    answers.put((number, [result.value for result in engine.solve_many(states)]))


def positions(game: Any, empties: int, count: int) -> list[Any]:
    """Return positions of random games with ``empties`` empty squares, none of them finished."""
    dice, found = random.Random(19), []
    squares = {"othello": 64, "connect-four": 42}[game.name]
    while len(found) < count:
        s = game.initial()
        while not game.is_over(s):
            if squares - filled(s) <= empties:
                found.append(s)
                break
            s = game.play(s, dice.choice(game.legal_moves(s)))
    return found


def filled(s: Any) -> int:
    """Return the number of discs on the board."""
    return (int(s.black) | int(s.white)).bit_count() if hasattr(s, "black") else int(s.filled).bit_count()


if __name__ == "__main__":
    main()
