"""Pairs of games between two settings of the search, several pairs at a time, each in a process of its own.

Not in threads, as the games of a match are: between two short searches rules and referee are plain Python, which runs
in one thread at a time, and thousands of quick games would wait for each other.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, TimeoutError
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import connection
from types import TracebackType
from typing import Any, NamedTuple

from zerosum.arena.engine_player import EnginePlayer
from zerosum.arena.openings import Openings
from zerosum.arena.player import Stopped
from zerosum.arena.referee import Referee, Rules
from zerosum.errors import ArenaError
from zerosum.game import MAX, MIN, Game
from zerosum.search.strategies import AlphaBeta

HASH_MB = 8.0
"""The table of a player: enough for a short search, and quickly emptied."""

FAULTS_OF_OURS = ("crash", "illegal move")
"""Ends of games that say nothing about settings: something is broken."""


@dataclass(frozen=True)
class Contest:
    """What all pairs have in common. By nodes or depth, equal contests give equal games, however many run at a time."""

    game: Game
    rules: Rules
    openings: str = ""
    seed: int = 0
    jit: bool = True


class Meeting(NamedTuple):
    """A pair of games: its number, which chooses the opening, and the options of alpha-beta of both sides."""

    number: int
    one: Mapping[str, Any]
    other: Mapping[str, Any]


class Host:
    """Plays one pair after the other: both games from one opening, with sides changed."""

    def __init__(self, contest: Contest, is_over: Callable[[], bool] = lambda: False) -> None:
        """``is_over`` is asked before each move; then the game ends with Stopped."""
        self.contest, self._is_over = contest, is_over
        self._openings = Openings(contest.game, contest.openings, contest.seed)

    def player(self, name: str, options: Mapping[str, Any]) -> EnginePlayer:
        """A player with these options, ready before a clock runs."""
        player = EnginePlayer(name, self.contest.game, AlphaBeta(**options), hash_mb=HASH_MB, jit=self.contest.jit)
        player.prepare()
        return player

    def play(self, meeting: Meeting) -> int:
        """The games that the first side has won, less those that it has lost: from -2 to 2."""
        one, other = self.player("one", meeting.one), self.player("other", meeting.other)
        return self._game(meeting.number, one, other) - self._game(meeting.number, other, one)

    def _game(self, number: int, first: EnginePlayer, second: EnginePlayer) -> int:
        """The result for ``first``, who is MAX."""
        seed = self.contest.seed
        line = self._openings.opening(number - 1)
        referee = Referee(
            line,
            {MAX: first, MIN: second},
            self.contest.rules,
            dice=f"dice {seed} {number}",
            seed=f"game {seed} {number}",
            on_move=self._check,
        )
        record = referee.play(number)
        if record.reason in FAULTS_OF_OURS:
            raise ArenaError(f"a game could not be played to its end: {record.detail}")
        return record.result

    def _check(self, _: Any) -> None:
        if self._is_over():
            raise Stopped


class Hosts:
    """Play pairs, several at a time. Use as a context: what runs at its end is stopped."""

    def __init__(self, contest: Contest, at_a_time: int = 1) -> None:
        self._here = Host(contest)
        self._pool: ProcessPoolExecutor | None = None
        if at_a_time > 1:
            # A child that is a copy of this process would share locks with threads that it does not have.
            start = multiprocessing.get_context("spawn")
            self._leaving = start.Event()
            self._pool = ProcessPoolExecutor(at_a_time, start, _sit_down, (contest, self._leaving))

    def prepare(self, options: Mapping[str, Any]) -> None:
        """Make a player with these options: what is wrong with them is said now, and nothing is compiled later."""
        self._here.player("one", options)

    def play(self, meetings: Sequence[Meeting]) -> list[int]:
        """The result of each pair for its first side, in the same order."""
        if self._pool is None:
            return [self._here.play(meeting) for meeting in meetings]
        try:
            return [_awaited(future) for future in [self._pool.submit(_play, meeting) for meeting in meetings]]
        except BrokenProcessPool as problem:
            raise ArenaError("a process that plays games has ended before its time") from problem

    def __enter__(self) -> Hosts:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._leaving.set()
            self._pool.shutdown(cancel_futures=True)


def _awaited(future: Future[int]) -> int:
    while True:
        try:
            return future.result(timeout=0.2)  # in steps, so that Ctrl-C gets through everywhere
        except TimeoutError:
            continue


_host: Host
"""What a process that plays games has for them."""


def _sit_down(contest: Contest, leaving: Any) -> None:
    """Begin a process that plays games."""
    global _host
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked, which says when to leave
    threading.Thread(target=_leave_with_parent, name="zerosum-parent", daemon=True).start()
    _host = Host(contest, leaving.is_set)


def _leave_with_parent() -> None:
    """End this process when the one that asked for it is gone, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _play(meeting: Meeting) -> int:
    return _host.play(meeting)
