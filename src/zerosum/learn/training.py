"""The base of self-play training runs: options, threads, and files to resume from."""

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
    """Options of self-play learning.

    Attributes:
        games: the total number of games.
        hidden: hidden units of the network; 0 gives a linear model.
        rate, last_rate: how far a pull of typical strength moves a weight (see ``learner``), at the start and at the
            end; in between the rate falls by the same factor with each game.
        trace: λ, the share of later positions and the result in what a position learns; 0 uses only the next move.
        explore: the share of random moves; games with dice need none.
        look_ahead: learn the value of each position one move ahead, over all rolls.
        round_games, window: with ``look_ahead``, the games between two fits, and the latest positions each fit uses.
        batch: the number of positions in one step.
        seed: seed of all random numbers.
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
    """Progress of a run: games, positions since it was started or resumed, and the recent mean squared error."""

    games: int
    positions: int
    missed: float


Report = Callable[[TrainingProgress], None]


class Training(ABC):
    """A training run. ``weights`` is what it has learned so far; ``network()`` returns this as a complete network."""

    step: int
    """The number of games to ``advance`` by; stopping in between costs time."""

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
            raise WeightsError(f"cannot start a network of {self.shape} from one of {start.shape}")
        begun = start or Network.fresh(game, options.hidden, options.seed)
        self.weights = begun.weights.copy()
        self.curve = list(begun.curve)
        self.made = dict(made or {})
        self.games = self.positions = 0
        self.missed = 0.0
        self._lock = threading.Lock()
        self.crew: Crew
        self.rows: dict[int, Rows]  # by the id of the crew member
        self._prepare(check_threads(threads))

    @abstractmethod
    def _prepare(self, threads: int) -> None:
        """Create the kernel, the crew that plays, and the learner's state."""

    @abstractmethod
    def advance(self, games: int, on_progress: Report | None = None) -> None:
        """Learn from ``games`` more games; with several threads, possibly a few more than that."""

    @abstractmethod
    def _state(self) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
        """Return what is needed to resume: data for the file's header, and two numbers for each weight."""

    @abstractmethod
    def _restore(self, progress: Mapping[str, Any], learner: npt.NDArray[np.float32]) -> None:
        """Restore what ``_state`` returned."""

    @classmethod
    def resume(cls, game: Game, network: Network, *, threads: int = 1, gpu: bool = False, jit: bool = True) -> Training:
        """Resume the run that wrote this network."""
        kept = network.progress
        try:
            options = TdOptions(**kept["options"])
            games = int(kept["games"])
            training = cls(game, options, start=network, threads=threads, gpu=gpu, made=network.made, jit=jit)
            training.games = games
            if network.learner is not None:
                training._restore(kept, network.learner)
        except (KeyError, TypeError, ValueError) as problem:
            raise WeightsError(f"this network of {network.game} cannot be resumed: {problem}") from problem
        if network.learner is None and games < options.games:
            raise WeightsError(f"this network of {network.game} cannot be resumed: no learner is stored")
        return training

    def _crew(self, kernel: Kernel, threads: int, weights: Any, squares: Any = None) -> None:
        """Create the crew that plays, each member at the start of a game."""
        self.crew = Crew(kernel, self.game, threads, target_of(self.jit))
        self.rows = {id(member): Rows(member, self.shape, weights, squares) for member in self.crew}
        self.crew.put(trace=float_word(self.options.trace), explore=float_word(self.options.explore))
        for member in self.crew:
            member.put_state(self.game.initial())

    @property
    def rate(self) -> float:
        """The current learning rate."""
        share = min(self.games / self.options.games, 1.0)
        return float(self.options.rate * (self.options.last_rate / self.options.rate) ** share)

    def _on_all(self, work: Callable[[Member, Report | None], None], on_progress: Report | None) -> None:
        """Run ``work`` for all crew members in parallel; the first reports progress."""

        def whole(report: Callable[[Any], None]) -> None:
            self.crew.all(lambda member: work(member, report if member is self.crew[0] else None))

        self.crew.run(whole, on_report=on_progress)

    def note(self, score: Score) -> None:
        """Add a point to the learning curve."""
        self.curve.append((self.games, score.points, score.error))

    def network(self) -> Network:
        """Return the network learned so far, with everything needed to resume."""
        state, learner = self._state()
        progress = {"games": self.games, "options": asdict(self.options), **state}
        made = {**self.made, "games": self.games, "options": asdict(self.options)}
        fresh = Network(self.game.name, features_of(self.game), self.shape, self.weights.copy())
        going_on = self.games < self.options.games
        return replace(
            fresh, made=made, curve=tuple(self.curve), progress=progress, learner=learner if going_on else None
        )

    def save(self, path: Path) -> None:
        """Write the network atomically: after a crash the file is either the old one or the new one."""
        self.network().write(path)


def kind_of(look_ahead: bool) -> type[Training]:
    """Return the class of training run, with or without look-ahead."""
    if look_ahead:
        from zerosum.learn.lookahead_training import LookaheadTraining

        return LookaheadTraining
    from zerosum.learn.td_training import TdTraining

    return TdTraining


def resume(game: Game, network: Network, *, threads: int = 1, gpu: bool = False, jit: bool = True) -> Training:
    """Resume the run that wrote this network, whichever its class."""
    ahead = bool(dict(network.progress.get("options") or {}).get("look_ahead"))
    return kind_of(ahead).resume(game, network, threads=threads, gpu=gpu, jit=jit)
