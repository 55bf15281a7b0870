"""Trees as text: in brackets, or as indented lines.

A node is ``(NAME KIND @GUESS ! children)``. Everything but the children is optional: the player (``max``, ``min`` or
``chance``; by default the players alternate), the estimate of an evaluation, and ``!`` for a noisy position. A leaf is
a number, or ``NAME: number``. A child may be preceded by its probability (``0.5:`` or ``1/6:``) and then by the label
of its branch (``a1=``). ``#`` begins a comment. A name that is not a plain word needs double quotes.

In the other form every node begins a line. Its children follow on the lines below, indented further, or, if they are
leaves, on the same line.

>>> read_text("(A (B 3 12 8) (C 2 4 6))").children[1].name
'C'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from zerosum.classroom.node import KINDS, LEAF, Node, check_node, is_number
from zerosum.classroom.tree_data import after, check_height
from zerosum.errors import TreeError
from zerosum.game import CHANCE, MAX

TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<prefix>(?:"(?:[^"\\\n]|\\.)*"|[^\s()"#:=@!]+)[:=])
      | (?P<guess>@[^\s()"\#:=@!]+)
      | (?P<noisy>!)
      | (?P<quoted>"(?:[^"\\\n]|\\.)*")
      | (?P<word>[^\s()"\#:=@!]+)
    """,
    re.VERBOSE,
)
PLAIN = re.compile(r"[^\s()\"#:=@!]+")


class Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int

    @property
    def place(self) -> str:
        return f"line {self.line}, column {self.column}"


def read_text(text: str, first: int = MAX) -> Node:
    """The tree that the text describes; TreeError with line and column if the text is wrong."""
    tokens = list(_tokens(text))
    if not tokens:
        raise TreeError("line 1: no tree found; write (A 3 12 8), or a name with its children on the lines below")
    if not any(token.kind in ("open", "close") for token in tokens):
        tokens = _bracketed(text, tokens)
    reader = _Reader(tokens)
    root = reader.item(first, 0)
    if reader.left:
        raise TreeError(f"{reader.left[-1].place}: {reader.left[-1].text!r} follows the end of the tree")
    if root.shares:
        raise TreeError(f"{tokens[0].place}: the root cannot have a probability")
    if root.label:
        raise TreeError(f"{tokens[0].place}: the root cannot have a label, since no branch leads to it")
    return root.node


def _tokens(text: str) -> Iterator[Token]:
    at, line, begin = 0, 1, 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            raise TreeError(f"line {line}, column {at - begin + 1}: unexpected {text[at]!r}")
        if found.lastgroup != "skip":
            yield Token(str(found.lastgroup), found[0], line, at - begin + 1)
        lines = found[0].count("\n")
        if lines:
            line, begin = line + lines, at + found[0].rindex("\n") + 1
        at = found.end()


def _bracketed(text: str, tokens: list[Token]) -> list[Token]:
    """The tokens of indented lines, with brackets added."""
    lines: dict[int, list[Token]] = {}
    for token in tokens:
        lines.setdefault(token.line, []).append(token)
    rows = list(lines.values())
    bracketed: list[Token] = []
    margins: list[int] = []  # indentation of the nodes that are still open
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        start = row[0]
        margin = start.column
        if "\t" in text.split("\n")[start.line - 1][: margin - 1]:
            raise TreeError(f"line {start.line}: indented with a tab; use spaces")
        while margins and margins[-1] >= margin:
            margins.pop()
            bracketed.append(Token("close", "", start.line, margin))
        if bracketed and not margins:
            raise TreeError(f"line {start.line}: a second root, {start.text!r}; indent it to put it below the first")
        prefixes = 0
        while prefixes < len(row) and row[prefixes].kind == "prefix":
            prefixes += 1
        has_children = following is not None and following[0].column > margin
        is_leaf = not has_children and len(row) == prefixes + 1 and _number(row[-1].text) is not None
        if is_leaf:
            bracketed += row
            if not margins:  # the tree is a single leaf
                continue
        else:
            bracketed += [*row[:prefixes], Token("open", "", start.line, margin), *row[prefixes:]]
            margins.append(margin)
    last = tokens[-1]
    return bracketed + [Token("close", "", last.line, last.column + len(last.text))] * len(margins)


class Item(NamedTuple):
    node: Node
    label: str
    shares: tuple[float, ...]  # its probability, if it has one


