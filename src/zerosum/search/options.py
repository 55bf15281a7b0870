"""Search techniques as switches, read at run time: none of them recompiles anything."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from zerosum.errors import LimitError
from zerosum.game import Game


@dataclass(frozen=True)
class SearchOptions:
    """Which techniques a search uses.

    Those marked *sound* never change the value at a given depth.

    >>> SearchOptions(table=False).table
    False
    """

    table: bool = True
    """Transposition table: positions reached by several orders of moves are searched once."""
    exact_draft: bool = False
    """Take from the table only what was searched to this very depth; makes ``table`` sound."""
    hash_move: bool = True
    """Try first the move that the table remembers as best. Sound."""
    order: bool = True
    """Sort moves by the game's ``order``, or else by the evaluation of their successors. Sound."""
    pvs: bool = True
    """Principal variation search: prove with an empty window that later moves are no better. Sound."""
    mate_distance: bool = True
    """Cut lines that cannot lead to an earlier end than one already found. Sound."""

    def words(self) -> list[int]:
        """The options as kernels read them."""
        return [int(value) for value in asdict(self).values()]

    @classmethod
    def for_game(cls, game: Game, **chosen: Any) -> SearchOptions:
        """The defaults, changed by the game's ``advice``, changed by what the user chose."""
        known = {field.name for field in fields(cls)}
        for word in (*game.advice, *chosen):
            if word not in known:
                raise LimitError(f"there is no search option {word!r}; there are {', '.join(sorted(known))}")
        return cls(**{**game.advice, **chosen})


def index_of(name: str) -> int:
    """The place of an option among ``words()``."""
    return [field.name for field in fields(SearchOptions)].index(name)
