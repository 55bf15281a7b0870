"""Keys that confuse positions are caught, even if no game reaches both."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest
from two_heaps import Heaps, heaps, parse_state, play, try_out

from zerosum import MAX, Game
from zerosum.checking import exact
from zerosum.checking.continuations import difference, shape
from zerosum.checking.keys import Keys, Neighbourhood
from zerosum.checking.neighbours import Neighbours
from zerosum.checking.report import CheckLog, Finding, Played
from zerosum.games import load

WORD = 2**64 - 1


@pytest.fixture(autouse=True)
def _few_searches(monkeypatch):
    """What these tests are about is found without searches."""
    monkeypatch.setitem(exact.MOST_SEARCHES, False, 3)


def xor_first(seed: Any, word: Any) -> int:
    """The ``mix`` that Othello once had: a seed of 0 or 1 cancels the lowest bit of the word."""
    h = ((int(seed) ^ int(word)) * 0xBF58476D1CE4E5B9) & WORD
    h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & WORD
    return h ^ (h >> 31)


def confusing_key(s: Any) -> int:
    return xor_first(xor_first(s.turn, s.black), s.white)


def test_othello_with_a_key_in_which_the_turn_cancels_a1():
    """X to move with X on a1 shares all 64 bits with O to move and a1 empty."""
    othello = load("othello").with_(key=confusing_key)
    report = try_out(othello, games=1)
    found = [finding for finding in report.findings if finding.rule == "key"]
    assert not report.ok and found
    other = found[0].message.removeprefix("equal to the key of ").split(", but the player to move is ")[0]
    s, t = othello.parse_state(found[0].state), othello.parse_state(other)
    assert s != t and confusing_key(s) == confusing_key(t) and s.turn != t.turn


def beside(game: Game, *texts: str) -> list[Finding]:
    """The findings in the neighbourhood of some positions."""
    states = [game.parse_state(text) for text in texts]
    log = CheckLog(game, 0)
    keys = Keys(game, log)
    for s in states:
        keys.meet(s, ())
    Neighbourhood(game, log, keys).look([Played(0, states, [], True)], deadline=float("inf"))
    return log.findings


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"


@pytest.mark.parametrize(("field", "text"), [("castling", CASTLING), ("en_passant", EN_PASSANT)])
def test_chess_with_a_key_that_forgets_a_right(field, text):
    chess = load("chess", draws=0)

    def forgetful(s):
        """The key of the same position without the right to castle, which does not follow from the board."""
        return chess.parse_state(chess.format_state(s._replace(**{field: type(getattr(s, field))(0)}))).key

    assert not beside(chess, text)
    found = beside(chess.with_(key=forgetful), text)
    assert found and all(finding.rule == "key" and "the moves are [" in finding.message for finding in found)


START = f"{'-' * 27}OX{'-' * 6}XO{'-' * 27} X"
FULL = f"{'X' * 32}{'O' * 32} X", f"{'O' * 32}{'X' * 32} O"


def test_a_disc_that_changes_its_colour():
    """Flipping either bit alone changes the key, but two neighbours of one position share a key."""
    othello = load("othello")
    found = beside(othello.with_(key=lambda s: xor_first(2 + s.turn, s.black ^ s.white)), START, *FULL)
    assert found and "parse_state accepts both" in found[0].message
    assert not beside(othello, START, *FULL)


def test_only_what_the_notation_accepts_is_a_neighbour():
    """A heap holds at most four: 5 to 7 are one bit away, and would collide in this key."""

    def packed(s):
        return (s.left * 5 + s.right) * 2 + s.turn

    def strict(text):
        s = parse_state(text)
        if max(s.left, s.right) > 4:
            raise ValueError("a heap holds four at most")
        return s

    even = heaps(initial=lambda: Heaps(4, 4, MAX), key=packed, bounds=None)
    assert not try_out(even.with_(parse_state=strict)).findings
    found = try_out(even).findings
    assert {finding.rule for finding in found} == {"key"}
    assert all("parse_state accepts both" in finding.message for finding in found)


def test_neighbours_are_positions_with_all_that_follows():
    othello = load("othello")
    states = [othello.parse_state(text) for text in (START, *FULL)]
    neighbours = Neighbours(othello, states).of(states[0], random.Random(0))
    assert {s.turn for s in neighbours} == {0, 1}
    assert all(othello.parse_state(othello.format_state(s)) == s for s in neighbours)
    assert len(neighbours) == len(set(neighbours)) > 100
    for change in ("X-", "O-", "--"):
        assert othello.parse_state(f"{change}{START[2:-1]}O") in neighbours


def test_a_difference_two_plies_on_is_seen():
    rules = heaps()
    nothing = random.Random(0)
    a, b = Heaps(4, 4, MAX), Heaps(5, 4, MAX)
    assert not difference(rules, a, b, 1, 9, nothing)  # two or more of each can be taken, now and after the next move
    assert difference(rules, a, b, 2, 9, nothing).startswith("after l1 l2 the moves are [l1, r1, r2] and [l1, r1, l2,")
    assert not difference(rules, a, a, 2, 9, nothing)


def test_symmetric_positions_have_one_shape():
    rules = heaps()
    assert shape(rules, Heaps(4, 2, MAX), 2) == shape(rules, Heaps(2, 4, MAX), 2)
    assert shape(rules, Heaps(4, 2, MAX), 2) != shape(rules, Heaps(5, 2, MAX), 2)


def test_an_image_that_allows_other_games():
    """Heaps of three and of four have equally many moves, but not after the next move."""
    report = try_out(heaps(canonical=lambda s: s._replace(left=4 if s.left == 3 else s.left), bounds=None))
    found = [finding for finding in report.findings if finding.rule == "canonical"]
    assert found and any("allows different games within 2 plies" in finding.message for finding in found)


# Without parse_state, fields that a key leaves out


class Counted(NamedTuple):
    left: int
    right: int
    turn: int
    total: int  # of both heaps
    plies: int  # so far


def counted(**changes: Any) -> Game:
    """Two heaps, and two numbers that a key does not need: the total follows, and no rule uses the plies."""
    base = heaps()
    given = {name: rule for name, rule in base.given.items() if name in ("to_move", "moves", "utility", "max_moves")}

    def take(s, move):
        left, right, turn = play(s, move)
        return Counted(left, right, turn, left + right, s.plies + 1)

    return Game(
        **{
            **given, "name": "counted", "State": Counted, "initial": lambda: Counted(4, 4, 0, 8, 0), "play": take,
            "is_terminal": lambda s: s.total == 0, "key": lambda s: s.left << 8 | s.right << 4 | s.turn, **changes,
        }
    )  # fmt: skip


def test_a_field_that_follows_from_the_others_needs_no_place_in_the_key():
    assert not try_out(counted()).findings


def test_a_field_that_may_not_follow_is_warned_of():
    """The turn follows from the discs until a player passes, which no two positions of a few games show."""
    othello = load("othello").with_(
        key=lambda s: xor_first(xor_first(2, s.black), s.white), parse_state=None, format_state=None, order=None
    )
    report = try_out(othello, games=1)
    messages = [finding.message for finding in report.findings if finding.rule == "key" and finding.warning]
    assert "leaves out turn, which the rules use: does it follow from the others?" in messages


def test_a_check_is_the_same_for_the_same_seed():
    flawed = heaps(key=lambda s: s.left << 4 | s.right, bounds=None)
    first, second = try_out(flawed, seed=3), try_out(flawed, seed=3)
    assert first.findings == second.findings and first.findings
