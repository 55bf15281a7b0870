"""``zerosum perft``: count the leaves of the game tree, the classic test of rules and speed."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Annotated, Any

import typer

from zerosum.cli.common import line_to, load_game, print_json
from zerosum.cli.options import (
    GameArgument,
    GpuOption,
    JsonOption,
    MovesOption,
    PositionArgument,
    SetOption,
    ThreadsOption,
    whole_number,
)
from zerosum.cli.output import count, duration, print_table, rate
from zerosum.cli.progress import Bar
from zerosum.game import Game
from zerosum.search.limits import check_depth


def command(
    game: GameArgument,
    depth: Annotated[
        int,
        typer.Argument(
            metavar="DEPTH", help="Greatest number of moves from the position.", parser=whole_number("DEPTH")
        ),
    ] = 5,
    position: PositionArgument = "",
    moves: MovesOption = "",
    divide: Annotated[
        bool, typer.Option("--divide", help="At DEPTH, also show the count below each first move.")
    ] = False,
    settings: SetOption = [],  # noqa: B006
    threads: ThreadsOption = 1,
    gpu: GpuOption = False,
    json: JsonOption = False,
) -> None:
    """Count the positions after 1 to DEPTH moves.

    For each depth: the leaves of the game tree, the time, and the leaves per second, without
    compilation time. A count that differs from a published one means a mistake in the rules; --divide
    shows below which move.

    \b
    Examples:
      zerosum perft connect-four 8
      zerosum perft connect-four 6 --moves "4 4" --divide
      zerosum perft tictactoe 4 "x...o...."
      zerosum perft chess 8 --set draws=0 --gpu
      zerosum perft my_game.py 5 --json
    """
    check_depth(depth, least=0)
    rules = load_game(game, settings)
    s = line_to(rules, position, moves).state
    how = {"device": "gpu"} if gpu else {"threads": threads}
    if json:
        report: dict[str, Any] = {"game": rules.name, "position": rules.format_state(s)}
        report["counts"] = list(_counts(rules, s, depth, how))
        if divide:
            report["divide"] = _below_each_move(rules, s, depth, how)
        print_json(report)
        return
    for number, row in enumerate(_counts(rules, s, depth, how)):
        if not number:
            _print_row("depth", "leaves", "time", "leaves/s")
        speed = rate(row["leaves"] / row["seconds"])
        _print_row(str(row["depth"]), count(row["leaves"]), duration(row["seconds"]), speed)
    if divide:
        print()
        below = _below_each_move(rules, s, depth, how)
        print_table(("move", f"leaves at depth {depth}"), [(m, count(n)) for m, n in below.items()], right=(1,))


def _print_row(depth: str, leaves: str, time: str, speed: str) -> None:
    print(f"{depth:>5}  {leaves:>20}  {time:>8}  {speed:>8}", flush=True)


def _counts(game: Game, s: Any, depth: int, how: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each depth as it is done: the last takes longer than all the others."""
    from zerosum.engine import perft

    # Compile, which depth 1 does not need, and refuse a negative depth before the clock starts. On a GPU, the plies
    # before the last two use other kernels.
    perft(game, s, min(depth, 4 if "device" in how else 2), **how)
    for plies in range(min(depth, 1), depth + 1):
        begin = perf_counter()
        with Bar() as bar:
            leaves = perft(game, s, plies, **how, on_progress=lambda done: bar.show(done, "counting"))
        yield {"depth": plies, "leaves": leaves, "seconds": max(perf_counter() - begin, 1e-9)}


def _below_each_move(game: Game, s: Any, depth: int, how: dict[str, Any]) -> dict[str, int]:
    from zerosum.engine import divide

    with Bar() as bar:
        below = divide(game, s, depth, **how, on_progress=lambda done: bar.show(done, "counting"))
    return {game.format_move(s, move): leaves for move, leaves in below.items()}
