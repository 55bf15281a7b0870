"""Weights that training found and a game ships, in a file ``weights.json`` in its folder.

>>> trained_weights("checkers")["king (few pieces)"] > 0
True
"""

from __future__ import annotations

import json
from importlib.resources import files


def trained_weights(folder: str) -> dict[str, float]:
    """What ``zerosum train`` wrote for the game in this folder, by name; the file says by which command."""
    text = files(f"zerosum.games.{folder}").joinpath("weights.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights
