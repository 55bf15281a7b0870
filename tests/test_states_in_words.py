"""Facts about annotations that a State cannot have: the message says what to write."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple

import pytest

from zerosum.errors import GameError
from zerosum.state import StateType


class Colour(IntEnum):
    WHITE = 0
    BLACK = 1


def state_of(annotation):
    return NamedTuple("Board", [("cells", annotation), ("turn", int)])


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (list, ("Board.cells is annotated list", "cells: tuple[(int,) * 24]")),
        (list[int], ("list[int]", "tuple[(int,) * 24]")),
        (tuple[int, ...], ("tuple[int, ...]", "tuple[(int,) * 24]")),
        (tuple, ("annotated tuple", "tuple[(int,) * 24]")),
        (set[int], ("set[int]", "a bit for each member")),
        (dict[int, int], ("dict[int, int]", "tuple[(int,) * n]")),
        (str, ("annotated str", "names in a constant")),
        (float, ("annotated float", "whole numbers")),
        (int | None, ("int | None", "-1 for nothing")),
        (object, ("annotated object", "tuple[(int,) * 9]")),
    ],
)
def test_what_cannot_be_in_a_state_is_answered_by_what_can(annotation, words):
    with pytest.raises(GameError) as caught:
        StateType(state_of(annotation))
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize("annotation", [Colour, Literal[0, 1], bool])
def test_small_numbers_have_many_names(annotation):
    assert StateType(state_of(annotation)).kinds == ["int", "int"]


def test_a_class_that_is_no_namedtuple_is_named():
    with pytest.raises(GameError, match=r"not Colour: write 'class Colour\(NamedTuple\):'"):
        StateType(Colour)
