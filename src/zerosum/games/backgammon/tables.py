"""The arrays used by backgammon's evaluation."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.games.backgammon import bearoff
from zerosum.networks.network import parse
from zerosum.networks.shape import Shape

NETWORK = "network.npz"


class Tables(NamedTuple):
    """Passed by address, so that new numbers never cause a recompilation."""

    needed: npt.NDArray[np.float32]  # (54264, 32): see bearoff.BearOff
    none_off: npt.NDArray[np.float32]  # (54264, 16)
    network: npt.NDArray[np.float32]  # (networks, numbers of each): see networks/shape.py


@lru_cache(maxsize=1)
def trained() -> tuple[Shape, Tables]:
    """The shape of the trained network, and the tables that contain it; they are shared, so do not modify them."""
    found = parse(files("zerosum.games.backgammon").joinpath(NETWORK).read_bytes(), NETWORK)
    known = bearoff.table()
    return found.shape, Tables(known.needed, known.none_off, found.weights)
