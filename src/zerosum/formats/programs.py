"""How programs write to each other about a game, where that is not how people write.

>>> notation = Programs(lambda s, move: f"m{move}", lambda s, word: int(word[1:]))
>>> notation.format_move(None, 7), notation.counters
('m7', {})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zerosum.errors import GameError


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
    """

    format_move: Callable[[Any, int], str]
    parse_move: Callable[[Any, str], int]
    options: Mapping[str, Mapping[str, Any]] = {}
    fields: int = 0
    counters: Mapping[str, str] = {}


def checked_programs(game: str, programs: Any) -> Programs | None:
    """The game's notation for programs, or None; GameError if it is something else."""
    if programs is not None and not isinstance(programs, Programs):
        raise GameError(f"{game}: programs must be a zs.Programs(format_move, parse_move), not {programs!r}")
    return programs
