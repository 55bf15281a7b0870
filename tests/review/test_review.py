"""Reviews of finished games, and the luck of the dice."""

from __future__ import annotations

from typing import Any

import pytest

from zerosum.engine import Engine
from zerosum.game import MAX, MIN, Line
from zerosum.games import load
from zerosum.review.luck import Luck, knows_luck
from zerosum.review.reviewing import blunder_of, event_texts, events_before, review_game, summary


def reviewed(name: str, moves: str, **limits: Any) -> list[Any]:
    game = load(name)
    return list(review_game(Engine(game, hash_mb=1, jit=False), Line.parse(game, moves), **limits))


def test_the_engine_finds_no_fault_with_its_own_play_and_forced_moves_are_not_counted() -> None:
    game = load("tictactoe")
    engine = Engine(game, hash_mb=1, jit=False)
    line = Line(game, Line.parse(game, "5 1 9").state)
    while not game.is_over(line.state):
        line = line.play(engine.search(line, depth=9).move)
    found = list(review_game(engine, line, depth=9))
    assert [one.loss for one in found] == [0] * 6 and found[-1].choices == 1
    both = summary(found, 100)
    assert (both[MIN].moves, both[MAX].moves, both[MAX].faultless) == (3, 2, 2)


def test_the_loss_is_what_a_search_of_each_move_alone_says() -> None:
    """Kalah counts seeds, so a loss is a number of seeds."""
    game = load("kalah", pits=3, seeds=2)
    line = Line.parse(game, "1 1 2")
    engine = Engine(game, hash_mb=1, jit=False)
    for one in review_game(engine, line, depth=6):
        s = line.states[one.ply]
        sign = 1 if one.player == MAX else -1
        values = {m: sign * Engine(game, jit=False).search(s, depth=6, moves=[m]).value for m in game.legal_moves(s)}
        assert one.loss == max(values.values()) - values[one.move]


def test_where_only_winning_counts_no_more_than_ten_units_are_lost() -> None:
    game = load("tictactoe")
    line = Line(game, Line.parse(game, "5 1 9").state, [1])  # only a corner would have held the draw
    (lost,) = review_game(Engine(game, hash_mb=1, jit=False), line, depth=9)
    assert lost.loss == 1000 and lost.best.outcome == 0 and lost.played.outcome == 1
    found = summary([lost], 100)
    assert (found[MIN].blunders, found[MAX].moves) == (1, 0)


def test_events_belong_to_the_move_behind_them() -> None:
    line = Line.parse(load("backgammon"), "31; 8/5 6/5; 66; 24/18(2) 13/7(2)")
    assert [event_texts(line, events_before(line, ply)) for ply in (1, 3)] == [["31"], ["66"]]
    found = reviewed("pig", "roll 5 hold roll 1 roll", depth=2)
    assert [(one.ply, one.player) for one in found] == [(0, MAX), (2, MAX), (3, MIN), (5, MAX)]
    assert all(isinstance(one.loss, float) or one.loss == 0 for one in found)


def test_luck_is_nothing_on_average_and_knows_better_from_worse() -> None:
    game = load("pig", target=20)
    dice = Luck(game, jit=False)
    line = Line.parse(game, "roll 5 roll 4 hold roll")
    outcomes = {roll: (chance, dice.of(line.play(roll))[len(line)]) for roll, chance in game.chances(line.state)}
    assert sum(chance * found for chance, found in outcomes.values()) == pytest.approx(0, abs=1e-9)
    assert outcomes[1][1] == max(found for _, found in outcomes.values()) > 0  # MIN's roll of 1 is MAX's luck
    assert [knows_luck(load(name)) for name in ("pig", "backgammon", "tictactoe")] == [True, True, False]


@pytest.mark.parametrize(("name", "loss"), [("chess", 100), ("backgammon", 0.08), ("othello", 2)])
def test_what_a_blunder_is(name: str, loss: float) -> None:
    assert blunder_of(load(name), 100) == loss


def test_a_slower_win_is_no_blunder() -> None:
    game = load("tictactoe")
    line = Line.parse(game, "5", game.parse_state("xx...oo.."))  # 3 would have won immediately, 5 still wins
    (one,) = review_game(Engine(game, hash_mb=1, jit=False), line, depth=9)
    assert (one.best.distance, one.played.distance, one.loss) == (1, 3, 0)
