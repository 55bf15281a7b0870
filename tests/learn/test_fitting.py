"""Networks fitted to positions: gradients are right, the order is fair, and rounding changes little."""

from __future__ import annotations

import random
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zerosum as zs
from zerosum.errors import GameError, LimitError, MissingRule
from zerosum.game import MAX, WIN, Game
from zerosum.learn.described import Described, describe
from zerosum.learn.fitting import NetworkFit, NetworkOptions, scattered
from zerosum.learn.labels import Labels
from zerosum.learn.quantising import quantised, rounded, unrounded, values
from zerosum.learn.samples import Samples
from zerosum.learn.sparse_descent import Batch, Loss, SparseDescent, fresh_row, limits_of
from zerosum.networks.sparse import SparseShape, check_numbers
from zerosum.networks.sparse_file import SparseNetwork, learned

FOUR = zs.load("connect-four", width=5, height=4)


@lru_cache(maxsize=1)
def random_games() -> tuple[Samples, Described]:
    """Positions of random games with their results, and with a value that a network can learn."""
    chooser, rows, utilities, guesses = random.Random(3), [], [], []
    for _ in range(300):
        s, states = FOUR.initial(), []
        while not FOUR.is_over(s):
            states.append(s)
            s = FOUR.play(s, chooser.choice(FOUR.legal_moves(s)))
        rows += [FOUR.state_type.words(s) for s in states]
        utilities += [FOUR.utility(s)] * len(states)
        guesses += [stones_in_the_middle(s) * 30 for s in states]
    words, ends = np.array(rows), np.array(utilities, float)
    samples = Samples(words, 0.5 + ends / 2, 300, np.array(guesses, float), ends)
    return samples, describe(FOUR, words)


def stones_in_the_middle(s: Any) -> int:
    """MAX's stones in the middle column minus MIN's."""
    mover, other = ((stones >> 10 & 0b1111).bit_count() for stones in (s.mover, s.mover ^ s.filled))
    return mover - other if FOUR.to_move(s) == MAX else other - mover


def a_fit(**options: Any) -> NetworkFit:
    chosen = {"hidden": 16, "epochs": 6, "batch": 128, "rate": 0.01, "held_out": 0.1, "seed": 2, **options}
    labels = Labels(False, scale=100, sharpness=0.01, trust=chosen.get("trust", 0.7))
    return NetworkFit(FOUR, *random_games(), NetworkOptions(**chosen), labels=labels)


def states_of(game: Game, games: int) -> list[Any]:
    chooser, found = random.Random(7), []
    for _ in range(games):
        s = game.initial()
        while not game.is_over(s):
            found.append(s)
            s = game.play(s, chooser.choice(game.legal_moves(s)))
    return found


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("connect-four", {"width": 5, "height": 4}),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in [("chess", {}), ("checkers", {}), ("kalah", {}), ("othello", {}), ("hex", {"size": 9})]
        ),
    ],
)
def test_positions_are_described_as_the_rules_say(name: str, parameters: dict[str, int]):
    game = zs.load(name, **parameters)
    states = states_of(game, 20)[:2000]
    found = describe(game, np.array([game.state_type.words(s) for s in states]), threads=2)
    bits = np.unpackbits(found.bits, axis=2, bitorder="little")
    for s, rows, phase, mover in zip(states, bits, found.phases, found.movers, strict=True):
        assert mover == game.to_move(s) and phase == game.phase(s)
        assert [np.flatnonzero(row).tolist() for row in rows] == [
            game.checked_active(s, player) for player in (mover, 1 - mover)
        ]


@pytest.mark.parametrize("name", ["connect-four", "checkers", "kalah", "hex"])
def test_a_new_game_looks_the_same_to_both_but_for_who_begins(name: str):
    game = zs.load(name)
    first, second = (set(game.checked_active(game.initial(), player)) for player in (0, 1))
    assert first - second == ({49} if name == "connect-four" else set())
    assert second <= first


def test_the_views_of_hex_are_mirror_images():
    game = zs.load("hex", size=3)
    a, b = game.parse_state("r../.../.b."), game.parse_state("b../..r/...")
    assert game.checked_active(a, 0) == game.checked_active(b, 1) == [0, 16]


def test_games_that_cannot_be_described():
    with pytest.raises(LimitError, match="pig has chance nodes"):
        describe(zs.load("pig"), np.zeros((1, 1)))
    with pytest.raises(MissingRule, match=r"needs active\(s, player\), which nim does not define"):
        describe(zs.load("nim"), np.zeros((1, 1)))


def test_a_phase_out_of_range_is_told():
    game = FOUR.with_(phases=1)
    with pytest.raises(GameError, match="phase returns a number outside 0 to phases - 1"):
        describe(game, random_games()[0].states)


# The network, the slow way


def said(shape: SparseShape, row: np.ndarray, batch: Batch) -> np.ndarray:
    first, thresholds, second = shape.parts(row)
    found = []
    for bits, phase in zip(batch.seen, batch.phases, strict=True):
        rows = np.unpackbits(bits, axis=1, bitorder="little")[:, : shape.features].astype(float)
        units = np.clip(rows @ first + thresholds, 0, 1) ** 2
        found.append(second[phase] @ units.ravel() + row[shape.size + int(phase)])
    return np.array(found)


