"""Perft and random games on a GPU, compared with all CPU cores; chess also with hand-written CUDA.

    python bench/gpu.py [--peer PERFT_GPU] [--only perft playouts start] [--rounds 3]

PERFT_GPU is the program of github.com/ankan-ban/perft_gpu_2026, built for this GPU. Its tables are off, because zerosum
uses none. Both sides count the same positions in turns; the best round counts, without the time to compile.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from timing import machine

import zerosum as zs
from zerosum.jit.gpu.card import the_card

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SNORT = Path(__file__).parents[1] / "examples" / "snort.py"

# Game, parameters, and plies to count on the GPU and on the processor.
GAMES: tuple[tuple[str, dict[str, int], int, int], ...] = (
    ("chess", {"draws": 0}, 8, 6),
    ("othello", {}, 13, 10),
    ("checkers", {}, 15, 11),
    ("connect-four", {}, 14, 11),
    (str(SNORT), {"size": 7}, 6, 5),
)

PLAYOUTS = (("chess", 500_000), ("othello", 10_000_000), ("checkers", 10_000_000), ("connect-four", 40_000_000))
PLAYOUTS += (("backgammon", 2_000_000),)

START = """
import time; began = time.perf_counter()
import zerosum as zs
game = zs.load("chess", draws=0)
print(zs.perft(game, game.initial(), 6, device="gpu"), time.perf_counter() - began)
"""


def best(rounds: int, work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of the work, and the seconds of its fastest round."""
    found, seconds = None, float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        found = work()
        seconds = min(seconds, time.perf_counter() - began)
    return found, seconds


def giga(leaves: float, seconds: float) -> str:
    return f"{leaves / seconds / 1e9:8.2f} G/s"


def peer_counts(program: str, fen: str, depth: int, rounds: int) -> dict[int, tuple[int, float]]:
    """Return the leaves and the fewest seconds of each depth, as printed by the other program."""
    found: dict[int, tuple[int, float]] = {}
    for _ in range(rounds):
        text = subprocess.run([program, fen, str(depth), "-nott"], capture_output=True, text=True, check=True).stdout
        for plies, leaves, seconds in re.findall(r"Perft\((\d+)\):\s*(\d+),\s*time:\s*([\d.e-]+)", text):
            before = found.get(int(plies), (0, float("inf")))[1]
            found[int(plies)] = int(leaves), min(before, float(seconds))
    return found


def against_peer(program: str, rounds: int) -> None:
    game = zs.load("chess", draws=0)
    for name, s, depths in (
        ("the start", game.initial(), (7, 8, 9)),
        ("Kiwipete", game.parse_state(KIWIPETE), (6, 7)),
    ):
        theirs = peer_counts(program, game.format_state(s), max(depths), rounds)
        zs.perft(game, s, 5, device="gpu")
        for depth in depths:
            ours, seconds = best(rounds, lambda s=s, depth=depth: zs.perft(game, s, depth, device="gpu"))  # type: ignore[misc]
            leaves, their_seconds = theirs[depth]
            if ours != leaves:
                raise SystemExit(f"perft({depth}) of {name}: {ours:,} here, {leaves:,} there")
            print(
                f"chess from {name}, {depth} plies: {ours:,} leaves in {seconds:.4f} s, {giga(ours, seconds)};"
                f" hand-written {giga(leaves, their_seconds)}; ratio {their_seconds / seconds:.3f}",
                flush=True,
            )


def perft(rounds: int) -> None:
    threads = os.cpu_count() or 1
    for name, parameters, depth, shallow in GAMES:
        game = zs.load(name, **parameters)
        s = game.initial()
        zs.perft(game, s, 5, device="gpu")
        zs.perft(game, s, 2)
        leaves, seconds = best(rounds, lambda: zs.perft(game, s, depth, device="gpu"))  # noqa: B023
        few, slow = best(rounds, lambda: zs.perft(game, s, shallow, threads=threads))  # noqa: B023
        check, _ = best(1, lambda: zs.perft(game, s, shallow, device="gpu"))  # noqa: B023
        if check != few:
            raise SystemExit(f"{name}: {check:,} leaves on the card, {few:,} on the processor")
        print(
            f"{game.name:13} {depth:2} plies {leaves:22,} leaves, card {giga(leaves, seconds)};"
            f" {threads} cores {giga(few, slow)} ({shallow} plies); ratio {leaves / seconds / (few / slow):6.1f}",
            flush=True,
        )


def playouts(rounds: int) -> None:
    threads = os.cpu_count() or 1
    for name, games in PLAYOUTS:
        game = zs.load(name)
        s, some = game.initial(), games // 40
        zs.playouts(game, s, 1000, device="gpu")
        card, seconds = best(rounds, lambda: zs.playouts(game, s, games, device="gpu"))  # noqa: B023
        zs.playouts(game, s, 10)
        cores, slow = best(rounds, lambda: zs.playouts(game, s, some, threads=threads))  # noqa: B023
        same = zs.playouts(game, s, some, device="gpu")
        if (same.plies, same.wins, same.losses) != (cores.plies, cores.wins, cores.losses):
            raise SystemExit(f"{name}: the games on the card differ from those on the processor")
        print(
            f"{name:13} random games: card {giga(card.plies, seconds)} of plies; {threads} cores"
            f" {giga(cores.plies, slow)}; ratio {card.plies / seconds / (cores.plies / slow):6.1f}",
            flush=True,
        )


def start() -> None:
    """Time a new process that counts six plies of chess: with an empty cache, and with stored kernels."""
    with tempfile.TemporaryDirectory() as folder:
        for how in ("empty cache", "stored kernels"):
            environment = {**os.environ, "ZEROSUM_CACHE_DIR": folder}
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", START], env=environment, check=True, capture_output=True)
            print(f"from the start of a process to perft(6) of chess, {how}: {time.perf_counter() - began:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", metavar="PROGRAM")
    parser.add_argument("--only", nargs="+", default=["perft", "playouts", "start"])
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    print(f"{the_card().name}; {machine()}")
    if chosen.peer:
        against_peer(chosen.peer, chosen.rounds)
    if "perft" in chosen.only:
        perft(chosen.rounds)
    if "playouts" in chosen.only:
        playouts(chosen.rounds)
    if "start" in chosen.only:
        start()


if __name__ == "__main__":
    main()
