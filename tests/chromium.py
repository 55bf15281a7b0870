"""Chromium through Playwright, for tests and pictures; .ci/slow installs it."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

# Tests run as root in containers, where Chromium's own sandbox cannot start; background tabs must not be throttled.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
]
PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


@contextmanager
def launched() -> Iterator[Any]:
    """A new headless browser."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program is not None, "there is no Chromium on this machine: .ci/slow installs it"
    browser = driver().chromium.launch(executable_path=program, args=FLAGS)
    try:
        yield browser
    finally:
        browser.close()


@cache
def driver() -> Any:
    """Playwright, started once: it refuses a second start in the same process."""
    from playwright.sync_api import sync_playwright

    started = sync_playwright().start()
    atexit.register(started.stop)
    return started
