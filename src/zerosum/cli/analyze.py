"""``zerosum analyze``: search a position to increasing depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerosum.cli.common import chosen_algorithm, line_to, load_game, open_database
from zerosum.cli.options import (
    AlgorithmOption,
    DatabaseOption,
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
    WeightsOption,
    any_number,
    whole_number,
)
from zerosum.cli.output import print_table
from zerosum.errors import ZerosumError
from zerosum.game import Game
from zerosum.search.algorithms import DEFAULT
from zerosum.value_display import ending

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.game import Line
    from zerosum.search.result import Result

DEFAULT_SECONDS = 5.0
SECONDS_IN_REVIEW = 0.5
CANDIDATES = 5
"""Number of moves listed in games with chance, where several are often close."""


def command(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    depth: DepthOption = None,
    nodes: NodesOption = None,
    lines: Annotated[
        int | None,
        typer.Option(
            "--lines",
            metavar="N",
            help="Number of best moves to show, as in --lines 3; default 1, or 5 with chance.",
            show_default=False,
            parser=whole_number("--lines", 1),
        ),
    ] = None,
    rollout: Annotated[
        bool, typer.Option("--rollout", help="In games of chance: play many games after each of the best moves.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            help="With --rollout: number of games after each move.",
            show_default=False,
            parser=whole_number("--games", 1),
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            metavar="X",
            help="With --rollout: stop when each value is known to ± X, as in --precision 0.01.",
            show_default=False,
            parser=any_number("--precision"),
        ),
    ] = None,
    plies: Annotated[
        int | None,
        typer.Option(
            "--plies",
            metavar="N",
            help="With --rollout: end games after N moves and evaluate.",
            show_default=False,
            parser=whole_number("--plies", 1),
        ),
    ] = None,
    luck: Annotated[
        int,
        typer.Option(
            "--luck",
            metavar="N",
            help="With --rollout: correct for the luck of the first N rolls of a game.",
            parser=whole_number("--luck", 0),
        ),
    ] = 0,
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="N", help="With --rollout: seed of the dice.", parser=whole_number("--seed")),
    ] = 0,
    review: Annotated[
        str,
        typer.Option(
            "--review",
            metavar="FILE",
            help="Review a finished game, in a format of the game (.pgn, .pdn, .mat), .jsonl or .txt.",
            show_default=False,
        ),
    ] = "",
    number: Annotated[
        int | None,
        typer.Option(
            "--number",
            metavar="K",
            help="With --review: number of the game in the file; default 1.",
            show_default=False,
            parser=whole_number("--number", 1),
        ),
    ] = None,
    blunder: Annotated[
        float | None,
        typer.Option(
            "--blunder",
            metavar="X",
            help="With --review: loss that counts as a blunder; default 0.08 with chance, and 1 (a pawn) in chess.",
            show_default=False,
            parser=any_number("--blunder"),
        ),
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="With --rollout: play the games on the GPU.")] = False,
    threads: ThreadsOption = 1,
    hash_mb: HashOption = 64,
    database: DatabaseOption = "",
    weights: WeightsOption = "",
    algorithm: AlgorithmOption = DEFAULT,
    options: SearchOption = [],  # noqa: B006
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> None:
    """Search a position to increasing depth.

    For each depth, the table shows the value, the number of positions visited, the speed, and the best
    line. The search stops at the first limit: --seconds, --depth, --nodes, or when the value is proven;
    without a limit, after 5 seconds. Ctrl-C stops it too, and is not an error. Values are for MAX. With
    --json each depth is an object on its own line; the last has "final": true.

    Games with chance list the five best moves. With --rollout, a search to --depth (default 1) finds
    these moves; then the engine plays many games to the end after each of them, both sides choosing by
    the evaluation, until --games, --seconds or --precision is reached. The table shows the average, its
    95 % confidence interval, and the frequency of each result.

    With --review, a finished game is reviewed: for each move the value before it, the best move if a
    different one was played, and the loss, which is the difference between the two in searches to the
    same depth. The limits apply to each search; the default is half a second. At the end come both
    players' mean losses and blunders. Where only winning counts, a win counts as ten units (in chess,
    pawns). Ctrl-C skips the rest of the game.

    \b
    Examples:
      zerosum analyze connect-four
      zerosum analyze connect-four --moves "4 4 3" --depth 14 --lines 3
      zerosum analyze connect-four --set width=5 --set height=5 --seconds 20
      zerosum analyze connect-four --threads 2 --option bounds=off --depth 16
      zerosum analyze tictactoe "x...o...." --json
      zerosum analyze checkers --database checkers-4
      zerosum analyze my_game.py --weights my_network.npz
      zerosum analyze backgammon --moves 31 --rollout --precision 0.02 --threads 2
      zerosum analyze backgammon --moves 31 --rollout --precision 0.002 --gpu
      zerosum analyze chess --review games.pgn --number 3 --seconds 1
      zerosum analyze backgammon --review match.mat --depth 2
    """
    from zerosum.cli.reports import view_for
    from zerosum.engine import Engine
    from zerosum.search.limits import Limits

    rules = load_game(game, settings, weights)
    if review:
        if rollout:
            raise ZerosumError(f"--review {review!r} and --rollout cannot be combined: choose one")
        if position or moves:
            raise ZerosumError(f"--review {review!r} gives the moves: leave out {position or moves!r}")
        if lines is not None:
            raise ZerosumError(
                f"--lines {lines} cannot be used with --review {review!r}, which shows only the best move"
            )
    line = line_to(rules, position, moves)
    if lines is None:
        lines = CANDIDATES if rules.has("chances") else 1
    if not rollout:
        for option, given in (("--games", games), ("--precision", precision), ("--plies", plies), ("--luck", luck)):
            if given:
                raise ZerosumError(f"{option} {given:g} applies only to rollouts: give --rollout too")
        if gpu:
            raise ZerosumError(
                "--gpu applies only to rollouts, because searches do not run on a GPU: give --rollout too"
            )
    if not review:
        for option, given in (("--number", number), ("--blunder", blunder)):
            if given is not None:
                raise ZerosumError(f"{option} {given:g} applies only to reviews: give --review too")
    if seconds is None and (games is None and precision is None if rollout else depth is None and nodes is None):
        seconds = SECONDS_IN_REVIEW if review else DEFAULT_SECONDS
    Limits(depth, seconds, nodes)  # refuses invalid limits before anything is drawn
    solved = open_database(rules, database)
    chosen = chosen_algorithm(algorithm, options)
    engine = Engine(rules, algorithm=chosen, threads=threads, hash_mb=hash_mb, database=solved)
    if review:
        from zerosum.cli.reviewing import go_through
        from zerosum.formats.common import read_game

        played = read_game(rules, review, number or 1)
        least = None if blunder is None else blunder * rules.unit
        go_through(engine, played, {"depth": depth, "seconds": seconds, "nodes": nodes}, least, json)
        return
    if rollout:
        limits = {"games": games, "seconds": seconds, "precision": precision, "plies": plies, "luck": luck}
        roll_out_moves(
            engine, line, lines, depth or 1, {**limits, "seed": seed, "device": "gpu" if gpu else "cpu"}, json
        )
        return
    with view_for(rules, line.state, json=json, numbered=lines > 1) as view:
        try:
            if not rules.is_over(line.state):
                engine.prepare()  # so that --seconds limits only the search
            result = engine.search(
                line, depth=depth, seconds=seconds, nodes=nodes, multipv=lines, on_report=view.report
            )
        except KeyboardInterrupt:
            view.stopped()
        else:
            view.finish(result if solved is None else engine.prolonged(result, line))
            if not json:
                tell_chances(rules, line.state, result)


def tell_chances(game: Game, s: Any, result: Result) -> None:
    """Print the chances of each result after each move found, if the game defines them."""
    moves = [found.move for found in result.lines or (result,) if found.move is not None]
    if not moves or not game.has("chances_of"):
        return
    chances = [game.chances_of(game.play(s, move)) for move in moves]
    names = list(chances[0])
    rows = [
        (game.format_move(s, move), *(f"{100 * found[name]:.1f} %" for name in names))
        for move, found in zip(moves, chances, strict=True)
    ]
    print("\nchances for MAX, according to the evaluation alone:")
    print_table(("move", *names), rows, right=range(1, len(names) + 1))


def roll_out_moves(engine: Engine, line: Line, lines: int, depth: int, limits: dict[str, Any], json: bool) -> None:
    """Roll out the best moves that a search finds, or the position itself if chance is to move."""
    from zerosum.cli.rollouts import RolloutView
    from zerosum.review.candidates import roll_out_best

    game, s = engine.game, line.state
    if game.is_over(s):
        raise ZerosumError(f"the game is over: {ending(game, s)}; give a position in which it is not")
    with RolloutView(game, s, json) as view:
        try:
            view.finish(roll_out_best(engine, line, lines, depth=depth, on_report=view.report, **limits))
        except KeyboardInterrupt:
            view.finish(view.last)
