"""What training found and games ship: weights by name, networks, weights of patterns.

Each file tells by which commands it was made.

>>> trained_weights("checkers")["king (few pieces)"] > 0
True
"""

from __future__ import annotations

import json
from importlib.resources import files

from zerosum.game import Game
from zerosum.networks.sparse_file import SparseNetwork, learned

_read: dict[str, SparseNetwork] = {}


def trained_weights(folder: str) -> dict[str, float]:
    """The weights by name in ``weights.json``, in the folder of a game."""
    text = files(f"zerosum.games.{folder}").joinpath("weights.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights


def judged_by(file: str, game: Game) -> Game:
    """The game evaluated by a network, or by patterns, that it ships. Its weights by name, another evaluation's, go."""
    if file not in _read:
        content = files("zerosum.games").joinpath(file).read_bytes()
        _read[file] = SparseNetwork.parse(content, game, file)
    return learned(game.with_(weights_of=None, with_weights=None, terms=None), _read[file])
