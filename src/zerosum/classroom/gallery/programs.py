"""The programs of the notes, each with its slip as an argument.

The programs search a STATE_SPACE like the one in the notes: a mapping of names to children, in which a number is a
leaf. Each program appears once; an argument selects the wrong form, which differs in one place.

>>> print(chapter_program(TEXT_SPACE))
value 3, 7 leaves looked at: 3 12 8 2 14 5 2
>>> print(chapter_program(TEXT_SPACE, alpha_by_min=True))
value 3, 9 leaves looked at: 3 12 8 2 4 6 14 5 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from zerosum.classroom.tree import Tree

Space = Mapping[str, Sequence[Any]]

CODE_SPACE: Space = {"A": ["B", "C", "D"], "B": [3, 12, 8], "C": [2, 4, 1], "D": [14, 5, 2]}
"""The tree in the program of chapter 6."""

TEXT_SPACE: Space = {**CODE_SPACE, "C": [2, 4, 6]}
"""The tree in the text of chapter 6."""

BEST_LAST: Space = {**TEXT_SPACE, "A": ["D", "C", "B"]}
"""The same game with the best move listed last."""


class Outcome(NamedTuple):
    """The answer of a program and the leaves it looked at, or the error that ended it."""

    answer: float | str | None
    looked: tuple[int, ...]
    error: str = ""

    def __str__(self) -> str:
        if self.error:
            return f"fails with {self.error}"
        leaves = " ".join(map(str, self.looked[:16])) + (" …" if len(self.looked) > 16 else "")
        kind = "move" if isinstance(self.answer, str) else "value"
        answer = self.answer if isinstance(self.answer, str) else f"{self.answer:g}"
        return f"{kind} {answer}, {len(self.looked)} leaves looked at: {leaves}"


def chapter_program(
    space: Space,
    *,
    alpha_by_min: bool = False,
    call_without_window: bool = False,
    unpack_pairs: bool = False,
    give_move: bool = False,
    new_window_for_each_move: bool = False,
) -> Outcome:
    """The alpha-beta program of chapter 6. By default, the right form, which returns the value of A."""
    looked: list[int] = []

    def successors(state: Any) -> Any:
        return [child for _, child in space[state]] if unpack_pairs else space[state]

    def max_value(state: Any, alpha: float, beta: float) -> float:
        if isinstance(state, int):
            looked.append(state)
            return state
        v = -inf
        for child in successors(state):
            v = max(v, min_value(child, alpha, beta))
            if v >= beta:
                return v
            alpha = min(alpha, v) if alpha_by_min else max(alpha, v)
        return v

    def min_value(state: Any, alpha: float, beta: float) -> float:
        if isinstance(state, int):
            looked.append(state)
            return state
        v = inf
        for child in successors(state):
            v = min(v, max_value(child, alpha, beta))
            if v <= alpha:
                return v
            beta = min(beta, v)
        return v

    def best_move() -> str:
        """The last move that raises alpha. All moves share one window: the value of B prunes C and D."""
        best, alpha = "", -inf
        for child in successors("A"):
            v = min_value(child, alpha, inf)
            if v > alpha:
                best, alpha = child, v
        return best

    def best_move_by_argmax() -> str:
        """The move by the program's own method: argmax evaluates the first child twice, and no child helps the next."""
        children = successors("A")
        best, most = children[0], min_value(children[0], -inf, inf)
        for child in children:
            v = min_value(child, -inf, inf)
            if v > most:
                best, most = child, v
        return str(best)

    try:
        if call_without_window:
            # mypy reports this error in advance; Python only when it gets here.
            return Outcome(max(min_value(child) for child in successors("A")), tuple(looked))  # type: ignore[call-arg]
        if give_move:
            move = best_move_by_argmax() if new_window_for_each_move else best_move()
            return Outcome(move, tuple(looked))
        return Outcome(max_value("A", -inf, inf), tuple(looked))
    except (TypeError, ValueError, KeyError) as problem:
        text = str(problem).replace("chapter_program.<locals>.", "")
        return Outcome(None, tuple(looked), f"{type(problem).__name__}: {text}")


def lecture_minimax(space: Space, *, min_starts_low: bool = False, give_move: bool = False) -> Outcome:
    """The minimax of a lecture. In its wrong form MIN-VALUE starts at minus infinity, and nothing is smaller."""
    looked: list[int] = []

    def max_value(state: Any) -> float:
        if isinstance(state, int):
            looked.append(state)
            return state
        v = -inf
        for child in space[state]:
            v = max(v, min_value(child))
        return v

    def min_value(state: Any) -> float:
        if isinstance(state, int):
            looked.append(state)
            return state
        v = -inf if min_starts_low else inf
        for child in space[state]:
            v = min(v, max_value(child))
        return v

    if give_move:
        return Outcome(str(max(space["A"], key=min_value)), tuple(looked))
    return Outcome(max_value("A"), tuple(looked))


def slides_alpha_beta(space: Space, *, on_state: bool = False) -> Outcome:
    """The alpha-beta of the slides. In its wrong form MAX-VALUE evaluates ``state`` instead of a successor."""
    looked: list[int] = []

    def max_value(state: Any, alpha: float, beta: float) -> float:
        if isinstance(state, int):
            looked.append(state)
            return state
        for child in space[state]:
            alpha = max(alpha, min_value(state if on_state else child, alpha, beta))
            if alpha >= beta:
                return beta
        return alpha

    def min_value(state: Any, alpha: float, beta: float) -> float:
        if isinstance(state, int):
            looked.append(state)
            return state
        for child in space[state]:
            beta = min(beta, max_value(child, alpha, beta))
            if beta <= alpha:
                return alpha
        return beta

    return Outcome(max_value("A", -inf, inf), tuple(looked))


def slides_cutoffs(space: Space, *, against: str = "any ancestor", strictly: bool = False) -> Outcome:
    """Cut-offs by the two descriptions in the slides: against the parent alone, or against any ancestor.

    With ``strictly``, only if the value is worse than the ancestor's, as the slides first say; an equal one is enough.
    """
    looked: list[int] = []

    def value(state: Any, is_max: bool, ancestors: dict[bool, tuple[float, ...]]) -> float:
        if isinstance(state, int):
            looked.append(state)
            return state
        v = -inf if is_max else inf
        for child in space[state]:
            seen = {**ancestors, is_max: (*ancestors[is_max], v)}
            below = value(child, not is_max, seen)
            v = max(v, below) if is_max else min(v, below)
            rivals = ancestors[not is_max]
            for rival in rivals[-1:] if against == "parent" else rivals:
                if (v > rival if is_max else v < rival) or (v == rival and not strictly):
                    return v
        return v

    return Outcome(value("A", True, {True: (), False: ()}), tuple(looked))


def space_of(tree: Tree) -> Space:
    """A tree, whose root must be A, as a STATE_SPACE.

    >>> space_of(Tree.from_lists([[3, 12], 2]))
    {'A': ['B', 2], 'B': [3, 12]}
    """
    return {
        node.name: [child.name if child.children else child.value for child in node.children]
        for _, node in tree.nodes()
        if node.children
    }


def slides_best_case(branching: int, depth: int) -> float:
    """The fewest leaves that alpha-beta can look at, according to the slides: (2b)^(d/2).

    >>> slides_best_case(35, 4)
    4900.0
    """
    return float((2 * branching) ** (depth / 2))
