"""Arguments and options that several commands share, each explained once."""

from __future__ import annotations

from typing import Annotated

import typer

GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A name from 'zerosum games', or a file: my_game.py.", show_default=False),
]
OptionalGame = Annotated[
    str,
    typer.Argument(metavar="[GAME]", help="A name, or a file: my_game.py.", show_default=False),
]
PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="[POSITION]",
        help='A position in the game\'s own notation, as in "x...o...."; default: the start.',
        show_default=False,
    ),
]
PositionOption = Annotated[
    str,
    typer.Option(
        "--position",
        metavar="POSITION",
        help='Begin here, in the game\'s own notation, as in --position "x...o....".',
        show_default=False,
    ),
]
MovesOption = Annotated[
    str,
    typer.Option(
        "--moves",
        metavar="MOVES",
        help='Moves to play first, split by blanks or commas, as in --moves "5 1 9".',
        show_default=False,
    ),
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the game, as in --set width=5; may be repeated.",
        show_default=False,
    ),
]
SecondsOption = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Think for so long, as in --seconds 2.5.", show_default=False),
]
DepthOption = Annotated[
    int | None,
    typer.Option("--depth", metavar="N", help="Look N moves ahead, as in --depth 8.", show_default=False),
]
NodesOption = Annotated[
    int | None,
    typer.Option("--nodes", metavar="N", help="Visit N positions, as in --nodes 1000000.", show_default=False),
]
HashOption = Annotated[
    int,
    typer.Option("--hash", metavar="MB", help="Size of the transposition table, as in --hash 256."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
