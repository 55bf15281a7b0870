"""What a run of training is asked for: records that check themselves.

Messages name options as ``zerosum train`` has them.
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
"""The methods of training, and the rule that each needs."""

GAMES = {"td": 20_000, "tune": 1_000}
"""How many games are played by default."""

POSITIONS = 1_000_000
"""How many positions are gathered by default."""

SELF_PLAY = "self-play"
Tell = Callable[[float, str], None]
Record = TypeVar("Record")


def method_for(game: Game, asked: str = "", network: int = 0, patterns: bool = False) -> str:
    """How to train: a network with hidden units over active features, or patterns; else as asked, else by what
    the game has rules for."""
    if network or patterns:
        option = "--patterns" if patterns else f"--network {network}"
        other = f"--method {asked}" if asked else f"--network {network}" if patterns and network else ""
        if other:
            raise ZerosumError(f"{option} is a method of its own: leave {other} out")
        method = "patterns" if patterns else "network"
        game.require(NEEDS[method], f"--{method}")
        if patterns and not game.patterns:
            raise ZerosumError(f"--patterns needs patterns, which {game.name} does not define")
        return method
    shape = shape_of(game)
    if not asked and shape is not None and not game.has("weights_of"):
        trains = "--patterns" if isinstance(shape, PatternShape) else f"--network {shape.hidden}"
        raise ZerosumError(
            f"{game.name} is evaluated by {shape.named}: {trains} trains anew,"
            f" --set {shape.setting}=0 is the game with weights to tune"
        )
    if not asked:
        return "td" if game.has("features") and not game.has("weights_of") else "tune"
    if asked not in ("td", "tune"):
        raise ZerosumError(f"--method {asked!r} is neither td nor tune")
    game.require(NEEDS[asked], f"--method {asked}")
    return asked


def filled(record: type[Record], asked: Mapping[str, Any]) -> Record:
    """A record with the values that are asked for by the names of its fields."""
    return record(**{field.name: asked[field.name] for field in fields(record) if field.name in asked})  # type: ignore[arg-type]


@dataclass(frozen=True)
class LearningPlan:
    """A run of learning by self-play.

    Attributes:
        options: how to learn; a run that is resumed keeps its own.
        out: the file of the network; '' keeps nothing.
        start: the file of a network to begin with; '' begins with one that knows nothing.
        resume: go on with the run in ``out``.
        opponent: who is played on the way; '' is the game's ``evaluate``, or random moves where it has none.
        matches: games against the opponent, each time.
        threads, gpu: where to work.
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
            raise ZerosumError("--resume goes on with the network in --out FILE: name it")
        if self.out and not self.resume and Path(self.out).exists():
            raise ZerosumError(
                f"--out {self.out!r} is there already: --resume goes on with it, another name begins anew"
            )

    @classmethod
    def of(cls, game: Game, asked: Mapping[str, Any]) -> LearningPlan:
        """The plan with these values; without ``explore`` it is a tenth, or nothing in games with dice."""
        explore = asked.get("explore", 0.0 if game.has("chances") else 0.1)
        return filled(cls, {**asked, "options": filled(TdOptions, {**asked, "explore": explore})})


@dataclass(frozen=True)
class TuningPlan:
    """A run of tuning.

    Attributes:
        source: ``self-play``, or the file that the games come from.
        games: how many of them, at most.
        depth, random_plies, database: how self-play plays; see ``from_self_play``.
        trust, rounds: see ``tune``.
        keep: weights with one of these texts in their names stay as they are.
        start: the file of weights to begin with; '' begins with the game's own.
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
            raise ZerosumError("--match needs --out FILE: the weights that play")
        if self.source != SELF_PLAY and (self.database or self.trust):
            option = "--database" if self.database else "--trust"
            raise ZerosumError(f"{option} goes with --from self-play, not with a file")

    def run(self, game: Game, tell: Tell, workers: Workers | None = None) -> Tuning:
        """Play the games, by ``workers`` or else by threads, or read them, and tune."""
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
                line = one.line  # also of those that have no result: it may make no sense
                if one.result is not None:
                    yield line, score(one.result)

        return from_lines(game, finished())


@dataclass(frozen=True)
class NetworkPlan:
    """A run that makes a network over sparse features, or weights of patterns.

    Attributes:
        options: how to fit, and what.
        playing: how positions are gathered.
        out: the file of the network.
        data: the file of positions; '' is one beside ``out``.
        positions: how many are wanted; what is missing is gathered. None: those that are there, or POSITIONS.
        start: the file of weights that gather positions. A network of the same shape is also where the fit begins.
        resume: go on with a fit that was left.
        threads, gpu: where to work.
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
            raise ZerosumError(f"{method} needs --out FILE: where the weights go")
        if self.data and self.positions is None and not Path(self.data).exists():
            raise ZerosumError(f"--data {self.data!r} is not there: --positions N gathers them")
        if self.resume:
            return
        if Path(self.out).exists():
            raise ZerosumError(f"--out {self.out!r} is there already: choose another name")
        if self.checkpoint.exists():
            raise ZerosumError(
                f"{str(self.checkpoint)!r} is of a fit that was broken off: --resume goes on with it,"
                " another --out begins anew"
            )

    @classmethod
    def of(cls, game: Game, asked: Mapping[str, Any]) -> NetworkPlan:
        """The plan with these values; ``network`` is the number of hidden units, ``patterns`` says that it has none.

        Only quiet positions are gathered where searches evaluate nothing else: in games that say what is noisy. In
        others they evaluate what they meet, and whoever learns must have seen how games are won.
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
        """Whether there is nothing to resume."""
        return Path(self.out).exists() and not self.checkpoint.exists()

    def wanted(self, there: int) -> int:
        """How many positions the file should have."""
        return self.positions or there or POSITIONS


def _opened(game: Game, folder: str, tell: Tell) -> Database:
    from zerosum.endgame.database import Database
    from zerosum.endgame.serving import unpacked

    database = Database.open(folder, game)
    # Here, so that it is reported: it is kept for whoever asks next.
    unpacked(database, True, lambda share: tell(share, "reading the database"))
    return database


def free_weights(game: Game, keep: Iterable[str]) -> list[str]:
    """The names of the weights that may move: those without any of these texts in them."""
    names = chosen = list(game.weights_of())
    for text in keep:
        if not any(text in name for name in names):
            raise ZerosumError(f"--keep {text!r}: no weight of {game.name} has this in its name; one is {names[0]!r}")
        chosen = [name for name in chosen if text not in name]
        if not chosen:
            raise ZerosumError(f"--keep {text!r} leaves no weight of {game.name} to tune")
    return chosen
