"""How a chess program meets the engine: the time to ``readyok``, and how far the first timed move searches.

Cold means an empty cache folder, warm the folder of the previous start. Each row is a fresh process that is sent
uci, isready, and go movetime 1000. Then the engine is killed in the middle of its first start, alone and together with
its child processes, and started again; and python-chess plays a move with its default time-outs.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from timing import machine

ZEROSUM = str(Path(sys.executable).with_name("zerosum"))


class Start(NamedTuple):
    """Seconds from the start of the process to each answer, and the speed and nodes of the first move.

    The speed is the engine's own figure, which leaves out what it did before its kernel was ready. The nodes, counted
    up to the last finished depth, include it.
    """

    uciok: float
    readyok: float
    bestmove: float
    nodes_per_second: int
    nodes: int
    ended: float


class Dialogue:
    """A process that reads and writes lines."""

    def __init__(self, command: list[str], folder: str) -> None:
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "ZEROSUM_CACHE_DIR": folder},
        )

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def until(self, start: str) -> tuple[float, list[str]]:
        """Read up to the line with this start; return when it came, and all lines up to it."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip())
            if line.startswith(start):
                return time.perf_counter() - self.begin, lines
        raise RuntimeError(f"no {start!r}, but {lines}")

    def quit(self) -> float:
        begin = time.perf_counter()
        self.send("quit")
        self.process.communicate()
        return time.perf_counter() - begin


def first_move(command: list[str], folder: str) -> Start:
    talk = Dialogue(command, folder)
    talk.send("uci")
    uciok, _ = talk.until("uciok")
    talk.send("isready")
    readyok, _ = talk.until("readyok")
    talk.send("position startpos")
    talk.send("go movetime 1000")
    bestmove, lines = talk.until("bestmove")
    last = next((line for line in reversed(lines) if " nps " in line), " nodes 0 nps 0 ")
    nodes, speed = (int(last.split(f" {word} ")[1].split()[0]) for word in ("nodes", "nps"))
    return Start(uciok, readyok, bestmove, speed, nodes, talk.quit())


def killed(command: list[str], folder: str, after: float, children: bool) -> None:
    """Start the engine, and kill it some seconds later, with or without its child processes."""
    talk = Dialogue(command, folder)
    time.sleep(after)
    doomed = [talk.process.pid, *(started_by(talk.process.pid) if children else [])]
    for process in doomed:
        os.kill(process, signal.SIGKILL)
    talk.process.communicate()


def started_by(process: int) -> list[int]:
    """Return the children of all threads of a process, if the system reports them."""
    found = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        found += [int(word) for word in file.read_text().split()]
    return found


def python_chess(command: list[str], folder: str) -> str:
    try:
        import chess
        import chess.engine
    except ImportError:
        return "skipped; to measure it: pip install chess"
    os.environ["ZEROSUM_CACHE_DIR"] = folder
    begin = time.perf_counter()
    try:
        with chess.engine.SimpleEngine.popen_uci(command) as engine:
            played = engine.play(chess.Board(), chess.engine.Limit(time=1), info=chess.engine.INFO_BASIC)
            spent, speed = time.perf_counter() - begin, played.info.get("nps", 0)
            return f"{played.move} after {spent:.1f} s, {speed:,} nodes/s"
    except Exception as problem:
        return f"{type(problem).__name__} after {time.perf_counter() - begin:.1f} s: {problem}"


def show(name: str, start: Start) -> None:
    times = f"{start.uciok:>8.2f}{start.readyok:>9.2f}{start.bestmove:>10.2f}{start.ended:>8.2f}"
    print(f"{name:28}{times}{start.nodes_per_second:>12,}{start.nodes:>12,}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", default=f"{ZEROSUM} uci", help="command to start, such as 'zerosum uci chess'")
    parser.add_argument("--kill-after", type=float, default=3.0, help="seconds until the engine is killed")
    parser.add_argument("--warm", type=int, default=3, help="number of warm starts")
    given = parser.parse_args()
    command = shlex.split(given.command)
    print(machine())
    print(given.command)
    print(f"{'seconds':28}{'uciok':>8}{'readyok':>9}{'bestmove':>10}{'quit':>8}{'nodes/s':>12}{'nodes':>12}")
    with tempfile.TemporaryDirectory() as folder:
        show("cold", first_move(command, folder))
        wait_for_kernel(folder)
        stay(command, folder)
        for _ in range(given.warm):
            show("warm", first_move(command, folder))
    for name, children in (("engine killed, then", False), ("all killed, then", True)):
        with tempfile.TemporaryDirectory() as folder:
            killed(command, folder, given.kill_after, children)
            show(name, first_move(command, folder))
            wait_for_kernel(folder)
            show("  and then", first_move(command, folder))
    with tempfile.TemporaryDirectory() as folder:
        print(f"python-chess, cold: {python_chess(command, folder)}")
        wait_for_kernel(folder)


def stay(command: list[str], folder: str) -> None:
    """Let the engine run until its kernel is stored, if it is not yet."""
    if any(Path(folder).glob("*.kernel")):
        return
    talk = Dialogue(command, folder)
    while not any(Path(folder).glob("*.kernel")):
        time.sleep(0.1)
    spent = time.perf_counter() - talk.begin
    print(f"{'':28}kernel stored {spent:.1f} s after a start without quit")
    talk.quit()


def wait_for_kernel(folder: str) -> None:
    """Print whether, and how long after the engine has quit, the kernel is stored."""
    begin = time.perf_counter()
    while time.perf_counter() - begin < 180.0:
        if any(Path(folder).glob("*.kernel")):
            print(f"{'':28}kernel stored {time.perf_counter() - begin:.1f} s after quit")
            return
        if not any(Path(folder).glob("*.claim")):  # no process is compiling one
            print(f"{'':28}no kernel, and no process is compiling one")
            return
        time.sleep(0.1)


if __name__ == "__main__":
    main()
