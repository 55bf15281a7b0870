"""Properties of minimax and alpha-beta as the notes state them, counted."""

from __future__ import annotations

import pytest

from zerosum.classroom.alphabeta import least_leaves
from zerosum.classroom.gallery import EXAMPLES
from zerosum.classroom.measuring import (
    evaluations,
    hardest_tree,
    is_depth_first,
    memory_of_minimax,
    nodes_of_minimax,
    uniform,
)
from zerosum.classroom.minimax import minimax
from zerosum.classroom.tracing import trace


@pytest.mark.parametrize(("branching", "depth"), [(1, 4), (2, 5), (3, 4), (4, 3)])
def test_time_is_b_to_the_m_and_memory_b_times_m(branching, depth):
    game = uniform(branching, depth).game
    assert nodes_of_minimax(game) == sum(branching**level for level in range(depth + 1))
    assert memory_of_minimax(game) == branching * depth + 1


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 6), (3, 5), (4, 4), (7, 3)])
def test_in_the_worst_order_nothing_is_cut_and_in_the_best_the_fewest_are_looked_at(branching, depth):
    worst = hardest_tree(branching, depth)
    best = worst.ordered("best")
    assert evaluations(worst) == evaluations(worst, minimax) == branching**depth
    assert evaluations(best) == least_leaves(branching, depth)
    assert trace("minimax", worst).value == trace("minimax", best).value


def test_minimax_is_depth_first_and_parallel_search_is_not():
    tree = uniform(3, 3)
    assert is_depth_first(list(trace("minimax", tree).events))
    assert not is_depth_first(list(trace("parallel", tree).events))


def test_the_report_tells_each_property():
    lines = "\n".join(EXAMPLES["minimax-properties"].make().lines)
    for word in ("complete? yes", "optimal? yes, against", "O(b^m)", "O(b·m)", "depth-first? yes", "it plays B for 3"):
        assert word in lines
    table = EXAMPLES["alpha-beta-best-and-worst"].make()
    assert table.figures[3, 4] == (81, 17) and table.figures[10, 3] == (1000, 109)


def test_the_questions_about_tic_tac_toe():
    found = EXAMPLES["tic-tac-toe-questions"].make()
    # Known counts: 255,168 games, of which X wins 131,184, O 77,904, and 46,080 are drawn.
    assert found.figures["results"] == {1: 131_184, -1: 77_904, 0: 46_080} and found.figures["games"] == 255_168
    assert found.figures["nodes"] == 549_946
    assert found.figures["lengths"] == {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
    assert "branching factor at depth 0? 9. At depth 1? 8." in "\n".join(found.lines)
