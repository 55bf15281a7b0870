"""Networks as a textbook writes them, in double precision."""

from __future__ import annotations

import numpy as np

from zerosum.networks.shape import Shape

SHAPES = [Shape(5, 4), Shape(20, 6, levels=3, networks=2), Shape(7, 0), Shape(18, 0, levels=2)]


def parts(shape: Shape, weights: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return one network's numbers as matrices: hidden weights and thresholds, output weights and thresholds."""
    inner, width = shape.inputs * shape.hidden, shape.hidden or shape.inputs
    cuts = np.cumsum([inner, shape.hidden, shape.outputs * width])
    first, thresholds, second, last = np.split(weights, cuts)
    return first.reshape(shape.inputs, shape.hidden), thresholds, second.reshape(shape.outputs, width), last


def chances_of(shape: Shape, weights: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Evaluate the network as a textbook writes it, in double precision."""
    first, thresholds, second, last = parts(shape, weights.astype(np.float64))
    units = features
    if shape.hidden:
        x = np.clip(features @ first + thresholds, -3, 3)
        units = x * (27 + x**2) / (27 + 9 * x**2)
    return 1 / (1 + np.exp(-(second @ units + last)))


def sparse(shape: Shape, chance: np.random.Generator) -> np.ndarray:
    return np.where(chance.random(shape.inputs) < 0.4, chance.normal(0, 1, shape.inputs), 0.0)


def row_of(shape: Shape, features: np.ndarray) -> np.ndarray:
    row = np.zeros(shape.row, np.float32)
    row[: shape.inputs] = features
    return row


def loss_slope(shape: Shape, weights: np.ndarray, features: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the gradient of the cross-entropy by each weight of one network, measured numerically."""

    def loss(numbers: np.ndarray) -> float:
        found = chances_of(shape, numbers, features)
        return float(-np.sum(target * np.log(found) + (1 - target) * np.log(1 - found)))

    slope = np.zeros(shape.size)
    for i in range(shape.size):
        up, down = weights.copy(), weights.copy()
        up[i] += 1e-5
        down[i] -= 1e-5
        slope[i] = (loss(up) - loss(down)) / 2e-5
    return slope
