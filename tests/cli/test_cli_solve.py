"""Solving: one position in words, many in a table, and files with mistakes in them."""

from __future__ import annotations

import json

import pytest

from zerosum.errors import ZerosumError
from zerosum.game import WIN
from zerosum.games import load
from zerosum.search.result import Result
from zerosum.solving import read_position


@pytest.fixture
def positions(tmp_path):
    """``positions("519", "1 2")`` is a file with these lines."""

    def write(*lines: str) -> str:
        path = tmp_path / "positions.txt"
        path.write_text("".join(f"{line}\n" for line in lines))
        return str(path)

    return write


def test_a_win_and_its_line(zerosum):
    ran = zerosum("solve", "tictactoe", "--moves", "1 4 2 5 9")
    assert (ran.code, ran.err) == (0, "")
    value, line, effort = ran.out.splitlines()
    assert (value, line) == ("O wins in 1 ply", "line: 6")
    assert "nodes" in effort


def test_a_draw(zerosum):
    value, line, _ = zerosum("solve", "tictactoe", "x...o....").out.splitlines()
    assert value == "a draw" and len(line.split()) == 1 + 7


def test_json(zerosum):
    found = json.loads(zerosum("solve", "tictactoe", "xx.oo....", "--json").out)
    assert (found["position"], found["move"], found["value"]) == ("xx.oo....", "3", WIN - 1)
    assert (found["outcome"], found["distance"], found["proven"], found["words"]) == (1, 1, True, "X wins in 1 ply")


def test_a_finished_game(zerosum):
    ran = zerosum("solve", "tictactoe", "xxxoo....")
    assert (ran.code, ran.out) == (0, "the game is over: X wins\n")


def test_threads_and_options(zerosum):
    ran = zerosum("solve", "tictactoe", "--threads", "2", "--option", "table=off", "--option", "killers=off")
    assert ran.code == 0 and ran.out.startswith("a draw\n")


@pytest.mark.slow
def test_your_own_game_has_a_line_to_its_end(zerosum, game_file):
    value, line, _ = zerosum("solve", game_file()).out.splitlines()
    assert value == "MAX wins in 3 plies" and len(line.split()) == 1 + 3


@pytest.fixture
def too_hard(monkeypatch):
    """Make every solve run out of time."""
    from zerosum.engine import Engine

    def give_up(self, positions, seconds=None, on_report=None, stop=None, device="cpu"):
        for _ in positions:
            yield Result(0, 0, None, None, False, (0,), 1, 99, seconds)

    monkeypatch.setattr(Engine, "solve_many", give_up)


def test_too_little_time_is_said_and_is_exit_code_1(zerosum, too_hard):
    ran = zerosum("solve", "tictactoe", "--seconds", "0.2")
    assert (ran.code, ran.out) == (1, "not solved within 200 ms; 99 nodes\n")
    ran = zerosum("solve", "tictactoe", "--seconds", "0.2", "--json")
    found = json.loads(ran.out)
    assert ran.code == 1 and not found["proven"] and found["words"] == "not solved"


# Files


def test_a_file_gives_a_line_for_each_position(zerosum, positions):
    path = positions("xx.oo....", "", "# moves:", "1 4 2 5 9", "1,4,2,5,9", "14259 extra 77", "x...o....\t0")
    ran = zerosum("solve", "tictactoe", "--file", path)
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert [row[:3] for row in rows] == [
        ["xx.oo....", str(WIN - 1), "1"],
        ["1 4 2 5 9", str(1 - WIN), "1"],
        ["1,4,2,5,9", str(1 - WIN), "1"],
        ["14259", str(1 - WIN), "1"],
        ["x...o....", "0", "7"],
    ]
    assert all(int(nodes) > 0 and float(seconds) >= 0 for _, _, _, nodes, seconds in rows)


def test_a_file_as_json(zerosum, positions):
    ran = zerosum("solve", "tictactoe", "--file", positions("14259", "xxxoo...."), "--json")
    first, over = (json.loads(line) for line in ran.out.splitlines())
    assert (first["position"], first["value"], first["plies"], first["move"]) == ("14259", 1 - WIN, 1, "6")
    assert (over["value"], over["plies"], over["move"]) == (WIN, 0, None)


def test_one_bad_line_among_many_is_reported_and_the_others_go_on(zerosum, positions):
    lines = ["14259"] * 200
    lines[41] = "nonsense"
    lines[99] = "1425x"
    ran = zerosum("solve", "tictactoe", "--file", positions(*lines))
    assert ran.code == 1
    assert len(ran.out.splitlines()) == 198
    first, second, last = ran.err.splitlines()
    assert first.startswith("zerosum: line 42: 'nonsense' is not a position of tictactoe")
    assert second.startswith("zerosum: line 100: '1425x': move 5: 'x' is not a legal move")
    assert last == "zerosum: 2 lines are invalid"


def test_positions_from_stdin(zerosum):
    ran = zerosum("solve", "tictactoe", "--file", "-", typed="14259\n")
    assert ran.code == 0 and ran.out.startswith(f"14259\t{1 - WIN}\t1\t")


