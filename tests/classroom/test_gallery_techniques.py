"""Each technique that the notes mention has an example that shows its purpose."""

from __future__ import annotations

import pytest
from samples import samples

from zerosum.classroom.drawing import trace_page
from zerosum.classroom.events import Kind
from zerosum.classroom.gallery import EXAMPLES
from zerosum.classroom.gallery.large import deep_cutoffs, four_plies_tree, lettered_tree
from zerosum.classroom.gallery.techniques import (
    deepening_tree,
    killer_tree,
    null_move_tree,
    parallel_tree,
    singular_tree,
    zugzwang_tree,
)
from zerosum.classroom.minimax import minimax
from zerosum.classroom.trace_text import chosen_line
from zerosum.classroom.tracing import ALGORITHMS, OTHER_NAMES, algorithm_name, trace
from zerosum.classroom.tree import Tree
from zerosum.errors import LimitError
from zerosum.games import load


def make(name):
    return EXAMPLES[name].make()


def kinds(found):
    return {event.kind for event in found.events}


def left_with(found, label):
    """The value of the root's child on this branch."""
    root = found.tree.root
    path = (root.moves[root.labels.index(label)],)
    return [event.value for event in found.events if event.kind is Kind.LEAVE and event.path == path][-1]


def test_beyond_the_horizon_the_queen_is_lost_and_quiescence_sees_it():
    blind, quiet = make("horizon-effect"), make("quiescence-search")
    assert chosen_line(blind) == ["Qxd6"] and chosen_line(quiet) == ["Qc4"]
    game = load("chess", network=0)
    before = game.evaluate(blind.start)
    assert blind.value - before > 100  # it thinks it has won a pawn
    assert left_with(quiet, "Qxd6") < before - 900  # but the queen is gone
    assert Kind.STAND_PAT in kinds(quiet)
    assert blind.tree.root.picture and not blind.tree.root.children[0].picture
    # In the position after Qxd6 only the capture was searched, and only it is drawn.
    taken = quiet.tree.root.child(blind.line[0])
    assert taken.labels == ("cxd6",)


def test_extensions_find_out_what_lies_behind_the_horizon():
    for name in ("selective-extension", "singular-extension"):
        found = make(name)
        assert chosen_line(found)[0] == "C" and found.value == 2 and Kind.EXTEND in kinds(found)
        assert trace("minimax", found.tree, depth=1).line[0] == 0  # without it, B
    assert minimax(singular_tree().game, depth=1) == 9


def test_the_first_iteration_puts_the_second_in_order():
    found = make("iterative-deepening")
    assert found.value == 3 and (found.leaves_seen, found.evaluated) == (5, 8)
    assert trace("alphabeta", deepening_tree()).evaluated == 7


def test_a_transposition_is_looked_up():
    found = make("transposition-table")
    hits = [event for event in found.events if event.kind is Kind.TABLE_HIT]
    assert len(hits) == 3 and found.value == 0
    assert found.evaluated < trace("alphabeta", found.game, found.start).evaluated
    assert "is in the table: its value is" in " ".join(found.words())


def test_a_window_that_misses_is_opened():
    found = make("aspiration-window")
    assert found.value == 3 and "Search again: the value is at most 3, below the window." in found.words()
    assert found.evaluated == 12 and trace("aspiration", found.tree, guess=3, window=1).evaluated == 7


def test_killers_save_four_leaves():
    assert (make("killer-moves").evaluated, trace("alphabeta", killer_tree()).evaluated) == (8, 12)


def test_passing_is_enough_for_a_cut_off_but_not_in_zugzwang():
    found = make("null-move")
    assert found.value == 3 and Kind.NULL_MOVE in kinds(found) and found.evaluated == 7
    assert minimax(null_move_tree().game) == 3  # here passing is never better than the best move
    wrong = make("null-move-zugzwang")
    assert wrong.value == 3
    # Without the branch called pass, which is not a move, C is worth 7.
    assert minimax(Tree.from_text("(A (B 3 12 8) (C (E 7 5) (F 6 9)))").game) == 7
    assert zugzwang_tree().find("C") in {event.path for event in wrong.events if event.kind is Kind.ALPHA_CUTOFF}


def test_the_null_move_of_a_game_is_drawn_as_pass():
    game = load("chess", network=0)
    found = trace("null-move", game, game.parse_state("8/8/8/3k4/8/3P4/8/3K4 w - - 0 1"), depth=3)
    assert any("pass" in node.labels for _, node in found.tree.nodes())
    assert trace_page(found)
    with pytest.raises(Exception, match="has no skip"):
        trace("null-move", load("tictactoe"), depth=2)


def test_two_threads_find_the_same_and_do_more():
    found = make("parallel-search")
    assert found.value == 6 and {event.worker for event in found.events} == {1, 2}
    assert (found.evaluated, trace("alphabeta", parallel_tree()).evaluated) == (12, 10)
    sentences = [step.words for step in found.steps()]
    assert sentences[3].startswith("Thread 1: C") and sentences[4].startswith("Thread 2: D")


@pytest.mark.parametrize("name", ["parallel", "killer", "null-move"])
@pytest.mark.parametrize("first", [0, 1])
def test_they_are_minimax_where_they_guess_nothing(name, first):
    for seed in range(samples(60)):
        tree = Tree.random(seed, depth=4, first=first)
        found = trace(name, tree)
        assert found.value == minimax(tree.game) == tree.at(found.line).value


@pytest.mark.parametrize("threads", [1, 3, 7])
def test_any_number_of_threads(threads):
    for seed in range(samples(30)):
        tree = Tree.random(seed, depth=4)
        assert trace("parallel", tree, threads=threads).value == minimax(tree.game)
        if threads == 1:
            assert trace("parallel", tree, threads=1).evaluated == trace("alphabeta", tree).evaluated


# Large trees


def test_four_plies_with_both_kinds_of_cut_off_and_a_deep_one():
    found = make("alpha-beta-four-plies")
    assert four_plies_tree().height == 4 and found.value == 5 and found.evaluated == 7
    assert {Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF} <= kinds(found)
    assert deep_cutoffs(found) == ["L"]


def test_the_tree_from_a_to_s_uses_both_rules():
    found = make("alpha-beta-lettered")
    tree = lettered_tree()
    assert sorted(node.name for _, node in tree.nodes()) == list("ABCDEFGHIJKLMNOPQRS")
    leaves = {node.name: node.value for _, node in tree.nodes() if not node.children}
    assert (leaves["P"], leaves["Q"], leaves["R"]) == (2, 3, 4)
    assert [tree.at(path).name for path in found.pruned] == ["O", "H", "J", "K"]
    assert found.value == 3 and {Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF} <= kinds(found)


# Names


def test_every_other_name_leads_to_an_algorithm():
    assert set(OTHER_NAMES.values()) <= set(ALGORITHMS) and not set(OTHER_NAMES) & set(ALGORITHMS)
    assert algorithm_name("α-β") == "alphabeta"
    with pytest.raises(LimitError, match="did you mean 'minimax'"):
        algorithm_name("minmax")
