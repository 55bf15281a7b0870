"""The command line: a thin layer with no logic of its own.

A bare ``zerosum``, ``--version`` and a mistyped command are answered here, before Typer is imported,
so that they respond immediately.

Exit codes: 0 for success, 2 for bad input (one line on stderr quotes it), 130 for an interrupt, and 1 for
an error in zerosum itself or on the machine, a game that fails ``check``, a position that ``solve`` could
not solve, or a certificate that fails ``verify``. In ``play`` and ``analyze``, Ctrl-C is a normal way to
leave and gives 0.

>>> main(["--version"])  # doctest: +ELLIPSIS
zerosum ...
0
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from zerosum import __version__
from zerosum.errors import CacheWarning, ZerosumError
from zerosum.jit import detached
from zerosum.jit.notices import on_stderr, say

# To add a command, add a module with a function ``command`` to this package, and its name here.
COMMANDS = (
    "games",
    "play",
    "analyze",
    "solve",
    "verify",
    "new",
    "check",
    "perft",
    "uci",
    "nboard",
    "serve",
    "suite",
    "bench",
    "match",
    "gather",
    "train",
    "trace",
    "explain",
    "evaluate",
    "measure",
    "ladder",
    "quiz",
    "cache",
    "book",
    "endgame",
    "studio",
    "cluster",
)

SPELLINGS = {"analyse": "analyze"}
"""Alternative spellings of commands."""

COMPLETION = ("--install-completion", "--show-completion")
COMPLETING = "_ZEROSUM_COMPLETE"
"""Environment variable that a shell sets when it asks for completions."""

WELCOME = """\
zerosum searches, explains and plays games whose rules are written in plain Python. Try:

  zerosum games                                        list the games and their parameters
  zerosum play tictactoe                               play against the engine
  zerosum analyze connect-four --moves "4 4 3"         evaluate a position
  zerosum solve connect-four --set width=5             find out who wins on a smaller board
  zerosum endgame build checkers --pieces 4 --out db   solve all endings; then play with --database db
  zerosum studio                                       play every game in your browser
  zerosum new my_game.py                               write your own game; 'zerosum check' tests its rules
  zerosum COMMAND --help                               show every option, with examples"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; ``arguments`` defaults to the process's own."""
    if arguments is not None:
        return _guarded(list(arguments))
    _open_closed_streams()
    # What the terminal's encoding lacks becomes '?' on output and U+FFFD on input, instead of ending the program.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    detached.enabled = True
    code = _guarded(sys.argv[1:])
    if isinstance(sys.stdout, _ClosedStdout) and sys.stdout.is_written and code == 0:
        complain("stdout is closed, so the output is lost")
        code = 1
    _leave(code)
    return code


def complain(message: str) -> None:
    """Print a message on stderr as one line, even if it has several."""
    on_stderr(message)


def _guarded(arguments: list[str]) -> int:
    """Run the command and return its exit code; print any exception as one line."""
    import warnings

    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = _dispatch(arguments)
            if sys.stdout is not None:
                sys.stdout.flush()
            return code
        except ZerosumError as problem:
            complain(str(problem))
            return 2
        except KeyboardInterrupt:
            complain("interrupted")
            return 130
        except BrokenPipeError:
            # The reader, such as `head`, has closed the pipe.
            _silence_stdout()
            return 0
        except (
            Exception,
            SystemExit,
        ) as problem:  # a rule's exit() is no success either
            return _report_fault(problem)


def _dispatch(arguments: list[str]) -> int:
    if COMPLETING in os.environ or (arguments and arguments[0] in COMPLETION):
        from zerosum.cli.app import complete

        return complete(arguments)
    if not arguments:
        print(WELCOME)
        return 0
    arguments = [SPELLINGS.get(arguments[0], arguments[0]), *arguments[1:]]
    word = arguments[0]
    if word == "--version":
        print(f"zerosum {__version__}")
        return 0
    if word not in COMMANDS and not word.startswith("-"):
        raise ZerosumError(f"unknown command {word!r}; {_nearest_command(word)}'zerosum --help' lists them")
    from zerosum.cli.app import run

    if any(word == "--cluster" or word.startswith("--cluster=") for word in arguments):
        from zerosum.cli.cluster_options import with_addresses
        from zerosum.cli.supervising import supervised

        return supervised(with_addresses(arguments), run)
    return run(arguments)


def _nearest_command(word: str) -> str:
    from difflib import get_close_matches

    from zerosum.games import GAMES

    if word in GAMES or word.endswith(".py"):
        return f"did you mean 'zerosum play {word}'? "
    close = get_close_matches(word.lower(), COMMANDS, 1, 0.5)
    return f"did you mean {close[0]!r}? " if close else ""


def _report_fault(problem: Exception | SystemExit) -> int:
    """Report an unexpected exception: 2 if a game file or a folder caused it, 1 if zerosum or the machine did."""
    if os.environ.get("ZEROSUM_DEBUG"):
        import traceback

        traceback.print_exception(problem)
    from zerosum.working.problems import place_in_game_file

    what = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
    place = place_in_game_file(problem)
    if place:
        complain(f"{place}: {what}")
        return 2
    if isinstance(problem, PermissionError) and problem.filename is not None:
        complain(f"{str(problem.filename)!r} cannot be reached: {problem.strerror}")
        return 2
    if isinstance(problem, OSError):
        complain(f"stdout cannot be written: {problem.strerror}" if _is_stdout_lost() else str(problem))
        _silence_stdout()
    else:
        complain(f"internal error: {what} (run with ZEROSUM_DEBUG=1 for the traceback)")
    return 1


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Pass a warning to the listener of its thread, such as a game whose board must not be drawn over."""
    if issubclass(category, CacheWarning):
        say(str(message), is_warning=True)
    else:
        place = f"{category.__name__} in {os.path.basename(filename)}, line {lineno}"
        say(f"{message} ({place})", is_warning=True)


class _ClosedStdout(io.TextIOWrapper):
    """Stands for a stdout that the caller has closed: work continues, and the exit code says that output is lost."""

    is_written = False

    def write(self, text: str) -> int:
        self.is_written = True
        return super().write(text)


def _open_closed_streams() -> None:
    """Replace standard streams that the caller has closed, which are None: stdin is then empty.

    In order, so that no other file gets the number of a standard stream.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = _ClosedStdout(open(os.devnull, "wb"), encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _is_stdout_lost() -> bool:
    """Whether stdout does not take what has been printed, because its disk is full or its terminal is gone."""
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _silence_stdout() -> None:
    """Redirect stdout to the null device, so that the interpreter's last flush cannot fail again."""
    with suppress(OSError, ValueError, AttributeError):  # captured by a test, or closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave(code: int) -> None:
    """End the process here if a thread is still compiling: shutting down the interpreter under LLVM would crash."""
    threading = sys.modules.get("threading")
    if threading is None or all(thread is threading.main_thread() for thread in threading.enumerate()):
        return
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
