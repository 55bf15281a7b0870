"""Suites: solved and unsolved positions, and files with mistakes in them."""

from __future__ import annotations

import json

import pytest

GOOD = 'xx.oo.... bm 3; id "win";'
BAD_GOAL = 'xx.oo.... am 3; id "impossible";'


@pytest.fixture
def suite(zerosum, tmp_path, monkeypatch):
    """``suite([lines], "--depth", "3")`` runs tic-tac-toe positions, uncompiled."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")

    def run(lines, *arguments):
        path = tmp_path / "suite.epd"
        path.write_text("".join(f"{line}\n" for line in lines))
        return zerosum("suite", str(path), "--game", "tictactoe", *arguments)

    return run


def test_failures_are_listed_with_the_move_found_and_the_one_wanted(suite):
    ran = suite(["# a comment", "", GOOD, BAD_GOAL], "--depth", "3")
    assert (ran.code, ran.err) == (0, "")
    heading, failed, summary = ran.out.splitlines()
    assert heading.split() == ["position", "wanted", "found", "depth", "after"]
    assert failed.split() == ["impossible", "not", "3", "3", "1", "failed"]
    assert summary.startswith("solved 1 of 2; ")


def test_all_are_listed_if_asked_for(suite):
    lines = suite([GOOD, "xx.oo.... dm 1;"], "--depth", "3", "--all").out.splitlines()
    assert (
        lines[1].startswith("win ") and lines[2].startswith("no. 2 ") and lines[2].split()[2:5] == ["mate", "in", "1"]
    )
    assert lines[-1].startswith("solved 2 of 2")


def test_json(suite):
    ran = suite([GOOD, BAD_GOAL], "--depth", "3", "--json")
    first, second, summary = (json.loads(line) for line in ran.out.splitlines())
    assert first["solved"] and (first["id"], first["found"], first["wanted"]) == ("win", "3", "3")
    assert not second["solved"] and second["found_after"] is None
    assert (summary["solved"], summary["positions"], summary["failed"]) == (1, 2, ["impossible"])


def test_a_limit(suite):
    assert suite([GOOD] * 9, "--depth", "2", "--limit", "4").out.startswith("solved 4 of 4")


def test_bad_lines_are_reported_with_their_numbers_and_the_others_go_on(suite):
    ran = suite([GOOD, "nonsense bm 3;", "xx.oo.... bm 1;", "xx.oo....", GOOD], "--depth", "2")
    assert ran.code == 1 and ran.out.startswith("solved 2 of 2")
    errors = ran.err.splitlines()
    assert errors[0].startswith("zerosum: line 2: 'nonsense' is not a position of tictactoe")
    assert errors[1].startswith("zerosum: line 3: bm: '1' is not a legal move")
    assert errors[2].startswith("zerosum: line 4: 'xx.oo....' has no solution: give bm, am or dm")
    assert errors[3] == "zerosum: 3 lines are invalid"


def test_ctrl_c_shows_what_is_done(suite, monkeypatch):
    from zerosum.engine import Engine

    search = Engine.search
    calls = []

    def interrupted(self, *arguments, **settings):
        calls.append(1)  # the first is the warm-up
        if len(calls) == 4:
            raise KeyboardInterrupt
        return search(self, *arguments, **settings)

    monkeypatch.setattr(Engine, "search", interrupted)
    ran = suite([GOOD] * 5, "--depth", "2")
    assert (ran.code, ran.err) == (130, "zerosum: interrupted\n") and ran.out.startswith("solved 2 of 2")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere.epd", "--game", "tictactoe"), "'nowhere.epd' cannot be read: No such file"),
        (("/", "--game", "tictactoe"), "'/' cannot be read"),
        (("/dev/null", "--game", "tictactoe"), "'/dev/null' contains no positions"),
        (("x.epd", "--game", "checkerz"), "'checkerz'"),
        (("x.epd", "--game", "tictactoe", "--seconds", "0"), "0"),
        (("x.epd", "--limit", "none"), "'none'"),
        ((), "FILE"),
    ],
)
def test_arguments_that_make_no_sense(zerosum, arguments, expected):
    assert expected in zerosum("suite", *arguments).complaint()