def mean_loss(shape: SparseShape, row: np.ndarray, batch: Batch, loss: Loss) -> float:
    out = said(shape, row, batch)
    chances = out if loss.scored else 1 / (1 + np.exp(-out))
    return float(np.mean(np.abs(chances - batch.targets) ** loss.power))


@pytest.mark.parametrize("loss", [Loss(False), Loss(False, 2.5), Loss(True)])
def test_slopes_are_those_of_the_loss(loss: Loss):
    shape, chance = SparseShape(20, 16, 3), np.random.default_rng(1)
    row = chance.normal(0, 0.4, shape.size + shape.phases)
    phases = chance.integers(0, 3, 9).astype(np.uint8)
    batch = Batch(chance.integers(0, 256, (9, 2, 8), np.uint8), phases, chance.random(9).astype(np.float32))
    descent = SparseDescent.begin(shape, loss, row, max_active=20)
    assert descent.out(batch.seen, batch.phases) == pytest.approx(said(shape, row, batch), abs=1e-5)
    missed, slope = descent.slope(batch)
    assert missed / 9 == pytest.approx(mean_loss(shape, row, batch, loss), rel=1e-4)
    for place in chance.choice(len(row), 150, replace=False):
        step = np.zeros_like(row)
        step[place] = 1e-5
        rise = mean_loss(shape, row + step, batch, loss) - mean_loss(shape, row - step, batch, loss)
        assert slope[place] == pytest.approx(rise / 2e-5, abs=2e-5)


def test_the_number_of_threads_does_not_show():
    shape, chance = SparseShape(20, 16, 1), np.random.default_rng(1)
    batch = Batch(
        chance.integers(0, 256, (5000, 2, 8), np.uint8),
        np.zeros(5000, np.uint8),
        chance.random(5000).astype(np.float32),
    )
    found = []
    for threads in (1, 3):
        descent = SparseDescent.begin(shape, Loss(False), fresh_row(shape, 20, seed=0), 20, np, threads)
        for _ in range(3):
            descent.step(batch, 0.01)
        found.append(descent.row)
    assert np.array_equal(*found)


def test_a_card_which_takes_whole_batches_finds_the_same_slopes():
    card = SimpleNamespace(**vars(np))  # NumPy, disguised as another module
    shape, chance = SparseShape(20, 16, 2), np.random.default_rng(1)
    phases = chance.integers(0, 2, 3000).astype(np.uint8)
    batch = Batch(chance.integers(0, 256, (3000, 2, 8), np.uint8), phases, chance.random(3000).astype(np.float32))
    found = [
        SparseDescent.begin(shape, Loss(False), fresh_row(shape, 20, seed=0), 20, on).slope(batch) for on in (np, card)
    ]
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-4)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-6)


def test_an_epoch_shows_every_position_once_in_an_order_of_its_own():
    orders = [np.argsort(scattered(np, 1000, seed, epoch)) for seed, epoch in [(0, 0), (0, 1), (1, 0)]]
    assert all(sorted(order) == list(range(1000)) for order in orders)
    assert not np.array_equal(orders[0], orders[1]) and not np.array_equal(orders[0], orders[2])
    assert abs(np.corrcoef(orders[0], np.arange(1000))[0, 1]) < 0.1


# Targets


def some_samples(values: list[float], utilities: list[float]) -> Samples:
    ends = np.array(utilities, float)
    return Samples(np.zeros((len(ends), 1), np.int64), 0.5 + np.sign(ends) / 2, 1, np.array(values, float), ends)


def test_chances_are_for_the_side_to_move_and_sure_wins_are_sure():
    samples = some_samples([0, 0, WIN - 3, 5 - WIN], [1, 1, 1, 1])
    found = Labels(False, 100, 0.01, trust=0.5).targets(FOUR, samples, np.array([0, 1, 0, 1]))
    assert found == pytest.approx([0.75, 0.25, 1, 0.5])


def test_points_are_in_units_of_the_scale():
    samples = some_samples([4, 4], [8, 8])
    found = Labels(True, 4, 1.0, trust=0.25).targets(zs.load("kalah"), samples, np.array([0, 1]))
    assert found == pytest.approx([1.75, -1.75])


def test_the_scale_keeps_the_units_of_the_teacher():
    chance = np.random.default_rng(5)
    guesses = chance.normal(0, 500, 20_000).round()
    ends = np.where(chance.random(20_000) < 1 / (1 + np.exp(-guesses / 300)), 1, -1)
    found = Labels.of(zs.load("chess"), some_samples(list(guesses), list(ends)), 0.7)
    assert found.scale == pytest.approx(300, rel=0.1) and found.sharpness == pytest.approx(1 / 300, rel=0.1)


def test_values_that_foretell_nothing_do_not_blow_the_scale_up():
    chance = np.random.default_rng(5)
    guesses, ends = chance.normal(0, 50, 5000).round(), chance.choice([-1, 1], 5000)
    assert Labels.of(FOUR, some_samples(list(guesses), list(ends)), 0.7).scale <= 4 * 51


