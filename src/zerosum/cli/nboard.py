"""``zerosum nboard``: the engine for NBoard or another graphical Othello program."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from zerosum.cli.common import load_game
from zerosum.cli.options import DepthOption, HashOption, SecondsOption, SetOption, ThreadsOption
from zerosum.cli.uci import text_lines


def command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name, or a file: my_game.py.")] = "othello",
    seconds: SecondsOption = None,
    depth: DepthOption = None,
    threads: ThreadsOption = 1,
    hash_mb: HashOption = 64,
    settings: SetOption = [],  # noqa: B006
) -> None:
    """Speak the NBoard protocol on stdin and stdout.

    Set this command as the engine in NBoard. NBoard sets the depth of the middle game; the last moves
    of a game are searched to the end. With --seconds each move also has a time limit. Type 'help' for
    the commands, 'quit' to leave.

    \b
    Examples:
      zerosum nboard
      zerosum nboard --seconds 5 --threads 2
      zerosum match engine "nboard:zerosum nboard,depth=8" --game othello --time 5+0.1
    """
    from zerosum.protocols.nboard import serve
    from zerosum.search.limits import Limits

    Limits(depth, seconds)
    rules = load_game(game, settings)
    serve(rules, text_lines(sys.stdin), sys.stdout, seconds=seconds, depth=depth, threads=threads, hash_mb=hash_mb)
