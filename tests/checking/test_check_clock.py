"""A clock that counts wrongly is caught; one that counts correctly passes, whether it is in the key or not."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from samples import samples
from two_heaps import try_out

from zerosum import MAX, Game
from zerosum.checking import exact, keys
from zerosum.games import load

STEP, BACK, TAKE = range(3)
PATIENCE = 9


@pytest.fixture(autouse=True)
def _few_searches(monkeypatch):
    """What these tests are about is found without searches."""
    monkeypatch.setitem(exact.MOST_SEARCHES, False, 3)


class Track(NamedTuple):
    """A place on a ring of five, the stones left, the turn, and the plies left before the game is drawn."""

    place: int
    stones: int
    turn: int
    left: int


def moves(s):
    """Walk either way around, or take a stone at the places 0 and 1."""
    if s.stones:
        yield STEP
        yield BACK
        if s.place < 2:
            yield TAKE


def walk(s, move, left):
    if move == TAKE:
        return Track(s.place, s.stones - 1, 1 - s.turn, PATIENCE)
    return Track((s.place + (1 if move == STEP else 4)) % 5, s.stones, 1 - s.turn, left)


def play(s, move):
    return walk(s, move, s.left - 1)


def format_state(s: Track) -> str:
    return " ".join(map(str, s))


def parse_state(text: str) -> Track:
    s = Track(*map(int, text.split()))
    if s.place > 4 or s.stones > 3 or s.left > PATIENCE:
        raise ValueError("there are five places and three stones")
    return s


def key(s):
    return s.place << 8 | s.stones << 1 | s.turn


RULES = {
    "initial": lambda: Track(2, 3, MAX, PATIENCE),
    "to_move": lambda s: s.turn,
    "moves": moves,
    "play": play,
    "utility": lambda s: -1 if s.turn == MAX else 1,
    "clock": lambda s: s.left,
    "key": key,
    "format_state": format_state,
    "parse_state": parse_state,
}


def track(**changes: Any) -> Game:
    given = {"name": "track", "State": Track, "max_moves": 3, **RULES, **changes}
    return Game(**{name: rule for name, rule in given.items() if rule is not None})


def test_a_clock_that_counts_well_passes():
    report = try_out(track())
    assert not report.findings
    tried = {tried.law: tried for tried in report.tried}
    assert tried["clock"].result == "ok" and tried["clock"].times > 500


def test_positions_that_differ_in_the_clock_alone_may_share_their_key():
    """Without ``clock`` as a rule, the same game has a key that confuses finished games with others."""
    counted = {"is_terminal": lambda s: s.left <= 0, "utility": lambda s: 0 if s.stones else -1 if s.turn == MAX else 1}
    report = try_out(track(clock=None, **counted))
    assert {finding.rule for finding in report.findings if not finding.warning} == {"key"}


calls = [0]


def another(s):
    calls[0] += 1
    return calls[0]


BROKEN = [
    ({"clock": lambda s: s.left / 2}, "must be an integer, not 4.5"),
    ({"clock": lambda s: 1 // 0}, "raises ZeroDivisionError"),
    ({"clock": another}, "different when called again"),
    ({"clock": lambda s: PATIENCE - s.left}, "is 0 at the start: the game is drawn before the first move"),
    ({"clock": lambda s: PATIENCE + 1 - s.left}, "a move must lower it by one, or set it to a number"),
    ({"play": lambda s, move: walk(s, move, s.left - 2)}, "a move must lower it by one, or set it to a number"),
    ({"play": lambda s, move: walk(s, move, s.left - (move == STEP))}, "1 leaves "),
    ({"is_terminal": lambda s: s.left <= 0}, "the moves are"),
    ({"utility": lambda s: 1 if s.left > 5 else -1}, "the utility is"),
    ({"moves": lambda s: [STEP, TAKE] if s.stones and s.left % 2 and s.place < 2 else moves(s)}, "no other rule may"),
]  # fmt: skip


@pytest.mark.parametrize("notation", [True, False], ids=["notation", "no notation"])
@pytest.mark.parametrize(("flaw", "expected"), BROKEN, ids=lambda x: x if isinstance(x, str) else "")
def test_a_broken_clock_is_caught(flaw, expected, notation):
    flawed = track(**flaw) if notation else track(parse_state=None, format_state=None, **flaw)
    report = try_out(flawed)
    found = [finding.message for finding in report.findings if finding.rule == "clock"]
    assert not report.ok and any(expected in message for message in found), report.findings


@pytest.mark.parametrize("flaw", [{"key": None}, {"key": lambda s: key(s) << 8 | s.left}], ids=["no key", "key"])
def test_a_clock_in_the_key_is_warned_of(flaw):
    report = try_out(track(**flaw))
    assert report.ok
    assert any("none is recognised with another clock" in f.message for f in report.findings if f.rule == "clock")


def test_images_are_for_the_key_so_their_clock_does_not_matter():
    """Places 0 and 1 mirror each other, and so do 2 and 4."""

    def mirror(s, left):
        return min(Track(s.place, s.stones, s.turn, left), Track((1 - s.place) % 5, s.stones, s.turn, left))

    assert not try_out(track(canonical=lambda s: mirror(s, s.left)), games=samples(10, at_least=4)).findings
    assert not try_out(track(canonical=lambda s: mirror(s, PATIENCE)), games=samples(10, at_least=4)).findings

    def moody(s):
        return mirror(s, PATIENCE) if s.left > 5 else max(s, s._replace(place=(1 - s.place) % 5))

    found = try_out(track(canonical=moody), games=samples(10, at_least=4)).findings
    assert found and {finding.rule for finding in found} == {"clock"} and found[0].warning


QUEEN_ENDING = load("chess").parse_state("8/8/8/4k3/8/8/8/3QK3 w - - 80 90")


@pytest.mark.parametrize(
    "game",
    [
        load("checkers", draws=2),
        load("chess").with_(initial=lambda: QUEEN_ENDING),
        pytest.param(load("chess"), marks=pytest.mark.slow),
    ],
    ids=["checkers", "a queen ending", "chess"],
)
def test_games_with_a_clock_keep_the_contract(game, monkeypatch):
    monkeypatch.setattr(keys, "MOST_POSITIONS", 5)
    monkeypatch.setitem(exact.SEARCH_NODES, False, 100)
    report = try_out(game, games=samples(2))
    assert not report.findings
    assert {tried.law: tried.result for tried in report.tried}["clock"] == "ok"


def test_notation_that_fails_does_not_stop_the_check():
    report = try_out(track(format_state=lambda s: 1 // 0), games=3, seconds=5.0)
    results = {tried.law: tried.result for tried in report.tried}
    assert results["notation"] == "failed" and results["clock"] == "ok"


@pytest.mark.slow
def test_compiled_rules_are_compared_without_the_clock():
    """When the clock has ended a game, the author's own ``is_terminal`` still says that it goes on, compiled or not."""
    report = try_out(track(is_terminal=lambda s: s.stones == 0), jit=True, games=10)
    assert not report.findings
    assert {tried.law: tried.result for tried in report.tried}["compiled"] == "ok"
