"""``zerosum trace``: an algorithm step by step, on a tree, a game, or a worked example."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerosum.cli.common import line_to, load_game, print_json
from zerosum.cli.files import check_outputs, write_text
from zerosum.cli.options import DepthOption, MovesOption, PositionOption, SetOption, whole_number
from zerosum.cli.output import console, count, print_table
from zerosum.cli.progress import Bar
from zerosum.cli.trees import RANDOM, is_tree_text, random_tree, read_tree
from zerosum.errors import LimitError, UnknownGame, ZerosumError

if TYPE_CHECKING:
    from zerosum.classroom.gallery import Example, Report, Slip
    from zerosum.classroom.tracing import Trace
    from zerosum.classroom.tree import Tree
    from zerosum.game import Game

DEFAULT_DEPTH = 2
"""Default depth of search in a game: one move of each player."""

MOST_STEPS = 100_000
"""Maximum number of steps: more would be unreadable and could exhaust memory."""

FLAGS = ("depth", "simulations", "seed")
"""Options of algorithms that are command-line options of their own."""

DETAILS = ("brief", "full")

DEFAULT_STEPS = 60
"""Default number of steps shown in the terminal."""


def command(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="TREE|GAME",
            help='File of a tree, "-" for stdin, a tree in brackets, "random", or a game as in every command.',
            show_default=False,
        ),
    ] = "",
    example: Annotated[
        str,
        typer.Option("--example", metavar="NAME", help="Name of a worked example.", show_default=False),
    ] = "",
    list_all: Annotated[bool, typer.Option("--list", help="List the worked examples.")] = False,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            metavar="NAME",
            help="minimax, alphabeta, pvs, mcts …; default: alphabeta, or expectiminimax with chance.",
            show_default=False,
        ),
    ] = "",
    position: PositionOption = "",
    moves: MovesOption = "",
    depth: DepthOption = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            "--simulations",
            metavar="N",
            help="Simulations of mcts; default: 100.",
            show_default=False,
            parser=whole_number("--simulations", 1),
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="Seed of mcts or of a random tree.",
            show_default=False,
            parser=whole_number("--seed", 0),
        ),
    ] = None,
    branching: Annotated[
        int | None,
        typer.Option(
            "--branching",
            metavar="N",
            help="With a random tree: children of each node; default 3. Its height is --depth.",
            show_default=False,
            parser=whole_number("--branching", 1, 9),
        ),
    ] = None,
    order: Annotated[
        str,
        typer.Option(
            "--order",
            metavar="ORDER",
            help="Order of a tree's children: best (each player's best move first) or worst.",
            show_default=False,
        ),
    ] = "",
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="Option of the algorithm, as in --option guess=5; may be repeated.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    settings: SetOption = [],  # noqa: B006
    steps: Annotated[
        int,
        typer.Option(
            "--steps", metavar="N", help="Number of steps to show in words.", parser=whole_number("--steps", 0)
        ),
    ] = DEFAULT_STEPS,
    detail: Annotated[
        str,
        typer.Option("--detail", metavar="brief|full", help="One step for each leaf, or one for each event."),
    ] = "brief",
    html: Annotated[
        str, typer.Option("--html", metavar="FILE", help="Write a web page to step through.", show_default=False)
    ] = "",
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Write the drawing.", show_default=False)] = "",
    json: Annotated[
        str, typer.Option("--json", metavar="FILE", help='Write all steps as JSON; "-" is stdout.', show_default=False)
    ] = "",
) -> None:
    """Run a search algorithm and show every step.

    TREE is a file of JSON, brackets or indented lines, or the tree itself in brackets. A GAME is
    searched 2 moves ahead, or to --depth. The terminal shows the tree with the values found, alpha and
    beta, the pruned branches and the chosen line, then the steps in words: one for each leaf or, with
    --detail full, one for each event. --html writes a page to step through. For mcts the tree is the
    one that was grown, with the visits n and the mean result of each node.

    \b
    Examples:
      zerosum trace --list
      zerosum trace --example alpha-beta-chapter-6 --html steps.html
      zerosum trace "(A (B 3 12 8) (C 2 4 6) (D 14 5 2))" --algorithm minimax
      zerosum trace "(A (B 0.5: 3 0.5: 7) (C 0.9: 1 0.1: 40))" --svg chance.svg
      zerosum trace random --depth 4 --branching 3 --seed 7
      zerosum trace tictactoe --moves "1 5 9" --depth 2 --algorithm pvs
      zerosum trace "(A (B 3 12 8) (C 2 4 6))" --algorithm mcts --simulations 10 --seed 1
      zerosum trace my_tree.json --order best --json steps.json
    """
    outputs = (("--html", html), ("--svg", svg), ("--json", "" if json == "-" else json))
    check_outputs(outputs, [("TREE|GAME", "" if subject == RANDOM else subject)])
    if detail not in DETAILS:
        raise ZerosumError(f"--detail {detail!r} is not one of {', '.join(DETAILS)}")
    if list_all:
        _refuse_all("--list", subject=subject, example=example)
        _print_list(json)
        return
    numbers = {"depth": depth, "simulations": simulations, "seed": seed}
    if subject == RANDOM:
        subject = random_tree(branching, numbers, algorithm)
    elif branching is not None:
        raise ZerosumError(f"--branching {branching} is only for a random tree: zerosum trace random")
    wishes = _Wishes(algorithm, order, options, numbers)
    shown: Trace | Report
    if example:
        _refuse_all(f"--example {example!r}", subject=subject, position=position, moves=moves, settings=settings)
        found = _example(example)
        shown = wishes.apply(found)
    elif subject:
        found = None
        shown = _run(subject, position, moves, settings, wishes)
    else:
        raise ZerosumError("give a tree, a game or --example; 'zerosum trace --list' lists the examples")
    _write(shown, found, html, svg, json)
    if json != "-":
        _print(shown, found, steps, detail)


# What to run


class _Wishes:
    """The algorithm and its options, where given on the command line."""

    def __init__(self, algorithm: str, order: str, options: list[str], numbers: dict[str, int | None]) -> None:
        from zerosum.classroom.tracing import algorithm_name

        try:
            self.algorithm = algorithm_name(algorithm) if algorithm else ""
        except LimitError as problem:
            raise LimitError(f"--algorithm: {problem}") from problem
        self.order = order
        self.options = _options(options) | {name: n for name, n in numbers.items() if n is not None}

    def apply(self, found: Example | Slip) -> Trace | Report:
        """The example's own result or, with any option, a new search of its tree."""
        from zerosum.classroom.gallery import Report

        result = found.make()
        if not (self.algorithm or self.order or self.options):
            return result
        if isinstance(result, Report) or result.tree is None:
            raise ZerosumError(f"--example {found.name!r} is a report: it has no tree to search with other options")
        return self.search(self.in_order(result.tree), None, result.algorithm)

    def in_order(self, tree: Tree) -> Tree:
        return tree.ordered(self.order) if self.order else tree

    def search(self, subject: Tree | Game, s: Any, default: str, depth: int | None = None) -> Trace:
        """Trace the search, to ``depth`` by default; algorithms that sample take no depth."""
        from zerosum.classroom.tracing import ALGORITHMS, limited, takes_depth, trace

        name = self.algorithm or default
        _check_options(name, ALGORITHMS[name], self.options)
        if depth is not None and takes_depth(name):
            self.options.setdefault("depth", depth)
        with Bar() as bar:

            def show(done: int) -> None:
                if done % 1000 == 0:
                    bar.show(done / MOST_STEPS, f"{count(done)} steps")

            return trace(limited(name, MOST_STEPS, show), subject, s, **self.options)


