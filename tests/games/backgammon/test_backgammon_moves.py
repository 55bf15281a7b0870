"""Legal plays in backgammon, checked against known counts, a straightforward generator and GNU Backgammon."""

import math

import pytest
from samples import samples
from slow_backgammon import ROLLS, game_positions, results, strange_positions

from zerosum.games.backgammon import backgammon
from zerosum.games.backgammon.generate import MOST_MOVES, PASS
from zerosum.games.backgammon.position_id import position_of, sides

game = backgammon()

START_COUNTS = {11: 42, 21: 15, 22: 75, 31: 16, 33: 73, 44: 52, 55: 4, 66: 11}


def after_each(s):
    return [game.play(s, move) for move in game.moves(s)]


def test_the_start_has_447_plays_over_all_rolls():
    counts = {roll: len(after_each(game.play(game.initial(), roll))) for roll in ROLLS}
    assert sum(counts.values()) == 447
    assert {roll: counts[roll] for roll in START_COUNTS} == START_COUNTS


@pytest.mark.parametrize(
    "positions", [game_positions(samples(120), 1), strange_positions(samples(400), 2)], ids=["games", "strange"]
)
def test_every_result_of_the_obvious_generator_comes_once(positions):
    for s in positions:
        found = after_each(s)
        assert len(set(found)) == len(found), s
        assert set(found) == results(s), s


def test_agrees_with_gnu_backgammon():
    gnubg = pytest.importorskip("gnubg_nn", reason="pip install gnubg-nn to compare with it")

    def key(own, other):
        return gnubg.key_of_board([other[1:], own[1:]])

    for s in [*game_positions(200, 3), *strange_positions(300, 4)]:
        own, other = sides(s)
        theirs = list(gnubg.moves([other[1:], own[1:]], *divmod(s.roll, 10)))
        # If nothing can be played, GNU Backgammon has no move; here there is a pass.
        if list(game.moves(s)) == [PASS]:
            assert theirs == []
            continue
        # Afterwards it is the opponent's turn.
        assert sorted(key(*reversed(sides(after))) for after in after_each(s)) == sorted(theirs), s


def test_a_blocked_roll_is_a_pass():
    own = [0] * 26
    own[25] = 15
    other = [0, 3, 3, 3, 2, 2, 2] + [0] * 19
    s = position_of(own, other, 0, 66)
    assert list(game.moves(s)) == [PASS]
    assert game.play(s, PASS) == position_of(other, own, 1)


def test_no_roll_can_have_more_plays_than_there_are_ways_to_share_out_four_steps():
    assert math.comb(15 + 4 - 1, 4) == MOST_MOVES
    # The most that hill climbing from random positions has found: fifteen single checkers and nothing in their way.
    own = [0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0]
    other = [13, *[0] * 24, 2]
    assert len(after_each(position_of(own, other, 0, 11))) == 2225


@pytest.mark.slow
def test_compiled_rules_are_the_same():
    for s in [*game_positions(150, 5), *strange_positions(150, 6)]:
        found = list(game.moves(s))
        assert list(game.compiled.moves(s)) == found
        for move in found[:5]:
            assert game.compiled.play(s, move) == game.play(s, move)
