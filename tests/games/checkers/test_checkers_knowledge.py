"""The evaluation, weights and openings of checkers."""

from __future__ import annotations

import json
import random
from collections import Counter
from importlib.resources import files

import pytest
from checkers_agreement import GAME, random_game, random_placement

from zerosum.arena.openings import Openings
from zerosum.game import Line
from zerosum.games.checkers import checkers
from zerosum.games.checkers.ballots import ballots, path
from zerosum.games.checkers.weights import FEATURES

UNTRAINED = checkers(trained=0)
TRAINED = checkers(network=0)


def value(fen, game=UNTRAINED):
    return game.evaluate(game.parse_state(fen))


def test_material_counts_most():
    assert value("B:W29,30:B1,2,3") > 50
    assert value("B:WK29,30:B1,2") < -10
    # The same lead counts for more among fewer pieces.
    assert value("B:WK18:BK10,K11") > value("B:WK18,K26,K27,K22,K23:BK10,K11,K6,K7,K2,K3") > 0


def test_a_man_that_nothing_can_stop_is_worth_more():
    assert value("B:WK32:B21") > value("B:WK29:B21")


def test_every_weight_has_a_part_in_the_evaluation():
    """Otherwise training would change a weight that has no effect."""
    dice = random.Random(2)
    states = [*random_game(dice), *(random_placement(dice) for _ in range(40))]
    before = [UNTRAINED.evaluate(s) for s in states]
    for name, number in UNTRAINED.weights_of().items():
        changed = UNTRAINED.with_(tables=UNTRAINED.with_weights({name: number + 500}))
        assert any(changed.evaluate(s) != value for s, value in zip(states, before, strict=True)), name
    assert len(UNTRAINED.weights_of()) == 2 * (len(FEATURES) - 1)


def test_the_weights_say_where_they_come_from():
    content = json.loads(files("zerosum.games.checkers").joinpath("weights.json").read_text(encoding="utf-8"))
    assert content["game"] == "checkers" and content["made"]["command"].startswith("zerosum train checkers")
    assert content["made"]["held-out error"]["after"] < content["made"]["held-out error"]["before"]
    assert {name: int(number) for name, number in content["weights"].items()} == TRAINED.weights_of()
    assert UNTRAINED.weights_of() != TRAINED.weights_of()


@pytest.mark.slow
def test_compiled_evaluation_is_the_same():
    dice = random.Random(4)
    for s in [*random_game(dice), *(random_placement(dice) for _ in range(100))]:
        assert GAME.compiled.evaluate(s) == GAME.evaluate(s)


def test_ballots_are_three_moves_to_different_positions_without_loss():
    ends = Counter()
    for text in ballots():
        line = Line.parse(GAME, text)
        assert len(line) == 3 and " ".join(line.texts()) == text
        ends[GAME.key(line.state)] += 1
    assert len(ends) == len(ballots()) and max(ends.values()) == 1


def test_ballots_are_openings_of_matches():
    openings = Openings(GAME, str(path()), seed=1)
    assert len(openings) == len(ballots())
    assert {" ".join(openings.opening(n).texts()) for n in range(len(openings))} == set(ballots())
