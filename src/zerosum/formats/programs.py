"""The notation that programs use for a game, if it differs from that of people.

>>> notation = Programs(lambda s, move: f"m{move}", lambda s, word: int(word[1:]))
>>> notation.format_move(None, 7), notation.counters
('m7', {})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zerosum.errors import GameError
from zerosum.formats.format import Format

Remarks = Mapping[str, tuple[str, ...]]
"""The EPD operations of a test position: words by operation, such as ``{"bm": ("e4", "d4")}``."""


class Positions(NamedTuple):
    """A format of test positions other than EPD, with one position per line.

    Attributes:
        suffix: the extension of such files.
        read: ``read(line)`` returns the text of the position and its operations, or None if the line is not in this
            format.
    """

    suffix: str
    read: Callable[[str], tuple[str, Remarks] | None]


class Programs(NamedTuple):
    """What a game declares about the protocols of programs.

    Attributes:
        format_move: ``format_move(s, move)`` returns the move as one word.
        parse_move: ``parse_move(s, word)`` returns the legal move of a word; raises MoveError, quoting it, if there is
            none.
        options: on/off UCI options of the game, by name; each gives the fields of this record that change while it is
            on.
        fields: number of words of a position in EPD, which leaves out counters; 0 means all words before the first
            known operation.
        counters: the words that follow in a full position: the EPD operations that give them, with their defaults.
        games: the format in which programs send each other whole games, each on one line; needed for NBoard's protocol.
        positions: formats of test positions other than EPD.
        moves_left: ``moves_left(s)`` returns roughly the maximum number of moves left; if it is small, NBoard's engine
            searches to the end of the game.
    """

    format_move: Callable[[Any, int], str]
    parse_move: Callable[[Any, str], int]
    options: Mapping[str, Mapping[str, Any]] = {}
    fields: int = 0
    counters: Mapping[str, str] = {}
    games: Format | None = None
    positions: tuple[Positions, ...] = ()
    moves_left: Callable[[Any], int] | None = None


def checked_programs(game: str, programs: Any) -> Programs | None:
    """The game's notation for programs, or None; raises GameError for anything else."""
    if programs is not None and not isinstance(programs, Programs):
        raise GameError(f"{game}: programs must be a zs.Programs(format_move, parse_move), not {programs!r}")
    if programs is not None and not isinstance(programs.games, Format | None):
        raise GameError(f"{game}: games= of its programs must be a zs.Format, not {programs.games!r}")
    return programs
