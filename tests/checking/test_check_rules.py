"""Every kind of broken rule is caught, with the position that shows it; sound games pass."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from samples import THOROUGH
from two_heaps import Heaps, format_state, heaps, is_terminal, moves, parse_move, play, to_move, try_out

from zerosum import CHANCE, MAX, WIN, Game
from zerosum.checking import LAWS


def test_a_sound_game_passes_and_every_law_is_tried():
    report = try_out(heaps())
    assert report.ok and not report.findings
    results = {tried.law: tried.result for tried in report.tried}
    assert list(results) == list(LAWS)
    untried = {law for law, result in results.items() if result != "ok"}
    endings = {"moves_left", "is_ending", "ending"}  # for scored games: tests/search/test_endings.py
    boards = {"layout", "pieces", "path", "set_up", "counts", "winning_line"}  # tests/board
    assert untried == {"chances", "clock", "tables", "compiled", *boards, *endings}


def counter() -> Any:
    """Hidden state, which a rule must not have: it counts calls."""
    calls = [0]

    def count() -> int:
        calls[0] += 1
        return calls[0]

    return count


counted = counter()


def breaks_at(rule, wrong):
    """The rule, but ``wrong`` if the heaps are 2 and 2."""

    def broken(s, *more):
        return wrong if (s.left, s.right) == (2, 2) else rule(s, *more)

    return lambda s: broken(s)


def lists(*extra):
    def broken(s):
        yield from moves(s)
        if s.left == 2:
            yield from extra

    return broken


def raises(s):
    raise IndexError("no such pit")


def raises_too(s, move):
    raise IndexError("no such pit")


BROKEN = [
    # rule, the flaw, what the finding says
    ("initial", {"initial": lambda: Heaps(3, counted() % 4, MAX)}, "always be the same"),
    ("initial", {"initial": lambda: (4, 3, 0)}, "must return a Heaps, not the tuple (4, 3, 0)"),
    ("initial", {"initial": lambda: Heaps(4.5, 3, 0)}, "4.5"),
    ("initial", {"initial": lambda: 1 / 0}, "ZeroDivisionError"),
    ("to_move", {"to_move": breaks_at(to_move, 7)}, "must be MAX (0) or MIN (1), not 7"),
    ("to_move", {"to_move": breaks_at(to_move, CHANCE)}, "must be MAX (0) or MIN (1), not 2"),
    ("to_move", {"to_move": breaks_at(to_move, None)}, "None"),
    ("is_terminal", {"is_terminal": breaks_at(is_terminal, "no")}, "'no'"),
    ("is_terminal", {"is_terminal": lambda s: counted() % 2}, "different when called again"),
    ("moves", {"moves": lists(1)}, "yields 1 more than once"),
    ("moves", {"moves": lists(-1)}, "yields -1"),
    ("moves", {"moves": lists(2**31)}, "yields 2147483648"),
    ("moves", {"moves": lists(0.5)}, "yields 0.5"),
    ("moves", {"moves": lists(21, 22, 23)}, "more than max_moves = 4"),
    ("moves", {"moves": lambda s: [1 + counted() % 2]}, "different moves when called again"),
    ("moves", {"moves": raises}, "IndexError: no such pit"),
    ("play", {"play": lambda s, m: Heaps(s.left, s.right, counted() % 2)}, "depend on nothing else"),
    ("play", {"play": lambda s, m: tuple(play(s, m))}, "must return a Heaps, not the tuple"),
    ("play", {"play": lambda s, m: Heaps(s.left - 0.5, s.right, s.turn)}, "wrong types"),
    ("play", {"play": lambda s, m: s}, "changes nothing"),
    ("play", {"play": lambda s, m: None}, "None"),
    ("utility", {"utility": lambda s: 0.5}, "must be an integer, not 0.5"),
    ("utility", {"utility": lambda s: None}, "None"),
    ("utility", {"utility": lambda s: counted()}, "in the same position"),
    ("utility", {"utility": lambda s: 2**40}, "within ±2**31"),
    ("evaluate", {"evaluate": lambda s: s.left / 2}, "must be an integer"),
    ("evaluate", {"evaluate": lambda s: WIN}, "values are wins"),
    ("evaluate", {"evaluate": lambda s: 2**31, "scored": True}, "within ±2**31"),
    ("evaluate", {"evaluate": lambda s: counted()}, "different when called again"),
    ("bounds", {"bounds": lambda s: 5}, "a pair (low, high), each an integer"),
    ("bounds", {"bounds": lambda s: (1, -1)}, "the lower one is above"),
    ("bounds", {"bounds": (-1, 0)}, "the value is a win for MAX in"),
    ("bounds", {"bounds": lambda s: (WIN - 3, WIN - 1) if s.turn == MAX else (-1, 1)}, "the value is"),
    ("bounds", {"bounds": lambda s: (0, 0) if s.left == s.right == 2 else (-1, 1)}, "a draw; the value is"),
    ("active", {"active": lambda s, player: [10]}, "active yields 10, outside 0 to 9"),
    ("active", {"active": lambda s, player: [0, 1, 2]}, "3 features, more than max_active = 2"),
    ("active", {"active": lambda s, player: [counted() % 10]}, "different features when called again"),
    ("active", {"active": lambda s, player: ["left"]}, "'str' object cannot be interpreted as an integer"),
    ("active", {"phase": lambda s: 2}, "phase is 2, outside 0 to 1"),
    ("key", {"key": lambda s: s.left << 4 | s.right}, "the player to move is"),
    ("key", {"key": lambda s: (s.left + s.right) << 1 | s.turn}, "the moves are"),
    ("key", {"key": lambda s: 2**64}, "64 bits"),
    ("key", {"key": lambda s: "k"}, "'k'"),
    ("key", {"key": lambda s: counted()}, "different when called again"),
    ("order", {"order": lambda s, m: m / 2}, "must be an integer"),
    ("order", {"order": lambda s, m: 2**50}, "beyond"),
    ("noisy_moves", {"noisy_moves": lambda s: [2]}, "yields 2, which moves does not"),
    ("noisy_moves", {"noisy_moves": lambda s: ["take"]}, "'take'"),
    ("is_forced", {"is_forced": lambda s: 7}, "not 7"),
    ("skip", {"skip": lambda s: s._replace(left=s.left + 1)}, "must make it the turn of"),
    ("skip", {"skip": lambda s: 3}, "must return a Heaps"),
    ("reversible", {"reversible": lambda s, m: "yes"}, "'yes'"),
    ("canonical", {"canonical": lambda s: Heaps(s.right, s.left, s.turn)}, "has another image"),
    ("canonical", {"canonical": lambda s: Heaps(max(s.left, s.right), min(s.left, s.right), MAX)}, "player to move"),
    ("canonical", {"canonical": lambda s: Heaps(s.left + s.right, 0, s.turn)}, "number of moves"),
    ("notation", {"format_move": lambda s, m: str(m % 10)}, "for two moves"),
    ("notation", {"cut_move": lambda s, text: (text[:1], text[1:] * 2)}, "cut_move"),
    ("notation", {"parse_move": lambda s, text: 1}, "reads"),
    ("notation", {"parse_move": lambda s, text: int(text)}, "parse_move fails on the text of format_move"),
    ("notation", {"parse_state": lambda text: Heaps(1, 1, 0)}, "parse_state gives"),
    ("notation", {"parse_state": None}, "parse_state fails on the text of format_state"),
    ("notation", {"show": raises}, "IndexError"),
    ("notation", {"format_move": raises_too}, "IndexError"),
    ("repetition", {"repetition": 1}, "at least 2"),
    ("advice", {"advice": {"tabel": True}}, "'tabel'"),
    ("advice", {"advice": {"null_move": True}, "skip": None}, "skip"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "flaw", "expected"), BROKEN, ids=lambda x: x if isinstance(x, str) else "")
def test_a_broken_rule_is_caught(rule, flaw, expected):
    # The first of these games reaches 2 and 2.
    report = try_out(heaps(**flaw), games=30 if THOROUGH else 3, seed=10)
    found = [finding for finding in report.findings if finding.rule == rule]
    assert found and not report.ok, report.findings
    assert any(expected in finding.message for finding in found), found
    for finding in report.findings:
        assert "\n" not in str(finding) and "Traceback" not in str(finding)


def test_a_finding_names_the_position_and_how_to_repeat_it():
    flawed = heaps(moves=lists(1), canonical=None)
    finding = try_out(flawed).findings[0]
    seed, texts = finding.repeat.removeprefix("--seed ").split(" --games 1, moves ")
    s = flawed.initial()
    for text in texts.split():
        s = flawed.play(s, parse_move(s, text))
    assert finding.state == format_state(s) and s.left == 2
    assert finding in try_out(flawed, seed=int(seed), games=1).findings
    assert str(finding) == f"moves: {finding.message}; position {finding.state}; repeat: {finding.repeat}"


def test_rules_that_remember_are_caught():
    """Two calls in a row agree, but later ones differ."""
    calls = [0]

    def tiring(s, move):
        calls[0] += 1
        after = play(s, move)
        return Heaps(after.left, after.right, s.turn) if calls[0] > 60 else after

    report = try_out(heaps(play=tiring, bounds=None), games=20)
    assert "depend on nothing else" in report.findings[0].message and report.findings[0].rule == "play"


class Walk(NamedTuple):
    place: int
    turn: int


def walking(**more: Any) -> Game:
    """Walking around a ring of five places, either way, never ends."""
    return Game(
        "walking", Walk, lambda: Walk(0, 0), to_move, lambda s: [1, 4],
        lambda s, m: Walk((s.place + m) % 5, 1 - s.turn), lambda s: 0, 2, **more,
    )  # fmt: skip


def test_games_that_may_never_end_are_warned_of():
    report = try_out(walking(), games=2)
    assert report.ok
    assert {finding.rule for finding in report.findings} == {"length"}
    assert any("may never end" in finding.message and finding.warning for finding in report.findings)
    assert not try_out(walking(repetition=3), games=2).findings


def test_a_move_that_is_not_irreversible():
    report = try_out(walking(repetition=2, reversible=lambda s, m: m != 1), games=3)
    assert [finding.rule for finding in report.findings][:1] == ["reversible"]
    assert not try_out(walking(repetition=2, reversible=lambda s, m: True), games=3).findings


def test_a_utility_for_the_player_to_move_is_suspicious():
    """The player who moves last wins, which is always a loss for the side to move."""
    report = try_out(heaps(utility=lambda s: -1, bounds=None), games=25)
    assert (
        report.ok and report.findings[0].rule == "utility" and "is it the utility for MAX" in report.findings[0].message
    )


def test_moves_with_semicolons_cannot_be_typed_in_a_row():
    report = try_out(
        heaps(format_move=lambda s, m: f"take;{m}", parse_move=lambda s, text: int(text.split(";")[1])), games=3
    )
    assert report.ok and "'take;1' is empty, or has a semicolon" in report.findings[0].message
    words = heaps(format_move=lambda s, m: f"take {m}", parse_move=lambda s, text: int(text.split()[1]))
    assert not try_out(words, games=3).findings


def test_tables_that_a_rule_changes():
    class Weights(NamedTuple):
        weight: Any

    def scribbling(s, t):
        t.weight[0] += 1
        return 0

    report = try_out(heaps(evaluate=scribbling, tables=Weights(np.zeros(2, np.int64))), games=3)
    assert "tables" in {finding.rule for finding in report.findings}


class Dice(NamedTuple):
    total: int
    turn: int


def dice(outcomes: Any, **more: Any) -> Game:
    """Roll twice; an even total is a win for MAX."""
    return Game(
        "dice", Dice, lambda: Dice(0, 0), lambda s: CHANCE if s.turn % 2 else MAX, lambda s: [0],
        lambda s, m: Dice(s.total + m, s.turn + 1), max_moves=1,
        is_terminal=lambda s: s.turn == 4, chances=lambda s: outcomes, max_chances=3,
        **{"utility": lambda s: 1 - s.total % 2 * 2, **more},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([(1, 0.5), (2, 0.4)], "sum to 0.9"),
        ([(1, 0.5), (1, 0.5)], "yields 1 more than once"),
        ([(1, 1.0), (2, 0.0)], "the probability of 2 is 0.0"),
        ([(1, 1.5), (2, -0.5)], "the probability of 1 is 1.5"),
        ([(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25)], "more than max_chances = 3"),
        ([(-1, 1.0)], "yields -1"),
        ([(1.5, 1.0)], "yields 1.5"),
        ([1, 2], "pairs (outcome, probability)"),
        ([], "yields nothing"),
    ],
)
def test_chances_that_are_wrong(outcomes, expected):
    report = try_out(dice(outcomes), games=3)
    assert {finding.rule for finding in report.findings} == {"chances"}
    assert expected in report.findings[0].message


def test_a_game_of_chance():
    fair = [(1, 0.5), (2, 0.5)]
    report = try_out(dice(fair, evaluate=lambda s: 0.5, bounds=lambda s: (-1.0, 1.0)), games=10)
    assert report.ok and {tried.law: tried.result for tried in report.tried}["search"] == "ok"
    assert try_out(dice(fair, utility=lambda s: s.total / 2), games=3).ok
    report = try_out(dice(fair, bounds=(0.5, 1)), games=10)
    assert [finding.rule for finding in report.findings if not finding.warning][:1] == ["bounds"]
    report = try_out(dice(fair, evaluate=lambda s: float("nan")), games=3)
    assert "must be a finite number, not nan" in report.findings[0].message
