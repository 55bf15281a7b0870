"""Facts about searches in their own threads."""

from __future__ import annotations

import multiprocessing
import warnings

import pytest
from patience import PATIENCE

from zerosum.running.background import each_in_background, in_background
from zerosum.running.stopping import Stop


@pytest.mark.parametrize("seconds", [1e10, 1e300])
def test_a_search_may_have_any_finite_number_of_seconds(seconds):
    assert in_background(lambda report: 7, lambda: None, seconds) == 7
    assert list(each_in_background(lambda item, ending, report: item, [1, 2], Stop(), seconds)) == [1, 2]


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
