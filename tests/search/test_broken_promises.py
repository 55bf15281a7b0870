"""A rule that breaks its promise gives the caller one clear line, whichever thread met it, and never a hang."""

from __future__ import annotations

import re
import threading

import numpy as np
import pytest
from broken_games import PROMISES, broken_game, loaded_dice
from patience import PATIENCE
from samples import PLAIN_OR_COMPILED

import zerosum as zs
from zerosum.engine import minimax, perft, playouts
from zerosum.errors import GameError
from zerosum.learn.duel import Duel
from zerosum.networks.shape import Shape
from zerosum.search.selfplay import self_play
from zerosum.search.worker import Worker


def the_line(work, *arguments) -> str:
    with pytest.raises(GameError) as caught:
        work(*arguments)
    (line,) = str(caught.value).splitlines()
    return line


def is_reported(line: str, promise: str) -> bool:
    """Whether the line says what was promised and, except for an exception, names the position."""
    where = "" if promise == "an exception" else r".* in Broken\(name=\d*[1-9]\d*, level=[5-9], turn=\d\)"
    return re.search(f"^broken: {PROMISES[promise]}{where}", line) is not None


@pytest.mark.parametrize(
    ("promise", "jit", "tries"),
    [
        *(pytest.param(name, False, 5, id=f"{name}, plain") for name in PROMISES if name != "an exception"),
        *(pytest.param(name, True, 200, id=f"{name}, 200 times", marks=pytest.mark.slow) for name in PROMISES),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_every_broken_promise_reaches_who_searches_or_solves(promise, jit, threads, tries):
    game = broken_game(promise)
    for _ in range(tries):
        engine = zs.Engine(game, threads=threads, hash_mb=1, jit=jit)
        lines = [the_line(engine.solve, game.initial()), the_line(engine.search, game.initial())]
        assert all(is_reported(line, promise) for line in lines), lines


@pytest.mark.parametrize("promise", PROMISES)
def test_every_other_way_to_meet_it_tells_the_same(promise):
    game = broken_game(promise)
    s = game.initial()
    for work in (
        lambda: minimax(game, s, 9),
        lambda: perft(game, s, 8),
        lambda: playouts(game, s, 1000),
    ):
        line = the_line(work)
        assert is_reported(line, promise), line


@pytest.mark.slow
@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize(
    "how", [{"games": 4, "depth": 6, "random_plies": 0}, {"games": 40, "depth": 1, "random_plies": 9}]
)
def test_self_play_tells_of_it_too(how, promise):
    line = the_line(lambda: list(self_play(broken_game(promise), **how, threads=2, hash_mb=1)))
    assert is_reported(line, promise), line


@PLAIN_OR_COMPILED
def test_a_helper_alone_that_meets_it_is_enough(jit, monkeypatch):
    """The first thread waits until the helper has met the fault, then ends without one: the error is still raised."""
    game, met, usual = broken_game("max_moves"), threading.Event(), Worker.run

    def run(worker, *arguments):
        if worker is not engine._searcher._workers[0]:
            try:
                return usual(worker, *arguments)
            except GameError:
                met.set()
                raise
        assert met.wait(PATIENCE)
        worker.member.stop_now()
        return usual(worker, *arguments)

    monkeypatch.setattr(Worker, "run", run)
    for ask in (zs.Engine.solve, zs.Engine.search):
        met.clear()
        engine = zs.Engine(game, threads=2, hash_mb=1, jit=jit)
        assert is_reported(the_line(ask, engine, game.initial()), "max_moves")


@PLAIN_OR_COMPILED
def test_an_engine_that_met_a_fault_can_go_on(jit):
    game = broken_game("max_moves")
    engine = zs.Engine(game, threads=2, hash_mb=1, jit=jit)
    the_line(engine.solve, game.initial())
    assert engine.search(game.initial(), depth=2).depth >= 2


@pytest.mark.parametrize("algorithm", ["alphabeta", "proof"])
def test_a_line_that_is_too_long_for_plain_python_is_told(algorithm):
    circling = zs.load("nim").with_(play=lambda s, move: s)
    line = the_line(zs.Engine(circling, algorithm, hash_mb=1, jit=False).solve, circling.initial())
    assert re.search(r"^nim: \d+ nested calls, Python's limit: .* sys.setrecursionlimit\(\d+\)", line)


@PLAIN_OR_COMPILED
@pytest.mark.parametrize("threads", [1, 2])
def test_a_duel_tells_of_dice_that_do_not_add_up(threads, jit):
    game, shape = loaded_dice(), Shape(1, 0)
    duel = Duel(game, shape, jit=jit)
    line = the_line(lambda: duel.play(np.zeros((1, shape.size), np.float32), 10, threads=threads))
    assert line.startswith("loaded-dice: ") and "Loaded(place=5, tossing=1)" in line
