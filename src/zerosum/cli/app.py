"""The Typer side of the command line: loads the commands and rewords usage errors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from zerosum import __version__
from zerosum.cli import COMMANDS
from zerosum.errors import ZerosumError

# Typer may bundle Click or use an installed one; its own BadParameter leads to the right classes.
UsageError: type[Any] = typer.BadParameter.__mro__[1]


TYPES = {
    **dict.fromkeys(("<int>", "<integer>"), "N"),
    "<float>": "X",
    **dict.fromkeys(("<str>", "<text>", "<list[str]>"), "TEXT"),
}
"""Typer's placeholders for values without a metavar, and what the help shows instead."""

MAY_BE_EMPTY = ("moves",)
"""Options for which an empty text is a value: no moves."""


def build(names: Sequence[str] = COMMANDS, completion: bool = False) -> typer.Typer:
    """A Typer app with the named commands, each the function ``command`` of its module."""
    # Plain help: Rich's takes three times as long.
    app = typer.Typer(
        rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=completion, no_args_is_help=False
    )

    @app.callback()
    def zerosum(
        version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
    ) -> None:
        """Search, explain and play two-player zero-sum games whose rules are written in plain Python.

        GAME is a name from 'zerosum games' or a file such as my_game.py, for every command.

        \b
        Examples:
          zerosum play tictactoe
          zerosum analyze connect-four --moves "4 4 3" --seconds 5
          zerosum perft my_game.py 6
        """
        if version:
            print(f"zerosum {__version__}")
            raise typer.Exit

    for name in names:
        app.command(name)(import_module(f"zerosum.cli.{name}").command)
    return app


def run(arguments: list[str]) -> int:
    """Run the command and return its exit code; ZerosumError for invalid arguments."""
    # Import only the command that runs: importing all of them takes as long as running some.
    asked = arguments[:1] if arguments[0] in COMMANDS else COMMANDS
    command = plain_command(asked)
    try:
        # Not command.main(), which would handle Ctrl-C, broken pipes and errors in its own way.
        with command.make_context("zerosum", arguments) as context:
            code = command.invoke(context)
        return code if isinstance(code, int) else 0
    except typer.Exit as leave:
        return leave.exit_code
    except UsageError as problem:
        raise ZerosumError(_in_one_line(problem)) from problem


def complete(arguments: list[str]) -> int:
    """Install shell completion, or answer a shell's request for completions."""
    command: Any = typer.main.get_command(build(completion=True))
    try:
        command.main(arguments, prog_name="zerosum", standalone_mode=False)
    except typer.Exit as leave:
        return leave.exit_code
    except SystemExit as leave:  # raised after the shell has been answered
        return int(leave.code or 0)
    except UsageError as problem:
        raise ZerosumError(_in_one_line(problem)) from problem
    return 0


def plain_command(names: Sequence[str] = COMMANDS) -> Any:
    """The commands without Python types in their help: GAME, not GAME <str>, and N, not <int>."""
    command: Any = typer.main.get_command(build(names))
    for one in getattr(command, "commands", {"": command}).values():
        for parameter in one.params:
            is_argument = parameter.param_type_name == "argument"
            if not is_argument and parameter.name not in MAY_BE_EMPTY:
                parameter.consume_value = _not_empty(parameter)
            # The hook depends on the version of Typer; versions before 0.29 show no types for arguments.
            if usual := getattr(parameter, "display_type_rich", None):
                parameter.display_type_rich = _shown(usual, is_argument)
            elif not is_argument:
                parameter.make_metavar = _shown(parameter.make_metavar, is_argument)
    return command


def _not_empty(option: Any) -> Any:
    """The option's own way to take its value from the command line, which refuses an empty text."""
    usual = option.consume_value

    def taken(ctx: Any, opts: Any) -> Any:
        value, source = usual(ctx, opts)
        if source.name == "COMMANDLINE" and (value == "" or (isinstance(value, (list, tuple)) and "" in value)):
            raise ZerosumError(f"{option.opts[0]} '' is empty: give a value, or leave out {option.opts[0]}")
        return value, source

    return taken


def _shown(usual: Any, is_argument: bool) -> Any:
    def shown(ctx: Any) -> str:
        text = str(usual(ctx=ctx))
        return "" if is_argument else TYPES.get(text.lower(), "VALUE" if text.startswith("<") else text)

    return shown


def _in_one_line(problem: Any) -> str:
    """A usage error as one line that quotes the bad input and says what to do."""
    where = problem.ctx.command_path if problem.ctx is not None else "zerosum"
    option = getattr(problem, "option_name", None)
    if hasattr(problem, "possibilities"):  # unknown option
        near = f"; did you mean {problem.possibilities[0]!r}?" if problem.possibilities else ""
        dash = "" if near else "; write -- before a value that begins with -"
        return f"'{where}' has no option {option!r}{near or dash}"
    text = problem.format_message().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; see '{where} --help'"
