"""A user's game with its own notation and file format, in play, a match, a review and the studio: examples/snort.py."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest

import zerosum as zs
from zerosum.cli import main
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.tab import Studio

from .conftest import Page, serving

EXAMPLE = Path(__file__).parents[2] / "examples" / "snort.py"
GAMES = "Red: Anna\nBlue: Otto\na1 d4\nb2 d3\n\nRed: Otto\nBlue: Anna\nd2 B4 c3 c1 b2 d4 a3 a1\nWinner: Blue\n"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use only the file, outside the package; a few positions need no compiler."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    shutil.copy(EXAMPLE, "snort.py")
    Path("games.snort").write_text(GAMES)


def test_it_is_played_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a4\nD4\nc2\na1\na9\na3\nc4\nd2\nb1\nb3\n"))
    assert main(["play", "snort.py", "--side", "both"]) == 0
    out = capsys.readouterr().out
    assert "'a9' is not a legal move here" in out and out.splitlines()[-1] == "Red wins."


def test_a_match_is_written_in_its_format_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "random", "random", "--game", "snort.py", "--time", "none", "--out", "new.snort"]
    assert main([*words, "--games", "2"]) == 0
    before = Path("new.snort").read_text()
    Path("new.snort").write_text(before + "Red: random\nBl")  # killed while writing
    assert main([*words, "--games", "4"]) == 0
    assert "2 are left" in capsys.readouterr().out
    after = Path("new.snort").read_text()
    assert after.startswith(before) and after.count("Winner: ") == 4


def test_a_game_is_gone_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "snort.py", "--review", "games.snort", "--number", "2", "--depth", "1"]) == 0
    out = capsys.readouterr().out
    assert "Red (Otto)" in out and out.splitlines()[1].split()[:3] == ["1", "Red", "d2"]
    assert main(["analyze", "snort.py", "--review", "games.snort", "--number", "3"]) == 2
    assert "has no game 3: it holds 2 games" in capsys.readouterr().err


def test_games_and_named_sets_are_openings() -> None:
    from zerosum.arena.openings import Openings

    game = zs.load("snort.py")
    openings = Openings(game, "games.snort", plies=2)
    assert {tuple(openings.opening(number).texts()) for number in range(2)} == {("a1", "d4"), ("d2", "b4")}
    assert len(Openings(game, "first")) == 2


def test_the_studio_reads_it_and_offers_it_for_download() -> None:
    with serving(Studio(OfferedGames(["snort.py"]), hash_mb=1, jit=False)) as (port, _):
        page = Page(port)
        assert ["corner", "a1"] in next(one["openings"] for one in page.welcome["games"] if one["id"] == "snort.py")
        page.open("snort.py", mode="analyse")
        reading = page.ask("read", text=GAMES)
        assert [node["text"] for node in reading["nodes"]] == ["a1", "d4", "b2", "d3"]
        page.ask("go", moves=reading["moves"])
        file = page.ask("save")
        assert file["name"] == "game.snort" and "\na1 d4 b2 d3\n" in file["text"]
        page.close()
