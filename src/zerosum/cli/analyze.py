"""``zerosum analyze``: what a position is worth, deeper and deeper."""

from __future__ import annotations

from typing import Annotated

import typer

from zerosum.cli.common import line_to, load_game, techniques
from zerosum.cli.options import (
    DepthOption,
    GameArgument,
    HashOption,
    JsonOption,
    MovesOption,
    NodesOption,
    PositionArgument,
    SearchOption,
    SecondsOption,
    SetOption,
    ThreadsOption,
    whole_number,
)

DEFAULT_SECONDS = 5.0


def command(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    depth: DepthOption = None,
    nodes: NodesOption = None,
    lines: Annotated[
        int,
        typer.Option(
            "--lines", metavar="N", help="Show the N best moves, as in --lines 3.", parser=whole_number("--lines", 1)
        ),
    ] = 1,
    threads: ThreadsOption = 1,
    hash_mb: HashOption = 64,
    options: SearchOption = [],  # noqa: B006
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> None:
    """Search a position, deeper and deeper.

    Each depth shows the value, the positions visited, the speed, and the line both sides should play.
    The search stops at the first limit it meets: --seconds, --depth, --nodes, or when the value is
    proven; without any limit, after 5 seconds. Ctrl-C stops it too, and is no error. Values are for
    MAX. With --json each depth is one object on its own line; the last has "final": true.

    \b
    Examples:
      zerosum analyze connect-four
      zerosum analyze connect-four --moves "4 4 3" --depth 14 --lines 3
      zerosum analyze connect-four --set width=5 --set height=5 --seconds 20
      zerosum analyze connect-four --threads 2 --option bounds=off --depth 16
      zerosum analyze tictactoe "x...o...." --json
    """
    from zerosum.cli.reports import view_for
    from zerosum.engine import Engine
    from zerosum.search.limits import Limits

    rules = load_game(game, settings)
    line = line_to(rules, position, moves)
    if seconds is None and depth is None and nodes is None:
        seconds = DEFAULT_SECONDS
    Limits(depth, seconds, nodes)  # wrong ones are refused before anything is drawn
    engine = Engine(rules, options=techniques(options), threads=threads, hash_mb=hash_mb)
    with view_for(rules, line.state, json=json, numbered=lines > 1) as view:
        try:
            engine.prepare()  # the clock of --seconds runs for the search alone
            result = engine.search(
                line, depth=depth, seconds=seconds, nodes=nodes, multipv=lines, on_report=view.report
            )
        except KeyboardInterrupt:
            view.stopped()
        else:
            view.finish(result)
