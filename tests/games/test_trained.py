"""Facts about games that come with learned evaluations."""

from __future__ import annotations

import pytest

from zerosum.errors import GameError
from zerosum.games import load

SWITCHES = [
    ("chess", "draws"),
    ("chess", "network"),
    ("checkers", "trained"),
    ("othello", "patterns"),
    ("connect-four", "patterns"),
]


@pytest.mark.parametrize(("name", "switch"), SWITCHES)
@pytest.mark.parametrize("value", ["x", 2, -1])
def test_a_switch_is_0_or_1(name, switch, value):
    with pytest.raises(GameError) as caught:
        load(name, **{switch: value})
    assert str(caught.value) == f"{name}: {switch} must be 0 or 1, not {value!r}"
