"""Patterns: updated indices equal fresh ones, symmetric copies share weights, wrong settings are reported in a line."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rows import CELLS, row_game
from some_network import some_weights
from walking import walk

import zerosum as zs
from zerosum.errors import GameError, WeightsError
from zerosum.game import MAX, Game
from zerosum.games import load
from zerosum.networks.patterns import ONE, PatternShape
from zerosum.networks.sparse_file import SparseNetwork, learned
from zerosum.patterns import family
from zerosum.search.evaluating import Evaluator

ENDS = ((0, 1, 7, 8, 14), (15, 21, 22, 28, 29), (69, 63, 57, 56, 50))
MIDDLE = ((35, 36, 42), (42, 36, 35))
LONG = (tuple(range(0, 20, 2)), tuple(range(69, 49, -2)))  # 3 ** 10 cases: more than a signed 16-bit number holds
PATTERNS = (ENDS, MIDDLE, LONG)


def pattern_game(**changes: Any) -> Game:
    return row_game(**{"patterns": PATTERNS, "cells": CELLS, **changes})


def random_states(game: Game, games: int) -> list[Any]:
    chooser, found = random.Random(7), []
    for _ in range(games):
        s = game.start()
        while not game.is_over(s):
            found.append(s)
            s = game.play(s, chooser.choice(game.legal_moves(s)))
    return found


def test_kept_indices_equal_fresh_ones_wherever_a_search_jumps():
    game = pattern_game()
    evaluated, differing = walk(learned(game, some_weights(game)), games=200)
    assert evaluated > 2000 and differing == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["othello", "connect-four"])
def test_kept_indices_equal_fresh_ones_in_games_that_have_patterns(name: str):
    game = load(name)
    evaluated, differing = walk(learned(game, some_weights(game)), games=2000)
    assert evaluated > 20_000 and differing == 0


def test_patterns_say_the_same_plain_and_compiled():
    game = pattern_game()
    trained, states = learned(game, some_weights(game)), random_states(game, 5)
    rows = np.array([game.state_type.words(s) for s in states])
    assert Evaluator(trained, rows).values().tolist() == [trained.evaluate(s) for s in states]


def test_the_value_is_what_the_formula_says():
    game = pattern_game(adjust=None)
    network = some_weights(game)
    trained = learned(game, network)
    row = network.numbers.reshape(2, -1)
    middle = {min(index, 9 * (index % 3) + 3 * (index // 3 % 3) + index // 9) for index in range(27)}
    places = [range(3**5), sorted(middle), range(3**10)]  # the middle can be read backwards
    for s in random_states(game, 5):
        mover, phase = game.to_move(s), game.phase(s)
        active = set(game.active(s, mover))
        kinds = [1 if cell in active else 2 if cell + CELLS in active else 0 for cell in range(CELLS)]
        total, begin = int(network.last[phase]), 0
        for instances, known in zip((ENDS, MIDDLE[:1], LONG), places, strict=True):
            for cells in instances:
                index, backwards = (
                    sum(kinds[cell] * 3**place for place, cell in enumerate(way)) for way in (cells, cells[::-1])
                )
                total += int(row[phase, begin + known.index(min(index, backwards) if cells in MIDDLE else index)])
            begin += len(known)
        value = total * 300 // ONE
        assert trained.evaluate(s) == (value if mover == MAX else -value)


@pytest.mark.slow
def test_searches_by_patterns_agree_with_and_without_machine_code():
    game = pattern_game()
    trained = learned(game, some_weights(game))
    found = [zs.Engine(trained, hash_mb=1, jit=jit).search(trained.start(), depth=2) for jit in (True, False)]
    assert found[0].value == found[1].value and found[0].nodes == found[1].nodes


# Symmetry


def test_the_same_cells_in_another_order_share_their_weights():
    shape = PatternShape.of(pattern_game())
    backwards = [9 * (i % 3) + 3 * (i // 3 % 3) + i // 9 for i in range(27)]
    assert (shape.ranks[1] == shape.ranks[1][backwards]).all()
    assert shape.weights == [3**5, 18, 3**10]


def test_a_symmetric_position_has_the_same_value():
    game = load("othello")
    trained = learned(game, some_weights(game))
    chooser = random.Random(3)
    for s in chooser.sample(random_states(game, 3), 10):
        cells, turn = game.format_state(s).split()
        rows = [cells[i : i + 8] for i in range(0, 64, 8)]
        turned = ["".join(column) for column in zip(*rows, strict=True)]
        images = [rows[::-1], [row[::-1] for row in rows], turned, [row[::-1] for row in turned[::-1]]]
        values = {trained.evaluate(game.parse_state(f"{''.join(image)} {turn}")) for image in [rows, *images]}
        assert len(values) == 1


def test_turns_are_a_group():
    quarter = ((0, 1, 2, 3), (1, 2, 3, 0))
    assert len(family(quarter).turns) == 4 and len(family(quarter).instances) == 1


# Errors


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"cells": None}, "cells must be a whole number from 1 to 65536, not None"),
        ({"cells": 30}, "active_features must be a multiple of cells = 30, not 140"),
        ({"patterns": [[[0, 70]]]}, r"family 0 of patterns: \(0, 70\) has a cell outside 0 to 69"),
        ({"patterns": [[[0], [1]], [[0, 1], [2]]]}, r"family 1 of patterns: \(2,\) is not 2 different cells"),
        ({"patterns": [[[5, 5]]]}, r"\(5, 5\) is not 2 different cells"),
        ({"patterns": [[tuple(range(11))]]}, "can be filled in 177147 ways, more than 65536"),
        ({"patterns": [[]]}, "it has no cells"),
        ({"patterns": [5]}, "it must be a list of instances, each a list of cells, not 5"),
        ({"patterns": [[[0, 1], [1, 0], [2, 3]]]}, r"in more orders than others, such as \(2, 3\)"),
        ({"patterns": [[[cell] for cell in range(70)]] * 30}, "more than 2048 instances"),
        ({"active": None}, r"patterns need active\(s, player\)"),
    ],
)
def test_wrong_patterns_are_told_in_a_line(changes: dict[str, Any], reason: str):
    with pytest.raises(GameError, match=reason) as caught:
        pattern_game(**changes)
    assert str(caught.value).startswith("row: ") and "\n" not in str(caught.value)


def test_a_cell_of_two_kinds_is_told():
    def both(s, player):
        for cell in range(0, 20, 2):
            yield cell
            yield CELLS + cell

    game = pattern_game(active=both, max_active=20)
    with pytest.raises(GameError, match="active yields two features of one cell, in Row"):
        game.checked_active(game.start(), MAX)
    with pytest.raises(GameError, match="active yields two features of one cell, in Row"):
        zs.Engine(learned(game, some_weights(game)), jit=False).search(game.start(), depth=1)


def test_no_index_leads_out_of_the_table():
    """This includes an index made from two kinds on one cell: an index has at most 16 bits."""
    shape = PatternShape.of(pattern_game())
    row = shape.tables(np.zeros(shape.size, np.int16), np.zeros(3, np.int64))["network"]
    assert (
        len(row) - 2**16 >= (shape.features + 1) * shape.hidden + (shape.phases - 1) * shape.table + shape.offsets.max()
    )


# Files


def test_weights_survive_their_file(tmp_path: Path):
    game = pattern_game()
    network = some_weights(game)
    network.write(tmp_path / "weights.npz", game)
    again = SparseNetwork.read(tmp_path / "weights.npz", game)
    assert (again.numbers == network.numbers).all() and (again.last == network.last).all()
    assert again.shape == network.shape


def test_files_of_other_patterns_and_damaged_ones_are_refused(tmp_path: Path):
    game, path = pattern_game(), tmp_path / "weights.npz"
    some_weights(game).write(path, game)
    for other in (pattern_game(patterns=PATTERNS[1:]), pattern_game(phases=3), row_game()):
        with pytest.raises(WeightsError, match="different features than row has now"):
            SparseNetwork.read(path, other)
    with np.load(path) as whole:
        parts = {name: whole[name] for name in whole.files}
    np.savez(path, **{**parts, "network": parts["network"][1:]})
    with pytest.raises(WeightsError, match=r"is damaged: .* numbers instead of"):
        SparseNetwork.read(path, game)
