"""The reference algorithms: each finds the value by the definition, and prunes what it should."""

from __future__ import annotations

from math import ceil, floor, inf

import pytest
from classroom.random_trees import EXACT, chance_trees, trees
from random_games import HEIGHT, random_game, roundabout, with_seed
from samples import samples

from zerosum.classroom.alphabeta import alphabeta, alphabeta_fail_hard, least_leaves
from zerosum.classroom.events import Kind
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.minimax import minimax
from zerosum.classroom.mtdf import mtdf
from zerosum.classroom.pvs import pvs
from zerosum.classroom.quiescence import quiescence
from zerosum.classroom.singular import singular
from zerosum.classroom.star import star1, star2
from zerosum.classroom.table import alphabeta_with_table
from zerosum.classroom.tracing import ALGORITHMS, trace
from zerosum.classroom.tree import LEAF, Node, Tree
from zerosum.errors import GameError, LimitError, MissingRule, TreeError
from zerosum.game import CHANCE, MAX, WIN
from zerosum.games import load

FURTHER = ("quiescence", "selective", "singular")  # these look beyond the given depth
WITH_CHANCE = ("expectiminimax", "star1", "star2")
SAME = [name for name in EXACT if name not in (*FURTHER, "minimax")]


def definition(node: Node, depth: float = inf) -> float:
    """Minimax and expectiminimax directly on the tree."""
    if node.kind == LEAF or (depth == 0 and node.kind != CHANCE):
        return node.value or 0
    if node.kind == CHANCE:
        return sum(p * definition(c, depth) for p, c in zip(node.probabilities, node.children, strict=True))
    values = [definition(child, depth - 1) for child in node.children]
    return max(values) if node.kind == MAX else min(values)


def has_guesses(tree: Tree) -> bool:
    return all(node.value is not None for _, node in tree.nodes())


def test_minimax_is_the_definition():
    for tree in trees(samples(1000)):
        assert minimax(tree.game) == definition(tree.root)
        if has_guesses(tree):
            for depth in range(3):
                assert minimax(tree.game, depth=depth) == definition(tree.root, depth)


def test_expectiminimax_is_the_definition():
    for tree in chance_trees(samples(1000)):
        assert expectiminimax(tree.game) == pytest.approx(definition(tree.root), abs=1e-12)
        if has_guesses(tree):
            for depth in range(3):
                assert expectiminimax(tree.game, depth=depth) == pytest.approx(definition(tree.root, depth), abs=1e-12)


@pytest.mark.parametrize("name", [*SAME, *FURTHER])
def test_on_whole_trees_every_algorithm_finds_the_value_of_minimax(name):
    for seed, tree in enumerate(trees(samples(2000))):
        assert ALGORITHMS[name](tree.game) == definition(tree.root), (seed, tree.to_text())


@pytest.mark.parametrize("name", SAME)
def test_to_a_horizon_every_algorithm_finds_the_value_of_minimax(name):
    for seed, tree in enumerate(trees(samples(200))):
        for depth in (0, 1, 2, 3):
            assert ALGORITHMS[name](tree.game, depth=depth) == minimax(tree.game, depth=depth), (seed, depth)


@pytest.mark.parametrize("name", ["star1", "star2"])
def test_star_finds_the_value_of_expectiminimax_and_never_looks_at_more(name):
    saved, to_a_depth = 0, samples(150)
    for seed, tree in enumerate(chance_trees(samples(2000))):
        value = ALGORITHMS[name](tree.game)
        assert value == pytest.approx(definition(tree.root), abs=1e-9), (seed, tree.to_text())
        if seed < to_a_depth:
            for depth in (0, 1, 2):
                found = ALGORITHMS[name](tree.game, depth=depth)
                assert found == pytest.approx(expectiminimax(tree.game, depth=depth), abs=1e-9), (seed, depth)
            if name == "star1":
                looked = trace(name, tree).evaluated
                assert looked <= tree.leaves
                saved += tree.leaves - looked
    assert name == "star2" or saved > to_a_depth


