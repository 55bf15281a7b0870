"""``zerosum uci``: the engine for a graphical chess program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, TextIO

import typer

from zerosum.cli.common import load_game
from zerosum.cli.options import SetOption, WeightsOption


def command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name, or a file: my_game.py.")] = "chess",
    weights: WeightsOption = "",
    settings: SetOption = [],  # noqa: B006
) -> None:
    """Speak UCI, the protocol of chess programs, on stdin and stdout.

    Set this command as the engine in a graphical program. It works for any game: use the game's
    notation for positions instead of FEN, and for moves instead of e2e4, with _ for spaces. Type 'uci'
    for the options, 'help' for the commands, 'quit' to leave.

    \b
    Examples:
      zerosum uci
      zerosum uci connect-four --set width=5
      echo "go movetime 1000" | zerosum uci
    """
    from zerosum.protocols.uci import serve

    serve(load_game(game, settings, weights), text_lines(sys.stdin), sys.stdout)


def text_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a stream as they arrive; invalid bytes become characters that no command contains."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")
    return iter(stream.readline, "")
