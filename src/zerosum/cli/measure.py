"""``zerosum measure``: the size of a game."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zerosum.cli.common import line_to, load_game, print_json
from zerosum.cli.options import GameArgument, JsonOption, MovesOption, PositionOption, SetOption, whole_number
from zerosum.cli.output import count, print_table
from zerosum.cli.progress import Bar

if TYPE_CHECKING:
    from zerosum.classroom.sizes import Counted, Played
    from zerosum.game import Game

GAMES = 100
ENGINE_GAMES = 10

HOPELESS = 30.0
"""Exponent of ten: in trees with more games than this, counting the positions is not attempted."""


def command(
    game: GameArgument,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="Number of random games.", parser=whole_number("--games", 1))
    ] = GAMES,
    engine: Annotated[
        int | None,
        typer.Option(
            "--engine",
            metavar="DEPTH",
            help=f"Also let the engine play {ENGINE_GAMES} games at this depth.",
            show_default=False,
            parser=whole_number("--engine", 1, 30),
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Equal seeds play equal games.", parser=whole_number("--seed", 0))
    ] = 1,
    position: PositionOption = "",
    moves: MovesOption = "",
    settings: SetOption = [],  # noqa: B006
    json: JsonOption = False,
) -> None:
    """Measure the size of a game: branching, length, tree.

    Random games give the branching factor b (moves per position), the length m of a game, and how often
    it is drawn or won by the first player. Knuth's sampling estimates the size of the game tree; small
    games are counted exactly. Random games are longer than good ones: --engine also measures games
    played by the engine.

    \b
    Examples:
      zerosum measure tictactoe
      zerosum measure chess --games 50 --engine 3
      zerosum measure connect-four --set width=4 --set height=4
      zerosum measure backgammon --json
    """
    from zerosum.classroom.gallery.known_sizes import KNOWN
    from zerosum.classroom.sizes import count_out, engine_games, random_games

    rules = load_game(game, settings)
    start = line_to(rules, position, moves).state
    with Bar() as bar:
        played = random_games(rules, games, seed, start, lambda done: bar.show(done / games, "random games"))
        bar.show(1.0, "counting")
        counted = count_out(rules, start) if played.tree is not None and played.tree < HOPELESS else None
        by_engine = None
        if engine is not None:
            from zerosum.engine import Engine

            with_engine = Engine(rules)
            with_engine.prepare()
            by_engine = engine_games(
                rules, with_engine, ENGINE_GAMES, engine, seed, start,
                lambda done: bar.show(done / ENGINE_GAMES, "engine games"),
            )  # fmt: skip
    known = () if settings or position or moves else KNOWN.get(rules.name, ())
    if json:
        print_json(_as_dict(rules, played, by_engine, counted, known))
        return
    columns = [("random games", played)] + ([("engine games", by_engine)] if by_engine is not None else [])
    print_table(("", *(name for name, _ in columns)), _rows(columns), right=range(1, len(columns) + 1))
    print()
    for line in (*_counted_lines(counted), *known):
        print(line)


def _rows(columns: list[tuple[str, Played]]) -> list[tuple[str, ...]]:
    def row(name: str, tell: Any) -> tuple[str, ...]:
        return (name, *(tell(played) for _, played in columns))

    rows = [
        row("games", lambda p: count(p.games)),
        row("branching factor b", lambda p: f"{p.branching:.1f}"),
        row("most moves in a position", lambda p: count(p.most_moves)),
        row("length m of a game, in plies", lambda p: f"{p.length:.1f}"),
        row("shortest and longest", lambda p: f"{p.shortest} to {p.longest}"),
        row("first player wins", lambda p: f"{p.won_by_first:.0%}"),
        row("drawn", lambda p: f"{p.drawn:.0%}"),
        row("second player wins", lambda p: f"{p.won_by_second:.0%}"),
        row("first-move advantage", lambda p: f"{p.won_by_first - p.won_by_second:+.0%}".replace("-", "−")),
        row("b^m", lambda p: f"10^{p.power:.0f}"),
        row("games in the tree, by Knuth's sampling", lambda p: "" if p.tree is None else f"10^{p.tree:.1f}"),
    ]
    if any(played.unfinished for _, played in columns):
        rows.append(row("unfinished", lambda p: count(p.unfinished)))
    return rows


def _counted_lines(counted: Counted | None) -> list[str]:
    if counted is None:
        from zerosum.classroom.sizes import MOST_POSITIONS

        return [f"game tree: not counted; it has more than {count(MOST_POSITIONS)} positions, or infinite lines"]
    return [
        f"counted: {count(counted.positions)} positions; a game tree of {count(counted.nodes)} nodes and "
        f"{count(counted.games)} games (10^{_power(counted.games):.1f}), {counted.shortest} to {counted.longest} plies"
    ]


def _power(number: int) -> float:
    from math import log10

    return log10(number)


def _as_dict(
    game: Game, played: Played, by_engine: Played | None, counted: Counted | None, known: tuple[str, ...]
) -> dict[str, Any]:
    return {
        "game": game.name,
        "random": asdict(played),
        "engine": None if by_engine is None else asdict(by_engine),
        "counted": None if counted is None else asdict(counted),
        "known": list(known),
    }
