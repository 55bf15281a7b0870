"""Tesauro's pubeval, the public yardstick of backgammon programs since 1993: two linear functions of 122 numbers.

The weights are not ours and not in this repository: they are read from ``../shared/data/backgammon``, or from the
folder that ``ZEROSUM_DATA`` names.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.game import MAX, Game
from zerosum.games.backgammon.position import checkers
from zerosum.games.backgammon.rules import play

NUMBERS = 122
SCALE = 1_000_000.0  # scores are fractions, an order is a whole number


class PubevalTables(NamedTuple):
    pubeval: npt.NDArray[np.float64]  # (2, 122): with contact, and in a race


def data_folder() -> Path:
    """Return the folder with data made by others."""
    given = os.environ.get("ZEROSUM_DATA")
    return Path(given) if given else Path(__file__).resolve().parents[2] / "shared" / "data"


def read_weights(folder: Path | None = None) -> npt.NDArray[np.float64]:
    folder = folder or data_folder() / "backgammon"
    return np.array([[float(word) for word in (folder / name).read_text().split()] for name in ("WT.cntc", "WT.race")])


def last_slot(low, high):
    for slot in range(25, 0, -1):
        if checkers(low, high, slot):
            return slot
    return 0


def score(low, high, other_low, other_high, row, t):
    """Return pubeval's score of a position after a move by the player with the first two words."""
    if low & 15 == 15:
        return 99999999.0 / SCALE
    total = 0.0
    for slot in range(24, 0, -1):  # pubeval's first five numbers describe its 24 point
        first = 5 * (24 - slot)
        n = checkers(low, high, slot)
        if n == 1:
            total += t.pubeval[row, first + 1]
        elif n >= 2:
            total += t.pubeval[row, first + 2]
            if n == 3:
                total += t.pubeval[row, first + 3]
            elif n >= 4:
                total += t.pubeval[row, first + 4] * (n - 3) * 0.5
        elif checkers(other_low, other_high, 25 - slot) == 1:
            total += t.pubeval[row, first]
    total += t.pubeval[row, 120] * checkers(other_low, other_high, 25) * 0.5
    return total + t.pubeval[row, 121] * (low & 15) / 15.0


def order(s, move, t):
    """Return pubeval's score of a move. The position before the move selects the weights, so all moves use the same."""
    row = 1 if last_slot(s.max_low, s.max_high) + last_slot(s.min_low, s.min_high) < 25 else 0
    after = play(s, move)
    if s.player == MAX:
        found = score(after.max_low, after.max_high, after.min_low, after.min_high, row, t)
    else:
        found = score(after.min_low, after.min_high, after.max_low, after.max_high, row, t)
    return int(found * SCALE)


def with_pubeval(game: Game) -> Game:
    """Return backgammon with pubeval as its ``order``; other tables are kept."""
    own = {} if game.tables is None else game.tables._asdict()
    kinds: Any = dict.fromkeys(own, np.ndarray)
    Tables: Any = NamedTuple("Tables", [*kinds.items(), ("pubeval", np.ndarray)])
    return game.with_(order=order, tables=Tables(**own, pubeval=read_weights()))
