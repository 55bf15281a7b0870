"""``--database`` and ``engine:database=``: solved endings for commands and players."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zerosum.arena.adjudication import Verdict, known_endings
from zerosum.arena.players import parse_player
from zerosum.endgame.build import build
from zerosum.errors import EndgameError
from zerosum.games import load


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("database")
    build(load("tictactoe"), 9, folder, distance=True, jit=False, threads=1)
    return folder


@pytest.mark.slow
def test_solving_takes_the_answer_from_the_database(zerosum, database: Path) -> None:
    ran = zerosum("solve", "tictactoe", "xo.......", "--database", str(database), "--json")
    found = json.loads(ran.out)
    assert ran.code == 0 and found["words"] == "X wins in 5 plies"
    assert len(found["pv"]) == 5 and found["nodes"] < 100
    assert zerosum("solve", "tictactoe", "--database", str(database)).out.startswith("a draw\n")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make commands use engines that do not compile: here it only matters that the database reaches them."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


def test_analyzing_is_over_at_once(zerosum, database: Path, plain: None) -> None:
    ran = zerosum("analyze", "tictactoe", "xo.......", "--database", str(database), "--json")
    last = json.loads(ran.out.splitlines()[-1])
    assert last["proven"] and last["depth"] == 1 and last["distance"] == 5


def test_playing_with_a_database(zerosum, database: Path, plain: None) -> None:
    typed = "\n".join("123456789") + "\n"
    ran = zerosum("play", "tictactoe", "--side", "second", "--database", str(database), typed=typed)
    assert ran.code == 0 and ("MAX wins" in ran.out or "draw" in ran.out or "lost" in ran.out)


@pytest.mark.parametrize("command", ["solve", "analyze", "play"])
def test_a_folder_without_a_database_is_refused(zerosum, command: str, tmp_path: Path) -> None:
    assert (
        "does not contain a finished endgame database"
        in zerosum(command, "tictactoe", "--database", str(tmp_path)).complaint()
    )


def test_a_database_of_another_game_is_refused(zerosum, database: Path) -> None:
    complaint = zerosum("solve", "nim", "--database", str(database)).complaint()
    assert "belongs to tictactoe, not to nim" in complaint


def test_a_database_ends_the_games_of_a_match(zerosum, database: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    ran = zerosum(
        "match", "random", "random:name=other", "--game", "tictactoe", "--games", "2", "--database", str(database),
        "--openings", "random:2", "--out", str(out), "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert "known from the endgame database" in out.read_text()


def test_the_judge_says_who_wins(database: Path) -> None:
    game = load("tictactoe")
    judge = known_endings(game, folder=str(database))
    assert judge is not None and known_endings(game) is None
    assert judge(game.parse_state("xo.......")) == Verdict(1, "known from the endgame database")
    assert judge(game.initial()).result == 0


def test_a_player_with_a_database(database: Path, tmp_path: Path) -> None:
    game = load("tictactoe")
    spec = parse_player(f"engine:database={database},depth=1,name=perfect")
    assert spec.make(game).engine.database.has_distance
    with pytest.raises(EndgameError, match="does not contain a finished"):
        parse_player(f"engine:database={tmp_path}").make(game)
