"""Trees on the command line: written out in brackets, or in a file."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.errors import TreeError

if TYPE_CHECKING:
    from zerosum.classroom.tree import Tree

MOST_WORDS = 100_000
"""Numbers and names of the largest tree that is read: as many nodes as can be drawn or told step by step."""

RANDOM = "random"
"""In place of a tree: one by chance."""

HEIGHT, CHILDREN = 3, 3
"""Of such a tree, where nothing is said."""


def is_tree_text(text: str) -> bool:
    """Whether the words themselves are a tree, rather than the name of something.

    >>> is_tree_text("(A 3 12 8)"), is_tree_text("[[3, 12], [2, 4]]"), is_tree_text("my_tree.txt")
    (True, True, False)
    """
    return text.lstrip()[:1] in ("(", "[", "{") or "\n" in text


def read_tree(text: str) -> Tree:
    """The tree that ``text`` is (brackets, indented lines or JSON), or names: a file, or ``-`` for stdin."""
    from zerosum.classroom.tree import Tree

    if text == "-":
        text = sys.stdin.read()
    elif not is_tree_text(text):
        path = Path(text)
        if not path.exists():
            raise TreeError(f'{text!r} is no file, nor a tree in brackets as in "(A (B 3 12 8) (C 2 4 6))"')
        if path.is_file():
            _check_size(f"{text}: ", path.read_bytes().decode("utf-8", errors="replace"))
        return Tree.from_file(text)
    _check_size("", text)
    return Tree.from_json(text) if text.lstrip()[:1] in ("[", "{") else Tree.from_text(text)


def _check_size(place: str, text: str) -> None:
    """TreeError, before minutes of reading, for a tree that could be neither drawn nor followed."""
    words = sum(1 for _ in re.finditer(r"[^\s,()\[\]{}]+", text))
    if words > MOST_WORDS:
        raise TreeError(
            f"{place}the tree has {words:,} numbers and names, too many to draw or to follow step by step: "
            f"at most {MOST_WORDS:,}"
        )


def random_tree(branching: int | None, numbers: dict[str, int | None], algorithm: str) -> str:
    """A uniform tree as text. Depth is its height, and the seed its own, unless an algorithm that samples wants it."""
    from zerosum.classroom.tracing import takes_depth
    from zerosum.classroom.tree import Tree

    height, seed = numbers["depth"], numbers["seed"] or 0
    numbers["depth"] = None
    if not algorithm or takes_depth(algorithm):
        numbers["seed"] = None
    children = CHILDREN if branching is None else branching
    return Tree.uniform(children, HEIGHT if height is None else height, seed, low=-20, high=20).to_text()
