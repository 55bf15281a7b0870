"""Does a cluster give the same results as one machine? Uses Ray's test cluster, whose nodes are local processes.

    python bench/cluster_nodes.py match            equal files with 1, 2 and 4 nodes; then a node killed every 20 s
    python bench/cluster_nodes.py gather
    python bench/cluster_nodes.py endgame --pieces 5
    python bench/cluster_nodes.py match --nodes 2 --no-kills --repeat 3     time compared with the process pool

Each run is the command that users type. The seconds are for the whole command; "busy" is processor time.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

KILL_EVERY = 20.0


def command(asked: argparse.Namespace, out: Path) -> list[str]:
    if asked.what == "match":
        players = ["depth:9", "depth:8", "--game", "connect-four", "--openings", "random:4", "--time", "none"]
        return ["match", *players, "--games", str(asked.games), "--out", str(out)]
    if asked.what == "gather":
        return ["gather", "connect-four", str(out), "--depth", "9", "--positions", str(asked.positions)]
    return ["endgame", "build", "checkers", "--pieces", str(asked.pieces), "--out", str(out)]


def summary(asked: argparse.Namespace, out: Path) -> str:
    """Return a hash of the results; for a match, without dates and times."""
    if asked.what == "endgame":
        content = b"".join(path.read_bytes() for path in sorted(out.iterdir()))
    elif asked.what == "gather":
        content = out.read_bytes()
    else:
        games = [json.loads(line) for line in out.read_text().splitlines()]
        content = json.dumps([{k: v for k, v in one.items() if k not in ("date", "seconds")} for one in games]).encode()
    return hashlib.sha256(content).hexdigest()[:12]


class Nodes:
    """A head node that does no work, and nodes with one processor each."""

    def __init__(self, count: int) -> None:
        from ray.cluster_utils import Cluster

        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self.nodes = [self.cluster.add_node(num_cpus=1) for _ in range(count)]
        self.kills = 0

    def kill_one(self) -> None:
        self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)
        self.nodes.append(self.cluster.add_node(num_cpus=1))
        self.kills += 1


class Meter:
    """The processor time of all descendants of this process."""

    def __init__(self) -> None:
        self.first = _busy()
        self.last = dict(self.first)

    def look(self) -> None:
        self.last |= _busy()

    @property
    def seconds(self) -> float:
        ticks = sum(last - self.first.get(process, 0) for process, last in self.last.items())
        return ticks / os.sysconf("SC_CLK_TCK")


def _busy() -> dict[int, int]:
    """Return the clock ticks used by each descendant of this process."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = stat.read_text(errors="replace").rpartition(")")[2].split()
            process = int(stat.parent.name)
            parents[process], ticks[process] = int(words[1]), int(words[11]) + int(words[12])
    mine = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return {process: ticks[process] for process in mine - {os.getpid()}}


def run(asked: argparse.Namespace, folder: Path, name: str, more: list[str], nodes: Nodes | None, kills: bool) -> str:
    out = folder / {"match": "games.jsonl", "gather": "positions.zsp", "endgame": "database"}[asked.what]
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    words = [sys.executable, "-m", "zerosum", *command(asked, out), *more]
    began, meter, look = time.perf_counter(), Meter(), 0.0
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    due = time.perf_counter() + KILL_EVERY
    while process.poll() is None:
        time.sleep(0.1)
        if time.perf_counter() > look:
            meter.look()
            look = time.perf_counter() + 0.5
        if kills and nodes is not None and time.perf_counter() > due:
            due += KILL_EVERY
            nodes.kill_one()
    seconds = time.perf_counter() - began
    killed = f", {nodes.kills} nodes killed" if kills and nodes is not None else ""
    found = summary(asked, out) if process.returncode == 0 else f"exit code {process.returncode}"
    print(f"{name:>24}: {seconds:7.1f} s, {meter.seconds:7.1f} s busy, {found}{killed}", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("match", "gather", "endgame"))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--positions", type=int, default=40_000)
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--nodes", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--repeat", type=int, default=1)
    asked = parser.parse_args()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for _ in range(asked.repeat):
            here: list[str] = ["--concurrency", "2"] if asked.what == "match" else ["--threads", "2"]
            found.append(run(asked, folder, "without Ray", here, None, False))
            found.append(run(asked, folder, "Ray on this machine", ["--cluster"], None, False))
        for count, kills in [*((count, False) for count in asked.nodes), *([(2, True)] * (not asked.no_kills))]:
            nodes: Any = Nodes(count)
            name = f"{count} nodes" if not kills else "2 nodes, and kills"
            found.append(run(asked, folder, name, ["--cluster", nodes.cluster.address], nodes, kills))
            nodes.cluster.shutdown()
    print("all files are equal" if len(set(found)) == 1 else "FILES DIFFER")


if __name__ == "__main__":
    main()
