"""``zerosum gather``: output and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

import zerosum as zs
from zerosum.learn.gathering import Gathering
from zerosum.learn.positions_file import PositionsFile

FOUR = ("connect-four", "--set", "width=5", "--set", "height=4")
QUICK = ("--depth", "2", "--random-plies", "3", "--threads", "1")
GAME = zs.load("connect-four", width=5, height=4)


def test_it_gathers_and_goes_on(zerosum, tmp_path: Path) -> None:
    file = str(tmp_path / "four.zsp")
    ran = zerosum("gather", *FOUR[:1], file, *FOUR[1:], "--positions", "50", *QUICK)
    assert ran.code == 0
    first, last = ran.out.splitlines()
    assert " positions from " in first and first.endswith(" a second")
    assert last.startswith(f"{file}: ")
    before = PositionsFile(file, GAME).positions
    assert before >= 50
    ran = zerosum("gather", *FOUR[:1], file, *FOUR[1:], "--positions", "20", "--nodes", "50", "--threads", "1")
    assert ran.code == 0 and ran.out.startswith(f"{file}: {before} positions so far\n")
    assert [block.head["nodes"] for block in PositionsFile(file, GAME).blocks()] == [None, 50]


def test_ctrl_c_says_how_many_positions_are_left(zerosum, tmp_path: Path, monkeypatch) -> None:
    def half(run: Gathering, positions: int, **asked) -> None:
        whole(run, positions // 2, **asked)
        raise KeyboardInterrupt

    whole = Gathering.run
    monkeypatch.setattr(Gathering, "run", half)
    file = str(tmp_path / "four.zsp")
    ran = zerosum("gather", *FOUR[:1], file, *FOUR[1:], "--positions", "50", *QUICK)
    left = 50 - PositionsFile(file, GAME).positions
    assert ran.code == 130 and f"all saved in {file!r}; --positions {left} adds the rest" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--positions", "0"], "--positions '0' is less than 1"),
        (["--depth", "x"], "--depth 'x' is not a whole number"),
        (["--nodes", "0"], "nodes must be a whole number of at least 1, not 0"),
        (["--resign", "much"], "--resign 'much' is not a number"),
        (["--resign", "-1"], "resign must be a number of units of at least 0, not -1.0"),
        (["--balance", "nan"], "balance must be a number of units of at least 0, not nan"),
        (["--random-plies", "-1"], "--random-plies '-1' is less than 0"),
        (["--database", "nowhere"], "'nowhere' does not contain a finished endgame database"),
        (["--weights", "nowhere"], "cannot read 'nowhere': the file does not exist"),
    ],
)
def test_requests_that_make_no_sense(zerosum, tmp_path: Path, arguments: list[str], said: str) -> None:
    file = tmp_path / "four.zsp"
    assert said in zerosum("gather", "connect-four", str(file), *arguments).complaint()
    assert not file.exists()


def test_files_that_it_cannot_use(zerosum, tmp_path: Path) -> None:
    assert "is a folder" in zerosum("gather", "connect-four", str(tmp_path)).complaint()
    assert "does not exist" in zerosum("gather", "connect-four", str(tmp_path / "no" / "file")).complaint()
    other = tmp_path / "notes.txt"
    other.write_text("hello\n")
    assert "is not a file of the format" in zerosum("gather", "connect-four", str(other)).complaint()
    assert other.read_text() == "hello\n"


def test_games_that_it_is_not_for(zerosum, tmp_path: Path) -> None:
    assert "pig has chance nodes" in zerosum("gather", "pig", str(tmp_path / "pig.zsp")).complaint()
