"""A process that is forked while another thread compiles can compile too."""

from __future__ import annotations

import multiprocessing
import threading
import time
import warnings

import pytest
from patience import PATIENCE

from zerosum.jit import kernel


def compile_something() -> None:
    with kernel._lock_of("a kernel"), kernel._compiler:
        pass


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system has no fork")
def test_a_fork_waits_for_a_compilation_in_another_thread():
    begun = threading.Event()

    def compile_slowly() -> None:
        with kernel._lock_of("a kernel"), kernel._compiler:
            begun.set()
            time.sleep(0.1)

    thread = threading.Thread(target=compile_slowly)
    thread.start()
    assert begun.wait(PATIENCE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 and later: forked with threads running
        child = multiprocessing.get_context("fork").Process(target=compile_something, daemon=True)
        child.start()
    child.join(PATIENCE)
    thread.join()
    assert child.exitcode == 0
    compile_something()
