"""One browser and one studio for all tests of a run. All of them are slow: .ci/slow installs what they need."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# Tests run as root in containers, where Chromium's own sandbox cannot start; a tab behind another must not fall asleep.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.fail("there is no Chromium on this machine: .ci/slow installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def studio() -> Iterator[Any]:
    from stage import Server

    server = Server()
    yield server
    server.stop()


@pytest.fixture
def person(browser: Any) -> Iterator[Any]:
    """A browser's window with nobody else in it."""
    from stage import visitor

    with visitor(browser) as context:
        yield context


@pytest.fixture
def table(person: Any, studio: Any) -> Any:
    from stage import Table

    return Table(person, studio.address)