@pytest.mark.parametrize("name", [name for name in SAME if name not in (*WITH_CHANCE, "null-move")])
def test_values_that_are_not_whole_are_found_exactly(name):
    for seed in range(samples(60)):
        tree = Tree.random(seed, depth=3, low=-30, high=30)
        halved = Tree.from_text(tree.to_text().replace(")", " 0.5)"))
        assert ALGORITHMS[name](halved.game) == definition(halved.root)


def test_within_a_window_fail_soft_gives_a_bound_and_fail_hard_the_end_of_the_window():
    for seed, tree in enumerate(trees(samples(150))):
        value = definition(tree.root)
        for alpha, beta in ((-2, 1), (0, 1), (value - 1, value), (value, value + 1), (value - 1, value + 1)):
            for algorithm in (alphabeta, pvs, alphabeta_with_table):
                soft = algorithm(tree.game, alpha=alpha, beta=beta)
                if soft <= alpha:
                    assert value <= soft, seed
                elif soft >= beta:
                    assert value >= soft, seed
                else:
                    assert soft == value, seed
            assert alphabeta_fail_hard(tree.game, alpha=alpha, beta=beta) == min(max(value, alpha), beta), seed


# The number of leaves looked at


@pytest.mark.parametrize("branching", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("ties", [True, False])
def test_with_perfect_order_alpha_beta_looks_at_as_few_leaves_as_knuth_and_moore_say(branching, ties):
    for depth in range(8):
        if branching**depth > 260:
            break
        for seed in range(samples(3)):
            tree = Tree.uniform(branching, depth, seed, ties=ties, low=-3, high=3, order="best")
            for name in ("alphabeta", "alphabeta-fail-hard", "negamax", "pvs"):
                assert trace(name, tree).evaluated == least_leaves(branching, depth), (name, depth, seed)
            assert trace("minimax", tree).evaluated == branching**depth


def test_no_algorithm_looks_at_fewer_leaves_than_knuth_and_moore_say():
    for order in ("random", "worst"):
        for seed in range(6):
            tree = Tree.uniform(3, 4, seed, order=order)
            for name in ("alphabeta", "negamax", "pvs", "table", "mtdf"):
                assert trace(name, tree).evaluated >= least_leaves(3, 4)
            assert trace("alphabeta", tree).evaluated <= 81


def test_good_order_from_the_last_iteration_saves_leaves():
    """The estimates are good: each inner node is estimated at its exact value."""
    saved = 0
    for seed in range(20):
        root = with_true_guesses(Tree.uniform(3, 4, seed, order="worst").root)
        tree = Tree(root)
        ordered, plain = trace("deepening", tree), trace("deepening", tree, order=False)
        assert ordered.value == plain.value == definition(root)
        saved += plain.evaluated - ordered.evaluated
        depths = [event.value for event in ordered.events if event.kind == Kind.ITERATION]
        assert depths == [1, 2, 3, 4]
    assert saved > 20 * 10


def with_true_guesses(node: Node) -> Node:
    from dataclasses import replace

    children = tuple(with_true_guesses(child) for child in node.children)
    return replace(node, children=children, value=definition(node))


def test_the_table_saves_most_of_tic_tac_toe():
    game = load("tictactoe")
    s = game.parse_state("x........")
    plain, table = trace("alphabeta", game, s), trace("table", game, s)
    assert plain.value == table.value == 0
    assert table.evaluated < plain.evaluated / 3
    assert any(event.kind == Kind.TABLE_HIT for event in table.events)


def test_a_full_table_answers_at_once():
    tree = Tree.uniform(3, 3, seed=4)
    table: dict = {}
    value = alphabeta_with_table(tree.game, table=table)
    again = trace("table", tree, table=table)
    assert (again.value, again.evaluated) == (value, 0)


def test_mtdf_asks_few_questions_when_the_guess_is_right():
    tree = Tree.uniform(3, 3, seed=4)
    value = definition(tree.root)
    questions = [event for event in trace("mtdf", tree, guess=value).events if event.kind == Kind.ITERATION]
    assert len(questions) == 2
    assert mtdf(tree.game, guess=value + 50) == value == mtdf(tree.game, guess=value - 50)


def test_aspiration_searches_again_only_where_the_guess_was_wrong():
    tree = Tree.from_text("(A (B 3 12 8) (C 2 4 6) (D 14 5 2))")

    def searches(guess: float) -> int:
        steps = trace("aspiration", tree, guess=guess)
        assert steps.value == 3
        return 1 + sum(event.kind == Kind.RESEARCH for event in steps.events)

    assert (searches(3), searches(9), searches(-9)) == (1, 2, 2)
    assert trace("aspiration", tree, guess=3).evaluated <= trace("alphabeta", tree).evaluated


# Beyond the horizon


def quiet_definition(node: Node, depth: float) -> float:
    """Quiescence without any pruning."""
    if node.kind == LEAF:
        return node.value or 0
    values = [quiet_definition(child, depth - 1) for child in node.children] if depth > 0 or node.noisy else []
    if depth <= 0:
        values.append(node.value or 0)
    return max(values) if node.kind == MAX else min(values)


def test_quiescence_goes_on_where_it_is_noisy_and_lets_the_player_stand_pat():
    differs, count = 0, samples(1500)
    for seed, tree in enumerate(trees(count)):
        if not has_guesses(tree):
            continue
        for depth in (0, 1, 2):
            expected = quiet_definition(tree.root, depth)
            assert quiescence(tree.game, depth=depth) == expected, (seed, depth)
            differs += expected != definition(tree.root, depth)
    assert differs > count // 15
    with pytest.raises(MissingRule, match=r"quiescence needs noisy_moves\(s\), which tictactoe does not define"):
        quiescence(load("tictactoe"), depth=2)


def test_a_singular_move_is_looked_at_one_move_further():
    # At first B looks far better than C, but beyond the horizon MIN has an answer.
    tree = Tree.from_text("(A (B @9 (D @-5 -5) 8) (C @2 2 3))")
    steps = trace("singular", tree, depth=1, margin=5)
    (extended,) = (event for event in steps.events if event.kind == Kind.EXTEND)
    assert (extended.path, extended.move) == ((), 0)
    assert (minimax(tree.game, depth=1), steps.value, steps.line) == (9, 2, (1,))
    # With a larger margin nothing is singular.
    assert singular(tree.game, depth=1, margin=8) == 9
    # It never looks more than twice as far.
    chain = Tree.from_text("(A @1 (B @2 (C @3 (D @4 5))))")
    assert [singular(chain.game, depth=depth) for depth in (0, 1, 2, 3)] == [1, 3, 5, 5]


# Games


def positions(game, moves: int, count: int):
    """States after some random moves."""
    from random import Random

    random = Random(7)
    while count:
        s = game.initial()
        for _ in range(moves):
            legal = game.legal_moves(s)
            if not legal:
                break
            s = game.play(s, random.choice(legal))
        if not game.is_over(s):
            yield s
            count -= 1


@pytest.mark.parametrize("name", [name for name in SAME if name not in (*WITH_CHANCE, "null-move")])
def test_distances_to_a_win_are_those_of_minimax(name):
    """In games without scores, a win in n is worth WIN - n, by whatever moves and tables it was found."""
    for game, moves in ((load("tictactoe"), 3), (load("nim", heaps="2,2,1"), 1)):
        for s in positions(game, moves, samples(6, at_least=2)):
            assert ALGORITHMS[name](game, s) == minimax(game, s)
            for depth in (1, 3):
                assert ALGORITHMS[name](game, s, depth) == minimax(game, s, depth)
    game = load("connect-four", width=4, height=4)
    for s in positions(game, 7, samples(4)):
        assert ALGORITHMS[name](game, s, 5) == minimax(game, s, 5)
    game = random_game()
    for seed in range(samples(25)):
        g = with_seed(game, seed)
        assert ALGORITHMS[name](g, depth=HEIGHT + 1) == minimax(g, depth=HEIGHT + 1)


@pytest.mark.parametrize("name", [name for name in SAME if name not in (*WITH_CHANCE, "null-move")])
def test_repetitions_are_draws_of_the_line(name):
    game = roundabout(repetition=2)
    for seed in range(samples(25)):
        g = with_seed(game, seed).with_(reversible=None)
        if not g.is_terminal(g.initial()):
            assert ALGORITHMS[name](g, depth=5) == minimax(g, depth=5), seed


def test_kalah_ten_moves_ahead_is_worth_five_seeds():
    """The compiled minimax finds the same."""
    assert alphabeta_with_table(load("kalah"), depth=10) == 5


def test_tic_tac_toe_of_the_notes():
    game = load("tictactoe")
    assert minimax(game, depth=1) == 4  # the centre: 8 - 4 lines
    assert minimax(game, depth=2) == 1
    assert alphabeta_with_table(game) == 0
    assert minimax(game, game.parse_state("xx.oo....")) == WIN - 1


@pytest.mark.parametrize("algorithm", [star1, star2])
def test_star_on_pig(algorithm):
    game = load("pig", target=8)
    for depth in (1, 2, 3):
        assert algorithm(game, depth=depth) == pytest.approx(expectiminimax(game, depth=depth), abs=1e-12)


def test_star_needs_bounds():
    game = load("pig", target=8)
    with pytest.raises(MissingRule, match=r"pruning at chance nodes needs bounds\(s\), which pig does not define"):
        star1(game.with_(bounds=None), depth=2)
    assert star1(game.with_(bounds=None), depth=2, bounds=(-1, 1)) == star1(game, depth=2)


@pytest.mark.parametrize("algorithm", [star1, star2])
def test_bounds_may_differ_from_position_to_position(algorithm):
    """The bounds of the root say nothing about the position after a blunder."""
    looked = {"wide": 0, "narrow": 0}
    for tree in chance_trees(samples(100)):
        value = definition(tree.root)
        paths = {s: node for (path, node) in tree.nodes() for s in [after(tree, path)]}
        bounds = {s: (floor(definition(node)), ceil(definition(node))) for s, node in paths.items()}
        game = tree.game.with_(bounds=lambda s, bounds=bounds: bounds[s])
        assert algorithm(game) == pytest.approx(value, abs=1e-9), tree.to_text()
        looked["wide"] += trace(algorithm, tree).evaluated
        looked["narrow"] += trace(algorithm, game).evaluated
    assert looked["narrow"] < looked["wide"]


def after(tree: Tree, path: tuple[int, ...]):
    s = tree.game.initial()
    for move in path:
        s = tree.game.play(s, move)
    return s


def test_narrower_bounds_prune_more():
    """'More pruning occurs if we can bound the leaf values.'"""
    tree = Tree.uniform(2, 1, 0)
    looked = []
    for bounds in ((-1000, 1000), (-20, 20), (-9, 9)):
        looked.append(0)
        for seed in range(samples(60)):
            tree = Tree.random(seed, depth=4, chance=0.5)
            looked[-1] += trace("star1", tree, bounds=bounds).evaluated
    assert looked[0] > looked[1] > looked[2]


# Bad input


@pytest.mark.parametrize("name", [name for name in EXACT if name not in WITH_CHANCE])
def test_algorithms_for_two_players_refuse_chance(name):
    tree = Tree.from_text("(A (B 0.5: 2 0.5: 4) 3)")
    with pytest.raises(GameError, match="tree has chance nodes: use expectiminimax, star1 or star2"):
        ALGORITHMS[name](tree.game)


def test_an_unknown_algorithm_a_senseless_depth_and_an_endless_game_are_told_in_one_line():
    tree = Tree.from_lists([1, 2])
    with pytest.raises(LimitError, match="unknown algorithm 'alfabeta'; did you mean 'alphabeta'"):
        trace("alfabeta", tree)
    for depth in (-1, 1.5, True):
        with pytest.raises(LimitError, match="the depth must be a whole number of at least 0"):
            minimax(tree.game, depth=depth)
    endless = roundabout().with_(repetition=None, reversible=None, is_terminal=None)
    with pytest.raises(LimitError, match="roundabout: a line of 250 moves has not ended; give a depth"):
        alphabeta(endless)
    with pytest.raises(LimitError, match="give a depth"):
        expectiminimax(load("pig", target=100))
    with pytest.raises(TreeError):
        trace("minimax", Tree.from_lists([]))
