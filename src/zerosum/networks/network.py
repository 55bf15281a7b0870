"""Learned networks: create them, read and write their files, and use them in a game.

A network file is in NumPy's ``.npz`` format with these arrays. ``network`` has the numbers as float32, a row for each
network, in the order given in ``zerosum.networks.shape``. ``header`` is JSON in UTF-8: ``zerosum network`` (the
version, 1; older files call this key ``format``), ``game``, ``features`` (a hash of the features' names), ``inputs``,
``hidden``, ``levels``, ``networks``; ``made``, the command, seed and options of the training run; ``curve``, the
strength after given numbers of games; and ``progress``, where the run can resume.

While the run is unfinished there is a third array, ``learner``: two more numbers for each weight. For TD(λ) these are
the moving weights, of which ``network`` is a mean, and the mean squares of the pulls on each; for look-ahead, the means
of gradients and of squared gradients.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerosum.contract import takes_tables
from zerosum.errors import GameError, LimitError, MissingRule, WeightsError
from zerosum.files import FileFormat, written_whole
from zerosum.game import Game
from zerosum.networks.functions import evaluation
from zerosum.networks.shape import Shape

FORMAT = FileFormat("zerosum network", 1, WeightsError, old_key="format")
MOST_LEVELS = 4
"""A game with larger possible results is learned as won or lost only."""

FIRST_SPREAD, OUTPUTS_SPREAD = 0.2, 0.05
"""The standard deviations of initial weights: of the hidden units, large enough that units differ, and of the outputs,
small enough that all chances are near one half."""


@dataclass(frozen=True)
class Network:
    """A network's numbers, their shape, and how they were made."""

    game: str
    features: str
    shape: Shape
    weights: npt.NDArray[np.float32]
    made: Mapping[str, Any] = field(default_factory=dict)
    curve: tuple[tuple[int, float, float], ...] = ()
    progress: Mapping[str, Any] = field(default_factory=dict)
    learner: npt.NDArray[np.float32] | None = None

    @classmethod
    def fresh(cls, game: Game, hidden: int, seed: int = 0) -> Network:
        """Return an untrained network: small random weights, thresholds of 0.

        >>> from zerosum.games import load
        >>> bool(Network.fresh(load("connect-four"), hidden=0).weights.any())
        False
        """
        shape = shape_for(game, hidden)
        weights = np.zeros((shape.networks, shape.size), np.float32)
        if hidden:
            chance = np.random.default_rng(seed)
            first, second = weights[:, : shape.thresholds], weights[:, shape.second : shape.last]
            first[:] = chance.normal(0, FIRST_SPREAD, first.shape)
            second[:] = chance.normal(0, OUTPUTS_SPREAD, second.shape)
        return cls(game.name, features_of(game), shape, weights)

    def write(self, path: Path) -> None:
        """Write the file atomically."""
        header = {
            **FORMAT.stamp,
            "game": self.game,
            "features": self.features,
            **asdict(self.shape),
            "made": dict(self.made),
            "curve": [list(point) for point in self.curve],
            "progress": dict(self.progress),
        }
        content = io.BytesIO()
        arrays: dict[str, Any] = {
            "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
            "network": self.weights,
        }
        if self.learner is not None:
            arrays["learner"] = self.learner
        np.savez(content, **arrays)
        with written_whole(path) as file:
            file.write(content.getvalue())

    @classmethod
    def read(cls, path: Path, game: Game) -> Network:
        """Read a network file; raise WeightsError if it does not fit the game and its current features."""
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise WeightsError(f"cannot read {str(path)!r}: {problem.strerror or problem}") from problem
        return cls.parse(content, game, str(path))

    @classmethod
    def parse(cls, content: bytes, game: Game, where: str) -> Network:
        header, shape, weights, learner = parse(content, where)
        if header.get("game") != game.name:
            raise WeightsError(f"{where!r} holds a network of {header.get('game')!r}, not of {game.name}")
        if header.get("features") != features_of(game):
            raise WeightsError(f"{where!r} was trained with different features than {game.name} has now: train again")
        try:
            curve = tuple((int(games), float(points), float(error)) for games, points, error in header["curve"])
        except (KeyError, TypeError, ValueError) as problem:
            raise WeightsError(f"{where!r} is not a network: its header is damaged ({problem})") from problem
        made, progress = header.get("made") or {}, header.get("progress") or {}
        return cls(game.name, features_of(game), shape, weights, made, curve, progress, learner)


