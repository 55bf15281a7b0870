"""Work: every unit is done once, whichever worker does it, even if workers die."""

from __future__ import annotations

import itertools
import math
import os
import pickle
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_ray import FakeCluster
from patience import KILL, PATIENCE

import zerosum as zs
from zerosum.cli import main
from zerosum.errors import LimitError, WorkError
from zerosum.jit import store
from zerosum.templates import written
from zerosum.working import cluster_team
from zerosum.working.cluster_team import ClusterTeam
from zerosum.working.cluster_worker import UNFIT, ClusterWorker
from zerosum.working.nodes import Node
from zerosum.working.pickling import path_with_content, pickled, unpickled
from zerosum.working.problems import place_in_game_file, sendable
from zerosum.working.processes import Processes
from zerosum.working.sharing import Shared
from zerosum.working.starting_team import StartingTeam
from zerosum.working.team import DONE, PROBLEM, READY, UNDONE, Event, Team, Workers, in_order
from zerosum.working.threads import Threads
from zerosum.working.work import Ledger, Tell, UnitRunner, Work

UNITS = list(enumerate(range(20)))


Squared = tuple[int, int | Shared]
"""A place and a number, or a reference to the number."""


class Squarer(UnitRunner[Squared, int]):
    def __init__(self, work: Squares, tell: Tell) -> None:
        self.work, self.tell = work, tell

    def do(self, unit: Squared) -> int:
        number = unit[1] if isinstance(unit[1], int) else int(unit[1].get()[1])
        if number == self.work.deadly:
            self._die()
        if number == self.work.wrong:
            raise LimitError(f"{number} is wrong")
        if number % 10 == 0:
            self.tell(f"{number} is round")
        return number * number

    def _die(self) -> None:
        """Kill this process: once, or every time if there is no file to note it in."""
        if self.work.note and Path(self.work.note).exists():
            return
        if self.work.note:
            Path(self.work.note).touch()
        os.kill(os.getpid(), KILL)


@dataclass(frozen=True)
class Squares(Work[Squared, int]):
    deadly: int = -1
    note: str = ""
    wrong: int = -1

    def open(self, tell: Tell) -> Squarer:
        if self.deadly == -2:
            raise LimitError("nobody can do this")
        return Squarer(self, tell)


def squares(workers: Workers, work: Work[Squared, int]) -> list[int]:
    with workers.team(work) as team:
        return [found for _, found in in_order(team.run(UNITS))]


@pytest.fixture(params=["threads", "processes"])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    with Threads(2) if request.param == "threads" else Processes(2) as found:
        yield found


def test_results_come_in_order_with_what_workers_tell_and_share(workers: Workers) -> None:
    heard: list[str] = []
    with workers.team(Squares()) as team:
        found = list(in_order(team.run(UNITS, on_report=heard.append)))
        again = list(in_order(team.run([(0, workers.share(np.array([0, 7])))])))
    assert found == [(number, number * number) for number in range(20)] and again[0][1] == 49
    assert sorted(heard) == ["0 is round", "10 is round"]


def test_what_goes_wrong_in_a_worker_is_raised_here(workers: Workers) -> None:
    with pytest.raises(LimitError, match=r"^7 is wrong$"):
        squares(workers, Squares(wrong=7))
    with pytest.raises(LimitError, match=r"^nobody can do this$"):
        squares(workers, Squares(deadly=-2))


def test_a_unit_whose_worker_is_killed_is_done_by_another(tmp_path: Path) -> None:
    expected = [number * number for number in range(20)]
    assert squares(Processes(2), Squares(deadly=5, note=str(tmp_path / "died"))) == expected


def test_a_unit_that_kills_everybody_is_named() -> None:
    with pytest.raises(WorkError, match=r"^the work cannot be done: 3 workers have died over \(5, 5\)$"):
        squares(Processes(2), Squares(deadly=5))


def test_a_run_that_is_over_ends_its_team() -> None:
    team = Threads(2).team(Squares())
    found = []
    for _, result in team.run(UNITS, is_over=lambda: len(found) >= 3):
        found.append(result)
    assert len(found) == 3 and team.is_closed


def test_nobody_gets_far_ahead_of_a_unit_that_waits() -> None:
    ledger = Ledger(range(100), ahead=3)
    taken = [ledger.take() for _ in range(4)]
    assert taken == [(0, 0), (1, 1), (2, 2), None]
    ledger.finish(1)
    assert ledger.take() is None
    ledger.finish(0)
    assert ledger.take() == (3, 3)


