"""Typer's side of the command line: commands from their files, and usage errors in our words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from zerosum import __version__
from zerosum.cli import COMMANDS
from zerosum.errors import ZerosumError

# Typer may carry Click inside or use an installed one; its own BadParameter leads to the right classes.
UsageError: type[Any] = typer.BadParameter.__mro__[1]


TYPES = {
    **dict.fromkeys(("<int>", "<integer>"), "N"),
    "<float>": "X",
    **dict.fromkeys(("<str>", "<text>", "<list[str]>"), "TEXT"),
}
"""What Typer shows of values that have no name of their own, and what people understand."""


def build(names: Sequence[str] = COMMANDS, completion: bool = False) -> typer.Typer:
    """The commands of these names, each from the function ``command`` of its file."""
    # Plain help: Rich's takes three times as long to appear.
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
    """Run the command and return its exit code; ZerosumError for arguments that make no sense."""
    # Only the command that is asked for: to import them all takes as long as some of them do.
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
    """Teach a shell to complete commands and options, or answer it when it asks."""
    command: Any = typer.main.get_command(build(completion=True))
    try:
        command.main(arguments, prog_name="zerosum", standalone_mode=False)
    except typer.Exit as leave:
        return leave.exit_code
    except SystemExit as leave:  # it has answered the shell
        return int(leave.code or 0)
    except UsageError as problem:
        raise ZerosumError(_in_one_line(problem)) from problem
    return 0


def plain_command(names: Sequence[str] = COMMANDS) -> Any:
    """The commands with no types of Python's in their help: GAME, not GAME <str>, and N, not <int>."""
    command: Any = typer.main.get_command(build(names))
    for one in getattr(command, "commands", {"": command}).values():
        for parameter in one.params:
            is_argument = parameter.param_type_name == "argument"
            # Versions of Typer differ in what they ask for this: those before 0.29 show no types of arguments.
            if usual := getattr(parameter, "display_type_rich", None):
                parameter.display_type_rich = _shown(usual, is_argument)
            elif not is_argument:
                parameter.make_metavar = _shown(parameter.make_metavar, is_argument)
    return command


def _shown(usual: Any, is_argument: bool) -> Any:
    def shown(ctx: Any) -> str:
        text = str(usual(ctx=ctx))
        return "" if is_argument else TYPES.get(text.lower(), "VALUE" if text.startswith("<") else text)

    return shown


def _in_one_line(problem: Any) -> str:
    """A usage error with the bad input in quotes and a way on."""
    where = problem.ctx.command_path if problem.ctx is not None else "zerosum"
    option = getattr(problem, "option_name", None)
    if hasattr(problem, "possibilities"):  # no such option
        near = f"; did you mean {problem.possibilities[0]!r}?" if problem.possibilities else ""
        dash = "" if near else "; write -- before a value that begins with -"
        return f"'{where}' has no option {option!r}{near or dash}"
    text = problem.format_message().rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; see '{where} --help'"
