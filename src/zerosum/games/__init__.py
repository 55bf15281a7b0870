"""The built-in games, and ``load``, which finds a game by its name or in a file."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from zerosum.errors import GameError, UnknownGame, ZerosumError
from zerosum.files import is_there, why_not_a_file
from zerosum.game import Game

ENTRY_POINTS = "zerosum.games"

OPENSPIEL = "openspiel:"
"""The prefix of the names of OpenSpiel's games."""


class Entry(NamedTuple):
    """A game in the table: its import path, and a description in one line."""

    target: str
    about: str


# To add a game, put a file next to this one and add a line here.
GAMES = {
    "tictactoe": Entry("zerosum.games.tictactoe:tictactoe", "three in a row on 3×3; the classroom's example"),
    "connect-four": Entry("zerosum.games.connect_four:connect_four", "drop stones, four in a row; any size"),
    "kalah": Entry("zerosum.games.kalah:kalah", "sow seeds, move again, capture; any number of pits and seeds"),
    "othello": Entry("zerosum.games.othello:othello", "outflank discs to flip them; 8×8, with passes"),
    "chess": Entry("zerosum.games.chess:chess", "mate the king; FEN, SAN and UCI notation"),
    "checkers": Entry("zerosum.games.checkers:checkers", "English draughts: jumps are compulsory; FEN and PDN"),
    "morris": Entry("zerosum.games.morris:morris", "Nine Men's Morris: three men in a row capture one"),
    "hex": Entry("zerosum.games.hex:hex", "connect your two sides with a chain of stones; any size"),
    "nim": Entry("zerosum.games.nim:nim", "take from one heap; taking the last object wins; any heaps"),
    "backgammon": Entry("zerosum.games.backgammon:backgammon", "race home and bear off, with dice; gammons count"),
    "pig": Entry("zerosum.games.pig:pig", "a dice race: roll again or hold; any target"),
}


def catalogue() -> dict[str, Entry]:
    """All games by name: the built-in ones, then those from installed packages.

    >>> "tictactoe" in catalogue()
    True
    """
    from importlib.metadata import entry_points

    games = dict(GAMES)
    for point in entry_points(group=ENTRY_POINTS):
        games.setdefault(point.name, Entry(point.value, f"from {point.dist.name if point.dist else 'a package'}"))
    return games


def load(game: str | Path | Game, /, **parameters: Any) -> Game:
    """Return the game with this name or in this file, created with these parameters; a Game is returned as it is.

    >>> load("connect-four", width=5).name
    'connect-four'
    """
    if isinstance(game, Game):
        if parameters:
            raise GameError(f"{game.name}: parameters {sorted(parameters)} need a name or a file, not a Game")
        return game
    where = str(game)
    if where.startswith(OPENSPIEL):
        from zerosum.games.openspiel import from_openspiel

        return from_openspiel(where.removeprefix(OPENSPIEL), **parameters)
    # Looking for installed packages takes tens of milliseconds, so built-in names come first.
    entry = GAMES.get(where) or (None if _is_path(where) else catalogue().get(where))
    if entry is not None:
        module, _, attribute = entry.target.partition(":")
        maker = getattr(importlib.import_module(module), attribute)
        made = _make(where, maker, parameters)
        return made.from_source(load_again, where, parameters, {**_defaults(maker), **parameters})
    if _is_path(where):
        path = Path(where).resolve()
        maker = _find(_import_file(path, where), where)
        made = _make(where, maker, parameters)
        return made.from_source(load_again, str(path), parameters, {**_defaults(maker), **parameters})
    raise UnknownGame(f"no game is called {where!r}{_nearest(where)}; 'zerosum games' lists them")


def load_again(where: str, parameters: dict[str, Any]) -> Game:
    """Load a game that arrives from another process."""
    return load(where, **parameters)


def parameters_of(where: str) -> dict[str, Any]:
    """The parameters of a game, given by name or file, with their defaults."""
    if where.startswith(OPENSPIEL):
        return dict(load(where).settings)
    if _is_path(where):
        maker = _find(_import_file(Path(where).resolve(), where), where)
    else:
        module, _, attribute = catalogue()[where].target.partition(":")
        maker = getattr(importlib.import_module(module), attribute)
    return _defaults(maker)


