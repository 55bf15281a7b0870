"""Self-play as work for threads or clusters: a unit is a range of game numbers of one seed.

Game n of a seed is the same whoever plays it, so it does not matter how games are distributed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple

from zerosum.game import Game
from zerosum.running.stopping import Stop
from zerosum.search.selfplay import SelfPlay, SelfPlayed
from zerosum.working.team import Workers, in_order
from zerosum.working.work import Ended, Tell, UnitRunner, Work

UNIT_SECONDS, FEW = 1.0, 64
"""How long a unit should take: long compared with the cost of sending it, short enough to lose with a worker. With more
than FEW workers it takes proportionally longer, because one process sends all units."""

MOST_AT_ONCE = 4096
GROWTH = 4
"""A unit has at most MOST_AT_ONCE games, and at most GROWTH times as many as the last one measured."""


class Run(NamedTuple):
    """Games ``first`` to ``end``, excluding ``end``."""

    first: int
    end: int


class Done(NamedTuple):
    games: list[SelfPlayed]
    seconds: float


@dataclass(frozen=True)
class SelfPlayWork(Work[tuple[int, Run], Done]):
    """How games are played: ``how`` has the arguments of ``SelfPlay``, ``folder`` is the endgame database or ''."""

    in_portions = False  # units grow until they are long enough

    game: Game
    how: Mapping[str, Any] = field(default_factory=dict)
    folder: str = ""
    jit: bool = True

    def open(self, tell: Tell) -> _Player:
        return _Player(self)


class _Player(UnitRunner[tuple[int, Run], Done]):
    def __init__(self, work: SelfPlayWork) -> None:
        directory = None
        if work.folder:
            from zerosum.endgame.serving import load_shared, open_shared

            self._database = open_shared(work.folder, work.game)  # kept alive, or the next player would unpack it again
            directory = load_shared(self._database, work.jit)
        self._play = SelfPlay(work.game, database=directory, jit=work.jit, **work.how)
        self._stop = Stop()

    def do(self, unit: tuple[int, Run]) -> Done:
        began = perf_counter()
        games = list(self._play.games(range(*unit[1]), self._stop))
        if self._stop.is_set():
            raise Ended
        return Done(games, perf_counter() - began)

    def stop(self) -> None:
        self._stop.set()


class SelfPlayedRuns:
    """Games played by workers, in order, from number ``first`` up to ``end`` (excluded) or without end.

    ``reached`` is the number of the first game not yet played.
    """

    def __init__(self, work: SelfPlayWork, first: int = 0, end: int | None = None) -> None:
        self.work, self.reached, self.end = work, first, end
        self.where = ""
        self._at_once = 1

    def games(self, workers: Workers, is_over: Callable[[], bool] = lambda: False) -> Generator[SelfPlayed, None, None]:
        with workers.team(self.work) as team:
            for run, done in in_order(team.run(enumerate(self._runs()), is_over=is_over)):
                seconds = UNIT_SECONDS * max(1.0, team.size / FEW)
                wanted = round(seconds / max(done.seconds, 1e-6) * (run.end - run.first))
                self._at_once = max(1, min(wanted, GROWTH * self._at_once, MOST_AT_ONCE))
                self.where = team.where
                yield from done.games
                self.reached = run.end

    def _runs(self) -> Iterator[Run]:
        first = self.reached
        while self.end is None or first < self.end:
            end = first + self._at_once if self.end is None else min(first + self._at_once, self.end)
            yield Run(first, end)
            first = end
