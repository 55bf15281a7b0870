"""Databases whose positions workers expand: identical files, even if slices are tried too early and workers die."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from patience import KILL

from endgame.maze import maze
from zerosum.endgame import sliced, slices, solve
from zerosum.endgame.build import build
from zerosum.endgame.slices import Expanded, Missing, Slice, SliceWork
from zerosum.errors import LimitError
from zerosum.games import load
from zerosum.jit.target import PLAIN
from zerosum.solved_tiers import SHARE
from zerosum.working.processes import Processes
from zerosum.working.team import Workers
from zerosum.working.threads import Threads


@pytest.fixture(autouse=True)
def _small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced, "SLICE", SHARE)
    monkeypatch.setattr(sliced, "LEAST", SHARE)
    monkeypatch.setattr(sliced, "SMALL", 0)
    monkeypatch.setattr(solve, "SMALL", 0)
    monkeypatch.setattr(slices, "EDGES_AT_ONCE", 16)


def files(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("distance", [False, True])
@pytest.mark.parametrize("jit", [False, True])
def test_slices_make_the_same_files(distance: bool, jit: bool, tmp_path: Path) -> None:
    for seed in (7, 8):
        game = maze(seed)
        whole, parts = tmp_path / f"whole-{seed}", tmp_path / f"parts-{seed}"
        build(game, 3, whole, distance=distance, threads=1, jit=False)
        build(game, 3, parts, distance=distance, threads=2, jit=jit, workers=Threads(2))
        assert files(whole) == files(parts)


def test_a_build_by_slices_goes_on_from_the_tiers_that_are_there(tmp_path: Path) -> None:
    game = maze(9)
    build(game, 3, tmp_path / "whole", jit=False)
    build(game, 2, tmp_path / "parts", jit=False)
    build(game, 3, tmp_path / "parts", jit=False, workers=Threads(2))
    assert files(tmp_path / "whole") == files(tmp_path / "parts")


def test_a_slice_that_leads_to_an_unsolved_tier_says_which() -> None:
    game = maze(7)
    tiers = game.tiers(3)
    expander = SliceWork(game, len(tiers), False, PLAIN).open(lambda word: None)
    size = tiers[1][1]
    assert expander.do(Slice(1, size, 0, size, ())) == Missing(1)
    assert isinstance(expander.do(Slice(0, tiers[0][1], 0, SHARE, ())), Expanded)


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
                    os.kill(team._desks[next(iter(team.busy))].process.pid, KILL)

        team.events = with_deaths
        return team


@pytest.mark.slow
def test_killed_workers_cost_their_slices_only(tmp_path: Path) -> None:
    game = load("tictactoe")
    workers: Workers
    with Mortal(2) as workers:
        build(game, 9, tmp_path / "parts", jit=False, workers=workers)
        assert workers.killed == 3
    build(game, 9, tmp_path / "whole", jit=False)
    assert files(tmp_path / "whole") == files(tmp_path / "parts")


def test_workers_and_a_card_do_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="a build uses either workers or a GPU, not both"):
        build(maze(1), 3, tmp_path, device="gpu", workers=Threads(1))
