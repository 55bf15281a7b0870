"""The search for a move within its time."""

from __future__ import annotations

import threading

from patience import PATIENCE

from zerosum.engine import Engine
from zerosum.game import WIN, Line
from zerosum.games import load
from zerosum.running.stopping import Stop
from zerosum.search.result import Result
from zerosum.session.clock import MoveTime
from zerosum.session.pace import Pace, think

GAME = load("tictactoe")
CONNECT_FOUR = load("connect-four")


def found(depth: int, value: float = 0, outcome: int | None = None, distance: int | None = None) -> Result:
    return Result(4, value, outcome, distance, False, (4,), depth, 10, 0.1)


def pace(line: Line | None = None, **how) -> Pace:
    return Pace(line or Line(GAME), how.pop("allowed", MoveTime(left=1000.0)), Stop(), unit=100, **how)


def test_a_forced_move_is_played_after_the_first_depth():
    line = Line.parse(GAME, "5 1 9 2 3 7 4 6")
    assert len(GAME.legal_moves(line.state)) == 1
    forced = pace(line)
    forced.after_depth(found(1))
    assert forced.stop.is_set()
    free = pace()
    free.after_depth(found(1))
    assert not free.stop.is_set()


def test_of_several_moves_one_that_is_the_only_one_allowed_is_forced():
    only = pace(moves=[4])
    only.after_depth(found(1))
    assert only.stop.is_set()


def test_a_time_for_this_move_alone_is_used_up():
    line = Line.parse(GAME, "5 1 9 2 3 7 4 6")
    fixed = pace(line, allowed=MoveTime(movetime=1000.0))
    fixed.after_depth(found(1))
    assert not fixed.stop.is_set() and 900 < fixed.seconds_left() < 1000


def test_without_a_clock_nothing_ends_it():
    endless = pace(Line.parse(GAME, "5 1 9 2 3 7 4 6"), allowed=MoveTime())
    endless.after_depth(found(9))
    assert not endless.stop.is_set() and endless.seconds_left() is None and not endless.is_over()


def test_a_ponderer_answers_at_once_if_it_has_thought_enough():
    ponderer = pace(moves=[4], waits=True)
    ponderer.after_depth(found(1))
    assert not ponderer.stop.is_set() and ponderer.deadline is None
    ponderer.begin()
    assert ponderer.stop.is_set() and ponderer.deadline is not None


def test_mate_in_time_is_enough_and_a_later_one_or_a_loss_is_not():
    for distance, outcome, enough in ((3, 1, True), (5, 1, False), (2, -1, False)):
        hunter = pace(allowed=MoveTime(), mate=2)
        hunter.after_depth(found(5, outcome * (WIN - distance), outcome, distance))
        assert hunter.stop.is_set() == enough


def test_enough_ends_this_search_and_leaves_the_callers_stop_alone():
    line = Line.parse(GAME, "5 1 9 2 3 7 4 6")
    stop = Stop()
    engine = Engine(GAME, hash_mb=1, jit=False)
    assert think(engine, line, MoveTime(left=1000.0), overhead=0.0, stop=stop).move is not None
    assert not stop.is_set()


def test_the_callers_stop_ends_it():
    stop, heard = Stop(), threading.Event()
    engine = Engine(CONNECT_FOUR, hash_mb=1, jit=False)

    def work() -> None:
        think(engine, Line(CONNECT_FOUR), MoveTime(), overhead=0.0, on_report=lambda result: heard.set(), stop=stop)

    thread = threading.Thread(target=work)
    thread.start()
    assert heard.wait(PATIENCE)
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_time_is_shared_among_the_moves_that_the_search_does_not_see_where_the_rules_tell_how_many_are_left():
    othello = Line.parse(load("othello", patterns=0), "f5")
    thinking = pace(othello, allowed=MoveTime(left=100.0))
    softs = []
    for depth in (1, 20, 40, 58):
        thinking.after_depth(found(depth))
        softs.append(thinking._deliberation.allotment.soft)
    assert softs == sorted(set(softs)), "the deeper it sees, the fewer moves are left to save time for"
    assert softs[-1] < 100, "and never all of it"
    assert thinking._deliberation.allotment.hard == thinking.allotment.hard, "as when the clock began to run"
