"""The history of search, measured: the gain of each idea, compared with theory."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from patience import PATIENCE

from zerosum.classroom.alphabeta import least_leaves
from zerosum.classroom.child_order import compare_orders, shuffled, uniform_shape
from zerosum.classroom.ladder import RUNGS, Climbed, Measure, climb, effective_branching
from zerosum.classroom.ladder_report import SMART_PRUNING, Ladder
from zerosum.classroom.minimax import minimax
from zerosum.classroom.tree import Tree
from zerosum.cli import ladder_table
from zerosum.errors import GameError, LimitError, PositionError, TreeError
from zerosum.game import MAX
from zerosum.games import load


@pytest.fixture(scope="module")
def tictactoe():
    game = load("tictactoe")
    climbed = list(climb(game, game.initial(), seconds=PATIENCE, threads=2, hash_mb=4))
    return Ladder(game, climbed, seconds=PATIENCE, position=game.format_state(game.initial()))


def nodes_at(ladder: Ladder, rung: str, depth: int) -> int:
    (climbed,) = (c for c in ladder.climbed if c.rung.name == rung)
    measure = climbed.at(depth)
    assert measure is not None
    return measure.nodes


def test_minimax_visits_all_of_tictactoe(tictactoe):
    # 549,946 positions including the first one (S. Russell and P. Norvig; every line of play to its end).
    assert nodes_at(tictactoe, "minimax", 9) == 549_945
    assert [nodes_at(tictactoe, "minimax", d) for d in (1, 2, 3)] == [9, 9 + 72, 9 + 72 + 504]


def test_each_idea_before_iterative_deepening_saves_nodes(tictactoe):
    assert tictactoe.depth == 9
    names = ["minimax", "+ alpha-beta", "+ ordering", "+ transposition table"]
    nodes = [nodes_at(tictactoe, name, 9) for name in names]
    assert nodes == sorted(nodes, reverse=True) and nodes[-1] < 5_000
    gains = [tictactoe.gain(c) for c in tictactoe.measured]
    assert gains[0] is None and all(gain.nodes > 1.5 for gain in gains[1:4])


def test_a_straight_search_does_not_look_at_smaller_depths_first(tictactoe):
    # Iterative deepening would add up the nodes of depths 1 to 9; direct searches of minimax do not.
    minimax_ = tictactoe.climbed[0]
    level = [m.nodes - before.nodes for before, m in zip(minimax_.measures[:-1], minimax_.measures[1:], strict=True)]
    assert level[:4] == [72, 504, 3024, 15120]


def test_all_sound_rungs_find_the_draw(tictactoe):
    for climbed in tictactoe.measured[:5]:
        assert (climbed.deepest.value, climbed.deepest.proven, climbed.deepest.depth) == (0, True, 9)


def test_rungs_without_their_function_are_named_and_skipped(tictactoe):
    by_name = {climbed.rung.name: climbed for climbed in tictactoe.climbed}
    assert list(by_name) == [rung.name for rung in RUNGS]
    assert by_name["+ quiescence"].skipped == "not for this game: no noisy_moves"
    assert by_name["+ null move and reductions"].note == "no skip: reductions only"
    assert by_name["+ threads"].measures


def test_a_rung_that_guesses_ends_where_the_game_ends(tictactoe):
    assert all(climbed.deepest.depth <= 9 for climbed in tictactoe.measured)


def test_theory_stands_beside_the_measures(tictactoe):
    worst, best = tictactoe.limits(9)
    b = tictactoe.branching
    assert sum(b**level for level in range(1, 10)) == pytest.approx(549_945, rel=1e-6)
    assert worst == pytest.approx(b**9) and best == pytest.approx(b**5 + b**4 - 1)
    rows = ladder_table.rows(tictactoe)
    assert [row[0] for row in rows[-2:]] == ["theory: b^9", "theory: Knuth–Moore"]
    assert rows[-1][1] == f"{round(best):,}"


def test_the_record_for_programs(tictactoe):
    record = json.loads(json.dumps(tictactoe.as_dict()))
    assert record["depth"] == 9 and record["theory"]["knuth_moore"] == round(tictactoe.limits(9)[1])
    first, second, *_ = record["rungs"]
    assert first["rung"] == "minimax" and first["origin"] == "Shannon, Turing 1950" and first["gain"] is None
    assert second["gain"]["fewer_nodes"] == pytest.approx(first["nodes"] / second["nodes"], abs=0.01)
    assert [point["depth"] for point in second["by_depth"]] == list(range(1, 10))


def test_curves_for_the_plot(tictactoe):
    curves = tictactoe.series()
    assert curves["minimax"][0] == (1, 9) and curves["minimax"][-1] == (9, 549_945)
    assert all(y > 0 for curve in curves.values() for _, y in curve)
    assert len(curves) == len(tictactoe.measured) + 2


def test_with_little_time_slow_rungs_stop_early_and_say_so():
    game = load("tictactoe")
    slow, fast = list(climb(game, game.initial(), seconds=PATIENCE, threads=1, hash_mb=4, depth=3))[:2]
    assert (slow.deepest.depth, fast.deepest.depth) == (3, 3)
    ladder = Ladder(game, [slow, replace(fast, measures=fast.measures[:2])], seconds=1.0, wanted=3)
    minimax_row, alphabeta_row, *_ = ladder_table.rows(ladder)
    assert "only" not in minimax_row[-1]
    assert alphabeta_row[-1].startswith("depth 2 only") and alphabeta_row[5] == "2"
    assert ladder.gain(ladder.climbed[1]).depth == 2


def made(name: str, *nodes: int, proven: bool = False) -> Climbed:
    """A rung with these nodes at depth 1, 2, 3 …, each taking one second."""
    (rung,) = (rung for rung in RUNGS if rung.name == name)
    measures = [Measure(depth, n, 1.0, 0, False) for depth, n in enumerate(nodes, 1)]
    if proven:
        measures[-1] = replace(measures[-1], proven=True)
    return Climbed(rung, tuple(measures))


def test_the_fixed_depth_is_the_greatest_that_all_rungs_have_finished():
    game = load("tictactoe")
    ladder = Ladder(game, [made("minimax", 9, 81), made("+ alpha-beta", 9, 30, 90)], seconds=1.0)
    assert ladder.depth == 2
    solved = Ladder(game, [made("minimax", 9, 81, 200), made("+ alpha-beta", 9, 30, proven=True)], seconds=1.0)
    assert solved.depth == 3 and solved.shown(solved.climbed[1]).nodes == 30
    nothing = Ladder(game, [made("minimax")], seconds=1.0)
    assert nothing.depth == 0 and ladder_table.rows(nothing)[0][5] == "0"


def test_chess_is_compared_with_the_notes():
    game = load("tictactoe").with_(name="chess")
    ladder = Ladder(game, [made("minimax", 20, 420), made("+ alpha-beta", 20, 60, 600, 1_800)], seconds=2.0)
    rows = ladder_table.chess_rows(ladder)
    assert [int(row[0]) for row in rows] == list(SMART_PRUNING) == [2, 4, 6, 8, 10, 12, 14, 16]
    assert rows[0][1:] == ("60", "1.2e+03", "420", "60") and rows[1][3:] == ("", "1,800")
    assert SMART_PRUNING[14] == 60_000_000_000
    words = " ".join(ladder_table.words(ladder))
    assert "35 down to about 6" in words and "200 M/s, depth 14 in 5:00" in words
    assert ladder.as_dict()["notes"]["deep_blue"]["depth"] == 14


def test_other_games_are_not_compared_with_chess(tictactoe):
    assert ladder_table.chess_rows(tictactoe) == [] and "notes" not in tictactoe.as_dict()


def test_what_makes_no_sense_is_refused():
    game = load("tictactoe")
    with pytest.raises(GameError, match="pig has chance"):
        next(climb(load("pig"), load("pig").initial()))
    with pytest.raises(PositionError, match="the game is over in"):
        next(climb(game, game.parse_state("xxxoo....")))
    with pytest.raises(LimitError, match="seconds"):
        next(climb(game, game.initial(), seconds=0))
    with pytest.raises(LimitError, match="depth"):
        next(climb(game, game.initial(), depth=0))


# The branching factor


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (3, 6), (35, 5), (1, 7)])
def test_the_effective_branching_factor_of_a_uniform_tree_is_its_own(branching, depth):
    nodes = sum(branching**level for level in range(1, depth + 1))
    assert effective_branching(nodes, depth) == pytest.approx(branching, rel=1e-9)


def test_knuth_and_moore_for_chess():
    assert least_leaves(35, 14) == 2 * 35**7 - 1
    assert least_leaves(35, 13) == 35**7 + 35**6 - 1


# The order of children


@pytest.mark.parametrize(("branching", "height"), [(2, 1), (2, 5), (3, 4), (4, 3)])
def test_the_best_order_looks_at_knuth_and_moores_leaves(branching, height):
    found = compare_orders(Tree.uniform(branching, height, seed=3, ties=False), shuffles=5)
    assert found.best == found.fewest == least_leaves(branching, height)
    assert found.best <= min(found.shuffled) and max(found.shuffled) <= found.leaves == branching**height
    assert found.best <= found.worst <= found.leaves


def test_with_the_best_child_last_nothing_is_cut_in_two_levels():
    found = compare_orders(Tree.uniform(4, 2, seed=5, ties=False), shuffles=3)
    assert found.worst == found.leaves == 16


def test_equal_seeds_give_equal_orders():
    tree = Tree.uniform(3, 4, seed=1)
    assert compare_orders(tree, 7) == compare_orders(tree, 7) != compare_orders(tree, 8)


def test_a_shuffled_tree_is_the_same_game():
    tree = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")
    other = shuffled(tree, random.Random(4))
    assert other != tree and minimax(other.game) == 3
    for path, node in tree.nodes():
        assert other.at(path).value == node.value and other.at(path).name == node.name


def test_only_uniform_trees_have_knuth_and_moores_limit():
    assert uniform_shape(Tree.from_lists([[1, 2], [3, 4]]).root) == (2, 2)
    assert uniform_shape(Tree.from_lists([[1, 2], [3, 4, 5]]).root) is None
    assert uniform_shape(Tree.from_lists([[1, 2], 3]).root) is None
    assert compare_orders(Tree.from_lists([[1, 2], 3])).fewest is None


def test_trees_with_chance_are_refused():
    with pytest.raises(TreeError, match="chance"):
        compare_orders(Tree.from_lists([[(0.5, 1), (0.5, 2)], [(0.5, 3), (0.5, 0)]], first=MAX))
