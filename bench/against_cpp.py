"""zerosum against hand-written C++: perft of connect four, and plain alpha-beta with a table to a fixed depth.

The C++ twin does the same work on the same tree, so counts, values and nodes must be equal, or the times do not
count. Both sides run in turns; ratios are speeds, with the twin as 1.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from pathlib import Path

from switches import only
from timing import in_seconds, interleaved, machine, speed_ratio

import zerosum as zs

HERE = Path(__file__).parent
SOURCE, PROGRAM = HERE / "connect_four.cpp", HERE / "build" / "connect_four"
COMPILER = ["g++", "-std=c++20", "-O3", "-march=native"]
HASH_MB = 64  # as in the twin

# Plain alpha-beta with a table, as in the twin.
PLAIN = only("table", "hash_move")


class Side:
    """One side of a comparison: a run returns its seconds and stores its results."""

    value = nodes = 0

    def run(self) -> float:
        raise NotImplementedError


class Twin(Side):
    """The C++ program, in a new process for each run; it times only its own work."""

    def __init__(self, task: str, depth: int) -> None:
        self.command = [str(PROGRAM), task, str(depth)]

    def run(self) -> float:
        printed = subprocess.run(self.command, check=True, capture_output=True, text=True).stdout.split()
        self.value, self.nodes = int(printed[0]), int(printed[1])
        return float(printed[2])


class Perft(Side):
    """``zs.perft`` from the empty board."""

    def __init__(self, depth: int) -> None:
        self.game, self.depth = zs.load("connect-four"), depth

    def run(self) -> float:
        begin = time.perf_counter()
        self.value = self.nodes = zs.perft(self.game, self.game.initial(), self.depth)
        return time.perf_counter() - begin


class AlphaBeta(Side):
    """``Engine.search`` from the empty board with an empty table and without the game's knowledge."""

    def __init__(self, depth: int) -> None:
        knowledge = dict.fromkeys(("evaluate", "order", "bounds", "canonical", "advice"))
        self.game = zs.load("connect-four").with_(**knowledge)
        self.engine, self.depth = zs.Engine(self.game, PLAIN, hash_mb=HASH_MB), depth

    def run(self) -> float:
        self.engine.clear()
        result = self.engine.search(self.game.initial(), depth=self.depth)
        self.value, self.nodes = result.value, result.nodes
        return result.seconds


def build() -> None:
    """Compile the twin if its source is newer."""
    if not PROGRAM.exists() or PROGRAM.stat().st_mtime < SOURCE.stat().st_mtime:
        PROGRAM.parent.mkdir(exist_ok=True)
        subprocess.run([*COMPILER, str(SOURCE), "-o", str(PROGRAM)], check=True)


def compare(title: str, ours: Side, twin: Side, repeats: int, same_nodes: bool = True) -> None:
    ours.run()  # compiles or loads the kernel
    times = interleaved({"zerosum": ours.run, "C++": twin.run}, repeats)
    print(f"\n{title}: value {ours.value}")
    if ours.value != twin.value or (same_nodes and ours.nodes != twin.nodes):
        raise SystemExit(f"  not the same work: C++ finds value {twin.value}, {twin.nodes} nodes; zerosum {ours.nodes}")
    a_node = {}
    for name, side in (("zerosum", ours), ("C++", twin)):
        a_node[name] = [seconds / side.nodes for seconds in times[name]]
        rate = 1e-6 / min(a_node[name])
        print(f"  {name:8} {side.nodes:>13,} nodes, {in_seconds(times[name])}, {rate:.1f} M nodes/s")
    print(f"  nodes/s, zerosum / C++: {speed_ratio(a_node, 'zerosum', 'C++')}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=25)
    parser.add_argument("--perft-depth", type=int, default=10)
    parser.add_argument("--depth", type=int, default=19, help="depth of alpha-beta")
    chosen = parser.parse_args()
    build()
    version = subprocess.run(["g++", "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    print(f"{machine()}; {version}")
    depth = chosen.depth
    perft = chosen.perft_depth
    compare(f"perft {perft}, same algorithm", Perft(perft), Twin("perft", perft), chosen.repeats)
    title = f"perft {perft} against a lean one, last moves counted by popcount"
    compare(title, Perft(perft), Twin("leanperft", perft), chosen.repeats)
    compare(f"alpha-beta, depth {depth}, same algorithm", AlphaBeta(depth), Twin("alphabeta", depth), chosen.repeats)
    lean = max(1, depth - 3)  # without proof flags and deepening, the same depth takes more nodes
    title = f"alpha-beta, depth {depth} against a lean one, depth {lean}"
    compare(title, AlphaBeta(depth), Twin("lean", lean), chosen.repeats, same_nodes=False)


if __name__ == "__main__":
    main()
