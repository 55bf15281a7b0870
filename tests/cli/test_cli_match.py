"""``zerosum match``: arguments and output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, heed_interrupts, wait_until

from zerosum.cli import main

Zerosum = Callable[..., Any]
RANDOM = ("match", "random", "random:name=other", "--game", "tictactoe")
ALONE = ("--concurrency", "1")
"""Games in this process."""


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def test_a_match_ends_with_its_table(zerosum: Zerosum, tmp_path: Path) -> None:
    ran = zerosum(*RANDOM, "--games", "6", "--out", "games.jsonl")
    assert ran.code == 0 and not ran.err
    lines = ran.out.splitlines()
    assert sum(line.startswith("game ") for line in lines) == 6
    assert "player  games  won  drawn  lost" in ran.out and "LOS" in ran.out
    assert lines[-1] == "6 of 6 games, in 'games.jsonl'"
    # The same command again plays no games and prints the same table.
    again = zerosum(*RANDOM, "--games", "6", "--out", "games.jsonl")
    assert again.out.splitlines()[0] == "6 games are in 'games.jsonl'; the match is complete"
    assert again.out.splitlines()[1:] == lines[6:]


def test_without_a_file_name_the_match_has_its_own(zerosum: Zerosum, tmp_path: Path) -> None:
    for seed in ("1", "2", "1"):
        assert zerosum(*RANDOM, *ALONE, "--games", "2", "--seed", seed).code == 0
    assert len(list(tmp_path.glob("match-tictactoe-*.jsonl"))) == 2


def test_several_players_get_ratings(zerosum: Zerosum) -> None:
    ran = zerosum(*RANDOM, "depth:2", *ALONE, "--games", "4", "--json", "--openings", "random:1", "--out", "g.jsonl")
    report = json.loads(ran.out)
    assert report["games"] == 12 and len(report["pairings"]) == 3
    assert report["players"][0]["name"] == "depth:2"
    assert sum(player["elo"] for player in report["players"]) == pytest.approx(0, abs=0.1)


def test_a_sequential_test_says_what_it_accepts(zerosum: Zerosum) -> None:
    words = ("match", "depth:2", "random", "--game", "tictactoe", "--sprt", "0,200", "--games", "300")
    ran = zerosum(*words, "--concurrency", "1")
    assert "accepts +200 Elo" in ran.out


def test_a_game_file_is_played_by_its_own_engine(zerosum: Zerosum, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from zerosum.games import load\ngame = load('nim')\n")
    ran = zerosum("match", "mine.py:depth=2", "random", "--games", "2")
    assert ran.code == 0 and "mine.py:depth=2" in ran.out


@pytest.fixture(scope="module")
def match_of_nim(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The games file of a finished match."""
    file = tmp_path_factory.mktemp("match") / "other.jsonl"
    words = ["match", "random", "random", "--game", "nim", "--games", "2", "--concurrency", "1"]
    assert main([*words, "--out", str(file)]) == 0
    return file.read_bytes()


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (("random",), "at least two players"),
        (("random", "motor"), "'motor' is not a player"),
        (("random", "uci:no-such-engine", *ALONE), "there is no program 'no-such-engine'"),
        (("random", "random", "--time", "quick"), "'quick' is not a time control"),
        (("random", "random", "--time", "5+-1"), "'5+-1'"),
        (("random", "random", "--games", "0"), "--games '0' is less than 1"),
        (("random", "random", "--openings", "missing.epd"), "'missing.epd' cannot be read"),
        (("random", "random", "--openings", "illegal.txt"), "'illegal.txt', line 1: move 2: '5' is not a legal move"),
        (("random", "random", "--out", "other.jsonl"), "its game is 'nim', not 'tictactoe'"),
        (("random", "random", "--out", "foreign.jsonl"), "'foreign.jsonl' is not the games file of a match"),
        (("random", "random", "--out", "no/folder/x.jsonl"), "does not exist"),
        (("random", "random", "--out", "games.pgn"), "tictactoe has no format '.pgn'"),
        (("random", "random", "--sprt", "5,0"), "'5,0'"),
        (("random", "random", "--win", "often"), "--win 'often'"),
        (("random", "random", "--grace", "-1"), "--grace '-1'"),
        (("random", "engine:speed=9", *ALONE), "unknown option 'speed'"),
        (("random", "engine", "--time", "none"), "an engine needs a limit"),
        (("random", "random", "--tables", "x"), "tictactoe has no endgame tables"),
        (("random", "engine:weights=missing.json", *ALONE), "cannot read 'missing.json'"),
    ],
)
def test_bad_input_is_one_line(
    zerosum: Zerosum, match_of_nim: bytes, tmp_path: Path, words: tuple[str, ...], quoted: str
) -> None:
    (tmp_path / "illegal.txt").write_text("5 5\n")
    (tmp_path / "foreign.jsonl").write_text("hello\n")
    (tmp_path / "other.jsonl").write_bytes(match_of_nim)
    assert quoted in zerosum("match", *words, "--game", "tictactoe").complaint()
    assert (tmp_path / "other.jsonl").read_bytes() == match_of_nim


def test_a_half_written_game_is_played_again(zerosum: Zerosum, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    words = (*RANDOM, "--games", "4", "--out", "games.jsonl", "--concurrency", "1")
    whole = zerosum(*words)
    content = file.read_bytes()
    file.write_bytes(content[:-40])
    ran = zerosum(*words)
    assert ran.code == 0 and "was incomplete: it is played again" in ran.err
    assert "3 games are in 'games.jsonl'; 1 are left" in ran.out
    assert ran.out.splitlines()[-5:] == whole.out.splitlines()[-5:]


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent differently on this system")
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    words = ["match", "random", "random", "--game", "chess", "--games", "1000", "--out", "games.pgn"]
    process = subprocess.Popen(
        [sys.executable, "-m", "zerosum", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    file = tmp_path / "games.pgn"
    wait_until(lambda: file.exists() and b"Result" in file.read_bytes(), "the first game")
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "run the same command again to continue" in err and "Traceback" not in err
    assert "random (2)" in out
