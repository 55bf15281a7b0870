"""A cluster that disappears during a run, and a full disk: a one-line message, and the next run continues.

The tests run real commands. Workers pause at some point, so that no command can end before the cluster does.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum as zs
from zerosum.arena.games_file import read_games_file
from zerosum.cli import main
from zerosum.cli.supervising import GONE, START
from zerosum.learn import gathering
from zerosum.learn.positions_file import PositionsFile

pytestmark = [
    pytest.mark.slow,
    # Ray leaves sockets and files open until the interpreter ends.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

BLOCK_NODES = 500

PATCH = f"""
import sys

ours = ("zerosum", {START!r})
if any(word in ours or word.endswith("default_worker.py") for word in sys.orig_argv):  # not Ray's other processes
    import changes
"""

CHANGES = f"""
import os, time
from zerosum.arena import games_work
from zerosum.endgame import team_solver, tier_work
from zerosum.learn import gathering, self_play_work

gathering.BLOCK_NODES = {BLOCK_NODES}
team_solver.BATCH = team_solver.SLICE = team_solver.LEAST = 64

def holding(do, is_late):
    def held(self, unit):
        while is_late(unit) and os.environ.get("HOLD"):
            time.sleep(0.1)
        return do(self, unit)
    return held

team_solver.TeamSolver._claim = lambda self, tier: False  # workers alone

def is_late_tier(unit):
    return max(tier for tier, _ in unit.tiers) > 20 if isinstance(unit, tier_work.Batch) else unit.tier > 20

games_work.GameRunner.do = holding(games_work.GameRunner.do, lambda unit: unit.fixture.number > 12)
# 200 positions need 13 games, however many of them a unit has.
self_play_work._Player.do = holding(self_play_work._Player.do, lambda unit: unit[1].end > 12)
tier_work.TierRunner.do = holding(tier_work.TierRunner.do, is_late_tier)
"""

MATCH = ["--game", "tictactoe", "--games", "30", "--openings", "random:1", "--time", "none"]
GATHER = ["--set", "width=5", "--set", "height=4", "--depth", "2", "--random-plies", "3", "--positions", "200"]
ENDGAME = ["--pieces", "2", "--distance"]
LARGEST = 700
"""Maximum size of a file on a full disk: enough for a part of each of these."""

COMMANDS: dict[str, Callable[[Path], list[str]]] = {
    "match": lambda out: ["match", "depth:2", "random", *MATCH, "--out", str(out / "games.jsonl")],
    "gather": lambda out: ["gather", "connect-four", str(out / "some.zsp"), *GATHER],
    "endgame": lambda out: ["endgame", "build", "checkers", *ENDGAME, "--out", str(out / "two")],
}


class Nodes:
    """Two nodes, whose workers may pause after some units."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, hold: bool) -> None:
        from ray.cluster_utils import Cluster as TestCluster

        (folder / "sitecustomize.py").write_text(PATCH)
        (folder / "changes.py").write_text(CHANGES)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))
        patch.setenv("NUMBA_DISABLE_JIT", "1")  # no node compiles anything
        patch.setenv("HOLD", "1" * hold)
        patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "1")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        self.cluster = TestCluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        self.cluster.add_node(num_cpus=1)
        self.cluster.wait_for_nodes()

    def run(self, words: list[str], **how: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "zerosum", *words, "--cluster", self.cluster.address]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **how)

    def leave(self) -> None:
        for node in self.cluster.list_all_nodes():
            node.kill_all_processes(check_alive=False, allow_graceful=False)


@pytest.fixture
def nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Nodes]:
    pytest.importorskip("ray", reason="clusters need Ray: pip install 'zerosum[cluster]'")
    (tmp_path / "patch").mkdir()
    found = Nodes(tmp_path / "patch", monkeypatch, hold=getattr(request, "param", True))
    yield found
    found.cluster.shutdown()


def done(name: str, out: Path) -> Any:
    """The results so far, without anything that differs from run to run."""
    if name == "match":
        games = read_games_file(out / "games.jsonl")[1] if (out / "games.jsonl").exists() else []
        return [replace(record, date="", seconds=()) for record in games]
    if name == "endgame":
        return {path.name: path.read_bytes() for path in sorted((out / "two").glob("[!.]*"))}
    file = PositionsFile(out / "some.zsp", zs.load("connect-four", width=5, height=4))
    return [(block.head["first"], block.head["next"], file.columns(block)) for block in file.blocks()]


def in_one_go(name: str, out: Path) -> Any:
    out.mkdir()
    assert main(COMMANDS[name](out)) == 0
    return done(name, out)


def check_same(name: str, found: Any, wanted: Any) -> None:
    """Check that nothing is lost or doubled. A resumed run of gather gathers the same number of positions again."""
    if name != "gather":
        assert found == wanted
        return
    assert [first for first, _, _ in found] == [0, *(after for _, after, _ in found[:-1])]
    for place in range(4):
        ours, others = (np.concatenate([block[2][place] for block in blocks]) for blocks in (found, wanted))
        assert len(ours) >= 200 and np.array_equal(ours[: len(others)], others[: len(ours)])


@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_cluster_that_goes_away_costs_a_line(
    nodes: Nodes, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "BLOCK_NODES", BLOCK_NODES)
    out = tmp_path / "out"
    out.mkdir()
    running = nodes.run(COMMANDS[name](out))
    while not done(name, out) and running.poll() is None:
        time.sleep(0.1)
    nodes.leave()
    said = running.communicate(timeout=180)[1]
    assert running.returncode == 1 and said.splitlines()[-1] == f"zerosum: {GONE}"
    assert "Traceback" not in said and len(said.splitlines()) <= 2, said
    before = done(name, out)
    assert before
    assert main(COMMANDS[name](out)) == 0
    after = done(name, out)
    if name == "match":
        assert after[: len(before)] == before
    check_same(name, after, in_one_go(name, tmp_path / "again"))


@pytest.mark.parametrize("nodes", [False], indirect=True)
def test_a_full_disk_costs_a_line(nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "BLOCK_NODES", BLOCK_NODES)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # it would be cut off too

    def full() -> None:
        """Limit the size of files: for a program that writes, this looks like a full disk."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))

    for name in COMMANDS:
        out = tmp_path / name
        out.mkdir()
        running = nodes.run(COMMANDS[name](out), preexec_fn=full)
        # Ray reports that it cannot write its own log.
        said = [line for line in running.communicate(timeout=180)[1].splitlines() if "ray_log_sink" not in line]
        assert running.returncode in (1, 2) and len(said) == 1, said
        assert str(out) in said[0] and "cannot be written: File too large" in said[0]
        assert main(COMMANDS[name](out)) == 0
        check_same(name, done(name, out), in_one_go(name, tmp_path / f"{name} again"))