def _options(given: list[str]) -> dict[str, Any]:
    """Parse ``--option``: NAME=on, NAME=off, NAME=NUMBER or NAME=LOW:HIGH."""
    found: dict[str, Any] = {}
    value: Any
    for option in given:
        name, _, word = (part.strip() for part in option.partition("="))
        value = {"on": True, "off": False}.get(word, _number(word))
        if value is None and ":" in word:
            ends = tuple(map(_number, word.split(":")))
            value = ends if len(ends) == 2 and None not in ends else None
        if value is None or not name.isidentifier():
            raise ZerosumError(f"--option {option!r} is not NAME=on, NAME=off or NAME=NUMBER, as in --option guess=5")
        found[name] = value
    return found


def _number(word: str) -> float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    if isnan(value):
        return None
    return int(value) if value.is_integer() else value


def _check_options(name: str, function: Callable[..., float], options: dict[str, Any]) -> None:
    """Raise ZerosumError for an option that the algorithm lacks, or a value of the wrong kind."""
    from inspect import signature

    kinds = {p.name: str(p.annotation) for p in signature(function).parameters.values()}
    numbers = [option for option, kind in kinds.items() if kind.startswith(("float", "int")) and option != "ply"]
    switches = [option for option, kind in kinds.items() if kind == "bool"]
    pairs = [option for option, kind in kinds.items() if kind.startswith("Bounds")]
    for option, value in options.items():
        if option not in numbers + switches + pairs:
            known = ", ".join(f"--{each}" if each in FLAGS else each for each in numbers + switches + pairs)
            given = f"--{option} {value}" if option in FLAGS else f"--option {option!r}"
            raise ZerosumError(f"{given} is not an option of {name}; its options: {known}")
        kind = bool if option in switches else tuple if option in pairs else (int, float)
        if not isinstance(value, kind) or (isinstance(value, bool) and option not in switches):
            form = "on or off" if option in switches else "LOW:HIGH, as in -2:2" if option in pairs else "a number"
            raise ZerosumError(f"--option {option!r} must be {form}")


