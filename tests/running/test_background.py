"""Facts about searches in their own threads."""

from __future__ import annotations

import multiprocessing
import queue
import signal
import sys
import threading
import time
import warnings
from typing import ClassVar

import pytest
from patience import PATIENCE

from zerosum.running import background
from zerosum.running.background import each_in_background, in_background, reported_in_background
from zerosum.running.stopping import Stop


@pytest.mark.parametrize("seconds", [1e10, 1e300])
def test_a_search_may_have_any_finite_number_of_seconds(seconds):
    assert in_background(lambda report: 7, lambda: None, seconds) == 7
    assert list(each_in_background(lambda item, ending, report: item, [1, 2], Stop(), seconds)) == [1, 2]


class Waits(queue.SimpleQueue):
    """A queue that notes how long someone waited in vain."""

    in_vain: ClassVar[list[float]] = []

    def get(self, block=True, timeout=None):
        try:
            return super().get(block, timeout)
        except queue.Empty:
            self.in_vain.append(timeout)
            raise


@pytest.mark.parametrize("seconds", [None, 1e6])
def test_the_caller_never_waits_long_at_a_time(seconds, monkeypatch):
    """On Windows, Ctrl-C is heard only between waits."""
    monkeypatch.setattr(background.queue, "SimpleQueue", Waits)
    monkeypatch.setattr(background, "LONGEST_WAIT", 0.001)
    monkeypatch.setattr(Waits, "in_vain", [])

    def work(*given):
        before, deadline = len(Waits.in_vain), time.monotonic() + PATIENCE
        while len(Waits.in_vain) < before + 3:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        return 7

    assert in_background(work, lambda: None, seconds) == 7
    assert list(each_in_background(work, [1, 2], Stop(), seconds)) == [7, 7]
    assert list(reported_in_background(work, lambda: None)) == []


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows, Ctrl-C does not end waiting for a lock")
@pytest.mark.parametrize("threads", [1, 3])
def test_a_second_interrupt_does_not_leave_the_work_running(threads):
    stopped, ended = threading.Event(), []

    def work(*given):
        assert stopped.wait(PATIENCE)
        if not given:
            ended.append("helper")
            return
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.1)
        ended.append("work")

    def interrupt(report):
        raise KeyboardInterrupt

    def reporting(report):
        report("begun")
        work(report)

    with pytest.raises(KeyboardInterrupt):
        in_background(reporting, stopped.set, on_report=interrupt, helpers=(work,) * (threads - 1))
    assert len(ended) == threads
    assert searched() == 7


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system has no fork")
def test_a_forked_process_searches_with_threads_of_its_own():
    assert searched() == 7  # leaves an idle thread, which the forked process does not have
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 and later: forked with threads running
        child = multiprocessing.get_context("fork").Process(target=searched, daemon=True)
        child.start()
    child.join(PATIENCE)
    assert child.exitcode == 0


def searched() -> int:
    return in_background(lambda report: 7, lambda: None)
