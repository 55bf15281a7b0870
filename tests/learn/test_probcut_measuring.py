"""Measuring how well shallow searches predict deep ones, and the files that store it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import zerosum as zs
from zerosum.cli import main
from zerosum.errors import LimitError, MissingRule, WeightsError
from zerosum.learn.files import with_weights_from, write_weights
from zerosum.learn.probcut import Sample, fitted, measure, shares_within_margins
from zerosum.networks.patterns import PatternShape
from zerosum.networks.sparse_file import SparseNetwork
from zerosum.probcut import Fit, ProbCut

FOUR = {"width": 5, "height": 4}
KNOWN = ProbCut((Fit(0, 4, 2, 1.25, -0.5, 2.0, 100),))


def drawn(count: int, seed: int) -> list[Sample]:
    """Return positions of two phases; each depth is 1.1 × the one before + 2, with errors of 3; the end as depth 6."""
    rng, samples = np.random.default_rng(seed), []
    for i in range(count):
        values = [rng.normal(0, 20)]
        for _ in range(6):
            values.append(1.1 * values[-1] + 2 + rng.normal(0, 3))
        samples.append(Sample(i % 2, 8, tuple(round(100 * value) for value in values[:6]), round(100 * values[6])))
    return samples


def test_the_fit_finds_the_numbers_that_values_were_made_by():
    found = fitted(drawn(4000, 1), 6)
    for phase in (0, 1):
        step = next(fit for fit in found.depths if fit[:3] == (phase, 3, 1))
        assert step.slope == pytest.approx(1.21, abs=0.02)
        assert step.offset == pytest.approx(420, abs=30)
        assert step.sigma == pytest.approx(300 * (1 + 1.21) ** 0.5, rel=0.05)
    (end,) = (fit for fit in found.ends if fit.shallow == 2)
    assert end.deep == 8 and end.slope == pytest.approx(1.1**4, abs=0.03)
    assert found.margin(95) == pytest.approx(1.96, abs=0.1)


def test_held_out_values_lie_within_the_margins_as_often_as_promised():
    kept = shares_within_margins(fitted(drawn(3000, 2), 6), drawn(3000, 3))
    assert [promise for promise, _ in kept] == [73, 87, 95, 98, 99]
    assert all(abs(promise - within) < 2 for promise, within in kept)


def test_errors_that_are_not_normal_make_wider_margins_at_high_confidence():
    rng = np.random.default_rng(4)
    samples = [Sample(0, 0, (x, x, round(x + 100 * rng.standard_t(2))), None) for x in rng.integers(-3000, 3000, 3000)]
    found = fitted(samples, 2)
    assert found.margin(99) > 3 and found.margin(73) < 1


def test_a_game_with_chance_or_without_an_evaluation_is_refused():
    with pytest.raises(LimitError, match="pig has chance nodes"):
        measure(zs.load("pig"))
    with pytest.raises(MissingRule, match="ProbCut needs evaluate"):
        measure(zs.load("tictactoe").with_(evaluate=None))


def test_patterns_keep_what_was_measured_in_their_file(tmp_path):
    four = zs.load("connect-four", **FOUR)
    shape = PatternShape.of(four)
    weights = SparseNetwork(four.name, shape, np.ones(shape.size, np.int16), np.ones(shape.phases + 1, np.int64))
    weights.write(tmp_path / "plain.npz", four)
    assert with_weights_from(four, tmp_path / "plain.npz").probcut is None
    SparseNetwork(four.name, shape, weights.numbers, weights.last, {}, KNOWN).write(tmp_path / "with.npz", four)
    assert with_weights_from(four, tmp_path / "with.npz").probcut == KNOWN


def test_what_was_measured_for_another_evaluation_is_refused(tmp_path):
    path, othello = tmp_path / "othello.json", zs.load("othello", patterns=0)
    write_weights(path, othello, othello.weights_of(), {}, KNOWN)
    assert with_weights_from(othello, path).probcut == KNOWN
    content = json.loads(path.read_text())
    content["weights"]["corner"] += 100
    path.write_text(json.dumps(content))
    with pytest.raises(WeightsError, match="measured for another evaluation of othello"):
        with_weights_from(othello, path)
    content["probcut"]["depths"] = 7
    path.write_text(json.dumps(content))
    with pytest.raises(WeightsError, match="damaged: in its probcut, 7 is not a list"):
        with_weights_from(othello, path)


def test_a_game_without_weights_by_name_has_a_file_of_measurements_alone(tmp_path):
    path, game = tmp_path / "four.json", zs.load("connect-four")
    write_weights(path, game, {}, {}, KNOWN)
    assert with_weights_from(game, path).probcut == KNOWN


@pytest.mark.slow
def test_the_command_measures_connect_four_and_its_searches_use_it(tmp_path, capsys):
    out = Path(tmp_path / "four.json")
    command = ["train", "connect-four", "--probcut", "--positions", "150", "--depth", "5", "--threads", "1"]
    assert main([*command, "--out", str(out)]) == 0
    output = capsys.readouterr().out
    assert "150 positions, depths 1 to 5" in output and "95 % within" in output
    game = with_weights_from(zs.load("connect-four"), out)
    assert game.probcut is not None and {fit.deep for fit in game.probcut.depths} == {1, 2, 3, 4, 5}
    options = ({"probcut": on, "probcut_confidence": 60} for on in (False, True))
    without, with_it = (zs.Engine(game, chosen).search(game.initial(), depth=12).nodes for chosen in options)
    assert with_it < without


def test_options_of_other_kinds_of_training_are_refused(tmp_path, capsys):
    assert main(["train", "connect-four", "--probcut", "--epochs", "3", "--out", str(tmp_path / "x")]) != 0
    assert "--epochs cannot be used with --probcut" in capsys.readouterr().err
    assert main(["train", "connect-four", "--probcut"]) != 0
    assert "--probcut needs --out FILE" in capsys.readouterr().err
