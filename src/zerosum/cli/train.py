"""``zerosum train``: learn from games: fit weights to results, learn a network by self-play, or tune the search."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum import __version__
from zerosum.cli.cluster_options import ClusterLogOption, ClusterOption, without_place, workers
from zerosum.cli.common import load_game
from zerosum.cli.files import check_outputs, write_text
from zerosum.cli.options import (
    GameArgument,
    NodesOption,
    SearchOption,
    SetOption,
    any_number,
    rate_number,
    share,
    whole_number,
)
from zerosum.cli.output import count, print_table
from zerosum.cli.progress import Bar
from zerosum.errors import ZerosumError
from zerosum.game import Game
from zerosum.processors import usable_processors
from zerosum.search.limits import MAX_PLY, MOST_THREADS

if TYPE_CHECKING:
    from zerosum.learn.plans import TuningPlan
    from zerosum.learn.tuning import Tuning
    from zerosum.working.team import Workers

MOST_GAMES = 10**6
"""Most games of a match, as in 'zerosum match'."""

SHOWN = 20
"""Number of weights listed: those that changed most."""

OF_TUNING = ("database", "trust", "keep")
OF_LOOK_AHEAD = ("round_games", "window", "batch")
OF_SEARCH = ("control", "openings", "only", "options")
OF_NETWORK = ("data", "positions", "epochs", "power")
OF_PATTERNS = ("prior",)
OF_LEARNING = ("hidden", "last_rate", "trace", "explore", "look_ahead", "round_games", "window", "opponent", "matches")
OF_PROBCUT = ("game", "settings", "probcut", "out", "start", "positions", "depth", "random_plies", "seed", "threads")
OF_GAMES = ("source", "games", "database", "keep", "rounds")


def command(
    context: typer.Context,
    game: GameArgument,
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="self-play|FILE",
            help="Source of games: self-play, or a file (.jsonl, or a format of the game).",
        ),
    ] = "self-play",
    method: Annotated[
        str,
        typer.Option(
            metavar="td|tune",
            help="Learn a network from features, or tune named weights; default: whichever the game supports.",
            show_default=False,
        ),
    ] = "",
    games: Annotated[
        int | None,
        typer.Option(
            help="Number of games.  [default: 1000; td and search: 20000]",
            parser=whole_number("--games", 1),
            show_default=False,
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            help="Search depth of self-play.  [default: 4; network, patterns: 6, unless --nodes is given; probcut: 10]",
            parser=whole_number("--depth", 1),
            show_default=False,
        ),
    ] = None,
    random_plies: Annotated[
        int,
        typer.Option(help="Random moves at the start of each game.", parser=whole_number("--random-plies", 0, MAX_PLY)),
    ] = 8,
    database: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="tune: endgame database for self-play, which also ends its games: see 'zerosum endgame'.",
            show_default=False,
        ),
    ] = "",
    trust: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="tune, network, patterns: weight of the values that searches found, against the games' results;"
            " 0 to 1.  [default: 0; network, patterns: 0.7]",
            parser=share("--trust"),
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        list[str],
        typer.Option(
            metavar="TEXT",
            help="tune: keep weights whose names contain this text; may be repeated.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    rounds: Annotated[
        int, typer.Option(help="Maximum number of tuning rounds.", parser=whole_number("--rounds", 1))
    ] = 10,
    seed: Annotated[int, typer.Option(help="Seed; equal seeds give equal weights.", parser=whole_number("--seed"))] = 0,
    threads: Annotated[
        int, typer.Option(help="Processors; 0: all.", parser=whole_number("--threads", 0, MOST_THREADS))
    ] = 0,
    out: Annotated[
        str, typer.Option(metavar="FILE", help="Write the weights here (JSON; td: .npz).", show_default=False)
    ] = "",
    start: Annotated[
        str, typer.Option("--weights", metavar="FILE", help="Weights to start from.", show_default=False)
    ] = "",
    plot: Annotated[
        str,
        typer.Option(metavar="FILE", help="Write a plot of the error or the learning curve (SVG).", show_default=False),
    ] = "",
    match: Annotated[
        int,
        typer.Option(
            "--match",
            metavar="N",
            help="tune, network, patterns: play N games between the new and the old weights; network and patterns"
            " may stop early.",
            parser=whole_number("--match", 0, MOST_GAMES),
        ),
    ] = 0,
    hidden: Annotated[
        int, typer.Option(help="td: hidden units; 0: a linear model.", parser=whole_number("--hidden", 0))
    ] = 40,
    rate: Annotated[
        float | None,
        typer.Option(
            help="td, network: initial learning rate  [default: 0.0006; network: 0.002]",
            parser=rate_number("--rate"),
            show_default=False,
        ),
    ] = None,
    last_rate: Annotated[
        float, typer.Option(help="td, network: final learning rate.", parser=rate_number("--last-rate"))
    ] = 0.00005,
    trace: Annotated[
        float, typer.Option("--lambda", help="td: λ, the weight of later positions.", parser=share("--lambda"))
    ] = 0.0,
    explore: Annotated[
        float | None,
        typer.Option(
            help="td: share of random moves.  [default: 0.1; with dice 0]",
            parser=share("--explore"),
            show_default=False,
        ),
    ] = None,
    look_ahead: Annotated[
        bool,
        typer.Option(
            "--look-ahead", help="td: learn in rounds from a search one move deeper; slower, but without luck."
        ),
    ] = False,
    round_games: Annotated[
        int,
        typer.Option(
            "--round-games", help="With --look-ahead: games between two fits.", parser=whole_number("--round-games", 1)
        ),
    ] = 4_000,
    window: Annotated[
        int,
        typer.Option(help="With --look-ahead: number of latest positions to fit.", parser=whole_number("--window", 1)),
    ] = 1_500_000,
    batch: Annotated[
        int | None,
        typer.Option(
            help="Positions per step of a fit; use 1024 or more with --gpu."
            "  [default: 256; network: up to 16384, fewer for few positions; search: 64 pairs of games]",
            parser=whole_number("--batch", 1),
            show_default=False,
        ),
    ] = None,
    network: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Fit a network for search over the game's active features, with N hidden units (16, 32, 48 …).",
            parser=whole_number("--network", 0),
            show_default=False,
        ),
    ] = 0,
    patterns: Annotated[
        bool,
        typer.Option("--patterns", help="Fit weights for the game's patterns, for search."),
    ] = False,
    prior: Annotated[
        float,
        typer.Option(
            help="patterns: strength of the prior that holds each weight at its start, in positions.",
            parser=any_number("--prior"),
        ),
    ] = 10.0,
    data: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="network, patterns: file of positions.  [default: next to --out, .zsp]",
            show_default=False,
        ),
    ] = "",
    positions: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="network, patterns: gather until there are N positions.  [default: 1000000, if there are none;"
            " probcut: measure N, 3000]",
            parser=whole_number("--positions", 1),
            show_default=False,
        ),
    ] = None,
    nodes: NodesOption = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            help="network, patterns: passes over the positions.  [default: 10; patterns: 30]",
            parser=whole_number("--epochs", 1),
            show_default=False,
        ),
    ] = None,
    power: Annotated[
        float,
        typer.Option(
            help="network, patterns: exponent of the error; 2 for mean squares.",
            parser=any_number("--power"),
        ),
    ] = 2.0,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Play and fit on the GPU; fits need pip install 'zerosum[cuda]'.")
    ] = False,
    opponent: Annotated[
        str,
        typer.Option(
            metavar="random|evaluate|order",
            help="td: opponent for the learning curve; default: evaluate.",
            show_default=False,
        ),
    ] = "",
    matches: Annotated[
        int,
        typer.Option(
            help="td: games per point of the learning curve.", parser=whole_number("--matches", 0, MOST_GAMES)
        ),
    ] = 1000,
    resume: Annotated[
        bool, typer.Option("--resume", help="td, network, patterns, search: continue the run in --out FILE.")
    ] = False,
    search: Annotated[
        bool, typer.Option("--search", help="Tune parameters of the search, such as null_base, by games (SPSA).")
    ] = False,
    probcut: Annotated[
        bool, typer.Option("--probcut", help="Measure how well shallow searches predict deep ones, for ProbCut.")
    ] = False,
    control: Annotated[
        str,
        typer.Option("--time", metavar="T+I", help="search: time control, as in 1+0.01.", show_default=False),
    ] = "",
    openings: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="search: openings, as in 'zerosum match'; default: --random-plies.",
            show_default=False,
        ),
    ] = "",
    only: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            help="search: tune this parameter only; may be repeated. Default: all whose techniques are on.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    options: SearchOption = [],  # noqa: B006
    settings: SetOption = [],  # noqa: B006
    cluster: ClusterOption = "",
    cluster_log: ClusterLogOption = False,
) -> int:
    """Learn an evaluation, or tune the search, from games.

    A game with weights_of is tuned. Quiet positions come from games of the engine against itself, or
    from a file; the weights are fitted to predict the results, until held-out games stop improving. The
    file holds the weights by name, with the command and the figures of the run. A match decides whether
    they are better: --match 200, or with real clocks zerosum match engine:weights=FILE engine.

    A game with features can learn a network from nothing, by playing itself (TD(λ)). The file is saved
    regularly, and --resume continues after an interruption; from time to time the network plays
    matches, which make the learning curve.

    With --search the evaluation stays as it is, and the parameters of alpha-beta are tuned: margins,
    depths, reductions. Two settings that differ a little in all parameters play a pair of games, and
    the parameters take a small step towards the winner. zerosum match engine:parameters=FILE engine
    decides whether the result is better.

    With --network N, a game with active gets a network that searches update from move to move.
    Positions are gathered in --data FILE ('zerosum gather' adds more); the network is fitted to the
    values that searches found and to the results of the games, and written in integers. After an
    interruption, the same command with --resume continues.

    With --patterns, a game with patterns, small groups of cells, gets a weight for every configuration
    of each group, by phase of the game. Otherwise it works like --network, from the same positions.

    With --probcut, self-play positions are searched to all depths up to --depth, and the weights are
    written again together with how well each depth predicts the deeper ones. With --weights FILE,
    searches then use ProbCut.

    \b
    Examples:
      zerosum train connect-four --games 50000 --out four.npz --plot curve.svg
      zerosum train backgammon --games 200000 --hidden 80 --out backgammon.npz
      zerosum train backgammon --out backgammon.npz --resume
      zerosum train backgammon --weights backgammon.npz --look-ahead --games 40000 --out better.npz
      zerosum train othello --set patterns=0 --games 500 --out othello.json --match 200
      zerosum train checkers --set network=0 --database checkers-5 --keep "few pieces" --out checkers.json
      zerosum train chess --set network=0 --from games.pgn --out chess.json --plot error.svg
      zerosum train checkers --set network=0 --from games.pdn --out checkers.json
      zerosum train chess --set network=0 --weights chess.json --games 5000 --seed 2 --out better.json
      zerosum train chess --search --time 1+0.01 --games 30000 --out search.json
      zerosum train connect-four --network 32 --positions 300000 --out four.npz --match 200
      zerosum train chess --network 256 --data chess.zsp --gpu --out chess.npz
      zerosum train othello --patterns --positions 500000 --random-plies 20 --out othello.npz --match 200
      zerosum train chess --network 256 --positions 100000000 --data chess.zsp --out chess.npz --cluster 10.0.0.5:6379
      zerosum train othello --probcut --weights othello.npz --depth 12 --out othello-probcut.npz
    """
    rules = load_game(game, settings)
    gathered = data or (str(Path(out).with_suffix(".zsp")) if out and (network or patterns) else "")
    inputs = [("GAME", game), ("--weights", start), ("--from", source), ("--openings", openings)]
    check_outputs((("--data", gathered), ("--out", out), ("--plot", plot)), inputs, read_again=["--data", "--out"])
    if probcut:
        from zerosum.cli.probcut import measure_probcut

        if given := _given(context, [name for name in context.params if name not in OF_PROBCUT]):
            raise ZerosumError(f"{given} cannot be used with --probcut")
        return measure_probcut(rules, {**context.params, "threads": threads or usable_processors()})
    if search:
        from zerosum.cli.search_tuning import tune_search

        _check_search_options(context, resume)
        pairs = batch if _given(context, ["batch"]) else None
        return tune_search(rules, {**context.params, "round": pairs, "threads": threads or usable_processors()})
    if given := _given(context, OF_SEARCH):
        raise ZerosumError(f"{given} needs --search")
    from zerosum.learn.plans import GAMES, LearningPlan, NetworkPlan, TuningPlan, filled, method_for

    chosen = method_for(rules, method, network, patterns)
    # The fields of the plans have the names of the parameters above, and their defaults.
    asked = {name: value for name, value in context.params.items() if value is not None}
    asked["threads"] = threads or usable_processors()
    if chosen in ("network", "patterns"):
        from zerosum.cli.networks import fit

        others = OF_PATTERNS if chosen == "network" else ("batch", "rate")
        if given := _given(context, (*OF_LEARNING, *OF_GAMES, *others)):
            raise ZerosumError(f"{given} cannot be used with --{chosen}")
        return fit(rules, NetworkPlan.of(rules, asked), plot, cluster, cluster_log)
    if given := _given(context, (*OF_NETWORK, *OF_PATTERNS, "nodes")):
        raise ZerosumError(f"{given} needs --network N or --patterns")
    asked["games"] = games or GAMES[chosen]
    if chosen == "tune":
        with workers(cluster, asked["threads"], cluster_log) as found:
            return _tune(rules, filled(TuningPlan, asked), plot, found)
    from zerosum.cli.learning import learn

    if cluster:
        raise ZerosumError("--cluster cannot be used with --method td, which learns from each game before the next")
    _check_options(context, resume, look_ahead)
    return learn(rules, LearningPlan.of(rules, asked), plot)


def _check_options(context: typer.Context, resume: bool, look_ahead: bool) -> None:
    """Refuse options that do not apply to learning."""
    from zerosum.learn.training import TdOptions

    if given := _given(context, OF_TUNING):
        raise ZerosumError(f"{given} is for tuning, not for --method td")
    if resume and (given := _given(context, [*TdOptions.__annotations__, "start"])):
        raise ZerosumError(f"--resume continues with the options of the run: leave out {given}")
    if not look_ahead and (given := _given(context, OF_LOOK_AHEAD)):
        raise ZerosumError(f"{given} needs --look-ahead")


def _check_search_options(context: typer.Context, resume: bool) -> None:
    """Refuse options that do not apply to tuning the search, or that a resumed run has fixed already."""
    always = {"game", "settings", "search", "resume", "out", "threads", "cluster", "cluster_log"}
    decided = {*OF_SEARCH, "nodes", "games", "random_plies", "batch", "seed", "start"}
    if given := _given(context, [name for name in context.params if name not in always | decided]):
        raise ZerosumError(f"{given} cannot be used with --search")
    if resume and (given := _given(context, sorted(decided))):
        raise ZerosumError(f"--resume continues with the options of the run: leave out {given}")
    if _given(context, ["nodes"]) and _given(context, ["control"]):
        raise ZerosumError("games are limited by --nodes or by --time: leave out one of them")


def _given(context: typer.Context, names: Sequence[str]) -> str:
    """The first of these options that is on the command line, or ''."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is not None and source.name == "COMMANDLINE":
            return str(parameter.opts[0])
    return ""


