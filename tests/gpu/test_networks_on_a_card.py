"""Networks in the form for cards agree with those for processors, and all kernels around them become PTX."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from zerosum.games import load
from zerosum.jit.gpu.kernels import llvm_for_gpu
from zerosum.jit.gpu.ptx import ptx_of
from zerosum.jit.kernel import ItemKernel
from zerosum.learn.lookahead_waves import features_kernel, kernels_for
from zerosum.networks.functions import Functions
from zerosum.networks.gpu_form import by_blocks, for_gpu
from zerosum.networks.network import Network, learned, shape_for
from zerosum.networks.shape import Shape
from zerosum.search.batches import LIST
from zerosum.search.rollout import roll_out
from zerosum.search.rollout_waves import KERNELS

sys.path.insert(0, str(Path(__file__).parents[1] / "learn"))

from textbook import SHAPES, chances_of, row_of, sparse


@pytest.mark.parametrize("shape", [*SHAPES, Shape(9, 16), Shape(40, 37, levels=3, networks=2)], ids=str)
def test_blocks_of_hidden_units_make_the_same_chances(shape: Shape):
    chance = np.random.default_rng(5)
    weights = chance.normal(0, 0.7, (shape.networks, shape.size)).astype(np.float32)
    judge, functions = by_blocks(shape), Functions(shape)
    for _ in range(10):
        features, net = sparse(shape, chance), int(chance.integers(shape.networks))
        on_gpu, on_processor = row_of(shape, features), row_of(shape, features)
        judge(on_gpu, weights.reshape(-1), net)
        if shape.hidden:
            functions.first_sums(on_processor, weights.reshape(-1), net)
        functions.conclude(on_processor, weights.reshape(-1), net)
        found = on_gpu[shape.chances : shape.chances + shape.outputs]
        assert found == pytest.approx(on_processor[shape.chances : shape.chances + shape.outputs], abs=1e-6)
        assert found == pytest.approx(chances_of(shape, weights[net], features), abs=1e-5)


def test_evaluations_agree_also_of_games_that_were_learned():
    game = load("backgammon")
    card, s = for_gpu(game), game.play(game.initial(), 31)
    assert card.given["evaluate"] is not game.given["evaluate"]
    for move in game.legal_moves(s):
        after = game.play(s, move)
        assert card.evaluate(after) == pytest.approx(game.evaluate(after), abs=1e-6)
    four = load("connect-four")
    assert for_gpu(four) is four  # its evaluation is not a network
    taught = learned(four, Network.fresh(four, hidden=20, seed=2))
    s = four.play(four.initial(), four.legal_moves(four.initial())[3])
    assert for_gpu(taught).evaluate(s) == pytest.approx(taught.evaluate(s), abs=1)


BACKGAMMON = for_gpu(load("backgammon"))
OF_SHAPE = shape_for(BACKGAMMON, 40)
ALL = (LIST, *KERNELS, *kernels_for(OF_SHAPE), features_kernel(OF_SHAPE))


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ALL, ids=lambda kernel: kernel.name)
def test_kernels_of_backgammon_become_ptx(kernel: ItemKernel):
    plan = kernel.plan(BACKGAMMON)
    ptx = ptx_of(llvm_for_gpu(kernel, BACKGAMMON).text, plan.words, plan.spare, 90, kernel.min_blocks)
    assert ".entry zerosum_card" in ptx and "call" not in ptx


@pytest.mark.slow
@pytest.mark.usefixtures("card")
def test_backgammon_is_rolled_out_as_on_the_processor():
    game = load("backgammon")
    for luck in (0, 2):
        (card,) = roll_out(game, [game.initial()], games=72, luck=luck, device="gpu")
        (same,) = roll_out(BACKGAMMON, [game.initial()], games=72, luck=luck)
        (processor,) = roll_out(game, [game.initial()], games=72, luck=luck)
        for other in (same, processor):
            assert card.value == pytest.approx(other.value, abs=0.1)
            assert abs(card.plies - other.plies) < 100  # rounding can lead to another move, but hardly ever does
