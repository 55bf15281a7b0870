"""Networks over sparse features, and pattern weights: read and write their files, and use them in a game.

A file is in NumPy's compressed ``.npz`` format with these arrays. ``network`` has the numbers as int16, in the order
given in ``zerosum.networks.sparse`` for a network, or in ``zerosum.networks.patterns`` for patterns. ``last`` has, as
int64, the threshold of each phase in 1 / ``ONE``, followed by the scale: what 1 is worth in the game's evaluation.
``header`` is JSON in UTF-8: ``zerosum sparse network`` (the version, 1), ``game``, the shape (``features``, ``hidden``,
``phases``; for patterns ``cells``, ``kinds``, ``phases``, ``patterns``), ``start`` (the value of the initial position,
which reveals a change of the game's features), ``made`` (how it was trained), and optionally ``probcut`` (how well its
shallow searches predict deep ones).
"""

from __future__ import annotations

import io
import json
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import GameError, WeightsError
from zerosum.files import FileFormat, written_whole
from zerosum.game import Game
from zerosum.networks import patterns, sparse
from zerosum.networks.patterns import AnyShape, PatternShape
from zerosum.networks.sparse import LARGEST_TOTAL, SparseShape, check_numbers
from zerosum.probcut import ProbCut

FORMAT = FileFormat("zerosum sparse network", 1, WeightsError)


@dataclass(frozen=True)
class SparseNetwork:
    """The numbers of a network or of patterns, their shape, and how they were made."""

    game: str
    shape: AnyShape
    numbers: npt.NDArray[np.int16]
    last: npt.NDArray[np.int64]
    made: Mapping[str, Any] = field(default_factory=dict)
    probcut: ProbCut | None = None

    def write(self, path: Path, game: Game) -> None:
        """Write the file atomically."""
        header = {
            **FORMAT.stamp,
            "game": self.game,
            **asdict(self.shape),
            "start": int(learned(game, self).evaluate(game.start())),
            "made": dict(self.made),
        }
        if self.probcut is not None:
            header["probcut"] = self.probcut.as_data()
        content = io.BytesIO()
        text = np.frombuffer(json.dumps(header).encode(), np.uint8)
        np.savez_compressed(content, header=text, network=self.numbers, last=self.last)
        with written_whole(path) as file:
            file.write(content.getvalue())

    @classmethod
    def read(cls, path: Path, game: Game) -> SparseNetwork:
        """Read a network file; raise WeightsError if it does not fit the game and its current features."""
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise WeightsError(f"cannot read {str(path)!r}: {problem.strerror or problem}") from problem
        return cls.parse(content, game, str(path))

    @classmethod
    def parse(cls, content: bytes, game: Game, where: str) -> SparseNetwork:
        header, numbers, last = _arrays(content, where)
        FORMAT.check(header, where)
        if header.get("game") != game.name:
            raise WeightsError(f"{where!r} holds a network of {header.get('game')!r}, not of {game.name}")
        game.require("active", "a network over sparse features")
        if game.has("chances"):
            raise WeightsError(f"{where!r} is a network for games without chance, and {game.name} has chance nodes")
        shape, start = _shape(header, where)
        if shape != _now(game, shape):
            raise WeightsError(f"{where!r} was trained with different features than {game.name} has now: train again")
        if numbers.dtype != np.int16 or numbers.shape != (shape.size,):
            raise WeightsError(f"{where!r} is damaged: {numbers.shape} numbers instead of {shape.size}")
        if last.dtype != np.int64 or last.shape != (shape.phases + 1,) or np.abs(last).max() > LARGEST_TOTAL:
            raise WeightsError(f"{where!r} is damaged: its thresholds are not those of {shape.phases} phases")
        if isinstance(shape, SparseShape) and (wrong := check_numbers(shape, numbers, game.max_active)):
            raise WeightsError(f"{where!r} is damaged: {wrong}")
        network = cls(game.name, shape, numbers, last, header.get("made") or {}, _probcut(header, where))
        if int(learned(game, network).evaluate(game.start())) != start:
            raise WeightsError(f"{where!r} was trained with different features than {game.name} has now: train again")
        return network


def is_sparse(path: Path) -> bool:
    """Return whether a file holds a network of this kind; False if it cannot be read."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as parts:
            header = json.loads(parts["header"].tobytes().decode())
    except Exception:  # see ``networks/network.py``
        return False
    return isinstance(header, dict) and FORMAT.name in header


def _shape(header: Any, where: str) -> tuple[AnyShape, int]:
    """Return the shape in a header, and the value of the initial position."""
    try:
        shape: AnyShape
        if "patterns" in header:
            families = tuple(tuple(tuple(map(int, cells)) for cells in family) for family in header["patterns"])
            cells, kinds, phases = (int(header[name]) for name in ("cells", "kinds", "phases"))
            shape = PatternShape(cells, kinds, phases, families)
        else:
            shape = SparseShape(*(int(header[name]) for name in ("features", "hidden", "phases")))
        return shape, int(header["start"])
    except (KeyError, TypeError, ValueError, GameError) as problem:
        raise WeightsError(f"{where!r} is not a network: its header is damaged ({problem})") from problem


def _probcut(header: Any, where: str) -> ProbCut | None:
    try:
        return ProbCut.parse(header["probcut"]) if header.get("probcut") else None
    except ValueError as problem:
        raise WeightsError(f"{where!r} is damaged: in its probcut, {problem}") from problem


def _now(game: Game, shape: AnyShape) -> AnyShape | None:
    """Return the shape that a file of this kind would have for the game as it is now."""
    if isinstance(shape, PatternShape):
        return PatternShape.of(game) if game.patterns else None
    return SparseShape(game.active_features, shape.hidden, game.phases)


def _arrays(content: bytes, where: str) -> tuple[Any, Any, Any]:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as parts:
            header = json.loads(parts["header"].tobytes().decode())
            return header, np.ascontiguousarray(parts["network"]), np.ascontiguousarray(parts["last"])
    except Exception as problem:  # a damaged archive can raise anything: see ``networks/network.py``
        raise WeightsError(f"{where!r} is not a network file (.npz), or it is damaged") from problem


def learned(game: Game, network: SparseNetwork) -> Game:
    """Return the game with this network, or these pattern weights, as its evaluation."""
    own = {} if game.tables is None else game.tables._asdict()
    own |= network.shape.tables(network.numbers, network.last)
    known = game.tables is not None and set(own) == set(game.tables._fields)
    tables = type(game.tables) if known else namedtuple("Tables", list(own))
    return game.with_(evaluate=_evaluation(game, network.shape), tables=tables(**own), probcut=network.probcut)


def _evaluation(game: Game, shape: AnyShape) -> Any:
    return patterns.evaluation(game, shape) if isinstance(shape, PatternShape) else sparse.evaluation(game, shape)
