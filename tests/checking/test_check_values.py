"""Knowledge that is wrong about values is caught; sound games pass, plain and compiled."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest
from patience import PATIENCE
from samples import samples
from two_heaps import heaps, to_move, try_out

from zerosum import MAX, Game
from zerosum.checking import check
from zerosum.checking.exact import Techniques
from zerosum.checking.playouts import Playouts
from zerosum.checking.report import CheckLog
from zerosum.classroom.interval_minimax import IntervalMinimax
from zerosum.classroom.minimax import minimax
from zerosum.games import load


class Step(NamedTuple):
    place: int
    level: int
    turn: int


def graph(lie: bool) -> Game:
    """A game of nine plies in which bounds are wrong in only one position, six plies before the end."""

    def steps(s):
        for n in range(3):
            yield n

    def walk(s, n):
        return Step((s.place * 3 + n * 7 + s.level) % 23, s.level + 1, 1 - s.turn)

    def score(s):
        return s.place % 5 - 2

    def range_of_score(s):
        return (2, 2) if lie and s.level == 3 and s.place % 3 == 0 else (-2, 2)

    return Game(
        "graph", Step, lambda: Step(0, 0, MAX), to_move, steps, walk, score, 3,
        is_terminal=lambda s: s.level == 9, bounds=range_of_score, scored=True,
    )  # fmt: skip


def test_bounds_that_lie_far_from_the_end_are_caught_by_searches():
    assert try_out(graph(lie=False)).ok
    report = try_out(graph(lie=True))
    assert {finding.rule for finding in report.findings} == {"bounds"}
    for finding in report.findings:
        assert "are (2, 2), which means 2; the value is" in finding.message
        assert int(finding.state.split()[1]) == 3  # the position whose bounds are wrong


def test_a_key_that_mixes_up_positions_of_other_values():
    """Both have the same player and moves, so only a search shows the difference."""

    def coarse(s):
        return s.place % 6 << 8 | s.level << 1 | s.turn

    report = try_out(graph(lie=False).with_(key=coarse, bounds=None))
    assert [finding.rule for finding in report.findings][:1] == ["key"]


class Side(NamedTuple):
    side: int  # chosen by the first move
    path: int  # the last four moves
    level: int
    turn: int


def test_a_table_that_was_filled_elsewhere():
    """The first move decides the game, and the key leaves it out: no tree near the end contains both sides."""
    game = Game(
        "sides", Side, lambda: Side(2, 0, 0, MAX), to_move, lambda s: [0, 1],
        lambda s, n: Side(s.side if s.level else n, (s.path * 2 + n) % 16, s.level + 1, 1 - s.turn),
        lambda s: s.side * 2 - 1, 2,
        is_terminal=lambda s: s.level == 20, key=lambda s: s.path << 10 | s.level << 1 | s.turn,
    )  # fmt: skip
    played = [Playouts(game, CheckLog(game, 0)).play(seed) for seed in range(20)]
    log = CheckLog(game, 0)
    Techniques(game, log, jit=False).compare(played, deadline=float("inf"))
    assert log.findings and {finding.rule for finding in log.findings} == {"key"}
    assert all("a search with table, after others in the same table, says" in f.message for f in log.findings)


def test_a_symmetry_that_is_none():
    """Far from the end all places allow the same moves, and only values distinguish them."""

    def wrong(s):
        return Step(s.place - s.place % 2, s.level, s.turn) if s.level < 7 else s

    report = try_out(graph(lie=False).with_(canonical=wrong), games=40)
    assert {finding.rule for finding in report.findings} == {"canonical"}
    assert all("the value is" in finding.message for finding in report.findings)


def test_intervals_hold_the_exact_value():
    """This holds however few states are visited; with enough states the intervals are exact."""
    game = load("nim", heaps="2,2,1")
    s = game.initial()
    exact = minimax(game, s, depth=9)
    for nodes in (0, 1, 5, 20, 60):
        low, high = IntervalMinimax(game).interval(s, nodes)
        assert low <= exact <= high
    assert IntervalMinimax(game).interval(s, 10_000) == (exact, exact)


def test_time_ends_it():
    report = check(load("othello"), games=10**6, seconds=0.5, jit=False)
    assert report.ok and 0 < report.games < 10**6


@pytest.mark.parametrize("settings", [{"games": 0}, {"seconds": 0}, {"seconds": float("nan")}])
def test_limits_that_make_no_sense(settings):
    with pytest.raises(ValueError, match="must be"):
        check(heaps(), **settings)


@pytest.mark.parametrize(
    "name",
    ["tictactoe", "connect-four", "kalah", "othello", "hex", "nim", "pig"],
)
def test_built_in_games_keep_the_contract(name):
    assert (
        check(load(name), games=samples(12), seed=random.Random(name).randrange(1000), seconds=3.0, jit=False).findings
        == ()
    )


# Compiled. There are only a few of these tests, because they compile rules.


def overflowing(s, move):
    """Python's integers continue beyond 64 bits, and machine words do not."""
    return (s.left + 5) * 2**40 * 2**40 % 1009


def not_compilable(s):
    return eval("False")


def test_compiled_rules_that_differ_or_do_not_compile():
    report = try_out(heaps(order=overflowing, is_forced=not_compilable, bounds=None), jit=True, games=5)
    assert {finding.rule for finding in report.findings} == {"compiled"}
    messages = [finding.message for finding in report.findings]
    assert any(message.startswith("order(") and "in plain Python" in message for message in messages)
    assert any(message.startswith("is_forced, in not_compilable (") and "eval" in message for message in messages)


def test_a_sound_game_passes_compiled():
    report = check(load("tictactoe"), games=samples(30), seconds=PATIENCE)
    assert report.ok and not report.findings
    assert {tried.law: tried.result for tried in report.tried}["compiled"] == "ok"