def test_units_come_in_portions_and_those_that_are_to_blame_alone() -> None:
    ledger = Ledger(range(9), ahead=8)
    assert ledger.take_some(3) == [(0, 0), (1, 1), (2, 2)]
    assert ledger.take_some(9) == [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7)] and ledger.take_some(9) == []
    for number in (1, 0):
        ledger.give_back(number)
    for number in (2, 3):
        ledger.give_back(number, is_suspect=False)
    assert [ledger.take_some(9) for _ in range(4)] == [[(1, 1)], [(0, 0)], [(2, 2), (3, 3)], []]
    ledger.finish(0)
    ledger.give_back(3, is_suspect=False)
    ledger.give_back(2)
    assert [ledger.take_some(9) for _ in range(3)] == [[(3, 3)], [(2, 2)], [(8, 8)]]


@pytest.mark.parametrize("portion", [4, 64])
def test_portions_change_no_result_and_no_blame(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, portion: int
) -> None:
    monkeypatch.setattr(Team, "portion", portion)
    expected = [number * number for number in range(20)]
    assert squares(workers, Squares()) == expected
    with pytest.raises(LimitError, match=r"^7 is wrong$"):
        squares(workers, Squares(wrong=7))
    if isinstance(workers, Processes):
        assert squares(workers, Squares(deadly=5, note=str(tmp_path / "died"))) == expected
        with pytest.raises(WorkError, match=r"3 workers have died over \(5, 5\)$"):
            squares(workers, Squares(deadly=5))


class Hasty(Team[Any, int]):
    """Two workers that give back all units but the first of each portion."""

    portion = 3
    preparing, where = 0, "here"

    def __init__(self) -> None:
        super().__init__(Squares())
        self.free, self.given = [0, 1], list[tuple[int, Sequence[Any]]]()

    def refill(self) -> None: ...

    def give(self, worker: int, units: Sequence[Any]) -> None:
        self.given.append((worker, units))

    def events(self) -> Iterable[Event]:
        worker, units = self.given.pop(0)
        if len(units) > 1:
            yield Event(UNDONE, worker, 1)
        yield Event(DONE, worker, [units[0] ** 2])

    def dismiss(self) -> None: ...


