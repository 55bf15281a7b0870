"""The form of a glossary entry."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """A term of the field: ``also`` are its other names, ``command`` shows it, ``read`` is a page with more."""

    name: str
    also: tuple[str, ...]
    text: str
    command: str
    read: str = "docs/classroom.md"


def example(name: str) -> str:
    """The command that shows an example of the gallery."""
    return f"zerosum trace --example {name}"


CHAPTER = '"(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"'
SEARCH, GAMES, CHANCE, ENDGAME = "docs/search.md", "docs/contract.md", "docs/chance.md", "docs/endgame.md"
GALLERY, LADDER, HISTORY, TRAINING = "docs/gallery.md", "docs/ladder.md", "docs/history.md", "docs/training.md"
