"""Endgame databases of checkers: time, memory and size of a build, a comparison of codes, and kills.

    python bench/endgame.py 4                 build all of 4 pieces, and examine the files
    python bench/endgame.py 5 --kill 10       then build again, killed ten times at random: files must be identical
    python bench/endgame.py 4 --distance --keep FOLDER
    python bench/endgame.py 6 --gpu           on a GPU, then on the processor: files must be identical
    python bench/endgame.py 7 --gpu --alone   on a GPU only

Times are wall-clock and processor time of the build itself, without the few seconds of compiling.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from timing import machine

import zerosum as zs
from zerosum.endgame import codes
from zerosum.endgame.build import build
from zerosum.endgame.database import Database
from zerosum.endgame.kernel import RETROGRADE
from zerosum.endgame.reversing import REVERSE
from zerosum.endgame.sweeping import SWEEP
from zerosum.endgame.tierfile import BLOCK, unpack_values
from zerosum.game import Game
from zerosum.jit.target import target_of

PUBLISHED = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232, 6: 2_503_611_964}
PUBLISHED[7] = 34_779_531_480
"""Positions of checkers by number of pieces, for one side to move (from Chinook's page on its databases)."""

SAMPLED_TIERS = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pieces", type=int, nargs="?", default=4)
    parser.add_argument("--distance", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--kill", type=int, default=0, metavar="N")
    parser.add_argument("--keep", metavar="FOLDER", default="")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--alone", action="store_true", help="with --gpu: do not also build on the processor")
    arguments = parser.parse_args()
    print(machine())
    game = zs.load("checkers")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments.keep or Path(scratch) / "whole")
        database = timed(game, folder, arguments, "gpu" if arguments.gpu else "cpu")
        if arguments.gpu and not arguments.alone:
            again = timed(game, Path(scratch) / "processor", arguments, "cpu")
            must_equal(database.directory, again.directory)
        by_pieces(database)
        by_code(database)
        if arguments.kill:
            killed(database, Path(scratch) / "killed", arguments)


def timed(game: Game, folder: Path, arguments: argparse.Namespace, device: str) -> Database:
    for kernel in (RETROGRADE,) if device == "cpu" else (SWEEP, REVERSE):
        kernel.of(game, target_of(True, device))
    how = {"distance": arguments.distance, "threads": arguments.threads, "device": device}
    wall, processor = time.perf_counter(), time.process_time()
    database = build(game, arguments.pieces, folder, **how)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    n = database.positions
    print(f"{n:,} positions with up to {arguments.pieces} pieces, {arguments.threads} threads, {device}")
    print(f"{wall:,.1f} s, {processor:,.1f} s of processor time; {n / wall:,.0f} positions/s,")
    print(f"{n / processor:,.0f} for each second of processor time; {memory:,.0f} MB of memory at most")
    print(f"{database.bytes:,} bytes: {database.bytes / n:.4f} for each position; Chinook's 8 pieces: 0.0126")
    return database


def by_pieces(database: Database) -> None:
    """Print totals for each number of pieces, which is the sum of the digits before k and m in the tiers' names."""
    sums: dict[int, list[int]] = defaultdict(lambda: [0] * 6)
    for tier in database.tiers:
        sides = tier.name.replace("-", "+").split("+")
        pieces = sum(int(part[: part.index("k" if "k" in part else "m")]) for part in sides if part != "0")
        row = sums[pieces]
        for i, number in enumerate((tier.size, tier.wins, tier.draws, tier.losses, tier.bytes)):
            row[i] += number
        row[5] = max(row[5], tier.longest or 0)
    print("pieces  positions  wins  draws  losses  bytes/position  longest win")
    for pieces, (size, wins, draws, losses, size_on_disk, longest) in sorted(sums.items()):
        remark = "as published" if size == PUBLISHED[pieces] else f"published: {PUBLISHED[pieces]:,}"
        per_position = size_on_disk / size
        print(f"{pieces}  {size:,} ({remark})  {wins:,}  {draws:,}  {losses:,}  {per_position:.4f}  {longest or '-'}")


def by_code(database: Database) -> None:
    """Print bytes per position for several codes, on tiers of all kinds; for codes not in use, from their entropy."""
    large = [tier for tier, record in enumerate(database.tiers) if record.size >= BLOCK]
    totals: dict[str, float] = defaultdict(float)
    positions = 0
    for tier in large[:: max(1, len(large) // SAMPLED_TIERS)]:
        file = database.file(tier)
        values = unpack_values(file.all_values(), 0, file.size).astype(np.int64)
        positions += len(values)
        for name, size in sizes(values).items():
            totals[name] += size
        totals["as stored, with tables"] += sum(int(table["end"][-1]) for table, _ in [file.parts["values"]])
    print(f"codes on {positions:,} positions, bytes for each:")
    for name, size in totals.items():
        print(f"  {name:28} {size / positions:.4f}")


def sizes(values: Any) -> dict[str, float]:
    edges = np.flatnonzero(np.diff(values)) + 1
    runs = np.frombuffer(codes.run_bytes(values, edges), np.uint8)
    fives = (values[: len(values) // 5 * 5].reshape(-1, 5) - 1) @ codes.PLACES
    found = {
        "two bits": len(values) / 4,
        "base 3, five to a byte": len(values) / 5,
        "Huffman of these bytes": entropy(np.bincount(fives)) / 8,
        "run lengths": float(len(runs)),
        "Huffman of run lengths": entropy(np.bincount(runs)) / 8,
    }
    for order in (2, 6):
        context = np.zeros(len(values) - order, np.int64)
        for back in range(1, order + 1):
            context = context * 3 + values[order - back : len(values) - back] - 1
        table = np.bincount(context * 3 + values[order:] - 1, minlength=3 ** (order + 1)).reshape(-1, 3)
        found[f"arithmetic, {order} values known"] = sum(entropy(row) for row in table) / 8
    for size in (1 << 14, 1 << 16, 1 << 18):
        blocks = [values[at : at + size] for at in range(0, len(values), size)]
        found[f"deflated runs, blocks of {size >> 10} k"] = float(sum(len(codes.encode(block)[2]) for block in blocks))
    found["deflated runs, one block"] = float(len(zlib.compress(runs.tobytes(), 9)))
    return found


def entropy(counts: Any) -> float:
    """Return the fewest bits that can encode these symbols."""
    counts = counts[counts > 0]
    return float(-(counts * np.log2(counts / counts.sum())).sum())


def killed(database: Database, folder: Path, arguments: argparse.Namespace) -> None:
    """Build again in processes that are killed, let the last one finish, and compare every file."""
    script = "import sys, zerosum as zs\nfrom zerosum.endgame.build import build\nprint('begun', flush=True)\n"
    script += f"build(zs.load('checkers'), {arguments.pieces}, sys.argv[1], distance={arguments.distance}, threads=2,"
    script += f" device={'gpu' if arguments.gpu else 'cpu'!r})"
    command = [sys.executable, "-c", script, str(folder)]
    dice = random.Random(7)
    for _ in range(arguments.kill):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline()
            time.sleep(dice.uniform(0.2, 3.0))
            process.send_signal(signal.SIGKILL)
        print(f"killed with {len(list(folder.glob('*.tier')))} tiers done")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    must_equal(database.directory, folder)


def must_equal(one: Path, other: Path) -> None:
    names = sorted(path.name for path in one.iterdir())
    assert names == sorted(path.name for path in other.iterdir())
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    print(f"{len(names):,} files, all identical")


if __name__ == "__main__":
    main()
