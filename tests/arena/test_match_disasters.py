"""Disasters in a match: it is killed at any moment, and players fail in every way."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from arena.children import children
from patience import PATIENCE

from zerosum.arena.games_file import read_games_file
from zerosum.arena.match import Match, Plan
from zerosum.arena.players import parse_player
from zerosum.arena.referee import Rules
from zerosum.arena.standings import Standings
from zerosum.arena.time_control import TimeControl
from zerosum.formats.record import GameRecord
from zerosum.games import load

FAKE = Path(__file__).parent / "fake_engine.py"
KILLS, GAMES = 10, 500


def fake(way: str) -> str:
    return f"uci:{sys.executable} {FAKE} {way},name={way}"


def played(path: Path) -> list[GameRecord]:
    """The games of a file, without anything that differs from run to run."""
    return [replace(record, date="", seconds=()) for record in read_games_file(path)[1]]


@pytest.mark.slow
def test_killed_at_random_and_resumed_no_game_is_lost_or_played_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    words = ["match", "random", "random:name=other", "--game", "tictactoe", "--games", str(GAMES), "--json"]
    command = [sys.executable, "-m", "zerosum", *words, "--out", str(path), "--concurrency", "2"]
    chance = random.Random(3)
    killed = 0
    for _ in range(KILLS):
        before = path.stat().st_size if path.exists() else 0
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        goal = before + chance.randrange(1, 12000)
        while process.poll() is None and not (path.exists() and path.stat().st_size >= goal):
            time.sleep(0.001)
        killed += process.poll() is None
        process.kill()
        process.wait()
    assert killed == KILLS
    assert not path.exists() or len(read_games_file(path)[1]) < GAMES
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    header, records = read_games_file(path)
    assert header["players"] == words[1:3]
    assert [record.number for record in records] == list(range(1, GAMES + 1))
    shown = json.loads(finished.stdout)
    computed = Standings(["random", "other"], records).as_dict()
    assert {key: shown[key] for key in computed} == json.loads(json.dumps(computed))
    whole = tmp_path / "whole.jsonl"
    Match(Plan(load("tictactoe"), [parse_player(text) for text in words[1:3]], games=GAMES), whole).run()
    assert played(path) == played(whole)


@pytest.mark.slow
def test_programs_that_fail_lose_their_games_and_the_match_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerosum.arena.uci_player.HANDSHAKE", PATIENCE)
    monkeypatch.setattr("zerosum.arena.uci_player.LAST_CALL", 3.0)
    before = children()
    kinds = {"crash": "crash", "illegal": "illegal move", "silent": "hang", "rubbish": "hang", "late": "time"}
    plan = Plan(
        load("tictactoe"),
        [parse_player(fake(way)) for way in ("good", *kinds)],
        games=2,
        gauntlet=True,
        rules=Rules(TimeControl(movetime=3.0), grace=2.0),
    )
    log = tmp_path / "talk.log"
    standings = Match(plan, tmp_path / "games.jsonl", concurrency=2, log=log).run()
    assert standings.games == 10 and standings.overall(0).wins == 10
    assert {record.fault: record.reason for record in standings.faults} == kinds
    assert all(record.fault == record.loser and record.detail for record in standings.faults)
    assert "good < bestmove" in log.read_text() and "silent > go movetime 3000" in log.read_text()
    assert children() <= before  # no process is left behind
