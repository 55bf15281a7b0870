"""What the usual run leaves to ``.ci/slow``: most of the random examples, and kernels that few tests need."""

from __future__ import annotations

import os

import pytest

THOROUGH = os.environ.get("ZEROSUM_THOROUGH", "0") not in ("", "0")
"""Whether every test tries all its examples, as in ``.ci/slow``."""

PLAIN_OR_COMPILED = pytest.mark.parametrize("jit", [False, pytest.param(True, marks=pytest.mark.slow)])
"""Marks a test with an argument ``jit``: without machine code in the usual run, with it among the slow tests."""

USUAL_PART = 5


def samples(everything: int, at_least: int = 1) -> int:
    """The number of examples out of ``everything``: a fifth, but ``at_least`` this many, unless the run is thorough.

    Use it where examples differ only in their seed: ``range(samples(300))``, ``max_examples=samples(200)``.
    """
    return everything if THOROUGH else min(everything, max(at_least, everything // USUAL_PART))
