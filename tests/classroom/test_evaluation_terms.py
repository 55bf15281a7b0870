"""Evaluations taken apart: the shares of all features add up to the value of the game's evaluate."""

from __future__ import annotations

import random

import pytest
from samples import samples

from zerosum.classroom.evaluation_terms import evaluation_of
from zerosum.errors import MissingRule
from zerosum.games import load
from zerosum.terms import REST, Linear, Term, linear_weights, with_rest

GAMES = {"tictactoe": {}, "checkers": {"network": 0}, "chess": {"network": 0}, "othello": {"patterns": 0}}


def positions(game, count, seed=1):
    """Positions of random games in which a player is to move."""
    rng = random.Random(seed)
    s = game.initial()
    while count:
        if game.is_over(s):
            s = game.initial()
        yield s
        count -= 1
        s = game.play(s, rng.choice(game.legal_moves(s)))


@pytest.mark.parametrize("name", GAMES)
def test_the_shares_add_up_to_the_evaluation(name):
    game = load(name, **GAMES[name])
    for s in positions(game, samples(120)):
        found = evaluation_of(game, s)
        assert found.value == game.evaluate(s)
        assert sum(term.share for term in found.terms) == pytest.approx(found.value, abs=1e-6), game.format_state(s)
        for term in found.terms:
            if term.weight is not None:
                assert term.feature * term.weight == pytest.approx(term.share)


@pytest.mark.parametrize("name", ["checkers", "chess", "othello"])
def test_what_is_left_over_is_only_rounding(name):
    game = load(name, **GAMES[name])
    for s in positions(game, samples(100), seed=2):
        rest = sum(term.share for term in evaluation_of(game, s).terms if term.name == REST)
        # Othello's evaluation is limited to 60 discs.
        assert abs(rest) < 1 or game.evaluate(s) in (-60, 60), game.format_state(s)


def test_the_notes_queens_and_open_lines():
    game = load("chess", network=0)
    found = evaluation_of(game, game.parse_state("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1"))
    terms = {term.name: term for term in found.terms}
    assert terms["queens"].feature == 1 and 850 < terms["queens"].weight < 1150
    assert terms["pawns"].feature == -2 and terms["pawns"].share < 0
    game = load("tictactoe")
    assert [term.share for term in evaluation_of(game, game.parse_state(".o..x....")).terms] == [6, -4]


def test_a_network_is_told_as_what_it_is():
    game = load("chess")
    found = evaluation_of(game, game.initial())
    assert (found.kind, found.terms) == ("network", ())
    (first, share), (second, other) = found.chances
    assert first == "expected score of White" and second == "expected score of Black"
    assert share + other == pytest.approx(1) and (share > 0.5) == (found.value > 0)
    backgammon = load("backgammon")
    found = evaluation_of(backgammon, backgammon.initial())
    assert found.kind == "network" and dict(found.chances)["win"] > 0.5
    assert evaluation_of(load("othello"), load("othello").initial()).kind == "patterns"


def test_evaluations_without_names_and_games_without_evaluation():
    kalah = load("kalah")
    assert evaluation_of(kalah, kalah.initial()).kind == "other"
    with pytest.raises(MissingRule, match=r"hex has no evaluate\(s\)"):
        evaluation_of(load("hex"), load("hex").initial())


# Numbers that remember their weights


def test_a_linear_number_behaves_like_the_number():
    weights = linear_weights({"a": 7, "b": -3})
    a, b = weights["a"], weights["b"]
    value = 5 + a * 4 - b + 2 - (-b) * 2
    assert isinstance(value, Linear) and value.value == 5 + 28 + 3 + 2 - 6
    assert value.factors == {"a": 4, "b": 1}
    assert (value >> 2).value == value.value >> 2 and ((-value) // 5).value == -value.value // 5
    assert value > 3 and value >= a and not value < 3 and min(value, 10) == 10 and a * b == -21
    assert (1 - a).value == -6 and (a << 3).value == 56


def test_the_rest_is_named_only_where_there_is_one():
    one = Term("one", 1, 2, 2)
    assert with_rest([one], 2) == [one]
    assert with_rest([one], 2.5)[1] == Term(REST, None, None, 0.5)
