"""An engine's memory serves one search at a time: a second one is refused, whatever thread it comes from."""

from __future__ import annotations

import pickle
import threading

import pytest
from patience import PATIENCE

import zerosum as zs
from zerosum.errors import LimitError
from zerosum.search.algorithm import Question

GAME = zs.load("tictactoe")
BUSY = "already searching: wait until it has finished, or use another Engine"


@pytest.fixture
def engine():
    return zs.Engine(GAME, hash_mb=1, jit=False)


def test_what_uses_the_memory_is_refused_during_a_search(engine):
    begun, go_on = threading.Event(), threading.Event()

    def wait(result):
        begun.set()
        assert go_on.wait(PATIENCE)

    found = []
    limits = {"depth": 3, "on_report": wait}
    thread = threading.Thread(target=lambda: found.append(engine.search(GAME.initial(), **limits)))
    thread.start()
    assert begun.wait(PATIENCE)
    try:
        for use in (
            lambda: engine.search(GAME.initial(), depth=1),
            lambda: engine.solve(GAME.initial()),
            lambda: engine.keep([Question(GAME.initial(), least=1)]),
            engine.clear,
            engine.prepare,
        ):
            with pytest.raises(LimitError, match=BUSY):
                use()
        engine.progress(), engine.hashfull(), engine.known(GAME.initial())  # these only look
    finally:
        go_on.set()
        thread.join()
    assert found[0].depth == 3
    assert engine.search(GAME.initial(), depth=2).depth == 2


@pytest.mark.parametrize("algorithm", ["alphabeta", "mcts"])
def test_a_report_cannot_search_with_its_own_engine(algorithm):
    engine = zs.Engine(GAME, algorithm, hash_mb=1, jit=False)
    with pytest.raises(LimitError, match=BUSY):
        engine.search(GAME.initial(), nodes=2000, on_report=lambda result: engine.search(GAME.initial(), depth=1))
    assert engine.search(GAME.initial(), nodes=50).move is not None


def test_between_the_results_of_solve_many_the_engine_is_solving(engine):
    won = GAME.parse_state("xx.oo....")
    for result in engine.solve_many([won, won]):
        assert result.outcome == 1
        with pytest.raises(LimitError, match=BUSY):
            engine.search(won, depth=1)
    unfinished = engine.solve_many([won, won])
    next(unfinished)
    unfinished.close()
    assert engine.solve(won).outcome == 1


@pytest.mark.parametrize("algorithm", [None, zs.AlphaBeta(order=False), zs.Mcts(seed=3)])
def test_an_engine_is_pickled_without_what_it_has_learned(algorithm):
    engine = zs.Engine(GAME, algorithm, threads=2, hash_mb=2, jit=False)
    engine.search(GAME.initial(), depth=2, nodes=50)
    again = pickle.loads(pickle.dumps(engine))
    assert (again.game.name, again.algorithm, again.jit) == (GAME.name, engine.algorithm, False)
    assert again.threads == engine.threads
    assert again.known(GAME.initial()) is None
    assert again.search(GAME.initial(), depth=2, nodes=50).move is not None
