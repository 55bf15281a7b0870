"""A stop is never lost, whenever it comes, and never stops anything else."""

from __future__ import annotations

import threading

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.running import background
from zerosum.running.background import each_in_background, in_background, together
from zerosum.search.searcher import DeepeningSearcher
from zerosum.search.worker import Worker

ENDLESS = zs.load("connect-four")  # cannot be proven in the time of a test
DICE = zs.load("pig", target=15)


@pytest.fixture(params=[1, 2], ids=["one thread", "two threads"])
def engine(request):
    return zs.Engine(ENDLESS, threads=request.param, hash_mb=1)


@pytest.fixture
def stop():
    return zs.Stop()


def asked(engine, stop):
    """Everything that an engine does without a limit, and only a stop can end."""
    start = ENDLESS.initial()
    yield lambda: engine.search(start, stop=stop)
    yield lambda: engine.solve(start, stop=stop)
    yield lambda: list(engine.solve_many([start, start], stop=stop))[-1]


def test_a_stop_from_before_the_search_is_heard_by_every_search_that_has_it(engine, stop):
    stop.set()
    for ask in asked(engine, stop):
        assert not ask().proven


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_stop_while_the_search_clears_its_memory_is_heard(engine, stop, moment, monkeypatch):
    usual = Worker.begin

    def begin(worker, *arguments, **settings):
        if moment == "before":
            stop.set()
        usual(worker, *arguments, **settings)
        stop.set()

    monkeypatch.setattr(Worker, "begin", begin)
    for ask in asked(engine, stop):
        assert not ask().proven


def test_a_stop_of_the_engine_while_it_compiles_is_heard(monkeypatch):
    engine, usual = zs.Engine(ENDLESS, hash_mb=1), DeepeningSearcher._load

    def load(searcher):
        engine.stop()
        return usual(searcher)

    monkeypatch.setattr(DeepeningSearcher, "_load", load)
    for ask in asked(engine, None):
        assert not ask().proven


def test_a_stop_of_the_engine_ends_what_runs(engine):
    reports = []

    def report(result):
        reports.append(result)
        engine.stop()

    assert engine.search(ENDLESS.initial(), on_report=report).move is not None
    assert reports


def test_a_stop_ends_no_search_that_does_not_have_it(engine, stop):
    """Neither the engine's next search, which uses the same memory, nor one that begins after ``engine.stop``."""
    engine.search(ENDLESS.initial(), depth=2, stop=stop)
    usual = Worker.run

    def run(worker, *arguments):
        stop.set()
        return usual(worker, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worker, "run", run)
        engine.stop()
        assert engine.search(ENDLESS.initial(), depth=5).depth >= 5
    assert stop.is_set()


def test_a_stopped_list_of_positions_ends_with_the_one_in_work(engine, stop):
    seen = []

    def positions():
        for n in range(9):
            seen.append(n)
            if n == 1:
                stop.set()
            yield zs.Line.parse(ENDLESS, "1 2 1 2 1 2")  # won immediately

    first, _ = engine.solve_many(positions(), stop=stop)
    assert first.proven and seen == [0, 1]


def test_a_rollout_is_stopped_like_a_search(stop):
    engine = zs.Engine(DICE, threads=2)
    limits = {"precision": 1e-9}
    found = engine.rollout(DICE.initial(), **limits, on_report=lambda found: engine.stop())
    assert found.games > 0
    found = engine.rollout_moves(DICE.parse_state("6 0 2 max"), **limits, on_report=lambda found: stop.set(), stop=stop)
    assert found[0].games > 0
    assert engine.rollout(DICE.initial(), **limits, stop=stop).games == 0


def test_a_part_is_stopped_with_the_whole_and_alone(stop):
    with stop.part() as first, stop.part() as second:
        first.set()
        assert (first.is_set(), second.is_set(), stop.is_set()) == (True, False, False)
        stop.set()
        assert second.is_set()
    with stop.part() as late:
        assert late.is_set()


def test_a_position_whose_time_is_up_is_ended():
    def function(item, ending, report):
        ended = threading.Event()
        with ending.over(ended.set):
            return ended.wait(PATIENCE)

    assert list(each_in_background(function, [0, 1], zs.Stop(), seconds=1e-3)) == [True, True]


def test_a_position_whose_time_is_up_too_late_does_not_end_the_next_one():
    endings = []

    def function(item, ending, report):
        endings.append(ending)
        endings[0].set()
        return ending.is_set()

    assert list(each_in_background(function, [0, 1], zs.Stop(), seconds=3600)) == [True, False]


class Fault(Exception):
    pass


def fail():
    raise Fault


def test_whoever_fails_ends_the_work_and_is_heard():
    stopped = threading.Event()

    def wait():
        assert stopped.wait(PATIENCE)
        return "stopped"

    for works in ([wait, fail], [fail, wait], [wait, wait, fail]):
        stopped.clear()
        with pytest.raises(Fault):
            together(works, stopped.set)
        assert stopped.is_set()
        stopped.clear()
        with pytest.raises(Fault):
            in_background(lambda report, works=works: works[0](), stopped.set, helpers=tuple(works[1:]))
    stopped.set()
    assert together([wait, wait], fail) == ["stopped", "stopped"]


def test_a_helper_that_fails_when_the_work_is_done_is_heard():
    stopped = threading.Event()

    def helper():
        assert stopped.wait(PATIENCE)
        raise Fault

    with pytest.raises(Fault):
        in_background(lambda report: "done", stopped.set, helpers=(helper,))
    assert in_background(lambda report: "done", stopped.set) == "done"


def test_threads_that_were_needed_once_do_not_wait_for_ever():
    crowd = 3 * background.MOST_IDLE
    meeting = threading.Barrier(crowd)
    together([meeting.wait] * crowd, fail)
    assert len(background._Thread.idle) <= background.MOST_IDLE
    waiting = [t for t in threading.enumerate() if t.name == "zerosum-worker"]
    # Threads told to end do so at their next check; none of them may get work again.
    for thread in waiting:
        if all(thread is not idle.thread for idle in background._Thread.idle):
            thread.join(60)
    assert sum(t.name == "zerosum-worker" for t in threading.enumerate()) <= background.MOST_IDLE
