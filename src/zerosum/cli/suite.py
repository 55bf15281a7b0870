"""``zerosum suite``: run a suite of test positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli import complain
from zerosum.cli.common import chosen_algorithm, load_game, print_json
from zerosum.cli.options import (
    AlgorithmOption,
    DepthOption,
    HashOption,
    JsonOption,
    NodesOption,
    SearchOption,
    SecondsOption,
    SetOption,
    ThreadsOption,
    whole_number,
)
from zerosum.cli.output import count, duration, print_table, rate
from zerosum.cli.progress import Bar
from zerosum.errors import MoveError, PositionError, ZerosumError
from zerosum.game import Game
from zerosum.search.algorithms import DEFAULT

if TYPE_CHECKING:
    from zerosum.protocols.epd import Epd
    from zerosum.protocols.suite import Attempt

DEFAULT_SECONDS = 1.0


def command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="File of positions with bm, am or dm, one per line (EPD).", show_default=False
        ),
    ],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="Game of the positions: a name, or my_game.py.")
    ] = "chess",
    seconds: SecondsOption = None,
    depth: DepthOption = None,
    nodes: NodesOption = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            help="Number of positions to run, as in --limit 20.",
            show_default=False,
            parser=whole_number("--limit", 1),
        ),
    ] = None,
    threads: ThreadsOption = 1,
    hash_mb: HashOption = 64,
    all_positions: Annotated[bool, typer.Option("--all", help="List every position, not just the failures.")] = False,
    algorithm: AlgorithmOption = DEFAULT,
    options: SearchOption = [],  # noqa: B006
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> int:
    """Run a suite of test positions (EPD).

    Each position has best moves (bm), moves to avoid (am) or moves to mate (dm).

    Each is searched with an empty table for --seconds (default 1), or to --depth or --nodes. At the end
    come the number of solved positions and the failures, with the move found and the move wanted. Empty
    lines and lines that begin with # are skipped. Invalid lines are reported with their number, and the
    exit code is then 1. With --json each position is an object on its own line, and the last is the
    summary. Ctrl-C shows what is done so far.

    \b
    Examples:
      zerosum suite wac.epd --seconds 1
      zerosum suite bratko-kopec.epd --seconds 10 --threads 2 --all
      zerosum suite endings.epd --game connect-four --depth 12
    """
    from zerosum.engine import Engine
    from zerosum.protocols.suite import attempt
    from zerosum.search.limits import Limits

    if seconds is None and depth is None and nodes is None:
        seconds = DEFAULT_SECONDS
    Limits(depth, seconds, nodes)
    rules = load_game(game, settings)
    positions, bad = _positions(rules, file, limit)
    engine = Engine(rules, algorithm=chosen_algorithm(algorithm, options), threads=threads, hash_mb=hash_mb)
    engine.search(rules.start(), depth=1)  # compile and allocate before the clock starts
    done: list[Attempt] = []
    try:
        with Bar() as bar:
            for epd in positions:
                solved = sum(a.solved for a in done)
                bar.show(len(done) / len(positions), f"{len(done)} of {len(positions)}, {solved} solved")
                done.append(attempt(engine, epd, seconds=seconds, depth=depth, nodes=nodes))
                if json:
                    print_json(done[-1].as_dict(rules))
    finally:
        if done:
            _summarise(rules, done, json, all_positions)
    if bad:
        complain(f"{count(bad)} {'line is' if bad == 1 else 'lines are'} invalid")
    return 1 if bad else 0


def _positions(game: Game, file: str, limit: int | None) -> tuple[list[Epd], int]:
    """The positions in a file, and the number of invalid lines."""
    from zerosum.protocols.epd import parse_epd

    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            lines = stream.readlines()
    except OSError as problem:
        raise ZerosumError(f"{file!r} cannot be read: {problem.strerror or problem}") from problem
    found: list[Epd] = []
    bad = 0
    for number, line in enumerate(lines, 1):
        if limit is not None and len(found) >= limit:
            break
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            epd = parse_epd(game, text)
            if not epd.best and not epd.avoid and epd.mate is None:
                raise PositionError(f"{text!r} has no solution: give bm, am or dm")
            found.append(epd)
        except (PositionError, MoveError) as problem:
            bad += 1
            complain(f"line {number}: {problem}")
    if not found and not bad:
        raise ZerosumError(f"{file!r} contains no positions")
    return found, bad


def _summarise(game: Game, done: list[Attempt], json: bool, all_positions: bool) -> None:
    solved = sum(a.solved for a in done)
    nodes, seconds = sum(a.result.nodes for a in done), sum(a.result.seconds for a in done)
    if json:
        summary = {"solved": solved, "positions": len(done), "nodes": nodes, "seconds": round(seconds, 3)}
        print_json({**summary, "failed": [a.epd.name for a in done if not a.solved]})
        return
    shown = [(number, a) for number, a in enumerate(done, 1) if all_positions or not a.solved]
    if shown:
        headings = ("position", "wanted", "found", "depth", "after")
        rows = [
            (
                a.epd.name or f"no. {number}",
                a.wanted(game),
                a.found(game),
                str(a.result.depth),
                "failed" if a.found_after is None else duration(a.found_after),
            )
            for number, a in shown
        ]
        print_table(headings, rows, right=(3, 4))
    speed = rate(nodes / seconds) if seconds > 0 else "0 /s"
    print(f"solved {solved} of {len(done)}; {count(nodes)} nodes, {duration(seconds)}, {speed}")
