"""``zerosum gather``: add training positions from self-play to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum import __version__
from zerosum.cli import complain
from zerosum.cli.cluster_options import ClusterLogOption, ClusterOption, recorded_command, workers
from zerosum.cli.common import load_game, open_database
from zerosum.cli.files import check_outputs
from zerosum.cli.options import (
    DatabaseOption,
    GameArgument,
    NodesOption,
    SetOption,
    WeightsOption,
    any_number,
    whole_number,
)
from zerosum.cli.output import count, duration, size
from zerosum.cli.progress import Bar
from zerosum.processors import usable_processors
from zerosum.search.limits import MAX_PLY, MOST_THREADS

if TYPE_CHECKING:
    from zerosum.learn.gathering import Gathered


def command(
    game: GameArgument,
    file: Annotated[str, typer.Argument(metavar="FILE", help="File to add to; created if it does not exist.")],
    positions: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Number of positions to add; the last game may add a few more.",
            parser=whole_number("--positions", 1),
        ),
    ] = 1_000_000,
    depth: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Search depth.  [default: 6, unless --nodes is given]",
            parser=whole_number("--depth", 1),
            show_default=False,
        ),
    ] = None,
    nodes: NodesOption = None,
    perfect: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Search to the end of the game if at most N moves are left.",
            parser=whole_number("--perfect", 0),
        ),
    ] = 0,
    random_plies: Annotated[
        int,
        typer.Option(
            help="Random moves at the start of each game; one more in every other game.",
            parser=whole_number("--random-plies", 0, MAX_PLY),
        ),
    ] = 8,
    resign: Annotated[
        float,
        typer.Option(
            metavar="UNITS",
            help="End a game when four searches in a row find one player ahead by this much; 0 plays it out.",
            parser=any_number("--resign"),
        ),
    ] = 10,
    balance: Annotated[
        float,
        typer.Option(
            metavar="UNITS",
            help="Draw another opening if the first search finds one player ahead by more than this; 0 never does.",
            parser=any_number("--balance"),
        ),
    ] = 6,
    noisy: Annotated[
        bool, typer.Option("--noisy", help="Also keep positions that are forced, decided, or whose best move is noisy.")
    ] = False,
    seed: Annotated[
        int, typer.Option(help="Seed of the games; a file never holds a game twice.", parser=whole_number("--seed"))
    ] = 0,
    threads: Annotated[
        int, typer.Option(help="Processors; 0: all.", parser=whole_number("--threads", 0, MOST_THREADS))
    ] = 0,
    weights: WeightsOption = "",
    database: DatabaseOption = "",
    settings: SetOption = [],  # noqa: B006
    cluster: ClusterOption = "",
    cluster_log: ClusterLogOption = False,
) -> int:
    """Gather training positions by self-play.

    The engine plays itself from random openings. Quiet positions are added to the file, each with the
    value that the search found and the result of the game. Any number of runs may add to one file, even
    at the same time with different seeds; a run with a known seed continues after its last game. Ctrl-C
    or a crash loses at most the last seconds.

    \b
    Examples:
      zerosum gather chess chess.zsp --positions 20000000 --depth 4
      zerosum gather chess chess.zsp --positions 5000000 --nodes 5000 --seed 2
      zerosum gather othello othello.zsp --depth 8 --perfect 14 --random-plies 20
      zerosum gather checkers checkers.zsp --database checkers-6 --weights better.npz
      zerosum gather chess chess.zsp --positions 1000000000 --cluster 10.0.0.5:6379
    """
    rules = load_game(game, settings, weights)
    check_outputs([("FILE", file)], [("GAME", game), ("--weights", weights)], read_again=["FILE"])
    from zerosum.learn.gathering import Gathering, Playing

    playing = Playing(depth, nodes, perfect, random_plies, resign, balance, seed, quiet=not noisy)
    run = Gathering(rules, file, playing, {"command": recorded_command(), "version": __version__})
    if run.kept_before:
        print(f"{file}: {count(run.kept_before)} positions so far", flush=True)
    endings = open_database(rules, database)
    try:
        with workers(cluster, threads or usable_processors(), cluster_log) as found, Bar() as bar:
            run.run(
                positions,
                workers=found,
                database=endings,
                on_progress=lambda now: bar.show(now.positions / positions, _progress(now, run.where, positions)),
            )
    except KeyboardInterrupt:
        left = max(positions - run.so_far.positions, 1)
        complain(f"stopped: {_text_of(run.so_far)}, all saved in {file!r}; --positions {left} adds the rest")
        return 130
    print(_text_of(run.so_far))
    print(f"{file}: {count(run.file.positions)} positions, {size(Path(file).stat().st_size)}")
    return 0


def _text_of(now: Gathered) -> str:
    speed = count(round(now.positions / max(now.seconds, 1e-9)))
    return f"{count(now.positions)} positions from {count(now.games)} games, {speed} a second"


def _progress(now: Gathered, where: str, wanted: int) -> str:
    left = (wanted - now.positions) * now.seconds / now.positions if now.positions else None
    time_left = f", {duration(max(left, 0.0))} left" if left is not None else ""
    return f"{_text_of(now)}, {where}{time_left}"
