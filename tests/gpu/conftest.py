"""Tests of graphics cards run on a simulated one everywhere, and on the machine's own where there is one."""

from __future__ import annotations

import pytest

from zerosum.errors import DeviceError
from zerosum.jit.gpu import card as cards


def _own_card() -> str:
    try:
        return cards.NvidiaCard().name
    except DeviceError:
        return ""


CARDS = ["simulated", pytest.param("", id="own", marks=pytest.mark.skipif(not _own_card(), reason="there is no card"))]


@pytest.fixture(params=CARDS)
def card(request, monkeypatch):
    """The card that kernels run on."""
    monkeypatch.setenv("ZEROSUM_GPU", request.param)
    return cards.the_card()
