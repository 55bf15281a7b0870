"""The games of a match as units of work: each worker has its own set of players and plays one game after another.

A unit contains the opening and the seeds of its game, so that players limited by nodes or depth play the same game on
any worker.
"""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from zerosum.arena.player import Player, Stopped
from zerosum.arena.players import PlayerSpec
from zerosum.arena.referee import Referee, Rules
from zerosum.arena.schedule import Fixture
from zerosum.formats.record import GameRecord
from zerosum.game import MAX, MIN, Game, Line
from zerosum.review.luck import Luck
from zerosum.working.pickling import path_with_content
from zerosum.working.work import Ended, Tell, UnitRunner, Work

FILES = ("weights", "parameters")
"""Options of engines that name a file, whose content is sent to workers. A database is a folder and is not sent."""

Words = tuple[list[list[int]], tuple[int, ...]]
"""A line without its game: see ``Line.words``."""


class GameUnit(NamedTuple):
    """A game to play, from the end of its opening."""

    fixture: Fixture
    opening: Words

    def __repr__(self) -> str:
        return f"game {self.fixture.number}"


class GamePlayed(NamedTuple):
    record: GameRecord
    line: Words


class Moved(NamedTuple):
    """A report of a move in a game."""

    fixture: Fixture
    line: Line


class Said(NamedTuple):
    """A line for the log: the player's name ('' for the referee), the text, and the worker."""

    name: str
    text: str
    worker: str


@dataclass(frozen=True)
class GamesWork(Work[GameUnit, GamePlayed]):
    """What all games of a match have in common. ``watched`` reports every move, which only threads can do."""

    game: Game
    players: Sequence[PlayerSpec]
    rules: Rules
    seed: int = 0
    luck: bool = False
    watched: bool = False
    logged: bool = False

    @property
    def cores(self) -> int:  # type: ignore[override]
        """The processors of one game: only one player thinks at a time."""
        return max(player.threads for player in self.players)

    @property
    def is_timed(self) -> bool:  # type: ignore[override]
        return self.rules.control.has_clock

    def open(self, tell: Tell) -> GameRunner:
        return GameRunner(self, tell)


class GameRunner(UnitRunner[GameUnit, GamePlayed]):
    """The players of one worker. All are made and prepared before the first clock starts."""

    def __init__(self, work: GamesWork, tell: Tell) -> None:
        self.work, self.tell = work, tell
        self._is_over = False
        self._team: dict[int, Player] = {}
        try:
            for place, spec in enumerate(work.players):
                self._team[place] = spec.make(work.game, self._logger(spec.name))
                self._team[place].prepare()
            self._luck = Luck(work.game) if work.luck else None
            if self._luck is not None:
                self._luck.prepare()
        except BaseException:
            self.close()
            raise

    def do(self, unit: GameUnit) -> GamePlayed:
        work, fixture = self.work, unit.fixture
        if work.logged:
            self._say("", f"game {fixture.number}: {work.players[fixture.max_player].name} begins as MAX")
        referee = Referee(
            Line.of_words(work.game, *unit.opening),
            {MAX: self._team[fixture.max_player], MIN: self._team[fixture.min_player]},
            work.rules,
            dice=f"dice {work.seed} {fixture.cycle}",
            seed=f"game {work.seed} {fixture.number}",
            on_move=(lambda line: self.tell(Moved(fixture, line))) if work.watched else None,
        )
        try:
            record = referee.play(fixture.number)
        except Stopped:
            if self._is_over:
                raise Ended from None
            raise KeyboardInterrupt from None  # a person at the keyboard has left
        if self._luck is not None and record.reason == "rules":
            record = replace(record, luck=sum(self._luck.of(referee.line).values()))
        return GamePlayed(record, referee.line.words())

    def stop(self) -> None:
        self._is_over = True
        for player in self._team.values():
            player.stop()

    def close(self) -> None:
        for player in self._team.values():
            player.close()

    def _logger(self, name: str) -> Callable[[str], None] | None:
        return (lambda text: self._say(name, text)) if self.work.logged else None

    def _say(self, name: str, text: str) -> None:
        self.tell(Said(name, text, self._worker()))

    def _worker(self) -> str:
        """The name of the thread, if workers are threads; otherwise the machine and the process."""
        thread = threading.current_thread().name
        return thread if thread.startswith("zerosum") else f"{platform.node()}:{os.getpid()}"


def with_files(spec: PlayerSpec) -> PlayerSpec:
    """The player with the content of its files, for workers that do not have these files."""
    options = {name: path_with_content(word) if name in FILES else word for name, word in spec.options.items()}
    if "database" in options:
        options["database"] = str(Path(options["database"]).resolve())  # workers may run in another folder
    target = path_with_content(spec.target) if spec.kind == "file" else spec.target
    return replace(spec, target=target, options=options)
