"""Networks over sparse features: updated sums equal fresh ones, plain equals compiled, broken promises are reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rows import FEATURE_OUT_OF_RANGE, PHASE_OUT_OF_RANGE, TOO_MANY_FEATURES, row_game
from some_network import some_network
from walking import walk

import zerosum as zs
from zerosum.errors import GameError, WeightsError
from zerosum.game import MAX, MIN
from zerosum.games import load
from zerosum.networks.sparse import ONE, check_numbers
from zerosum.networks.sparse_file import SparseNetwork, learned
from zerosum.search.evaluating import Evaluator

FULL_WORDS = 192


def test_kept_sums_equal_fresh_ones_wherever_a_search_jumps():
    game = row_game(active_features=FULL_WORDS)
    evaluated, differing = walk(learned(game, some_network(game)), games=200)
    assert evaluated > 2000 and differing == 0


@pytest.mark.parametrize("features", [*(pytest.param(n, marks=pytest.mark.slow) for n in (140, 191)), FULL_WORDS])
def test_any_number_of_features_will_do(features: int):
    """This includes a full last word, and the thresholds' own feature as its highest bit."""
    game = row_game(active_features=features)
    assert walk(learned(game, some_network(game)), games=20)[1] == 0


@pytest.mark.slow
def test_kept_sums_equal_fresh_ones_in_chess():
    game = load("chess")
    evaluated, differing = walk(learned(game, some_network(game)), games=2000)
    assert evaluated > 100_000 and differing == 0


def test_a_network_says_the_same_plain_and_compiled():
    game = row_game()
    trained = learned(game, some_network(game))
    states, s = [], game.start()
    for move in (0, 7, 1, 63, 64, 14, 56, 57):
        s = game.play(s, move)
        states.append(s)
    rows = np.array([game.state_type.words(s) for s in states])
    assert Evaluator(trained, rows).values().tolist() == [trained.evaluate(s) for s in states]


def test_the_value_is_what_the_formula_says():
    game = row_game()
    network = some_network(game)
    s = game.play(game.play(game.start(), 7), 63)
    first, thresholds, second = (part.astype(float) for part in network.shape.parts(network.numbers))
    views = [thresholds + first[game.checked_active(s, player)].sum(axis=0) for player in (MAX, MIN)]
    units = np.concatenate([np.clip(view / 255, 0, 1) ** 2 for view in views])
    value = network.last[-1] * (units @ second[0] / 64 + network.last[0] / ONE)
    assert learned(game, network).evaluate(s) == pytest.approx(value, abs=1)


@pytest.mark.slow
def test_searches_by_a_network_agree_with_and_without_machine_code():
    game = row_game()
    trained = learned(game, some_network(game))
    found = [zs.Engine(trained, hash_mb=1, jit=jit).search(trained.start(), depth=2) for jit in (True, False)]
    assert found[0].value == found[1].value and found[0].nodes == found[1].nodes


@pytest.mark.parametrize("jit", [pytest.param(True, marks=pytest.mark.slow), False], ids=["compiled", "plain"])
@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (FEATURE_OUT_OF_RANGE, "active yields 210, outside 0 to 139"),
        (PHASE_OUT_OF_RANGE, "phase is 2, outside 0 to 1"),
        (TOO_MANY_FEATURES, "active yields 13 features, more than max_active = 12"),
    ],
)
def test_a_broken_promise_is_told_with_its_state(fault, line, jit):
    trained = learned(row_game(fault), some_network(row_game()))
    with pytest.raises(GameError, match=rf"row: {line}.* in Row\("):
        zs.Engine(trained, hash_mb=1, jit=jit).search(trained.start(), depth=3)


def test_features_need_their_number():
    with pytest.raises(GameError, match="active_features must be a whole number from 1 to 65536, not None"):
        row_game(active_features=None)


def test_a_network_survives_its_file(tmp_path: Path):
    game = row_game()
    network = some_network(game)
    network.write(tmp_path / "net.npz", game)
    again = SparseNetwork.read(tmp_path / "net.npz", game)
    assert (again.numbers == network.numbers).all() and (again.last == network.last).all()
    assert again.shape == network.shape


def test_files_of_other_games_and_features_and_damaged_ones_are_refused(tmp_path: Path):
    game, path = row_game(), tmp_path / "net.npz"
    some_network(game).write(path, game)
    with pytest.raises(WeightsError, match="holds a network of 'row', not of chess"):
        SparseNetwork.read(path, load("chess"))
    with pytest.raises(WeightsError, match="different features than row has now"):
        SparseNetwork.read(path, row_game(phases=3))
    moved = row_game(active=lambda s, player: (5,))
    with pytest.raises(WeightsError, match="different features than row has now"):
        SparseNetwork.read(path, moved)
    content = path.read_bytes()
    for place in range(0, len(content), 97):
        path.write_bytes(content[:place])
        with pytest.raises(WeightsError, match="not a network file"):
            SparseNetwork.read(path, game)


def test_numbers_whose_sums_could_overflow_are_refused():
    game = row_game()
    network = some_network(game)
    numbers = network.numbers.copy()
    network.shape.parts(numbers).first[:] = 30_000
    assert "first layer could reach" in check_numbers(network.shape, numbers, game.max_active)
    numbers = network.numbers.copy()
    network.shape.parts(numbers).second[0, 0] = 128
    assert "larger than 127" in check_numbers(network.shape, numbers, game.max_active)
