"""Weights files: numbers by name, and how they were made.

A weights file is a JSON object with ``zerosum weights`` (the version, 1; older files call this key ``format``),
``game``, ``weights`` (name: number), and ``made``: the command, the seed and the figures of the run that made them. It
may also contain ``probcut``, how well shallow searches with these weights predict deep ones (``zerosum.probcut``),
together with ``evaluation``, a fingerprint that detects a different evaluation. Such a file may contain no weights at
all, for games that have no named weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from zerosum.errors import WeightsError
from zerosum.files import FileFormat, written_whole
from zerosum.game import Game
from zerosum.networks.sparse import shape_of
from zerosum.probcut import ProbCut

FORMAT = FileFormat("zerosum weights", 1, WeightsError, old_key="format")
LARGEST = 2**31
LINES, LINE_PLIES = 5, 20
"""The lines whose positions distinguish one evaluation from another, and the plies in each."""

ZIP = b"PK"
"""The first bytes of a network file, which is in NumPy's ``.npz`` format."""


def write_weights(
    path: Path, game: Game, weights: Mapping[str, float], made: Mapping[str, Any], probcut: ProbCut | None = None
) -> None:
    """Write weights, how they were made, and ``probcut`` if it was measured with the evaluation that ``game`` has."""
    content = {
        **FORMAT.stamp,
        "game": game.name,
        "made": dict(made),
        "weights": {name: int(number) if number == int(number) else number for name, number in weights.items()},
    }
    if probcut is not None:
        content |= {"evaluation": evaluation_print(game), "probcut": probcut.as_data()}
    with written_whole(path) as file:
        file.write((json.dumps(content, indent=1) + "\n").encode())


def read_weights(path: Path, game: Game) -> dict[str, float]:
    """Return the weights in a file; raise WeightsError if they are for another game."""
    return _weights(_content(path, game), path, game)


def _content(path: Path, game: Game) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise WeightsError(f"cannot read {str(path)!r}: {problem.strerror or problem}") from problem
    except (ValueError, RecursionError) as problem:
        raise WeightsError(f"{str(path)!r} is not a weights file: {problem}") from problem
    FORMAT.check(content, path)
    if not isinstance(content.get("weights"), dict):
        raise WeightsError(f"{str(path)!r} is not a weights file: it has no object 'weights'")
    if content.get("game") != game.name:
        raise WeightsError(f"{str(path)!r} holds weights of {content.get('game')!r}, not of {game.name}")
    found: dict[str, Any] = content
    return found


def _weights(content: Mapping[str, Any], path: Path, game: Game) -> dict[str, float]:
    known = game.weights_of() if content["weights"] else {}
    for name, number in content["weights"].items():
        if name not in known:
            raise WeightsError(f"{str(path)!r}: {game.name} has no weight {name!r}; was it made by another version?")
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise WeightsError(f"{str(path)!r}: the weight {name!r} is {number!r}, not a number")
        if not abs(number) < LARGEST:  # NaN too
            raise WeightsError(f"{str(path)!r}: the weight {name!r} is {number!r}, too large for an evaluation")
    return {name: float(number) for name, number in content["weights"].items()}


def with_weights_from(game: Game, path: Path) -> Game:
    """Return the game with the weights in a file: numbers by name, or a learned network."""
    if is_network(path):
        from zerosum.networks import network, sparse_file

        if sparse_file.is_sparse(path):
            return sparse_file.learned(game, sparse_file.SparseNetwork.read(path, game))
        return network.learned(game, network.Network.read(path, game))
    if not path.exists():
        raise WeightsError(f"cannot read {str(path)!r}: the file does not exist")
    content = _content(path, game)
    if content["weights"] or "probcut" not in content:
        shape = shape_of(game)
        if not game.has("with_weights") and shape is not None:
            raise WeightsError(
                f"{str(path)!r} holds weights by name, but {game.name} is evaluated by {shape.named}:"
                f" add --set {shape.setting}=0 to use named weights"
            )
        game.require("with_weights", "a file of weights")
        game = game.with_(tables=game.with_weights({**game.weights_of(), **_weights(content, path, game)}))
    return _with_probcut(game, content, path)


def _with_probcut(game: Game, content: Mapping[str, Any], path: Path) -> Game:
    """Return the game with the file's ``probcut``; raise WeightsError if it was measured with another evaluation."""
    if "probcut" not in content:
        return game
    try:
        probcut = ProbCut.parse(content["probcut"])
    except ValueError as problem:
        raise WeightsError(f"{str(path)!r} is damaged: in its probcut, {problem}") from problem
    if content.get("evaluation") != evaluation_print(game):
        raise WeightsError(f"{str(path)!r}: its probcut was measured for another evaluation of {game.name}")
    return game.with_(probcut=probcut)


def evaluation_print(game: Game) -> int:
    """Return a fingerprint of the game's evaluation: a checksum of its values along a few lines."""
    found = 0
    for step in range(1, LINES + 1):
        s = game.initial()
        for ply in range(LINE_PLIES):
            moves = game.legal_moves(s)
            if not moves:
                break
            s = game.play(s, moves[(step * ply + step) % len(moves)])
            if not game.is_over(s):
                found = crc32(str(int(game.evaluate(s))).encode(), found)
    return found


def is_network(path: Path) -> bool:
    """Return whether a file holds a network rather than named weights."""
    try:
        with path.open("rb") as file:
            return file.read(len(ZIP)) == ZIP
    except OSError:
        return False
