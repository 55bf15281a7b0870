"""Many small solves at once agree with the engine's for each position, on the processor, uncompiled and on a card."""

from __future__ import annotations

import itertools
import random
from functools import partial

import pytest
from broken_games import PROMISES, broken_game
from random_games import random_game

import zerosum as zs
from zerosum.engine import minimax
from zerosum.errors import GameError, LimitError
from zerosum.jit.gpu.kernels import llvm_for_gpu
from zerosum.jit.gpu.ptx import CARD_ENTRY, ptx_of
from zerosum.jit.target import CPU, GPU, PLAIN
from zerosum.running.stopping import Stop
from zerosum.search.small_solves import AS_THEY_COME, BY_ORDER, BY_REPLIES, NO_MOVE, SMALL_SOLVE, SmallSolver

ENDINGS = {
    "tictactoe": ({}, 0),
    "connect-four": ({}, 30),
    "othello": ({}, 52),
    "kalah": ({}, 45),
    "hex": ({"size": 3}, 1),
    "nim": ({}, 3),
}
"""Games with their settings, and the number of random moves after which the rest of the game is small."""


def endings(game, moves: int, count: int, seed: int = 1) -> list:
    """Positions of random games, each after at least this many moves; some are finished."""
    dice, found = random.Random(seed), []
    while len(found) < count:
        line = [game.initial()]
        while not game.is_over(line[-1]):
            line.append(game.play(line[-1], dice.choice(game.legal_moves(line[-1]))))
        if len(line) > moves:
            found.append(dice.choice(line[moves:]))
    return found


def shows_its_value(game, s, result) -> bool:
    """Whether the line leads to the end of the game, with the utility that the result says."""
    for move in result.pv:
        s = game.successor(s, move)
    if not game.is_over(s):
        return False
    utility = int(game.utility(s))
    if game.scored:
        return result.value == utility
    return result.value == (zs.WIN - len(result.pv)) * ((utility > 0) - (utility < 0))


def must_agree_with_the_engine(name, target):
    settings, moves = ENDINGS[name]
    game = zs.load(name, **settings)
    states = endings(game, moves, 12 if target is PLAIN else 120)
    solver = SmallSolver(game, target, threads=2)
    results = list(solver.results(states))
    assert sum(result is None for result in results) <= len(states) // 5  # kalah's games may be long
    for s, wanted, found in zip(states, zs.Engine(game, hash_mb=1).solve_many(states), results, strict=True):
        if found is not None:
            assert (found.value, found.outcome, found.distance) == (wanted.value, wanted.outcome, wanted.distance)
            assert found.proven and found.exact
            assert shows_its_value(game, s, found)


@pytest.mark.parametrize("target", [PLAIN, CPU])
@pytest.mark.parametrize("name", ENDINGS)
def test_values_are_the_engines_and_lines_show_them(name, target):
    must_agree_with_the_engine(name, target)


@pytest.mark.parametrize("name", ENDINGS)
def test_values_from_a_card_are_the_engines_too(name, card):
    must_agree_with_the_engine(name, GPU)


def must_agree_with_minimax(scored, target):
    """Compare in games with ties, early ends, stalemates, and players who move twice."""
    for seed in range(3 if target is PLAIN else 60):
        game = random_game(seed, scored)
        (found,) = SmallSolver(game, target).results([game.initial()])
        assert found.value == minimax(game, game.initial(), 8, jit=target is not PLAIN).value


@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize("target", [PLAIN, CPU])
def test_ragged_games_are_worth_what_minimax_says(target, scored):
    must_agree_with_minimax(scored, target)


@pytest.mark.parametrize("scored", [False, True])
def test_a_card_finds_the_same_in_ragged_games(scored, card):
    must_agree_with_minimax(scored, GPU)


@pytest.mark.parametrize("ordering", [AS_THEY_COME, BY_REPLIES, BY_ORDER])
def test_the_order_of_moves_does_not_change_a_value(ordering):
    game = zs.load("othello")
    states = endings(game, 52, 60)
    solver = SmallSolver(game, CPU)
    wanted = solver.solve(states).values
    solver.ordering = ordering
    assert (solver.solve(states).values == wanted).all()


def test_few_replies_first_pays_in_othello_and_is_chosen():
    game = zs.load("othello")
    states = [s for s in endings(game, 50, 400) if (int(s.black) | int(s.white)).bit_count() == 54]
    solver = SmallSolver(game, CPU)
    chosen = solver.solve(states).nodes.sum()
    assert solver.ordering == BY_REPLIES
    for solver.ordering in (AS_THEY_COME, BY_ORDER):
        assert solver.solve(states).nodes.sum() > chosen


