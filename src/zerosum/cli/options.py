"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from zerosum.errors import ZerosumError
from zerosum.search.algorithms import ALGORITHMS
from zerosum.search.limits import MOST, MOST_THREADS
from zerosum.search.options import TECHNIQUES


def _named(parser: Callable[[Any], Any], type_: type) -> Callable[[Any], Any]:
    """The parser, renamed to the type it returns: some versions of Typer show that name in the help."""
    parser.__name__ = type_.__name__
    return parser


def whole_number(option: str, low: int = -MOST, high: int = MOST) -> Callable[[Any], int]:
    """A parser for ``option``. Typer's own does not quote the bad input.

    No number is so large that a 64-bit word could not hold it. The parser raises ZerosumError itself, because Typer
    would catch any ValueError and reword it.
    """

    def parse(text: Any) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ZerosumError(f"{option} {text!r} is not a whole number") from None
        if number < low:
            raise ZerosumError(f"{option} {text!r} is less than {low}")
        if number > high:
            raise ZerosumError(f"{option} {text!r} is more than {high}")
        return number

    return _named(parse, int)


def any_number(option: str) -> Callable[[Any], float]:
    """A parser for an ``option`` that takes any number."""

    def parse(text: Any) -> float:
        try:
            return float(text)
        except ValueError:
            raise ZerosumError(f"{option} {text!r} is not a number") from None

    return _named(parse, float)


def rate_number(option: str) -> Callable[[Any], float]:
    """A parser for an ``option`` that takes a learning rate."""
    number = any_number(option)

    def parse(text: Any) -> float:
        found = number(text)
        if not 0 < found <= 10:
            raise ZerosumError(f"{option} {text!r} is not a rate: more than 0, and at most 10")
        return found

    return _named(parse, float)


def share(option: str) -> Callable[[Any], float]:
    """A parser for an ``option`` that takes a number from 0 to 1."""
    number = any_number(option)

    def parse(text: Any) -> float:
        found = number(text)
        if not 0 <= found <= 1:
            raise ZerosumError(f"{option} {text!r} is not a share from 0 to 1")
        return found

    return _named(parse, float)


def parse_seconds(text: Any) -> float:
    try:
        return float(text)
    except ValueError:
        raise ZerosumError(f"--seconds {text!r} is not a number") from None


GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A name from 'zerosum games', or a file: my_game.py.", show_default=False),
]
OptionalGame = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A name, or a file: my_game.py.", show_default=False),
]
PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        help='A position in the game\'s own notation, as in "x...o...."; default: the start.',
        show_default=False,
    ),
]
PositionOption = Annotated[
    str,
    typer.Option(
        "--position",
        metavar="POSITION",
        help='Start position in the game\'s own notation, as in --position "x...o....".',
        show_default=False,
    ),
]
MovesOption = Annotated[
    str,
    typer.Option(
        "--moves",
        metavar="MOVES",
        help='Moves to play first, as in --moves "5 1 9"; separated by semicolons if a move has several words.',
        show_default=False,
    ),
]
SetOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Parameter of the game, as in --set width=5; may be repeated.",
        show_default=False,
    ),
]
WeightsOption = Annotated[
    str,
    typer.Option(
        "--weights",
        metavar="FILE",
        help="Weights or network that the engine evaluates with, as written by 'zerosum train'.",
        show_default=False,
    ),
]
SecondsOption = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        metavar="S",
        help="Time limit in seconds, as in --seconds 2.5.",
        show_default=False,
        parser=parse_seconds,
    ),
]
DepthOption = Annotated[
    int | None,
    typer.Option(
        "--depth",
        metavar="N",
        help="Depth limit in plies, as in --depth 8.",
        show_default=False,
        parser=whole_number("--depth"),
    ),
]
NodesOption = Annotated[
    int | None,
    typer.Option(
        "--nodes",
        metavar="N",
        help="Limit on positions visited, as in --nodes 1000000.",
        show_default=False,
        parser=whole_number("--nodes"),
    ),
]
HashOption = Annotated[
    int,
    typer.Option(
        "--hash",
        metavar="MB",
        help="Size of the transposition table in megabytes, as in --hash 256.",
        parser=whole_number("--hash"),
    ),
]
GpuOption = Annotated[bool, typer.Option("--gpu", help="Work on the GPU (NVIDIA) instead of the processor.")]
ThreadsOption = Annotated[
    int,
    typer.Option(
        "--threads",
        metavar="N",
        help="Number of processors to use, as in --threads 2.",
        parser=whole_number("--threads", 1, MOST_THREADS),
    ),
]
AlgorithmOption = Annotated[
    str,
    typer.Option("--algorithm", metavar="NAME", help=f"Search algorithm: {', '.join(ALGORITHMS)}."),
]
SearchOption = Annotated[
    list[str],
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="Option of the algorithm, as in --option table=off; may be repeated. Options of alphabeta: "
        f"{', '.join(sorted(TECHNIQUES))}; parameters such as null_base=5; parameters=FILE. See docs/search.md.",
        show_default=False,
    ),
]
DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="DIR",
        help="Folder of an endgame database to use: see 'zerosum endgame'.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
