"""A match: games between players, several at a time, each written down as it ends, until all are played.

A thread leads a game; the searches run without the interpreter's lock, and programs are processes of their own, so
that each game that is being played has a processor. The calling thread writes the games and tells about them.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zerosum.arena.games_file import GamesFile, read_games_file
from zerosum.arena.openings import Openings
from zerosum.arena.player import Player, Stopped
from zerosum.arena.players import PlayerSpec, name_apart
from zerosum.arena.ratings import Sprt
from zerosum.arena.referee import Referee, Rules
from zerosum.arena.schedule import Fixture, pairings, schedule
from zerosum.arena.standings import Standings
from zerosum.errors import ArenaError
from zerosum.formats.common import JSON_LINES
from zerosum.formats.record import GameRecord
from zerosum.game import MAX, MIN, Game, Line
from zerosum.review.luck import Luck, knows_luck

CHECKED = 50
"""So many openings are read before the first game; the others when their turn comes."""

FAREWELL = 5.0
"""Seconds that games under way have to stop."""

OnGame = Callable[[GameRecord, Standings], None]
OnMove = Callable[[Fixture, Line], None]


@dataclass(frozen=True)
class Plan:
    """All that decides which games are played: the same plan with the same seed is the same match."""

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
            raise ArenaError("a match needs two players or more")
        if self.games < 1:
            raise ArenaError(f"a match needs at least one game, not {self.games}")
        if self.sprt is not None and len(self.players) > 2:
            raise ArenaError("a test (SPRT) is between two players, not more")
        object.__setattr__(self, "players", tuple(name_apart(self.players)))

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def total(self) -> int:
        """How many games there are."""
        return self.games * len(pairings(len(self.players), self.gauntlet))

    def header(self) -> dict[str, Any]:
        """What a games file must agree with. The number of games is not part of it: a match may be prolonged."""
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
        """A name that the same match always gets, and another one hardly ever."""
        digest = hashlib.sha256(json.dumps(self.header(), sort_keys=True).encode()).hexdigest()[:8]
        usual = next((one for one in self.game.formats if one.usual), JSON_LINES)
        return Path(f"match-{self.game.name}-{digest}{usual.suffix}")

    def default_concurrency(self) -> int:
        """Games at a time: in each only one player thinks, and has its processors to itself."""
        if any(player.is_person for player in self.players):
            return 1
        return max(1, (os.cpu_count() or 1) // max(player.threads for player in self.players))


class Match:
    """Plays a plan. ``run`` returns when all games are in the file, or the test has decided."""

    def __init__(
        self,
        plan: Plan,
        out: Path | None = None,
        *,
        concurrency: int | None = None,
        log: Path | None = None,
        on_move: OnMove | None = None,
        luck: bool = False,
    ) -> None:
        """``on_move`` hears of every move, and of every game that begins, from the thread that leads the game.

        With ``luck`` records say what the dice have given: see ``review.luck``.
        """
        if luck and not knows_luck(plan.game):
            raise ArenaError(f"luck is for games with dice and an evaluation, not for {plan.game.name}")
        self.plan, self.luck = plan, luck
        self._on_move = on_move
        self.out = out if out is not None else plan.default_file()
        self.concurrency = concurrency or plan.default_concurrency()
        if any(player.is_person for player in plan.players):
            self.concurrency = 1
        self.standings = Standings(plan.names)
        self.resumed = 0  # games that were already in the file
        self.dropped = 0  # bytes of a half-written game
        self._log = _Log(log) if log is not None else None
        self._openings = Openings(plan.game, plan.openings, plan.seed, plan.opening_plies)
        self._openings_lock = threading.Lock()
        self._stopping = threading.Event()
        self._messages: queue.SimpleQueue[tuple[GameRecord, Line] | BaseException | None] = queue.SimpleQueue()
        self._teams: list[dict[int, Player]] = []

    def run(self, on_game: OnGame | None = None, on_start: Callable[[Match], None] | None = None) -> Standings:
        """Play what is not in the file yet. KeyboardInterrupt ends it cleanly; what was played is kept."""
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
                    self._play(iter(left), min(self.concurrency, len(left)), file, on_game)
                except BaseException:
                    # An interrupt may have come between the writing of a game and its counting.
                    self.standings = Standings(plan.names, read_games_file(self.out, plan.game)[1])
                    raise
        return self.standings

    def stop(self) -> None:
        """End ``run``, from any thread, as an interrupt would."""
        self._messages.put(KeyboardInterrupt())

    def _is_decided(self) -> bool:
        return self.plan.sprt is not None and bool(self.plan.sprt.decision(self.standings.tally()))

    def _play(self, fixtures: Iterator[Fixture], concurrency: int, file: GamesFile, on_game: OnGame | None) -> None:
        threads: list[threading.Thread] = []
        lock = threading.Lock()
        try:
            # Whoever cannot play says so before the first game, and compiles before the first clock runs.
            self._teams = [self._team() for _ in range(concurrency)]
            for number, team in enumerate(self._teams):
                luck = Luck(self.plan.game) if self.luck else None
                if luck is not None:
                    luck.prepare()
                thread = threading.Thread(
                    target=self._work, args=(fixtures, lock, team, luck), name=f"zerosum-game-{number}", daemon=True
                )
                thread.start()
                threads.append(thread)
            running = len(threads)
            while running:
                message = self._next_message()
                if message is None:
                    running -= 1
                elif isinstance(message, BaseException):
                    raise message
                else:
                    file.add(*message)
                    self.standings.add(message[0])
                    if on_game is not None:
                        on_game(message[0], self.standings)
                    if self._is_decided():
                        return
        finally:
            self._stopping.set()
            for team in self._teams:
                for player in team.values():
                    player.stop()
            deadline = time.monotonic() + FAREWELL
            for thread in threads:
                thread.join(max(deadline - time.monotonic(), 0.0))
            for team in self._teams:
                for player in team.values():
                    player.close()
            if self._log is not None:
                self._log.close()

    def _next_message(self) -> tuple[GameRecord, Line] | BaseException | None:
        while True:
            try:
                return self._messages.get(timeout=0.2)  # in steps, so that Ctrl-C gets through everywhere
            except queue.Empty:
                continue

    def _team(self) -> dict[int, Player]:
        """A player of each kind, for the games of one thread."""
        team: dict[int, Player] = {}
        try:
            for place, spec in enumerate(self.plan.players):
                log = None if self._log is None else self._log.of(spec.name)
                team[place] = spec.make(self.plan.game, log)
                team[place].prepare()
        except BaseException:
            for player in team.values():
                player.close()
            raise
        return team

    def _work(
        self, fixtures: Iterator[Fixture], lock: threading.Lock, team: dict[int, Player], luck: Luck | None
    ) -> None:
        """Play one game after the other until there are no more."""
        try:
            while not self._stopping.is_set():
                with lock:
                    fixture = next(fixtures, None)
                if fixture is None:
                    break
                record, line = self._one_game(fixture, team)
                if luck is not None and record.reason == "rules":
                    record = replace(record, luck=sum(luck.of(line).values()))
                self._messages.put((record, line))
        except Stopped:
            # Somebody at the keyboard has left, or everybody is told to.
            self._messages.put(None if self._stopping.is_set() else KeyboardInterrupt())
            return
        except BaseException as problem:
            self._messages.put(problem)
            return
        self._messages.put(None)

    def _one_game(self, fixture: Fixture, team: dict[int, Player]) -> tuple[GameRecord, Line]:
        with self._openings_lock:
            line = self._openings.opening(fixture.cycle)
        seed, on_move = self.plan.seed, self._on_move
        if self._log is not None:
            self._log.write(f"game {fixture.number}: {self.plan.names[fixture.max_player]} begins as MAX")
        referee = Referee(
            line,
            {MAX: team[fixture.max_player], MIN: team[fixture.min_player]},
            self.plan.rules,
            dice=f"dice {seed} {fixture.cycle}",
            seed=f"game {seed} {fixture.number}",
            on_move=None if on_move is None else lambda line: on_move(fixture, line),
        )
        record = referee.play(fixture.number)
        return record, referee.line


class _Log:
    """The conversations with programs, one line each, with the time and the name."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("a", encoding="utf-8", buffering=1)
        except OSError as problem:
            raise ArenaError(f"the log {str(path)!r} cannot be opened: {problem.strerror or problem}") from problem
        self._lock = threading.Lock()
        self._began = time.perf_counter()

    def of(self, name: str) -> Callable[[str], None]:
        return lambda text: self.write(f"{name} {text}")

    def write(self, text: str) -> None:
        with self._lock:
            if not self._file.closed:
                self._file.write(f"{time.perf_counter() - self._began:.3f} {threading.current_thread().name} {text}\n")

    def close(self) -> None:
        with self._lock:
            self._file.close()
