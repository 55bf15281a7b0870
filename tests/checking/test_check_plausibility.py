"""Facts about what is legal but surely unintended: a check warns of it."""

from __future__ import annotations

import time
from typing import NamedTuple

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.checking import check, exact, playouts


@pytest.fixture(autouse=True)
def _games_are_short(monkeypatch):
    """A check has a few seconds, in which a busy machine may not finish three games of full length or many searches."""
    monkeypatch.setattr(playouts, "LONGEST", 200)
    monkeypatch.setitem(exact.MOST_SEARCHES, False, 3)


class Pile(NamedTuple):
    stones: int
    turn: int


def warnings_of(**changes):
    rules = {
        "name": "pile",
        "State": Pile,
        "initial": lambda: Pile(9, zs.MAX),
        "to_move": lambda s: s.turn,
        "moves": lambda s: [n for n in (1, 2, 3) if n <= s.stones],
        "play": lambda s, n: Pile(s.stones - n, 1 - s.turn),
        "utility": lambda s: 1 if s.turn == zs.MIN else -1,
        "max_moves": 3,
    }
    report = check(zs.Game(**{**rules, **changes}), games=20, seconds=PATIENCE, jit=False)
    assert report.ok
    return [(finding.rule, finding.message) for finding in report.findings if finding.warning]


def test_a_sensible_game_gets_no_warning():
    assert warnings_of() == []


def test_a_game_with_slow_rules_ends_when_the_time_is_over():
    def slowly(s, n):
        time.sleep(0.02)
        return Pile(9 + (s.stones + n) % 5, 1 - s.turn)

    endless = zs.Game(
        "endless", Pile, lambda: Pile(9, zs.MAX), lambda s: s.turn, lambda s: (1, 2), slowly, lambda s: 1, max_moves=2
    )
    report = check(endless, seconds=0.1, jit=False)
    assert report.ok and report.positions < playouts.LONGEST
    assert not report.findings  # nothing is said of how long such a game is


@pytest.mark.parametrize(
    ("changes", "rule", "words"),
    [
        ({"play": lambda s, n: Pile(s.stones - n, s.turn)}, "to_move", "MIN never moves"),
        ({"utility": lambda s: 0}, "utility", "is 0 at the end of all 20 random games"),
        ({"play": lambda s, n: Pile(s.stones - 1, 1 - s.turn)}, "play", "does play use the move?"),
        ({"max_moves": 1000}, "moves", "max_moves is 1,000, but no position had more than 3"),
        (
            {"play": lambda s, n: Pile(9 + (s.stones + n) % 5, 1 - s.turn), "repetition": 5000},
            "length",
            "random games has ended",
        ),
    ],
)
def test_what_is_surely_wrong_is_warned_of(changes, rule, words):
    assert any(found == rule and words in message for found, message in warnings_of(**changes))


def test_moves_that_only_pass_the_turn_are_warned_of():
    changes = {"play": lambda s, n: Pile(s.stones, 1 - s.turn), "moves": lambda s: [1], "repetition": 5}
    assert any("nothing but turn" in message for _, message in warnings_of(**changes))


def test_a_compile_error_comes_without_the_moves_of_a_game():
    report = check(
        zs.Game(
            "pile",
            Pile,
            lambda: Pile(9, zs.MAX),
            lambda s: s.turn,
            lambda s: [n for n in (1, 2, 3) if n <= s.stones],
            lambda s, n: Pile(s.stones - n, 1 - s.turn),
            lambda s: s.stones / 2,
            3,
        ),
        games=3,
    )
    # In plain Python a float is not a valid utility either, so only the compiler's message counts here.
    assert all(len(str(finding)) < 400 for finding in report.findings)
