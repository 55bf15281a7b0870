"""Facts about rollouts: the averages are right, the same for any number of threads, and their errors are honest."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest
from samples import samples

import zerosum as zs
from zerosum.errors import GameError, LimitError, MissingRule
from zerosum.games.pig import pig
from zerosum.search.rollout import roll_out


class Urn(NamedTuple):
    drawn: int  # a stone of the urn, and 0 before that
    bet: int


def urn() -> zs.Game:
    """A bet on a stone: MAX gets its number or, with the other bet, half of its square."""

    def stones(s):
        for stone in range(1, 7):
            yield stone, stone / 21

    return zs.Game(
        "urn",
        Urn,
        lambda: Urn(0, 0),
        lambda s: zs.CHANCE if s.bet else zs.MAX,
        lambda s: iter((1, 2)),
        lambda s, move: Urn(move, s.bet) if s.bet else Urn(0, move),
        lambda s: s.drawn if s.bet == 1 else s.drawn * s.drawn / 2,
        2,
        is_terminal=lambda s: s.drawn > 0,
        chances=stones,
        max_chances=6,
        evaluate=lambda s: 7.0 * s.bet,
    )


MEAN_1, MEAN_2 = 91 / 21, 441 / 42


def test_the_average_is_the_mean_within_its_error():
    game = urn()
    one, two = roll_out(game, [Urn(0, 1), Urn(0, 2)], games=3600, jit=False)
    for found, mean in ((one, MEAN_1), (two, MEAN_2)):
        assert found.games == 3600 and abs(found.value - mean) < 4 * found.error
    assert [result for result, _ in one.outcomes] == [1, 2, 3, 4, 5, 6]
    assert one.chance(6) == pytest.approx(6 / 21, abs=0.01)
    assert one.plies == 3600


def test_dice_that_are_spread_evenly_leave_a_smaller_error():
    game = urn()
    (spread,) = roll_out(game, [Urn(0, 1)], games=3600, spread=1, jit=False)
    (not_spread,) = roll_out(game, [Urn(0, 1)], games=3600, spread=0, jit=False)
    assert spread.error < 0.25 * not_spread.error
    # The error of independent games: the deviation over the root of their number.
    deviation = math.sqrt(441 / 21 - MEAN_1**2)
    assert not_spread.error == pytest.approx(deviation / 60, rel=0.2)


@pytest.mark.parametrize("spread", [pytest.param(0, marks=pytest.mark.slow), 1])
def test_errors_are_honest(spread):
    """About 95 in 100 rollouts have the true value in their interval."""
    game, hits = urn(), 0
    for seed in range(100):
        (found,) = roll_out(game, [Urn(0, 2)], games=samples(360, at_least=180), seed=seed, spread=spread, jit=False)
        hits += abs(found.value - MEAN_2) <= found.interval
    assert 85 <= hits <= 99


def test_without_luck_nothing_is_left_to_chance_where_the_evaluation_knows_all():
    game = urn()
    (found,) = roll_out(game, [Urn(0, 1)], games=360, luck=1, jit=False)
    assert found.value == pytest.approx(MEAN_1, abs=1e-9) and found.error < 1e-6
    assert len(found.outcomes) > 1  # the games themselves are as they were


def test_each_side_plays_the_move_that_the_evaluation_likes_best():
    game = urn()
    (best,) = roll_out(game, [game.initial()], games=720, jit=False)
    (two,) = roll_out(game, [Urn(0, 2)], games=720, jit=False)
    assert best.value == pytest.approx(two.value, abs=0.3) and best.plies == 2 * best.games
    (any_move,) = roll_out(game.with_(evaluate=None), [game.initial()], games=1440, jit=False)
    assert any_move.value == pytest.approx((MEAN_1 + MEAN_2) / 2, abs=0.6)


def test_equal_seeds_give_equal_games_on_any_number_of_threads_compiled_or_not():
    game = pig(15)
    s = game.initial()
    found = [
        roll_out(game, [s, game.play(s, 1)], games=200, seed=3, threads=threads, jit=jit, luck=1)
        for threads, jit in ((1, True), (2, True), (3, True), (2, False))
    ]
    plain = [[(r.value, r.error, r.games, r.outcomes, r.plies) for r in rollouts] for rollouts in found]
    assert plain[0] == plain[1] == plain[2]
    for one, other in zip(plain[0], plain[3], strict=True):
        assert one[0] == pytest.approx(other[0], abs=1e-12) and one[2:] == other[2:]
    assert plain[0][0][2] == 216  # whole rounds of 36
    assert plain[0][0] != next((r.value, r.error, r.games, r.outcomes, r.plies) for r in roll_out(game, [s], seed=4))


def test_a_rollout_of_pig_agrees_with_its_exact_value():
    """Hold immediately, or roll on at 12 of 15 points with 2 points in this turn: the rest of the game is short."""
    game = pig(15)
    s = game.parse_state("12 13 2 max")
    exact = {line.move: line.value for line in zs.Engine(game).search(s, depth=60, multipv=2).lines}
    for found in zs.Engine(game, threads=2).rollout_moves(s, games=20_000):
        assert abs(found.value - exact[found.move]) < 0.03


def test_it_stops_at_a_wanted_precision_and_reports_on_the_way():
    game = pig(20)
    intervals: list[float] = []
    engine = zs.Engine(game, jit=False)
    found = engine.rollout(game.initial(), precision=0.12, on_report=lambda r: intervals.append(r.interval))
    assert found.interval <= 0.12 and len(intervals) > 1
    assert all(interval > 0.12 for interval in intervals[:-1])
    assert intervals[-1] == found.interval


def test_it_stops_in_time():
    game = pig()
    found = zs.Engine(game, jit=False).rollout(game.initial(), seconds=0.5)
    assert found.seconds > 0.4  # and it ends, though no other limit was given


def test_broken_off_games_are_evaluated():
    game = pig(100)
    (found,) = roll_out(game, [game.initial()], games=36, plies=1, jit=False)
    assert found.unfinished == 36 and found.finished == 0 and found.outcomes == ()
    assert found.plies == 36  # the die is in the air


def test_moves_are_listed_best_first_for_whom_it_is_to_move():
    game = pig(20)
    for text, best in (("8 0 9 max", 1), ("0 8 9 min", -1)):
        found = zs.Engine(game, jit=False).rollout_moves(game.parse_state(text), games=360)
        values = [best * r.value for r in found]
        assert len(values) == 2 and values == sorted(values, reverse=True)
        (only,) = zs.Engine(game, jit=False).rollout_moves(game.parse_state(text), [found[1].move], games=36)
        assert only.move == found[1].move


def test_what_cannot_be_rolled_out_is_refused():
    game = pig(20)
    engine = zs.Engine(game, jit=False)
    with pytest.raises(LimitError, match="tictactoe has no chance nodes"):
        zs.Engine(zs.load("tictactoe"), jit=False).rollout(zs.load("tictactoe").initial())
    with pytest.raises(LimitError, match="precision must be more than 0, not -1"):
        engine.rollout(game.initial(), precision=-1)
    with pytest.raises(LimitError, match="games must be a whole number of at least 1, not 0"):
        engine.rollout(game.initial(), games=0)
    with pytest.raises(LimitError, match="luck must be a whole number of at least 0, not -1"):
        engine.rollout(game.initial(), luck=-1)
    for name in ("games", "plies", "luck"):
        with pytest.raises(LimitError, match=f"{name} must be at most 1000000000000000000, not 9999"):
            engine.rollout(game.initial(), **{name: 99999999999999999999})
    with pytest.raises(MissingRule, match="needs evaluate"):
        zs.Engine(game.with_(evaluate=None), jit=False).rollout(game.initial(), plies=3)
    with pytest.raises(LimitError, match="chance is to move"):
        engine.rollout_moves(game.parse_state("0 0 0 max rolling"))


def test_a_game_without_end_and_wrong_chances_are_reported():
    endless = urn().with_(play=lambda s, move: s, is_terminal=lambda s: False, evaluate=None)
    with pytest.raises(GameError, match="may never end"):
        roll_out(endless, [Urn(0, 1)], games=36, jit=False)

    def half(s):
        yield 1, 0.5

    with pytest.raises(GameError, match=r"add up to 0\.5"):
        roll_out(urn().with_(chances=half), [Urn(0, 1)], games=36, jit=False, threads=2)
