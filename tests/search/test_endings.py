"""Games with ``ending`` and ``moves_left``: faster searches, the same values."""

from __future__ import annotations

from functools import cache

import pytest
from random_games import HEIGHT, ending, game_with_endings, random_game, with_seed
from samples import samples

import zerosum as zs
from zerosum.checking import check
from zerosum.classroom.minimax import minimax
from zerosum.errors import GameError
from zerosum.search.memory import NO_BOUND
from zerosum.search.solving import Questions

pytestmark = pytest.mark.usefixtures("unchanging_rules")

GAME = game_with_endings()
# Use the table for every position, and probe it for every move.
EAGER = {"table_moves": 1, "cutoff_moves": 1}
FRUGAL = {"table_moves": 4, "cutoff_moves": 5}


@cache
def truth(seed):
    g = with_seed(GAME, seed)
    return minimax(g, g.initial(), HEIGHT)


@pytest.mark.parametrize("more", [{}, FRUGAL, {"guess_nodes": 30}, {"pvs": False}, {"symmetry": False}])
def test_a_game_that_knows_its_endings_is_solved_alike(more):
    for seed in range(samples(300)):
        g = with_seed(GAME, seed)
        found = zs.Engine(g, {**EAGER, **more}, hash_mb=0.05).solve(g.initial())
        assert found.proven and found.value == truth(seed), seed
        s = g.initial()
        for move in found.pv:
            s = g.play(s, move)
        assert g.is_over(s) or "pvs" in more, seed


@pytest.mark.parametrize("endings", [False, True])
def test_what_a_search_with_endings_calls_proven_is_true(endings):
    proofs = 0
    for seed in range(samples(200)):
        g = with_seed(GAME, seed)
        engine = zs.Engine(g, {**EAGER, "endings": endings}, hash_mb=0.05)
        for depth in range(1, 7):
            found = engine.search(g.initial(), depth=depth)
            if found.proven:
                proofs += 1
                assert found.value == truth(seed), (seed, depth)
    assert proofs > samples(200)


def test_values_at_a_given_depth_do_not_depend_on_how_the_table_is_asked():
    for seed in range(samples(100)):
        g = with_seed(GAME, seed)
        for depth in range(1, 7):
            for options in (EAGER, FRUGAL):
                engine = zs.Engine(g, {**options, "exact_draft": True, "endings": False}, hash_mb=0.05)
                found = engine.search(g.initial(), depth=depth)
                assert found.value == minimax(g, g.initial(), found.depth), (seed, depth)


def test_the_table_is_asked_about_moves_before_they_are_searched():
    total = {}
    for name, options in (("asked", EAGER), ("not asked", {**EAGER, "cutoff_moves": 99})):
        games = (with_seed(GAME, seed) for seed in range(samples(300)))
        total[name] = sum(zs.Engine(g, options, hash_mb=0.05).solve(g.initial()).nodes for g in games)
    assert total["asked"] < total["not asked"]


def test_plain_python_asks_the_same():
    for seed in range(samples(20)):
        g = with_seed(GAME, seed)
        found = [zs.Engine(g, EAGER, hash_mb=0.05, jit=jit).solve(g.initial()) for jit in (True, False)]
        assert found[0].nodes == found[1].nodes and found[0].value == found[1].value


def test_an_ending_that_is_wrong_is_found():
    def hasty(s, low, high, t):
        return ending(s, low, high, t) if high - low > 1 else high

    sound = check(GAME, games=samples(20, at_least=8), jit=False)
    tried = {one.law: one.result for one in sound.tried}
    assert sound.ok and all(tried[law] == "ok" for law in ("moves_left", "is_ending", "ending"))
    report = check(GAME.with_(ending=hasty), games=samples(20, at_least=8), jit=False)
    assert {finding.rule for finding in report.findings} == {"ending"}
    assert " within (" in report.findings[0].message


def test_endings_are_for_games_whose_positions_have_one_value():
    with pytest.raises(GameError, match="random: ending and is_ending go together"):
        random_game(scored=True).with_(ending=ending)
    with pytest.raises(GameError, match="random: ending is for scored games without chance and repetition"):
        GAME.with_(scored=False)
    with pytest.raises(GameError, match="random: ending is for scored games without chance and repetition"):
        GAME.with_(repetition=2)


@pytest.mark.parametrize("guess", [None, -200, -64, -7, 0, 3, 64, 200])
@pytest.mark.parametrize("value", range(-64, 66, 8))
def test_questions_close_in_on_the_value(guess, value):
    questions, low, high = Questions(GAME), -64, 64
    questions.guess = guess
    for _ in range(20):
        if low == high:
            break
        middle = questions.next(low, high)
        assert low <= middle < high
        low, high = (middle + 1, high) if value > middle else (low, middle)
    assert low == high == value


def test_questions_without_any_bounds_close_in_too():
    questions, low, high = Questions(GAME), -NO_BOUND, NO_BOUND
    questions.guess = 10
    asked = 0
    while low < high:
        middle = questions.next(low, high)
        low, high = (middle + 1, high) if middle < 1000 else (low, middle)
        asked += 1
    assert low == 1000 and asked < 30


def test_threads_that_solve_answer_one_question_together():
    game = game_with_endings()
    for seed in range(samples(60)):
        g = with_seed(game, seed)
        found = zs.Engine(g, {"table_moves": 1, "cutoff_moves": 1}, hash_mb=0.05, threads=3).solve(g.initial())
        assert found.proven and found.value == truth(seed), seed
