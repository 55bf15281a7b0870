"""The algorithm that suits the game: alpha-beta for what can be proven, and sampling without an evaluation."""

from __future__ import annotations

import zerosum as zs
from zerosum.search.auto import AutoSearcher
from zerosum.search.mcts_searcher import MctsSearcher

TICTACTOE = zs.load("tictactoe")
BLIND = TICTACTOE.with_(evaluate=None)


def test_a_game_with_an_evaluation_is_searched_by_alpha_beta_alone():
    usual, auto = zs.Engine(TICTACTOE, jit=False), zs.Engine(TICTACTOE, "auto", jit=False)
    for depth in (2, 4):
        one, other = usual.search(TICTACTOE.initial(), depth=depth), auto.search(TICTACTOE.initial(), depth=depth)
        assert (one.move, one.value, one.nodes) == (other.move, other.value, other.nodes)


def test_without_an_evaluation_what_alpha_beta_does_not_prove_is_sampled():
    engine = zs.Engine(BLIND, "auto", jit=False)
    searcher = engine._searcher
    assert isinstance(searcher, AutoSearcher) and isinstance(searcher.sampling, MctsSearcher)
    result = engine.search(BLIND.initial(), nodes=2000)
    assert searcher.sampling.simulations > 1500
    assert BLIND.format_move(BLIND.initial(), result.move) == "5", "alpha-beta alone finds all moves equal, and plays 1"
    assert zs.Engine(BLIND, jit=False).search(BLIND.initial(), depth=2).move == 0


def test_a_win_that_is_near_is_proven_before_anything_is_sampled():
    engine = zs.Engine(BLIND, "auto", jit=False)
    result = engine.search(BLIND.parse_state("xx.oo...."), nodes=500)
    assert result.in_words() == "MAX wins in 1 ply"
    assert result.nodes < 50
    assert engine.solve(BLIND.initial()).in_words() == "a draw"


def test_with_a_seed_equal_moves_come_at_random():
    flat = BLIND.with_(key=None)
    found = {zs.Engine(flat, zs.Auto(seed=seed), jit=False).search(flat.initial(), depth=1).move for seed in range(12)}
    assert len(found) > 3
    again = [zs.Engine(flat, zs.Auto(seed=5), jit=False).search(flat.initial(), depth=1).move for _ in range(2)]
    assert again[0] == again[1]


def test_a_depth_alone_is_a_limit_for_alpha_beta():
    engine, usual = zs.Engine(BLIND, "auto", jit=False), zs.Engine(BLIND, jit=False)
    assert engine.search(BLIND.initial(), depth=3).nodes == usual.search(BLIND.initial(), depth=3).nodes


def test_a_stop_ends_both_parts():
    stop = zs.Stop()
    engine = zs.Engine(BLIND, "auto", jit=False)
    assert engine.search(BLIND.initial(), stop=stop, on_report=lambda result: stop.set()).move is not None
    stop = zs.Stop()
    stop.set()
    assert engine.search(BLIND.initial(), stop=stop).move is not None
