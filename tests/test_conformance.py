"""One suite for everything: every game × every algorithm × every target keeps the same promises.

A new game, algorithm or target is added with one line in the tables below. Cases that compile kernels only for this
suite are marked slow.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from typing import Any

import pytest
from broken_games import broken_game
from samples import samples

import zerosum as zs
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.minimax import minimax as reference
from zerosum.engine import minimax, perft, playouts
from zerosum.errors import GameError
from zerosum.jit.target import CPU, PLAIN, Target
from zerosum.search.options import SOUND, UNSOUND

OFF = dict.fromkeys((*SOUND, *UNSOUND, "exact_draft"), False)


@dataclass(frozen=True)
class Subject:
    """A game, the plies of random play before a position, and how deep the reference can search from there."""

    name: str
    parameters: tuple[tuple[str, Any], ...] = ()
    plies: int = 4
    depth: int = 3
    count: int = 4  # number of positions
    close: float = 1e-9  # networks have single precision, and compiled ones add up in another order
    slow: bool = False  # no other test has its kernels compiled

    @property
    def game(self) -> zs.Game:
        return loaded(self.name, self.parameters)

    def __str__(self) -> str:
        return self.name


@cache
def loaded(name: str, parameters: tuple[tuple[str, Any], ...]) -> zs.Game:
    return zs.load(name, **dict(parameters))


GAMES = [
    Subject("tictactoe", depth=4),
    Subject("nim", slow=True),
    Subject(
        "hex", (("size", 4),), plies=9, slow=True
    ),  # a proven result is compared with the whole tree: it must be small
    Subject("connect-four", (("width", 5), ("height", 4)), plies=6, depth=4),
    Subject("kalah", plies=6, slow=True),
    Subject("morris", plies=24, depth=2, slow=True),
    Subject("othello", plies=20, slow=True),
    Subject("checkers", plies=20, slow=True),
    Subject("chess", plies=20, depth=2),
    Subject("pig", (("target", 15),), depth=2),
    Subject("backgammon", plies=9, depth=1, count=1, close=1e-4, slow=True),
]

Ask = Callable[..., zs.Result]


@dataclass(frozen=True)
class Algorithm:
    """``ask(game, target, s, **limits)`` runs the algorithm; ``truth(subject, s, depth)`` is the correct result."""

    name: str
    ask: Ask
    chance: bool  # for games with chance, or for those without
    limits: frozenset[str] = frozenset({"depth", "nodes", "seconds", "stop"})
    slow: bool = False

    def __str__(self) -> str:
        return self.name


@cache
def truth(subject: Subject, s: Any, depth: int | None) -> float:
    """The result of the obvious search, which is the same for all algorithms."""
    return (expectiminimax if subject.game.has("chances") else reference)(subject.game, s, depth)


def engine_with(options: dict[str, Any], threads: int = 1) -> Ask:
    def ask(game: zs.Game, target: Target, s: Any, **limits: Any) -> zs.Result:
        chosen = {name: on for name, on in options.items() if not on or name in SOUND or name == "exact_draft"}
        engine = zs.Engine(game, chosen, threads=threads, hash_mb=1, jit=target)
        return engine.search(s, **limits)

    return ask


def straight(game: zs.Game, target: Target, s: Any, depth: int) -> zs.Result:
    return minimax(game, s, depth, jit=target)


def proving(game: zs.Game, target: Target, s: Any, **limits: Any) -> zs.Result:
    return zs.Engine(game, "proof", hash_mb=1, jit=target).search(s, **limits)


UNGUESSING = {**dict.fromkeys(UNSOUND, False), "exact_draft": True}
CHANCE_OFF = {"star1": False, "star2": False, "table": False}

ALGORITHMS = [
    Algorithm("minimax", straight, chance=False, limits=frozenset({"depth"}), slow=True),
    Algorithm("alpha-beta alone", engine_with(OFF), chance=False),
    Algorithm("alpha-beta, all that is sound", engine_with(UNGUESSING), chance=False),
    Algorithm("alpha-beta, two threads", engine_with(UNGUESSING, threads=2), chance=False),
    Algorithm("proof numbers", proving, chance=False, limits=frozenset({"nodes", "seconds", "stop"}), slow=True),
    Algorithm("expectiminimax alone", engine_with(CHANCE_OFF), chance=True),
    Algorithm("expectiminimax, pruned", engine_with({}), chance=True),
]

TARGETS = [PLAIN, CPU]


def every(*limits: str) -> list[Any]:
    """All combinations for the algorithms that accept these limits."""
    found = []
    for subject, algorithm, target in product(GAMES, ALGORITHMS, TARGETS):
        if algorithm.chance == subject.game.has("chances") and algorithm.limits >= set(limits):
            only_here = target.is_compiled and (subject.slow or (algorithm.slow and subject.name != "tictactoe"))
            marks = [pytest.mark.slow] if only_here else []
            name = f"{subject}-{algorithm}-{target.value}"
            found.append(pytest.param(subject, algorithm, target, id=name, marks=marks))
    return found


def positions(subject: Subject) -> Iterator[Any]:
    """Positions of random games in which a player is to move."""
    game, chance = subject.game, random.Random(subject.name)
    while True:
        s = game.initial()
        for _ in range(subject.plies):
            if game.is_over(s):
                break
            s = game.successor(s, chance.choice(game.legal_moves(s)))
        if not game.is_over(s) and game.to_move(s) != zs.CHANCE:
            yield s


def leads_on(game: zs.Game, s: Any, found: zs.Result) -> None:
    """Whether the line can be played, and begins with the move."""
    assert found.move is not None and (not found.pv or found.pv[0] == found.move)
    line = zs.Line(game, s)
    for move in found.pv or (found.move,):
        line = line.play(move)


@pytest.mark.parametrize(("subject", "algorithm", "target"), every("depth"))
def test_the_value_is_the_reference_s_and_the_line_can_be_played(subject, algorithm, target):
    game = subject.game
    for s in islice(positions(subject), samples(subject.count)):
        found = algorithm.ask(game, target, s, depth=subject.depth)
        depth = subject.depth if found.depth == subject.depth else None  # otherwise the search saw the whole tree
        assert found.value == pytest.approx(truth(subject, s, depth), abs=subject.close), game.format_state(s)
        leads_on(game, s, found)


@pytest.mark.parametrize(("subject", "algorithm", "target"), every("nodes", "seconds"))
def test_limits_are_kept(subject, algorithm, target):
    game = subject.game
    s = next(positions(subject))
    few = algorithm.ask(game, target, s, nodes=60)
    assert few.nodes <= 60 + 4 * game.max_moves  # a helper may continue until it sees the stop
    leads_on(game, s, few)
    leads_on(game, s, algorithm.ask(game, target, s, seconds=0.001))


@pytest.mark.parametrize(("subject", "algorithm", "target"), every("stop"))
def test_a_stop_is_heard(subject, algorithm, target):
    """Even if the stop is set before the search begins, there is an answer."""
    game, stop = subject.game, zs.Stop()
    stop.set()
    found = algorithm.ask(game, target, next(positions(subject)), stop=stop)
    assert found.move is not None and found.depth <= 1


GAMES_PLAYED = samples(12, at_least=4)
COUNTING = {
    "perft": lambda game, s, **how: perft(game, s, 2, **how),
    "random games": lambda game, s, **how: replace(playouts(game, s, GAMES_PLAYED, seed=3, **how), seconds=0.0),
}
"""Work done item by item: which thread does which item, and where, must make no difference."""


def every_way() -> list[Any]:
    found = []
    for subject, name, target in product(GAMES, COUNTING, TARGETS):
        only_here = target.is_compiled and subject.name not in ("tictactoe", "connect-four", "pig")
        marks = [pytest.mark.slow] if only_here else []
        found.append(pytest.param(subject, name, target, id=f"{subject}-{name}-{target.value}", marks=marks))
    return found


@pytest.mark.parametrize(("subject", "name", "target"), every_way())
def test_threads_and_targets_do_not_show(subject, name, target):
    game, s = subject.game, next(positions(subject))
    once = COUNTING[name](game, s, jit=False)
    for threads in (1, 3):
        assert COUNTING[name](game, s, threads=threads, jit=target) == once, threads


def on_broken_games() -> list[Any]:
    """Only minimax's kernel is needed by other tests too."""
    found = []
    for algorithm, target in product(ALGORITHMS, TARGETS):
        if not algorithm.chance and "depth" in algorithm.limits:
            marks = [pytest.mark.slow] if target.is_compiled and algorithm.name != "minimax" else []
            found.append(pytest.param(algorithm, target, id=f"{algorithm}-{target.value}", marks=marks))
    return found


@pytest.mark.parametrize(("algorithm", "target"), on_broken_games())
def test_a_rule_that_breaks_its_promise_is_reported(algorithm, target):
    game = broken_game("max_moves")
    with pytest.raises(GameError, match="max_moves"):
        algorithm.ask(game, target, game.initial(), depth=12)
