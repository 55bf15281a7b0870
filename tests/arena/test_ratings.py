"""Ratings: figures computed by hand or by other means, and laws."""

from __future__ import annotations

import math
import random

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as some

from zerosum.arena.ratings import Sprt, Tally, elo_of_score, expected_score, rate
from zerosum.errors import ArenaError

counts = some.integers(0, 200)
tallies = some.builds(Tally, counts, counts, counts)


def test_elo_of_textbook_scores() -> None:
    # 400 points are odds of ten to one; a score of three quarters is 400 log10(3).
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    assert elo_of_score(0.5) == 0
    assert (elo_of_score(1.0), elo_of_score(0.0)) == (math.inf, -math.inf)


@given(some.floats(-2000, 2000))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_of_score(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


def test_error_of_a_hundred_games() -> None:
    # 60 wins, 20 draws, 20 losses: mean 0.7, variance 0.6·0.3² + 0.2·0.2² + 0.2·0.7² = 0.16, error 0.04.
    tally = Tally(60, 20, 20)
    assert tally.variance() == pytest.approx(0.16)
    assert tally.error == pytest.approx(0.04)
    low, high = tally.elo_interval()
    assert low == pytest.approx(400 * math.log10(0.6216014 / 0.3783986), abs=1e-3)
    assert high == pytest.approx(400 * math.log10(0.7783986 / 0.2216014), abs=1e-3)


def test_likelihood_of_superiority_without_pairs_is_the_known_formula() -> None:
    for wins, draws, losses in ((10, 3, 5), (60, 20, 20), (5, 0, 10), (7, 100, 7)):
        known = 0.5 * (1 + math.erf((wins - losses) / math.sqrt(2 * (wins + losses))))
        assert Tally(wins, draws, losses).los == pytest.approx(known)


def test_pairs_that_depend_on_each_other_give_smaller_errors() -> None:
    # All but a few openings are won by the side that begins: that is noise in single games, but not in pairs.
    alone = Tally(52, 0, 48)
    paired = Tally(52, 0, 48, (0, 0, 48, 0, 2))
    assert paired.error < alone.error / 2
    assert paired.los > alone.los


def test_errors_from_pairs_are_right_in_simulation() -> None:
    chance = random.Random(1)
    scores, errors = [], []
    for _ in range(400):
        pairs, points = [0] * 5, 0
        for _ in range(50):
            bias = chance.choice((0.45, -0.45))  # the opening strongly favours one side
            results = [chance.random() < 0.5 + bias, chance.random() < 0.5 - bias]
            pairs[2 * sum(results)] += 1
            points += sum(results)
        tally = Tally(points, 0, 100 - points, tuple(pairs))  # type: ignore[arg-type]
        scores.append(tally.score)
        errors.append(tally.error)
    assert numpy.mean(errors) == pytest.approx(numpy.std(scores), rel=0.15)


@given(tallies)
def test_the_other_side_sees_the_opposite(tally: Tally) -> None:
    other = tally.reversed()
    assert other.score == pytest.approx(1 - tally.score)
    assert other.los == pytest.approx(1 - tally.los)
    if 0 < tally.score < 1:
        assert other.elo == pytest.approx(-tally.elo, abs=1e-6)
    low, high = tally.elo_interval()
    other_low, other_high = other.elo_interval()
    if math.isfinite(low):
        assert other_high == pytest.approx(-low, abs=1e-4)
    assert low <= high and other_low <= other_high


@given(tallies)
def test_figures_are_numbers_for_every_tally(tally: Tally) -> None:
    assert 0 <= tally.los <= 1
    assert not math.isnan(tally.error)
    assert not math.isnan(Sprt(0, 5).ratio(tally))


def test_sprt_agrees_with_the_ratio_of_normal_likelihoods() -> None:
    # The mean of n results is normal with variance v/n: the ratio of its densities under the two hypotheses.
    tally, test = Tally(130, 150, 100), Sprt(0, 10)
    low, high = expected_score(0), expected_score(10)
    n, v, mean = tally.games, tally.variance(), tally.score
    known = n / (2 * v) * ((mean - low) ** 2 - (mean - high) ** 2)
    assert test.ratio(tally) == pytest.approx(known)
    assert test.bounds == pytest.approx((-math.log(19), math.log(19)))


def test_sprt_is_wrong_as_rarely_as_it_says() -> None:
    chance = random.Random(2)
    test = Sprt(0, 60, 0.1, 0.1)
    wrong = 0
    for _ in range(200):
        wins = losses = 0
        while not (decision := test.decision(Tally(wins, 0, losses))):
            if chance.random() < 0.5:
                wins += 1
            else:
                losses += 1
        wrong += decision == "elo1"
    assert wrong / 200 < 0.16  # 0.1 plus two and a half standard errors


@pytest.mark.parametrize("text", ["", "5", "5,0", "0,0", "a,b", "0,5,0.05", "0,5,0,0.05", "0,5,0.7,0.05", "0,inf"])
def test_a_test_that_makes_no_sense_is_quoted(text: str) -> None:
    with pytest.raises(ArenaError, match="the test"):
        Sprt.parse(text)


def test_two_players_are_rated_by_their_score() -> None:
    first, second = rate(2, {(0, 1): Tally(60, 20, 20)}, prior=0)
    assert first.elo - second.elo == pytest.approx(Tally(60, 20, 20).elo, abs=1e-4)
    # Fisher's information of 100 games at 0.7: the difference has variance 1/21 in nats, each half of it a quarter.
    assert first.error == pytest.approx(1.959964 * math.sqrt(1 / 21) / 2 * 400 / math.log(10), rel=1e-4)


def test_ratings_explain_the_points() -> None:
    games = {(0, 1): Tally(12, 5, 3), (0, 2): Tally(15, 2, 3), (1, 2): Tally(8, 4, 8), (2, 3): Tally(20, 0, 1)}
    ratings = rate(4, games, prior=0)
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-6)
    for player in range(4):
        points = expected = 0.0
        for (i, j), tally in games.items():
            for one, other, own in ((i, j, tally), (j, i, tally.reversed())):
                if one == player:
                    points += own.wins + own.draws / 2
                    expected += own.games * expected_score(ratings[one].elo - ratings[other].elo)
        assert expected == pytest.approx(points, abs=1e-6)


def test_nobody_is_infinitely_strong_in_a_rating_table() -> None:
    ratings = rate(3, {(0, 1): Tally(10, 0, 0), (0, 2): Tally(10, 0, 0), (1, 2): Tally(5, 0, 5)})
    assert ratings[0].elo > 200 and math.isfinite(ratings[0].elo)
    assert ratings[1].elo == pytest.approx(ratings[2].elo)


def test_players_without_games_have_no_error_to_speak_of() -> None:
    assert [rating.elo for rating in rate(3, {})] == [0, 0, 0]
    assert rate(2, {})[0].error == math.inf
