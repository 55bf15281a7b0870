"""Helpers that commands share, such as turning arguments into a game and a position."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.errors import LimitError, ZerosumError
from zerosum.game import CHANCE, Game, Line

if TYPE_CHECKING:
    from zerosum.endgame.database import Database
    from zerosum.search.algorithm import Algorithm


def parameters(settings: Iterable[str]) -> dict[str, int | float | str]:
    """Parse ``--set`` options, NAME=VALUE; a value is an integer, a float or else text.

    >>> parameters(["width=5", "komi=6.5", "rules=old"])
    {'width': 5, 'komi': 6.5, 'rules': 'old'}
    """
    found: dict[str, int | float | str] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name.strip().isidentifier():
            raise ZerosumError(f"--set {setting!r} is not NAME=VALUE, as in --set width=5")
        found[name.strip()] = _value(text.strip())
    return found


def _value(text: str) -> int | float | str:
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def chosen_algorithm(name: str, options: Iterable[str]) -> Algorithm:
    """Parse ``--algorithm`` and ``--option``: an option is NAME=on, NAME=off, NAME=NUMBER or parameters=FILE.

    An option overrides a parameter of the same name in the file.

    >>> chosen_algorithm("alphabeta", ["table=off", "unit=50"])
    AlphaBeta(table=False, unit=50)
    """
    from zerosum.search.algorithms import algorithm_named

    kind = algorithm_named(name)
    found: dict[str, bool | int] = {}
    from_file: dict[str, int] = {}
    for option in options:
        word, equals, text = option.partition("=")
        word = word.strip()
        if not equals or not word.isidentifier():
            raise ZerosumError(f"--option {option!r} is not NAME=on, NAME=off or NAME=NUMBER, as in --option table=off")
        if word in found:
            raise ZerosumError(f"--option {option!r}: {word} is given twice")
        if word == "parameters":
            from zerosum.learn.parameter_files import read_parameters

            from_file = read_parameters(text.strip())
            continue
        try:
            found[word] = kind.option(word, text.strip())
        except LimitError as problem:
            raise ZerosumError(f"--option {option!r}: {problem}") from problem
    return kind(**{**from_file, **found})


def load_game(where: str, settings: Iterable[str] = (), weights: str = "") -> Game:
    """The game that GAME and ``--set`` name, evaluated with the file that ``--weights`` names."""
    from zerosum.games import load

    game = load(where, **parameters(settings))
    if not weights:
        return game
    from zerosum.learn.files import with_weights_from

    return with_weights_from(game, Path(weights))


def line_to(game: Game, position: str = "", moves: str = "") -> Line:
    """The line from POSITION, or from the start, along ``--moves``."""
    line = Line.parse(game, moves, game.parse_state(position) if position else None)
    # Errors in the rules show up here, in plain Python, before seconds are spent on compiling.
    if game.mover(line.state) != CHANCE:
        game.legal_moves(line.state)
    return line


def open_database(game: Game, folder: str) -> Database | None:
    """The endgame database that ``--database`` names; None without one."""
    if not folder:
        return None
    from zerosum.endgame.database import Database

    return Database.open(folder, game)


def print_json(report: Any) -> None:
    """Print one object on one line and flush: the reader may be a program that waits for it."""
    print(json.dumps(report, default=str), flush=True)
