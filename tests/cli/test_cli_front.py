"""The entry point: everything before a game is loaded, and errors in the arguments."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from patience import PATIENCE

from zerosum import __version__
from zerosum.cli import COMMANDS, main

FOUND = {"PATH": "", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}


def python(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=PATIENCE, **settings)  # type: ignore[call-overload, no-any-return]


def test_alone_it_says_in_ten_lines_what_to_try(zerosum):
    ran = zerosum()
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out.splitlines()) == 10
    assert "zerosum play tictactoe" in ran.out


def test_what_it_says_to_try_exists(zerosum):
    tried = {line.split()[1] for line in zerosum().out.splitlines() if line.startswith("  zerosum ")}
    assert tried - {"COMMAND"} <= set(COMMANDS)


def test_version(zerosum):
    assert zerosum("--version").out == f"zerosum {__version__}\n"


def test_help_lists_all_commands(zerosum):
    ran = zerosum("--help")
    assert ran.code == 0
    listed = [line.split()[0] for line in ran.out.partition("Commands:\n")[2].splitlines() if line.strip()]
    assert listed == list(COMMANDS)
    assert "..." not in ran.out.partition("Commands:\n")[2]  # no short help is cut off


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_explains_every_option_and_gives_examples(zerosum, command):
    ran = zerosum(command, "--help")
    assert ran.code == 0
    assert f"    zerosum {command}" in ran.out.partition("Examples:\n")[2]
    options = ran.out.partition("Options:\n")[2]
    for number, line in enumerate(lines := options.splitlines()):
        if line.startswith("  --"):
            words = line.split()
            explained = len(words) > 2 or lines[number + 1].startswith(" " * 10)
            assert explained, line


def test_python_dash_m():
    ran = python("-m", "zerosum", "--version")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"zerosum {__version__}\n", "")


def test_an_exit_code_reaches_the_shell():
    ran = python("-m", "zerosum", "play", "tictacto")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1 and "'tictactoe'" in ran.stderr


@pytest.mark.parametrize("argument", ["--help", "--version", "play --help"])
def test_help_does_without_the_heavy_libraries(argument):
    code = (
        "import sys; from zerosum.cli import main; main(sys.argv[1:])\n"
        "heavy = {'numpy', 'numba', 'llvmlite', 'rich', 'zerosum.engine'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    ran = python("-c", code, *argument.split())
    assert ran.returncode == 0, ran.stderr


def test_an_unknown_command_suggests_the_nearest(zerosum):
    complaint = zerosum("analize").complaint()
    assert "'analize'" in complaint and "did you mean 'analyze'?" in complaint


def test_analyse_is_analyze(zerosum):
    assert "zerosum analyze" in zerosum("analyse", "--help").out


def test_help_has_no_types_of_pythons(zerosum):
    for name in ("play", "match", "train", "trace"):
        assert "<" not in zerosum(name, "--help").out.partition("Arguments:")[2].replace("<=", "")


def test_a_shell_learns_to_complete(zerosum, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    # Tests may run where no shell is among the parents: in an editor, or in the background.
    monkeypatch.setattr("shellingham.detect_shell", lambda *_: ("bash", "/bin/bash"))
    assert "_zerosum_completion" in zerosum("--show-completion", "bash").out
    monkeypatch.setenv("_ZEROSUM_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "zerosum stud")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert zerosum().out.split() == ["studio"]


def test_a_game_for_a_command_suggests_to_play_it(zerosum):
    assert "'zerosum play connect-four'" in zerosum("connect-four").complaint()
    assert "'zerosum play my_game.py'" in zerosum("my_game.py").complaint()


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        ("play", "GAME"),
        ("--nonsense", "'--nonsense'"),
        ("play tictactoe --nonsense", "'--nonsense'"),
        ("analyze tictactoe --dept 3", "'--depth'"),
        ("analyze tictactoe --depth", "'--depth'"),
        ("analyze tictactoe --depth deep", "'deep'"),
        ("analyze tictactoe --depth 2.5", "'2.5'"),
        ("analyze tictactoe --seconds soon", "'soon'"),
        ("analyze tictactoe --nodes many", "'many'"),
        ("analyze tictactoe --hash big", "'big'"),
        ("analyze tictactoe --lines all", "'all'"),
        ("perft tictactoe deep", "'deep'"),
        ("perft tictactoe -1", "'-1'"),
        ("play tictactoe --side left", "'left'"),
        ("play tictactoe --level 0", "'0'"),
        ("play tictactoe --level 11", "'11'"),
        ("play tictactoe --seed x", "'x'"),
        ("play tictactoe --set width", "'width'"),
        ("play tictactoe --set 5=width", "'5=width'"),
        ("play tictactoe --set width=5", "'width'"),
        ("play connect-four --set length=5", "'length'"),
        ("games tictactoe chess", "chess"),
        ("cache --wipe", "'--wipe'"),
    ],
)
def test_arguments_that_make_no_sense_are_quoted(zerosum, arguments, quoted):
    ran = zerosum(*arguments.split())
    assert quoted in ran.complaint()
    assert ran.out == ""


def test_a_fault_of_zerosum_is_one_line_too(zerosum, monkeypatch):
    def broken() -> None:
        raise RuntimeError("the sky\nfell")

    monkeypatch.setattr("zerosum.games.catalogue", broken)
    ran = zerosum("games")
    assert ran.code == 1
    assert ran.err == (
        "zerosum: internal error: RuntimeError: the sky fell (run with ZEROSUM_DEBUG=1 for the traceback)\n"
    )


def test_debugging_shows_the_traceback(zerosum, monkeypatch):
    def broken() -> None:
        raise RuntimeError("fell")

    monkeypatch.setattr("zerosum.games.catalogue", broken)
    monkeypatch.setenv("ZEROSUM_DEBUG", "1")
    assert "Traceback" in zerosum("games").err


def test_interruption_is_one_line(zerosum, monkeypatch):
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zerosum.games.catalogue", interrupted)
    ran = zerosum("games")
    assert (ran.code, ran.err) == (130, "zerosum: interrupted\n")


def test_a_cache_warning_is_one_line(zerosum, monkeypatch):
    import warnings

    from zerosum.errors import CacheWarning

    def warn() -> dict[str, object]:
        warnings.warn("not kept", CacheWarning, stacklevel=1)
        return {}

    monkeypatch.setattr("zerosum.games.catalogue", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert zerosum("games").err == "zerosum: warning: not kept\n"


@pytest.mark.parametrize("command", ["games", "cache", "play tictactoe --side both", "--help", ""])
def test_a_reader_that_leaves_is_no_error(command):
    """As in `zerosum games | head -0`."""
    process = subprocess.Popen(
        [sys.executable, "-m", "zerosum", *command.split()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    with process.stderr as err:
        assert "".join(line for line in err if not line.startswith("zerosum: compiling")) == ""
    assert process.wait(PATIENCE) == 0


def test_signs_that_an_encoding_lacks_do_not_stop_it():
    ran = python("-m", "zerosum", "games", env={**FOUND, "PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0 and "3?3" in ran.stdout


def test_main_returns_the_exit_code(capsys):
    assert main(["--version"]) == 0
    assert main(["nonsense"]) == 2
    capsys.readouterr()
