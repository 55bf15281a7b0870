"""The slips in the notes: each with its wrong and its right form, and the cost of the mistake.

>>> print(SLIPS["slip-best-case"].make().lines[3])
right:   5
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.classroom.gallery import topics
from zerosum.classroom.gallery.kinds import Slip
from zerosum.classroom.gallery.programs import (
    BEST_LAST,
    CODE_SPACE,
    TEXT_SPACE,
    Outcome,
    Space,
    chapter_program,
    lecture_minimax,
    slides_alpha_beta,
    slides_best_case,
    slides_cutoffs,
    space_of,
)
from zerosum.classroom.tree import Tree


def fewest_leaves(branching: int, depth: int) -> int:
    """Knuth and Moore's limit."""
    from zerosum.classroom.alphabeta import least_leaves

    return round(least_leaves(branching, depth))


def random_spaces(branching: int, depth: int, highest: int = 99) -> list[Space]:
    """Ten trees of this shape, with leaves from 0 to ``highest``."""
    return [space_of(Tree.uniform(branching, depth, seed, low=0, high=highest)) for seed in range(10)]


# The cost of each mistake, measured


def _leaves(program: Callable[..., Outcome], wrong: dict[str, Any], branching: int, depth: int) -> tuple[int, int, int]:
    """Leaves looked at in ten random trees: by the wrong form, by the right form, and in total."""
    spaces = random_spaces(branching, depth)
    return (
        sum(len(program(space, **wrong).looked) for space in spaces),
        sum(len(program(space).looked) for space in spaces),
        len(spaces) * branching**depth,
    )


def _cost_of_alpha_by_min() -> tuple[str, ...]:
    wrong, right, all_leaves = _leaves(chapter_program, {"alpha_by_min": True}, 4, 4)
    return (
        "alpha never rises, so no MIN node is ever cut off; the value stays right. The two leaves of C that should be "
        "pruned are looked at.",
        f"ten random trees of 4 moves and 4 plies, {all_leaves:,} leaves: {wrong:,} looked at instead of {right:,}",
    )


def _cost_of_no_window() -> tuple[str, ...]:
    return ("no answer at all: the program fails before it has looked at a leaf",)


def _cost_of_pairs() -> tuple[str, ...]:
    named = chapter_program({"A": ["B1", "C1"], "B1": [3, 12], "C1": [2, 4]}, unpack_pairs=True)
    return (
        "no answer at all: SUCCESSORS in tic-tac-toe returns (move, state) pairs, STATE_SPACE has only states",
        f"with two-letter names, Python unpacks 'B1' as a pair, looks for a state '1', and {named}",
    )


def _cost_of_leaves_of_c() -> tuple[str, ...]:
    code, text = chapter_program(CODE_SPACE).looked, chapter_program(TEXT_SPACE).looked
    same = "looks at the same leaves of both" if code == text else "looks at different leaves"
    return (
        f"C is worth {min(CODE_SPACE['C'])} instead of {min(TEXT_SPACE['C'])}; A is worth 3 either way",
        f"alpha-beta {same}: after the 2, nothing else below C matters, which is the point of the example",
    )


def _cost_of_many_windows() -> tuple[str, ...]:
    spaces = random_spaces(4, 4)
    wrong = sum(len(chapter_program(s, give_move=True, new_window_for_each_move=True).looked) for s in spaces)
    right = sum(len(chapter_program(s, give_move=True).looked) for s in spaces)
    return (
        "the move is right, but the root prunes nothing, and the first move is searched twice",
        f"ten random trees of 4 moves and 4 plies: {wrong:,} leaves looked at instead of {right:,}",
    )


def _cost_of_low_start() -> tuple[str, ...]:
    wrong = lecture_minimax(BEST_LAST, min_starts_low=True, give_move=True)
    right = lecture_minimax(BEST_LAST, give_move=True)
    return (
        "every MIN node is worth minus infinity, so all moves look alike and the first one is played",
        f"with the moves in the order D, C, B that is {wrong.answer}, worth 2, instead of {right.answer}, worth 3",
    )


def _cost_of_state() -> tuple[str, ...]:
    wrong, right = slides_alpha_beta(BEST_LAST, on_state=True), slides_alpha_beta(BEST_LAST)
    return (
        "MAX never moves: MIN moves for both, and the value is the smallest leaf",
        f"with the moves in the order D, C, B: {wrong.answer:g} instead of {right.answer:g}",
    )


def _cost_of_best_case() -> tuple[str, ...]:
    lines = ["b   d   (2b)^(d/2)        Knuth and Moore   measured"]
    for branching, depth in ((3, 2), (3, 4), (4, 4), (5, 4), (2, 8)):
        ordered = Tree.uniform(branching, depth, seed=1, order="best")
        measured = len(chapter_program(space_of(ordered)).looked)
        claimed, fewest = slides_best_case(branching, depth), fewest_leaves(branching, depth)
        lines.append(f"{branching:<3} {depth:<3} {claimed:<17,.0f} {fewest:<17,} {measured:,}")
    claimed, fewest = slides_best_case(35, 14), fewest_leaves(35, 14)
    lines.append(f"{35:<3} {14:<3} {claimed:<17,.0f} {fewest:<17,} (chess as in the notes)")
    lines.append(
        f"at 14 plies of chess it is {claimed / fewest:.0f} times too many; it should be 2b^(d/2), the 2 outside"
    )
    return tuple(lines)


