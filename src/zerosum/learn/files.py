"""Weights in a file: numbers by name, with where they come from.

A JSON object: ``zerosum weights`` (1, the version; once it was called ``format``), ``game``, ``weights`` (name:
number), and ``made``: the command, the seed and the figures of the run that made them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zerosum.errors import WeightsError
from zerosum.files import FileFormat, written_whole
from zerosum.game import Game
from zerosum.networks.sparse import shape_of

FORMAT = FileFormat("zerosum weights", 1, WeightsError, old_key="format")
LARGEST = 2**31
ZIP = b"PK"
"""What a file of a network, which is NumPy's, begins with."""


def write_weights(path: Path, game: Game, weights: Mapping[str, float], made: Mapping[str, Any]) -> None:
    """Write weights with where they come from."""
    content = {
        **FORMAT.stamp,
        "game": game.name,
        "made": dict(made),
        "weights": {name: int(number) if number == int(number) else number for name, number in weights.items()},
    }
    with written_whole(path) as file:
        file.write((json.dumps(content, indent=1) + "\n").encode())


def read_weights(path: Path, game: Game) -> dict[str, float]:
    """The weights in a file, if they are of this game."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise WeightsError(f"cannot read {str(path)!r}: {problem.strerror or problem}") from problem
    except (ValueError, RecursionError) as problem:
        raise WeightsError(f"{str(path)!r} is no file of weights: {problem}") from problem
    FORMAT.check(content, path)
    if not isinstance(content.get("weights"), dict):
        raise WeightsError(f"{str(path)!r} is no file of weights: it has no object 'weights'")
    if content.get("game") != game.name:
        raise WeightsError(f"{str(path)!r} holds weights of {content.get('game')!r}, not of {game.name}")
    known = game.weights_of()
    for name, number in content["weights"].items():
        if name not in known:
            raise WeightsError(f"{str(path)!r}: {game.name} has no weight {name!r}: made by another version?")
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise WeightsError(f"{str(path)!r}: the weight {name!r} is {number!r}, not a number")
        if not abs(number) < LARGEST:  # NaN too
            raise WeightsError(f"{str(path)!r}: the weight {name!r} is {number!r}, more than an evaluation can hold")
    return {name: float(number) for name, number in content["weights"].items()}


def with_weights_from(game: Game, path: Path) -> Game:
    """The game with the weights in a file: numbers by name, or a network that was learned."""
    if is_network(path):
        from zerosum.networks import network, sparse_file

        if sparse_file.is_sparse(path):
            return sparse_file.learned(game, sparse_file.SparseNetwork.read(path, game))
        return network.learned(game, network.Network.read(path, game))
    if not path.exists():
        raise WeightsError(f"cannot read {str(path)!r}: there is no such file")
    shape = shape_of(game)
    if not game.has("with_weights") and shape is not None:
        raise WeightsError(
            f"{str(path)!r} holds weights by name, but {game.name} is evaluated by {shape.named}:"
            f" --set {shape.setting}=0 is the game with such weights"
        )
    game.require("with_weights", "a file of weights")
    return game.with_(tables=game.with_weights({**game.weights_of(), **read_weights(path, game)}))


def is_network(path: Path) -> bool:
    """Whether a file holds a network rather than weights by name."""
    try:
        with path.open("rb") as file:
            return file.read(len(ZIP)) == ZIP
    except OSError:
        return False
