"""The window of recent positions that look-ahead training learns from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from zerosum.errors import LimitError


class Positions:
    """The latest positions: features, values for the player whose view they take, and the network that evaluates them.

    Features are stored in 16 bits; in backgammon a position takes 470 bytes. ``on`` is the array module.

    >>> kept = Positions(inputs=2, outputs=1, most=1000)
    >>> kept.add(np.eye(2), np.array([[0.5], [1.0]]), np.array([0, 0]))
    >>> kept.count
    2
    """

    def __init__(self, inputs: int, outputs: int, most: int, on: Any = np) -> None:
        # Except on a GPU, memory costs nothing until it is written to.
        try:
            self.features = on.empty((most, inputs), np.float16)
            self.values = on.empty((most, outputs), np.float32)
            self.nets = np.empty(most, np.int8)
        except (MemoryError, ValueError) as problem:  # ValueError: more than can be addressed
            raise LimitError(f"a window of {most:,} positions does not fit into memory") from problem
        self.most, self.on = most, on
        self.count = self.next = 0

    def add(self, features: Any, values: Any, nets: Any) -> None:
        """Add positions; when there are too many, the oldest are dropped."""
        features, values, nets = features[-self.most :], values[-self.most :], nets[-self.most :]
        places = (self.next + np.arange(len(nets))) % self.most
        self.nets[places] = nets
        there = self.on.asarray(places)
        self.features[there], self.values[there] = self.on.asarray(features), self.on.asarray(values)
        self.next = (self.next + len(nets)) % self.most
        self.count = min(self.count + len(nets), self.most)

    def batches(self, net: int, size: int, chance: np.random.Generator) -> Iterator[tuple[Any, Any]]:
        """Yield all positions of a network once, in random order: features and values, ``size`` at a time."""
        order = np.flatnonzero(self.nets[: self.count] == net)
        chance.shuffle(order)
        places = self.on.asarray(order)
        for first in range(0, len(places), size):
            batch = places[first : first + size]
            yield self.features[batch].astype(np.float32), self.values[batch]
