"""zerosum against hand-written C++: connect four's perft, and plain fixed-depth alpha-beta with a table.

Both sides run the same algorithm on the same tree, in turns; counts and values must agree before any time counts.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

from timing import in_seconds, interleaved, machine, speed_ratio

import zerosum as zs

HERE = Path(__file__).parent
BUILD = HERE / "build"
FLAGS = ["-std=c++20", "-O3", "-march=native"]


def build() -> str:
    """Compile the twin if its source is newer; the path of the program."""
    source, program = HERE / "connect_four.cpp", BUILD / "connect_four"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        BUILD.mkdir(exist_ok=True)
        subprocess.run(["g++", *FLAGS, str(source), "-o", str(program)], check=True)
    return str(program)


class Twin:
    """The C++ program: one process a run, which prints value, nodes and the seconds of the work alone."""

    def __init__(self, task: str, depth: int) -> None:
        self.command = [build(), task, str(depth)]
        self.value = self.nodes = 0

    def run(self) -> float:
        printed = subprocess.run(self.command, check=True, capture_output=True, text=True).stdout.split()
        self.value, self.nodes = int(printed[0]), int(printed[1])
        return float(printed[2])
