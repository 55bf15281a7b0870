"""TD learning finds true values, and gives the same result compiled and plain, in parts and in one go."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from samples import THOROUGH
from textbook import SHAPES, chances_of, loss_slope, row_of, sparse
from walks import PLACES, Walk, walk

import zerosum as zs
from zerosum.errors import LimitError, MissingRule, WeightsError
from zerosum.learn.duel import Duel
from zerosum.learn.learner import LATEST, MISSED, NOTES_ROW, TARGET, learner_of
from zerosum.learn.td_training import TdOptions, TdTraining
from zerosum.networks.functions import Functions
from zerosum.networks.network import Network, learned, levels_of, shape_for
from zerosum.networks.shape import Shape


@pytest.mark.parametrize("shape", SHAPES)
def test_the_network_is_the_textbooks(shape: Shape):
    chance = np.random.default_rng(1)
    functions = Functions(shape)
    weights = chance.normal(0, 0.8, (shape.networks, shape.size)).astype(np.float32)
    for net in range(shape.networks):
        known = row_of(shape, sparse(shape, chance))
        functions.first_sums(known, weights.reshape(-1), net)
        for _ in range(5):
            features = sparse(shape, chance)
            expected = chances_of(shape, weights[net], features)
            row = row_of(shape, features)
            functions.first_sums(row, weights.reshape(-1), net)
            functions.conclude(row, weights.reshape(-1), net)
            found = row[shape.chances : shape.chances + shape.outputs]
            assert found == pytest.approx(expected, abs=1e-5)
            # Sums updated from another position's are the same.
            functions.move_sums(row, known, weights.reshape(-1), net)
            functions.conclude(row, weights.reshape(-1), net)
            assert row[shape.chances : shape.chances + shape.outputs] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_step_goes_down_the_slope_of_the_cross_entropy(shape: Shape):
    chance = np.random.default_rng(2)
    weights = chance.normal(0, 0.5, shape.size * shape.networks).astype(np.float32)
    features, target, rate = sparse(shape, chance), chance.random(shape.outputs), 1e-3

    net = shape.networks - 1
    own = weights[net * shape.size :].astype(np.float64)
    slope = loss_slope(shape, own, features, target)
    notes = np.zeros(NOTES_ROW, np.float32)
    notes[TARGET : TARGET + shape.outputs] = target
    before, squares = weights.copy(), chance.random(len(weights)).astype(np.float32)
    felt = squares[net * shape.size :] * (1 - LATEST) + LATEST * slope**2
    touched = slope != 0
    missed = learner_of(shape)(row_of(shape, features), weights, squares, net, notes, np.float32(rate))
    assert missed == pytest.approx(np.sum((chances_of(shape, own, features) - target) ** 2), rel=1e-4)
    moved = (weights - before).astype(np.float64)
    assert not moved[: net * shape.size].any()
    # Divided by the strength of all pulls so far, including this one.
    assert moved[net * shape.size :] == pytest.approx(-rate * slope / np.sqrt(felt), rel=1e-2, abs=1e-6)
    assert squares[net * shape.size :][touched] == pytest.approx(felt[touched], rel=1e-3)
    assert notes[MISSED] == pytest.approx(target[0] - chances_of(shape, own, features)[0], rel=1e-3)


def test_values_and_ends_of_a_game_with_three_levels():
    functions = Functions(Shape(4, 0, levels=3))
    for utility in (3, 2, 1, -1, -2, -3):
        row, turned = np.zeros(16, np.float32), np.zeros(16, np.float32)
        functions.outcome(row, 0, utility)
        assert functions.value(row, 0) == utility
        functions.copy_chances(turned, 0, row, 0, True)
        assert functions.value(turned, 0) == -utility
    row[:5] = 0.5, 0.9, 0.1, 0.2, 0.3  # no more gammons than wins, no more backgammons than gammons
    assert functions.value(row, 0) == pytest.approx(0.5 + 0.1 - 0.2 - 0.2)


def trained(
    trace: float,
    *,
    jit: bool = False,
    games: int = 1500,
    hidden: int = 0,
    rate: float = 0.1,
) -> TdTraining:
    options = TdOptions(games, hidden, rate, rate / 10, trace, seed=4)
    training = TdTraining(walk(), options, jit=jit)
    training.advance(games)
    return training


@pytest.mark.parametrize("trace", [0.0, pytest.param(0.7, marks=pytest.mark.slow), 1.0])
def test_the_random_walk_is_learned(trace: float):
    network = trained(trace, games=1500 if THOROUGH else 700).network()
    for place in range(1, PLACES + 1):
        features = np.zeros(PLACES)
        features[place - 1] = 1
        found = chances_of(network.shape, network.weights[0], features)[0]
        assert found == pytest.approx(place / (PLACES + 1), abs=0.1)


def test_compiled_learns_what_plain_learns():
    plain, compiled = (trained(0.6, jit=jit, games=60, hidden=3, rate=0.003) for jit in (False, True))
    assert compiled.network().weights == pytest.approx(plain.network().weights, abs=1e-4)
    assert compiled.positions == plain.positions


def test_a_game_that_has_learned_evaluates_by_its_network():
    network = trained(0.6, games=60, hidden=3).network()
    game = learned(walk(), network)
    features = np.zeros(PLACES)
    features[1] = 1
    expected = 2 * chances_of(network.shape, network.weights[0], features)[0] - 1
    assert game.evaluate(Walk(2, 1)) == pytest.approx(expected, abs=1e-5)
    # Without chance, evaluations are whole numbers.
    small = zs.load("connect-four", width=4, height=4, k=3)
    assert isinstance(learned(small, Network.fresh(small, 2)).evaluate(small.initial()), int)


def test_a_run_in_parts_is_the_same_run(tmp_path: Path):
    path = tmp_path / "walk.npz"
    game, options = walk(), TdOptions(games=250, hidden=2, trace=0.5, seed=9)
    whole = TdTraining(game, options, jit=False)
    whole.advance(250)
    first = TdTraining(game, options, jit=False)
    first.advance(100)
    first.save(path)
    first.advance(70)  # lost: not saved
    second = TdTraining.resume(game, Network.read(path, game), jit=False)
    assert second.games == 100
    second.advance(150)
    assert np.array_equal(whole.network().weights, second.network().weights)


def test_seeds_decide():
    one, other, third = (
        TdTraining(walk(), TdOptions(games=20, hidden=2, seed=seed), jit=False).network().weights for seed in (1, 1, 2)
    )
    assert np.array_equal(one, other) and not np.array_equal(one, third)


@pytest.mark.slow
def test_a_network_that_likes_wins_beats_random_play():
    """The game is one of skill: three in a row on a small board, with threats as the only features."""
    game = zs.load("connect-four", width=4, height=4, k=3)
    training = TdTraining(game, TdOptions(games=2000, hidden=0, explore=0.1, seed=1), threads=2)
    training.advance(2000)
    duel = Duel(game, training.shape, "random", random_plies=1)
    before = duel.play(np.zeros_like(training.weights), 400)
    after = duel.play(training.weights, 400)
    assert after.points > before.points + 0.2 and after.points > 0.5
    assert duel.play(training.weights, 400) == after
    assert after.wins + after.losses <= after.games == 400


def test_what_is_missing_is_named():
    with pytest.raises(MissingRule, match=r"features\(s, out\)"):
        TdTraining(zs.load("tictactoe"), TdOptions(games=1))
    with pytest.raises(MissingRule, match="feature_names"):
        shape_for(walk().with_(feature_names=None), 3)
    with pytest.raises(LimitError, match="rate"):
        TdOptions(games=1, rate=-1.0)
    with pytest.raises(LimitError, match="trace"):
        TdOptions(games=1, trace=1.5)
    with pytest.raises(LimitError, match="unknown opponent 'pubeval'"):
        Duel(walk(), Shape(PLACES, 0), "pubeval")
    with pytest.raises(WeightsError, match="cannot start a network"):
        TdTraining(walk(), TdOptions(games=1, hidden=3), start=Network.fresh(walk(), 2))


def test_levels_follow_from_bounds():
    assert levels_of(walk()) == 1
    assert levels_of(walk().with_(bounds=(-3, 3))) == 3
    assert levels_of(zs.load("connect-four")) == 1
    assert levels_of(walk().with_(bounds=(-100, 100))) == 1
