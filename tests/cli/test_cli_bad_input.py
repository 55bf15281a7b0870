"""Invalid games and positions: one line that says what is wrong, exit code 2, no traceback."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import pytest
from patience import PATIENCE
from rights import bound_by_permissions

COMMANDS = (("play", "--side", "none", "--depth", "4"), ("analyze", "--depth", "4"), ("perft",))


def run(zerosum, command, game, *more):
    name, *options = command
    return zerosum(name, game, *options, *more)


every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


@every_command
def test_an_unknown_game_suggests_the_nearest(zerosum, command):
    complaint = run(zerosum, command, "tictacto").complaint()
    assert "'tictacto'" in complaint and "'tictactoe'" in complaint


@every_command
def test_a_file_that_is_not_there(zerosum, command):
    assert "'nowhere/my_game.py'" in run(zerosum, command, "nowhere/my_game.py").complaint()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("from typing import NamedTuple", "import no_such_module", "no_such_module"),
        ("def initial():", "def initial(:", "line 11"),
        ("def initial():", "1 / 0\ndef initial():", "ZeroDivisionError"),
        ("def initial():", "raise SystemExit(3)\ndef initial():", "SystemExit"),
        ("game = Game(", "def other():\n    return Game(", "defines no Game"),
        ("game = Game(", "import zerosum\nzerosum.load(__file__)\ngame = Game(", "loads itself"),
        (
            "game = Game(",
            "rules = Pile, initial, to_move, moves, play, utility, 2\na = Game('a', *rules)\nb = Game(",
            "'game'",
        ),
    ],
)
@every_command
def test_a_file_that_gives_no_game(zerosum, game_file, command, old, new, expected):
    complaint = run(zerosum, command, game_file(old, new)).complaint()
    assert "stones.py" in complaint and expected in complaint


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("play, utility, ", "play, ", "utility"),
        ("utility, max_moves=2", "utility", "max_moves"),
        ("utility, max_moves=2", "utility, max_moves=0", "0"),
        ("moves, play", "moves, 7", "7"),
        ("play, utility", "play, None", "utility"),
        ("def play(s, n):", "def play(s):", "play takes 1 argument"),
        ("max_moves=2", "max_moves=2, evalute=utility", "'evalute'"),
        ("stones: int", "stones: list", "stones"),
    ],
)
def test_a_game_that_lacks_something(zerosum, game_file, old, new, expected):
    assert expected in zerosum("analyze", game_file(old, new)).complaint()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("yield n", "yield n / 2", "0.5"),
        ("yield n", "yield 'take'", "'take'"),
        ("yield n", "yield None", "None"),
        ("yield n", "yield n + 2**31", "2147483649"),
        ("yield n", "yield -n", "-1"),
        ("max_moves=2", "max_moves=1", "max_moves = 1"),
        ("yield n", "while True:\n            yield n", "max_moves = 2"),
        ("return Pile(4, 0)", "return 4", "4"),
        ("return Pile(4, 0)", "return Pile(4.5, 0)", "4.5"),
        ("return Pile(4, 0)", "return Pile(2**63, 0)", "9223372036854775808"),
        ("return Pile(4, 0)", "return (4, 0, 0)", "(4, 0, 0)"),
        ("return s.turn", "return [][s.turn]", "IndexError"),
        ("for n in range", "s.pebbles\n    for n in range", "pebbles"),
    ],
)
@every_command
def test_rules_that_are_wrong_at_the_first_position(zerosum, game_file, command, old, new, expected):
    complaint = run(zerosum, command, game_file(old, new)).complaint()
    assert expected in complaint and "stones" in complaint
    assert "internal error" not in complaint


WRONG_FURTHER_ON = [
    ("return Pile(s.stones - n, 1 - s.turn)", "return (s.stones - n, 1 - s.turn, 0)", "play"),
    ("return Pile(s.stones - n, 1 - s.turn)", "return s.stones", "play"),
    ("yield n", "yield n if s.stones > 3 else n + 2**31", "outside"),
    ("range(1, min(2, s.stones) + 1)", "range(1, 3 if s.stones == 4 else 9)", "max_moves = 2"),
]


@pytest.mark.parametrize(("old", "new", "expected"), WRONG_FURTHER_ON)
def test_rules_that_are_wrong_further_on(zerosum, game_file, old, new, expected):
    complaint = zerosum("perft", game_file(old, new)).complaint()
    assert expected in complaint and "internal error" not in complaint


@pytest.mark.parametrize(("old", "new", "expected"), WRONG_FURTHER_ON)
def test_a_game_that_goes_wrong_while_it_is_played(zerosum, fake, game_file, old, new, expected):
    ran = zerosum("play", game_file(old, new), "--side", "none")
    assert expected in ran.complaint()
    assert ran.out  # everything before the error was printed


@pytest.mark.slow  # the fast version is test_too_many_moves_are_an_error_and_never_a_crash, among the compiler's tests
def test_a_search_never_writes_more_moves_than_it_has_room_for(zerosum, game_file):
    path = game_file("range(1, min(2, s.stones) + 1)", "range(1, 3 if s.stones == 4 else 900)")
    assert "max_moves = 2" in zerosum("analyze", path).complaint()


def test_an_exception_in_a_rule_names_the_line(zerosum, game_file):
    complaint = zerosum("play", game_file("return s.turn", "return [][s.turn]")).complaint()
    assert complaint == "stones.py, line 16, in to_move: IndexError: list index out of range"


def test_a_player_that_does_not_exist(zerosum, game_file):
    assert "7" in zerosum("play", game_file("return s.turn", "return 7")).complaint()


def test_a_utility_that_is_no_number(zerosum, game_file):
    path = game_file("return 1 if s.turn == 1 else -1", "return 'won'", "Pile(4, 0)", "Pile(0, 0)")
    assert "'won'" in zerosum("play", path).complaint()


def test_a_game_that_never_ends(zerosum, game_file, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    path = game_file("s.stones - n, ", "s.stones, ")
    ran = zerosum("play", path, "--side", "none", "--depth", "1", "--max-plies", "20")
    assert ran.complaint() == "stones: the game is not over after 20 moves; --max-plies allows more"
    assert ran.out.count("MAX: ") == 10
    ran = zerosum("analyze", path, "--seconds", "0.1")  # a search has its own limits
    assert ran.code == 0 and "best move: " in ran.out


@pytest.mark.parametrize(
    ("command", "position"),
    [
        (("analyze", "tictactoe", "xyz"), "'xyz'"),
        (("analyze", "tictactoe", "xxxxxxxxx"), "'xxxxxxxxx'"),
        (("perft", "tictactoe", "3", "xyz"), "'xyz'"),
        (("play", "tictactoe", "--position", "xyz"), "'xyz'"),
        (("analyze", "connect-four", "nonsense"), "'nonsense'"),
    ],
)
def test_a_position_that_does_not_parse(zerosum, command, position):
    complaint = zerosum(*command).complaint()
    assert position in complaint and "not a position" in complaint


def test_a_position_without_notation(zerosum, game_file):
    assert "'4'" in zerosum("analyze", game_file(), "4").complaint()
    assert "'four zero'" in zerosum("analyze", game_file(), "four zero").complaint()


@pytest.mark.parametrize("command", [("analyze",), ("perft",), ("play",)])
@pytest.mark.parametrize(("moves", "quoted"), [("5 5", "'5'"), ("5 ten", "'ten'"), ("1,4,2,5,3,6", "'6'")])
def test_an_illegal_move(zerosum, command, moves, quoted):
    complaint = zerosum(*command, "tictactoe", "--moves", moves).complaint()
    assert quoted in complaint and complaint.startswith(f"move {len(moves.replace(',', ' ').split())}: ")


@pytest.mark.parametrize("options", [("--hash", "0"), ("--hash", "999999999"), ("--depth", "-1"), ("--seconds", "0")])
@pytest.mark.parametrize("command", ["play", "analyze"])
def test_limits(zerosum, command, options):
    assert options[1] in zerosum(command, "tictactoe", *options).complaint()


def test_no_nodes(zerosum):
    assert "0" in zerosum("analyze", "tictactoe", "--nodes", "0").complaint()


@pytest.mark.parametrize(
    "command",
    [
        ["trace", "shut/tree.txt"],
        ["check", "shut/my_game.py"],
        ["trace", "--example", "alpha-beta-chapter-6", "--html", "shut/page.html"],
        ["match", "random", "random", "--game", "tictactoe", "--games", "2", "--out", "shut/games.jsonl"],
        ["endgame", "build", "tictactoe", "--pieces", "2", "--out", "shut"],
    ],
    ids=lambda command: f"{command[0]} {command[-2]}",
)
def test_a_folder_that_may_not_be_entered(command, tmp_path):
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o000)
    program = bound_by_permissions([sys.executable, "-m", "zerosum", *command])
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    shut.chmod(0o700)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("zerosum: ") and "shut" in done.stderr and "Permission denied" in done.stderr


@pytest.mark.parametrize("command", ["play", "analyze", "uci"])
def test_weights_that_cannot_be_used(zerosum, command):
    assert zerosum(command, "tictactoe", "--weights", "none.npz").complaint() == (
        "cannot read 'none.npz': the file does not exist"
    )
    file = str(files("zerosum.games").joinpath("connect_four_patterns.npz"))
    complaint = zerosum(command, "tictactoe", "--weights", file).complaint()
    assert complaint == f"{file!r} holds a network of 'connect-four', not of tictactoe"


@pytest.mark.parametrize("rule", ["initial()", "moves(s)"])
@every_command
def test_a_rule_that_ends_the_program_is_an_error(zerosum, game_file, command, rule):
    file = game_file(f"def {rule}:", f"def {rule}:\n    raise SystemExit(0)")
    complaint = run(zerosum, command, file).complaint()
    assert f"in {rule.partition('(')[0]}: SystemExit: 0" in complaint
