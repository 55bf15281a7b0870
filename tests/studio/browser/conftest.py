"""One browser and one studio for all tests of a run. All of them are slow; .ci/slow installs what they need."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import launched

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with launched() as found:
        yield found


@pytest.fixture(scope="session")
def studio() -> Iterator[Any]:
    from stage import Server

    server = Server()
    yield server
    server.stop()


@pytest.fixture
def person(browser: Any) -> Iterator[Any]:
    """A separate browser context."""
    from stage import visitor

    with visitor(browser) as context:
        yield context


@pytest.fixture
def table(person: Any, studio: Any) -> Any:
    from stage import Table

    return Table(person, studio.address)
