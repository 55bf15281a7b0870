"""``zerosum ladder``: measure what each idea in the history of search is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerosum.cli.common import line_to, load_game, print_json
from zerosum.cli.files import check_outputs, write_text
from zerosum.cli.options import (
    DepthOption,
    MovesOption,
    OptionalGame,
    PositionOption,
    SetOption,
    parse_seconds,
    whole_number,
)
from zerosum.cli.output import print_table
from zerosum.errors import ZerosumError
from zerosum.game import Line
from zerosum.search.limits import MOST_THREADS

if TYPE_CHECKING:
    from zerosum.classroom.child_order import Orders
    from zerosum.classroom.ladder import Climbed
    from zerosum.classroom.ladder_report import Ladder


def command(
    game: OptionalGame = "",
    position: PositionOption = "",
    moves: MovesOption = "",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="S",
            help="Fixed time for each search, as in --seconds 5; default 1.5.",
            show_default=False,
            parser=parse_seconds,
        ),
    ] = None,
    depth: DepthOption = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            metavar="N",
            help="Processors for the last rung; default: all.",
            show_default=False,
            parser=whole_number("--threads", 1, MOST_THREADS),
        ),
    ] = None,
    tree: Annotated[
        str,
        typer.Option(
            "--tree",
            metavar="TREE",
            help='Child order instead of a game: a tree\'s file, its text, or "random".',
            show_default=False,
        ),
    ] = "",
    branching: Annotated[
        int | None,
        typer.Option(
            "--branching",
            metavar="B",
            help="With --tree random: children of every node; default 3.",
            show_default=False,
            parser=whole_number("--branching", 1),
        ),
    ] = None,
    height: Annotated[
        int | None,
        typer.Option(
            "--height",
            metavar="H",
            help="With --tree random: levels below the root; default 6.",
            show_default=False,
            parser=whole_number("--height", 1),
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Seed of random trees and orders.", parser=whole_number("--seed"))
    ] = 1,
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write a plot, too.", show_default=False)] = "",
    settings: SetOption = [],  # noqa: B006
    json: Annotated[
        str, typer.Option("--json", metavar="FILE", help='Write it as JSON; "-": to stdout.', show_default=False)
    ] = "",
) -> None:
    """Measure what each idea in the history of search is worth.

    Minimax, + alpha-beta, + ordering, + transposition table, … + threads: each rung adds one idea to
    all the previous ones, and runs on the compiled rules. The table shows the nodes and the time to a
    fixed depth (the greatest that all rungs reach, or --depth), how many times fewer nodes and how many
    times faster than the rung before, the depth reached in a fixed time, and the effective branching
    factor, with what theory predicts below. Ideas that need a function the game does not define are
    named and skipped. Ctrl-C keeps the rungs that are done.

    With --tree, count the leaves that alpha-beta visits if the children are in the best, the worst or a
    random order, and compare with two limits: all leaves, and Knuth and Moore's minimum.

    \b
    Examples:
      zerosum ladder connect-four
      zerosum ladder tictactoe --position "x...o...." --json -
      zerosum ladder othello --seconds 5 --svg ladder.svg
      zerosum ladder --tree random --branching 3 --height 6
      zerosum ladder --tree "(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"
    """
    outputs = (("--svg", svg), ("--json", "" if json == "-" else json))
    check_outputs(outputs, (("GAME", game), ("--tree", tree)))
    if tree:
        _refuse(game, "GAME", "--tree")
        for option, value in (("--position", position), ("--moves", moves), ("--depth", depth), ("--seconds", seconds)):
            _refuse(value, option, "--tree")
        return _child_order(tree, branching, height, seed, svg, json)
    for option, value in (("--branching", branching), ("--height", height)):
        if value is not None:
            raise ZerosumError(f"{option} {value!r} is only for --tree random")
    if not game:
        raise ZerosumError("give a GAME, as in 'zerosum ladder connect-four', or --tree")
    line = line_to(load_game(game, settings), position, moves)
    _climb(line, seconds, depth, threads, svg, json)
    return None


def _refuse(value: Any, option: str, other: str) -> None:
    if value:
        raise ZerosumError(f"{option} {value!r} cannot be combined with {other}")


def _write_json(file: str, report: dict[str, Any]) -> None:
    if file == "-":
        print_json(report)
    elif file:
        from json import dumps

        write_text("--json", file, dumps(report, ensure_ascii=False, indent=1) + "\n")


# A game


def _climb(line: Line, seconds: float | None, depth: int | None, threads: int | None, svg: str, json: str) -> None:
    from zerosum.classroom.ladder import DEFAULT_SECONDS, climb, prepare
    from zerosum.classroom.ladder_report import Ladder
    from zerosum.cli.ladder_view import ClimbView

    game = line.game
    seconds = DEFAULT_SECONDS if seconds is None else seconds
    done: list[Climbed] = []

    def ladder() -> Ladder:
        return Ladder(game, done, seconds=seconds, wanted=depth, position=game.format_state(line.state))

    rungs = climb(line.game, line, seconds=seconds, depth=depth, threads=threads, tell=lambda *news: view.tell(*news))
    prepare(game)  # so that the compiler's messages come before the table
    interrupted = False
    view = ClimbView(ladder, quiet=json == "-")
    with view:
        try:
            for climbed in rungs:
                done.append(climbed)
                view.refresh()
        except KeyboardInterrupt:
            interrupted = True
    if json != "-":
        _print(ladder())
    _write_json(json, ladder().as_dict())
    if svg and ladder().measured:
        write_text("--svg", svg, ladder().plot())
    if interrupted:
        raise KeyboardInterrupt


def _print(ladder: Ladder) -> None:
    from zerosum.cli import ladder_table

    if not ladder.climbed:
        return
    print_table(ladder_table.headings(ladder), ladder_table.rows(ladder), right=ladder_table.NUMBERS)
    rows = ladder_table.chess_rows(ladder)
    if rows:
        print()
        print_table(ladder_table.chess_headings(ladder), rows, right=range(5))
    for words in ladder_table.words(ladder):
        print(words)


# A tree


def _child_order(tree: str, branching: int | None, height: int | None, seed: int, svg: str, json: str) -> None:
    from dataclasses import asdict

    from zerosum.classroom.child_order import compare_orders
    from zerosum.classroom.tree import Tree
    from zerosum.cli.trees import read_tree

    if tree == "random":
        branching, height = 3 if branching is None else branching, 6 if height is None else height
        # Equal leaves would be cut off more often than the formula says.
        subject = Tree.uniform(branching, height, seed, ties=False)
        name = f"uniform tree, {branching} children, height {height}"
    else:
        for option, value in (("--branching", branching), ("--height", height)):
            _refuse(value, option, f"--tree {tree!r}, which has its own")
        subject = read_tree(tree)
        name = f"tree of {subject.size} nodes"
    orders = compare_orders(subject, seed)
    _write_json(json, {"tree": name, "seed": seed, **asdict(orders), "average": orders.average})
    if json != "-":
        print(f"{name}: leaves that alpha-beta visits, by order of the children")
        rows = [
            (order, f"{leaves:,.1f}".removesuffix(".0"), f"{leaves / orders.leaves:.1%}", remark)
            for order, leaves, remark in _order_rows(orders)
        ]
        print_table(("order", "leaves", "of all", "remark"), rows, right=(1, 2))
    if svg:
        from zerosum.classroom.drawing.plot import bar_plot

        bars = {order: float(leaves) for order, leaves, _ in _order_rows(orders)}
        write_text("--svg", svg, bar_plot(bars, title=name, x_label="order of the children", y_label="leaves"))


def _order_rows(orders: Orders) -> list[tuple[str, float, str]]:
    least, most = min(orders.shuffled), max(orders.shuffled)
    rows: list[tuple[str, float, str]] = [
        ("all leaves", orders.leaves, "what minimax visits: the upper limit"),
        ("worst", orders.worst, "each player's best move last"),
        ("random", orders.average, f"{len(orders.shuffled)} orders, from {least:,} to {most:,}"),
        ("as given", orders.given, ""),
        ("best", orders.best, "each player's best move first"),
    ]
    if orders.fewest is not None:
        rows.append(("Knuth–Moore", orders.fewest, "b^⌈d/2⌉ + b^⌊d/2⌋ − 1: the lower limit"))
    return rows
