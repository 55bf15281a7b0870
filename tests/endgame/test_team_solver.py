"""Databases that workers solve: identical files, even if tiers and slices are tried too early and workers die."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from patience import KILL

from endgame.maze import maze
from zerosum.endgame import build as database_build
from zerosum.endgame import solve, team_solver, tier_work
from zerosum.endgame.build import build
from zerosum.endgame.solve import Expanded
from zerosum.endgame.tier_work import Batch, BatchDone, Missing, Slice, TierWork
from zerosum.errors import LimitError
from zerosum.games import load
from zerosum.jit.target import PLAIN
from zerosum.solved_tiers import SHARE
from zerosum.working.processes import Processes
from zerosum.working.team import Workers
from zerosum.working.threads import Threads


@pytest.fixture(autouse=True)
def _small_tiers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat tiers of some hundred positions as if they were large."""
    monkeypatch.setattr(team_solver, "SLICE", SHARE)
    monkeypatch.setattr(team_solver, "LEAST", SHARE)
    monkeypatch.setattr(team_solver, "BATCH", 2 * SHARE)
    monkeypatch.setattr(tier_work, "SURVEYED", SHARE)
    monkeypatch.setattr(tier_work, "GLANCES", 3)
    monkeypatch.setattr(solve, "SMALL", 0)
    monkeypatch.setattr(solve, "EDGES_AT_ONCE", 16)
    monkeypatch.setattr(tier_work, "EDGES_AT_ONCE", 16)


def files(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("distance", [False, True])
@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("largest_whole", [0, 1 << 20])
def test_workers_make_the_same_files(
    distance: bool, jit: bool, largest_whole: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team_solver, "LARGEST_WHOLE", largest_whole)
    monkeypatch.setattr(team_solver, "PART", 1)
    monkeypatch.setattr(team_solver.TeamSolver, "_claim", lambda self, tier: False)  # workers alone
    for seed in (7, 8):
        game = maze(seed)
        whole, parts = tmp_path / f"whole-{seed}", tmp_path / f"parts-{seed}"
        build(game, 3, whole, distance=distance, threads=1, jit=False)
        build(game, 3, parts, distance=distance, threads=2, jit=jit, workers=Threads(2))
        assert files(whole) == files(parts)


def test_a_tier_with_more_positions_than_may_wait_is_solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_solver, "AHEAD", 1)
    monkeypatch.setattr(team_solver, "LARGEST_WHOLE", 0)
    monkeypatch.setattr(team_solver.TeamSolver, "_claim", lambda self, tier: False)
    build(maze(7), 3, tmp_path / "whole", jit=False)
    build(maze(7), 3, tmp_path / "parts", jit=False, workers=Threads(2))
    assert files(tmp_path / "whole") == files(tmp_path / "parts")


def test_a_large_build_solves_several_tiers_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, handed_out = maze(8), []
    take = team_solver.TeamSolver._take
    monkeypatch.setattr(team_solver.TeamSolver, "_claim", lambda self, tier: False)
    monkeypatch.setattr(team_solver.TeamSolver, "_take", lambda *given: (handed_out.append(given[1]), take(*given)))
    build(game, 3, tmp_path / "small", threads=2)
    assert not handed_out
    monkeypatch.setattr(database_build, "MANY", 0)
    build(game, 3, tmp_path / "large", threads=2)
    assert handed_out and files(tmp_path / "small") == files(tmp_path / "large")


def test_a_build_by_workers_goes_on_from_the_tiers_that_are_there(tmp_path: Path) -> None:
    game = maze(9)
    build(game, 3, tmp_path / "whole", jit=False)
    build(game, 2, tmp_path / "parts", jit=False)
    build(game, 3, tmp_path / "parts", jit=False, workers=Threads(2))
    assert files(tmp_path / "whole") == files(tmp_path / "parts")


def test_what_leads_to_an_unsolved_tier_says_which() -> None:
    game = maze(7)
    tiers = game.tiers(3)
    runner = TierWork(game, len(tiers), False, PLAIN).open(lambda word: None)
    size = tiers[1][1]
    assert runner.do(Slice(1, size, 0, size, ())) == Missing(frozenset([0]))
    assert runner.do(Batch(((1, size),), ())) == BatchDone([], {1: Missing(frozenset([0]))})
    assert isinstance(runner.do(Slice(0, tiers[0][1], 0, SHARE, ())), Expanded)


def test_a_worker_uses_the_tiers_of_its_own_batch() -> None:
    game = maze(7)
    tiers = tuple(enumerate(size for _, size in game.tiers(3)))
    runner = TierWork(game, len(tiers), False, PLAIN).open(lambda word: None)
    done = runner.do(Batch(tiers, ()))
    assert isinstance(done, BatchDone) and [one.tier for one in done.solved] == [0, 1, 2] and not done.missing


def test_a_tier_that_no_place_of_the_survey_betrays_is_missed_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tier_work, "SURVEYED", 1 << 20)
    game = maze(7)
    tiers = game.tiers(3)
    runner = TierWork(game, len(tiers), False, PLAIN).open(lambda word: None)
    assert runner.do(Batch(((1, tiers[1][1]),), ())) == BatchDone([], {1: Missing(frozenset([0]))})


class Mortal(Processes):
    """Processes; the first of them is killed after each result."""

    killed = 0

    def team(self, work):  # type: ignore[no-untyped-def]
        team = super().team(work)
        events = team.events

        def with_deaths():  # type: ignore[no-untyped-def]
            for event in events():
                yield event
                if event.kind == "done" and self.killed < 3 and team.busy:
                    self.killed += 1
                    os.kill(team._processes[next(iter(team.busy))].process.pid, KILL)

        team.events = with_deaths
        return team


@pytest.mark.slow
def test_killed_workers_cost_their_units_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_solver.TeamSolver, "_claim", lambda self, tier: False)
    game = load("tictactoe")
    workers: Workers
    with Mortal(2) as workers:
        build(game, 9, tmp_path / "parts", jit=False, workers=workers)
        assert workers.killed == 3
    build(game, 9, tmp_path / "whole", jit=False)
    assert files(tmp_path / "whole") == files(tmp_path / "parts")


class Unreachable(Threads):
    """Workers that never come."""

    is_connected = False


def test_without_workers_tiers_are_solved_here(tmp_path: Path) -> None:
    game = maze(8)
    build(game, 3, tmp_path / "here", jit=False, workers=Unreachable(2))
    build(game, 3, tmp_path / "whole", jit=False)
    assert files(tmp_path / "here") == files(tmp_path / "whole")


def test_workers_and_a_card_do_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="a build uses either workers or a GPU, not both"):
        build(maze(1), 3, tmp_path, device="gpu", workers=Threads(1))
