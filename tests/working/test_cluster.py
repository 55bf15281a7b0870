"""Work on a cluster: Ray's own test cluster, whose nodes are processes on this machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zerosum as zs
from zerosum.arena.games_file import read_games_file
from zerosum.arena.match import Match, Plan
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.time_control import TimeControl
from zerosum.cli import main
from zerosum.endgame import team_solver
from zerosum.endgame.build import build
from zerosum.errors import WorkError
from zerosum.formats.record import GameRecord
from zerosum.learn.gathering import Playing, gather
from zerosum.solved_tiers import SHARE
from zerosum.working import team as team_module
from zerosum.working.cluster import Cluster

pytestmark = [
    pytest.mark.slow,
    # Ray leaves sockets and files open until the interpreter ends.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

TICTACTOE = zs.load("tictactoe")
FAKE = f"{sys.executable} {Path(__file__).parents[1] / 'arena' / 'fake_engine.py'}"

FILE = """
import numpy as np
from typing import NamedTuple
import zerosum as zs

class Pile(NamedTuple):
    stones: int
    turn: int

class Numbers(NamedTuple):
    worth: np.ndarray

def evaluate(s, t):
    return t.worth[s.stones % 4] * (1 - 2 * s.turn)

def moves(s):
    return range(1, min(3, s.stones) + 1)

def play(s, move):
    return Pile(s.stones - move, 1 - s.turn)

game = zs.Game("pile", Pile, lambda: Pile(21, 0), lambda s: s.turn, moves, play, lambda s: 1 if s.turn else -1,
               max_moves=3, evaluate=evaluate, tables=Numbers(np.zeros(4, np.int64)))
"""


class Nodes:
    """A head that does no work, and nodes with one processor each."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as TestCluster

        self.cluster = TestCluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self.address: str = self.cluster.address
        self.nodes: list[Any] = []

    def be(self, count: int) -> None:
        """Change the number of nodes to ``count``."""
        while len(self.nodes) < count:
            self.nodes.append(self.cluster.add_node(num_cpus=1))
        while len(self.nodes) > count:
            self.kill()
        self.cluster.wait_for_nodes()

    def kill(self) -> None:
        self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    pytest.importorskip("ray", reason="clusters need Ray: pip install 'zerosum[cluster]'")
    patch = pytest.MonkeyPatch()
    patch.setenv("NUMBA_DISABLE_JIT", "1")  # no node compiles anything
    patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "1")
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    found = Nodes()
    found.be(2)
    yield found
    found.cluster.shutdown()
    patch.undo()


def played(path: Path) -> list[GameRecord]:
    """The games of a file in order, without anything that differs from run to run."""
    return [replace(record, date="", seconds=()) for record in read_games_file(path)[1]]


def plan(*players: str, games: int = 12, game: zs.Game = TICTACTOE, **more: Any) -> Plan:
    specs = [parse_player(text) for text in players]
    return Plan(game, specs, Rules(TimeControl.parse("none")), games=games, openings="random:1", **more)


def order(path: Path) -> list[int]:
    return [json.loads(line)["game"] for line in path.read_text().splitlines()[1:]]


@pytest.mark.parametrize("count", [1, 2])
def test_a_match_is_the_same_on_any_number_of_nodes(nodes: Nodes, count: int, tmp_path: Path) -> None:
    nodes.be(count)
    match = plan("depth:2", "random")
    Match(match, tmp_path / "here.jsonl").run()
    with Cluster(nodes.address) as cluster:
        assert cluster.count == count
        Match(match, tmp_path / "there.jsonl", workers=cluster).run()
    assert played(tmp_path / "here.jsonl") == played(tmp_path / "there.jsonl")
    assert order(tmp_path / "there.jsonl") == list(range(1, 13))


def test_a_match_goes_on_when_a_node_is_killed_and_another_comes(nodes: Nodes, tmp_path: Path) -> None:
    nodes.be(2)
    match = plan("depth:3", "random", games=40)

    def disturb(record: GameRecord, standings: Any) -> None:
        if standings.games in (5, 20):
            nodes.kill()
            nodes.be(2)

    with Cluster(nodes.address) as cluster:
        Match(match, tmp_path / "there.jsonl", workers=cluster).run(disturb)
    Match(match, tmp_path / "here.jsonl").run()
    assert played(tmp_path / "here.jsonl") == played(tmp_path / "there.jsonl")
    assert order(tmp_path / "there.jsonl") == list(range(1, 41))


