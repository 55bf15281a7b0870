"""The solver in items, for GPUs: its files are identical to those of the processor's solver, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from samples import samples

from endgame.maze import BROKEN, NAMES, Room, maze, moves
from zerosum.endgame import build as building
from zerosum.endgame import memory, solve, sweeper
from zerosum.endgame.build import BuildProgress, build
from zerosum.endgame.solve import Solver
from zerosum.endgame.sweeper import Limits, Sweeper
from zerosum.errors import EndgameError, GameError, ZerosumError
from zerosum.game import Game
from zerosum.games import load
from zerosum.jit.target import CPU, PLAIN, Target

SWEEPS = Limits(edges=0)
"""No edges."""

SLICES = Limits(positions=64, edges=0)
"""No edges, and no lists of more than 64 positions."""

COMPILED = pytest.param(CPU, marks=pytest.mark.slow)

EDGES = Limits(worthwhile=2.0)
"""Edges after the first sweep, however many positions it decided."""


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@contextmanager
def sweeping(limits: Limits | None = None) -> Iterator[list[Sweeper]]:
    """Use the solver in items for builds in this block; yields the solvers that were made."""
    made: list[Sweeper] = []

    def sweeper(*arguments: Any) -> Sweeper:
        made.append(Sweeper(*arguments, limits=limits))
        return made[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "_solver_for", lambda target: sweeper)
        yield made


def same_files(game: Game, n: int, folder: Path, distance: bool, target: Target) -> None:
    build(game, n, folder / "expected", distance=distance, jit=target)
    for name, limits in {"usual": None, "sweeps": SWEEPS}.items():
        with sweeping(limits):
            build(game, n, folder / name, distance=distance, jit=target)
        assert contents(folder / name) == contents(folder / "expected"), name


@pytest.mark.parametrize("distance", [False, True])
@pytest.mark.parametrize("target", [PLAIN, COMPILED])
def test_random_graphs(target: Target, distance: bool, tmp_path: Path) -> None:
    for seed in range(20, 20 + samples(3)):
        game = maze(seed)
        build(game, 3, tmp_path / str(seed), distance=distance, jit=False)
        for name, limits in {"usual": None, "sweeps": SWEEPS, "slices": SLICES, "edges": EDGES}.items():
            folder = tmp_path / f"{seed}-{name}"
            with sweeping(limits) as made:
                build(game, 3, folder, distance=distance, jit=target, threads=3)
            assert contents(folder) == contents(tmp_path / str(seed)), (seed, name)
            work = made[0].work
            assert work.examined > 0 and (work.edges > 0) == (name in ("usual", "edges"))


@pytest.mark.parametrize(
    "name, parameters, n, distance",
    [
        pytest.param("tictactoe", {}, 9, True, marks=pytest.mark.slow),
        ("kalah", {"pits": 2, "seeds": 2}, 8, True),
        ("kalah", {"pits": 2, "seeds": 2}, 8, False),
        ("nim", {"heaps": "3,2,4"}, 0, True),
    ],
)
def test_whole_games(name: str, parameters: dict, n: int, distance: bool, tmp_path: Path) -> None:
    same_files(load(name, **parameters), n, tmp_path, distance, PLAIN)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, parameters, n", [("checkers", {}, 3), ("connect-four", {"width": 4, "height": 4}, 0), ("chess", {}, 3)]
)
@pytest.mark.parametrize("distance", [False, True])
def test_whole_games_compiled(name: str, parameters: dict, n: int, distance: bool, tmp_path: Path) -> None:
    same_files(load(name, **parameters), n, tmp_path, distance, CPU)


def complaint(game: Game, folder: Path, solver: type, **options: Any) -> str:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ZerosumError) as caught:
        patch.setattr(building, "_solver_for", lambda target: solver)
        build(game, 3, folder, **{"jit": False, **options})
    assert "\n" not in str(caught.value) and not (folder / "manifest.json").exists()
    return str(caught.value)


@pytest.mark.parametrize("changes, why", BROKEN)
def test_an_index_that_is_wrong_is_noticed(changes: dict, why: str, tmp_path: Path) -> None:
    game = maze(1, **changes)
    one, other = (complaint(game, tmp_path / solver.__name__, solver) for solver in (Solver, Sweeper))
    assert re.search(why, other) and "the position is '" in other
    # This solver checks indices before moves, so of two faults it may report the other one.
    assert one == other or "rank" in changes


@pytest.mark.parametrize("wins", [False, True])
@pytest.mark.parametrize("distance", [False, True])
def test_one_move_into_a_hole_is_noticed(
    wins: bool, distance: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one position has such a move, besides one that wins or does not; spot checks miss it."""
    for module in (solve, sweeper):
        monkeypatch.setattr(module, "SPOT_CHECKS", 1)
    game = maze(
        is_terminal=lambda s: s.name == NAMES - 1,
        moves=lambda s: range(2),
        play=lambda s, move: Room(s.tier, 3 if s.name == 5 and move else NAMES - 1, 1 - s.turn, 0),
        utility=lambda s: (2 * s.turn - 1) * (1 if wins else -1),
        tables=None,
    )
    one, other = (complaint(game, tmp_path / s.__name__, s, distance=distance) for s in (Solver, Sweeper))
    assert one == other and "which is not a position; the position is '0 5 0 0'" in other