def _tune(game: Game, plan: TuningPlan, plot: str, found: Workers) -> int:
    from zerosum.learn.files import write_weights

    with Bar() as bar:
        tuned = plan.run(game, bar.show, found)
    if plan.out:
        made = {
            "command": shlex.join(["zerosum", *without_place(sys.argv[1:])]),
            "version": __version__,
            "games": tuned.games,
            "positions": tuned.samples,
            "held-out error": {"before": round(tuned.error_before, 6), "after": round(tuned.error_after, 6)},
        }
        write_weights(Path(plan.out), game, tuned.after, made)
    if plot:
        write_text("--plot", plot, _plot(game, tuned))
    _tell(tuned, plan.out)
    if plan.match:
        from zerosum.cli.weights_decision import decide

        decide(game, plan.out, plan.start, plan.match, plan.seed)
    return 0


def _plot(game: Game, tuned: Tuning) -> str:
    from zerosum.classroom.drawing.plot import line_plot

    series = {
        "learned from": [(float(i), pair[0]) for i, pair in enumerate(tuned.curve)],
        "held out": [(float(i), pair[1]) for i, pair in enumerate(tuned.curve)],
    }
    return line_plot(series, title=f"Tuning {game.name}", x_label="round", y_label="mean square error")


def _tell(tuned: Tuning, out: str) -> None:
    print(
        f"{count(tuned.games)} games, {count(tuned.samples)} quiet positions, {len(tuned.curve) - 1} rounds;"
        f" {tuned.moved} of {len(tuned.before)} weights changed"
    )
    print(f"held-out error {tuned.error_before:.6f} -> {tuned.error_after:.6f}")
    moved = sorted(tuned.before, key=lambda name: -abs(tuned.after[name] - tuned.before[name]))[:SHOWN]
    rows = [(n, f"{tuned.before[n]:g}", f"{tuned.after[n]:g}") for n in moved if tuned.before[n] != tuned.after[n]]
    if rows:
        print_table(("weight", "before", "after"), rows, right=(1, 2))
    if out:
        print(f"written to {out}")
