"""EPD, the format of test suites: a position and operations on one line.

The operations used are ``bm`` (best moves), ``am`` (moves to avoid), ``dm`` (moves to mate), ``id``, and those for
counters that a full position has and an EPD leaves out; all others are kept unchanged. A game may declare its own
format for the same purpose (``Programs.positions``). Moves are in the game's notation (S. J. Edwards, PGN
specification, section 16.2, 1994).

>>> from zerosum.games import load
>>> epd = parse_epd(load("tictactoe"), 'xx.oo.... bm 3; id "three; in a row";')
>>> epd.best, epd.name
((2,), 'three; in a row')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from zerosum.errors import MoveError, PositionError
from zerosum.game import Game
from zerosum.protocols.notation import Notation
from zerosum.protocols.uci_words import shortened

KNOWN = ("bm", "am", "dm", "ce", "id", "acd", "acn", "acs", "pm", "pv")

_PARTS = re.compile(r'"([^"]*)"|(;)|([^\s;"]+)|(")')


@dataclass(frozen=True)
class Epd:
    """One line: the position and its operations. ``mate`` is the number of moves to mate."""

    state: Any
    operations: dict[str, tuple[str, ...]]
    best: tuple[int, ...]
    avoid: tuple[int, ...]
    mate: int | None

    @property
    def name(self) -> str:
        return " ".join(self.operations.get("id", ()))


def parse_epd(game: Game, text: str) -> Epd:
    """Parse a line; raises PositionError or MoveError, quoting what is wrong."""
    in_own_format = _in_own_format(game, text)
    if in_own_format is not None:
        return in_own_format
    words = text.split()
    counters = game.programs.counters if game.programs is not None else {}
    count = game.programs.fields if game.programs is not None else 0
    given = words[count : count + len(counters)]
    is_whole = len(given) == len(counters) and all(word.isdecimal() for word in given)
    if not count:
        count = next((number for number, word in enumerate(words) if word.rstrip(";") in KNOWN), len(words))
    elif is_whole:
        count += len(counters)
    position = " ".join(words[:count])
    rest = text.split(None, count)[count] if len(words) > count else ""
    operations = _operations(rest.strip(), text)
    if not is_whole:
        position += "".join(f" {' '.join(operations.get(name, (usual,)))}" for name, usual in counters.items())
    return _made(game, text, position, operations)


def _in_own_format(game: Game, text: str) -> Epd | None:
    """Parse a line in a format of test positions that the game declares, such as OBF; None if it is in none of them."""
    for form in game.programs.positions if game.programs is not None else ():
        found = form.read(text)
        if found is not None:
            return _made(game, text, found[0], dict(found[1]))
    return None


def _made(game: Game, text: str, position: str, operations: dict[str, tuple[str, ...]]) -> Epd:
    s = game.parse_state(position)
    mate = operations.get("dm")
    if mate is not None and not (len(mate) == 1 and mate[0].isdecimal()):
        raise PositionError(f"{shortened(text)}: dm needs the number of moves to mate, not {' '.join(mate)!r}")
    return Epd(
        s,
        operations,
        _moves(game, s, operations, "bm"),
        _moves(game, s, operations, "am"),
        None if mate is None else int(mate[0]),
    )


def _operations(text: str, line: str) -> dict[str, tuple[str, ...]]:
    """The words of each operation; operations end with a semicolon, which is optional after the last."""
    found: dict[str, tuple[str, ...]] = {}
    words: list[str] = []
    for part in _PARTS.finditer(text):
        quoted, end, word, broken = part.groups()
        if broken:
            raise PositionError(f"{shortened(line)}: a quoted text is not closed")
        if not end:
            words.append(word if quoted is None else quoted)
            continue
        if words:
            found[words[0]] = tuple(words[1:])
        words = []
    if words:
        found[words[0]] = tuple(words[1:])
    return found


def _moves(game: Game, s: Any, operations: dict[str, tuple[str, ...]], name: str) -> tuple[int, ...]:
    notation = Notation(game)
    moves = []
    for word in operations.get(name, ()):
        try:
            moves.append(notation.read_any(s, word))
        except MoveError as problem:
            raise MoveError(f"{name}: {problem}") from problem
    if name in operations and not moves:
        raise MoveError(f"{name} names no move")
    return tuple(moves)
