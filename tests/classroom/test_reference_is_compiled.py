"""The reference and the kernels agree: on thousands of random trees, and on the small games.

In the usual run, random trees compile minimax only; the other kernels run as plain Python.

All trees are combined into one, each below its own branch, so one kernel and one engine search them all. The nodes
between the root and the trees have no meaning.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from classroom.random_trees import EXACT, chance_trees, trees
from samples import THOROUGH, samples

import zerosum as zs
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.minimax import minimax
from zerosum.classroom.node import Node
from zerosum.classroom.quiescence import quiescence
from zerosum.classroom.tracing import ALGORITHMS
from zerosum.classroom.tree import Tree
from zerosum.engine import minimax as kernel_minimax
from zerosum.game import MAX, Game
from zerosum.games import load
from zerosum.search.minimax import MINIMAX
from zerosum.search.options import SOUND, UNSOUND

COUNT = samples(1000)
OFF = dict.fromkeys((*SOUND, *UNSOUND, "exact_draft"), False)
SETTINGS = {
    "plain alpha-beta": OFF,
    "table": {**OFF, "table": True, "exact_draft": True},
    "pvs": {**OFF, "pvs": True},
    "aspiration": {**OFF, "aspiration": True},
    "everything sound": {"exact_draft": True},
}


def nameless(node: Node) -> Node:
    from dataclasses import replace

    return replace(node, name="", children=tuple(map(nameless, node.children)))


def forest(members: Sequence[Tree]) -> tuple[Game, list]:
    """One game that contains all these trees, and the state at the root of each."""
    level = [nameless(tree.root) for tree in members]
    paths: list[tuple[int, ...]] = [() for _ in level]
    places = list(range(len(level)))  # for each tree, its node on this level
    while len(level) > 1:
        paths = [(place % 16, *path) for place, path in zip(places, paths, strict=True)]
        places = [place // 16 for place in places]
        level = [Node(MAX, value=0, children=tuple(level[i : i + 16])) for i in range(0, len(level), 16)]
    game = Tree(level[0]).game
    states = []
    for path in paths:
        s = game.initial()
        for move in path:
            s = game.play(s, move)
        states.append(s)
    return game, states


@pytest.fixture(scope="module")
def plain_forest():
    return forest(trees(COUNT))


@pytest.fixture(scope="module")
def chance_forest():
    return forest(chance_trees(COUNT))


def test_small_trees_share_one_kernel():
    digests = {MINIMAX.digest(tree.game) for tree in [*trees(50), Tree.uniform(15, 2), Tree.from_lists([1, 2])]}
    assert len(digests) == 1


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_engine_finds_what_the_reference_finds(setting, plain_forest):
    game, states = plain_forest
    engine = zs.Engine(game, SETTINGS[setting], hash_mb=1, jit=THOROUGH)
    for seed, (tree, s) in enumerate(zip(trees(COUNT), states, strict=True)):
        whole = minimax(game, s)
        assert whole == minimax(tree.game)
        found = engine.search(s, depth=5)
        assert found.value == whole, (setting, seed)
        if seed % 5 == 0 and not game.is_over(s):
            found = engine.search(s, depth=2)
            assert found.value == (minimax(game, s, 2) if found.depth == 2 else whole), (setting, seed)


def test_compiled_minimax_is_the_reference(plain_forest):
    game, states = plain_forest
    for seed, s in enumerate(states[: samples(200)]):
        for depth in (1, 2, 5):
            assert kernel_minimax(game, s, depth).value == minimax(game, s, depth), seed


def test_quiescence_is_the_reference(plain_forest):
    game, states = plain_forest
    engine = zs.Engine(game, {**OFF, "quiescence": True}, hash_mb=1, jit=THOROUGH)
    compared = 0
    for seed, s in enumerate(states):
        if not game.is_over(s):
            depth = 1 + seed % 2
            found = engine.search(s, depth=depth)
            if found.depth == depth:  # otherwise the value was proven before
                compared += 1
                assert found.value == quiescence(game, s, depth), seed
    assert compared > COUNT / 2


def test_solving_is_the_reference(plain_forest):
    game, states = plain_forest
    for seed, found in enumerate(zs.Engine(game, hash_mb=1, jit=THOROUGH).solve_many(states[: samples(500)])):
        assert found.proven
        assert found.value == minimax(game, states[seed]), seed


def test_expectiminimax_is_the_reference(chance_forest):
    game, states = chance_forest
    engine = zs.Engine(game, {"exact_draft": True}, hash_mb=1, jit=THOROUGH)
    for seed, s in enumerate(states):
        depth = 1 + seed % 5
        truth = expectiminimax(game, s, depth)
        assert engine.search(s, depth=depth).value == pytest.approx(truth, abs=1e-9), seed
        if seed < samples(100):
            assert kernel_minimax(game, s, depth, jit=THOROUGH).value == pytest.approx(truth, abs=1e-9)
            for name in ("star1", "star2"):
                assert ALGORITHMS[name](game, s, depth) == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "parameters", "depth"),
    [
        ("tictactoe", {}, 4),
        ("connect-four", {"width": 5, "height": 4}, 4),
        pytest.param("kalah", {}, 4, marks=pytest.mark.slow),
        pytest.param("nim", {}, 3, marks=pytest.mark.slow),
    ],
)
def test_small_games(name, parameters, depth):
    game = load(name, **parameters)
    s = game.initial()
    truth = zs.Engine(game, {"exact_draft": True, "bounds": False}, hash_mb=1).search(s, depth=depth)
    assert truth.depth == depth
    for algorithm in EXACT:
        if algorithm not in ("quiescence", "selective", "singular", "null-move", "star1", "star2"):
            assert ALGORITHMS[algorithm](game, s, depth) == truth.value, algorithm


def test_pig():
    game = load("pig", target=15)
    truth = zs.Engine(game, {"exact_draft": True}, hash_mb=1).search(game.initial(), depth=3)
    assert truth.depth == 3
    for algorithm in ("expectiminimax", "star1", "star2"):
        assert ALGORITHMS[algorithm](game, None, 3) == pytest.approx(truth.value, abs=1e-12)
