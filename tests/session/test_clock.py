"""Time management: properties of the allotment, and matches that are never lost on time."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.session.clock import MINIMUM, Allotment, Deliberation, Lag, allot, fixed, reserve

SECONDS = st.floats(0, 1e5, allow_nan=False)
SHORT = st.floats(0, 5, allow_nan=False)
TO_GO = st.none() | st.integers(1, 200)


@given(SECONDS, SECONDS, TO_GO, SHORT)
def test_no_move_gets_more_than_is_left_without_overhead_and_reserve(left, increment, to_go, overhead):
    found = allot(left, increment, to_go, overhead)
    assert MINIMUM <= found.soft <= found.hard
    assert found.hard <= max(MINIMUM, left - overhead - reserve(left, overhead))


@given(SECONDS, SECONDS, TO_GO, SHORT)
def test_what_makes_no_sense_is_taken_for_nothing(left, increment, to_go, overhead):
    assert allot(-left, -increment, to_go, -overhead) == Allotment(MINIMUM, MINIMUM)


@given(SECONDS, SECONDS, SHORT)
def test_more_on_the_clock_is_never_less_for_the_move(left, increment, overhead):
    assert allot(left + 1, increment, None, overhead).hard >= allot(left, increment, None, overhead).hard
    assert allot(left, increment + 1, None, overhead).soft >= allot(left, increment, None, overhead).soft


@given(st.floats(10, 1e5), st.integers(2, 32))
def test_few_moves_to_go_get_more_each(left, to_go):
    assert allot(left, 0, to_go - 1).soft >= allot(left, 0, to_go).soft
    assert allot(left, 0, 1).hard > 0.8 * left


@given(st.floats(0, 1e5), SHORT)
def test_a_fixed_time_is_kept(seconds, overhead):
    assert MINIMUM <= fixed(seconds, overhead) <= max(seconds, MINIMUM)
    if seconds > 2 * overhead + MINIMUM:
        assert fixed(seconds, overhead) <= seconds - overhead + 1e-9


# Time controls: the time on the clock, the increment, and the number of moves until the clock is set again.
CONTROLS = [(1, 0.01, None), (10, 0.1, None), (10, 0, None), (60, 0, None), (10, 0, 40), (3, 0, 10), (1, 1, None)]


@pytest.mark.parametrize("control", CONTROLS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_a_match_is_never_lost_on_time_though_the_machine_stalls(control, seed):
    """80 moves; every tenth uses its hard limit; messages take up to 10 ms, and sometimes all stalls for 100 ms."""
    start, increment, period = control
    chance = random.Random(seed)
    left = float(start)
    for number in range(80):
        to_go = None if period is None else period - number % period
        found = allot(left, increment, to_go)
        used = found.hard if chance.random() < 0.1 else found.soft * chance.uniform(0.2, 1.2)
        used = min(used, found.hard) + chance.uniform(0, 0.01)
        if chance.random() < 0.02:
            used += chance.uniform(0, 0.1)
        left -= used
        assert left > 0, f"flag fell at move {number + 1}: {left}"
        left += increment
        if to_go == 1:
            left += start


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), slow=st.floats(0, 0.15))
def test_a_slow_machine_is_noticed_in_time(seed, slow):
    """Every move takes up to 150 ms more than planned, far more than the overhead; the increment is 200 ms."""
    chance = random.Random(seed)
    lag = Lag()
    left = 3.0
    for number in range(200):
        lag.see(0, left, 0.2)
        found = allot(left, 0.2, None, max(0.03, lag.seconds))
        used = found.hard if chance.random() < 0.1 else found.soft
        lag.meant(0, left, used)
        left -= used + slow * chance.uniform(0.7, 1)
        assert left > 0, f"flag fell at move {number + 1}"
        left += 0.2


def test_clocks_that_are_set_anew_teach_nothing():
    lag = Lag()
    lag.meant(0, 10.0, 1.0)
    lag.see(0, 60.0, 0.0)
    lag.meant(0, 10.0, 1.0)
    lag.see(0, 1.0, 0.0)
    lag.meant(0, 10.0, 1.0)
    lag.forget()
    lag.see(0, 8.5, 0.0)
    assert lag.seconds == 0


def test_a_match_uses_its_time():
    left = 60.0
    for _ in range(40):
        left -= allot(left).soft
    assert 5 < left < 30


def think(moves, values, factor=2.0, soft=1.0):
    """The seconds after which a search stops if each depth takes twice as long as the one before."""
    thought = Deliberation(Allotment(soft, 5 * soft), unit=100)
    elapsed = 0.001
    for depth, (move, value) in enumerate(zip(moves, values, strict=True), 1):
        elapsed *= factor
        if thought.enough(depth, elapsed, move, value):
            break
    return elapsed


def test_a_move_that_stays_the_same_takes_less_time_than_one_that_changes():
    steady = think([7] * 60, [10] * 60, factor=1.2)
    changing = think(list(range(60)), [10] * 60, factor=1.2)
    assert steady < 0.8 < changing


def test_a_value_that_drops_is_looked_into():
    steady = think([7] * 60, [10] * 60, factor=1.2)
    dropping = think([7] * 60, [-100 * depth for depth in range(60)], factor=1.2)
    assert dropping > 1.5 * steady


def test_a_depth_that_cannot_be_finished_is_not_begun():
    thought = Deliberation(Allotment(10.0, 10.0), unit=100)
    assert not thought.enough(1, 0.1, 1, 0)
    assert not thought.enough(2, 0.5, 2, 0)
    assert thought.enough(3, 5.0, 3, 0)  # the next would take until 18.5 s
