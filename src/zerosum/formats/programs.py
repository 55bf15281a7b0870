"""How programs write to each other about a game, where that is not how people write.

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
"""What a test suite says of a position, as EPD does: words by operation, such as ``{"bm": ("e4", "d4")}``."""


class Positions(NamedTuple):
    """A format of test positions, one a line, beside EPD.

    Attributes:
        suffix: how names of such files end.
        read: ``read(line)``, the text of the position and the remarks on it; None if the line is not in this format.
    """

    suffix: str
    read: Callable[[str], tuple[str, Remarks] | None]


class Programs(NamedTuple):
    """What a game says about the protocols of programs.

    Attributes:
        format_move: ``format_move(s, move)``, the move as one word.
        parse_move: ``parse_move(s, word)``, the legal move of a word; MoveError, quoting it, if there is none.
        options: UCI options of the game's own, on or off, by name; for each the fields of this record that are others
            while it is on.
        fields: of how many words a position consists in EPD, which leaves counters out; 0: as many as there are before
            the first operation that is known.
        counters: the words that follow in a whole position: the operations that give them in EPD, and what stands for
            each that is not given.
        games: the format in which programs send each other whole games, each on one line; NBoard's protocol needs it.
        positions: formats of test positions beside EPD.
        moves_left: ``moves_left(s)``, about how many moves are left at most: where these are few, NBoard's engine looks
            to the end of the game.
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
    """The game's notation for programs, or None; GameError if it is something else."""
    if programs is not None and not isinstance(programs, Programs):
        raise GameError(f"{game}: programs must be a zs.Programs(format_move, parse_move), not {programs!r}")
    if programs is not None and not isinstance(programs.games, Format | None):
        raise GameError(f"{game}: games= of its programs must be a zs.Format, not {programs.games!r}")
    return programs
