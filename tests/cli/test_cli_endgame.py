"""``zerosum endgame``: build, verify, probe, stats, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zerosum.jit.target import PLAIN

Command = Callable[..., Any]


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve without compiling: there are only a few positions."""
    from zerosum.endgame import build

    real = build.Solver

    def solver(game: Any, tiers: int, threads: int, target: Any, *others: Any) -> Any:
        return real(game, tiers, 1, PLAIN, *others)

    monkeypatch.setattr(build, "Solver", solver)


def test_ctrl_c_says_how_to_continue(zerosum: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zerosum.endgame.build.build", interrupted)
    ran = zerosum("endgame", "build", "nim", "--out", str(tmp_path))
    assert ran.code == 130 and "run the same command again to continue" in ran.err


@pytest.mark.usefixtures("plain")
def test_a_database_from_building_to_asking(zerosum: Command, tmp_path: Path) -> None:
    nim, folder = ("nim", "--set", "heaps=2,3"), str(tmp_path / "nim")
    built = zerosum("endgame", "build", *nim, "--out", folder, "--distance")
    assert built.code == 0 and built.err == "" and "24 positions in 1 tier, " in built.out
    assert zerosum("endgame", "verify", *nim, "--dir", folder).out == "24 of 24 positions recomputed; all agree\n"
    report = json.loads(zerosum("endgame", "verify", *nim, "--dir", folder, "--json", "--sample", "6").out)
    assert (report["positions"], report["verified"]) == (24, 6)
    assert zerosum("endgame", "probe", *nim, "2,1", "--dir", folder).out == "MAX wins in 3 plies\n"
    assert zerosum("endgame", "probe", *nim, "1,1", "--dir", folder).out == "MIN wins in 2 plies\n"
    assert zerosum("endgame", "probe", *nim, "0,1 min", "--dir", folder).out == "MIN wins in 1 ply\n"
    asked = json.loads(zerosum("endgame", "probe", *nim, "--dir", folder, "--json").out)
    assert asked == {"position": "2,3 max", "outcome": 1, "distance": 5}
    shown = zerosum("endgame", "stats", *nim, "--dir", folder).out.splitlines()
    assert shown[0].split() == ["tier", "positions", "wins", "draws", "losses", "longest", "win", "bytes"]
    assert shown[2].split()[:6] == ["sum", "24", "18", "0", "6", "5"]
    stats = json.loads(zerosum("endgame", "stats", *nim, "--dir", folder, "--json").out)
    assert stats["positions"] == 24 and stats["tiers"][0]["longest"] == 5 and stats["distance"] is True
    again = json.loads(zerosum("endgame", "build", *nim, "--out", folder, "--json").out)
    assert again["wins"] == 18 and again["losses"] == 6
    # Other heaps are another database.
    assert "other parameters or rules of nim" in zerosum("endgame", "stats", "nim", "--dir", folder).complaint()


@pytest.mark.parametrize(
    "arguments, why",
    [
        (["solve", "nim"], "unknown action 'solve'; 'zerosum endgame' has build, verify, probe, stats"),
        (["build", "nim"], "needs a folder for the database: --out DIR"),
        (["stats", "nim"], "needs the folder of a database: --dir DIR"),
        (["stats", "nim", "--out", "x"], "--out 'x' cannot be used with stats; it is for build"),
        (["stats", "nim", "--distance"], "--distance cannot be used with stats; it is for build"),
        (["stats", "nim", "3,3,3", "--dir", "x"], "POSITION '3,3,3' cannot be used with stats; it is for probe"),
        (["stats", "nim", "--dir", "/nowhere"], "'/nowhere' does not contain a finished endgame database"),
        (["build", "othello", "--out", "x"], "an endgame database needs tiers(n), which othello does not define"),
        (["build", "pig", "--out", "x"], "an endgame database needs tiers(n), which pig does not define"),
        (["build", "connect-four", "--out", "x"], "tier 'all' has 532,875,860,165,503 positions"),
        (["build", "checkers", "--pieces", "many", "--out", "x"], "--pieces 'many' is not a whole number"),
        (["build", "checkers", "--pieces", "-1", "--out", "x"], "--pieces '-1' is less than 0"),
        (["build", "checkers", "--out", "x"], "1 to 7 pieces, not 0"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(
    zerosum: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert why in zerosum("endgame", *arguments).complaint()
    assert not list(tmp_path.iterdir())
