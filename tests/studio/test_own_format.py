"""A user's game with its own notation and file format, in play, a match, a review and the studio: examples/hex.py."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest

import zerosum as zs
from zerosum.cli import main
from zerosum.studio.shelf import Shelf
from zerosum.studio.tab import Studio

from .conftest import Page, serving

EXAMPLE = Path(__file__).parents[2] / "examples" / "hex.py"
GAMES = "Red: Anna\nBlue: Otto\na1 b1\nb2 c2\n\nRed: Otto\nBlue: Anna\na1 A2 b1 b2 c1 c2 d1 d2\nWinner: Blue\n"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file alone, outside of the package; a few positions need no compiler."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    shutil.copy(EXAMPLE, "hex.py")
    Path("games.hex").write_text(GAMES)


def test_it_is_played_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a1\nB1\na2\nb2\na9\na3\nb3\na4\n"))
    assert main(["play", "hex.py", "--side", "both"]) == 0
    out = capsys.readouterr().out
    assert "'a9' is not a legal move here" in out and out.splitlines()[-1] == "MAX wins."


def test_a_match_is_written_in_its_format_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "random", "random", "--game", "hex.py", "--time", "none", "--out", "new.hex"]
    assert main([*words, "--games", "2"]) == 0
    before = Path("new.hex").read_text()
    Path("new.hex").write_text(before + "Red: random\nBl")  # killed while it wrote
    assert main([*words, "--games", "4"]) == 0
    assert "2 are left" in capsys.readouterr().out
    after = Path("new.hex").read_text()
    assert after.startswith(before) and after.count("Winner: ") == 4


def test_a_game_is_gone_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "hex.py", "--review", "games.hex", "--number", "2", "--depth", "1"]) == 0
    out = capsys.readouterr().out
    assert "MAX (Otto)" in out and out.splitlines()[1].split()[:3] == ["1", "MAX", "a1"]
    assert main(["analyze", "hex.py", "--review", "games.hex", "--number", "3"]) == 2
    assert "has no game 3: it holds 2 games" in capsys.readouterr().err


def test_games_and_named_sets_are_openings() -> None:
    from zerosum.arena.openings import Openings

    game = zs.load("hex.py")
    openings = Openings(game, "games.hex", plies=2)
    assert {tuple(openings.opening(number).texts()) for number in range(2)} == {("a1", "b1"), ("a1", "a2")}
    assert len(Openings(game, "corners")) == 2


def test_the_studio_reads_it_and_offers_it_for_download() -> None:
    with serving(Studio(Shelf(["hex.py"]), hash_mb=1, jit=False)) as (port, _):
        page = Page(port)
        assert ["acute", "a1"] in next(one["openings"] for one in page.welcome["games"] if one["id"] == "hex.py")
        page.open("hex.py", mode="analyse")
        reading = page.ask("read", text=GAMES)
        assert [node["text"] for node in reading["nodes"]] == ["a1", "b1", "b2", "c2"]
        page.ask("go", moves=reading["moves"])
        file = page.ask("save")
        assert file["name"] == "game.hex" and "\na1 b1 b2 c2\n" in file["text"]
        page.close()
