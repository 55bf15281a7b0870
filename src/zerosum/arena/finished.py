"""Finished games from files: PGN of chess, PDN of checkers, .mat of backgammon; of any game the games file of a match
(.jsonl), or a text of its moves.

>>> from zerosum.games import load
>>> moves_of(load("tictactoe"), "1. 5 1 2. 9 *").moves
(4, 0, 8)
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from zerosum.arena.forms import FORMS, TreeForm
from zerosum.arena.games_file import read_games_file
from zerosum.arena.records import RESULTS, replay
from zerosum.errors import ArenaError, PgnError, PositionError, ZerosumError
from zerosum.game import MAX, Game, Line

LARGEST = 1 << 24
"""Bytes of a text of moves: a larger file is a slip."""

NUMBER = re.compile(r"^\d+\.+")


@dataclass(frozen=True)
class Finished:
    """A game that was played, and by whom: MAX first; '' where nobody says."""

    line: Line
    players: tuple[str, str] = ("", "")


def read_finished(game: Game, path: str | os.PathLike[str], number: int = 1) -> Finished:
    """The game of this number, from 1, in a file; an error, which quotes the file, if there is none or it is wrong."""
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix == ".jsonl":
        return _from_match(game, file, number)
    own = next((form for form in FORMS.values() if form.game == game.name), None)
    form = FORMS.get(suffix, own if suffix != ".txt" else None)
    if form is None:
        return _from_text(game, file, number)
    if form.game != game.name:
        raise ArenaError(f"{str(file)!r}: {form.title} is for {form.game}, not for {game.name}")
    return _from_tree(game, file, number, form) if isinstance(form, TreeForm) else _from_mat(game, file, number)


def moves_of(game: Game, text: str, start: str = "") -> Line:
    """Moves one behind the other, perhaps numbered, perhaps with a result behind them."""
    if ";" in text:  # plays of several words
        words = text.replace("\n", " ").split(";")
    else:
        words = [NUMBER.sub("", word) for word in text.replace(",", " ").split()]
    found = [word.strip() for word in words if word.strip() and word.strip() not in (*RESULTS.values(), "*")]
    return Line.parse(game, found, game.parse_state(start) if start else None)


def _from_text(game: Game, file: Path, number: int) -> Finished:
    """One game: its moves, perhaps behind a line with the position that they begin from."""
    try:
        if file.stat().st_size > LARGEST:
            raise ArenaError(f"{str(file)!r} is larger than {LARGEST >> 20} MiB: this is no text of moves")
        text = file.read_text(encoding="utf-8-sig", errors="replace").strip()
    except OSError as problem:
        raise ArenaError(f"{str(file)!r} cannot be read: {problem.strerror or problem}") from problem
    if not text or number != 1:
        raise _none(file, number, 1 if text else 0)
    start, _, rest = text.partition("\n")
    try:
        try:
            game.parse_state(start)
        except PositionError:
            return Finished(moves_of(game, text))
        return Finished(moves_of(game, rest, start))
    except ZerosumError as problem:
        raise ArenaError(f"{str(file)!r}: {problem}") from problem


def _from_tree(game: Game, file: Path, number: int, form: TreeForm) -> Finished:
    """A game of PGN or PDN. Other games may be wrong: they are only counted."""
    seen = 0

    def skip(problem: PgnError) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            raise problem

    found = None
    for other in import_module(form.module).read_games(file, on_error=skip):
        seen += 1
        if seen == number:
            found = other
            break
    if found is None:
        raise _none(file, number, seen)
    moves = [int(node.move) for node in found.main.moves]
    if any(move < 0 for move in moves):
        raise ArenaError(f"{str(file)!r}: a player of game {number} passes, which the rules do not allow")
    sides = (found.tags.get("White", ""), found.tags.get("Black", ""))
    white, black = ("" if name == "?" else name for name in sides)
    return Finished(Line(game, found.start, moves), (white, black) if form.white == MAX else (black, white))


def _from_mat(game: Game, file: Path, number: int) -> Finished:
    from zerosum.games.backgammon.match_file import read_match

    match = read_match(file)
    if number > len(match.games):
        raise _none(file, number, len(match.games))
    line = match.games[number - 1].line()
    return Finished(Line(game, line.start, line.moves), match.players)


def _from_match(game: Game, file: Path, number: int) -> Finished:
    """A game of a match of zerosum's own."""
    header, records = read_games_file(file)
    parameters = game.source[1] if game.source else {}
    for what, found, wanted in (
        ("the game", header.get("game"), game.name),
        ("the parameters", header.get("parameters") or {}, parameters),
    ):
        if found != wanted:
            raise ArenaError(f"{str(file)!r} is of another match: {what} there: {found!r}, here: {wanted!r}")
    if number > len(records):
        raise _none(file, number, len(records))
    record = records[number - 1]
    try:
        return Finished(replay(game, record), (record.max_player, record.min_player))
    except ZerosumError as problem:
        raise ArenaError(f"{str(file)!r}, game {record.number}: {problem}") from problem


def _none(file: Path, number: int, there: int) -> ArenaError:
    if not there:
        return ArenaError(f"{str(file)!r} holds no game")
    return ArenaError(f"{str(file)!r} has no game {number}: it holds {there} {'game' if there == 1 else 'games'}")
