"""Learning from look-ahead: positions are valued one move ahead, and a network is fitted to these values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import THOROUGH, samples
from textbook import SHAPES, chances_of, loss_slope, sparse
from walks import PLACES, walk

from zerosum.errors import WeightsError
from zerosum.game import Game
from zerosum.games import load
from zerosum.jit.bits import mix
from zerosum.jit.fingerprint import fingerprint
from zerosum.learn import duel, lookahead, td
from zerosum.learn.descent import LATEST_SLOPE, Descent
from zerosum.learn.learner import NOTE
from zerosum.learn.lookahead_training import LookaheadTraining
from zerosum.learn.positions import Positions
from zerosum.learn.td import AHEAD, VALUES
from zerosum.learn.td_training import TdTraining
from zerosum.learn.training import TdOptions, kind_of, resume
from zerosum.networks.network import Network
from zerosum.networks.shape import Shape


def options(games: int, **others: object) -> TdOptions:
    chosen: dict[str, object] = {"hidden": 0, "rate": 0.05, "last_rate": 0.005, "seed": 4, "look_ahead": True, **others}
    return TdOptions(games, **chosen)  # type: ignore[arg-type]


def place(number: int) -> np.ndarray:
    features = np.zeros(PLACES)
    features[number - 1] = 1
    return features


@pytest.mark.parametrize("shape", SHAPES)
def test_a_batch_goes_down_the_mean_slope(shape: Shape):
    chance = np.random.default_rng(3)
    weights = chance.normal(0, 0.5, shape.size).astype(np.float32)
    features = np.array([sparse(shape, chance) for _ in range(3)])
    targets = chance.random((3, shape.outputs))
    pairs = zip(features, targets, strict=True)
    slope = np.mean([loss_slope(shape, weights.astype(np.float64), *pair) for pair in pairs], axis=0)
    fit = Descent(shape, weights.copy(), np.zeros_like(weights), np.zeros_like(weights))
    assert fit.chances(features) == pytest.approx(
        np.array([chances_of(shape, weights, row) for row in features]), abs=1e-5
    )
    fit.step(features.astype(np.float32), targets.astype(np.float32), 1e-3)
    assert fit.slopes == pytest.approx(float(LATEST_SLOPE) * slope, abs=1e-5)
    # The first step is as large as the rate, whatever the gradient.
    clear = np.abs(slope) > 1e-3
    assert (fit.weights - weights)[clear] == pytest.approx(-1e-3 * np.sign(slope)[clear], rel=1e-2)
    for _ in range(300):
        fit.step(features.astype(np.float32), targets.astype(np.float32), 0.05)
    if shape.hidden:
        assert fit.chances(features) == pytest.approx(targets, abs=0.1)


def test_values_are_those_of_the_next_move():
    """In a walk that goes either way with equal chances, a position is worth the mean of its neighbours."""
    training = LookaheadTraining(walk(), options(30, hidden=3), jit=False)
    features, values, nets = training._play(30, None)
    weights = training.weights[0]
    assert len(features) == len(values) == len(nets) and not nets.any()
    known = [0.0, *(chances_of(training.shape, weights, place(p))[0] for p in range(1, PLACES + 1)), 1.0]
    for row, value in zip(features, values, strict=True):
        at = int(np.flatnonzero(row)[0]) + 1
        assert value[0] == pytest.approx((known[at - 1] + known[at + 1]) / 2, abs=1e-5)


def one_game(training: LookaheadTraining, number: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Play a game; return its positions' network values, their targets, and which were reached at random."""
    (member,) = training.crew
    member.dice, rows = mix(4, number), training.rows[id(member)]
    count, outputs = member.run(), training.shape.outputs
    own, learned = (
        rows.kept[VALUES][at : at + count * NOTE].reshape(count, NOTE)[:, :outputs].copy() for at in (0, AHEAD)
    )
    return own, learned, member.region("explored", count)


@pytest.mark.parametrize("trace", [0.6, 1.0])
@pytest.mark.parametrize("explore", [0.0, 0.3])
@pytest.mark.parametrize("game", [walk(), load("connect-four", width=4, height=4, k=3)], ids=str)
def test_later_positions_add_what_they_found_out(game: Game, explore: float, trace: float):
    plain, mixed = (
        LookaheadTraining(game, options(1, hidden=3, explore=explore, trace=share), jit=False) for share in (0.0, trace)
    )
    lengths = []
    for number in range(samples(20, at_least=6)):
        own, ahead, random = one_game(plain, number)
        again, learned, _ = one_game(mixed, number)
        assert np.array_equal(own, again)
        lengths.append(len(own))
        for place, value in enumerate(ahead):
            expected, share = value.copy(), trace
            for later in range(place + 1, len(own)):
                if random[later]:
                    break
                expected += share * (ahead[later] - own[later])
                share *= trace
            assert learned[place] == pytest.approx(expected, abs=1e-5)
    assert max(lengths) > 5


