"""Schedules and time controls."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from zerosum.arena.schedule import schedule
from zerosum.arena.time_control import Clock, TimeControl
from zerosum.errors import ArenaError
from zerosum.game import MAX, MIN


@given(some.integers(2, 6), some.integers(1, 9), some.booleans())
def test_everybody_plays_as_often_as_asked_and_changes_sides(players: int, games: int, gauntlet: bool) -> None:
    fixtures = list(schedule(players, games, gauntlet))
    assert len({f.number for f in fixtures}) == len(fixtures)
    meetings = Counter(frozenset((f.max_player, f.min_player)) for f in fixtures)
    assert set(meetings.values()) == {games}
    assert len(meetings) == (players - 1 if gauntlet else players * (players - 1) // 2)
    sides = Counter((f.max_player, f.min_player) for f in fixtures)
    for (one, other), count in sides.items():
        assert abs(count - sides.get((other, one), 0)) <= 1


@given(some.integers(2, 5), some.integers(1, 6), some.integers(1, 6))
def test_a_longer_match_begins_like_a_shorter_one(players: int, games: int, more: int) -> None:
    short = {f.number: f for f in schedule(players, games)}
    long = {f.number: f for f in schedule(players, games + more)}
    assert all(long[number] == fixture for number, fixture in short.items())


def test_both_games_of_a_pair_share_the_opening() -> None:
    by_pair: dict[int, set[int]] = {}
    for fixture in schedule(4, 6):
        by_pair.setdefault((fixture.number - 1) // 2, set()).add(fixture.cycle)
    assert all(len(cycles) == 1 for cycles in by_pair.values())


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("5+0.05", TimeControl(5, 0.05)),
        ("40/60", TimeControl(60, 0, 40)),
        ("40/60+1", TimeControl(60, 1, 40)),
        ("1:30+2", TimeControl(90, 2)),
        ("10", TimeControl(10)),
        ("0+1", TimeControl(1, 1)),
        ("movetime 0.1", TimeControl(movetime=0.1)),
        ("nodes 1000", TimeControl(nodes=1000)),
        ("depth:4", TimeControl(depth=4)),
        ("none", TimeControl()),
    ],
)
def test_time_controls_as_people_write_them(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control
    assert TimeControl.parse(str(control)) == control


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fast",
        "5+",
        "+1",
        "0",
        "-5",
        "5+-1",
        "nan",
        "inf",
        "1e9",
        "0/60",
        "x/60",
        "5+1+1",
        "40/60/5",
        "movetime",
        "movetime 0",
        "movetime x",
        "nodes 0",
        "nodes 1.5",
        "depth x",
        "depth",
        "5 + 1 s",
        "1:2:3",
        "40/",
    ],
)
def test_time_controls_that_make_no_sense_are_quoted(text: str) -> None:
    with pytest.raises(ArenaError) as problem:
        TimeControl.parse(text)
    assert repr(text) in str(problem.value)


def test_a_clock_counts_down_and_gets_its_increment() -> None:
    clock = Clock(TimeControl.parse("2+0.5"), grace=0.1)
    assert clock.budget(MAX).limit == pytest.approx(2.1)
    assert clock.spend(MAX, 1.5)
    assert clock.left[MAX] == pytest.approx(1.0) and clock.left[MIN] == 2
    # Late, but within the grace: only the increment is left.
    assert clock.spend(MAX, 1.05)
    assert clock.left[MAX] == pytest.approx(0.5)
    assert not clock.spend(MAX, 0.7)


def test_time_comes_back_after_so_many_moves() -> None:
    clock = Clock(TimeControl.parse("3/10"))
    to_go = []
    for _ in range(4):
        to_go.append(clock.budget(MIN).moves_to_go)
        clock.spend(MIN, 2.0)
    assert to_go == [3, 2, 1, 3]
    assert clock.left[MIN] == pytest.approx(10 + 10 - 8)


def test_a_movetime_is_for_each_move() -> None:
    clock = Clock(TimeControl.parse("movetime 0.2"), grace=0.05)
    assert [clock.spend(MAX, seconds) for seconds in (0.2, 0.24, 0.3)] == [True, True, False]