class _Reader:
    """Reads one token after another; ``left`` holds the remaining ones in reverse order."""

    def __init__(self, tokens: list[Token]) -> None:
        self.left = tokens[::-1]
        self.last = tokens[-1]
        self.names: dict[str, Token] = {}

    def new_name(self, word: str, token: Token) -> str:
        """The name of a node; TreeError if another node already has it."""
        name = _unquoted(word, token)
        if name in self.names:
            first = self.names[name].place
            raise TreeError(f"{token.place}: two nodes are called {name!r}; the first is at {first}")
        if name:
            self.names[name] = token
        return name

    def next(self) -> Token:
        if not self.left:
            raise TreeError(f"line {self.last.line}: the text ends before the tree does; a ')' is missing")
        return self.left.pop()

    def item(self, mover: int, level: int) -> Item:
        """A child with its probability and label."""
        shares: tuple[float, ...] = ()
        label = name = ""
        token = self.next()
        while token.kind == "prefix":
            word = token.text[:-1]
            share = None if word.startswith('"') else _number(word)
            if token.text.endswith("="):
                label = _unquoted(word, token)
            elif share is None:
                name = self.new_name(word, token)
            else:
                shares = (share,)
            token = self.next()
        if token.kind == "open":
            if name:
                raise TreeError(f"{token.place}: write ({name} …), not {name}: (…)")
            return Item(self.inner(token, mover, level), label, shares)
        value = _number(token.text) if token.kind == "word" else None
        if value is None:
            raise TreeError(f"{token.place}: {token.text or ')'!r} is not a number; a leaf is a number")
        return Item(check_node(Node(LEAF, name, value), token.place), label, shares)

    def inner(self, opened: Token, mover: int, level: int) -> Node:
        """The node between an opening bracket and its closing one."""
        check_height(level, opened.place)
        name, kind, guess, noisy = self.head(mover)
        items: list[Item] = []
        # A probability before the first child makes this a chance node, whose children belong to ``mover`` itself.
        following = mover if kind == CHANCE or self.probability_follows() else after(kind)
        while self.peek() != "close":
            if not self.left:
                raise TreeError(f"{opened.place}: the bracket that opens here is never closed")
            items.append(self.item(following, level + 1))
        self.next()
        shares = tuple(share for item in items for share in item.shares)
        if shares:
            kind = CHANCE
            for number, item in enumerate(items, 1):
                if not item.shares:
                    raise TreeError(f"{opened.place}: child {number} has no probability, but others do")
        labels = tuple(item.label for item in items)
        children = tuple(item.node for item in items)
        node = Node(kind, name, guess, children, (), labels if any(labels) else (), shares, "", noisy)
        return check_node(node, f"{opened.place}{f' ({name})' if name else ''}")

    def head(self, mover: int) -> tuple[str, int, float | None, bool]:
        """Name, kind, estimate and noisiness: everything before the children."""
        name, kind, guess, noisy = "", mover, None, False
        if self.peek() == "quoted" or (self.peek() == "word" and not self.number_follows() and not self.kind_follows()):
            token = self.next()
            name = self.new_name(token.text, token)
        if self.kind_follows():
            kind = KINDS[self.next().text.lower()]
        if self.peek() == "guess":
            token = self.next()
            guess = _number(token.text[1:])
            if guess is None:
                raise TreeError(f"{token.place}: {token.text[1:]!r} is not a number")
        if self.peek() == "noisy":
            self.next()
            noisy = True
        return name, kind, guess, noisy

    def peek(self) -> str:
        return self.left[-1].kind if self.left else ""

    def number_follows(self) -> bool:
        return self.peek() == "word" and _number(self.left[-1].text) is not None

    def kind_follows(self) -> bool:
        return self.peek() == "word" and self.left[-1].text.lower() in ("max", "min", "chance")

    def probability_follows(self) -> bool:
        if self.peek() != "prefix":
            return False
        return self.left[-1].text.endswith(":") and _number(self.left[-1].text[:-1]) is not None


def _number(word: str) -> float | None:
    """The number that a word means, as an int if possible; None if it is not a number."""
    top, slash, bottom = word.partition("/")
    try:
        if slash:
            return float(top) / float(bottom)
        value = float(word)
    except (ValueError, ZeroDivisionError):
        return None
    if "_" in word or not is_number(value):
        return None
    return int(word) if re.fullmatch(r"[+-]?\d+", word) else value


def _unquoted(word: str, token: Token) -> str:
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word))
    except ValueError as problem:
        raise TreeError(f"{token.place}: {word} is not a valid quoted name") from problem


def write_text(root: Node) -> str:
    """The tree in brackets, on one line."""

    def word(name: str) -> str:
        is_plain = PLAIN.fullmatch(name) and _number(name) is None and name.lower() not in KINDS
        return name if is_plain else json.dumps(name, ensure_ascii=True)

    def text(node: Node, mover: int) -> str:
        if node.kind == LEAF:
            return (f"{word(node.name)}: " if node.name else "") + f"{node.value!r}"
        head = [word(node.name)] if node.name else []
        if node.kind not in (mover, CHANCE):
            head.append(node.player)
        if node.value is not None:
            head.append(f"@{node.value!r}")
        if node.noisy:
            head.append("!")
        following = mover if node.kind == CHANCE else after(node.kind)
        for place, child in enumerate(node.children):
            before = f"{node.probabilities[place]!r}: " if node.probabilities else ""
            if node.labels and node.labels[place]:
                before += f"{word(node.labels[place])}="
            head.append(before + text(child, following))
        return f"({' '.join(head)})"

    return text(root, MAX)
