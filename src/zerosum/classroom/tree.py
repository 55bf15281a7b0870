"""Trees to learn on: drawn by hand, read from text, made at random, or unfolded from a game.

>>> tree = Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
>>> tree.root.name, [child.name for child in tree.root.children]
('A', ['B', 'C', 'D'])
>>> tree == Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")
True

A tree is a game as well, for the algorithms of the classroom and for the engine:

>>> tree.game.legal_moves(tree.game.initial())
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from zerosum.classroom.making import in_order, random_tree, uniform_tree
from zerosum.classroom.node import LEAF, Node, below, check_tree, leaf, show_value
from zerosum.classroom.reading import read_json, read_lists, read_mapping, write_json
from zerosum.classroom.text import read_text, write_text
from zerosum.errors import TreeError
from zerosum.game import MAX, Game

__all__ = ["LEAF", "Node", "Tree", "TreeError", "leaf", "show_value"]

Path = tuple[int, ...]


class Tree:
    """A tree of MAX, MIN and chance nodes and leaves; checked when made, and never changed after."""

    root: Node
    title: str

    def __init__(self, root: Node, title: str = "") -> None:
        if not isinstance(root, Node):
            raise TreeError(f"a tree is made from a Node, not from {root!r}; there is Tree.from_lists too")
        check_tree(root)
        self.__dict__.update(root=root, title=title)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Tree is immutable: make another")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and (self.root, self.title) == (other.root, other.title)

    def __hash__(self) -> int:
        return hash((self.root, self.title))

    def __repr__(self) -> str:
        return f"<Tree {self.title or self.root.name or 'without a name'}: {self.size} nodes, height {self.height}>"

    def __reduce__(self) -> Any:
        return Tree, (self.root, self.title)

    # From what people write

    @classmethod
    def from_lists(cls, lists: Any, first: int = MAX, names: Sequence[str] | None = None, title: str = "") -> Tree:
        """Nested lists, players alternating from ``first``; a child of chance is ``(probability, child)``.

        Inner nodes are called A, B, C … level by level, or as ``names`` says.
        """
        return cls(read_lists(lists, first, names), title)

    @classmethod
    def from_mapping(
        cls,
        mapping: Mapping[str, Any],
        first: int = MAX,
        kinds: Mapping[str, int | str] | None = None,
        title: str = "",
    ) -> Tree:
        """Names with their children, as in the notes; the first name is the root.

        >>> Tree.from_mapping({"A": ["B", "C"], "B": [3, 12], "C": [(0.5, 2), (0.5, 4)]}).at((1,)).player
        'chance'
        """
        return cls(read_mapping(mapping, first, kinds), title)

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """What ``to_json`` wrote; or lists, or a mapping, as JSON."""
        root, title = read_json(text)
        return cls(root, title)

    @classmethod
    def from_text(cls, text: str, first: int = MAX, title: str = "") -> Tree:
        """Brackets, ``(A (B 3 12 8) (C 2 4 6))``, or indented lines; ``docs/classroom.md`` tells all of it.

        >>> Tree.from_text('''
        ... A
        ...   B 3 12 8
        ...   C
        ...     0.5: 2
        ...     0.5: 4
        ... ''').at((1,)).probabilities
        (0.5, 0.5)
        """
        return cls(read_text(text, first), title)

    @classmethod
    def from_file(cls, path: str | FilePath) -> Tree:
        """A file of JSON, brackets or indented lines; errors begin with its name."""
        try:
            text = FilePath(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as problem:
            reason = getattr(problem, "strerror", None) or "it is not text"
            raise TreeError(f"{path}: cannot read the tree: {reason}") from problem
        try:
            return cls.from_json(text) if text.lstrip()[:1] in ("{", "[") else cls.from_text(text)
        except TreeError as problem:
            raise TreeError(f"{path}: {problem}") from problem

    @classmethod
    def unfold(cls, game: Game, s: Any = None, depth: float = 2, limit: int | None = None) -> Tree:
        """The tree of a game's state, ``depth`` moves deep (``math.inf``: to the end).

        >>> from zerosum.games import load
        >>> Tree.unfold(load("tictactoe"), depth=1).size
        10
        """
        from zerosum.classroom.unfolding import MOST_NODES, unfolded

        start = game.start() if s is None else game.state(s)
        return cls(unfolded(game, start, depth, MOST_NODES if limit is None else limit), game.name)

    # By chance

    @classmethod
    def uniform(cls, branching: int, depth: int, seed: int = 0, **wishes: Any) -> Tree:
        """A tree in which all nodes have equally many children and all leaves are equally deep.

        Options: ``low high ties order first``.

        >>> Tree.uniform(2, 3, seed=1).size
        15
        """
        return cls(uniform_tree(branching, depth, seed, **wishes))

    @classmethod
    def random(cls, seed: int, **wishes: Any) -> Tree:
        """A ragged one. Wishes: ``depth branching low high chance stop again noisy evaluations order first``."""
        return cls(random_tree(seed, **wishes))

    def ordered(self, order: str) -> Tree:
        """This tree with each player's best move first (``best``) or last (``worst``)."""
        return Tree(in_order(self.root, order), self.title)

    # To look at

    def to_json(self) -> str:
        """The whole tree as text: ``from_json`` makes an equal one of it."""
        return write_json(self.root, self.title)

    def to_text(self) -> str:
        """The tree in brackets; pictures, the title and moves other than 0, 1, 2 … are left to JSON."""
        return write_text(self.root)

    def nodes(self) -> Iterator[tuple[Path, Node]]:
        """Every node with the moves that lead to it, parents first, from the left."""
        return below(self.root)

    def at(self, path: Sequence[int]) -> Node:
        """The node that these moves lead to."""
        node = self.root
        for move in path:
            if move not in node.moves:
                raise TreeError(f"no move {move!r} on the way {tuple(path)!r}; here are {list(node.moves)}")
            node = node.child(move)
        return node

    def find(self, name: str) -> Path:
        """The moves that lead to the node of this name."""
        for path, node in self.nodes():
            if node.name == name:
                return path
        raise TreeError(f"the tree has no node {name!r}")

    @cached_property
    def size(self) -> int:
        """How many nodes there are, leaves among them."""
        return sum(1 for _ in self.nodes())

    @cached_property
    def height(self) -> int:
        """Branches from the root to the deepest leaf."""
        return max(len(path) for path, _ in self.nodes())

    @cached_property
    def leaves(self) -> int:
        """How many leaves there are."""
        return sum(node.kind == LEAF for _, node in self.nodes())

    @cached_property
    def game(self) -> Game:
        """The game of walking down this tree, scored by its leaves."""
        from zerosum.classroom.tree_game import tree_game

        return tree_game(self.root, self.title)

    def _repr_svg_(self) -> str:
        from zerosum.classroom.drawing.svg import tree_svg

        return str(tree_svg(self))
