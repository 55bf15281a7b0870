"""The slips in the notes: the right form agrees with minimax, and the wrong one has the stated cost."""

from __future__ import annotations

import re
from math import inf

import pytest

from zerosum.classroom.gallery import SLIPS
from zerosum.classroom.gallery.programs import (
    BEST_LAST,
    CODE_SPACE,
    TEXT_SPACE,
    Outcome,
    chapter_program,
    lecture_minimax,
    slides_alpha_beta,
    slides_best_case,
    slides_cutoffs,
    space_of,
)
from zerosum.classroom.gallery.slips import fewest_leaves
from zerosum.classroom.tree import Tree

TREES = [Tree.random(seed, depth=5, branching=3) for seed in range(60)]
SPACES = [space_of(tree) for tree in TREES]


def value_of(node, is_max=True):
    """Minimax again, independent of the classroom's."""
    if not node.children:
        return node.value
    return (max if is_max else min)(value_of(child, not is_max) for child in node.children)


VALUES = [value_of(tree.root) for tree in TREES]


@pytest.mark.parametrize("program", [chapter_program, lecture_minimax, slides_alpha_beta, slides_cutoffs])
def test_every_right_form_is_minimax(program):
    assert [program(space).answer for space in SPACES] == VALUES


def test_the_right_forms_prune_alike_and_never_look_at_more_than_minimax():
    for space in SPACES:
        looked = len(chapter_program(space).looked)
        assert looked == len(slides_alpha_beta(space).looked) == len(slides_cutoffs(space).looked)
        assert looked <= len(lecture_minimax(space).looked)


def test_the_right_move_has_the_right_value():
    for tree, space, value in zip(TREES, SPACES, VALUES, strict=True):
        if all(child.children for child in tree.root.children):
            move = chapter_program(space, give_move=True).answer
            assert value_of(tree.at(tree.find(move)), False) == value


# Each slip


def test_001_alpha_by_min_never_prunes_at_min_but_keeps_the_value():
    wrong, right = SLIPS["slip-alpha-by-min"].wrong(), SLIPS["slip-alpha-by-min"].right()
    assert wrong == Outcome(3, (3, 12, 8, 2, 4, 6, 14, 5, 2))
    assert right == Outcome(3, (3, 12, 8, 2, 14, 5, 2))
    more = 0
    for space, value in zip(SPACES, VALUES, strict=True):
        found = chapter_program(space, alpha_by_min=True)
        assert found.answer == value
        assert len(found.looked) >= len(chapter_program(space).looked)
        more += len(found.looked) > len(chapter_program(space).looked)
    assert more > len(SPACES) / 3


def test_001_no_window_dies_before_the_first_leaf():
    wrong = SLIPS["slip-no-window"].wrong()
    assert (wrong.answer, wrong.looked) == (None, ())
    assert wrong.error == "TypeError: min_value() missing 2 required positional arguments: 'alpha' and 'beta'"
    assert SLIPS["slip-no-window"].right() == Outcome(3, (3, 12, 8, 2, 14, 5, 2))


def test_001_pairs_die_at_the_first_child():
    wrong = SLIPS["slip-pairs"].wrong()
    assert (wrong.answer, wrong.looked) == (None, ())
    assert wrong.error.startswith("ValueError: not enough values to unpack (expected 2")
    assert SLIPS["slip-pairs"].right().answer == 3


def test_001_with_pairs_in_the_state_space_the_loop_is_right():
    pairs = {name: [(number, child) for number, child in enumerate(children)] for name, children in CODE_SPACE.items()}
    assert chapter_program(pairs, unpack_pairs=True) == chapter_program(CODE_SPACE)


def test_001_the_leaves_of_c_change_c_but_not_a_nor_what_alpha_beta_sees():
    assert (CODE_SPACE["C"], TEXT_SPACE["C"]) == ([2, 4, 1], [2, 4, 6])
    wrong, right = SLIPS["slip-leaves-of-c"].wrong(), SLIPS["slip-leaves-of-c"].right()
    assert wrong.answer == right.answer == 3
    assert lecture_minimax({**CODE_SPACE, "A": ["C"]}).answer == 1
    assert lecture_minimax({**TEXT_SPACE, "A": ["C"]}).answer == 2
    assert chapter_program(CODE_SPACE) == chapter_program(TEXT_SPACE)


