"""A match: games between players, several at a time, written to a file in order until all are played.

Games are units of work (arena/games_work.py) for workers: threads, processes, or the nodes of a cluster. The calling
thread writes and reports the games in order of their numbers. With players limited by nodes or depth, the file is
therefore the same for any workers, and a test (SPRT) ends at the same game.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zerosum.arena.games_file import GamesFile, read_games_file
from zerosum.arena.games_work import GamePlayed, GamesWork, GameUnit, Moved, Said, with_files
from zerosum.arena.openings import Openings
from zerosum.arena.players import PlayerSpec, name_apart
from zerosum.arena.ratings import Sprt
from zerosum.arena.referee import Rules
from zerosum.arena.schedule import Fixture, pairings, schedule
from zerosum.arena.standings import Standings
from zerosum.errors import ArenaError
from zerosum.formats.common import JSON_LINES
from zerosum.formats.record import GameRecord
from zerosum.game import Game, Line
from zerosum.processors import usable_processors
from zerosum.review.luck import knows_luck
from zerosum.working.team import Team, Workers
from zerosum.working.threads import Threads

CHECKED = 50
"""Number of openings read before the first game; the others are read when they are needed."""

OnGame = Callable[[GameRecord, Standings], None]
OnMove = Callable[[Fixture, Line], None]


@dataclass(frozen=True)
class Plan:
    """Everything that determines which games are played: the same plan with the same seed is the same match."""

    game: Game
    players: Sequence[PlayerSpec]
    rules: Rules = field(default_factory=Rules)
    games: int = 100
    seed: int = 0
    gauntlet: bool = False
    openings: str = ""
    opening_plies: int | None = None
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ArenaError("a match needs at least two players")
        if self.games < 1:
            raise ArenaError(f"a match needs at least one game, not {self.games}")
        if self.sprt is not None and len(self.players) > 2:
            raise ArenaError(f"a test (SPRT) needs exactly two players, not {len(self.players)}")
        object.__setattr__(self, "players", tuple(name_apart(self.players)))

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def total(self) -> int:
        """The number of games."""
        return self.games * len(pairings(len(self.players), self.gauntlet))

    def header(self) -> dict[str, Any]:
        """The header that a games file must have. It leaves out the number of games, since a match may be extended."""
        rules = self.rules
        where, parameters = self.game.source or (self.game.name, {})
        return {
            "game": self.game.name,
            "parameters": parameters,
            "file": where if where != self.game.name else "",
            "players": [player.text for player in self.players],
            "time": str(rules.control),
            "openings": self.openings,
            "plies": self.opening_plies,
            "seed": self.seed,
            "gauntlet": self.gauntlet,
            "adjudication": list(vars(rules.adjudication).values()),
            "database": rules.database is not None,
            "length": rules.max_plies,
        }

    def default_file(self) -> Path:
        """A file name derived from the match: the same match always gets the same name."""
        digest = hashlib.sha256(json.dumps(self.header(), sort_keys=True).encode()).hexdigest()[:8]
        usual = next((one for one in self.game.formats if one.usual), JSON_LINES)
        return Path(f"match-{self.game.name}-{digest}{usual.suffix}")

    def default_concurrency(self) -> int:
        """The number of games at a time, such that the player who thinks in each game has its own processors."""
        if any(player.is_person for player in self.players):
            return 1
        return max(1, usable_processors() // max(player.threads for player in self.players))


class Match:
    """Plays a plan. ``run`` returns when all games are in the file, or when the test has a result."""

    def __init__(
        self,
        plan: Plan,
        out: Path | None = None,
        *,
        concurrency: int | None = None,
        workers: Workers | None = None,
        log: Path | None = None,
        on_move: OnMove | None = None,
        luck: bool = False,
    ) -> None:
        """Games are played by ``workers``, or by threads of this process, ``concurrency`` at a time.

        If threads play, ``on_move`` is called at the start of every game and after every move. With ``luck``, records
        contain the luck of the dice: see ``review.luck``.
        """
        if luck and not knows_luck(plan.game):
            raise ArenaError(f"luck needs a game with dice and an evaluation, which {plan.game.name} is not")
        self.plan, self.luck = plan, luck
        self._on_move = on_move
        self.out = out if out is not None else plan.default_file()
        self.concurrency = concurrency or plan.default_concurrency()
        if any(player.is_person for player in plan.players):
            self.concurrency = 1
        self._workers = workers
        self.team: Team[GameUnit, GamePlayed] | None = None
        self.standings = Standings(plan.names)
        self.resumed = 0  # games that were already in the file
        self.dropped = 0  # bytes of an incomplete game
        self._log = _Log(log) if log is not None else None
        self._openings = Openings(plan.game, plan.openings, plan.seed, plan.opening_plies)
        self._stopping = threading.Event()

    def run(self, on_game: OnGame | None = None, on_start: Callable[[Match], None] | None = None) -> Standings:
        """Play the games that are not in the file yet. KeyboardInterrupt ends it cleanly; finished games are kept."""
        plan = self.plan
        for number in range(min((plan.games + 1) // 2, max(len(self._openings), 1), CHECKED)):
            self._openings.opening(number)
        with GamesFile(self.out, plan.game, plan.header()) as file:
            self.dropped = file.dropped
            fixtures = list(schedule(len(plan.players), plan.games, plan.gauntlet))
            for number in sorted(file.records):
                self.standings.add(file.records[number])
            self.resumed = len(file.records)
            left = [fixture for fixture in fixtures if fixture.number not in file.records]
            if on_start is not None:
                on_start(self)
            if left and not self._is_decided():
                try:
                    self._play(left, file, on_game)
                except BaseException:
                    # The interrupt may have come after a game was written but before it was counted.
                    self.standings = Standings(plan.names, read_games_file(self.out, plan.game)[1])
                    raise
        return self.standings

    def stop(self) -> None:
        """End ``run``, from any thread, as an interrupt would."""
        self._stopping.set()

    def _is_decided(self) -> bool:
        return self.plan.sprt is not None and bool(self.plan.sprt.decision(self.standings.tally()))

    def _play(self, left: Sequence[Fixture], file: GamesFile, on_game: OnGame | None) -> None:
        """Play the games, and write each one once those before it are written."""
        early: dict[int, tuple[GameRecord, Line]] = {}
        due = iter(left)
        awaited = next(due, None)
        try:
            with self._begin(left) as team:
                self.team = team
                for unit, played in team.run(self._units(left), on_report=self._report, is_over=self._stopping.is_set):
                    early[unit.fixture.number] = played.record, Line.of_words(self.plan.game, *played.line)
                    while awaited is not None and awaited.number in early:
                        self._write(early.pop(awaited.number), file, on_game)
                        if self._is_decided():
                            return
                        awaited = next(due, None)
            if self._stopping.is_set():
                raise KeyboardInterrupt
        except BaseException:
            # Keep games that finished early, after those in order. A game already in the file was being counted.
            for number in sorted(early.keys() - file.records.keys()):
                file.add(*early[number])
            raise
        finally:
            if self._log is not None:
                self._log.close()

    def _begin(self, left: Sequence[Fixture]) -> Team[GameUnit, GamePlayed]:
        plan = self.plan
        work = GamesWork(
            plan.game,
            [with_files(player) for player in plan.players],
            plan.rules,
            plan.seed,
            self.luck,
            watched=self._on_move is not None,
            logged=self._log is not None,
        )
        workers = self._workers or Threads(min(self.concurrency, len(left)) * work.cores)
        return workers.team(work)

    def _units(self, left: Iterable[Fixture]) -> Iterator[GameUnit]:
        for fixture in left:
            yield GameUnit(fixture, self._openings.opening(fixture.cycle).words())

    def _write(self, played: tuple[GameRecord, Line], file: GamesFile, on_game: OnGame | None) -> None:
        file.add(*played)
        self.standings.add(played[0])
        if on_game is not None:
            on_game(played[0], self.standings)

    def _report(self, word: Moved | Said) -> None:
        if isinstance(word, Moved):
            assert self._on_move is not None
            self._on_move(*word)
        elif self._log is not None:
            self._log.write(word)


class _Log:
    """The communication with programs, line by line, with the time, the worker and the name."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("a", encoding="utf-8", buffering=1)
        except OSError as problem:
            raise ArenaError(f"the log {str(path)!r} cannot be opened: {problem.strerror or problem}") from problem
        self._began = time.perf_counter()

    def write(self, word: Said) -> None:
        name = f"{word.name} " if word.name else ""
        self._file.write(f"{time.perf_counter() - self._began:.3f} {word.worker} {name}{word.text}\n")

    def close(self) -> None:
        self._file.close()
