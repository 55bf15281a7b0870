"""Tests of graphics cards run on a simulated card everywhere, and on the machine's own card if it has one."""

from __future__ import annotations

import re

import pytest

from zerosum.errors import DeviceError
from zerosum.jit.gpu import card as cards


def _own_card() -> str:
    try:
        return cards.NvidiaCard().name
    except DeviceError:
        return ""


SLOW = re.compile(
    r"test_perft_and_divide.*(connect-four|pig)|test_databases_are.*True|test_random_games_are.*(connect-four|pig)"
    r"|test_leaves_and_databases.*(checkers|connect-four)|examples_of_users|broken_promise.*moves"
    r"|test_random_games_lower.*(chess|checkers|backgammon|othello|morris|connect-four|hex\]|kalah|nim)"
    r"|broken_promise_is_reported.*lines|test_waves.*CPU"
    r"|test_rollouts_on_a_card(?!.*(PLAIN|no_room_at_all))|test_look_ahead_on_a_card.*(connect-four|[CG]PU|command_line|run)"
    r"|test_small_solves(?!.*(ragged.*PLAIN|ptx.tictactoe|makes_no_sense|unknown_device))"
)
"""Tests whose kernels take long to compile. A machine with a card runs them all."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/gpu" in str(item.path.as_posix()) and SLOW.search(item.nodeid) and "[own" not in item.nodeid:
            item.add_marker(pytest.mark.slow)


CARDS = ["simulated", pytest.param("", id="own", marks=pytest.mark.skipif(not _own_card(), reason="there is no card"))]


@pytest.fixture(params=CARDS)
def card(request, monkeypatch):
    """The card that kernels run on."""
    monkeypatch.setenv("ZEROSUM_GPU", request.param)
    return cards.the_card()
