"""The lowest promised versions are those that ``.ci/run`` and ``.ci/slow`` run tests with."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def numbers(version: str) -> tuple[int, ...]:
    """A version without trailing zeros: 13.8 is 13.8.0.

    >>> numbers("13.8.0")
    (13, 8)
    """
    return tuple(map(int, re.sub(r"(\.0)+$", "", version).split(".")))


def test_the_lowest_versions_promised_are_the_ones_tested():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = project.partition("\ndependencies = [")[2].partition("\n]\n")[0]
    promised = dict(re.findall(r'^\s*"([\w-]+)>=([\d.]+)', dependencies, re.MULTILINE))
    tested = dict(re.findall(r"^([\w-]+)==([\d.]+)(?:;.*)?$", (ROOT / ".ci" / "lowest.txt").read_text(), re.MULTILINE))
    assert set(promised) == {"numba", "numpy", "typer", "rich"}
    assert {name: numbers(lowest) for name, lowest in promised.items()} == {
        name: numbers(version) for name, version in tested.items()
    }
