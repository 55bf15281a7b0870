"""Sizes of games: small games are counted completely, others are estimated from games."""

from __future__ import annotations

from math import log10

import pytest

from zerosum.classroom.sizes import count_out, engine_games, random_games
from zerosum.classroom.tree import Tree
from zerosum.engine import Engine
from zerosum.errors import LimitError, PositionError
from zerosum.games import load


def test_tic_tac_toe_counted_out():
    found = count_out(load("tictactoe"))
    assert (found.positions, found.nodes, found.games) == (5_478, 549_946, 255_168)
    assert (found.shortest, found.longest) == (5, 9)


def test_a_tree_is_as_large_as_it_is():
    tree = Tree.random(4, depth=4, branching=3)
    found = count_out(tree.game)
    assert (found.nodes, found.games) == (tree.size, tree.leaves)


def test_large_games_and_circles_are_not_counted_out():
    assert count_out(load("connect-four"), most=500) is None
    assert count_out(load("pig", target=5)) is None


def test_knuth_s_method_is_right_on_average():
    tictactoe = load("tictactoe")
    found = random_games(tictactoe, 400, seed=3)
    assert found.tree == pytest.approx(log10(255_168), abs=0.05)
    assert 5 <= found.length <= 9 and found.most_moves == 9 and (found.shortest, found.longest) == (5, 9)
    assert found.won_by_first + found.drawn + found.won_by_second == pytest.approx(1)
    assert found.won_by_first > found.won_by_second  # X begins
    assert random_games(tictactoe, 5, seed=3) == random_games(tictactoe, 5, seed=3)


def test_a_uniform_tree_is_estimated_exactly():
    found = random_games(Tree.uniform(3, 4, seed=1).game, 10)
    assert found.branching == 3 and found.length == 4
    assert found.tree == pytest.approx(log10(81)) == found.power


def test_dice_are_branches_but_no_moves():
    found = random_games(load("pig", target=10), 30)
    assert found.branching <= 2 and found.most_moves == 2 and found.tree > found.power


def test_the_engine_draws_tic_tac_toe():
    game = load("tictactoe")
    found = engine_games(game, Engine(game, jit=False), 2, depth=9, opening=0)
    assert found.drawn == 1 and found.length == 9 and found.tree is None


def test_what_cannot_be_measured():
    game = load("tictactoe")
    with pytest.raises(LimitError):
        random_games(game, 0)
    with pytest.raises(PositionError, match="nothing to measure"):
        random_games(game, 1, s=game.parse_state("xxxoo...."))
