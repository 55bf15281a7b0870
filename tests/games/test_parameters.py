"""Parameters of games: senseless numbers are refused for every game, on one line that quotes them."""

from __future__ import annotations

import pytest

import zerosum as zs
from zerosum.errors import GameError
from zerosum.games import GAMES, parameters_of

NUMBERS = [(name, word) for name in GAMES for word, default in parameters_of(name).items() if type(default) is int]


@pytest.mark.parametrize(("name", "word"), NUMBERS)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 2**64, -(2**63), 1e300, 2.5])
def test_numbers_that_no_game_can_mean_are_refused(name, word, value):
    with pytest.raises(GameError) as caught:
        zs.load(name, **{word: value})
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{name}: {word} must be a ") and line.endswith(f"not {value!r}")


def test_other_numbers_are_for_the_game_to_judge():
    assert zs.load("checkers", draws=100).repetition == 3


def test_there_are_such_parameters():
    assert {("chess", "draws"), ("checkers", "draws"), ("pig", "target")} <= set(NUMBERS)
