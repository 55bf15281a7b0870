"""``zerosum play``: a game in the terminal, between people and the engine."""

from __future__ import annotations

import random
from typing import Annotated, Any

import typer

from zerosum.cli.common import chosen_algorithm, line_to, load_game, open_database
from zerosum.cli.options import (
    AlgorithmOption,
    DatabaseOption,
    DepthOption,
    GameArgument,
    HashOption,
    MovesOption,
    PositionOption,
    SecondsOption,
    SetOption,
    WeightsOption,
    whole_number,
)
from zerosum.errors import ZerosumError
from zerosum.game import MAX, MIN, Game
from zerosum.search.algorithms import algorithm_named

SIDES = ("first", "second", "both", "none")


def _side(text: Any) -> str:
    word = str(text).lower()
    if word not in SIDES:
        raise ZerosumError(f"--side {text!r} is not one of {', '.join(SIDES)}")
    return word


DICE = ("roll", "ask")


def _dice(text: Any) -> str:
    word = str(text).lower()
    if word not in DICE:
        raise ZerosumError(f"--dice {text!r} is not one of {', '.join(DICE)}")
    return word


def command(
    game: GameArgument,
    side: Annotated[
        str,
        typer.Option(
            "--side",
            metavar="|".join(SIDES),
            help="Side you play; both for two people, none to watch the engine.",
            parser=_side,
        ),
    ] = "first",
    seconds: SecondsOption = None,
    depth: DepthOption = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            parser=whole_number("--level", 1, 10),
            metavar="1-10",
            help="Strength, as in --level 3: each level searches deeper; 1 to 3 also make mistakes.",
            show_default=False,
        ),
    ] = None,
    algorithm: AlgorithmOption = "auto",
    hash_mb: HashOption = 64,
    database: DatabaseOption = "",
    weights: WeightsOption = "",
    position: PositionOption = "",
    moves: MovesOption = "",
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="Seed of dice and mistakes, as in --seed 1.",
            show_default=False,
            parser=whole_number("--seed"),
        ),
    ] = None,
    dice: Annotated[
        str,
        typer.Option(
            "--dice",
            metavar="|".join(DICE),
            help="Source of rolls: with --dice ask you enter the rolls of your own dice.",
            parser=_dice,
        ),
    ] = "roll",
    max_plies: Annotated[
        int,
        typer.Option(
            "--max-plies",
            metavar="N",
            help="Number of moves after which the engine stops playing itself.",
            parser=whole_number("--max-plies", 1),
        ),
    ] = 1000,
    settings: SetOption = [],  # noqa: B006
) -> None:
    """Play against the engine or a friend, or watch the engine play.

    Type a move, or: hint, undo, resign, moves, help, quit. The engine thinks for 2 seconds per move
    unless you set --seconds, --depth or --level. Ctrl-D or Ctrl-C leaves.

    \b
    Examples:
      zerosum play tictactoe
      zerosum play connect-four --side second --level 4
      zerosum play connect-four --set width=5 --set height=5 --seconds 1
      zerosum play tictactoe --moves "5 1" --side both
      zerosum play tictactoe --algorithm minimax
      zerosum play my_game.py --weights my_network.npz
      zerosum play backgammon --dice ask
      zerosum play my_game.py --side none --depth 6
    """
    try:
        from zerosum.cli.opponent import Opponent
        from zerosum.cli.playing import TerminalGame
        from zerosum.levels import Strength

        rules = load_game(game, settings, weights)
        line = line_to(rules, position, moves)
        chance = random.Random(seed)
        solved = open_database(rules, database)
        strength = Strength.of(level, seconds, depth)
        # Choose randomly among equally good moves, so that games differ.
        luck = [f"seed={chance.getrandbits(32)}"] if "seed" in algorithm_named(algorithm).kinds else []
        chosen = chosen_algorithm(algorithm, luck)
        opponent = Opponent(rules, strength, chance, algorithm=chosen, hash_mb=hash_mb, database=solved)
        people = _people(rules, side)
        TerminalGame(line, people, opponent, level, chance, max_plies, ask_dice=dice == "ask").run()
    except (EOFError, KeyboardInterrupt):
        print("\nGoodbye.", flush=True)


def _people(game: Game, side: str) -> frozenset[int]:
    """The sides that people play. The first player is the one who moves first, or MAX if the game begins with dice."""
    if side in ("both", "none"):
        return frozenset((MAX, MIN) if side == "both" else ())
    first = MIN if game.mover(game.start()) == MIN else MAX
    return frozenset((first,) if side == "first" else (MAX + MIN - first,))
