"""Facts about random games: they are as random as they should be, and the same seed gives the same games everywhere."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from random_games import roundabout, with_seed
from samples import PLAIN_OR_COMPILED

import zerosum as zs
from zerosum.engine import playouts
from zerosum.errors import GameError, LimitError
from zerosum.search.dice import next_below, next_word


@cache
def chances_of_random_play(game, s):
    """The exact probabilities of a win, a draw and a loss with random moves, and the expected number of plies."""
    moves = game.legal_moves(s)
    if not moves:
        utility = game.utility(s)
        return Fraction(utility > 0), Fraction(utility == 0), Fraction(utility < 0), Fraction(0)
    below = [chances_of_random_play(game, game.play(s, move)) for move in moves]
    wins, draws, losses, plies = (sum(column) / len(moves) for column in zip(*below, strict=True))
    return wins, draws, losses, plies + 1


def test_random_tictactoe_is_won_as_often_as_it_should_be():
    game, n = zs.load("tictactoe"), 1_000_000
    found = playouts(game, game.initial(), n, seed=1)
    exact = chances_of_random_play(game, game.initial())
    assert [round(float(p), 4) for p in exact[:3]] == [0.5849, 0.127, 0.2881]
    for count, p in zip((found.wins, found.draws, found.losses), exact[:3], strict=True):
        # Four standard deviations: with a fixed seed the test always passes or always fails.
        assert abs(count - n * p) < 4 * (n * p * (1 - p)) ** 0.5
    assert abs(found.plies / n - exact[3]) < 0.01
    assert found.wins + found.draws + found.losses == found.games == n
    assert found.mean == (found.wins - found.losses) / n


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("tictactoe", {}),
        ("pig", {"target": 15}),
        pytest.param("kalah", {}, marks=pytest.mark.slow),
    ],
)
def test_plain_and_compiled_games_are_the_same(name, parameters):
    game = zs.load(name, **parameters)
    compiled = playouts(game, game.initial(), 30, seed=7)
    plain = playouts(game, game.initial(), 30, seed=7, jit=False)
    again = playouts(game, game.initial(), 30, seed=7)
    facts = [(p.games, p.plies, p.wins, p.draws, p.losses, p.mean) for p in (compiled, plain, again)]
    assert facts[0] == facts[1] == facts[2]
    other = playouts(game, game.initial(), 30, seed=8)
    assert (other.plies, other.wins) != facts[0][1:3]


@PLAIN_OR_COMPILED
def test_dice_fall_by_their_probabilities(jit):
    # With a target of two points every throw but a 1 wins: the first player wins 6 games out of 7.
    game, n, p = zs.load("pig", target=2), 100_000 if jit else 5_000, 6 / 7
    found = playouts(game, game.initial(), n, jit=jit)
    assert abs(found.wins / n - p) < 4 * (p * (1 - p) / n) ** 0.5
    assert found.draws == 0


def test_repeated_positions_end_a_random_game_as_a_draw():
    game = roundabout(repetition=2)
    for seed in range(10):
        g = with_seed(game, seed)
        compiled, plain = (playouts(g, g.initial(), 50, jit=jit) for jit in (True, False))
        assert (compiled.plies, compiled.wins, compiled.losses) == (plain.plies, plain.wins, plain.losses)
        # Seven spots and two players: the 15th position, at the latest, is a repetition.
        assert compiled.plies <= 14 * compiled.games


def test_a_finished_game_has_no_plies():
    game = zs.load("tictactoe")
    found = playouts(game, game.parse_state("xxxoo...."), 5)
    assert (found.games, found.plies, found.wins) == (5, 0, 5)


@PLAIN_OR_COMPILED
def test_a_game_that_never_ends_is_reported(jit):
    game = roundabout(repetition=0).with_(is_terminal=lambda s: False)
    with pytest.raises(GameError, match="may never end: a game was not over after 10,000 plies"):
        playouts(game, game.initial(), 3, jit=jit)


@PLAIN_OR_COMPILED
def test_rules_that_are_wrong_are_reported(jit):
    game = roundabout(repetition=0).with_(max_moves=1)
    with pytest.raises(GameError, match="more than max_moves = 1"):
        playouts(game, game.initial(), 3, jit=jit)


@pytest.mark.parametrize(("games", "seed"), [(0, 0), (2.5, 0), (10, "x")])
def test_senseless_numbers_are_refused_and_quoted(games, seed):
    game = zs.load("tictactoe")
    with pytest.raises(LimitError, match=f"not {games}|not 'x'"):
        playouts(game, game.initial(), games, seed)


def test_random_numbers_are_those_of_splitmix64():
    # The first numbers for this seed as other implementations print them.
    row = [1234567]
    words = [next_word(0, row) % 2**64 for _ in range(5)]
    assert words == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_numbers_below_a_bound_are_even():
    row = [0]
    counts = [0] * 7
    for _ in range(70_000):
        counts[next_below(7, 0, row)] += 1
    assert all(abs(count - 10_000) < 400 for count in counts)
