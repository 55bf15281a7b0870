"""The engine as a player, with a table of its own that is empty at the start of each game."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zerosum.arena.player import SURE_WIN, Answer, Fault, Player, Stopped
from zerosum.arena.time_control import Budget
from zerosum.engine import Engine
from zerosum.errors import ArenaError
from zerosum.game import MAX, Game, Line
from zerosum.protocols.clock import Allotment, Deliberation, allot, fixed
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import AlgorithmLike
from zerosum.search.result import Result

if TYPE_CHECKING:
    from zerosum.endgame.database import Database

OVERHEAD = 0.01
"""Seconds between our clock and the referee's, who sits in the same process."""


class EnginePlayer(Player):
    """An Engine for ``game``, which may know more about it than the match's own game does, but has the same rules."""

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
        overhead: float = OVERHEAD,
        database: Database | None = None,
        jit: bool = True,
    ) -> None:
        super().__init__(name)
        self.game, self.depth, self.nodes, self.overhead = game, depth, nodes, overhead
        self.engine = Engine(game, algorithm, threads=threads, hash_mb=hash_mb, database=database, jit=jit)
        self.threads = self.engine.threads
        self._line = Line(game)
        self._stop = Stop()

    def prepare(self) -> None:
        self.engine.prepare()

    def begin(self, line: Line, seed: str) -> None:
        self.engine.clear()
        self._line = self._own(line)

    def _own(self, line: Line) -> Line:
        """The line by this player's rules."""
        if line.game is self.game:
            return line
        start = self.game.state_type.from_words(line.game.state_type.words(line.start))
        if self.game.has("refresh"):
            start = self.game.refresh(start)  # what it holds from the tables is another player's
        return Line(self.game, start, line.moves)

    def choose(self, line: Line, budget: Budget) -> Answer:
        started = time.perf_counter()
        own = self._follow(line)
        limits = {"depth": _least(self.depth, budget.depth), "nodes": _least(self.nodes, budget.nodes)}
        result = think(self.engine, own, budget, self.overhead, started, None, self._stop, **limits)
        seconds = time.perf_counter() - started
        if self._stop.is_set():
            raise Stopped
        sign = 1 if self.game.to_move(own.state) == MAX else -1
        return Answer(result.move, score(result, sign, self.engine.unit), result.depth, seconds)

    def _follow(self, line: Line) -> Line:
        """The match's line by this player's rules; only what is new is played."""
        if line.game is self.game:
            return line
        known = len(self._line.moves)
        if line.moves[:known] != self._line.moves:
            self._line = self._own(line)
        for move in line.moves[len(self._line.moves) :]:
            self._line = self._line.play(move)
        # As text: words of a State may depend on a player's own tables.
        if self.game.format_state(self._line.state) != line.game.format_state(line.state):
            raise Fault("crash", f"its rules of {self.game.name} are others than the match's")
        return self._line

    def stop(self) -> None:
        self._stop.set()


def think(
    engine: Engine,
    line: Line,
    budget: Budget,
    overhead: float,
    started: float,
    on_report: Callable[[Result], None] | None = None,
    stop: Stop | None = None,
    **limits: int | None,
) -> Result:
    """Search within the clock: no new depth when the soft limit is near, and an end at the hard one."""
    seconds: float | None = None
    deliberation: Deliberation | None = None
    if budget.movetime is not None:
        seconds = fixed(budget.movetime, overhead)
    elif budget.left is not None:
        allotment: Allotment = allot(budget.left, budget.increment, budget.moves_to_go, overhead)
        deliberation, seconds = Deliberation(allotment, engine.unit), allotment.hard
    elif not any(limits.values()):
        raise ArenaError("an engine needs a limit: give a time control, or a player such as 'depth:4'")
    game, s = line.game, line.state
    sign = 1 if game.to_move(s) == MAX else -1
    has_choice = deliberation is None or len(game.legal_moves(s)) > 1

    def after_depth(result: Result) -> None:
        if on_report is not None:
            on_report(result)
        if deliberation is not None and (
            not has_choice
            or deliberation.enough(
                result.depth,
                time.perf_counter() - started,
                result.move,
                sign * result.value,
                decided=result.is_settled,
            )
        ):
            engine.stop()

    if seconds is not None:
        # What was used up before the search began is gone.
        seconds = max(seconds - (time.perf_counter() - started), 0.001)
    return engine.search(line, seconds=seconds, on_report=after_depth, stop=stop, **limits)  # type: ignore[arg-type]


def score(result: Result, sign: int, unit: int) -> float:
    """A result's value for one side, in hundredths of the unit."""
    if result.outcome and result.distance is not None:
        return sign * result.outcome * (SURE_WIN - result.distance)
    if result.is_undated_win:
        return sign * (result.outcome or 0) * SURE_WIN / 2
    return round(100 * sign * result.value / unit, 2)


def _least(one: int | None, other: int | None) -> int | None:
    """The tighter of two limits, each of which may be missing."""
    return min((limit for limit in (one, other) if limit is not None), default=None)
