"""SPSA finds an optimum from noisy comparisons, and can be stopped anywhere."""

from __future__ import annotations

import random

import pytest

from zerosum.learn.spsa import Pair, Spsa, TunedNumber

NUMBERS = (
    TunedNumber("wide", 300, 0, 1000, 20),
    TunedNumber("narrow", 6, 1, 20, 0.5),
    TunedNumber("right", 50, 0, 100, 5),
)
BEST = {"wide": 500, "narrow": 12, "right": 50}
PAIRS = 4000


def loss(values: dict[str, float]) -> float:
    """Return how much weaker a setting is than the best: the square of its distance, in steps."""
    return sum(((values[tuned.name] - BEST[tuned.name]) / tuned.step) ** 2 for tuned in NUMBERS)


def played(pair: Pair) -> int:
    """Play a pair of games with noisy results: the better setting wins at most 60 % of them."""
    chance = random.Random(f"result {pair.number}")
    edge = min(max((loss(pair.minus) - loss(pair.plus)) / 300, -0.1), 0.1)
    return sum(1 if chance.random() < 0.5 + edge else -1 for _ in range(2))


def run(tuning: Spsa, until: int, batch: int = 50) -> Spsa:
    while tuning.done < until:
        pairs = [tuning.pair(number) for number in range(tuning.done + 1, min(tuning.done + batch, until) + 1)]
        tuning.learn((pair, played(pair)) for pair in pairs)
    return tuning


def test_it_finds_the_optimum_of_a_noisy_quadratic():
    tuning = run(Spsa(NUMBERS, PAIRS), PAIRS)
    start = {tuned.name: float(tuned.start) for tuned in NUMBERS}
    assert loss(start) == 244
    assert loss(tuning.values) < 244 / 10
    assert abs(tuning.values["right"] - 50) < 10, "a number that is right already stays nearby"


def test_without_a_difference_numbers_stay_within_a_few_steps():
    tuning, chance = Spsa(NUMBERS, PAIRS), random.Random(1)
    for number in range(1, PAIRS + 1):
        tuning.learn([(tuning.pair(number), chance.choice((-2, 0, 2)))])
    assert all(abs(tuning.values[tuned.name] - tuned.start) < 4 * tuned.step for tuned in NUMBERS)


def test_a_run_that_was_stopped_and_taken_up_again_is_the_same_run():
    whole = run(Spsa(NUMBERS, 1000, seed=3), 1000)
    half = run(Spsa(NUMBERS, 1000, seed=3), 500)
    rest = Spsa(NUMBERS, 1000, seed=3)
    rest.go_on(half.values, half.done)
    assert run(rest, 1000).values == whole.values != run(Spsa(NUMBERS, 1000, seed=4), 1000).values


def test_the_order_in_which_games_end_does_not_matter():
    one, other = Spsa(NUMBERS, 100), Spsa(NUMBERS, 100)
    results = [(pair, played(pair)) for pair in map(one.pair, range(1, 101))]
    one.learn(results)
    other.learn(reversed(results))
    assert one.values == other.values and one.done == other.done == 100


def test_perturbations_end_at_a_step_and_rates_shrink():
    tuning = Spsa(NUMBERS, PAIRS)
    gains = [tuning.gains(number) for number in (1, 1000, PAIRS)]
    assert gains[-1].perturbation == 1 < gains[1].perturbation < gains[0].perturbation < 3
    assert gains[1].rate > gains[-1].rate


def test_the_two_sides_of_a_pair_are_whole_numbers_around_the_values_and_within_their_ranges():
    tuning = Spsa((TunedNumber("odd", 3, 0, 100, 0.5), TunedNumber("low", 1, 0, 9, 3.0)), 200)
    odd = []
    for number in range(1, 201):
        pair = tuning.pair(number)
        assert {type(value) for value in (*pair.plus.values(), *pair.minus.values())} == {int}
        assert 0 <= min(pair.plus["low"], pair.minus["low"]) < max(pair.plus["low"], pair.minus["low"]) <= 9
        assert (pair.plus["odd"] - pair.minus["odd"]) * pair.signs["odd"] >= 0
        odd += [pair.plus["odd"], pair.minus["odd"]]
    assert abs(sum(odd) / len(odd) - 3) < 0.1, "rounding has no favourite side"


@pytest.mark.parametrize(
    ("values", "done", "said"),
    [
        ({"wide": 300, "narrow": 0, "right": 50}, 5, "narrow is 0, not from 1 to 20"),
        ({"wide": float("nan"), "narrow": 6, "right": 50}, 5, "wide is nan"),
        ({"wide": 300, "narrow": 6, "right": 50}, 101, "101 of 100 pairs"),
        ({"wide": 300, "narrow": 6, "right": 50}, 1.5, "1.5 of 100 pairs"),
    ],
)
def test_a_run_cannot_have_been_left_just_anywhere(values: dict[str, float], done: int, said: str):
    with pytest.raises(ValueError, match=said):
        Spsa(NUMBERS, 100).go_on(values, done)
