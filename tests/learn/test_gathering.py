"""Gathering: self-play positions reach the file, each game once, however a run ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from patience import KILL, PATIENCE, heed_interrupts

import zerosum as zs
from zerosum.errors import LimitError, PositionsFileError
from zerosum.game import Game
from zerosum.learn import gathering
from zerosum.learn.gathering import DEPTH, Gathered, Gathering, Playing, gather, next_game
from zerosum.learn.positions_file import PositionsFile
from zerosum.running.stopping import Stop
from zerosum.search.selfplay import self_play

GAME = zs.load("connect-four", width=5, height=4)
HOW = Playing(depth=2, random_plies=3, seed=1)


def content(path: Path, game: Game = GAME) -> list[Any]:
    samples = PositionsFile(path, game).read()
    assert samples.values is not None and samples.utilities is not None
    return [samples.states.tolist(), samples.values.tolist(), samples.utilities.tolist()]


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a block after each game."""
    monkeypatch.setattr(gathering, "BLOCK_NODES", 0)


def test_the_file_holds_the_quiet_positions_of_self_play(tmp_path: Path) -> None:
    path = tmp_path / "four.zsp"
    done = gather(GAME, path, positions=60, playing=HOW, made={"command": "this"})
    games = list(self_play(GAME, done.games, depth=2, random_plies=3, both_begin=True, resign=10, balance=6, seed=1))
    quiet = [one.flags == 0 for one in games]
    assert content(path) == [
        np.concatenate([one.states[keep] for one, keep in zip(games, quiet, strict=True)]).tolist(),
        np.concatenate([one.values[keep] for one, keep in zip(games, quiet, strict=True)]).tolist(),
        [one.result for one, keep in zip(games, quiet, strict=True) for _ in range(int(keep.sum()))],
    ]
    assert 60 <= done.positions == sum(int(keep.sum()) for keep in quiet)
    (block,) = PositionsFile(path, GAME).blocks()
    options = {"command": "this", "depth": 2, "nodes": None, "random_plies": 3, "resign": 10, "balance": 6, "seed": 1}
    assert block.head.items() >= {**options, "games": done.games, "first": 0, "next": done.games}.items()


@pytest.mark.parametrize(("kind", "most"), [("BLOCK_GAMES", 3), ("BLOCK_POSITIONS", 10), ("BLOCK_NODES", 100)])
def test_a_killed_run_of_short_games_or_shallow_searches_loses_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, most: int
) -> None:
    """Games, positions and visited positions each fill a block, so none of them waits long to be written."""
    monkeypatch.setattr(gathering, kind, most)
    done = gather(GAME, tmp_path / "four.zsp", positions=60, playing=HOW)
    blocks = PositionsFile(tmp_path / "four.zsp", GAME).blocks()
    assert len(blocks) > 1 and sum(block.head["games"] for block in blocks) == done.games
    if kind == "BLOCK_GAMES":
        assert all(block.head["games"] == most for block in blocks[:-1])


def test_threads_and_breaks_change_nothing(tmp_path: Path, often: None) -> None:
    paths = [tmp_path / name for name in ("one", "two", "breaks")]
    gather(GAME, paths[0], positions=300, playing=HOW)
    gather(GAME, paths[1], positions=300, playing=HOW, threads=2)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    kept = 0
    while kept < 300:
        kept += gather(GAME, paths[2], positions=1, playing=HOW).positions
    assert content(paths[0]) == content(paths[2])


def test_seeds_do_not_mix(tmp_path: Path, often: None) -> None:
    path = tmp_path / "four.zsp"
    for seed in (1, 2, 1, 2):
        gather(GAME, path, positions=40, playing=Playing(depth=2, random_plies=3, seed=seed))
    blocks = PositionsFile(path, GAME).blocks()
    for seed in (1, 2):
        games = [(block.head["first"], block.head["next"]) for block in blocks if block.head["seed"] == seed]
        assert all(before[1] <= after[0] for before, after in pairwise(games))
        assert next_game(blocks, seed) == games[-1][1]


def test_noisy_positions_come_on_request(tmp_path: Path) -> None:
    playing = Playing(depth=12, random_plies=6, seed=1, balance=0, quiet=False)
    done = gather(GAME, tmp_path / "all.zsp", positions=50, playing=playing)
    games = self_play(GAME, done.games, depth=12, random_plies=6, seed=1, both_begin=True, resign=10)
    assert done.positions == sum(len(one.values) for one in games)
    file = PositionsFile(tmp_path / "all.zsp", GAME)
    assert file.columns(file.blocks()[0]).flags.any()


def test_a_scored_game_keeps_its_points(tmp_path: Path) -> None:
    game = zs.load("kalah", pits=3, seeds=2)
    gather(game, tmp_path / "kalah.zsp", positions=60, playing=Playing(depth=2, random_plies=2), jit=False)
    samples = PositionsFile(tmp_path / "kalah.zsp", game).read()
    assert samples.utilities is not None and np.abs(samples.utilities).max() > 1
    assert np.array_equal(samples.results, 0.5 + 0.5 * np.sign(samples.utilities))


