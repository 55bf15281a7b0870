"""Trees on the command line: in brackets, or in a file."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import TreeError
from zerosum.files import is_there

if TYPE_CHECKING:
    from zerosum.classroom.tree import Tree

MOST_WORDS = 100_000
"""Maximum number of numbers and names in a tree: about as many nodes as can be drawn or shown step by step."""

RANDOM = "random"
"""Stands for a random tree."""

HEIGHT, CHILDREN = 3, 3
"""Default height and number of children of a random tree."""


def is_tree_text(text: str) -> bool:
    """Whether the text is a tree itself, rather than the name of something.

    >>> is_tree_text("(A 3 12 8)"), is_tree_text("[[3, 12], [2, 4]]"), is_tree_text("my_tree.txt")
    (True, True, False)
    """
    return text.lstrip()[:1] in ("(", "[", "{") or "\n" in text


def read_tree(text: str) -> Tree:
    """Read a tree from ``text`` (brackets, indented lines or JSON), from the file it names, or from stdin (``-``)."""
    from zerosum.classroom.tree import Tree

    if text == "-":
        text = sys.stdin.read()
    elif not is_tree_text(text):
        path = Path(text)
        if not is_there(path):
            raise TreeError(f'{text!r} is neither a file nor a tree in brackets, as in "(A (B 3 12 8) (C 2 4 6))"')
        if path.is_file():
            _check_size(f"{text}: ", path.read_bytes().decode("utf-8", errors="replace"))
        return Tree.from_file(text)
    _check_size("", text)
    return Tree.from_json(text) if text.lstrip()[:1] in ("[", "{") else Tree.from_text(text)


def _check_size(place: str, text: str) -> None:
    """Raise TreeError, before minutes of reading, for a tree too large to draw or follow."""
    words = sum(1 for _ in re.finditer(r"[^\s,()\[\]{}]+", text))
    if words > MOST_WORDS:
        raise TreeError(
            f"{place}the tree has {words:,} numbers and names, too many to draw or to follow step by step; "
            f"the limit is {MOST_WORDS:,}"
        )


def random_tree(branching: int | None, numbers: dict[str, int | None], algorithm: str) -> str:
    """A uniform tree as text. The depth is its height; the seed is also that of an algorithm that samples."""
    from zerosum.classroom.tracing import takes_depth
    from zerosum.classroom.tree import Tree

    height, seed = numbers["depth"], numbers["seed"] or 0
    numbers["depth"] = None
    if not algorithm or takes_depth(algorithm):
        numbers["seed"] = None
    children = CHILDREN if branching is None else branching
    return Tree.uniform(children, HEIGHT if height is None else height, seed, low=-20, high=20).to_text()
