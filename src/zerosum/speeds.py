"""The speed of rules: perft leaves and plies of random games per second, on the processor and on a graphics card."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from zerosum.engine import perft, playouts
from zerosum.game import Game
from zerosum.processors import usable_processors

ENOUGH = 0.3
"""The least time of a measurement, in seconds."""

DEEPEST, MOST_GAMES = 20, 1 << 28


@dataclass(frozen=True)
class Speed:
    """Leaves and plies per second.

    Attributes:
        leaves: leaves of perft, from the initial position.
        plies: plies of random games.
    """

    leaves: float
    plies: float


def speed_of(game: Game, device: str = "cpu") -> Speed:
    """Measure on all processors, with deeper perft and more games until each takes long enough.

    Kernels are compiled before the measurement.
    """
    how: dict[str, Any] = {"device": "gpu"} if device == "gpu" else {"threads": usable_processors()}
    s = game.initial()
    perft(game, s, 4, **how)
    playouts(game, s, 10, **how)
    leaves, seconds, depth = 0, 0.0, 3
    while seconds < ENOUGH and depth < DEEPEST:
        depth += 1
        began = time.perf_counter()
        found = perft(game, s, depth, **how)
        if not found:
            break  # all games have ended
        leaves, seconds = found, time.perf_counter() - began
    games, played = 1024, playouts(game, s, 1024, **how)
    while played.seconds < ENOUGH and games < MOST_GAMES:
        games *= 4
        played = playouts(game, s, games, **how)
    return Speed(leaves / max(seconds, 1e-9), played.plies_per_second)
