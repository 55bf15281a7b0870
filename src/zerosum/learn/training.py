"""A run of learning by self-play: what its kinds have in common, options, files to go on from and threads."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError, WeightsError
from zerosum.game import Game
from zerosum.jit.kernel import Kernel
from zerosum.jit.target import target_of
from zerosum.jit.words import float_word
from zerosum.learn.duel import Score
from zerosum.learn.rows import Rows
from zerosum.networks.network import Network, features_of, shape_for
from zerosum.running.crew import Crew, Member
from zerosum.search.limits import check_games, check_threads


@dataclass(frozen=True)
class TdOptions:
    """How to learn.

    Attributes:
        games: number of games in all.
        hidden: units of the network; 0: a linear model.
        rate, last_rate: how far a position moves a weight, at the beginning and at the end; in between it falls by the
            same factor with each game. (A pull of the usual strength moves it so far: see ``learner``.)
        trace: λ, the share of later positions and the end in what a position learns; 0: only the next move.
        explore: the share of moves played at random; games with dice need none.
        look_ahead: learn from what one more move, over all rolls, makes of a position.
        round_games, window: with ``look_ahead``, games between two fits, and the latest positions, so many, for each.
        batch: number of positions in one step of the weights.
        seed: luck.
    """

    games: int
    hidden: int = 40
    rate: float = 0.0006
    last_rate: float = 0.00005
    trace: float = 0.0
    explore: float = 0.0
    look_ahead: bool = False
    round_games: int = 4_000
    window: int = 1_500_000
    batch: int = 256
    seed: int = 0

    def __post_init__(self) -> None:
        check_games(self.games, self.seed)
        for name in ("rate", "last_rate"):
            if not 0 < getattr(self, name) <= 10:
                raise LimitError(f"{name} must be more than 0 and at most 10, not {getattr(self, name)!r}")
        for name in ("trace", "explore"):
            if not 0 <= getattr(self, name) <= 1:
                raise LimitError(f"{name} must be from 0 to 1, not {getattr(self, name)!r}")
        for name in ("round_games", "window", "batch"):
            if not getattr(self, name) > 0:
                raise LimitError(f"{name} must be more than 0, not {getattr(self, name)!r}")


@dataclass(frozen=True)
class TrainingProgress:
    """How far a run is: games, positions in them since it began or went on, and the mean square missed by lately."""

    games: int
    positions: int
    missed: float


Report = Callable[[TrainingProgress], None]


class Training(ABC):
    """A run. ``weights`` is what has been learned so far, ``network()`` the same with all that belongs to it."""

    step: int
    """Games to ``advance`` by: to stop in between costs something."""

    def __init__(
        self,
        game: Game,
        options: TdOptions,
        *,
        start: Network | None = None,
        threads: int = 1,
        gpu: bool = False,
        made: Mapping[str, Any] | None = None,
        jit: bool = True,
    ) -> None:
        self.game, self.options, self.gpu, self.jit = game, options, gpu, jit
        self.shape = shape_for(game, options.hidden)
        if start is not None and start.shape != self.shape:
            raise WeightsError(f"a network of {start.shape} cannot go on as one of {self.shape}")
        begun = start or Network.fresh(game, options.hidden, options.seed)
        self.weights = begun.weights.copy()
        self.curve = list(begun.curve)
        self.made = dict(made or {})
        self.games = self.positions = 0
        self.missed = 0.0
        self._lock = threading.Lock()
        self.crew: Crew
        self.rows: dict[int, Rows]  # of each player, by its id
        self._prepare(check_threads(threads))

    @abstractmethod
    def _prepare(self, threads: int) -> None:
        """Make the kernel, the players, and what learning needs."""

    @abstractmethod
    def advance(self, games: int, on_progress: Report | None = None) -> None:
        """Learn from this many more games; with several threads it may be a few more than that."""

    @abstractmethod
    def _state(self) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
        """What is needed to go on: for the file's header, and two numbers for each weight."""

    @abstractmethod
    def _restore(self, progress: Mapping[str, Any], learner: npt.NDArray[np.float32]) -> None:
        """Go on from there."""

    @classmethod
    def resume(cls, game: Game, network: Network, *, threads: int = 1, gpu: bool = False, jit: bool = True) -> Training:
        """The run that wrote this network, where it was."""
        kept = network.progress
        try:
            options = TdOptions(**kept["options"])
            games = int(kept["games"])
            training = cls(game, options, start=network, threads=threads, gpu=gpu, made=network.made, jit=jit)
            training.games = games
            if network.learner is not None:
                training._restore(kept, network.learner)
        except (KeyError, TypeError, ValueError) as problem:
            raise WeightsError(f"the network of {network.game} does not say how to go on: {problem}") from problem
        if network.learner is None and games < options.games:
            raise WeightsError(f"the network of {network.game} does not say how to go on: its learner is missing")
        return training

    def _crew(self, kernel: Kernel, threads: int, weights: Any, squares: Any = None) -> None:
        """Those who play, each at the beginning of a game."""
        self.crew = Crew(kernel, self.game, threads, target_of(self.jit))
        self.rows = {id(member): Rows(member, self.shape, weights, squares) for member in self.crew}
        self.crew.put(trace=float_word(self.options.trace), explore=float_word(self.options.explore))
        for member in self.crew:
            member.put_state(self.game.initial())

    @property
    def rate(self) -> float:
        """The learning rate now."""
        share = min(self.games / self.options.games, 1.0)
        return float(self.options.rate * (self.options.last_rate / self.options.rate) ** share)

    def _on_all(self, work: Callable[[Member, Report | None], None], on_progress: Report | None) -> None:
        """``work`` for all players at once; the first tells how far they are."""

        def whole(report: Callable[[Any], None]) -> None:
            self.crew.all(lambda member: work(member, report if member is self.crew[0] else None))

        self.crew.run(whole, on_report=on_progress)

    def note(self, score: Score) -> None:
        """A point of the learning curve."""
        self.curve.append((self.games, score.points, score.error))

    def network(self) -> Network:
        """What has been learned so far, with all that is needed to go on."""
        state, learner = self._state()
        progress = {"games": self.games, "options": asdict(self.options), **state}
        made = {**self.made, "games": self.games, "options": asdict(self.options)}
        fresh = Network(self.game.name, features_of(self.game), self.shape, self.weights.copy())
        going_on = self.games < self.options.games
        return replace(
            fresh, made=made, curve=tuple(self.curve), progress=progress, learner=learner if going_on else None
        )

    def save(self, path: Path) -> None:
        """Write the network; whatever happens meanwhile, the file is the old one or the new one."""
        self.network().write(path)


def kind_of(look_ahead: bool) -> type[Training]:
    """The kind of run that learns from look-ahead, or the one that does not."""
    if look_ahead:
        from zerosum.learn.ahead_training import AheadTraining

        return AheadTraining
    from zerosum.learn.td_training import TdTraining

    return TdTraining


def resume(game: Game, network: Network, *, threads: int = 1, gpu: bool = False) -> Training:
    """The run of whatever kind that wrote this network."""
    ahead = bool(dict(network.progress.get("options") or {}).get("look_ahead"))
    return kind_of(ahead).resume(game, network, threads=threads, gpu=gpu)
