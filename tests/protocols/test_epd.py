"""EPD lines: the position, the operations, and invalid lines."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from zerosum.errors import MoveError, PositionError, ZerosumError
from zerosum.game import WIN
from zerosum.games import load
from zerosum.protocols.epd import parse_epd
from zerosum.protocols.suite import is_solved
from zerosum.search.result import Result

TICTACTOE = load("tictactoe")
TACTICS = Path(__file__).parents[2] / ".." / "shared" / "data" / "chess" / "tactics"


def test_operations_of_all_kinds():
    epd = parse_epd(TICTACTOE, 'xx.oo.... bm 3; am 7 8; id "win; at once"; c0 "x to move"; ce 100')
    assert TICTACTOE.format_state(epd.state) == "xx.oo...."
    assert (epd.best, epd.avoid, epd.mate, epd.name) == ((2,), (6, 7), None, "win; at once")
    assert epd.operations["c0"] == ("x to move",) and epd.operations["ce"] == ("100",)


def test_moves_to_mate():
    assert parse_epd(TICTACTOE, "xx.oo.... dm 1;").mate == 1


@pytest.mark.parametrize(
    ("line", "kind", "quoted"),
    [
        ("xyz bm 3;", PositionError, "'xyz'"),
        ("", PositionError, "''"),
        ("xx.oo.... bm 1;", MoveError, "'1'"),
        ("xx.oo.... bm;", MoveError, "bm names no move"),
        ("xx.oo.... am ten;", MoveError, "'ten'"),
        ("xx.oo.... dm soon;", PositionError, "'soon'"),
        ('xx.oo.... id "open', PositionError, "not closed"),
    ],
)
def test_lines_that_make_no_sense(line, kind, quoted):
    with pytest.raises(kind, match=quoted):
        parse_epd(TICTACTOE, line)


def test_broken_lines_are_refused_or_read_but_never_fail_otherwise():
    chance = random.Random(3)
    whole = 'xx.oo.... bm 3; am 7; id "a b"; dm 2; c0 "x";'
    for _ in range(5000):
        line = list(whole)
        for _ in range(chance.randrange(1, 6)):
            line[chance.randrange(len(line))] = chance.choice([" ", ";", '"', "", "x", "9", "bm", "♞", "\x00"])
        try:
            parse_epd(TICTACTOE, "".join(line))
        except ZerosumError as problem:
            assert "\n" not in str(problem)


def answer(move, value=0, outcome=None, distance=None):
    return Result(move, value, outcome, distance, False, (move,), 3, 10, 0.1)


def test_what_counts_as_solved():
    best = parse_epd(TICTACTOE, "xx.oo.... bm 3 6;")
    assert (
        is_solved(best, answer(2), True) and is_solved(best, answer(5), True) and not is_solved(best, answer(6), True)
    )
    avoid = parse_epd(TICTACTOE, "xx.oo.... am 3;")
    assert is_solved(avoid, answer(6), True) and not is_solved(avoid, answer(2), True)
    mate = parse_epd(TICTACTOE, "xx.oo.... dm 2;")
    assert is_solved(mate, answer(2, WIN - 3, 1, 3), True)
    assert not is_solved(mate, answer(2, WIN - 5, 1, 5), True)
    assert not is_solved(mate, answer(2, WIN - 3, 1, 3), False)
    assert not is_solved(mate, answer(2), True)


def chess():
    try:
        return load("chess")
    except ZerosumError:
        pytest.skip("chess is not among the games")


def test_a_chess_position_has_four_fields_or_six():
    game = chess()
    line = '4k3/8/8/8/8/2p5/1P6/4K3 w - - bm bxc3; hmvc 7; fmvn 30; id "take"; c3 "no square";'
    epd = parse_epd(game, line)
    assert game.format_state(epd.state).startswith("4k3/8/8/8/8/2p5/1P6/4K3 w - - 7 30")
    assert epd.operations["c3"] == ("no square",)
    whole = parse_epd(game, "4k3/8/8/8/8/2p5/1P6/4K3 w - - 7 30 bm b2c3;")
    assert whole.state == epd.state and whole.best == epd.best


@pytest.mark.skipif(not TACTICS.exists(), reason="the suites in shared/data are not there")
def test_every_line_of_the_suites_is_read():
    game = chess()
    for name, count in (("wac.epd", 300), ("bratko-kopec.epd", 24)):
        lines = (TACTICS / name).read_text().splitlines()
        epds = [parse_epd(game, line) for line in lines if line.strip()]
        assert len(epds) == count and all(epd.best and epd.name for epd in epds)
