"""Fits on a GPU: without one, a clear error message; with one, the same weights as without."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest
from textbook import SHAPES, sparse
from walks import walk

from zerosum.errors import ZerosumError
from zerosum.games import load
from zerosum.learn.arrays import arrays, in_memory
from zerosum.learn.descent import Descent
from zerosum.learn.fitting import scattered
from zerosum.learn.lookahead_training import LookaheadTraining
from zerosum.learn.pattern_descent import Numbering, PatternDescent, seen
from zerosum.learn.sparse_descent import Batch, Loss, SparseDescent, fresh_row
from zerosum.learn.training import TdOptions
from zerosum.networks.patterns import PatternShape
from zerosum.networks.shape import Shape
from zerosum.networks.sparse import SparseShape


def gpu_is_there() -> bool:
    try:
        return arrays(gpu=True) is not None
    except ZerosumError:
        return False


needs_gpu = pytest.mark.skipif(not gpu_is_there(), reason="needs CuPy and a GPU")


def test_without_cupy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(ZerosumError, match=r"CuPy, which is not installed: pip install 'zerosum\[cuda\]'"):
        arrays(gpu=True)


def test_without_a_gpu(monkeypatch: pytest.MonkeyPatch):
    class NoDevice(ModuleType):
        def zeros(self, size: int) -> None:
            raise RuntimeError("no CUDA-capable device is detected\nand more")

    monkeypatch.setitem(sys.modules, "cupy", NoDevice("cupy"))
    with pytest.raises(ZerosumError, match=r"CuPy cannot use a GPU: no CUDA-capable device is detected$"):
        arrays(gpu=True)


@needs_gpu
@pytest.mark.parametrize("shape", SHAPES)
def test_steps_are_the_same(shape: Shape):
    chance = np.random.default_rng(3)
    weights = chance.normal(0, 0.5, shape.size).astype(np.float32)
    features = np.array([sparse(shape, chance) for _ in range(30)], np.float32)
    targets = chance.random((30, shape.outputs)).astype(np.float32)
    found = []
    for on in (arrays(gpu=False), arrays(gpu=True)):
        row = on.asarray(weights.copy())
        fit = Descent(shape, row, on.zeros_like(row), on.zeros_like(row))
        for _ in range(20):
            fit.step(on.asarray(features), on.asarray(targets), 0.01)
        found.append(in_memory(fit.weights))
    assert found[1] == pytest.approx(found[0], abs=1e-3)


@needs_gpu
def test_steps_of_networks_over_sparse_features_are_the_same():
    shape, chance = SparseShape(70, 32, 3), np.random.default_rng(3)
    numbers = chance.integers(0, 256, (500, 2, 16), np.uint8), chance.integers(0, 3, 500).astype(np.uint8)
    targets, found = chance.random(500).astype(np.float32), []
    for on in (arrays(gpu=False), arrays(gpu=True)):
        descent = SparseDescent.begin(shape, Loss(False, 2.5), fresh_row(shape, 70, seed=1), 70, on)
        batch = Batch(*(on.asarray(column) for column in (*numbers, targets)))
        missed = [float(descent.step(batch, 0.01)) for _ in range(20)]
        found.append((missed, in_memory(descent.row)))
    assert found[1][0] == pytest.approx(found[0][0], rel=1e-3)
    assert found[1][1] == pytest.approx(found[0][1], abs=1e-2)


@needs_gpu
@pytest.mark.parametrize("loss", [Loss(False), Loss(True)])
def test_steps_of_patterns_are_the_same(loss: Loss):
    game, chance, found = load("connect-four"), np.random.default_rng(3), []
    shape = PatternShape.of(game)
    numbering = Numbering.of(shape)
    kinds = chance.integers(0, 3, (5000, shape.cells))
    rows = np.concatenate([kinds == 1, kinds == 2], axis=1)
    bits = np.packbits(np.pad(rows, ((0, 0), (0, -rows.shape[1] % 64))), axis=1, bitorder="little")
    phases, targets = chance.integers(0, 4, 5000).astype(np.uint8), chance.random(5000).astype(np.float32)
    for on in (arrays(gpu=False), arrays(gpu=True)):
        own = [on.asarray(column) for column in (bits, phases, targets)]
        batch = Batch(seen(shape, numbering, *own[:2], on), *own[1:])
        descent = PatternDescent.begin(shape, loss, 10.0, np.zeros(numbering.size), on)
        descent.count(batch.seen)
        missed = [float(descent.step(batch)) for _ in range(10)]
        found.append((missed, in_memory(descent.row), in_memory(batch.seen)))
    assert np.array_equal(found[0][2], found[1][2])
    assert found[1][0] == pytest.approx(found[0][0], rel=1e-3)
    assert found[1][1] == pytest.approx(found[0][1], abs=1e-3)


@needs_gpu
def test_positions_are_shuffled_alike():
    orders = [in_memory(on.argsort(scattered(on, 1000, 3, 2))) for on in (arrays(gpu=False), arrays(gpu=True))]
    assert np.array_equal(*orders)


@needs_gpu
def test_a_run_is_the_same():
    options = TdOptions(60, hidden=3, rate=0.05, last_rate=0.005, look_ahead=True, round_games=20, window=300, seed=4)
    runs = [LookaheadTraining(walk(), options, gpu=gpu) for gpu in (False, True)]
    for run in runs:
        run.advance(20)
    again = [LookaheadTraining.resume(walk(), runs[0].network(), gpu=gpu) for gpu in (False, True)]
    for pair in (runs, again):
        for run in pair:
            run.advance(20)
        assert pair[0].positions == pair[1].positions
        assert pair[1].weights == pytest.approx(pair[0].weights, abs=1e-2)
