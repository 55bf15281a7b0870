"""Numbers that are too large: one line that quotes them and the limit, and exit code 2."""

from __future__ import annotations

import pytest

LARGE = "18446744073709551616"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("analyze", "tictactoe", "--seconds", "inf"), "seconds must be a finite number, not inf"),
        (("analyze", "tictactoe", "--nodes", LARGE), f"--nodes '{LARGE}' is more than 1000000000000000000"),
        (("analyze", "pig", "--rollout", "--plies", LARGE), f"--plies '{LARGE}' is more than"),
        (("analyze", "pig", "--rollout", "--luck", LARGE), f"--luck '{LARGE}' is more than"),
        (("analyze", "tictactoe", "--threads", "1025"), "--threads '1025' is more than 1024"),
        (("match", f"nodes:{LARGE}", "random", "--game", "tictactoe"), "nodes must be at most"),
        (("match", "random", "random", "--game", "tictactoe", "--time", f"nodes {LARGE}"), "at most"),
        (("trace", "random", "--depth", "99999"), "a tree of 99999 levels is too high: at most 200"),
        (("gather", "tictactoe", "x.zsp", "--threads", "99999999"), "--threads '99999999' is more than 1024"),
        (("verify", "tictactoe", "x.zsc", "--processes", "1025"), "--processes '1025' is more than 1024"),
        (("perft", "tictactoe", "1001"), "depth must be a whole number from 0 to 1000, not 1001"),
        (("perft", "tictactoe", LARGE), f"DEPTH '{LARGE}' is more than"),
        (("train", "backgammon", "--matches", LARGE), f"--matches '{LARGE}' is more than 1000000"),
        (("train", "backgammon", "--lambda", "inf"), "--lambda 'inf' is not a share from 0 to 1"),
        (("train", "backgammon", "--last-rate", "11"), "--last-rate '11' is not a rate"),
    ],
)
def test_a_number_that_is_too_large_is_refused(zerosum, command, expected):
    assert expected in zerosum(*command).complaint()
