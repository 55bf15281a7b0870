"""The engine's functional signature: positions visited in a fixed piece of work (``zerosum bench``).

A change that alters what the search does (move ordering, pruning, an evaluation, a game's rules)
changes these numbers: run ``zerosum bench``, check that the new ones are no worse, copy them here, and say in the
commit why they changed. If you only meant to make something faster or cleaner and a number changes, it is a mistake.
"""

from __future__ import annotations

import pytest

from zerosum.errors import GameError
from zerosum.games import GAMES, load
from zerosum.signature import DEPTHS, positions, signature

SIGNATURES = {
    "tictactoe": 2_351,
    "connect-four": 2_521_978,
    "kalah": 921_609,
    "othello": 124_829,
    "chess": 290_536,
    "checkers": 580_240,
    "morris": 260_478,
    "hex": 357_859,
    "nim": 1_748,
}


# No other test needs these kernels; nim's signature is small enough for plain Python: see below.
ONLY_HERE = ("nim", "morris", "kalah", "hex", "checkers")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in ONLY_HERE else name for name in SIGNATURES],
)
def test_the_search_visits_as_many_positions_as_ever(name):
    found = signature(load(name))
    assert found.nodes == SIGNATURES[name]
    assert found.depth == DEPTHS[name] and found.positions == 8
    assert found.branching > 1 and found.seconds > 0


@pytest.mark.parametrize(
    ("name", "depth", "nodes"), [("kalah", 5, 3_304), ("hex", 1, 899), ("morris", 2, 638), ("checkers", 3, 1_781)]
)
def test_plain_python_visits_as_many_positions_as_ever_at_a_smaller_depth(name, depth, nodes):
    assert signature(load(name), depth, jit=False).nodes == nodes


def test_every_game_without_chance_has_a_signature():
    assert {name for name in GAMES if not load(name).has("chances")} == set(SIGNATURES) == set(DEPTHS)
    with pytest.raises(GameError, match="pig has chance"):
        signature(load("pig"))


def test_the_positions_never_change():
    texts = ["".join(line.texts()) for line in positions(load("connect-four"))]
    assert texts == [
        "", "14", "1473", "157227", "231765672", "541277253656", "6671736275", "2133123524475",
    ]  # fmt: skip


def test_plain_python_visits_the_same_positions():
    """The uncompiled kernel is the same search."""
    game = load("tictactoe")
    assert signature(game, 3, jit=False).nodes == signature(game, 3).nodes
    assert signature(load("nim"), jit=False).nodes == SIGNATURES["nim"]