def test_positions_and_databases_are_the_same_although_nodes_die(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes.be(2)
    monkeypatch.setattr(team_solver, "LEAST", 64 * SHARE)
    monkeypatch.setattr(team_solver, "SLICE", 64 * SHARE)
    monkeypatch.setattr(team_solver, "BATCH", 64 * SHARE)
    monkeypatch.setattr(team_solver.TeamSolver, "_claim", lambda self, tier: False)  # workers alone
    four = zs.load("connect-four", width=5, height=4)
    how = Playing(depth=2, random_plies=3, seed=1)
    deaths = iter([30, 90])
    due = next(deaths)

    def disturb(now: Any) -> None:
        nonlocal due
        if now.positions > due:
            due = next(deaths, 10**9)
            nodes.kill()
            nodes.be(2)

    gather(four, tmp_path / "here.zsp", positions=150, playing=how, jit=False)
    build(TICTACTOE, 9, tmp_path / "here", distance=True, jit=False)
    with Cluster(nodes.address) as cluster:
        gather(
            four, tmp_path / "there.zsp", positions=150, playing=how, jit=False, workers=cluster, on_progress=disturb
        )
        build(TICTACTOE, 9, tmp_path / "there", distance=True, jit=False, workers=cluster)
    assert (tmp_path / "here.zsp").read_bytes() == (tmp_path / "there.zsp").read_bytes()
    names = sorted(path.name for path in (tmp_path / "here").iterdir())
    assert all((tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes() for name in names)


def test_a_users_game_goes_by_its_content_with_its_tables(nodes: Nodes, tmp_path: Path) -> None:
    nodes.be(2)
    (tmp_path / "pile.py").write_text(FILE)
    game = zs.load(tmp_path / "pile.py")
    tuned = game.with_(tables=type(game.tables)(np.array([0, 3, 2, 1])))
    match = plan("depth:1", "random", game=tuned)
    Match(match, tmp_path / "here.jsonl").run()
    with Cluster(nodes.address) as cluster:
        Match(match, tmp_path / "there.jsonl", workers=cluster).run()
    assert played(tmp_path / "here.jsonl") == played(tmp_path / "there.jsonl")


def test_a_node_of_other_versions_is_refused_in_a_line(
    nodes: Nodes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    nodes.be(1)
    (tmp_path / "zerosum").mkdir()
    (tmp_path / "zerosum" / "__init__.py").write_text("__version__ = '0.0.9'\n")
    other = nodes.cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(tmp_path)})
    try:
        assert main(["cluster", nodes.address]) == 1
        shown = capfd.readouterr()
        assert "1 of 3 nodes can be used" in shown.out or "2 of 3 nodes can be used" in shown.out
        assert f"is refused: it has zerosum 0.0.9, but zerosum {zs.__version__} is here" in shown.err
        words = ["match", "random", "random", "--game", "tictactoe", "--games", "4", "--out", str(tmp_path / "m.jsonl")]
        assert main([*words, "--cluster", nodes.address]) == 0
        assert "is not used: it has zerosum 0.0.9" in capfd.readouterr().err
    finally:
        nodes.cluster.remove_node(other, allow_graceful=False)


def test_a_program_that_is_on_no_node_is_named(nodes: Nodes, tmp_path: Path) -> None:
    nodes.be(1)
    with Cluster(nodes.address) as cluster:
        with pytest.raises(WorkError, match=r"the node .* is not used: there is no program 'no-such-program'"):
            Match(plan("uci:no-such-program", "random"), tmp_path / "m.jsonl", workers=cluster).run()
        match = Match(
            plan(f"uci:{FAKE} good,depth=1,name=good", "random", games=2), tmp_path / "n.jsonl", workers=cluster
        )
        assert match.run().games == 2


def test_without_any_node_the_match_ends_in_a_line_and_goes_on_later(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes.be(1)
    monkeypatch.setattr(team_module, "LONELY", 1.0)
    released = tmp_path / "released"  # until it exists, the match cannot get to its end
    match = plan(f"uci:{FAKE} pausing {released},depth=1,name=pausing", "random", games=30)

    def leave(record: GameRecord, standings: Any) -> None:
        if standings.games == 1:
            nodes.be(0)

    with (
        Cluster(nodes.address) as cluster,
        pytest.raises(WorkError, match=r"no worker is left \(0 workers on 0 nodes\)"),
    ):
        Match(match, tmp_path / "m.jsonl", workers=cluster).run(leave)
    assert 1 <= len(played(tmp_path / "m.jsonl")) < 30
    released.touch()
    nodes.be(2)
    with Cluster(nodes.address) as cluster:
        assert Match(match, tmp_path / "m.jsonl", workers=cluster).run().games == 30
    Match(match, tmp_path / "here.jsonl").run()
    assert played(tmp_path / "m.jsonl") == played(tmp_path / "here.jsonl")


def test_an_address_where_nothing_answers_is_told_at_once() -> None:
    with (
        Cluster("127.0.0.1:9") as cluster,
        pytest.raises(WorkError, match=r"^could not join a cluster at '127.0.0.1:9': "),
    ):
        cluster.nodes()


def test_who_is_no_address_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="--cluster 'engine' is not an address"):
        Cluster("engine")
