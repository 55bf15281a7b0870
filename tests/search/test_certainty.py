"""Proven values are true: with clocks, histories, databases and selective techniques."""

from __future__ import annotations

from typing import NamedTuple
from unittest.mock import Mock

import numpy as np
import pytest
from samples import PLAIN_OR_COMPILED

import zerosum as zs
from zerosum.endgame.build import build
from zerosum.errors import GameError
from zerosum.game import WIN, Line
from zerosum.games import load
from zerosum.jit.bits import mix
from zerosum.search import solving
from zerosum.search.options import SearchOptions
from zerosum.search.worker import Iteration

CHECKERS, CHESS, OTHELLO = load("checkers"), load("chess"), load("othello")
LATE_TRAP = "B:WK21:BK30,K25:H74"  # Black wins in three plies; six are left


def solved(game, text, **options):
    return zs.Engine(game, hash_mb=8, **options).solve(game.parse_state(text))


# Keys


def test_a_turn_does_not_cancel_a_square_of_othello():
    six_empty = OTHELLO.parse_state("-X-OOOXOOOXOOXX-OOXXOOXXOOOXXOXXOOOOOXOXOOXOXOOO-OXXXOO-XXXX-OOO X")
    for threads in (1, 2):
        engine = zs.Engine(OTHELLO, threads=threads, hash_mb=8)
        assert engine.search(six_empty).value == -10
        assert zs.Engine(OTHELLO, threads=threads, hash_mb=8).solve(six_empty).value == -10


def test_small_seeds_draw_different_numbers():
    of_zero, of_one = ({mix(seed, number) for number in range(1000)} for seed in (0, 1))
    assert len(of_zero) == len(of_one) == 1000 and not of_zero & of_one


# Clocks


@PLAIN_OR_COMPILED
def test_a_win_in_time_is_no_draw(jit):
    result = solved(CHECKERS, LATE_TRAP, jit=jit)
    assert (result.value, result.proven, result.exact) == (WIN - 3, True, True)


@PLAIN_OR_COMPILED
def test_a_win_too_late_is_a_draw(jit):
    result = solved(CHECKERS, LATE_TRAP.replace("74", "78"), jit=jit)
    assert (result.value, result.proven) == (0, True)


@pytest.mark.slow
def test_the_clock_does_not_change_a_distance():
    assert solved(CHECKERS, "W:WK22,26:BK15").value == 27 - WIN


@pytest.mark.slow
@pytest.mark.parametrize("clocks", [(0, 98), (98, 0), (0, 98, 97, 0, 96)])
def test_one_engine_solves_a_position_at_several_times(clocks):
    """A chess mate in three plies needs three plies on the clock; a value for one clock is not used for another."""
    engine = zs.Engine(CHESS, hash_mb=8)
    for clock in clocks:
        result = engine.solve(CHESS.parse_state(f"7k/8/8/4K3/8/8/8/6Q1 w - - {clock} 80"))
        assert result.proven and result.value == (WIN - 3 if clock <= 97 else 0)


def test_a_mate_on_the_last_ply_wins_and_the_clock_ends_everything_else():
    mated = CHESS.parse_state("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90")
    assert CHESS.is_over(mated) and CHESS.utility(mated) == 1
    drawn = CHESS.parse_state("6k1/5ppp/8/8/8/8/8/R5K1 b - - 100 90")
    assert CHESS.is_over(drawn) and CHESS.utility(drawn) == 0 and CHESS.legal_moves(drawn) == []
    in_check = CHESS.parse_state("R5k1/5p1p/8/8/8/8/8/6K1 b - - 100 90")
    assert CHESS.is_over(in_check) and CHESS.utility(in_check) == 0


@pytest.mark.parametrize("left, value", [(12, 0), (13, WIN - 13)])
def test_a_win_that_may_come_too_late_is_not_told_by_a_search_that_was_stopped(left, value, monkeypatch):
    """The win was found without the clock, and the stop came before its line was found."""
    found = Iteration(WIN - 13, place=0, done=0, stopped=True, proven=False, exact=False, line=(1,))
    monkeypatch.setattr(solving, "_bisect", lambda *_: (found, 0, 0))
    worker = Mock(game=CHESS, options=SearchOptions())
    assert solving._with_clock(worker, [1], 1 - WIN, WIN - 1, left).value == value


def test_a_number_of_draws_compiles_nothing_new():
    from zerosum.search.alphabeta import ALPHABETA

    assert len({ALPHABETA.digest(load("checkers", draws=draws)) for draws in (1, 2, 40)}) == 1


