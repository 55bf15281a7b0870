"""Games of chance on the command line: candidate moves with their values, and rollouts of them."""

from __future__ import annotations

import json

import pytest


@pytest.fixture(autouse=True)
def _not_compiled(monkeypatch):
    """A few hundred games need no compiler."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


PIG = ("analyze", "pig", "8 12 5 max", "--set", "target=20")


def test_candidates_are_listed_without_asking(zerosum):
    ran = zerosum(*PIG, "--depth", "2")
    heading, *rows, last = ran.out.splitlines()
    assert heading.split()[0] == "line"
    assert [row.split()[:2] for row in rows] == [["1", "1"], ["2", "1"], ["1", "2"], ["2", "2"]]
    assert last.startswith("best move: ")
    assert len(zerosum(*PIG, "--depth", "2", "--lines", "1").out.splitlines()) == 4


def test_a_rollout_shows_each_move_with_value_interval_and_chances(zerosum):
    ran = zerosum(*PIG, "--rollout", "--games", "144")
    assert (ran.code, ran.err) == (0, "")
    heading, first, second, speed, best = ran.out.splitlines()
    assert heading.split() == ["move", "value", "MAX", "wins", "MIN", "wins", "games"]
    assert {first.split()[0], second.split()[0]} == {"roll", "hold"}
    values = [float(row.split()[1]) for row in (first, second)]
    assert values[0] >= values[1]
    shares = [float(word) for word in first.replace("%", "").split()[4:6]]
    assert sum(shares) == pytest.approx(100, abs=0.1)
    assert values[0] == pytest.approx((shares[0] - shares[1]) / 100, abs=0.001)
    assert first.split()[-1] == "144" and speed.startswith("288 games in ")
    assert best.startswith((f"best move: {first.split()[0]}, +", f"best move: {first.split()[0]}, -"))


def test_ends_have_the_names_that_the_game_gives_them():
    """Including results that did not occur."""
    from zerosum.cli.rollouts import columns_of, names_of
    from zerosum.games import load
    from zerosum.search.rollout import Rollout

    game = load("backgammon")
    found = (Rollout(None, 0.0, 0.1, 8, ((-1.0, 3), (1.0, 4), (3.0, 1)), 0, 400, 0.1),)
    columns = columns_of(found, names_of(game, game.initial()))
    assert [heading for heading, _, _ in columns] == [
        *("MAX wins", "gammon", "backgammon"),
        *("MIN wins", "lose a gammon", "lose a backgammon"),
    ]
    assert [found[0].chance(least, player) for _, least, player in columns] == [5 / 8, 1 / 8, 1 / 8, 3 / 8, 0, 0]
    assert names_of(load("pig"), load("pig").initial()) == ((), ())


def test_json_has_reports_and_a_final_one(zerosum):
    reports = [json.loads(line) for line in zerosum(*PIG, "--rollout", "--games", "720", "--json").out.splitlines()]
    assert [report["final"] for report in reports] == [False] * (len(reports) - 1) + [True]
    for rollout in reports[-1]["rollouts"]:
        assert rollout["games"] == 720 and sum(count for _, count in rollout["outcomes"]) == 720
        assert rollout["error"] > 0


def test_equal_seeds_give_equal_tables(zerosum):
    def rows(seed: str) -> list[str]:
        return zerosum(*PIG, "--rollout", "--games", "144", "--seed", seed).out.splitlines()[:3]

    assert rows("1") == rows("1") != rows("2")


def test_where_chance_moves_the_position_is_rolled_out(zerosum):
    out = zerosum("analyze", "pig", "8 12 5 max rolling", "--set", "target=20", "--rollout", "--precision", "0.2").out
    assert out.splitlines()[-1].startswith("the position, ")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--games", "36"), "--games 36 applies only to rollouts: give --rollout too"),
        (("--precision", "0.1"), "--precision 0.1 applies only to rollouts: give --rollout too"),
        (("--rollout", "--precision", "x"), "--precision 'x' is not a number"),
        (("--rollout", "--precision", "-1"), "precision must be more than 0, not -1.0"),
        (("--rollout", "--games", "0"), "--games '0' is less than 1"),
        (("--rollout", "--luck", "x"), "--luck 'x' is not a whole number"),
    ],
)
def test_what_makes_no_sense(zerosum, options, complaint):
    assert zerosum(*PIG, *options).complaint() == complaint


def test_games_without_chance_and_finished_ones_are_refused(zerosum):
    assert "tictactoe has no chance nodes" in zerosum("analyze", "tictactoe", "--rollout").complaint()
    over = zerosum("analyze", "pig", "20 3 0 min", "--set", "target=20", "--rollout").complaint()
    assert over == "the game is over: MAX wins by 1; give a position in which it is not"
