"""Quizzes: questions about a small tree, with answers and explanations from its trace.

>>> quiz = make_quiz("minimax", seed=1, difficulty=1)
>>> question = quiz.questions[0]
>>> question.check(question.answer), question.check("no idea")
(True, None)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from math import inf, isclose

from zerosum.classroom.events import Event, Kind
from zerosum.classroom.node import Node, show_value
from zerosum.classroom.quiz_tree import Draws, quiz_tree
from zerosum.classroom.tracing import Trace
from zerosum.classroom.tree import LEAF, Tree
from zerosum.errors import ZerosumError
from zerosum.game import CHANCE, MAX, MIN

KIND_WORDS = {MAX: "MAX", MIN: "MIN", CHANCE: "chance", LEAF: "leaf"}

DEFAULT_QUESTIONS = 5
MOST_QUESTIONS = 50


@dataclass(frozen=True)
class Question:
    """A question with its one right answer, a number or a word, and an explanation."""

    text: str
    answer: str
    explanation: tuple[str, ...]
    words: tuple[str, ...] = ()
    """The answers to choose from; empty if the answer is a number."""

    def check(self, given: str) -> bool | None:
        """Whether the answer is right; None if it is not an answer at all, such as a word instead of a number."""
        if self.words:
            word = given.strip().lower()
            return word == self.answer.lower() if word in {w.lower() for w in self.words} else None
        number = read_number(given)
        expected = read_number(self.answer)
        assert expected is not None
        return None if number is None else number == expected or isclose(number, expected, abs_tol=0.005)

    @property
    def hint(self) -> str:
        """The form of an answer, in words."""
        return f"one of {', '.join(self.words)}" if self.words else "a number, such as 3, -1.5, 7/2 or -inf"


@dataclass(frozen=True)
class Quiz:
    """A tree and questions about it."""

    subject: str
    seed: int
    difficulty: int
    tree: Tree
    trace: Trace
    questions: tuple[Question, ...]

    @property
    def title(self) -> str:
        return f"{self.subject}, difficulty {self.difficulty}, seed {self.seed}"


def make_quiz(subject: str, seed: int, difficulty: int = 2, questions: int = DEFAULT_QUESTIONS) -> Quiz:
    """Make the quiz of a seed: equal seeds give equal quizzes. A small tree may have fewer questions."""
    if not 1 <= questions <= MOST_QUESTIONS:
        raise ZerosumError(f"a quiz has 1 to {MOST_QUESTIONS} questions, not {questions!r}")
    tree, trace = quiz_tree(subject, seed, difficulty)
    maker = _Maker(tree, trace)
    # The main question of the subject, and two groups of others that take turns.
    first, groups = {
        "minimax": (maker.chosen_move, ((maker.root_value, maker.leaves), maker.values())),
        "alphabeta": (
            maker.first_cut,
            ((maker.leaves, maker.root_value, maker.chosen_move, maker.cut_kind, maker.cut_node), maker.windows()),
        ),
        "expectiminimax": (maker.chosen_move, ((maker.root_value,), maker.values())),
    }[subject]
    draws = Draws(seed, difficulty)
    turns = zip_longest(*(draws.shuffled(list(group)) for group in groups))
    others = [make for turn in turns for make in turn if make is not None][: questions - 1]
    # "Which leaf is cut off first?" comes first; "which move does MAX choose?" comes last, after the values it needs.
    makers = [first, *others] if subject == "alphabeta" else [*others[::-1], first]
    return Quiz(subject, seed, difficulty, tree, trace, tuple(make() for make in makers))


class _Maker:
    """Makes questions about one trace, one with each method."""

    def __init__(self, tree: Tree, trace: Trace) -> None:
        self.tree, self.trace = tree, trace

    # Questions for every algorithm

    def root_value(self) -> Question:
        name = self.tree.root.name
        value = exact_text(self.trace.value)
        return Question(f"What is the value of the root, {name}?", value, self._explanation(self._at(())))

    def chosen_move(self) -> Question:
        root = self.tree.root
        names = tuple(child.name for child in root.children)
        chosen = self.tree.at(self.trace.line[:1]).name
        text = f"Which move does MAX choose at {root.name}: {' or '.join(names)}?"
        return Question(text, chosen, self._explanation(self._at(())), names)

    def leaves(self) -> Question:
        text = f"How many of the {self.tree.leaves} leaves does {self.trace.algorithm} look at?"
        seen = [show_value(event.value) for event in self.trace.events if event.kind == Kind.EVALUATE]
        why = f"In this order: {', '.join(seen)}."
        return Question(text, str(self.trace.evaluated), (why, *self._explanation(self._cuts())))

    def values(self) -> Iterator[Callable[[], Question]]:
        """A question for every inner node below the root: what is it worth?"""
        for path, node in self.tree.nodes():
            if node.children and path:
                yield lambda path=path: self._value(path)  # type: ignore[misc]

    def _value(self, path: tuple[int, ...]) -> Question:
        node = self.tree.at(path)
        value = self._at(path)[-1].value  # of the step that leaves the node
        assert value is not None
        text = f"What is the value of the {KIND_WORDS[node.kind]} node {node.name}?"
        return Question(text, exact_text(value), self._explanation(self._at(path)))

    # Questions for alpha-beta

    def first_cut(self) -> Question:
        pruned = next(event for event in self.trace.events if event.kind == Kind.PRUNE)
        assert pruned.move is not None
        path = (*pruned.path, pruned.move)
        leaf = next(node for way, node in self.tree.nodes() if way[: len(path)] == path and node.kind == LEAF)
        text = "Which leaf is the first to be cut off, so that it is never looked at? Give its value."
        return Question(text, show_value(leaf.value), self._explanation(self._at(pruned.path)))

    def cut_kind(self) -> Question:
        cut = self._cuts()[0]
        answer = "alpha" if cut.kind == Kind.ALPHA_CUTOFF else "beta"
        text = "Is the first cut-off an alpha or a beta cut-off?"
        return Question(text, answer, self._explanation(self._at(cut.path)), ("alpha", "beta"))

    def cut_node(self) -> Question:
        cut = self._cuts()[0]
        names = tuple(node.name for _, node in self.tree.nodes() if node.children)
        text = "At which node does the first cut-off happen, so that its other children are not looked at?"
        return Question(text, self.tree.at(cut.path).name, self._explanation(self._at(cut.path)), names)

    def windows(self) -> Iterator[Callable[[], Question]]:
        """Questions about alpha and beta when an inner node is entered and when it is left."""
        for event in self.trace.events:
            if event.path and event.kind in (Kind.ENTER, Kind.LEAVE) and self.tree.at(event.path).children:
                for bound in ("alpha", "beta"):
                    yield lambda event=event, bound=bound: self._window(event, bound)  # type: ignore[misc]

    def _window(self, event: Event, bound: str) -> Question:
        moment = "entered" if event.kind == Kind.ENTER else "left"
        name, number = self.tree.at(event.path).name, getattr(event.frames[-1], bound)
        text = f"What is {bound} at {name} when {name} is {moment}?"
        # Bounds come from the nodes above as well as from this one.
        until = self.trace.events[: self.trace.events.index(event) + 1]
        moved = (Kind.RAISE_ALPHA, Kind.LOWER_BETA)
        above = [one for one in until if one.kind in moved and event.path[: len(one.path)] == one.path]
        return Question(text, show_value(number), self._explanation([*above, event]))

    # Explanations

    def _at(self, path: tuple[int, ...]) -> list[Event]:
        """All events at a node, and those that give the values of its children."""

        def belongs(event: Event) -> bool:
            if event.path == path:
                return True
            found = Kind.LEAVE if self.tree.at(event.path).children else Kind.EVALUATE
            return event.path[:-1] == path and event.kind == found

        return [event for event in self.trace.events if belongs(event)]

    def _cuts(self) -> list[Event]:
        return [event for event in self.trace.events if event.kind in (Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF)]

    def _explanation(self, events: Sequence[Event]) -> tuple[str, ...]:
        return tuple(event.words(self.tree) for event in events)


def read_number(text: str) -> float | None:
    """A number as people write it: 3, -1.5, 7/2, −4, -inf, ∞; None if the text is not a number.

    >>> read_number("−7/2"), read_number("-∞"), read_number("three")
    (-3.5, -inf, None)
    """
    plain = re.sub(r"\s+", "", text.lower().replace("−", "-").replace(",", "."))
    infinite = re.fullmatch(r"([+-]?)(?:∞|inf|infinity)|(minus|plus)?(?:∞|inf|infinity)", plain)
    if infinite:
        return -inf if infinite[1] == "-" or infinite[2] == "minus" else inf
    if not re.fullmatch(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+|\d+/\d*[1-9]\d*)", plain):
        return None
    return float(Fraction(plain))


def exact_text(value: float) -> str:
    """A value in full: averages may have more digits than drawings have room for.

    >>> exact_text(-13.1875), exact_text(3.0), exact_text(-inf)
    ('−13.1875', '3', '−∞')
    """
    return show_value(value) if abs(value) == inf or value == int(value) else f"{value:.10g}".replace("-", "−")


def outline(tree: Tree) -> str:
    """The tree as indented text, for a terminal: who moves, and the leaves.

    >>> print(outline(Tree.from_lists([[3, 12, 8], [2, 4, 6]])))
    A  MAX
    ├─ B  MIN   3  12  8
    └─ C  MIN   2  4  6
    """
    return "\n".join(_outline(tree.root, "", "", ""))


def _outline(node: Node, first: str, rest: str, share: str) -> Iterator[str]:
    label = f"{first}{share}{node.name}  {KIND_WORDS[node.kind]}"
    if all(child.kind == LEAF for child in node.children):
        shares = [f"{p:g}: " for p in node.probabilities] or [""] * len(node.children)
        leaves = (f"{p}{show_value(child.value)}" for p, child in zip(shares, node.children, strict=True))
        yield f"{label}   {'  '.join(leaves)}"
        return
    yield label
    for number, child in enumerate(node.children, 1):
        last = number == len(node.children)
        share = f"{node.probabilities[number - 1]:g}: " if node.probabilities else ""
        if child.kind == LEAF:
            yield f"{rest}{'└─' if last else '├─'} {share}{show_value(child.value)}"
        else:
            yield from _outline(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "), share)