@pytest.mark.parametrize("trace", [pytest.param(0.0, marks=pytest.mark.slow), 0.8])
def test_the_random_walk_is_learned(trace: float):
    games = 900 if THOROUGH else 450
    training = LookaheadTraining(walk(), options(games, round_games=15, trace=trace), jit=False)
    training.advance(games)
    assert training.games == games and training.missed < 0.01
    for number in range(1, PLACES + 1):
        found = chances_of(training.shape, training.weights[0], place(number))[0]
        assert found == pytest.approx(number / (PLACES + 1), abs=0.1)


def sixty_games(*, jit: bool, threads: int) -> LookaheadTraining:
    training = LookaheadTraining(walk(), options(60, hidden=3), jit=jit, threads=threads)
    training.advance(60)
    return training


def test_threads_change_nothing():
    plain, threads = (sixty_games(jit=False, threads=threads) for threads in (1, 3))
    assert plain.positions == threads.positions
    assert np.array_equal(plain.weights, threads.weights)


@pytest.mark.slow
def test_compiled_learns_what_plain_learns():
    plain, compiled = (sixty_games(jit=jit, threads=1 + jit) for jit in (False, True))
    assert plain.positions == compiled.positions
    assert compiled.weights == pytest.approx(plain.weights, abs=1e-2)


def test_a_run_goes_on_from_its_file(tmp_path: Path):
    path = tmp_path / "walk.npz"
    first = LookaheadTraining(walk(), options(60, hidden=3, round_games=20), jit=False)
    first.advance(20)
    first.save(path)
    kept = Network.read(path, walk())
    second = LookaheadTraining.resume(walk(), kept, jit=False)
    assert second.games == 20 and second.rate == first.rate
    assert np.array_equal(second.weights, first.weights)
    second.advance(40)
    second.save(path)
    done = Network.read(path, walk())
    assert done.learner is None and done.progress["games"] == 60
    assert resume(walk(), done, jit=False).games == 60
    with pytest.raises(WeightsError, match="cannot be resumed"):
        TdTraining.resume(walk(), kept, jit=False)  # a run of the other class


def test_old_positions_make_room():
    kept = Positions(1, 1, most=5)
    for number in range(4):
        kept.add(np.full((2, 1), number), np.full((2, 1), number), np.zeros(2, np.int64))
    assert kept.count == 5
    assert sorted(kept.features[:, 0]) == [1, 2, 2, 3, 3]
    kept.add(np.arange(8)[:, None], np.arange(8)[:, None], np.zeros(8, np.int64))  # more than there is room for
    assert sorted(kept.features[:, 0]) == [3, 4, 5, 6, 7]


def test_batches_hold_every_position_of_a_network_once():
    kept = Positions(1, 1, most=20)
    numbers = np.arange(17)
    kept.add(numbers[:, None], 10 * numbers[:, None], numbers % 2)
    batches = list(kept.batches(0, 4, np.random.default_rng(1)))
    assert [len(features) for features, _ in batches] == [4, 4, 1]
    shown = np.concatenate([features[:, 0] for features, _ in batches])
    assert sorted(shown) == list(range(0, 17, 2)) and list(shown) != sorted(shown)
    assert np.array_equal(np.concatenate([values[:, 0] for _, values in batches]), 10 * shown)


def test_options_choose_the_kind():
    assert kind_of(options(1).look_ahead) is LookaheadTraining and kind_of(TdOptions(1).look_ahead) is TdTraining


@pytest.mark.parametrize("module", [lookahead, duel, td])
def test_networks_of_other_shapes_have_other_kernels(module: Any):
    """A kernel compiled for one shape must not be loaded from the cache for another."""
    shapes = [Shape(230, 4, 3, 2), Shape(230, 8, 3, 2), Shape(230, 8, 2, 2), Shape(231, 8, 2, 2)]
    assert len({fingerprint(module.build_for(shape)) for shape in shapes}) == len(shapes)
