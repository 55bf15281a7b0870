"""One tab of a browser: its game, its line of play, its searches, and the channel to its page.

A tab's messages are handled one at a time, but its searches report from their own threads: ``lock`` separates them.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zerosum.arena.time_control import Clock
from zerosum.errors import StudioError
from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.levels import Strength
from zerosum.studio import positions
from zerosum.studio.databases import Databases
from zerosum.studio.explorer import Explorer
from zerosum.studio.messages import write
from zerosum.studio.offered_games import OfferedGames
from zerosum.studio.searches import Search, TabSearcher, Work

Json = dict[str, Any]

MAIN, BESIDE, REVIEW, THREAT = "main", "beside", "review", "threat"
"""The searchers of a tab."""

FOLLOWING = (MAIN, BESIDE, THREAT)
"""Searchers that work on the position on the board: they stop when it changes."""

MOST_ROLLS = 200
"""Consecutive rolls, without a move in between, after which a game is considered endless."""


@dataclass
class Studio:
    """Everything that the tabs of a server share."""

    offered: OfferedGames = field(default_factory=OfferedGames)
    hash_mb: float = 16
    threads: int = 1
    jit: bool = True
    databases: Databases = field(default_factory=Databases)
    training: tuple[str, ...] = ()  # files of training runs to watch
    explorer: Explorer = field(default_factory=Explorer)


class Tab:
    """The server's side of one page."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self.id = secrets.token_urlsafe(16)
        self.lock = threading.RLock()
        self.searchers: dict[str, TabSearcher] = {}  # by purpose; created when needed
        self.seen = time.monotonic()
        self.deliver: Callable[[str], None] | None = None  # None while no page is connected
        self.name = ""
        self.settings: Json = {}
        self.line: Line | None = None
        self.mode = "play"
        self.people = frozenset((MAX, MIN))
        self.strength = Strength()
        self.ended: Json | None = None  # an end by resignation, time or agreement; other ends follow from the rules
        self.gives_up = False  # whether the engine resigns lost games
        self.scores: list[float] = []  # the engine's values of its last moves, for itself, in the game's unit
        self.clock: Clock | None = None
        self.turn_began = time.monotonic()
        self.wanted: Callable[[], None] | None = None  # restarts the analysis at the current position
        self.wanted_beside: Callable[[], None] | None = None  # the same for a second engine
        self.ahead: Line | None = None  # the longest line that the page navigates
        self._sent: tuple[Any, tuple[int, ...]] | None = None
        self.dice = random.Random()
        self.extras: dict[str, Any] = {}  # jobs of other pages for this tab; each has a stop()

    # Messages to the page

    def send(self, kind: str, body: Json, answers: int | None = None) -> None:
        if self.deliver is not None:
            self.deliver(write(kind, body, answers))

    def tell_position(self, answers: int | None = None) -> None:
        """Send the position, and those of the moves so far that the page does not know."""
        line = self.playing()
        known = 0
        if self._sent is not None and self._sent[0] is line.start:
            sent = self._sent[1]
            while known < min(len(sent), len(line.moves)) and sent[known] == line.moves[known]:
                known += 1
        body = positions.position(line)
        if self.ended is not None:
            body |= {**self.ended, "moves": []}
        body |= {
            "known": known,
            "history": positions.history(line, known),
            "mode": self.mode,
            "people": sorted(self.people),
            "clock": self._clock(body["turn"], body["over"]),
        }
        self._sent = (line.start, line.moves)
        self.send("position", body, answers)

    def tell_at(self, answers: int | None = None) -> None:
        """Send the position of an analysis, without the moves that led there, which the page knows."""
        body = positions.position(self.playing())
        self._sent = None
        self.send("at", {**body, "mode": self.mode, "people": sorted(self.people), "clock": None}, answers)

    def _clock(self, turn: int, over: bool) -> Json | None:
        if self.clock is None:
            return None
        left = [self.clock.left[MAX] or 0.0, self.clock.left[MIN] or 0.0]
        running = None if over or turn == CHANCE else turn
        if running is not None:
            left[running] = max(0.0, left[running] - (time.monotonic() - self.turn_began))
        return {"left": left, "running": running}

    # The line of play

    @property
    def game(self) -> Game:
        return self.playing().game

    def playing(self) -> Line:
        if self.line is None:
            raise StudioError("no game is open: choose one")
        return self.line

    def set_line(self, line: Line) -> None:
        """Replace the line, and stop the searches of the old position."""
        for name in FOLLOWING:
            if name in self.searchers:
                self.searchers[name].stop()
        self.line, self.ended = line, None
        self.turn_began = time.monotonic()

    def forget_sent(self) -> None:
        """Forget which moves the page knows, so that it is sent all of them."""
        self._sent = None

    def follow(self, start: Any, moves: list[int]) -> Line:
        """The line of these moves, each checked; moves shared with the known lines are not replayed."""
        line = self.playing()
        if start is not None and start != line.start:
            line = Line(line.game, start)
        shared = _shared(line, moves)
        if self.ahead is not None and self.ahead.game is line.game and self.ahead.start == line.start:
            if _shared(self.ahead, moves) > shared:
                line, shared = self.ahead, _shared(self.ahead, moves)
        line = line.back(len(line) - shared)
        for move in moves[shared:]:
            line = line.play(move)
        return line

    @property
    def is_over(self) -> bool:
        return self.ended is not None or positions.ending_of(self.playing()) is not None

    def make(self, move: int) -> None:
        """Play a move for the side to move, and stop its clock."""
        line = self.playing()
        side = int(self.game.to_move(line.state))
        longer = line.play(move)
        if self.clock is not None and side != CHANCE:
            if not self.clock.spend(side, time.monotonic() - self.turn_began):
                self.searcher.stop()
                self.ended = positions.given_up(self.game, side, "has run out of time")
                return
        self.searcher.stop()
        self.line = longer
        self.turn_began = time.monotonic()

    def roll_dice(self) -> None:
        """Play random outcomes while chance is to move."""
        for _ in range(MOST_ROLLS):
            line = self.playing()
            if self.is_over or self.game.to_move(line.state) != CHANCE:
                return
            self.make(self.game.roll(line.state, self.dice))
        raise StudioError(f"{self.game.name}: chance has moved {MOST_ROLLS} times in a row")

    # Searches

    @property
    def searcher(self) -> TabSearcher:
        """The main searcher: plays, gives hints and analyses."""
        return self.searcher_of(MAIN)

    def searcher_of(self, name: str) -> TabSearcher:
        """The searcher with this name; each has its own engine and runs independently of the others."""
        if name not in self.searchers:
            studio = self.studio
            self.searchers[name] = TabSearcher(studio.hash_mb, studio.threads, studio.jit, studio.databases)
        return self.searchers[name]

    def start_search(
        self,
        purpose: str,
        work: Work,
        line: Line | None = None,
        finished: Callable[[Search], None] | None = None,
        algorithm: str = "auto",
        searcher: str = MAIN,
    ) -> Search:
        """Start a search of the line, by default the current one; its states and findings are sent to the page."""
        line = line or self.playing()
        position = line.game.format_state(line.state)
        search = Search(line, purpose, work, self._search_changed, finished, algorithm, position)
        self.searcher_of(searcher).start(search)
        self.send("search", search_state(search))
        return search

    def stop_all(self) -> None:
        """Stop all searches, before another game."""
        self.wanted = self.wanted_beside = self.ahead = None
        for searcher in self.searchers.values():
            searcher.stop()

    def _search_changed(self, search: Search) -> None:
        with self.lock:
            searcher = next((one for one in self.searchers.values() if one.search is search), None)
            if searcher is None:
                return
            if search.state in ("done", "stopped"):
                self._tell(searcher)
            self.send("search", search_state(search))
            if search.state == "done" and search.finished is not None:
                search.finished(search)

    def has_news(self) -> bool:
        """Whether a search is running that has found something."""
        return any(one.has_news for one in list(self.searchers.values()))

    def tell_reports(self) -> None:
        """Send the current findings of the running searches."""
        for searcher in self.searchers.values():
            if searcher.has_news and searcher.search is not None:
                try:
                    self._tell(searcher)
                except Exception as problem:  # of a rule of a user's game
                    searcher.search.fail(problem)

    def _tell(self, searcher: TabSearcher) -> None:
        from zerosum.studio.reports import report

        search = searcher.search
        if search is not None and search.latest is not None:
            self.send("report", report(search, search.latest, searcher.engine))

    # Disconnecting

    def leave(self) -> None:
        """Stop everything and free the memory, after the page has left."""
        with self.lock:
            self.deliver = None
            for searcher in self.searchers.values():
                searcher.close()
            for extra in self.extras.values():
                extra.stop()
            self.extras.clear()
            self._sent = None
            self.seen = time.monotonic()


def _shared(line: Line, moves: list[int]) -> int:
    """The number of moves that the line and ``moves`` have in common at the start."""
    shared = 0
    while shared < min(len(moves), len(line)) and line.moves[shared] == moves[shared]:
        shared += 1
    return shared


def search_state(search: Search) -> Json:
    """The state of a search, as data."""
    return {
        "search": search.number,
        "purpose": search.purpose,
        "state": search.state,
        "ply": len(search.line),
        "position": search.position,
        "problem": search.problem,
    }