def test_without_a_limit_searches_have_the_default_depth() -> None:
    assert Playing().depth == DEPTH and Playing(nodes=100).depth is None


def test_an_interrupt_keeps_all_games_that_are_complete(tmp_path: Path) -> None:
    def interrupt(now: Gathered) -> None:
        if now.games == 5:
            raise KeyboardInterrupt

    run = Gathering(GAME, tmp_path / "four.zsp", HOW, {})
    with pytest.raises(KeyboardInterrupt):
        run.run(10**6, on_progress=interrupt)
    (block,) = PositionsFile(tmp_path / "four.zsp", GAME).blocks()
    assert block.head["games"] == 5 and block.positions == run.positions
    gather(GAME, tmp_path / "four.zsp", positions=200, playing=HOW)
    gather(GAME, tmp_path / "whole.zsp", positions=200 + run.positions, playing=HOW)
    interrupted, whole = content(tmp_path / "four.zsp"), content(tmp_path / "whole.zsp")
    assert all(len(column) >= 200 for column in interrupted)
    assert [column[:200] for column in interrupted] == [column[:200] for column in whole]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_an_interrupt_while_a_block_is_written_neither_loses_nor_doubles_it(
    tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Gathering(GAME, tmp_path / "four.zsp", HOW, {})
    add = run.file.add

    def interrupted(*arguments: Any) -> None:
        monkeypatch.undo()
        if moment == "after":
            add(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(run.file, "add", interrupted)
    monkeypatch.setattr(gathering, "BLOCK_NODES", 0)
    with pytest.raises(KeyboardInterrupt):
        run.run(10**6)
    (block,) = PositionsFile(tmp_path / "four.zsp", GAME).blocks()
    assert block.head["games"] == 1 and block.positions == run.positions


def test_a_stop_ends_a_run_in_order(tmp_path: Path) -> None:
    stop = Stop()
    done = gather(
        GAME, tmp_path / "four.zsp", positions=10**6, playing=HOW, stop=stop, on_progress=lambda _: stop.set()
    )
    assert done.positions == PositionsFile(tmp_path / "four.zsp", GAME).positions < 10**6
    assert gather(GAME, tmp_path / "four.zsp", positions=10**6, playing=HOW, stop=stop).games == 0


def test_two_runs_with_one_seed_do_not_both_write(tmp_path: Path) -> None:
    path = tmp_path / "four.zsp"
    late = Gathering(GAME, path, HOW, {})
    gather(GAME, path, positions=30, playing=HOW)
    before = path.read_bytes()
    with pytest.raises(PositionsFileError, match="another run has added games with seed 1; use another seed"):
        late.run(30)
    assert path.read_bytes() == before


def test_nothing_is_added_to_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "four.zsp"
    gather(GAME, path, positions=30, playing=HOW)
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(PositionsFileError, match="is damaged in block 0"):
        gather(GAME, path, positions=30, playing=HOW)
    assert path.read_bytes() == damaged


def test_games_that_leave_nothing_are_not_played_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "GAMES_AT_ONCE", 20)
    with pytest.raises(LimitError, match="none of 20 games of connect-four had a position to learn from"):
        gather(GAME, tmp_path / "four.zsp", positions=1, playing=Playing(depth=1, random_plies=100))
    assert not (tmp_path / "four.zsp").exists()


PROGRAM = """
from zerosum.learn import gathering
from zerosum.cli import main
gathering.BLOCK_NODES = 0
main(["gather", "connect-four", {path!r}, "--set", "width=5", "--set", "height=4", "--positions", "100000000",
      "--depth", "2", "--random-plies", "3", "--seed", "1", "--threads", "2"])
"""


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("how", [KILL, signal.SIGINT])
def test_a_run_that_is_killed_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    path = tmp_path / "four.zsp"
    for _ in range(2):
        before = path.stat().st_size if path.exists() else 0
        command = [sys.executable, "-c", PROGRAM.format(path=str(path))]
        with subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=heed_interrupts) as process:
            try:
                deadline = time.monotonic() + PATIENCE
                while not (path.exists() and path.stat().st_size > before + 5_000):
                    assert process.poll() is None and time.monotonic() < deadline
                    time.sleep(0.01)
                process.send_signal(how)
                said = process.communicate(timeout=PATIENCE)[1].decode()
            finally:
                process.kill()  # if it did not end by itself
        assert "Traceback" not in said and ("stopped: " in said) == (how == signal.SIGINT)
    file = PositionsFile(path, GAME)
    games = [(block.head["first"], block.head["next"]) for block in file.blocks()]
    assert games[0][0] == 0 and all(before[1] == after[0] for before, after in pairwise(games))
    count = file.positions
    gather(GAME, tmp_path / "whole.zsp", positions=count, playing=HOW, threads=2)
    assert [column[:count] for column in content(tmp_path / "whole.zsp")] == content(path)
