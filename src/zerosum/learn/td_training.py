"""A run of learning by self-play: threads, a learning rate that falls, matches on the way, and files to go on from.

All threads change the same weights, without locks: two of them rarely touch the same number, and when they do little is
lost (F. Niu and others, Hogwild, 2011). With one thread equal seeds give equal weights, also when the run
is broken off and taken up again.

What is kept is not the weights as the last game left them, but their mean over the latest games: they never come to
rest, and their mean is better than any of them (B. Polyak and A. Juditsky, Acceleration of stochastic approximation
by averaging, 1992).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zerosum.errors import GameError, LimitError, WeightsError
from zerosum.game import Game
from zerosum.jit.bits import mix
from zerosum.jit.kernel import Memory
from zerosum.jit.rules import STOP, Layout
from zerosum.jit.words import float_word, word_float
from zerosum.learn.duel import Score
from zerosum.learn.learner import FIRST_SQUARE
from zerosum.learn.network import Network, features_of, shape_for
from zerosum.learn.rows import Rows
from zerosum.learn.td import (
    DICE,
    DONE,
    EXPLORE,
    GAMES,
    LAMBDA,
    LOOK_AHEAD,
    POSITIONS,
    RATE,
    SURPRISE,
    TdLayout,
    td_kernel,
)
from zerosum.search.background import in_background
from zerosum.search.limits import check_games, check_threads

PIECE = 100
"""Games that a thread plays before it looks at the learning rate and tells how far it is."""

LATELY = 0.2
"""The mean of the weights is over this share of the games so far."""


@dataclass(frozen=True)
class TdOptions:
    """How to learn.

    Attributes:
        games: so many in all.
        hidden: units of the network; 0: a linear model.
        rate, last_rate: how far a position moves a weight, at the beginning and at the end; in between it falls by the
            same factor with each game. (A pull of the usual strength moves it so far: see ``learner``.)
        trace: λ, the share of later positions and the end in what a position learns; 0: only the next position.
        explore: the share of moves played at random; games with dice need none.
        look_ahead: learn from what one more move, over all rolls, makes of a position.
        seed: luck.
    """

    games: int
    hidden: int = 40
    rate: float = 0.0006
    last_rate: float = 0.00005
    trace: float = 0.0
    explore: float = 0.0
    look_ahead: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        check_games(self.games, self.seed)
        for name in ("rate", "last_rate"):
            if not 0 < getattr(self, name) <= 10:
                raise LimitError(f"{name} must be more than 0 and at most 10, not {getattr(self, name)!r}")
        for name in ("trace", "explore"):
            if not 0 <= getattr(self, name) <= 1:
                raise LimitError(f"{name} must be from 0 to 1, not {getattr(self, name)!r}")


@dataclass(frozen=True)
class Progress:
    """How far a run is: games, positions in them since it began or went on, and the mean square missed by lately."""

    games: int
    positions: int
    missed: float


class TdTraining:
    """A run. ``weights`` is what has been learned so far, ``network()`` the same with all that belongs to it.

    >>> from zerosum.games import load
    >>> training = TdTraining(load("connect-four", width=4, height=4, k=3), TdOptions(games=200, hidden=0, explore=0.1))
    >>> training.advance(200)
    >>> training.games, bool(training.network().weights.any())
    (200, True)
    """

    def __init__(
        self,
        game: Game,
        options: TdOptions,
        *,
        start: Network | None = None,
        threads: int = 1,
        made: Mapping[str, Any] | None = None,
        jit: bool = True,
    ) -> None:
        self.game, self.options, self.jit = game, options, jit
        self.shape = shape_for(game, options.hidden)
        if start is not None and start.shape != self.shape:
            raise WeightsError(f"a network of {start.shape} cannot go on as one of {self.shape}")
        begun = start or Network.fresh(game, options.hidden, options.seed)
        self.weights = begun.weights.copy()
        self._moving = self.weights.copy()
        self._squares = np.full_like(self.weights, FIRST_SQUARE)
        self.curve = list(begun.curve)
        self.made = dict(made or {})
        self.games = self.positions = 0
        self.missed = 0.0
        self._lock = threading.Lock()
        self._kernel = td_kernel(self.shape).of(game, jit)
        self._players = [self._player(number) for number in range(check_threads(threads))]

    @classmethod
    def resume(cls, game: Game, network: Network, *, threads: int = 1, jit: bool = True) -> TdTraining:
        """The run that wrote this network, where it was."""
        kept = network.progress
        try:
            options = TdOptions(**kept["options"])
            games, dice = int(kept["games"]), [int(word) for word in kept["dice"]]
        except (KeyError, TypeError, ValueError) as problem:
            raise WeightsError(f"the network of {network.game} does not say how to go on: {problem}") from problem
        training = cls(game, options, start=network, threads=threads, made=network.made, jit=jit)
        training.games = games
        if network.learner is not None:
            training._moving[:], training._squares[:] = network.learner
        elif games < options.games:
            raise WeightsError(f"the network of {network.game} does not say how to go on: its learner is missing")
        for (memory, _), word in zip(training._players, dice, strict=False):
            memory.row[DICE] = word
        return training

    def _player(self, number: int) -> tuple[Memory, Rows]:
        memory = Memory(self.game, TdLayout(Layout(self.game)).words, self.jit)
        rows = Rows(memory, self.shape, self._moving, self._squares)
        memory.put_state(self.game.initial())
        row = memory.row
        row[DICE] = mix(self.options.seed, number + 1)
        row[LAMBDA], row[EXPLORE] = float_word(self.options.trace), float_word(self.options.explore)
        row[LOOK_AHEAD] = int(self.options.look_ahead)
        return memory, rows

    @property
    def rate(self) -> float:
        """The learning rate now."""
        share = min(self.games / self.options.games, 1.0)
        return float(self.options.rate * (self.options.last_rate / self.options.rate) ** share)

    def advance(self, games: int, on_progress: Callable[[Progress], None] | None = None) -> None:
        """Learn from so many more games; with several threads it may be a few more than that."""
        target = self.games + games
        taken = self.games

        def piece() -> int:
            """How many games to play next: up to a multiple of ``PIECE``, so that a run in parts is the same run."""
            nonlocal taken
            with self._lock:
                found = min(PIECE - taken % PIECE, target - taken)
                taken += found
                return found

        def learn(memory: Memory, report: Callable[[Progress], None] | None) -> None:
            row = memory.row
            while not row[STOP]:
                count = piece()
                if count <= 0:
                    return
                row[GAMES], row[DONE], row[POSITIONS], row[RATE] = count, 0, 0, float_word(self.rate)
                self._kernel(memory)
                memory.raise_error()
                if row[STOP]:
                    return
                with self._lock:
                    self.games += count
                    self.weights += np.float32(min(count / (LATELY * self.games), 1.0)) * (self._moving - self.weights)
                    self.positions += int(row[POSITIONS])
                    if row[POSITIONS]:
                        self.missed = word_float(row[SURPRISE]) / int(row[POSITIONS])
                if not row[DONE]:
                    raise GameError(
                        f"{self.game.name}: {count} games of the network against itself did not come to an end;"
                        " if some do, a lower rate may help"
                    )
                if report is not None:
                    report(Progress(self.games, self.positions, self.missed))

        def stop() -> None:
            for memory, _ in self._players:
                memory.row[STOP] = 1

        for memory, _ in self._players:
            memory.row[STOP] = 0
        first, *others = (memory for memory, _ in self._players)
        joined = [threading.Event() for _ in others]

        def helper(memory: Memory, done: threading.Event) -> Callable[[], None]:
            def run() -> None:
                try:
                    learn(memory, None)
                finally:
                    done.set()

            return run

        def work(report: Callable[[Any], None]) -> None:
            learn(first, report)
            for done in joined:
                done.wait()

        helpers = tuple(helper(memory, done) for memory, done in zip(others, joined, strict=True))
        in_background(work, stop, on_report=on_progress, helpers=helpers)

    def note(self, score: Score) -> None:
        """A point of the learning curve."""
        self.curve.append((self.games, score.points, score.error))

    def network(self) -> Network:
        """What has been learned so far, with all that is needed to go on."""
        progress = {
            "games": self.games,
            "options": asdict(self.options),
            "dice": [int(memory.row[DICE]) for memory, _ in self._players],
        }
        made = {**self.made, "games": self.games, "options": asdict(self.options)}
        fresh = Network(self.game.name, features_of(self.game), self.shape, self.weights.copy())
        learner = np.stack([self._moving, self._squares]) if self.games < self.options.games else None
        return replace(fresh, made=made, curve=tuple(self.curve), progress=progress, learner=learner)

    def save(self, path: Path) -> None:
        """Write the network; whatever happens meanwhile, the file is the old one or the new one."""
        self.network().write(path)
