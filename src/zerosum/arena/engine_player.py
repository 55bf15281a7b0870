"""The engine as a player, with its own transposition table, which is empty at the start of each game."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from zerosum.arena.player import Answer, Fault, Player, Stopped
from zerosum.arena.time_control import Budget
from zerosum.errors import ArenaError
from zerosum.game import Game, Line
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import AlgorithmLike
from zerosum.session.pace import think
from zerosum.session.session import EngineSpec
from zerosum.value_display import score

if TYPE_CHECKING:
    from zerosum.endgame.database import Database

OVERHEAD = 0.01
"""Allowance in seconds between the player's clock and the referee's, in the same process."""


class EnginePlayer(Player):
    """An Engine for ``game``, which has the same rules as the game of the match, but may have a better evaluation."""

    def __init__(
        self,
        name: str,
        game: Game,
        algorithm: AlgorithmLike = None,
        *,
        threads: int = 1,
        hash_mb: float = 64,
        depth: int | None = None,
        nodes: int | None = None,
        lapses: float = 0.0,
        overhead: float = OVERHEAD,
        database: Database | None = None,
        jit: bool = True,
    ) -> None:
        super().__init__(name)
        self.game, self.depth, self.nodes, self.overhead = game, depth, nodes, overhead
        self.lapses, self._chance = lapses, random.Random(0)
        self.engine = EngineSpec(game, algorithm, threads, hash_mb, database, jit).make()
        self.threads = self.engine.threads
        self._line = Line(game)
        self._stop = Stop()

    def prepare(self) -> None:
        self.engine.prepare()

    def begin(self, line: Line, seed: str) -> None:
        self.engine.clear()
        self._line = self._own(line)
        self._chance = random.Random(seed)

    def _own(self, line: Line) -> Line:
        """The line as a line of this player's game."""
        if line.game is self.game:
            return line
        start = self.game.state_type.from_words(line.game.state_type.words(line.start))
        return Line(self.game, start, line.moves)

    def choose(self, line: Line, budget: Budget) -> Answer:
        started = time.perf_counter()
        own = self._follow(line)
        if self.lapses and self._chance.random() < self.lapses:
            return Answer(self._chance.choice(own.game.legal_moves(own.state)), seconds=time.perf_counter() - started)
        depth, nodes = _least(self.depth, budget.depth), _least(self.nodes, budget.nodes)
        if not budget.has_clock and depth is None and nodes is None:
            raise ArenaError("an engine needs a limit: give a time control, or a player such as 'depth:4'")
        result = think(
            self.engine,
            own,
            budget.time,
            overhead=self.overhead,
            started=started,
            depth=depth,
            nodes=nodes,
            stop=self._stop,
        )
        seconds = time.perf_counter() - started
        if self._stop.is_set():
            raise Stopped
        value = score(result, self.game.to_move(own.state), self.game.unit)
        return Answer(result.move, value, result.depth, seconds)

    def _follow(self, line: Line) -> Line:
        """The line of the match as a line of this player's game; only new moves are played."""
        if line.game is self.game:
            return line
        known = len(self._line.moves)
        if line.moves[:known] != self._line.moves:
            self._line = self._own(line)
        for move in line.moves[len(self._line.moves) :]:
            self._line = self._line.play(move)
        # Compared as text, because the words of a State may depend on a player's own tables.
        if self.game.format_state(self._line.state) != line.game.format_state(line.state):
            raise Fault("crash", f"its rules of {self.game.name} differ from those of the match")
        return self._line

    def stop(self) -> None:
        self._stop.set()


def _least(one: int | None, other: int | None) -> int | None:
    """The tighter of two limits, either of which may be None."""
    return min((limit for limit in (one, other) if limit is not None), default=None)
