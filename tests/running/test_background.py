"""Facts about searches in their own threads."""

from __future__ import annotations

import pytest

from zerosum.running.background import each_in_background, in_background
from zerosum.running.stopping import Stop


@pytest.mark.parametrize("seconds", [1e10, 1e300])
def test_a_search_may_have_any_finite_number_of_seconds(seconds):
    assert in_background(lambda report: 7, lambda: None, seconds) == 7
    assert list(each_in_background(lambda item, ending, report: item, [1, 2], Stop(), seconds)) == [1, 2]
