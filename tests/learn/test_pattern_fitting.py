"""Pattern weights fitted to positions: gradients are right, few positions change little, rounding changes little."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from test_fitting import FOUR, play_against_chance, random_games

from zerosum.errors import GameError, LimitError
from zerosum.game import MAX
from zerosum.learn.labels import Labels
from zerosum.learn.pattern_descent import Numbering, PatternDescent, seen
from zerosum.learn.pattern_fitting import PatternFit, PatternOptions
from zerosum.learn.pattern_quantising import quantised, rounded, unrounded
from zerosum.learn.sparse_descent import Batch, Loss
from zerosum.networks.patterns import PatternShape
from zerosum.networks.sparse_file import SparseNetwork, learned

SMALL = PatternShape(cells=6, kinds=2, phases=3, patterns=(((0, 1, 2), (2, 1, 0), (3, 4, 5), (5, 4, 3)), ((1, 4),)))
"""Two rows of three cells, which can be read from either end, and a column."""


def some_positions(count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the kinds of the six cells, the same as bits, and phases."""
    chance = np.random.default_rng(seed)
    kinds = chance.integers(0, 3, (count, 6))
    rows = np.concatenate([kinds == 1, kinds == 2], axis=1)
    bits = np.packbits(np.pad(rows, ((0, 0), (0, 52))), axis=1, bitorder="little")
    return kinds, bits, chance.integers(0, 3, count).astype(np.uint8)


def some_batch(count: int) -> Batch:
    _, bits, phases = some_positions(count)
    targets = np.random.default_rng(2).random(count).astype(np.float32)
    return Batch(seen(SMALL, Numbering.of(SMALL), bits, phases), phases, targets)


def a_fit(**options: object) -> PatternFit:
    chosen = {"epochs": 8, "held_out": 0.1, "seed": 2, "prior": 1.0, **options}
    labels = Labels(False, scale=100, sharpness=0.01, trust=float(chosen.get("trust", 0.7)))  # type: ignore[arg-type]
    return PatternFit(FOUR, *random_games(), PatternOptions(**chosen), labels=labels)  # type: ignore[arg-type]


# One step


def test_a_position_has_the_weights_that_its_cells_say():
    kinds, bits, phases = some_positions(50)
    numbering = Numbering.of(SMALL)
    row = np.random.default_rng(3).normal(0, 1, numbering.size)
    descent = PatternDescent.begin(SMALL, Loss(True), 1.0, row)
    numbers, last = rounded(SMALL, row, scale=1000)
    weights = SMALL.tables(numbers, last)["network"][13 * 16 :][: 3 * 36].reshape(3, 36) * (last[-1] / 1000 / 4096)
    alone = numbering.tables[-1].part(row, 3)
    for said, cells, phase in zip(descent.out(seen(SMALL, numbering, bits, phases)), kinds, phases, strict=True):
        rows = [int(cells[i : i + 3] @ [1, 3, 9]) for i in (0, 3)]
        column = 27 + int(cells[1] + 3 * cells[4])
        wanted = weights[phase, [*rows, column]].sum() + alone[phase, 0] + alone[3, 0]
        assert said == pytest.approx(wanted, abs=1e-3)


def test_a_pattern_read_backwards_is_one_weight():
    table = Numbering.of(SMALL).tables[0]
    assert table.weights == 9 + (27 - 9) // 2 and list(table.instances) == [0, 1]


def test_what_new_positions_do_not_tell_about_stays_as_it_was():
    batch, began = some_batch(8), np.random.default_rng(5).normal(0, 0.3, Numbering.of(SMALL).size)
    unseen = PatternDescent.begin(SMALL, Loss(True), 5.0, began)
    unseen.count(batch.seen)
    for _ in range(6):
        unseen.step(batch)
    alone = unseen.counts == 0
    assert alone.any() and np.array_equal(unseen.row[alone], began[alone])
    assert np.abs(unseen.row - began)[~alone].max() > 0.1
    firm = PatternDescent.begin(SMALL, Loss(True), 1e8, began)
    firm.count(batch.seen)
    firm.step(batch)
    assert np.allclose(firm.row, began, atol=1e-4)


@pytest.mark.parametrize("loss", [Loss(False), Loss(False, 2.5), Loss(True)])
def test_slopes_are_those_of_the_loss(loss: Loss):
    batch, chance = some_batch(40), np.random.default_rng(1)
    descent = PatternDescent.begin(SMALL, loss, 1.0, chance.normal(0, 0.4, Numbering.of(SMALL).size))
    out = descent.out(batch.seen)
    found = descent.added_up(batch.seen, loss.slope(np, out, batch.targets)[1])

    def total(row: np.ndarray) -> float:
        return float(loss.of(np, descent.out(batch.seen, row).astype(float), batch.targets).sum())

    for place in range(len(descent.row)):
        step = np.zeros_like(descent.row)
        step[place] = 1e-2
        rise = total(descent.row + step) - total(descent.row - step)
        assert found[place] == pytest.approx(rise / 2e-2, abs=5e-3)