def test_a_file_that_cannot_be_solved_in_time(zerosum, positions, too_hard):
    ran = zerosum("solve", "tictactoe", "--file", positions("5", "14259"), "--seconds", "0.1")
    assert (ran.code, ran.err) == (1, "zerosum: 2 not solved within 100 ms each\n")
    assert [row.split("\t")[:3] for row in ran.out.splitlines()] == [["5", "?", "?"], ["14259", "?", "?"]]


def test_ctrl_c_keeps_what_is_done(zerosum, positions, monkeypatch):
    from zerosum.engine import Engine

    solve_many = Engine.solve_many

    def interrupted(self, *arguments, **settings):
        results = solve_many(self, *arguments, **settings)
        yield next(results)
        results.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Engine, "solve_many", interrupted)
    ran = zerosum("solve", "tictactoe", "--file", positions("14259", "xx.oo....", "5"))
    assert (ran.code, ran.err) == (130, "zerosum: interrupted\n")
    assert ran.out.startswith("14259\t") and ran.out.count("\n") == 1


@pytest.mark.parametrize(
    ("game", "text", "shown", "plies"),
    [
        ("connect-four", "32164625 11", "32164625", 8),
        ("connect-four", "6146 18", "6146", 4),
        ("connect-four", "4 4 3", "4 4 3", 3),
        ("connect-four", "44\t3", "44", 2),
        ("kalah", "3", "3", 1),
        ("nim", "1,4,5 min", "1,4,5 min", 0),
        ("nim", "a2, b1", "a2, b1", 2),
        ("othello", f"{'-' * 27}OX{'-' * 6}XO{'-' * 27} X; D3:+0; C4:+0;", f"{'-' * 27}OX{'-' * 6}XO{'-' * 27} X", 0),
    ],
)
def test_what_a_line_of_a_file_means(game, text, shown, plies):
    found, line = read_position(load(game), text)
    assert (found, len(line)) == (shown, plies)


@pytest.mark.parametrize("text", ["48", "4444444", "x", ";", "0 0 0"])
def test_lines_that_mean_nothing(text):
    with pytest.raises(ZerosumError) as problem:
        read_position(load("connect-four"), text)
    assert "'" in str(problem.value)


# Bad input


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--file nowhere.txt", "'nowhere.txt' cannot be read: No such file"),
        ("--file .", "'.' cannot be read"),
        ("xx.oo.... --file nowhere.txt", "'nowhere.txt'"),
        ("--seconds 0", "0.0"),
        ("--threads 0", "'0'"),
        ("--threads many", "'many'"),
        ("--hash 0", "0"),
        ("--option table", "'table'"),
        ("--option table=maybe", "'maybe'"),
        ("--option table=3", "'table=3': table is on or off"),
        ("--option symmetry=3", "symmetry is on or off"),
        ("--option unit=on", "unit is a whole number"),
        ("--option tabel=on", "'tabel'"),
        ("--option table=off --option exact_draft=on", "exact_draft"),
        ("--option table=off --option table=on", "twice"),
        ("--option bounds=on", "bounds"),
        ("--option null_move=on", "null_move guesses"),
    ],
)
def test_arguments_that_make_no_sense(zerosum, arguments, expected):
    ran = zerosum("solve", "tictactoe", *arguments.split())
    assert expected in ran.complaint() and ran.out == ""


def test_a_technique_whose_function_the_game_lacks_is_named(zerosum):
    for command in ("analyze", "bench"):
        complaint = zerosum(command, "tictactoe", "--option", "quiescence=on").complaint()
        assert "'quiescence' needs noisy_moves" in complaint


def test_a_game_of_chance_is_not_solved(zerosum):
    assert "pig has chance nodes" in zerosum("solve", "pig").complaint()


def test_the_bar_is_on_stderr_and_leaves_stdout_alone(zerosum, positions, monkeypatch, capsys):
    monkeypatch.setattr("zerosum.cli.progress.is_live", lambda: True)
    monkeypatch.setattr("zerosum.cli.progress.DELAY", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    ran = zerosum("solve", "tictactoe", "--file", positions(*["14259"] * 20))
    assert ran.code == 0 and ran.out.count("\n") == 20 and "\x1b" not in ran.out
    assert "20 solved" in ran.err


def test_a_card_solves_the_same_file(zerosum, positions, monkeypatch):
    monkeypatch.setenv("ZEROSUM_GPU", "simulated")
    file = positions("xx.oo....", "x...o....", "no position", "xxxoo....")
    here, there = zerosum("solve", "tictactoe", "--file", file), zerosum("solve", "tictactoe", "--file", file, "--gpu")
    assert (here.code, there.code) == (1, 1)
    assert here.err == there.err
    first_three = [[line.split("\t")[:3] for line in ran.out.splitlines()] for ran in (here, there)]
    assert first_three[0] == first_three[1]


def test_a_card_is_for_many_positions(zerosum):
    ran = zerosum("solve", "tictactoe", "xx.oo....", "--gpu")
    assert (ran.code, ran.out) == (2, "")
    assert "--gpu solves many positions at once: give them with --file" in ran.err
