"""Moves, check, outcome, FEN and SAN agree with python-chess, if it is installed."""

from __future__ import annotations

import pytest

pytest.importorskip("chess", reason="python-chess is not installed")

from chess_agreement import compare
from samples import samples


def test_agreement_with_python_chess():
    # ``chess_agreement.py`` can compare 100,000 and more.
    count = samples(2000)
    assert compare(count, seed=1000) >= count