def test_001_a_new_window_for_each_move_searches_b_twice_and_prunes_nothing():
    wrong = SLIPS["slip-window-for-each-move"].wrong()
    assert wrong == Outcome("B", (3, 12, 8, 3, 12, 8, 2, 4, 6, 14, 5, 2))
    assert SLIPS["slip-window-for-each-move"].right() == Outcome("B", (3, 12, 8, 2, 14, 5, 2))


def test_002_min_starting_low_makes_every_move_alike():
    assert SLIPS["slip-min-starts-low"].wrong().answer == -inf
    assert SLIPS["slip-min-starts-low"].right().answer == 3
    assert lecture_minimax(BEST_LAST, give_move=True, min_starts_low=True).answer == "D"
    assert lecture_minimax(BEST_LAST, give_move=True).answer == "B"


def test_004_recursion_on_the_state_gives_the_smallest_leaf():
    wrong, right = SLIPS["slip-recursion-on-state"].wrong(), SLIPS["slip-recursion-on-state"].right()
    assert (wrong.answer, right.answer) == (2, 3)
    assert len(wrong.looked) > len(right.looked) == 7
    differs = 0
    for tree, space, value in zip(TREES, SPACES, VALUES, strict=True):
        smallest = min(node.value for _, node in tree.nodes() if not node.children)
        assert slides_alpha_beta(space, on_state=True).answer == smallest
        differs += smallest != value
    assert differs > len(TREES) / 3


@pytest.mark.parametrize(("branching", "depth"), [(2, 2), (2, 5), (2, 8), (3, 2), (3, 3), (3, 5), (4, 4), (5, 3)])
def test_004_perfect_order_costs_what_knuth_and_moore_say(branching, depth):
    for seed in range(3):
        space = space_of(Tree.uniform(branching, depth, seed, order="best"))
        assert len(chapter_program(space).looked) == fewest_leaves(branching, depth)


def test_004_the_best_case_as_written_is_too_many():
    assert (SLIPS["slip-best-case"].wrong(), SLIPS["slip-best-case"].right()) == (6, 5)
    assert (slides_best_case(3, 4), fewest_leaves(3, 4)) == (36, 17)
    assert round(slides_best_case(35, 14) / fewest_leaves(35, 14)) == 64
    for branching in (2, 3, 10, 35):
        for depth in (2, 4, 6, 8):
            assert fewest_leaves(branching, depth) == 2 * branching ** (depth // 2) - 1
            assert slides_best_case(branching, depth) > fewest_leaves(branching, depth)


def test_004_the_parent_alone_misses_deep_cutoffs_and_strictness_misses_ties():
    more = stricter = 0
    for seed in range(40):
        space = space_of(Tree.uniform(2, 5, seed, low=0, high=4))
        right = slides_cutoffs(space)
        parent, strict = slides_cutoffs(space, against="parent"), slides_cutoffs(space, strictly=True)
        assert parent.answer == strict.answer == right.answer == lecture_minimax(space).answer
        assert len(parent.looked) >= len(right.looked) <= len(strict.looked)
        more += len(parent.looked) > len(right.looked)
        stricter += len(strict.looked) > len(right.looked)
    assert more and stricter


# The table


def test_every_slip_has_its_name_and_no_file_of_the_notes():
    for name, slip in SLIPS.items():
        assert name == slip.name and name.startswith("slip-") and not re.search(r"\b00\d_", name + slip.about)


@pytest.mark.parametrize("slip", SLIPS.values(), ids=lambda slip: slip.name)
def test_every_slip_tells_both_forms_and_the_cost(slip):
    lines = slip.make().lines
    assert [line.split(":")[0] for line in lines[:5]] == ["written", "meant", "wrong", "right", "cost"]
    assert str(slip.wrong()) != str(slip.right())


def test_the_costs_that_are_told_are_measured():
    spaces = [space_of(Tree.uniform(4, 4, seed, low=0, high=99)) for seed in range(10)]
    right = sum(len(chapter_program(space).looked) for space in spaces)
    by_min = sum(len(chapter_program(space, alpha_by_min=True).looked) for space in spaces)
    assert right < by_min < 2560
    assert f"2,560 leaves: {by_min:,} looked at instead of {right:,}" in SLIPS["slip-alpha-by-min"].cost()[1]
    assert f"instead of {right:,}" in SLIPS["slip-window-for-each-move"].cost()[1]
