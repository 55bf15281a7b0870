"""Networks and patterns with random weights, for tests that do not depend on playing strength."""

from __future__ import annotations

import numpy as np

from zerosum.game import Game
from zerosum.networks import patterns
from zerosum.networks.sparse import ONE, SparseShape
from zerosum.networks.sparse_file import SparseNetwork


def some_network(game: Game, hidden: int = 16, seed: int = 0) -> SparseNetwork:
    shape = SparseShape(game.active_features, hidden, game.phases)
    chance = np.random.default_rng(seed)
    row = np.zeros(shape.size, np.int16)
    first, thresholds, second = shape.parts(row)
    first[:] = chance.integers(-90, 91, first.shape)
    thresholds[:] = chance.integers(-50, 200, thresholds.shape)
    second[:] = chance.integers(-100, 101, second.shape)
    last = np.append(chance.integers(-ONE, ONE, shape.phases), 300)
    return SparseNetwork(game.name, shape, row, last)


def some_weights(game: Game, seed: int = 0) -> SparseNetwork:
    shape = patterns.PatternShape.of(game)
    chance = np.random.default_rng(seed)
    numbers = chance.integers(-30_000, 30_001, shape.size).astype(np.int16)
    last = np.append(chance.integers(-patterns.ONE, patterns.ONE, shape.phases), 300)
    return SparseNetwork(game.name, shape, numbers, last)
