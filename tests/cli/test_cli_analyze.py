"""Analysis: reports as rows and as JSON, and the ways to end it."""

from __future__ import annotations

import json

import pytest

import zerosum as zs
from zerosum.jit.kernel import Kernel


def objects(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def test_tictactoe_is_a_draw(zerosum):
    ran = zerosum("analyze", "tictactoe")
    assert (ran.code, ran.err) == (0, "")
    heading, *rows, last = ran.out.splitlines()
    assert heading.split() == ["depth", "value", "nodes", "nodes/s", "time", "pv"]
    assert [row.split()[0] for row in rows] == [str(depth) for depth in range(1, len(rows) + 1)]
    assert last.endswith(", a draw")


def test_no_control_codes_where_stdout_is_no_terminal(zerosum):
    assert "\x1b" not in zerosum("analyze", "tictactoe").out


def test_json_has_an_object_a_line(zerosum):
    reports = objects(zerosum("analyze", "tictactoe", "--json").out)
    assert [report["final"] for report in reports] == [False] * (len(reports) - 1) + [True]
    last = reports[-1]
    assert (last["value"], last["outcome"], last["proven"], last["words"]) == (0, 0, True, "a draw")
    assert len(last["pv"]) == 9 and last["move"] == last["pv"][0]
    assert {"depth", "nodes", "seconds", "nodes_per_second", "distance"} <= set(last)


def test_a_position_in_the_games_own_notation(zerosum):
    last = objects(zerosum("analyze", "tictactoe", "xx.oo....", "--json").out)[-1]
    assert (last["move"], last["words"]) == ("3", "X wins in 1 ply")


def test_a_position_by_moves(zerosum):
    last = objects(zerosum("analyze", "tictactoe", "--moves", "1 4 2 5 9", "--json").out)[-1]
    assert (last["move"], last["words"]) == ("6", "O wins in 1 ply")


def test_moves_go_on_from_a_position(zerosum):
    last = objects(zerosum("analyze", "tictactoe", "xx.oo....", "--moves", "9", "--json").out)[-1]
    assert last["move"] == "6"


@pytest.mark.parametrize("command", ["analyze", "solve"])
def test_a_finished_game_compiles_nothing(zerosum, command, monkeypatch):
    monkeypatch.setattr(Kernel, "of", lambda *_: pytest.fail("a kernel is compiled"))
    assert zerosum(command, "tictactoe", "xxxoo....").out == "the game is over: X wins\n"


def test_a_finished_game(zerosum):
    assert zerosum("analyze", "tictactoe", "xxxoo....").out == "the game is over: X wins\n"
    (last,) = objects(zerosum("analyze", "tictactoe", "xxxoo....", "--json").out)
    assert last["move"] is None and last["final"]


def test_a_depth_ends_it(zerosum):
    reports = objects(zerosum("analyze", "tictactoe", "--depth", "3", "--json").out)
    assert max(report["depth"] for report in reports) == 3


def test_your_own_game(zerosum, game_file, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    last = objects(zerosum("analyze", game_file(), "--json").out)[-1]
    assert (last["move"], last["words"]) == ("1", "MAX wins in 3 plies")


def test_all_limits_reach_the_engine(zerosum, fake):
    zerosum("analyze", "tictactoe", "--seconds", "2", "--depth", "3", "--nodes", "99", "--lines", "2", "--hash", "7")
    assert fake.asked == [{"seconds": 2.0, "depth": 3, "nodes": 99, "multipv": 2}]
    assert fake.made[0].settings["hash_mb"] == 7


def test_threads_and_techniques_reach_the_engine(zerosum, fake):
    zerosum("analyze", "tictactoe", "--threads", "2", "--option", "table=off", "--option", "unit=50")
    assert fake.made[0].settings["threads"] == 2
    assert fake.made[0].settings["algorithm"] == zs.AlphaBeta(table=False, unit=50)


def test_several_lines(zerosum):
    rows = zerosum("analyze", "tictactoe", "--lines", "3", "--depth", "2").out.splitlines()
    assert rows[0].split()[:2] == ["line", "depth"]
    assert [row.split()[:2] for row in rows[1:-1]] == [
        [str(line), str(depth)] for depth in (1, 2) for line in (1, 2, 3)
    ]
    last = objects(zerosum("analyze", "tictactoe", "--lines", "3", "--depth", "2", "--json").out)[-1]
    assert len({line["move"] for line in last["lines"]}) == 3
    values = [line["value"] for line in last["lines"]]
    assert values == sorted(values, reverse=True) and last["value"] == values[0]


def test_without_a_limit_five_seconds(zerosum, fake):
    zerosum("analyze", "tictactoe")
    zerosum("analyze", "tictactoe", "--nodes", "9")
    assert [limits["seconds"] for limits in fake.asked] == [5.0, None]


def test_ctrl_c_shows_what_there_is_and_is_no_error(zerosum, fake):
    fake.search_fails = KeyboardInterrupt()
    ran = zerosum("analyze", "tictactoe")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "stopped; best move so far: 9, even"
    ran = zerosum("analyze", "tictactoe", "--json")
    assert [report["final"] for report in objects(ran.out)] == [False, True]


def test_ctrl_c_before_the_first_depth(zerosum, fake):
    fake.prepare_fails = KeyboardInterrupt()
    ran = zerosum("analyze", "tictactoe")
    assert (ran.code, ran.out) == (0, "stopped before the first depth was done\n")
    assert zerosum("analyze", "tictactoe", "--json").out == ""


def test_an_answer_from_an_unfinished_depth_gets_its_own_row(zerosum, fake):
    rows = zerosum("analyze", "tictactoe").out.splitlines()
    assert [row.split()[-1] for row in rows] == ["pv", "9", "1", "even"]


@pytest.mark.parametrize(
    ("options", "quoted"),
    [
        ("--depth -1", "-1"),
        ("--depth 0", "0"),
        ("--seconds 0", "0.0"),
        ("--seconds -1", "-1.0"),
        ("--seconds nan", "nan"),
        ("--nodes 0", "0"),
        ("--hash 0", "0"),
        ("--hash -5", "-5"),
        ("--hash 999999999", "999999999"),
        ("--lines 0", "0"),
    ],
)
@pytest.mark.parametrize("how", ["", "--json"])
def test_limits_that_make_no_sense(zerosum, options, quoted, how):
    ran = zerosum("analyze", "tictactoe", *options.split(), *how.split())
    assert quoted in ran.complaint()
    assert ran.out == ""


def test_an_algorithm_is_chosen_by_its_name(zerosum, fake):
    zerosum("analyze", "tictactoe", "--algorithm", "minimax")
    assert fake.made[0].settings["algorithm"] == zs.Minimax()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--algorithm", "mimimax"), "unknown algorithm 'mimimax'; the algorithms are alphabeta, minimax"),
        (("--algorithm", "minimax", "--option", "table=off"), "unknown option 'table' of minimax; it has none"),
    ],
)
def test_an_algorithm_or_option_that_does_not_exist(zerosum, words, message):
    done = zerosum("analyze", "tictactoe", *words)
    assert done.code == 2
    assert message in done.err