def down_the_stairs(s, move):
    """Move to the previous room, or from every fourth room of the upper tier to a farther one of the lower tier."""
    if s.tier == 1 and s.name % 4 == 0:
        return Room(0, min(3 * s.name, NAMES - 1), 1 - s.turn, 0)
    return Room(s.tier, s.name - 1, 1 - s.turn, 0)


def test_layers_may_be_far_apart(tmp_path: Path) -> None:
    """A tier in which no game ends, with many layers in which nothing is decided."""
    game = maze(
        is_terminal=lambda s: s.tier == 0 and s.name == 0,
        moves=lambda s: range(1),
        play=down_the_stairs,
        utility=lambda s: 1,
        is_valid=None,
        tables=None,
    )
    same_files(game, 2, tmp_path, True, PLAIN)


@pytest.mark.parametrize("target", [PLAIN, COMPILED])
def test_moves_out_of_range_are_a_fault_of_the_rules(target: Target, tmp_path: Path) -> None:
    def too_many(s, t):
        yield from moves(s, t)
        if s.name == 5:
            yield 1 << 40

    game = maze(1, moves=too_many)
    with sweeping(), pytest.raises(GameError, match="yields 1099511627776"):
        build(game, 3, tmp_path, jit=target)


def test_a_win_that_is_too_long_is_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "FARTHEST", 3)
    one, other = (complaint(maze(1), tmp_path / s.__name__, s, distance=True) for s in (Solver, Sweeper))
    assert one == other and "a win takes more than 3 plies" in one


@pytest.mark.parametrize("distance", [False, True])
def test_stopped_in_the_middle_of_a_tier_it_goes_on_with_that_tier(distance: bool, tmp_path: Path) -> None:
    build(maze(1), 3, tmp_path / "whole", distance=distance, jit=False)
    reported: list[BuildProgress] = []

    class Enough(Exception):
        pass

    def until_the_second_floor(progress: BuildProgress) -> None:
        reported.append(progress)
        if progress.done > 2 * NAMES:
            raise Enough

    folder = tmp_path / "stopped"
    with sweeping(SLICES):
        with pytest.raises((Enough, EndgameError)):
            build(maze(1), 3, folder, distance=distance, jit=False, on_progress=until_the_second_floor)
        assert reported[-1].done < reported[-1].total and not (folder / "manifest.json").exists()
        build(maze(1), 3, folder, distance=distance, jit=False, on_progress=reported.append)
    assert reported[-1].done == reported[-1].total == 6 * NAMES and reported[-1].found >= 2 * NAMES
    assert contents(folder) == contents(tmp_path / "whole")
