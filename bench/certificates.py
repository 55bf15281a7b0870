"""Certificates: how large they are, and how long it takes to write and to verify them.

    python bench/certificates.py                  solved positions of several games
    python bench/certificates.py --large 6000000  a file with this number of entries, 520 bytes each

The first uses processor time, so other work on the machine does not count. Verifying is done by
``zerosum verify`` in a separate process, whose memory is measured. The large file is for a game that counts
down: MAX wins when it reaches 0. The rest of its State is noise, which does not compress.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zerosum.certificates.claims import Claim, Rows
from zerosum.certificates.file import BLOCK_BYTES, NO_MOVE, TAIL, Header, write_certificate
from zerosum.certifying.writing import certify
from zerosum.engine import Engine
from zerosum.game import MAX, Game
from zerosum.games import load

FFO_1 = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--"
FFO_15 = "----O------OOX---OOOXX-XOOOXOOOOOXXOXXOOOXXXOOOOOXXXOOXO--OOOOOX"
FFO_40 = "OO-OOOOXXOOXXXXXOOXOOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"  # after two moves

CASES: list[tuple[str, str, dict[str, Any], str]] = [
    ("connect four 6×4", "connect-four", {"width": 6, "height": 4}, ""),
    ("connect four 6×5", "connect-four", {"width": 6, "height": 5}, ""),
    ("chess, mate in 8", "chess", {}, "8/8/8/2k5/8/8/8/K6Q w - - 0 1"),
    ("checkers, two kings against one", "checkers", {}, "B:WK32:BK14,K18"),
    ("checkers, four kings against two", "checkers", {}, "W:WK10,K14,K15,K18:BK1,K4"),
    ("kalah, 4 pits with 3 seeds", "kalah", {"pits": 4, "seeds": 3}, ""),
    ("Hex 4×4", "hex", {"size": 4}, ""),
    ("Othello, the last 14 squares (FFO 1)", "othello", {}, f"{FFO_1} X"),
    ("Othello, the last 16 squares (FFO 15)", "othello", {}, f"{FFO_15} X"),
    ("Othello, the last 18 squares (FFO 40, two moves on)", "othello", {}, f"{FFO_40} X"),
]
"""What is measured: description, game, parameters, position."""


def measure(words: str, name: str, parameters: dict[str, Any], position: str, hash_mb: int) -> None:
    rules = load(name, **parameters)
    s = rules.parse_state(position) if position else rules.start()
    engine = Engine(rules, hash_mb=hash_mb)
    engine.prepare()
    started = time.process_time()
    result = engine.solve(s)
    solving = time.process_time() - started
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.proof"
        started = time.process_time()
        entries = certify(engine, s, result, path)
        writing = time.process_time() - started
        settings = [word for key, value in parameters.items() for word in ("--set", f"{key}={value}")]
        found, memory = verified(name, str(path), settings, 1)
        size = path.stat().st_size
    print(
        f"| {words} | {result.in_words()} | {solving:.1f} | {entries:,} | {size / 1000:,.1f} |"
        f" {writing:.1f} | {found['processor']:.1f} | {memory:.0f} |",
        flush=True,
    )


VERIFY = """
import resource, sys, time
from zerosum.cli import main
if __name__ == "__main__":
    code = main(sys.argv[1:])
    own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(max(own, others.ru_maxrss), time.process_time() + others.ru_utime + others.ru_stime)
"""


def verified(name: str, path: str, settings: list[str], processes: int) -> tuple[dict[str, Any], float]:
    """Return what ``zerosum verify`` reports, with its processor time, and the memory of its largest process in MB."""
    script = Path(path).with_name("verify.py")
    script.write_text(VERIFY)
    arguments = ["verify", name, path, "--json", "--processes", str(processes), *settings]
    ran = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=True)
    found, used = ran.stdout.splitlines()
    kilobytes, seconds = map(float, used.split())
    return {**json.loads(found), "processor": seconds}, kilobytes / 1024


# A game that counts down

WIDTH = 63
NOISE = struct.Struct(f">{WIDTH}q")


Counter: Any = NamedTuple("Counter", [("left", int), *((f"noise_{i}", int) for i in range(WIDTH))])


def counter(left: int) -> Any:
    return Counter(left, *NOISE.unpack(hashlib.shake_128(left.to_bytes(8, "big")).digest(8 * WIDTH)))


game = Game(
    "counting",
    Counter,
    initial=lambda: counter(6),
    to_move=lambda s: s.left % 2,
    moves=lambda s: [0],
    play=lambda s, move: counter(s.left - 1),
    utility=lambda s: 1,
    max_moves=1,
    is_terminal=lambda s: s.left == 0,
)


def large(entries: int, processes: int) -> None:
    """Write and verify a certificate with this number of entries."""
    rows, at_once = Rows(game), BLOCK_BYTES // (8 * (1 + WIDTH) + TAIL.size)

    def entry(left: int) -> bytes:
        return rows.row(counter(left)) + TAIL.pack(0 if left % 2 == MAX else NO_MOVE, left)

    def blocks() -> Iterator[tuple[int, bytes]]:
        for first in range(1, entries + 1, at_once):
            numbers = range(first, min(first + at_once, entries + 1))
            yield len(numbers), b"".join(entry(left) for left in numbers)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "large.proof")
        header = Header.of(game, counter(entries), {Claim(MAX, 1): entries}, {})
        started = time.perf_counter()
        write_certificate(path, header, blocks(), rows.size + TAIL.size)
        size, writing = os.path.getsize(path), time.perf_counter() - started
        print(f"{entries:,} entries, {size / 1e9:.2f} GB, written in {writing:.0f} s", flush=True)
        found, memory = verified(__file__, path, [], processes)
        print(f"verified in {found['seconds']:.0f} s by {processes} processes, each {memory:.0f} MB at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only cases whose names contain this")
    parser.add_argument("--hash", type=int, default=256, help="size of the transposition table in megabytes")
    parser.add_argument("--large", type=int, default=0, help="write and verify a file with this number of entries")
    parser.add_argument("--processes", type=int, default=2, help="number of processes that verify the large file")
    chosen = parser.parse_args()
    if chosen.large:
        large(chosen.large, chosen.processes)
        return
    print("| position | value | solved in s | entries | KB | written in s | verified in s | memory, MB |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for case in CASES:
        if chosen.only in case[0]:
            measure(*case, chosen.hash)


if __name__ == "__main__":
    main()