@pytest.mark.parametrize("loss", [Loss(False), Loss(False, 2.5), Loss(True)])
def test_every_step_goes_down(loss: Loss):
    batch = some_batch(300)
    descent = PatternDescent.begin(SMALL, loss, 1.0, np.zeros(Numbering.of(SMALL).size))
    descent.count(batch.seen)
    heights = []
    for _ in range(12):
        drawn = float(descent.row @ descent.row) * (1 if loss.scored else 1 / 16)  # the prior's share
        heights.append(float(descent.step(batch)) + drawn)
    assert all(after < before + 1e-3 for before, after in pairwise(heights))
    assert heights[-1] < 0.95 * heights[0]


def test_squares_end_at_the_best_weights_that_there_are():
    batch, prior = some_batch(400), 2.0
    numbering = Numbering.of(SMALL)
    descent = PatternDescent.begin(SMALL, Loss(True), prior, np.zeros(numbering.size))
    descent.count(batch.seen)
    for _ in range(80):
        descent.step(batch)
    matrix = np.array([descent.out(batch.seen, unit) for unit in np.eye(numbering.size)]).T
    best = np.linalg.solve(matrix.T @ matrix + prior * np.eye(numbering.size), matrix.T @ batch.targets)
    assert descent.row == pytest.approx(best, abs=1e-4)


def test_neither_threads_nor_a_card_show():
    batch, found = some_batch(20_000), []
    card = SimpleNamespace(**vars(np))  # NumPy, disguised as another module
    for on, threads in ((np, 1), (np, 3), (card, 1)):
        descent = PatternDescent.begin(SMALL, Loss(False), 1.0, np.zeros(Numbering.of(SMALL).size), on, threads)
        descent.count(batch.seen)
        for _ in range(3):
            descent.step(batch)
        found.append(descent.row)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_two_kinds_on_one_cell_are_refused():
    _, bits, phases = some_positions(5)
    bits[2, 0] |= 0b01000001
    with pytest.raises(GameError, match="two features of one cell"):
        seen(SMALL, Numbering.of(SMALL), bits, phases)


# Fits


def test_a_fit_learns_what_it_was_not_shown():
    fit = a_fit(trust=1.0)
    assert len(list(fit.run())) == 8
    before, after = fit.curve[0][1], min(held_out for _, held_out in fit.curve)
    assert after < 0.3 * before


def test_what_nobody_has_seen_is_worth_nothing():
    fit = a_fit()
    list(fit.run())
    assert (fit.row[fit.descent.counts == 0] == 0).all()


def test_a_strong_prior_keeps_weights_small():
    sizes = []
    for prior in (0.1, 100.0):
        fit = a_fit(prior=prior)
        list(fit.run())
        sizes.append(float(np.abs(fit.row).sum()))
    assert sizes[1] < 0.3 * sizes[0]


def test_what_comes_out_plays_better_than_no_evaluation():
    fit = a_fit()
    list(fit.run())
    nothing = FOUR.with_(evaluate=lambda s: 0)
    trained = learned(FOUR, quantised(fit)[0])
    assert play_against_chance(trained, 40) > play_against_chance(nothing, 40) + 0.05


def test_a_fit_that_was_left_and_taken_up_again_is_the_same():
    unbroken, left, taken_up = a_fit(epochs=5), a_fit(epochs=5), a_fit(epochs=5)
    list(unbroken.run())
    for number, _ in enumerate(left.run(), 1):
        if number == 2:
            break
    taken_up.restore(*left.state())
    assert taken_up.epoch == 2
    list(taken_up.run())
    assert np.array_equal(unbroken.row, taken_up.row) and unbroken.curve == taken_up.curve


def test_senseless_options_are_refused():
    for wrong in ({"prior": 0.0}, {"epochs": 0}, {"power": 1.0}, {"trust": 2.0}):
        with pytest.raises(LimitError):
            PatternOptions(**wrong)  # type: ignore[arg-type]


# Whole numbers


def test_whole_numbers_differ_by_what_is_told():
    fit = a_fit()
    list(fit.run())
    network, found = quantised(fit)
    assert found.mean <= found.largest < 0.02 * fit.labels.scale
    assert found.error_after == pytest.approx(found.error_before, rel=0.01)
    assert [phase for phase, _, _ in found.by_phase] == [0, 1, 2, 3]
    assert sum(positions for _, positions, _ in found.by_phase) == found.positions
    assert all(0 < missed < 0.5 for _, _, missed in found.by_phase)
    samples, described = random_games()
    trained = learned(FOUR, network)
    positions = seen(fit.shape, fit.descent.numbering, described.bits[:200, 0], described.phases[:200])
    fractions = fit.labels.scale * fit.descent.out(positions, fit.best)
    for row, said in zip(samples.states[:200].tolist(), fractions, strict=True):
        s = FOUR.state_type.from_words(row)
        value = trained.evaluate(s)
        assert (value if FOUR.to_move(s) == MAX else -value) == pytest.approx(float(said), abs=1)


def test_a_fit_can_begin_with_whole_numbers():
    row = np.random.default_rng(3).normal(0, 1, Numbering.of(SMALL).size)
    network = SparseNetwork("any", SMALL, *rounded(SMALL, row, scale=100))
    again = rounded(SMALL, unrounded(network, scale=100), scale=100)
    assert np.abs(again[0].astype(int) - network.numbers).max() <= 1 and (again[1] == network.last).all()