class Content(NamedTuple):
    """The content of a network file; ``learner`` is the state of an unfinished training run, or None."""

    header: dict[str, Any]
    shape: Shape
    weights: npt.NDArray[np.float32]
    learner: npt.NDArray[np.float32] | None


def parse(content: bytes, where: str) -> Content:
    """Return the parts of a network file, checked; raise WeightsError if it is not one."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as parts:
            header = json.loads(parts["header"].tobytes().decode())
            weights = np.ascontiguousarray(parts["network"])
            learner = np.ascontiguousarray(parts["learner"]) if "learner" in parts else None
    except Exception as problem:
        # A damaged archive may ask for passwords, pickles, unknown compression or all memory. No list of exceptions is
        # complete, and NumPy's messages do not help users.
        raise WeightsError(f"{where!r} is not a network file (.npz), or it is damaged") from problem
    FORMAT.check(header, where)
    try:
        shape = Shape(**{part.name: int(header[part.name]) for part in fields(Shape)})
    except (KeyError, TypeError, ValueError, GameError) as problem:
        raise WeightsError(f"{where!r} is not a network: its header is damaged ({problem})") from problem
    if weights.dtype != np.float32 or weights.shape != (shape.networks, shape.size):
        raise WeightsError(f"{where!r} is damaged: {weights.shape} numbers instead of {shape}")
    if learner is not None and (learner.dtype != np.float32 or learner.shape != (2, *weights.shape)):
        raise WeightsError(f"{where!r} is damaged: its learner has shape {learner.shape}, not two numbers per weight")
    if not all(np.isfinite(numbers).all() for numbers in (weights, learner) if numbers is not None):
        raise WeightsError(f"{where!r} is damaged: it contains infinities or NaN")
    return Content(header, shape, weights, learner)


def shape_for(game: Game, hidden: int) -> Shape:
    """Return the shape of a network for this game with ``hidden`` hidden units."""
    game.require("features", "learning")
    if not game.feature_names:
        raise MissingRule(f"learning needs feature_names, which {game.name} does not define: a name for each feature")
    if not isinstance(hidden, int) or hidden < 0:
        raise LimitError(f"hidden must be a whole number of at least 0, not {hidden!r}")
    return Shape(len(game.feature_names), hidden, levels_of(game), game.networks)


def levels_of(game: Game) -> int:
    """Return the largest result of a game if constant ``bounds`` say it is small; otherwise 1."""
    bounds = game.given.get("bounds")
    if not game.scored or not isinstance(bounds, tuple):
        return 1
    most = max(abs(int(bound)) for bound in bounds)
    return most if most <= MOST_LEVELS else 1


def features_of(game: Game) -> str:
    """Return a hash of the features' names and the number of networks."""
    return hashlib.sha256(repr((game.feature_names, game.networks)).encode()).hexdigest()[:16]


def learned(game: Game, network: Network) -> Game:
    """Return the game with this network as its evaluation."""
    own = {} if game.tables is None else game.tables._asdict()
    own["network"] = network.weights
    known = game.tables is not None and "network" in game.tables._fields
    tables = type(game.tables) if known else namedtuple("Tables", list(own))
    features = game.given["features"]
    evaluate = evaluation(network.shape, features, takes_tables("features", features), not game.has("chances"))
    return game.with_(evaluate=evaluate, tables=tables(**own))