def test_without_an_evaluation_the_unit_of_margins_is_the_scale():
    found = Labels.of(FOUR, some_samples([0, 0, WIN - 1], [1, -1, 1]), 0.7)
    assert found.scale == 100


# Fits


def test_a_fit_learns_what_it_was_not_shown():
    fit = a_fit(trust=1.0)
    errors = list(fit.run())
    assert len(errors) == 6
    before, after = fit.curve[0][1], min(held_out for _, held_out in fit.curve)
    assert after < 0.2 * before


def play_against_chance(game: Game, games: int) -> float:
    """Points of the evaluation, one move deep, against random moves, with both sides starting in turn."""
    chooser, points = random.Random(5), 0.0
    for number in range(games):
        s = game.initial()
        while not game.is_over(s):
            moves = game.legal_moves(s)
            if game.to_move(s) == number % 2:
                sign = 1 if number % 2 == MAX else -1
                worth = [sign * _worth(game, game.play(s, move)) for move in moves]
                best = max(worth)
                s = game.play(s, chooser.choice([m for m, w in zip(moves, worth, strict=True) if w == best]))
            else:
                s = game.play(s, chooser.choice(moves))
        points += 0.5 + 0.5 * game.utility(s) * (1 if number % 2 == MAX else -1)
    return points / games


def _worth(game: Game, s: Any) -> int:
    return WIN * game.utility(s) if game.is_over(s) else int(game.evaluate(s))


def test_what_comes_out_plays_better_than_no_evaluation():
    fit = a_fit()
    list(fit.run())
    network, _ = quantised(fit)
    nothing = FOUR.with_(evaluate=lambda s: 0)
    assert play_against_chance(learned(FOUR, network), 40) > play_against_chance(nothing, 40) + 0.05


def test_a_fit_that_was_left_and_taken_up_again_is_the_same():
    unbroken, left, taken_up = a_fit(epochs=2), a_fit(epochs=2), a_fit(epochs=2)
    list(unbroken.run())
    assert left.steps > 18

    class Break(Exception):
        pass

    def leave(now: Any) -> None:
        if left.epoch == 1:
            raise Break

    with pytest.raises(Break):
        list(left.run(leave))
    assert (left.epoch, left.place) == (1, 16)
    taken_up.restore(*left.state())
    list(taken_up.run())
    assert np.array_equal(unbroken.descent.row, taken_up.descent.row) and unbroken.curve == taken_up.curve
    assert np.array_equal(unbroken.best, taken_up.best)


def test_too_few_positions_and_senseless_options_are_refused():
    samples, described = random_games()
    few = Samples(samples.states[:1], samples.results[:1], 1, samples.values[:1], samples.utilities[:1])  # type: ignore[index]
    with pytest.raises(LimitError, match="1 positions are too few"):
        NetworkFit(FOUR, few, Described(*(column[:1] for column in described)), NetworkOptions(hidden=16))
    for wrong in ({"rate": 0.0}, {"epochs": 0}, {"power": 1.0}, {"trust": 2.0}):
        with pytest.raises(LimitError):
            NetworkOptions(hidden=16, **wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="16, 32, 48 … up to 2048 hidden units, not 20"):
        a_fit(hidden=20)


# Whole numbers


def test_whole_numbers_differ_by_what_is_told():
    fit = a_fit(epochs=2)
    list(fit.run())
    network, found = quantised(fit)
    assert check_numbers(fit.shape, network.numbers, FOUR.max_active) == ""
    assert found.mean <= found.largest < 0.1 * fit.labels.scale
    assert found.error_after == pytest.approx(found.error_before, rel=0.01)
    samples, described = random_games()
    mine = values(network, described.bits[:200], described.phases[:200])
    trained = learned(FOUR, network)
    states = [FOUR.state_type.from_words(row) for row in samples.states[:200].tolist()]
    theirs = [trained.evaluate(s) if FOUR.to_move(s) == MAX else -trained.evaluate(s) for s in states]
    assert mine.tolist() == theirs
    out = fit.labels.scale * said(fit.shape, fit.best.astype(float), Batch(described.bits, described.phases, None))
    assert np.abs(out[:200] - mine).max() < 0.1 * fit.labels.scale


@pytest.mark.parametrize("hidden", [16, 1024])
def test_the_largest_weights_of_a_fit_fit_into_whole_numbers(hidden: int):
    shape = SparseShape(40, hidden, 2)
    for max_active in (10, 200):
        row = limits_of(shape, max_active)
        row[shape.size :] = 3
        numbers, last = rounded(shape, row, scale=100)
        assert check_numbers(shape, numbers, max_active) == ""
        assert shape.parts(numbers).second.max() >= 15
        network = SparseNetwork("any", shape, numbers, last)
        again = unrounded(network, scale=100)
        assert again[: shape.second] == pytest.approx(row[: shape.second], abs=1 / 255)
        assert again[shape.second :] == pytest.approx(row[shape.second :], rel=0.05)