def _defaults(maker: Game | Callable[..., Game]) -> dict[str, Any]:
    if isinstance(maker, Game):
        return {}
    return {p.name: None if p.default is p.empty else p.default for p in inspect.signature(maker).parameters.values()}


def _is_path(where: str) -> bool:
    return where.endswith(".py") or "/" in where or "\\" in where


def _make(where: str, maker: Game | Callable[..., Game], parameters: dict[str, Any]) -> Game:
    if isinstance(maker, Game):
        if parameters:
            raise GameError(f"{where}: takes no parameters, but got {', '.join(map(repr, parameters))}")
        return maker
    known = inspect.signature(maker).parameters
    for word, value in parameters.items():
        if word not in known:
            raise GameError(f"{where}: has no parameter {word!r}; it takes {', '.join(known) or 'none'}")
        _check_parameter(where, word, value, known[word].default)
    try:
        made = maker(**parameters)
    except ZerosumError:
        raise
    except Exception as problem:
        given = ", ".join(f"{k}={v!r}" for k, v in parameters.items())
        raise GameError(f"{where}: cannot be made with {given or 'its defaults'}: {_brief(problem)}") from problem
    if not isinstance(made, Game):
        raise GameError(f"{where}: its function returns {made!r} instead of a Game")
    return made


def _check_parameter(where: str, word: str, value: Any, default: Any) -> None:
    """Refuse numbers that make sense for no game; the game itself checks the rest."""
    if isinstance(value, float) and not math.isfinite(value):
        raise GameError(f"{where}: {word} must be a finite number, not {value!r}")
    if type(default) is int and isinstance(value, float) and not value.is_integer():
        raise GameError(f"{where}: {word} must be a whole number, not {value!r}")
    if isinstance(value, (int, float)) and abs(value) >= 2**63:
        raise GameError(f"{where}: {word} must be a number of at most 63 bits, not {value!r}")


_importing: ContextVar[tuple[Path, ...]] = ContextVar("game files being imported", default=())


def _import_file(path: Path, where: str) -> ModuleType:
    """Import a game file as a module, with its folder first on the path so that it can import its helpers."""
    if why := why_not_a_file(path):
        raise UnknownGame(f"the file {where!r} does not exist" if not is_there(path) else f"{where!r} {why}")
    if path in _importing.get():
        raise GameError(f"{where}: loads itself; use its game directly, or load it after `if __name__ == '__main__':`")
    name = f"zerosum_file_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{where!r} is not a Python file")
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    outer = _importing.set((*_importing.get(), path))
    try:
        spec.loader.exec_module(module)
    except ZerosumError:
        raise
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt):
            raise
        del sys.modules[name]
        raise GameError(f"{where}: cannot be imported: {_brief(problem, str(path))}") from problem
    finally:
        _importing.reset(outer)
    return module


def _find(module: ModuleType, where: str) -> Game | Callable[..., Game]:
    """The file's ``game``, which is a Game or a function that returns one; otherwise its only Game."""
    named = getattr(module, "game", None)
    if isinstance(named, Game) or (callable(named) and not isinstance(named, type)):
        return named
    found = {id(x): (n, x) for n, x in vars(module).items() if isinstance(x, Game)}
    if len(found) == 1:
        return next(iter(found.values()))[1]
    if not found:
        raise UnknownGame(f"{where!r} defines no Game")
    names = ", ".join(n for n, _ in found.values())
    raise UnknownGame(f"{where!r} defines several games ({names}); name one of them 'game'")


def _brief(problem: BaseException, path: str = "") -> str:
    """An exception on one line, with the line number in the game file."""
    line = problem.lineno if isinstance(problem, SyntaxError) else None
    trace = problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    text = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    at = f" (line {line})" if line and path else ""
    return f"{type(problem).__name__}: {text}{at}" if text else f"{type(problem).__name__}{at}"


def _nearest(word: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), list(catalogue()), 1, 0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