def test_a_scored_game_has_no_clock():
    with pytest.raises(GameError, match="kalah: clock is not for scored games"):
        load("kalah").with_(clock=lambda s: 5)


# Histories


class Graph(NamedTuple):
    follow: np.ndarray  # [place, move], -1 after the last
    turn: np.ndarray
    utility: np.ndarray


class Place(NamedTuple):
    at: int


def moves(s, t):
    for move in range(3):
        if t.follow[s.at, move] >= 0:
            yield move


def graph_game(follow, turn, utility, repetition=3):
    rows = np.full((len(follow), 3), -1)
    for place, after in enumerate(follow):
        rows[place, : len(after)] = after
    return zs.Game(
        "graph",
        Place,
        lambda: Place(0),
        lambda s, t: t.turn[s.at],
        moves,
        lambda s, move, t: Place(t.follow[s.at, move]),
        lambda s, t: t.utility[s.at],
        3,
        repetition=repetition,
        tables=Graph(rows, np.array(turn), np.array(utility)),
    )


def test_what_is_proven_without_a_history_is_not_taken_for_one_with():
    """MIN wins in three plies through a position that must not be repeated with this history."""
    follow = [[1, 3], [2, 5], [0, 3], [1, 4, 0], [], []]
    game = graph_game(follow, [0, 1, 1, 1, 1, 1], [0, -1, 1, 1, -1, 1])
    line = Line(game)
    for place in (3, 0, 3, 1):
        line = line.play(follow[line.state.at].index(place))
    for options in ({"pvs": False}, {}):
        engine = zs.Engine(game, options, hash_mb=1, jit=False)
        assert engine.solve(Place(1)).value == 3 - WIN
        assert engine.search(line, depth=12).value == 0
        assert engine.solve(Place(1)).value == 3 - WIN


# Distances


@pytest.mark.parametrize(
    ("text", "draws", "plies"),
    [
        ("B:WK25,26:B2", 40, 6),
        *(
            pytest.param(text, 0, plies, marks=pytest.mark.slow)
            for text, plies in (("B:WK26,31:B25", 10), ("B:W10,K26:B4", 8))
        ),
    ],
)
def test_a_distance_that_may_be_too_long_is_told_as_such(text, draws, plies):
    game = load("checkers", draws=draws)
    engine = zs.Engine(game, hash_mb=8)
    result = engine.search(game.parse_state(text), depth=20)
    assert result.proven and result.outcome == -1 and result.distance >= plies
    assert not result.exact and "wins within" in result.in_words()
    again = engine.solve(game.parse_state(text))
    assert again.exact and again.distance == plies, "what a search has left in the table is not a proof"


@pytest.mark.slow
def test_without_such_techniques_a_distance_is_exact():
    game = load("connect-four", width=5, height=4)
    result = zs.Engine(game, hash_mb=8).search(Line.parse(game, "3 4 3 4").state, depth=20)
    assert result.proven and result.exact and result.in_words() == "MAX wins in 15 plies"


# Databases


# Slow because of the kernels: with a database, search and retrograde analysis of checkers, only for these tests.
@pytest.fixture(scope="module", params=[True, False], ids=["with distances", "without"])
def three_pieces(tmp_path_factory, request):
    folder = tmp_path_factory.mktemp("three") / "db"
    return build(CHECKERS, 3, folder, distance=request.param, threads=2)


@pytest.mark.slow
def test_a_database_knows_no_clock(three_pieces):
    engine = zs.Engine(CHECKERS, hash_mb=8, database=three_pieces)
    for text, value in ((LATE_TRAP, WIN - 3), (LATE_TRAP.replace("74", "78"), 0)):
        s = CHECKERS.parse_state(text)
        found, guessed = engine.solve(s), engine.search(s, depth=8)
        assert found.proven and found.value == value
        if three_pieces.has_distance or not value:
            assert guessed.proven and guessed.value == value
        else:
            assert not guessed.proven and guessed.outcome is None and guessed.value > 0


@pytest.mark.slow
def test_a_win_without_distance_is_believed_and_not_proven(three_pieces):
    s = CHECKERS.parse_state("B:WK22,K26,K27:BK15")  # one piece more than the database has
    result = zs.Engine(CHECKERS, hash_mb=8, database=three_pieces).search(s, depth=12)
    if three_pieces.has_distance:
        assert result.proven and result.outcome == -1 and result.distance is not None
    else:
        assert not result.proven and result.outcome is None
        assert result.in_words() == "MIN wins, the clock aside"
