"""Trees to learn from: written as lists or text, random, or unfolded from a game.

>>> tree = Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
>>> tree.root.name, [child.name for child in tree.root.children]
('A', ['B', 'C', 'D'])
>>> tree == Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")
True

A tree is also a game, for the algorithms of the classroom and for the engine:

>>> tree.game.legal_moves(tree.game.initial())
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from zerosum.classroom.node import LEAF, Node, below, check_tree, leaf, show_value
from zerosum.classroom.random_trees import in_order, random_tree, uniform_tree
from zerosum.classroom.text import read_text, write_text
from zerosum.classroom.tree_data import read_json, read_lists, read_mapping, write_json
from zerosum.errors import TreeError
from zerosum.game import MAX, Game

__all__ = ["LEAF", "Node", "Tree", "TreeError", "leaf", "show_value"]

Path = tuple[int, ...]


class Tree:
    """An immutable tree of MAX, MIN and chance nodes and leaves, checked on creation."""

    root: Node
    title: str

    def __init__(self, root: Node, title: str = "") -> None:
        if not isinstance(root, Node):
            raise TreeError(f"a tree is made from a Node, not from {root!r}; for nested lists use Tree.from_lists")
        check_tree(root)
        self.__dict__.update(root=root, title=title)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Tree is immutable: make a new one")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and (self.root, self.title) == (other.root, other.title)

    def __hash__(self) -> int:
        return hash((self.root, self.title))

    def __repr__(self) -> str:
        return f"<Tree {self.title or self.root.name or 'without a name'}: {self.size} nodes, height {self.height}>"

    def __reduce__(self) -> Any:
        return Tree, (self.root, self.title)

    # From lists, text and games

    @classmethod
    def from_lists(cls, lists: Any, first: int = MAX, names: Sequence[str] | None = None, title: str = "") -> Tree:
        """A tree from nested lists; players alternate from ``first``, a child of chance is ``(probability, child)``.

        Inner nodes are called A, B, C … level by level, or by ``names``.
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
        """A tree from a mapping of names to children, as in the notes; the first name is the root.

        >>> Tree.from_mapping({"A": ["B", "C"], "B": [3, 12], "C": [(0.5, 2), (0.5, 4)]}).at((1,)).player
        'chance'
        """
        return cls(read_mapping(mapping, first, kinds), title)

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """A tree from the output of ``to_json``, or from lists or a mapping as JSON."""
        root, title = read_json(text)
        return cls(root, title)

    @classmethod
    def from_text(cls, text: str, first: int = MAX, title: str = "") -> Tree:
        """A tree from brackets, ``(A (B 3 12 8) (C 2 4 6))``, or indented lines; see ``docs/classroom.md``.

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
        """A tree from a file of JSON, brackets or indented lines; errors begin with the file's name."""
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

    # Random trees

    @classmethod
    def uniform(cls, branching: int, depth: int, seed: int = 0, **options: Any) -> Tree:
        """A tree in which all nodes have equally many children and all leaves are equally deep.

        Options: ``low high ties order first``.

        >>> Tree.uniform(2, 3, seed=1).size
        15
        """
        return cls(uniform_tree(branching, depth, seed, **options))

    @classmethod
    def random(cls, seed: int, **options: Any) -> Tree:
        """A ragged tree. Options: ``depth branching low high chance stop again noisy evaluations order first``."""
        return cls(random_tree(seed, **options))

    def ordered(self, order: str) -> Tree:
        """This tree with each player's best move first (``best``) or last (``worst``)."""
        return Tree(in_order(self.root, order), self.title)

    # Reading a tree

    def to_json(self) -> str:
        """The whole tree as JSON, which ``from_json`` reads back."""
        return write_json(self.root, self.title)

    def to_text(self) -> str:
        """The tree in brackets, without pictures, the title and moves other than 0, 1, 2 …; JSON keeps those."""
        return write_text(self.root)

    def nodes(self) -> Iterator[tuple[Path, Node]]:
        """Every node with the moves that lead to it, parents first, from the left."""
        return below(self.root)

    def at(self, path: Sequence[int]) -> Node:
        """The node that these moves lead to."""
        node = self.root
        for move in path:
            if move not in node.moves:
                raise TreeError(f"the path {tuple(path)!r} has no move {move!r}; the moves here are {list(node.moves)}")
            node = node.child(move)
        return node

    def find(self, name: str) -> Path:
        """The moves that lead to the node with this name."""
        for path, node in self.nodes():
            if node.name == name:
                return path
        raise TreeError(f"the tree has no node called {name!r}")

    @cached_property
    def size(self) -> int:
        """The number of nodes, including leaves."""
        return sum(1 for _ in self.nodes())

    @cached_property
    def height(self) -> int:
        """The number of branches from the root to the deepest leaf."""
        return max(len(path) for path, _ in self.nodes())

    @cached_property
    def leaves(self) -> int:
        """The number of leaves."""
        return sum(node.kind == LEAF for _, node in self.nodes())

    @cached_property
    def game(self) -> Game:
        """The game of walking down this tree, scored by its leaves."""
        from zerosum.classroom.tree_game import tree_game

        return tree_game(self.root, self.title)

    def _repr_svg_(self) -> str:
        from zerosum.classroom.drawing.svg import tree_svg

        return str(tree_svg(self))
