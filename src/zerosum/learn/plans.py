"""Plans for training runs: records that validate themselves.

Messages use the option names of ``zerosum train``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from zerosum.errors import ZerosumError
from zerosum.formats.common import format_of
from zerosum.game import Game, Line
from zerosum.learn.files import with_weights_from
from zerosum.learn.fitting import FitOptions, NetworkOptions
from zerosum.learn.gathering import Playing
from zerosum.learn.pattern_fitting import PatternOptions
from zerosum.learn.samples import Samples, from_lines, from_self_play, score
from zerosum.learn.training import TdOptions
from zerosum.learn.tuning import Tuning, tune
from zerosum.networks.patterns import PatternShape
from zerosum.networks.sparse import shape_of
from zerosum.working.team import Workers

if TYPE_CHECKING:
    from zerosum.endgame.database import Database

NEEDS = {"td": "features", "tune": "weights_of", "network": "active", "patterns": "active"}
"""The training methods, and the rule that each needs."""

GAMES = {"td": 20_000, "tune": 1_000}
"""The default number of games."""

POSITIONS = 1_000_000
"""The default number of positions to gather."""

SELF_PLAY = "self-play"
Tell = Callable[[float, str], None]
Record = TypeVar("Record")


def method_for(game: Game, asked: str = "", network: int = 0, patterns: bool = False) -> str:
    """Return the training method: network or patterns if requested, else ``asked``, else one the game has rules for."""
    if network or patterns:
        option = "--patterns" if patterns else f"--network {network}"
        other = f"--method {asked}" if asked else f"--network {network}" if patterns and network else ""
        if other:
            raise ZerosumError(f"{option} selects a training method itself: leave {other} out")
        method = "patterns" if patterns else "network"
        game.require(NEEDS[method], f"--{method}")
        if patterns and not game.patterns:
            raise ZerosumError(f"--patterns needs patterns, which {game.name} does not define")
        return method
    shape = shape_of(game)
    if not asked and shape is not None and not game.has("weights_of"):
        trains = "--patterns" if isinstance(shape, PatternShape) else f"--network {shape.hidden}"
        raise ZerosumError(
            f"{game.name} is evaluated by {shape.named}: use {trains} to train a new one,"
            f" or --set {shape.setting}=0 to tune named weights"
        )
    if not asked:
        return "td" if game.has("features") and not game.has("weights_of") else "tune"
    if asked not in ("td", "tune"):
        raise ZerosumError(f"--method {asked!r} is neither td nor tune")
    game.require(NEEDS[asked], f"--method {asked}")
    return asked


def filled(record: type[Record], asked: Mapping[str, Any]) -> Record:
    """Return a record whose fields have the values of the same names in ``asked``."""
    return record(**{field.name: asked[field.name] for field in fields(record) if field.name in asked})  # type: ignore[arg-type]


@dataclass(frozen=True)
class LearningPlan:
    """The plan of a self-play learning run.

    Attributes:
        options: how to learn; a resumed run keeps its own options.
        out: the network's file; '' saves nothing.
        start: the file of a network to start from; '' starts from random weights.
        resume: continue the run in ``out``.
        opponent: the opponent for matches; '' is the game's ``evaluate``, or random moves if it has none.
        matches: games against the opponent at each measurement.
        threads, gpu: where to compute.
    """

    options: TdOptions
    out: str = ""
    start: str = ""
    resume: bool = False
    opponent: str = ""
    matches: int = 1_000
    threads: int = 1
    gpu: bool = False

    def __post_init__(self) -> None:
        if self.resume and not self.out:
            raise ZerosumError("--resume needs --out FILE: the network to continue")
        if self.out and not self.resume and Path(self.out).exists():
            raise ZerosumError(
                f"--out {self.out!r} already exists: add --resume to continue it, or choose another name"
            )

    @classmethod
    def of(cls, game: Game, asked: Mapping[str, Any]) -> LearningPlan:
        """Return the plan with these values; ``explore`` defaults to 0.1, or to 0 in games with dice."""
        explore = asked.get("explore", 0.0 if game.has("chances") else 0.1)
        return filled(cls, {**asked, "options": filled(TdOptions, {**asked, "explore": explore})})


@dataclass(frozen=True)
class TuningPlan:
    """The plan of a tuning run.

    Attributes:
        source: ``self-play``, or the file to read games from.
        games: the number of games, at most.
        depth, random_plies, database: how self-play plays; see ``from_self_play``.
        trust, rounds: see ``tune``.
        keep: weights whose names contain one of these texts are not tuned.
        start: the weights file to start from; '' starts from the game's own weights.
        out: the file for the weights; '' writes none.
        match: games of the new weights against the old.
    """

    source: str = SELF_PLAY
    games: int = 1_000
    depth: int = 4
    random_plies: int = 8
    database: str = ""
    trust: float = 0.0
    keep: tuple[str, ...] = ()
    rounds: int = 10
    seed: int = 0
    threads: int = 1
    start: str = ""
    out: str = ""
    match: int = 0

    def __post_init__(self) -> None:
        if self.match and not self.out:
            raise ZerosumError("--match needs --out FILE: the new weights, which play the match")
        if self.source != SELF_PLAY and (self.database or self.trust):
            option = "--database" if self.database else "--trust"
            raise ZerosumError(f"{option} works only with --from self-play, not with a file")

    def run(self, game: Game, tell: Tell, workers: Workers | None = None) -> Tuning:
        """Play the games (with ``workers`` if given, otherwise with threads) or read them, then tune."""
        game.require("weights_of", "zerosum train")
        if self.start:
            game = with_weights_from(game, Path(self.start))
        names = free_weights(game, self.keep)
        samples = self._self_played(game, tell, workers) if self.source == SELF_PLAY else self._read(game, tell)
        return tune(
            game,
            samples,
            names=names,
            rounds=self.rounds,
            trust=self.trust,
            seed=self.seed,
            threads=self.threads,
            on_progress=lambda what, share: tell(share, what),
        )

    def _self_played(self, game: Game, tell: Tell, workers: Workers | None) -> Samples:
        return from_self_play(
            game,
            self.games,
            depth=self.depth,
            random_plies=self.random_plies,
            seed=self.seed,
            threads=self.threads,
            workers=workers,
            database=_opened(game, self.database, tell) if self.database else None,
            on_game=lambda done: tell(done / self.games, f"game {done} of {self.games}"),
        )

    def _read(self, game: Game, tell: Tell) -> Samples:
        path = Path(self.source)

        def finished() -> Iterator[tuple[Line, float]]:
            for number, one in enumerate(islice(format_of(game, path).games(game, path), self.games), 1):
                tell(number / self.games, f"game {number}")
                line = one.line  # also for games without a result: it raises an error if the moves are invalid
                if one.result is not None:
                    yield line, score(one.result)

        return from_lines(game, finished())


@dataclass(frozen=True)
class NetworkPlan:
    """The plan of a run that trains a network over sparse features, or pattern weights.

    Attributes:
        options: what to fit, and how.
        playing: how positions are gathered.
        out: the network's file.
        data: the positions file; '' is a file next to ``out``.
        positions: the number of positions; missing ones are gathered. None: those in the file, or POSITIONS.
        start: the weights file to gather positions with. The fit starts from it too, if it is a network of the same
            shape.
        resume: continue an unfinished fit.
        threads, gpu: where to compute.
        match: games of the new network against the old evaluation, at most.
    """

    options: FitOptions
    playing: Playing
    out: str
    data: str = ""
    positions: int | None = None
    start: str = ""
    resume: bool = False
    threads: int = 1
    gpu: bool = False
    match: int = 0

    def __post_init__(self) -> None:
        if not self.out:
            method = "--network" if isinstance(self.options, NetworkOptions) else "--patterns"
            raise ZerosumError(f"{method} needs --out FILE: the file for the weights")
        if self.data and self.positions is None and not Path(self.data).exists():
            raise ZerosumError(f"--data {self.data!r} does not exist: add --positions N to gather positions")
        if self.resume:
            return
        if Path(self.out).exists():
            raise ZerosumError(f"--out {self.out!r} already exists: choose another name")
        if self.checkpoint.exists():
            raise ZerosumError(
                f"{str(self.checkpoint)!r} belongs to an unfinished fit: add --resume to continue it,"
                " or choose another --out"
            )

    @classmethod
    def of(cls, game: Game, asked: Mapping[str, Any]) -> NetworkPlan:
        """Return the plan with these values; ``network`` is the number of hidden units, ``patterns`` asks for patterns.

        In games with ``noisy_moves``, searches evaluate only quiet positions, so only these are gathered. In other
        games searches evaluate every position they reach, so the training data must also show how games are won.
        """
        options: FitOptions
        if asked.get("patterns"):
            options = filled(PatternOptions, asked)
        else:
            options = filled(NetworkOptions, {**asked, "hidden": asked["network"]})
        playing = filled(Playing, {**asked, "quiet": game.has("noisy_moves")})
        return filled(cls, {**asked, "options": options, "playing": playing})

    @property
    def data_file(self) -> Path:
        return Path(self.data) if self.data else Path(self.out).with_suffix(".zsp")

    @property
    def checkpoint(self) -> Path:
        return Path(f"{self.out}.part")

    @property
    def is_finished(self) -> bool:
        """Whether the network is complete, with nothing to resume."""
        return Path(self.out).exists() and not self.checkpoint.exists()

    def wanted(self, there: int) -> int:
        """Return how many positions the file should have, given that it has ``there``."""
        return self.positions or there or POSITIONS


def _opened(game: Game, folder: str, tell: Tell) -> Database:
    from zerosum.endgame.database import Database
    from zerosum.endgame.serving import load_shared

    database = Database.open(folder, game)
    # Unpack it here to report progress; the result is cached for later use.
    load_shared(database, True, lambda share: tell(share, "reading the database"))
    return database


def free_weights(game: Game, keep: Iterable[str]) -> list[str]:
    """Return the names of the weights to tune: those that contain none of these texts."""
    names = chosen = list(game.weights_of())
    for text in keep:
        if not any(text in name for name in names):
            raise ZerosumError(f"--keep {text!r}: no weight name of {game.name} contains this; one is {names[0]!r}")
        chosen = [name for name in chosen if text not in name]
        if not chosen:
            raise ZerosumError(f"--keep {text!r} leaves no weight of {game.name} to tune")
    return chosen
