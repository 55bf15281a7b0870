"""A crew distributes work and returns it in order; errors and stops reach every worker."""

from __future__ import annotations

import threading

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.jit.kernel import ItemKernel
from zerosum.jit.plan import Region
from zerosum.running.crew import PLAIN, Crew
from zerosum.running.stopping import Stop

GAME = zs.load("tictactoe")


def squares(rules):
    place = rules.at["squares"]

    def item(i, mem):
        mem[place + i] = i * i
        return 1

    return item


SQUARES = ItemKernel("squares", (), squares, regions=lambda game: [Region("squares", 100)])


def crew_of(workers: int) -> Crew:
    return Crew(SQUARES, GAME, workers, PLAIN)


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("portion", [1, 7, 200])
def test_every_item_is_done_once(workers, portion):
    crew = crew_of(workers)
    crew.run(lambda report: crew.do_items(100, portion))
    found = [member.region("squares", 100) for member in crew]
    assert [sum(column) for column in zip(*found, strict=True)] == [i * i for i in range(100)]


@pytest.mark.parametrize("workers", [1, 3])
def test_what_is_handed_out_comes_back_in_order(workers):
    crew = crew_of(workers)
    assert crew.run(lambda report: crew.hand_out(range(50), lambda member, item: -item)) == [-i for i in range(50)]


def test_a_problem_of_one_worker_is_the_caller_s_and_stops_the_others():
    crew = crew_of(3)

    def task(member, item):
        if item == 5:
            raise ZeroDivisionError("five")
        return item

    with pytest.raises(ZeroDivisionError, match="five"):
        crew.run(lambda report: crew.hand_out(range(1000), task))
    assert all(member.stopped for member in crew)
    # The next run begins afresh.
    assert crew.run(lambda report: crew.hand_out(range(3), lambda member, item: item)) == [0, 1, 2]


def test_a_stop_that_was_set_before_is_heard_by_all():
    crew, stop = crew_of(2), zs.Stop()
    stop.set()
    assert crew.run(lambda report: crew.hand_out(range(9), lambda member, item: item), stop=stop) == []


def test_a_stop_in_the_middle_leaves_what_was_begun():
    crew, stop = crew_of(1), zs.Stop()

    def task(member, item):
        if item == 3:
            stop.set()
        return item

    assert crew.run(lambda report: crew.hand_out(range(9), task), stop=stop) == [0, 1, 2, 3]


def test_reports_come_in_the_caller_s_thread():
    crew, heard = crew_of(1), []

    def work(report):
        report("half")
        return "whole"

    assert crew.run(work, on_report=lambda what: heard.append((what, threading.current_thread()))) == "whole"
    assert heard == [("half", threading.current_thread())]


def test_items_one_after_the_other_end_with_the_stop():
    crew, stop = crew_of(1), zs.Stop()

    def task(item, ending, report):
        if item == 2:
            stop.set()
        return item, crew[0].stopped

    assert list(crew.each(range(9), task, stop=stop)) == [(0, False), (1, False), (2, True)]


@pytest.mark.parametrize("workers", [1, 3])
def test_what_takes_longer_holds_up_its_successors_but_no_worker(workers):
    """The first item ends last if other workers do the rest; the results still come in order."""
    crew, others = crew_of(workers), threading.Semaphore(0)

    def task(member, item):
        if item == 0:
            for _ in range(9 if workers > 1 else 0):
                assert others.acquire(timeout=PATIENCE)
        others.release()
        return item

    assert list(crew.in_order(range(10), task)) == list(range(10))


def test_in_order_a_problem_comes_after_what_was_done_before_it():
    crew, found = crew_of(1), []

    def task(member, item):
        return 6 // (3 - item)

    with pytest.raises(ZeroDivisionError):
        for result in crew.in_order(range(9), task):
            found.append(result)
    assert found == [2, 3, 6]


def test_in_order_who_stops_gets_all_up_to_the_first_that_was_not_done():
    crew, stop = crew_of(2), Stop()

    def task(member, item):
        if item == 20:
            stop.set()
        return item

    found = list(crew.in_order(range(1000), task, stop=stop))
    assert found == list(range(len(found))) and len(found) <= 20
    assert not list(crew.in_order(range(1000), task, stop=stop)), "a Stop stays set"


def test_in_order_who_wants_no_more_stops_the_workers_and_not_the_caller_s_other_work():
    crew, stop = crew_of(2), Stop()
    results = crew.in_order(range(10**9), lambda member, item: item, stop=stop)
    assert next(results) == 0
    results.close()
    assert all(member.stopped for member in crew) and not stop.is_set()
