"""Databases for engines: unpacked once for all engines, and the best line to the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from zerosum.endgame.database import Database, Probe
from zerosum.errors import OutsideDatabase
from zerosum.game import MAX, Game
from zerosum.solved_tiers import DRAW, VICTORY, Directory, get_distance, get_value

_lock = Lock()
_loaded: WeakKeyDictionary[Database, dict[bool, Directory]] = WeakKeyDictionary()
_opened: WeakValueDictionary[tuple[Path, str], Database] = WeakValueDictionary()


def load_shared(database: Database, jit: bool, on_progress: Callable[[float], None] | None = None) -> Directory:
    """The database unpacked for kernels. Engines with the same database share its memory."""
    with _lock:
        forms = _loaded.setdefault(database, {})
        if jit not in forms:
            forms[jit] = database.load(jit, on_progress=on_progress)
        return forms[jit]


def open_shared(folder: str | Path, game: Game) -> Database:
    """The database in a folder, opened once for all players of one game that use it."""
    where = Path(folder).resolve(), repr((game.name, game.source))
    with _lock:
        database = _opened.get(where)
        if database is None:
            database = _opened[where] = Database.open(folder, game)
        return database


def best_line(database: Database, s: Any, plies: int) -> tuple[int, ...]:
    """The best play of both sides from ``s``, to the nearest win or the farthest loss: at most ``plies`` moves.

    The line ends where the database ends. It needs a database with distances, and is empty for draws.

    >>> import tempfile
    >>> from zerosum.endgame.build import build
    >>> from zerosum.games import load
    >>> game = load("tictactoe")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     database = build(game, 9, folder, distance=True, jit=False)
    ...     best_line(database, game.parse_state("xo......."), 9)
    (3, 6, 4, 2, 5)
    """
    game = database.game
    line: list[int] = []
    try:
        found = _quick_probe(database, s)
        while len(line) < plies and found.distance and not game.is_over(s):
            sign = 1 if game.to_move(s) == MAX else -1
            after = [(move, game.successor(s, move)) for move in game.legal_moves(s)]
            choices = [(_merit(_quick_probe(database, t), sign), -i) for i, (_, t) in enumerate(after)]
            move, s = after[-max(choices)[1]]
            line.append(move)
            found = _quick_probe(database, s)
    except OutsideDatabase:
        pass
    return tuple(line)


def _quick_probe(database: Database, s: Any) -> Probe:
    """``database.probe(s)``, from memory if the database is unpacked, since files are decoded block by block."""
    for directory in _loaded.get(database, {}).values():
        tier, index = database.place(s)
        part = directory.parts[tier]
        assert part is not None
        values, distances = part
        value = int(get_value(values.row, index))
        if value == DRAW:
            return Probe(0, None)
        outcome = 1 if (value == VICTORY) == (database.game.to_move(s) == MAX) else -1
        return Probe(outcome, None if distances is None else int(get_distance(distances.row, index)))
    return database.probe(s)


def _merit(found: Probe, sign: int) -> float:
    """The value of a position for one side: higher for a nearer win and a farther loss."""
    outcome = sign * found.outcome
    return outcome / (1.0 + (found.distance or 0))
