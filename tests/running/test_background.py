"""Facts about searches in their own threads."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import time
import warnings

import pytest
from patience import PATIENCE

from zerosum.running.background import each_in_background, in_background
from zerosum.running.stopping import Stop


@pytest.mark.parametrize("seconds", [1e10, 1e300])
def test_a_search_may_have_any_finite_number_of_seconds(seconds):
    assert in_background(lambda report: 7, lambda: None, seconds) == 7
    assert list(each_in_background(lambda item, ending, report: item, [1, 2], Stop(), seconds)) == [1, 2]


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