def _cost_of_parent_only() -> tuple[str, ...]:
    wrong, right, all_leaves = _leaves(slides_cutoffs, {"against": "parent"}, 3, 6)
    ties = random_spaces(3, 4, highest=3)
    strict = sum(len(slides_cutoffs(space, strictly=True).looked) for space in ties)
    equal = sum(len(slides_cutoffs(space).looked) for space in ties)
    return (
        "the value stays right, but deep cut-offs, three or more plies below an ancestor, are missed",
        f"ten random trees of 3 moves and 6 plies, {all_leaves:,} leaves: {wrong:,} looked at instead of {right:,}",
        f"waiting for a strictly worse value misses ties: with leaves from 0 to 3, {strict:,} instead of {equal:,}",
    )


SLIPS = {
    slip.name: slip
    for slip in (
        Slip(
            "slip-alpha-by-min",
            "MAX-VALUE updates alpha with min",
            topics.PROGRAMS,
            "alpha = min(alpha, v) in MAX_VALUE.",
            "alpha = max(alpha, v): alpha is the best value that MAX has so far.",
            lambda: chapter_program(TEXT_SPACE, alpha_by_min=True),
            lambda: chapter_program(TEXT_SPACE),
            _cost_of_alpha_by_min,
        ),
        Slip(
            "slip-no-window",
            "MIN_VALUE is called without alpha and beta",
            topics.PROGRAMS,
            "MIN_VALUE(s) in the last lines of ALPHA_BETA_SEARCH.",
            "MIN_VALUE(s, alpha, beta): at the root, minus and plus infinity.",
            lambda: chapter_program(CODE_SPACE, call_without_window=True),
            lambda: chapter_program(CODE_SPACE),
            _cost_of_no_window,
        ),
        Slip(
            "slip-pairs",
            "pairs are unpacked from plain children",
            topics.PROGRAMS,
            "for (a, s) in SUCCESSORS(state), where STATE_SPACE holds only states.",
            "for s in SUCCESSORS(state), or a STATE_SPACE of (move, state) pairs.",
            lambda: chapter_program(CODE_SPACE, unpack_pairs=True),
            lambda: chapter_program(CODE_SPACE),
            _cost_of_pairs,
        ),
        Slip(
            "slip-leaves-of-c",
            "tree C is 2-4-1 in the code and 2-4-6 in the text",
            topics.PROGRAMS,
            "C: [2, 4, 1] in STATE_SPACE.",
            "C: [2, 4, 6], as in the text and its formula.",
            lambda: lecture_minimax(CODE_SPACE),
            lambda: lecture_minimax(TEXT_SPACE),
            _cost_of_leaves_of_c,
        ),
        Slip(
            "slip-window-for-each-move",
            "the form that returns the move prunes nothing at the root",
            topics.PROGRAMS,
            "argmax over MIN_VALUE(s, -infinity, infinity), a new window for every move.",
            "one alpha for all moves of the root, raised by each better one.",
            lambda: chapter_program(TEXT_SPACE, give_move=True, new_window_for_each_move=True),
            lambda: chapter_program(TEXT_SPACE, give_move=True),
            _cost_of_many_windows,
        ),
        Slip(
            "slip-min-starts-low",
            "MIN-VALUE starts at minus infinity",
            topics.PROGRAMS,
            "v starts at minus infinity in MIN-VALUE of the minimax listing.",
            "v starts at plus infinity, as in the alpha-beta listing of the same notes.",
            lambda: lecture_minimax(TEXT_SPACE, min_starts_low=True),
            lambda: lecture_minimax(TEXT_SPACE),
            _cost_of_low_start,
        ),
        Slip(
            "slip-recursion-on-state",
            "MAX-VALUE recurses on the state instead of the successor",
            topics.PROGRAMS,
            "MIN-VALUE (state, game, alpha, beta) inside the loop over s.",
            "MIN-VALUE (s, game, alpha, beta).",
            lambda: slides_alpha_beta(TEXT_SPACE, on_state=True),
            lambda: slides_alpha_beta(TEXT_SPACE),
            _cost_of_state,
        ),
        Slip(
            "slip-best-case",
            "the best case is given as (2b)^(d/2)",
            topics.ALPHA_BETA,
            "(2b)^(d/2) leaves in the best case.",
            "b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves (Knuth and Moore 1975); for even d that is 2b^(d/2) − 1.",
            lambda: slides_best_case(3, 2),
            lambda: fewest_leaves(3, 2),
            _cost_of_best_case,
        ),
        Slip(
            "slip-parent-only",
            "cut-offs against the parent alone, and only if strictly worse",
            topics.ALPHA_BETA,
            "the parent's preliminary value decides, and must be strictly better.",
            "the value of any ancestor decides, and an equal one is enough, as a later slide in the same notes says.",
            lambda: slides_cutoffs(random_spaces(2, 4, 9)[3], against="parent", strictly=True),
            lambda: slides_cutoffs(random_spaces(2, 4, 9)[3]),
            _cost_of_parent_only,
        ),
    )
}
