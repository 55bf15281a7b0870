"""Small trees of the notes: the trivial game, preliminary backed-up values, and the two kinds of cut-off."""

from __future__ import annotations

from zerosum.classroom.events import Event, Kind
from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Example
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree
from zerosum.game import MIN

LEFT, RIGHT = 0, 1


def trivial_tree(left: tuple[float, float] = (8, 3), right: tuple[float, float] = (-8, 50)) -> Tree:
    """You move left or right; then your opponent moves."""
    return Tree.from_lists([list(left), list(right)], names=["you", "left", "right"])


def walk_through_tree() -> Tree:
    """Your opponent's move, then yours; the walk-through reaches the leaves 8, 5, 2, 9, -3."""
    return Tree.from_lists([[8, 5], [2, 9], [-3]], first=MIN)


def alpha_tree(others: tuple[float, ...] = (7, 12)) -> Tree:
    """You have 8; to the right your opponent has found 1, and has other moves left."""
    return Tree.from_lists([8, [1, *others]])


def beta_tree(others: tuple[float, ...] = (7, 12)) -> Tree:
    """The same seen from the other side: every number negated, and your opponent begins."""
    return Tree.from_lists([-8, [-1, *(-other for other in others)]], first=MIN)


def _trivial() -> Trace:
    return trace("minimax", trivial_tree())


def _walk_through() -> Trace:
    return trace("minimax", walk_through_tree())


def _alpha_cutoff() -> Trace:
    return trace("alphabeta", alpha_tree())


def _beta_cutoff() -> Trace:
    return trace("alphabeta", beta_tree())


def walk_through_steps(found: Trace) -> list[str]:
    """The walk-through in short: the values that are explored, brought up and ignored.

    >>> walk_through_steps(_walk_through())[:3]
    ['explore 8', 'bring up 8', 'explore 5']
    """
    steps = []
    values: dict[tuple[int, ...], float] = {}  # for each node, the value brought up last
    for event, following in zip(found.events, [*found.events[1:], None], strict=True):
        if event.kind is Kind.EVALUATE:
            steps.append(f"explore {event.value:g}")
        elif event.kind is Kind.LEAVE and event.path and not _is_back_up(following):
            steps.append(f"ignore {event.value:g}")
        elif event.kind is Kind.BACK_UP and event.value is not None:
            old = values.get(event.path)
            values[event.path] = event.value
            steps.append(f"bring up {event.value:g}" + ("" if old is None else f", replacing {old:g}"))
    return steps


def _is_back_up(event: Event | None) -> bool:
    return event is not None and event.kind is Kind.BACK_UP


EXAMPLES = (
    Example(
        "trivial-game",
        "A trivial game: will you win 50?",
        topics.MINIMAX,
        "The smallest adversarial search: you move, then your opponent. If you move left, your opponent will choose 3; "
        "if right, −8. So your minimax decision is to move left, and the minimax value of the game is 3.",
        _trivial,
        figures={"move": "left", "value": 3, "left": 3, "right": -8, "wished for": 50},
        reconstructed="The drawing is lost. The text gives 3, −8 and 50; the fourth leaf, 8, and the places are ours. "
        "Any fourth leaf above 3 on the left, and 50 on either side, give the same answer.",
    ),
    Example(
        "pbv-walk-through",
        "Preliminary backed-up values: 8, 5, 2, 9, −3",
        topics.MINIMAX,
        "8 is brought up and 5 is ignored; 8 is brought up another level. 2 is brought up, 9 replaces it, and your "
        "opponent, who has 8, ignores the 9. Then comes −3. The value of a node so far is its PBV, preliminary "
        "backed-up value.",
        _walk_through,
        figures={"explored": (8, 5, 2, 9, -3)},
        reconstructed="The animated drawing is lost. The order of the steps gives the tree as far as −3; the notes do "
        "not say what came next, so our tree ends there.",
    ),
    Example(
        "alpha-cutoff",
        "An alpha cut-off: 8 so far, then 1",
        topics.ALPHA_BETA,
        "It is your opponent's turn, the node has fallen to 1, and you already have 8 above: the rest is ignored. All "
        "sets of notes that use the name use it in the same way, for MIN nodes.",
        _alpha_cutoff,
        figures={"yours": 8, "right": 1},
        reconstructed="The drawing is lost. 8 and 1 are from the notes; the leaves that are cut off, 7 and 12, are "
        "ours and could be anything.",
    ),
    Example(
        "beta-cutoff",
        "A beta cut-off: your opponent's alpha cut-off",
        topics.ALPHA_BETA,
        "It is your turn, the node has risen to −1, and your opponent already has −8 above: the rest is ignored. The "
        "tree is that of alpha-cutoff with all numbers negated and the players swapped.",
        _beta_cutoff,
        reconstructed="The notes give the conditions without numbers; these are the negated ones of alpha-cutoff.",
    ),
)
