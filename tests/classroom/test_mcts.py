"""Monte-Carlo tree search in the classroom: how the tree grows, what is proven, and its trace in words."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from math import log, sqrt

import pytest
from classroom.random_trees import chance_trees, trees
from random_games import random_game, roundabout, with_seed
from samples import samples

from zerosum.classroom.drawing import trace_page, tree_svg
from zerosum.classroom.drawing.growth import PLAYOUT, PROVEN
from zerosum.classroom.drawing.states import DONE, OPEN, UNSEEN
from zerosum.classroom.drawing.svg import Canvas
from zerosum.classroom.events import Kind
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.gallery import EXAMPLES
from zerosum.classroom.mcts import best_line, best_move, mcts, nodes, wrong_proofs
from zerosum.classroom.minimax import minimax
from zerosum.classroom.node import LEAF
from zerosum.classroom.sampling import SearchNode
from zerosum.classroom.tracing import Trace, trace
from zerosum.classroom.tree import Tree
from zerosum.errors import LimitError
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.games import load

CHAPTER_6 = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")
COINS = Tree.from_text("(A (B 0.5: (C 2 7) 0.5: 4) (D 0.1: 9 0.9: 1))")
MANY = 100_000
"""A number of simulations that the solver never needs."""


def all_games() -> list[Game]:
    """Games with and without scores, bounds, chance, repetitions, and players who move twice."""
    return [
        load("tictactoe"),
        load("connect-four", width=4, height=4),
        load("kalah"),
        load("pig", target=10),
        load("othello").with_(bounds=None),
        random_game(3),
        random_game(3, scored=True),
        roundabout(2),
        chance_trees(10)[6].game,
    ]


def visits(root: SearchNode) -> dict[tuple[int, ...], int]:
    return {node.path: node.visits for node in nodes(root)}


# How the tree grows


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("solver", [False, True])
def test_visits_of_children_add_up(game, solver):
    root = mcts(game, None, 60, seed=2, solver=solver)
    assert root.visits == 60 or root.proven is not None
    for node in nodes(root):
        below = sum(child.visits for child in node.children.values())
        # The first visit to a node ends there, where its playout begins. Visits to a proven node end there too.
        own = node.visits - below
        assert own == 0 if node is root else own == node.visits if node.player == LEAF else own >= 1
        assert own <= 1 or node.player == LEAF or node.proven is not None
        assert node.visits >= 1
        assert set(node.children).isdisjoint(node.untried)
        if node.player != LEAF:
            assert sorted([*node.children, *node.untried]) == sorted(game.legal_moves(node.s))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_equal_seeds_give_equal_trees_and_others_different_ones(game):
    one, two = (mcts(game, None, 50, seed=7) for _ in range(2))
    assert one == two
    assert any(mcts(game, None, 50, seed=seed) != one for seed in range(8, 12))


def test_each_simulation_adds_one_node_until_it_meets_the_end_of_a_line():
    game = load("connect-four")
    for count in (1, 2, 7, 8, 40):
        assert len(list(nodes(mcts(game, None, count)))) == count + 1


@pytest.mark.parametrize("game", [load("tictactoe"), CHAPTER_6.game, random_game(3)], ids=lambda game: game.name)
def test_every_child_is_tried_once_before_any_is_tried_twice(game):
    root = mcts(game, None, 40, seed=1)
    inner = [node for node in nodes(root) if node.children and node.player in (MAX, MIN)]
    for node in inner:
        if node.untried:
            assert {child.visits for child in node.children.values()} == {1}
    assert not root.untried


def test_the_bound_is_ucb1_for_max_and_its_mirror_image_for_min():
    for event in trace("mcts", Tree.uniform(3, 3, seed=4), simulations=80, exploration=0.7).events:
        if event.kind is not Kind.SELECT:
            continue
        best = max if event.frame.player == MAX else min
        assert event.value == best(choice.bound for choice in event.choices)
        assert event.move == next(choice.move for choice in event.choices if choice.bound == event.value)
        for choice in event.choices:
            assert choice.bound > choice.mean if event.frame.player == MAX else choice.bound < choice.mean


def test_with_results_from_0_to_1_the_bound_is_that_of_the_paper():
    """mean + √(2 ln N / n): N and n as in Kocsis and Szepesvári."""
    counts: dict[tuple[int, ...], int] = {}
    seen = 0
    for event in trace("mcts", Tree.from_lists([[0, 1, 1], [1, 0], [0, 0, 1]]), simulations=60).events:
        counts |= {frame.path: frame.visits or 0 for frame in event.frames}
        for choice in event.choices:
            n = counts[(*event.path, choice.move)]
            assert abs(choice.bound - choice.mean) == pytest.approx(sqrt(2 * log(counts[event.path]) / n))
            seen += 1
    assert seen > 100


def test_more_exploration_spreads_the_visits():
    game = load("tictactoe")
    roots = [mcts(game, None, 400, exploration=c) for c in (0.1, 1.4, 50)]
    spread = [max(child.visits for child in root.children.values()) for root in roots]
    assert spread[0] > spread[1] > spread[2] >= 400 / 9


def test_chance_is_sampled_by_its_probabilities():
    tree = Tree.from_text("(A chance 0.7: 10 0.2: 20 0.1: 0)")
    root = mcts(tree.game, None, 4000, seed=3)
    shares = [root.children[move].visits / root.visits for move in range(3)]
    assert shares == pytest.approx([0.7, 0.2, 0.1], abs=0.03)
    assert root.mean == pytest.approx(11, abs=0.3)
    assert best_move(root) is None and best_line(root) == ()


# The result


@pytest.mark.parametrize(
    "moves",
    ["1 2", "1 2 3 4 5", "5 1 9", "1 5 9", "1 9 3", "2 5 4 1", "1 2 3 4"],
)
def test_many_simulations_find_a_best_move_of_tic_tac_toe(moves):
    game = load("tictactoe")
    s = game.initial()
    for text in moves.split():
        s = game.play(s, game.parse_move(s, text))
    root = mcts(game, s, 1500, seed=1)
    move = best_move(root)
    side = (lambda value: value) if game.to_move(s) == MAX else (lambda value: -value)
    outcome = {m: side(outcome_of_minimax(game, game.play(s, m))) for m in game.legal_moves(s)}
    assert outcome[move] == max(outcome.values())


def outcome_of_minimax(game: Game, s: object) -> int:
    value = minimax(game, s)
    return (value > 0) - (value < 0)


@pytest.mark.parametrize("seed", range(samples(8, at_least=3)))
def test_the_mean_approaches_the_value(seed):
    tree = trees(40)[5 * seed]
    least, most = tree.game.bounds(tree.game.initial())
    assert mcts(tree.game, None, 5000, seed=1).mean == pytest.approx(minimax(tree.game), abs=0.12 * (most - least))


def test_a_position_that_is_over_is_worth_its_result():
    root = mcts(Tree.from_lists(3).game, None, 5)
    assert (root.visits, root.mean, root.player, best_move(root)) == (5, 3, LEAF, None)
    game = load("tictactoe")
    lost = game.parse_state("xxxoo....")
    assert mcts(game, lost, 5).mean == 1
    assert mcts(game, lost, 5, solver=True).visits == 0  # there is nothing left to search


def test_endless_playouts_end():
    endless = roundabout(1, repetition=0).with_(is_terminal=lambda s: False)
    assert mcts(endless, None, 3).mean == 0


# The solver


def test_proven_values_are_those_of_minimax_on_random_trees():
    for tree in trees(samples(300)):
        root = mcts(tree.game, None, MANY, seed=5, solver=True)
        assert root.proven == minimax(tree.game)
        assert wrong_proofs(tree.game, root) == []


def test_without_chance_a_tree_is_solved_in_fewer_simulations_than_it_has_nodes():
    for tree in trees(samples(300)):
        assert mcts(tree.game, None, MANY, solver=True).visits < max(tree.size, 2)


def test_proven_values_are_those_of_expectiminimax_on_random_trees_with_chance():
    for tree in chance_trees(samples(150)):
        root = mcts(tree.game, None, MANY, seed=5, solver=True)
        assert root.proven == pytest.approx(expectiminimax(tree.game))
        assert wrong_proofs(tree.game, root) == []


@pytest.mark.parametrize("scored", [False, True])
def test_proven_values_are_those_of_minimax_on_random_games(scored):
    game = random_game(scored=scored)
    for seed in range(samples(60)):
        one = with_seed(game, seed)
        root = mcts(one, None, MANY, seed=seed, solver=True)
        truth = minimax(one)
        assert root.proven == (truth if scored else (truth > 0) - (truth < 0)), seed
        if seed < samples(20):
            assert wrong_proofs(one, root) == []


def test_a_repetition_proves_nothing():
    proven = 0
    count = samples(40)
    for seed in range(count):
        game = with_seed(roundabout(), seed)
        root = mcts(game, None, 200, seed=seed, solver=True)
        assert wrong_proofs(game, root) == []
        proven += root.proven is not None
        for node in nodes(root):
            if node.player == LEAF and not game.is_over(node.s):
                assert node.result == 0 and node.proven is None
    assert count // 8 < proven < count  # some are drawn by repetition alone


@pytest.mark.parametrize(("game", "outcome"), [(load("nim", heaps="1,2,3"), -1), (load("nim", heaps="1,2"), 1)])
def test_small_games_are_solved(game, outcome):
    root = mcts(game, None, MANY, solver=True)
    assert root.proven == outcome * (1 if game.to_move(game.initial()) == MAX else -1)
    assert wrong_proofs(game, root) == []


def test_a_win_needs_no_other_move():
    tree = Tree.from_text("(A (B 0 1) 5 (C (D 1 2) 3))")
    root = mcts(tree.game, None, MANY, solver=True)
    assert root.proven == 5 and 2 in root.untried  # nothing is better than 5, so C is never looked at
    assert best_line(root) == (1,)


def test_the_move_is_a_proven_one_if_no_other_looks_better():
    root = SearchNode("s", (), MAX, [], visits=30)
    root.children = {
        0: SearchNode("a", (0,), MIN, [], visits=20, total=-18.0),
        1: SearchNode("b", (1,), LEAF, [], 0, proven=0, visits=1),
        2: SearchNode("c", (2,), LEAF, [], -1, proven=-1, visits=1),
    }
    assert best_move(root) == 1
    root.children[0].total = 4.0
    assert best_move(root) == 0


@pytest.mark.parametrize("simulations", [0, -1, 1.5, float("inf"), True])
def test_a_senseless_number_of_simulations_is_refused(simulations):
    with pytest.raises(LimitError, match="simulations must be a whole number of at least 1, not"):
        mcts(CHAPTER_6.game, None, simulations)


# The trace in words


@pytest.mark.parametrize("name", ["mcts", "mcts-solver"])
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_last_frames_hold_the_numbers_of_the_untraced_run(game, name):
    found = trace(name, game, simulations=30, seed=4)
    root = mcts(game, None, 30, 4, solver=name == "mcts-solver")
    last = {frame.path: (frame.visits, frame.pbv) for event in found.events for frame in event.frames}
    assert last == {node.path: (node.visits, node.mean) for node in nodes(root)}
    assert found.value == root.value
    assert found.line == best_line(root)
    proven = {event.path: event.value for event in found.events if event.kind is Kind.PROVE}
    assert proven == {n.path: n.proven for n in nodes(root) if n.proven is not None and n.player != LEAF}


@pytest.mark.parametrize("tree", [CHAPTER_6, COINS], ids=["players", "chance"])
def test_a_simulation_is_told_in_its_four_steps(tree):
    found = trace("mcts", tree, simulations=25, seed=2)
    starts = [n for n, event in enumerate(found.events) if event.kind is Kind.SIMULATION]
    assert len(starts) == found.evaluated == 25
    ends = [*starts[1:], len(found.events) - 1]
    for start, end in zip(starts, ends, strict=True):
        selected = [event for event in found.events[start:end] if event.kind is Kind.SELECT]
        kinds = [event.kind for event in found.events[start + 1 + len(selected) : end]]
        (playout,) = (event for event in found.events[start:end] if event.kind is Kind.PLAYOUT)
        expanded = [Kind.EXPAND] if Kind.EXPAND in kinds else []
        assert kinds == [*expanded, Kind.PLAYOUT, *[Kind.UPDATE] * len(playout.frames)]
        assert [len(event.path) for event in selected] == list(range(len(selected)))
        assert tree.at((*playout.path, *playout.line)).value == playout.value
        updated = [event for event in found.events[start:end] if event.kind is Kind.UPDATE]
        assert [event.path for event in updated] == [frame.path for frame in reversed(playout.frames)]
        assert {event.value for event in updated} == {playout.value}


def test_a_select_by_chance_and_one_among_many_are_told():
    assert any("Chance leads from D to leaf 1, child 2 of D." in words for words in trace("mcts", COINS).words())
    many = trace("mcts", load("tictactoe"), simulations=12)
    assert any("by the highest bound (" in words and "; 4 more)." in words for words in many.words())
    assert any("A random playout from the position after 1 plays " in words for words in many.words())
    unnamed = Tree.from_lists([[1, 2], [3, 4]], names=[""] * 3)
    assert any("select child 2 by the highest bound (child 2: 3" in w for w in trace("mcts", unnamed).words())
    assert any("At the root select 1 by" in event.words() for event in trace("mcts", unnamed).events)


def test_of_a_game_the_tree_that_has_grown_is_drawn():
    game = load("tictactoe")
    found = trace("mcts", game, simulations=25, seed=1)
    root = mcts(game, None, 25, 1)
    assert found.tree is not None and found.is_unfolded and found.is_sampled
    assert {path for path, _ in found.tree.nodes()} == {node.path for node in nodes(root)}
    pig = trace("mcts", load("pig"), simulations=5)
    assert pig.tree is not None
    grown = {event.path for event in pig.events if event.kind is Kind.EXPAND}
    beside = [path for path, node in pig.tree.nodes() if path and path not in grown]
    assert beside and all(pig.tree.at(path[:-1]).kind == CHANCE for path in beside)  # outcomes that never came


# The drawing


def looks(found: Trace, step: int | None = None) -> dict[tuple[int, ...], object]:
    assert found.tree is not None
    canvas = Canvas(found.tree, found)
    return {place.path: look for place, look in zip(canvas.layout.places, canvas.looks_at(step), strict=True)}


@pytest.mark.parametrize("subject", [CHAPTER_6, load("tictactoe"), load("pig")], ids=["tree", "tictactoe", "pig"])
def test_every_node_of_the_tree_shows_its_visits_and_mean_at_every_step(subject):
    found = trace("mcts", subject, simulations=15, seed=3)
    shown: dict[tuple[int, ...], int] = {}
    for step, event in enumerate(found.events, 1):
        shown |= {frame.path: frame.visits or 0 for frame in event.frames}
        for path, look in looks(found, step).items():
            assert look.upper == (f"n {shown[path]}" if shown.get(path) else "")
            assert (look.status in (OPEN, DONE)) == (path in shown)
            if path not in shown:
                assert look.status == PLAYOUT if event.kind is Kind.PLAYOUT and look.status != UNSEEN else UNSEEN


def test_bounds_and_the_playout_show_for_one_step():
    found = trace("mcts", CHAPTER_6, simulations=12, seed=3)
    for step, event in enumerate(found.events, 1):
        now = looks(found, step)
        bounds = {path for path, look in now.items() if look.lower.startswith("u ")}
        assert bounds == {(*event.path, choice.move) for choice in event.choices}
        passed = {path for path, look in now.items() if look.status == PLAYOUT}
        assert passed == ({(*event.path, *event.line)} if event.kind is Kind.PLAYOUT and event.line else set())


def test_what_is_proven_stays_marked():
    found = trace("mcts-solver", CHAPTER_6)
    last = looks(found)
    assert found.value == 3 and (last[()].value, last[()].lower) == ("3", PROVEN)
    proven = {event.path for event in found.events if event.kind is Kind.PROVE}
    assert {path for path, look in last.items() if look.lower == PROVEN} == proven >= {(), (0,)}


def test_drawing_and_page():
    found = trace("mcts", CHAPTER_6, simulations=12, seed=3)
    picture = ET.fromstring(tree_svg(CHAPTER_6, trace=found))
    assert "growing" in picture.get("class", "").split()
    page = trace_page(found)
    assert "n: visits" in page and "12 simulations." in page and "evaluations" not in page
    assert "n: visits" not in trace_page(trace("minimax", CHAPTER_6))


# The worked example, figure by figure

STEPS = [
    # new node, result, then visits and mean of A, B, C and D
    ("B", 3, [(1, 3), (1, 3), (0, 0), (0, 0)]),
    ("C", 6, [(2, 4.5), (1, 3), (1, 6), (0, 0)]),
    ("D", 2, [(3, 3.667), (1, 3), (1, 6), (1, 2)]),
    ("C 2", 2, [(4, 3.25), (1, 3), (2, 4), (1, 2)]),
    ("B 3", 3, [(5, 3.2), (2, 3), (2, 4), (1, 2)]),
    ("D 14", 14, [(6, 5), (2, 3), (2, 4), (2, 8)]),
    ("D 5", 5, [(7, 5), (2, 3), (2, 4), (3, 7)]),
    ("C 4", 4, [(8, 4.875), (2, 3), (3, 4), (3, 7)]),
    ("D 2", 2, [(9, 4.556), (2, 3), (3, 4), (4, 5.75)]),
    ("B 12", 12, [(10, 5.3), (3, 6), (3, 4), (4, 5.75)]),
    ("B 8", 8, [(11, 5.545), (4, 6.5), (3, 4), (4, 5.75)]),
    ("B 3", 3, [(12, 5.333), (5, 5.8), (3, 4), (4, 5.75)]),
]

BOUNDS_AT_A = [
    # simulation, bounds of B, C and D, and the node with the highest
    (4, [20.788, 23.788, 19.788], "C"),
    (5, [22.981, 18.129, 21.981], "B"),
    (6, [18.224, 19.224, 23.529], "D"),
    (7, [19.063, 20.063, 24.063], "D"),
    (8, [19.740, 20.740, 20.668], "C"),
    (9, [20.304, 18.129, 21.129], "D"),
    (10, [20.788, 18.524, 18.328], "B"),
    (11, [20.868, 18.868, 18.626], "B"),
    (12, [19.640, 19.172, 18.890], "B"),
]


def test_the_worked_example_simulation_by_simulation():
    found = EXAMPLES["mcts-chapter-6"].make()
    assert found.tree is not None
    steps: list[tuple[str, float, list[tuple[float, float]]]] = []
    numbers = dict.fromkeys([(), (0,), (1,), (2,)], (0, 0.0))
    for event in found.events:
        if event.kind is Kind.PLAYOUT:
            node = found.tree.at(event.path)
            name = node.name or f"{found.tree.at(event.path[:-1]).name} {node.value}"
            steps.append((name, event.value, []))
        elif event.kind is Kind.UPDATE and len(event.path) < 2:
            numbers[event.path] = (event.frame.visits, round(event.frame.pbv, 3))
            if not event.path:
                steps[-1][2].extend(numbers.values())
    assert steps == STEPS


def test_the_bounds_of_the_worked_example():
    found = EXAMPLES["mcts-chapter-6"].make()
    assert found.tree is not None
    at_root = [event for event in found.events if event.kind is Kind.SELECT and not event.path]
    for event, (simulation, bounds, best) in zip(at_root, BOUNDS_AT_A, strict=True):
        assert [round(choice.bound, 3) for choice in event.choices] == bounds
        assert found.tree.at((event.move,)).name == best
        # The same from the table of steps, by the formula.
        (visits, _), *children = STEPS[simulation - 2][2]
        assert bounds == [round(mean + sqrt(2) * 12 * sqrt(log(visits) / n), 3) for n, mean in children]
    # Once all three leaves of B are tried, in the last simulation, MIN takes the lowest bound there: 3 - 19.981.
    (at_b,) = (event for event in found.events if event.kind is Kind.SELECT and event.path)
    assert [round(choice.bound, 3) for choice in at_b.choices] == [-16.981, -7.981, -11.981]


def test_the_story_of_the_worked_example():
    found = EXAMPLES["mcts-chapter-6"].make()
    assert (found.value, found.line, found.evaluated) == (pytest.approx(64 / 12), (0, 0), 12)
    assert minimax(found.game) == 3
    words = found.words()
    assert words[:5] == [
        "Simulation 1 of 12.",
        "Add B to the tree.",
        "A random playout from B ends at leaf 3, child 1 of B: the result is 3.",
        "Count 3 at B: 1 visit, mean 3.",
        "Count 3 at A: 1 visit, mean 3.",
    ]
    fourth = words.index("Simulation 4 of 12.")
    assert words[fourth + 1 : fourth + 7] == [
        "At A select C by the highest bound (C: 6 + 17.79 = 23.79; B: 3 + 17.79 = 20.79; D: 2 + 17.79 = 19.79).",
        "Add leaf 2, child 1 of C to the tree.",
        "Leaf 2, child 1 of C is the end of a line: the result is 2.",
        "Count 2 at leaf 2, child 1 of C: 1 visit, mean 2.",
        "Count 2 at C: 2 visits, mean 4.",
        "Count 2 at A: 4 visits, mean 3.25.",
    ]
    assert words[-1] == "Choose B: 5 of 12 visits, mean 5.8."
