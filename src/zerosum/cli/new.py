"""``zerosum new``: create a game of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zerosum.templates import TEMPLATES, written


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="File to create, such as my_game.py.")],
    like: Annotated[str, typer.Option("--like", metavar="|".join(TEMPLATES), help="Game to start from.")] = next(
        iter(TEMPLATES)
    ),
) -> int:
    """Create a game of your own that you can play immediately.

    It comes with comments, a board and a test.

    \b
    Examples:
      zerosum new my_game.py
      zerosum new my_game.py --like hex
    """
    game, test = written(Path(file), like)
    print(f"created {game}, {TEMPLATES[like]}, and {test}, its test. Now try:")
    for words, what in (
        (f"zerosum play {game}", "play it in the terminal"),
        (f"zerosum studio {game}", "play it in your browser"),
        (f"zerosum check {game}", "test the rules after every change"),
    ):
        print(f"  {words:<{len(str(game)) + 18}}{what}")
    return 0
