"""The shipped network and its features: well-known facts, and the same values for both sides."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from samples import PLAIN_OR_COMPILED, samples
from slow_backgammon import game_positions

import zerosum as zs
from zerosum.games.backgammon.features import CONTACT, INPUTS, NAMES, RACE, shots
from zerosum.games.backgammon.position import POINTS, Position
from zerosum.games.backgammon.position_id import position_of
from zerosum.networks.network import Network, parse

game = zs.load("backgammon")

# The number of the 36 rolls that hit a blot at this distance with nothing in between, as listed in backgammon books.
SHOTS = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3, 15: 1, 16: 1, 18: 1, 20: 1}


def row_of(s: Position) -> tuple[int, np.ndarray]:
    out = np.zeros(INPUTS)
    return game.features(s, out), out


def turned(s: Position) -> Position:
    """The same position with the players' roles swapped."""
    return Position(s.min_low, s.min_high, s.max_low, s.max_high, 1 - s.player, s.roll)


@pytest.mark.parametrize(("distance", "count"), SHOTS.items())
def test_shots_are_the_books(distance: int, count: int):
    assert shots(1 << POINTS, 0, 1 << POINTS - distance, 0) & 255 == count


def test_shots_from_the_bar_and_past_blocks():
    bar = 1 << 25
    assert shots(bar, 1, 1 << 24, 0) & 255 == 11  # only a one enters on the 24 point, and nothing combines
    assert shots(1 << 24, 0, 1 << 17, 1 << 18 | 1 << 23) & 255 == 4  # seven away: 61 is blocked, 52 and 43 are not
    assert shots(1 << 24, 0, 1 << 18, 0) >> 8 == 17 * 18  # each of the 17 hits costs a checker that came 18 pips


def test_both_players_are_judged_alike():
    for s in game_positions(samples(60), 11):
        s = s._replace(roll=0)
        kind, row = row_of(s)
        other_kind, other_row = row_of(turned(s))
        assert np.array_equal(row, other_row)
        assert {kind, other_kind} in ({CONTACT, CONTACT + 1}, {RACE, RACE + 1}, {-1, -2})
        assert game.evaluate(s) == pytest.approx(-game.evaluate(turned(s)), abs=1e-6)
        assert -3 <= game.evaluate(s) <= 3
        chances = list(game.chances_of(s).values())
        assert chances[0] == pytest.approx(1 - game.chances_of(turned(s))["win"], abs=1e-6)
        won, lost = chances[0], 1 - chances[0]
        value = won - lost
        for more, less in zip(chances[1:3], chances[3:], strict=True):
            won, lost = min(won, more), min(lost, less)
            value += won - lost
        assert game.evaluate(s) == pytest.approx(value, abs=1e-5)


def test_names_are_as_many_as_features():
    assert len(NAMES) == len(set(NAMES)) == INPUTS
    for s in game_positions(40, 12):
        kind, row = row_of(s)
        assert np.isfinite(row).all() and (kind < 0 or row.any())


@PLAIN_OR_COMPILED
def test_a_search_plays_what_the_plain_evaluation_likes(jit):
    engine = zs.Engine(game, jit=jit)
    for s in game_positions(samples(12, at_least=4), 13):
        sign = 1 if s.player == 0 else -1
        values = [sign * game.evaluate(game.play(s, move)) for move in game.moves(s)]
        assert sign * engine.search(s, depth=1).value == pytest.approx(max(values), abs=1e-4)


@PLAIN_OR_COMPILED
def test_the_player_knows_its_openings(jit):
    """The best plays of 31, 42 and 61 are undisputed: each makes a point."""
    engine = zs.Engine(game, jit=jit)
    for roll, best in ((31, "8/5 6/5"), (42, "8/4 6/4"), (61, "13/7 8/7")):
        s = game.play(game.initial(), roll)
        assert game.format_move(s, engine.search(s, depth=1).move) == best


def test_a_race_is_won_by_who_is_ahead():
    ahead, behind = [0] * 26, [0] * 26
    ahead[0], ahead[7], ahead[6], ahead[5] = 5, 2, 4, 4
    behind[10], behind[8], behind[6] = 5, 5, 5
    s = position_of(ahead, behind, 0)
    assert row_of(s)[0] == RACE
    assert game.evaluate(s) > 0.9
    assert game.evaluate(position_of(behind, ahead, 0)) < -0.9


def test_the_shipped_file_says_how_it_was_made():
    content = files("zerosum.games.backgammon").joinpath("network.npz").read_bytes()
    assert len(content) < 2_000_000
    header = parse(content, "network.npz").header
    network = Network.parse(content, game, "network.npz")
    assert "backgammon_learning.py" in network.made["command"] or "zerosum train" in network.made["command"]
    assert "seed" in json.dumps(header["made"]) and network.made["games"] > 0
