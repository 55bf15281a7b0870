"""``zerosum match``: matches between players, with error bars on the results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerosum.cli import complain
from zerosum.cli.cluster_options import ClusterLogOption, ClusterOption, processes, workers
from zerosum.cli.common import load_game
from zerosum.cli.files import check_outputs
from zerosum.cli.options import JsonOption, SetOption, whole_number
from zerosum.cli.output import count
from zerosum.errors import ZerosumError
from zerosum.search.limits import MAX_PLY

if TYPE_CHECKING:
    from zerosum.arena.match import Match, Plan
    from zerosum.arena.players import PlayerSpec
    from zerosum.game import Game
    from zerosum.working.team import Workers

DEFAULT_TIME = "movetime 0.1"


def _seconds(option: str) -> Any:
    def parse(text: Any) -> float:
        try:
            seconds = float(text)
        except ValueError:
            raise ZerosumError(f"{option} {text!r} is not a number of seconds") from None
        if not 0 <= seconds <= 1e6:
            raise ZerosumError(f"{option} {text!r} is not from 0 to a million seconds")
        return seconds

    return parse


def command(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER PLAYER ...",
            help="engine, engine:threads=2,null_move=off, my_game.py, depth:4, nodes:10000, level:3, random, person,"
            " uci:PROGRAM, xboard:PROGRAM or nboard:PROGRAM.",
            show_default=False,
        ),
    ],
    game: Annotated[
        str,
        typer.Option(
            "--game",
            metavar="GAME",
            help="A name, or my_game.py; default: the first player's file, or chess.",
            show_default=False,
        ),
    ] = "",
    settings: SetOption = [],  # noqa: B006
    games: Annotated[
        int,
        typer.Option(
            "--games",
            metavar="N",
            help="Number of games for each pair of players.",
            parser=whole_number("--games", 1, 10**6),
        ),
    ] = 100,
    control: Annotated[
        str,
        typer.Option(
            "--time",
            metavar="CONTROL",
            help="5+0.05 (seconds and increment), 40/60 (moves/seconds), 'movetime 0.1', 'nodes 10000', 'depth 4'"
            " or none.",
        ),
    ] = DEFAULT_TIME,
    openings: Annotated[
        str,
        typer.Option(
            "--openings",
            metavar="FILE",
            help="Positions (.epd), games (.jsonl, or a format of the game such as .pgn), lines of moves (.txt) or a"
            " .zip of these; random:4, four random moves; or a set that comes with the game, such as ballots in"
            " checkers. Each is played from both sides.",
            show_default=False,
        ),
    ] = "",
    opening_plies: Annotated[
        int | None,
        typer.Option(
            "--opening-plies",
            metavar="N",
            help="Use only the first N plies of each opening.",
            show_default=False,
            parser=whole_number("--opening-plies", 0, MAX_PLY),
        ),
    ] = None,
    gauntlet: Annotated[bool, typer.Option("--gauntlet", help="The first player plays against all others.")] = False,
    sprt: Annotated[
        str,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop when the SPRT accepts one of two Elo differences, as in --sprt 0,5 (or 0,5,ALPHA,BETA).",
            show_default=False,
        ),
    ] = "",
    win: Annotated[
        str,
        typer.Option(
            "--win",
            metavar="MOVES:SCORE",
            help="Adjudicate a win when both players agree on a score for a number of moves, as in 4:600.",
            show_default=False,
        ),
    ] = "",
    draw: Annotated[
        str,
        typer.Option(
            "--draw",
            metavar="AFTER:MOVES:SCORE",
            help="Adjudicate a draw, from a move on, when both players agree on a small score, as in 40:8:10.",
            show_default=False,
        ),
    ] = "",
    tables: Annotated[
        str,
        typer.Option(
            "--tables",
            metavar="FOLDER",
            help="Adjudicate by endgame tables, if the game can read them: Syzygy in chess.",
            show_default=False,
        ),
    ] = "",
    database: Annotated[
        str,
        typer.Option(
            "--database",
            metavar="DIR",
            help="Adjudicate by an endgame database: see 'zerosum endgame'. For one player: engine:database=DIR.",
            show_default=False,
        ),
    ] = "",
    max_plies: Annotated[
        int,
        typer.Option(
            "--max-plies",
            metavar="N",
            help="Number of plies after which a game is drawn.",
            parser=whole_number("--max-plies", 1),
        ),
    ] = 1000,
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency",
            metavar="N",
            help="Games at a time; default: one processor for each thread of a thinking player.",
            show_default=False,
            parser=whole_number("--concurrency", 1, 1024),
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            metavar="N",
            help="Seed of the order of openings, dice and random moves.",
            parser=whole_number("--seed", 0),
        ),
    ] = 0,
    grace: Annotated[
        float,
        typer.Option(
            "--grace", metavar="S", help="Seconds by which a player may exceed its time.", parser=_seconds("--grace")
        ),
    ] = 0.1,
    patience: Annotated[
        float,
        typer.Option(
            "--patience", metavar="S", help="Seconds for a move without a clock.", parser=_seconds("--patience")
        ),
    ] = 60.0,
    luck: Annotated[
        bool,
        typer.Option("--luck", help="With dice: also show the result corrected for luck."),
    ] = False,
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Games file: .jsonl, or a format of the game, such as .pgn in chess, .pdn in checkers and .mat in"
            " backgammon; default: a name derived from the match.",
            show_default=False,
        ),
    ] = "",
    log: Annotated[
        str,
        typer.Option(
            "--log", metavar="FILE", help="Write all communication with programs to a file.", show_default=False
        ),
    ] = "",
    cluster: ClusterOption = "",
    cluster_log: ClusterLogOption = False,
    json: JsonOption = False,
) -> int:
    """Play matches between players, with error bars on the results.

    Two players play a match, more play a round robin. Each game is written to the games file as it
    ends. Run the same command again to resume a match that was interrupted in any way; a larger --games
    extends it. A player that crashes, hangs, exceeds its time or makes an illegal move is named and
    loses the game.

    \b
    Examples:
      zerosum match engine random --game connect-four --games 20
      zerosum match engine:null_move=off engine --time 5+0.05 --openings book.epd --sprt -5,0
      zerosum match engine uci:toga2,OwnBook=off xboard:phalanx --time 40/60 --out games.pgn
      zerosum match engine "nboard:ntest x,depth=12" --game othello --openings xot.txt --games 100
      zerosum match engine depth:6 --game checkers --openings ballots --games 314
      zerosum match depth:2 depth:1 --game backgammon --time none --luck --out games.jsonl
      zerosum match depth:4 depth:5 depth:6 --game othello --openings random:6 --games 50
      zerosum match engine:null_move=off engine --time 5+0.05 --games 40000 --sprt -5,0 --cluster 10.0.0.5:6379
    """
    plan = _plan(locals())
    games_file = out or str(plan.default_file())
    inputs = [("--game", game), ("--openings", openings)]
    inputs += [(f"player {player.text!r}", file) for player in plan.players for file in _files(player)]
    check_outputs((("--out", games_file), ("--log", log)), inputs, read_again=["--out"])
    from zerosum.arena.match import Match

    with _workers(plan, concurrency, bool(database or tables), cluster, cluster_log) as found:
        match = Match(plan, Path(games_file), workers=found, log=Path(log) if log else None, luck=luck)
        return _run(match, json)


def _files(player: PlayerSpec) -> list[str]:
    """What may be files that a player reads."""
    return [player.target, *player.options.values()]


def _workers(plan: Plan, concurrency: int | None, has_database: bool, address: str, log: bool) -> Workers:
    """The workers that play. Processes do not share Python's lock; threads share an unpacked database."""
    if address:
        if concurrency is not None or any(player.is_person for player in plan.players):
            other = "--concurrency" if concurrency is not None else "a person"
            raise ZerosumError(f"{other} cannot be used with --cluster, which plays a game on every free processor")
    cores = max(player.threads for player in plan.players)
    games = 1 if any(player.is_person for player in plan.players) else concurrency or plan.default_concurrency()
    games = min(games, plan.total)
    shares = has_database or any("database" in player.options for player in plan.players)
    return (workers if games == 1 or shares else processes)(address, games * cores, log)


