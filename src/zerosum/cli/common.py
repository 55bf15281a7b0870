"""What the commands share: from the words on the command line to a game and a position."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from zerosum.errors import ZerosumError
from zerosum.game import CHANCE, Game, Line
from zerosum.wording import PLAYERS as PLAYERS
from zerosum.wording import mover as mover
from zerosum.wording import outcome_in_words as outcome_in_words

if TYPE_CHECKING:
    from zerosum.endgame.database import Database


def parameters(settings: Iterable[str]) -> dict[str, int | float | str]:
    """What ``--set`` says: NAME=VALUE, the value a whole number, a number, or else text.

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


def techniques(options: Iterable[str]) -> dict[str, bool | int]:
    """What ``--option`` says: NAME=on, NAME=off or NAME=NUMBER; which names there are, the engine knows.

    >>> techniques(["table=off", "unit=50"])
    {'table': False, 'unit': 50}
    """
    found: dict[str, bool | int] = {}
    for option in options:
        name, equals, text = option.partition("=")
        name, word = name.strip(), text.strip().lower()
        if not equals or not name.isidentifier():
            raise ZerosumError(f"--option {option!r} is not NAME=on, NAME=off or NAME=NUMBER, as in --option table=off")
        if name in found:
            raise ZerosumError(f"--option {option!r}: {name} is given twice")
        if word in ("on", "off"):
            found[name] = word == "on"
        elif word.isdecimal():
            found[name] = int(word)
        else:
            raise ZerosumError(f"--option {option!r}: {text.strip()!r} is neither on nor off nor a number")
        _check_kind(option, name, found[name])
    return found


def _check_kind(option: str, name: str, value: bool | int) -> None:
    """A switch is on or off, a quantity a number."""
    from zerosum.search.options import QUANTITIES, TECHNIQUES

    is_number = name in QUANTITIES
    if (is_number or name in TECHNIQUES) and is_number == isinstance(value, bool):
        raise ZerosumError(f"--option {option!r}: {name} is {'a number' if is_number else 'on or off'}")


def load_game(where: str, settings: Iterable[str] = ()) -> Game:
    """The game that GAME and ``--set`` name."""
    from zerosum.games import load

    return load(where, **parameters(settings))


def line_to(game: Game, position: str = "", moves: str = "") -> Line:
    """The line from POSITION (else the start) along ``--moves``."""
    line = Line.parse(game, moves, game.parse_state(position) if position else None)
    # Rules that are wrong here are reported from plain Python, before seconds go into compiling them.
    if mover(game, line.state) != CHANCE:
        game.legal_moves(line.state)
    return line


def open_database(game: Game, folder: str) -> Database | None:
    """The endgame database that ``--database`` names; None without one."""
    if not folder:
        return None
    from zerosum.endgame.database import Database

    return Database.open(folder, game)


def print_json(report: Any) -> None:
    """One object on one line, at once: the reader may be a program that waits for it."""
    print(json.dumps(report, default=str), flush=True)
