"""Kernels of the test games are stored in one cache for the whole run, separate from the user's own."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from zerosum.processors import usable_processors

# A busy machine is slow, which must not fail a test.
settings.register_profile("zerosum", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("zerosum")

# Doctests are collected from every module, but two modules of the same name cannot be imported.
collect_ignore_glob = ["conftest.py", "*/conftest.py"]

sys.path.insert(0, str(Path(__file__).parent))

# Set before any test module loads a kernel; workers of pytest-xdist share the main process's folder. To keep kernels
# between runs, name a folder in ZEROSUM_TEST_CACHE.
TEMPORARY_CACHE = "ZEROSUM_TEST_CACHE" not in os.environ
if TEMPORARY_CACHE:
    os.environ["ZEROSUM_TEST_CACHE"] = tempfile.mkdtemp(prefix="zerosum-tests-")
os.environ["ZEROSUM_CACHE_DIR"] = os.environ["ZEROSUM_TEST_CACHE"]


class Examples:
    """Every worker searches all modules for examples; skip those without any."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[Any], list[Any]]:
        found = yield
        if not found or b">>>" in file_path.read_bytes():
            return found
        return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Examples())


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than the number of usable processors: some test is always waiting for a program or for a kernel."""
    return usable_processors() + 1


LONGEST = ("README.md", "test_search_parameters", "test_certainty", "test_every_kernel_works", "test_every_sound")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first, so that the run does not wait for them at the end."""
    items.sort(key=lambda item: not any(name in item.nodeid for name in LONGEST))


def pytest_unconfigure(config: pytest.Config) -> None:
    if TEMPORARY_CACHE and not hasattr(config, "workerinput"):
        import shutil

        shutil.rmtree(os.environ["ZEROSUM_TEST_CACHE"], ignore_errors=True)