def _plan(given: dict[str, Any]) -> Plan:
    from zerosum.arena.adjudication import Adjudication, known_endings
    from zerosum.arena.match import Plan
    from zerosum.arena.players import parse_player
    from zerosum.arena.ratings import Sprt
    from zerosum.arena.referee import Rules
    from zerosum.arena.time_control import TimeControl

    specs = [parse_player(text) for text in given["players"]]
    rules = _game(given["game"], given["settings"], specs)
    return Plan(
        rules,
        specs,
        Rules(
            TimeControl.parse(given["control"]),
            given["grace"],
            given["patience"],
            given["max_plies"],
            Adjudication.parse(given["win"], given["draw"]),
            known_endings(rules, given["tables"], given["database"]),
        ),
        games=given["games"],
        seed=given["seed"],
        gauntlet=given["gauntlet"],
        openings=given["openings"],
        opening_plies=given["opening_plies"],
        sprt=Sprt.parse(given["sprt"]) if given["sprt"] else None,
    )


def _game(where: str, settings: list[str], specs: list[PlayerSpec]) -> Game:
    files = [spec.target for spec in specs if spec.kind == "file"]
    return load_game(where or next(iter(files), "chess"), settings)


def _run(match: Match, json: bool) -> int:
    from zerosum.cli.match_view import MatchView, print_standings

    plan = match.plan
    with MatchView(match, quiet=json) as view:
        try:
            match.run(view.game_ended, view.begin)
        except KeyboardInterrupt:
            view.close()
            print_standings(match, json)
            complain(
                f"stopped after {count(match.standings.games)} of {count(plan.total)} games, saved in"
                f" {str(match.out)!r}; run the same command again to continue"
            )
            return 130
    print_standings(match, json)
    return 0
