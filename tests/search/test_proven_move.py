"""Moves that are certainly good enough, from which certificates are made."""

from __future__ import annotations

import random

import pytest

from zerosum.engine import Engine
from zerosum.game import MAX, WIN, Line
from zerosum.games import load
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import Question, Searcher


def some_positions(game, count: int, seed: int = 1):
    dice, found = random.Random(seed), []
    while len(found) < count:
        line = Line(game)
        for _ in range(dice.randrange(2, 7)):
            if game.legal_moves(line.state):
                line = line.play(dice.choice(game.legal_moves(line.state)))
        if game.legal_moves(line.state):
            found.append(line.state)
    return found


@pytest.mark.parametrize("name", ["tictactoe", "kalah"])
@pytest.mark.parametrize("keep", [Engine.keep, lambda engine, asked: Searcher.keep(engine._searcher, asked, Stop())])
def test_a_move_is_found_where_there_is_one(name, keep):
    """By alpha-beta's shortcut, and by solving, which works for every algorithm that solves."""
    game = load(name, **({"pits": 2, "seeds": 2} if name == "kalah" else {}))
    engine = Engine(game, jit=False, hash_mb=1)
    states = some_positions(game, 30)
    for least in (0, 1):
        for s, move in zip(states, keep(engine, [Question(s, least) for s in states]), strict=True):
            sign = 1 if game.to_move(s) == MAX else -1
            assert (move is not None) == (sign * engine.solve(s).value >= least)
            assert move is None or sign * engine.solve(game.play(s, move)).value >= least


def test_the_nearest_win_is_found():
    game = load("tictactoe")
    engine = Engine(game, jit=False, hash_mb=1)
    for s in some_positions(game, 60):
        found = engine.solve(s)
        if found.outcome == (1 if game.to_move(s) == MAX else -1):
            (move,) = engine.keep([Question(s, WIN - 9, nearest=True)])
            rest = engine.solve(game.play(s, move)).distance or 0
            assert rest + 1 == found.distance


@pytest.mark.parametrize(("clock", "plies"), [(0, 80), (77, 3), (78, 2)])
def test_a_win_must_come_before_the_clock_ends_the_game(clock, plies):
    """Black wins in three plies."""
    game = load("checkers")
    s = game.parse_state(f"B:WK4:BK18,K14,K15:H{clock}")
    assert game.clock(s) == plies
    (move,) = Engine(game, jit=False, hash_mb=1).keep([Question(s, WIN - 3, nearest=True)])
    assert (move is not None) == (plies >= 3)