def test_what_takes_too_long_is_left_unsolved():
    game = zs.load("othello")
    states = endings(game, 50, 40)
    found = SmallSolver(game, CPU, node_limit=100).solve(states)
    whole = SmallSolver(game, CPU).solve(states)
    assert 0 < found.unsolved.sum() < 40
    solved = ~found.unsolved
    assert (found.values[solved] == whole.values[solved]).all()
    assert (found.nodes[found.unsolved] > -120).all()  # leaves on the way are visited all the same


def test_a_game_that_is_longer_than_the_stack_is_left_unsolved():
    game = zs.load("connect-four")
    (found,) = SmallSolver(game, CPU).results([game.initial()])
    assert found is None


def test_a_finished_game_has_a_value_and_no_line():
    game = zs.load("tictactoe")
    s = game.parse_state("xxxoo....")
    (result,) = SmallSolver(game, CPU).results([s])
    assert result == zs.Engine(game, hash_mb=1).solve(s)
    assert SmallSolver(game, CPU).solve([s]).lines[0][0] == NO_MOVE


def test_no_positions_are_no_results(card):
    assert list(SmallSolver(zs.load("tictactoe"), GPU).results([])) == []


@pytest.mark.parametrize("name", ENDINGS)
def test_the_kernel_lowers_to_ptx(name):
    game = zs.load(name)
    plan = SMALL_SOLVE.plan(game)
    text = ptx_of(llvm_for_gpu(SMALL_SOLVE, game).text, plan.words, plan.spare, 90)
    assert f".entry {CARD_ENTRY}" in text


@pytest.mark.parametrize("promise", [promise for promise in PROMISES if promise != "an exception"])
def test_a_broken_promise_is_told(promise, card):
    game = broken_game(promise)
    for target in (CPU, GPU):
        with pytest.raises(GameError, match=rf"^broken: {PROMISES[promise]}.* in Broken\("):
            SmallSolver(game, target).solve([game.initial()])


# Through the public interface


def test_the_engine_hands_over_many_positions_to_the_card(card):
    game = zs.load("othello")
    states = endings(game, 53, 50)
    engine = zs.Engine(game, hash_mb=1)
    here, there = list(engine.solve_many(states)), list(engine.solve_many(iter(states), device="gpu"))
    assert [r.value for r in here] == [r.value for r in there]
    assert all(result.proven for result in there)


def test_the_processor_takes_over_what_takes_too_long_on_the_card(monkeypatch, card):
    monkeypatch.setattr("zerosum.engine.SmallSolver", partial(SmallSolver, node_limit=100))
    game = zs.load("othello")
    states = endings(game, 51, 40)
    engine = zs.Engine(game, hash_mb=1)
    results = list(engine.solve_many(states, device="gpu"))
    assert [result.value for result in results] == [result.value for result in engine.solve_many(states)]
    assert all(result.proven for result in results)
    assert max(result.nodes for result in results) > 100  # beyond the card's limit


def test_who_stops_the_card_gets_no_more_results(card):
    game, stop = zs.load("tictactoe"), Stop()
    stop.set()
    results = list(zs.Engine(game, hash_mb=1).solve_many([game.initial()] * 9, stop=stop, device="gpu"))
    assert len(results) <= 1
    assert not any(result.proven for result in results)


def test_positions_are_read_in_portions(card):
    game = zs.load("tictactoe")
    endless = itertools.repeat(game.parse_state("xx.oo...."))
    results = zs.Engine(game, hash_mb=1).solve_many(endless, device="gpu")
    assert [result.distance for result in itertools.islice(results, 3)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("backgammon", "has chance nodes"), ("chess", "chess has a repetition rule")],
)
def test_games_that_it_cannot_solve_are_told(name, complaint):
    game = zs.load(name)
    with pytest.raises(GameError, match=complaint):
        list(zs.Engine(game, hash_mb=1).solve_many([game.initial()], device="gpu"))


def test_an_unknown_device_is_told():
    game = zs.load("tictactoe")
    with pytest.raises(LimitError, match="unknown device 'tpu'"):
        zs.Engine(game, hash_mb=1).solve_many([game.initial()], device="tpu")


def test_uncompiled_and_on_a_card_at_once_makes_no_sense():
    game = zs.load("tictactoe")
    with pytest.raises(LimitError, match="a graphics card runs only machine code"):
        zs.Engine(game, hash_mb=1, jit=False).solve_many([game.initial()], device="gpu")
