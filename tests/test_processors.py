"""Commands use the processors that they may use, not all that the machine has."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from zerosum.processors import usable_processors


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not bind processes to processors")
def test_a_process_bound_to_one_processor_counts_one():
    code = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))});"
        "from zerosum.processors import usable_processors; print(usable_processors())"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "1\n"


def test_where_processes_are_not_bound_all_processors_count(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert usable_processors() == 5
