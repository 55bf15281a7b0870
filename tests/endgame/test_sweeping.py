"""The solver made of items, as a graphics card runs them: file for file, byte for byte, that of the processor."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from endgame.maze import BROKEN, maze
from zerosum.endgame import build as building
from zerosum.endgame.build import build
from zerosum.endgame.solve import Solver
from zerosum.endgame.sweeper import Limits, Sweeper, Work
from zerosum.errors import ZerosumError
from zerosum.game import Game
from zerosum.games import load
from zerosum.jit.target import CPU, PLAIN, Target

SWEEPS = Limits(edges=0)
SLICES = Limits(positions=64, edges=0)
EDGES = Limits(worthwhile=2.0)
"""Never edges; never, and lists of few positions; edges after the first sweep."""


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def swept(game: Game, n: int, folder: Path, limits: Limits | None = None, **options: Any) -> Work:
    """Build with the solver made of items; what it took."""
    made: list[Sweeper] = []

    def sweeper(*arguments: Any) -> Sweeper:
        made.append(Sweeper(*arguments, limits=limits))
        return made[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "_solver_for", lambda target: sweeper)
        build(game, n, folder, **options)
    return made[0].work


@pytest.mark.parametrize("distance", [False, True])
@pytest.mark.parametrize("target", [PLAIN, CPU])
def test_random_graphs_have_the_files_that_the_other_solver_writes(
    target: Target, distance: bool, tmp_path: Path
) -> None:
    for seed in range(20, 25):
        game = maze(seed)
        build(game, 3, tmp_path / str(seed), distance=distance, jit=False)
        expected = contents(tmp_path / str(seed))
        for name, limits in {"usual": None, "sweeps": SWEEPS, "slices": SLICES, "edges": EDGES}.items():
            folder = tmp_path / f"{seed}-{name}"
            work = swept(game, 3, folder, limits, distance=distance, target=target, threads=3)
            assert contents(folder) == expected, (seed, name)
            assert work.judged > 0 and (work.rounds > 0) == (name in ("usual", "edges") and not distance)


@pytest.mark.parametrize(
    "name, parameters, n, distance",
    [
        ("tictactoe", {}, 9, True),
        ("kalah", {"pits": 2, "seeds": 2}, 8, True),
        ("kalah", {"pits": 2, "seeds": 2}, 8, False),
        ("nim", {"heaps": "3,2,4"}, 0, True),
    ],
)
def test_whole_games(name: str, parameters: dict, n: int, distance: bool, tmp_path: Path) -> None:
    game = load(name, **parameters)
    build(game, n, tmp_path / "one", distance=distance, jit=False)
    swept(game, n, tmp_path / "other", distance=distance, jit=False)
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


def complaint(game: Game, folder: Path, solver: type) -> str:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ZerosumError) as told:
        patch.setattr(building, "_solver_for", lambda target: solver)
        build(game, 3, folder, jit=False)
    assert "\n" not in str(told.value) and not (folder / "manifest.json").exists()
    return str(told.value)


@pytest.mark.parametrize("changes, why", BROKEN)
def test_an_index_that_is_wrong_is_noticed(changes: dict, why: str, tmp_path: Path) -> None:
    game = maze(1, **changes)
    one, other = (complaint(game, tmp_path / solver.__name__, solver) for solver in (Solver, Sweeper))
    assert re.search(why, other) and "the position is '" in other
    # Numbers are looked at before moves here, so that of two faults the other one may be told.
    assert one == other or "rank" in changes
