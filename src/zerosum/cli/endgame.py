"""``zerosum endgame``: build, verify and probe databases of solved positions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli import complain
from zerosum.cli.cluster_options import ClusterLogOption, ClusterOption, workers
from zerosum.cli.common import load_game, print_json
from zerosum.cli.options import GameArgument, GpuOption, JsonOption, SetOption, whole_number
from zerosum.cli.output import count, duration, print_table, rate, size
from zerosum.cli.progress import Bar
from zerosum.errors import ZerosumError
from zerosum.game import Game
from zerosum.value_display import verdict

if TYPE_CHECKING:
    from zerosum.endgame.build import BuildProgress
    from zerosum.endgame.database import Database
    from zerosum.working.team import Workers

ACTIONS = ("build", "verify", "probe", "stats")


def command(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="build, verify, probe or stats.", show_default=False)],
    game: GameArgument,
    position: Annotated[
        str,
        typer.Argument(metavar="POSITION", help="For probe, in the game's own notation.", show_default=False),
    ] = "",
    pieces: Annotated[
        int,
        typer.Option(
            "--pieces",
            metavar="N",
            help="Build all positions with up to N pieces (or whatever the game counts).",
            parser=whole_number("--pieces", 0, 1000),
            show_default=False,
        ),
    ] = 0,
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="Folder for the new database.", show_default=False)
    ] = "",
    folder: Annotated[
        str, typer.Option("--dir", metavar="DIR", help="Folder of the database.", show_default=False)
    ] = "",
    distance: Annotated[bool, typer.Option("--distance", help="Also store the plies to the end.")] = False,
    sample: Annotated[
        int,
        typer.Option(
            "--sample",
            metavar="N",
            help="Number of positions to verify in each tier; 0 for all.",
            parser=whole_number("--sample", 0),
        ),
    ] = 0,
    threads: Annotated[
        int, typer.Option("--threads", metavar="N", help="Processors; 0: all.", parser=whole_number("--threads", 0))
    ] = 0,
    gpu: GpuOption = False,
    settings: SetOption = [],  # noqa: B006
    cluster: ClusterOption = "",
    cluster_log: ClusterLogOption = False,
    json: JsonOption = False,
) -> int:
    """Build, verify, probe or list a database of solved positions.

    Every position with few pieces is solved, backwards from the end, for any game that can index its
    positions (docs/endgame.md). Run the same command again to resume an interrupted build after its
    last finished tier. 'verify' derives positions again from their successors, compares, and checks
    every block of every file.

    \b
    Examples:
      zerosum endgame build checkers --pieces 4 --out checkers-4
      zerosum endgame build checkers --pieces 7 --out checkers-7 --gpu
      zerosum endgame build checkers --pieces 6 --out checkers-6 --cluster 10.0.0.5:6379
      zerosum endgame build tictactoe --out noughts --distance
      zerosum endgame verify checkers --dir checkers-4 --sample 1000
      zerosum endgame probe tictactoe "x...o...." --dir noughts
      zerosum endgame stats checkers --dir checkers-4 --json
    """
    if action not in ACTIONS:
        raise ZerosumError(f"unknown action {action!r}; 'zerosum endgame' has {', '.join(ACTIONS)}")
    if action == "build" and cluster and position:
        raise ZerosumError(f"--cluster {position!r} is not an address: write HOST:PORT, auto, or nothing after it")
    _refuse(action, position, "probe", "POSITION")
    _refuse(action, out, "build", "--out")
    _refuse(action, "--distance" if distance else "", "build", "--distance")
    _refuse(action, "--gpu" if gpu else "", "build", "--gpu")
    _refuse(action, "--cluster" if cluster else "", "build", "--cluster")
    rules = load_game(game, settings)
    if action == "build":
        if not cluster:
            return _build(rules, pieces, out or folder, distance, threads, gpu, json)
        with workers(cluster, threads, cluster_log) as found:
            return _build(rules, pieces, out or folder, distance, threads, gpu, json, found)
    if not folder:
        raise ZerosumError(f"'zerosum endgame {action} {game}' needs the folder of a database: --dir DIR")
    from zerosum.endgame.database import Database

    database = Database.open(folder, rules)
    if action == "verify":
        return _verify(database, sample, threads, json)
    if action == "probe":
        return _probe(database, position, json)
    return _stats(database, json)


def _refuse(action: str, given: str, wanted: str, option: str) -> None:
    if given and action != wanted:
        named = option if given == option else f"{option} {given!r}"
        raise ZerosumError(f"{named} cannot be used with {action}; it is for {wanted}")


def _build(
    game: Game,
    pieces: int,
    out: str,
    distance: bool,
    threads: int,
    gpu: bool,
    json: bool,
    expanders: Workers | None = None,
) -> int:
    from zerosum.endgame.build import build

    if not out:
        raise ZerosumError(f"'zerosum endgame build {game.name}' needs a folder for the database: --out DIR")
    started = time.perf_counter()
    try:
        with Bar() as bar:
            database = build(
                game,
                pieces,
                out,
                distance=distance,
                threads=threads or None,
                device="gpu" if gpu else "cpu",
                workers=expanders,
                on_progress=lambda progress: _show(bar, progress),
            )
    except KeyboardInterrupt:
        complain(f"stopped; finished tiers are kept in {out!r}: run the same command again to continue")
        return 130
    seconds = time.perf_counter() - started
    if json:
        print_json({"database": out, "seconds": round(seconds, 3), **_sums(database)})
    else:
        tiers = "tier" if len(database.tiers) == 1 else "tiers"
        print(
            f"{count(database.positions)} positions in {count(len(database.tiers))} {tiers}, {size(database.bytes)},"
            f" {duration(seconds)}, in {out}"
        )
    return 0


def _show(bar: Bar, progress: BuildProgress) -> None:
    left = progress.seconds_left
    time_left = f", {duration(left)} left" if left is not None else ""
    where = f", {progress.where}" if progress.where else ""
    text = f"{progress.tier}: {count(progress.done)} positions{where}, {rate(progress.per_second)}{time_left}"
    bar.show(progress.done / progress.total, text)


def _verify(database: Database, sample: int, threads: int, json: bool) -> int:
    from zerosum.endgame.build import verify

    with Bar() as bar:
        checked = verify(
            database,
            sample=sample or None,
            threads=threads or None,
            on_progress=lambda progress: _show(bar, progress),
        )
    if json:
        print_json({"database": str(database.directory), "positions": database.positions, "verified": checked})
    else:
        print(f"{count(checked)} of {count(database.positions)} positions recomputed; all agree")
    return 0


def _probe(database: Database, position: str, json: bool) -> int:
    game = database.game
    s = game.parse_state(position) if position else game.start()
    outcome, plies = database.probe(s)
    if json:
        print_json({"position": game.format_state(s), "outcome": outcome, "distance": plies})
        return 0
    print(verdict(outcome, plies))
    return 0


def _sums(database: Database) -> dict[str, int]:
    summary = database.summary()
    return {word: summary[word] for word in ("positions", "wins", "draws", "losses", "bytes")}


def _stats(database: Database, json: bool) -> int:
    if json:
        print_json({"database": str(database.directory), **database.summary()})
        return 0
    rows = [
        (tier.name, tier.positions, tier.wins, tier.draws, tier.losses, tier.longest, tier.bytes)
        for tier in database.tiers
    ]
    sums = _sums(database)
    longest = max((tier.longest for tier in database.tiers if tier.longest is not None), default=None)
    rows.append(("sum", sums["positions"], sums["wins"], sums["draws"], sums["losses"], longest, sums["bytes"]))
    headings = ("tier", "positions", "wins", "draws", "losses", "longest win", "bytes")
    cells = [(row[0], *("" if number is None else count(number) for number in row[1:])) for row in rows]
    print_table(headings, cells, right=range(1, 7))
    plies = "" if longest is None else "; the longest win is in plies"
    print(f"wins and losses are for the player to move{plies}")
    return 0
