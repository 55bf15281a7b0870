"""The trained evaluations that games ship with: named weights, networks, pattern weights.

Each file records the commands that produced it.

>>> trained_weights("checkers")["king (few pieces)"] > 0
True
"""

from __future__ import annotations

import json
from importlib.resources import files

from zerosum.errors import GameError
from zerosum.game import Game
from zerosum.networks.sparse_file import SparseNetwork, learned

_read: dict[str, SparseNetwork] = {}


def trained_weights(folder: str) -> dict[str, float]:
    """The named weights in ``weights.json`` in the game's folder."""
    text = files(f"zerosum.games.{folder}").joinpath("weights.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights


def check_switches(name: str, **switches: object) -> None:
    """Raise GameError unless each of a game's switches, such as ``network``, is 0 or 1.

    >>> check_switches("chess", network=1)
    """
    for switch, value in switches.items():
        if value not in (0, 1):
            raise GameError(f"{name}: {switch} must be 0 or 1, not {value!r}")


def evaluated_with(file: str, game: Game) -> Game:
    """The game evaluated by the network or patterns in a file, without the named weights of its own evaluation."""
    if file not in _read:
        content = files("zerosum.games").joinpath(file).read_bytes()
        _read[file] = SparseNetwork.parse(content, game, file)
    return learned(game.with_(weights_of=None, with_weights=None, terms=None), _read[file])