def _run(subject: str, position: str, moves: str, settings: list[str], wishes: _Wishes) -> Trace:
    """The trace of a tree or of a game."""
    from zerosum.game import CHANCE

    if _is_tree(subject):
        _refuse_all(f"the tree {subject!r}", position=position, moves=moves, settings=settings)
        tree = wishes.in_order(read_tree(subject))
        has_chance = any(node.kind == CHANCE for _, node in tree.nodes())
        return wishes.search(tree, None, "expectiminimax" if has_chance else "alphabeta")
    if wishes.order:
        raise ZerosumError(f"--order {wishes.order!r} is for trees, and {subject!r} is a game")
    try:
        game = load_game(subject, settings)
    except UnknownGame as problem:
        raise UnknownGame(f"{problem}; it is not a tree in brackets or the file of a tree either") from problem
    line = line_to(game, position, moves)
    return wishes.search(game, line.state, "expectiminimax" if game.has("chances") else "alphabeta", DEFAULT_DEPTH)


def _is_tree(subject: str) -> bool:
    """Whether the argument is a tree or the file of one; games take precedence."""
    from pathlib import Path

    from zerosum.games import GAMES

    if subject == "-" or is_tree_text(subject):
        return True
    if subject in GAMES or subject.endswith(".py"):
        return False
    return subject.endswith((".json", ".txt", ".tree")) or Path(subject).is_file()


def _example(name: str) -> Example | Slip:
    from difflib import get_close_matches

    from zerosum.classroom.gallery import EXAMPLES, SLIPS

    known: dict[str, Example | Slip] = {**EXAMPLES, **SLIPS}
    if name not in known:
        close = get_close_matches(name.lower(), list(known), 1, 0.5)
        near = f"did you mean {close[0]!r}? " if close else ""
        raise ZerosumError(f"unknown example {name!r}; {near}'zerosum trace --list' lists them")
    return known[name]


def _refuse_all(other: str, **given: Any) -> None:
    """Raise ZerosumError if one of these is given together with ``other``."""
    for word, value in given.items():
        if value:
            option = {"subject": "TREE|GAME", "settings": "--set"}.get(word, f"--{word}")
            raise ZerosumError(f"{option} {value!r} cannot be combined with {other}")


# Output


def _print_list(json: str) -> None:
    from zerosum.classroom.gallery import EXAMPLES, SLIPS

    every: list[Example | Slip] = [*EXAMPLES.values(), *SLIPS.values()]
    if json:
        rows = [{"name": e.name, **e.facts} for e in every]
        if json == "-":
            print_json(rows)
        else:
            import json as format_

            write_text("--json", json, format_.dumps(rows, ensure_ascii=False) + "\n")
        return
    print_table(("example", "what", "topic"), [(e.name, e.title, e.topic) for e in EXAMPLES.values()])
    print()
    print_table(("slip", "what", "topic"), [(e.name, e.title, e.topic) for e in SLIPS.values()])


def _write(shown: Trace | Report, found: Example | Slip | None, html: str, svg: str, json: str) -> None:
    """Write the requested files."""
    from zerosum.classroom.gallery import Report

    if json:
        text = _as_json(shown, found)
        if json == "-":
            print(text, end="", flush=True)
        else:
            write_text("--json", json, text)
    if not (html or svg):
        return
    if isinstance(shown, Report):
        name = found.name if found is not None else ""
        raise ZerosumError(f"--example {name!r} is a report: it has no tree to draw")
    if html:
        from zerosum.classroom.drawing.page import trace_page

        facts = {} if found is None else found.facts
        about, lost = facts.get("about", ""), facts.get("reconstructed", "")
        write_text("--html", html, trace_page(shown, facts.get("title", ""), about=about, reconstructed=lost))
    if svg:
        from zerosum.classroom.drawing.svg import tree_svg

        if shown.tree is None:
            raise ZerosumError(f"--svg {svg!r}: the search visited too many nodes to draw; give {shown.smaller}")
        write_text("--svg", svg, tree_svg(shown.tree, trace=shown))


def _as_json(shown: Trace | Report, found: Example | Slip | None) -> str:
    import json as format_

    from zerosum.classroom.gallery import Report
    from zerosum.cli.trace_view import trace_as_json

    head = {} if found is None else found.facts
    if isinstance(shown, Report):
        return format_.dumps({**head, "lines": shown.lines}, ensure_ascii=False) + "\n"
    return trace_as_json(shown, **head)


def _print(shown: Trace | Report, found: Example | Slip | None, steps: int, detail: str) -> None:
    from zerosum.classroom.gallery import Example, Report
    from zerosum.cli.trace_view import print_trace

    out = console()
    if found is not None:
        out.print(f"{found.title} ({found.topic})", markup=False, style="bold")
        if isinstance(found, Example):
            out.print(found.about, markup=False)
            if found.reconstructed:
                out.print(f"Reconstructed: {found.reconstructed}", markup=False)
        out.print()
    if isinstance(shown, Report):
        out.print("\n".join(shown.lines), markup=False)
    else:
        print_trace(shown, steps, detail)