def test_units_that_a_worker_has_not_begun_are_done_by_any() -> None:
    with Hasty() as team:
        assert sorted(team.run(range(20))) == [(number, number**2) for number in range(20)]


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_a_cluster_does_every_unit_once_in_portions(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(cluster_team, "PORTION", seconds)
    portions = itertools.cycle((1, 3, 2, 5))
    monkeypatch.setattr(ClusterTeam, "portion", property(lambda team: next(portions)))
    with ClusterTeam(FakeCluster(), Squares()) as team:
        assert sorted(team.run(UNITS)) == [(unit, unit[1] ** 2) for unit in UNITS]


@pytest.mark.parametrize("patience", [0, 1, 4, math.inf])
def test_others_work_until_a_cluster_is_ready(workers: Workers, patience: float) -> None:
    given, done, told, wheres = list[Squared](), list[Squared](), list[str](), set[str]()

    def units(team: StartingTeam[Squared, int]) -> Iterator[Squared]:
        """At least 40 units, and so many that the cluster gets some after the others have gone."""
        more = 40
        while more:
            more -= team._early is None or patience == math.inf
            given.append((len(given), len(given)))
            yield given[-1]

    with StartingTeam(FakeCluster(workers, patience), Squares()) as team:
        for unit, found in team.run(units(team), on_report=told.append):
            assert found == unit[0] ** 2
            done.append(unit)
            wheres.add(team.where)
    assert sorted(done) == given and len(told) == len(range(0, len(given), 10))
    assert ("2 workers on 1 node" in wheres) == (patience < math.inf)


def test_a_cluster_that_does_not_start_is_an_error() -> None:
    cluster = FakeCluster(patience=2)
    cluster.alive = lambda: raise_(WorkError("no answer"))  # type: ignore[method-assign]
    with StartingTeam(cluster, Squares()) as team, pytest.raises(WorkError, match=r"^no answer$"):
        list(team.run(enumerate(range(10_000))))


def raise_(problem: Exception) -> Any:
    raise problem


# Sending work

FILE = """
import numpy as np
from typing import NamedTuple
from stones import STEP
import zerosum as zs

class Pile(NamedTuple):
    stones: int
    turn: int

class Numbers(NamedTuple):
    worth: np.ndarray

def moves(s):
    return range(1, min(STEP, s.stones) + 1)

def play(s, move):
    return Pile(s.stones - move, 1 - s.turn)

def evaluate(s, t):
    return t.worth[s.stones % 4]

def game(stones: int = 7):
    return zs.Game("pile", Pile, lambda: Pile(stones, 0), lambda s: s.turn, moves, play,
                   lambda s: 1 if s.turn else -1, max_moves=3, evaluate=evaluate, tables=Numbers(np.arange(4)))
"""


def test_a_game_of_a_file_travels_by_content_with_its_tables_and_neighbours(tmp_path: Path) -> None:
    (tmp_path / "stones.py").write_text("STEP = 3\n")
    (tmp_path / "heap.py").write_text(FILE)
    (tmp_path / "note.txt").write_text("seven")
    game = zs.load(tmp_path / "heap.py", stones=5)
    tuned = game.with_(tables=type(game.tables)(np.array([5, 6, 7, 8])))
    data = pickled((tuned, path_with_content(str(tmp_path / "note.txt"))))
    for name in ("stones.py", "heap.py", "note.txt"):
        (tmp_path / name).unlink()
    for name in ("stones", "zerosum_file_heap"):
        del sys.modules[name]
    sys.path.remove(str(tmp_path))
    arrived, note = unpickled(data)
    assert arrived.initial().stones == 5 and arrived.evaluate(arrived.initial()) == 6
    assert Path(note).read_text() == "seven"


def test_a_mistake_in_a_game_file_has_its_line_wherever_it_happens(tmp_path: Path) -> None:
    file, _ = written(tmp_path / "race.py", "dice")
    file.write_text(file.read_text().replace("def utility(s):\n", "def utility(s):\n    1 / 0\n"))
    game = zs.load(file)
    with pytest.raises(ZeroDivisionError) as caught:
        game.utility(game.initial())
    arrived = pickle.loads(pickle.dumps(sendable(caught.value)))
    assert place_in_game_file(arrived) == place_in_game_file(caught.value)
    assert place_in_game_file(arrived).endswith(", in utility")


# Nodes


def test_a_node_of_other_versions_does_not_fit() -> None:
    own = Node("", "", 1, 0, "1.0", "3.12.1", "0.68.1")
    assert replace(own, cpus=64).refusal(own) == ""
    assert replace(own, zerosum="0.9").refusal(own) == "it has zerosum 0.9, but zerosum 1.0 is here"
    assert replace(own, numba="").refusal(own) == "it has no Numba, but Numba 0.68.1 is here"


@pytest.mark.parametrize(
    "arguments",
    [
        ["cluster", "nowhere"],
        ["gather", "chess", "x.zsp", "--cluster=nowhere"],
        ["endgame", "build", "tictactoe", "--cluster", "nowhere"],
    ],
)
def test_what_is_no_address_is_said_to_be_none(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "--cluster 'nowhere' is not an address: write HOST:PORT, auto, or nothing" in capfd.readouterr().err


def test_kernels_of_one_node_serve_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "used", set())
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path / "one"))
    digest = "ab" * 32
    store.write(digest, b"code", ["outside"], "a game", "a kernel", 1.0)
    found = ClusterWorker().kernels()
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path / "other"))
    assert store.read(digest) is None
    assert ClusterWorker().open(pickled(Squares()), False, found)[0] == READY
    assert store.read(digest) == (b"code", ["outside"])


def test_a_seat_answers_whatever_happens() -> None:
    seat = ClusterWorker()
    kind, problem = seat.open(pickled(Squares(deadly=-2)), False, None)
    assert kind == UNFIT and str(problem) == "nobody can do this"
    assert seat.open(pickled(Squares(wrong=3)), True, None)[0] == READY
    answers, seconds = seat.do([(0, 10), (1, 2)], PATIENCE)
    assert answers == [(DONE, 100, ["10 is round"]), (DONE, 4, [])] and seconds > 0
    assert seat.do([(0, 1), (1, 2)], 0.0)[0] == [(DONE, 1, [])]  # time is over after the first one
    (first, _, _), (kind, problem, _) = seat.do([(0, 1), (1, 3), (2, 2)], PATIENCE)[0]  # the last one is not tried
    assert first == DONE
    arrived = pickle.loads(pickle.dumps(problem))
    assert kind == PROBLEM and isinstance(arrived, LimitError) and "3 is wrong" in str(arrived.__cause__)
