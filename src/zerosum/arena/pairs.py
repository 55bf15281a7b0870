"""Pairs of games between two settings of the search, as units of work.

Run them in processes, not threads: between two short searches, the rules and the referee are plain Python, which runs
in one thread at a time, so thousands of quick games would wait for each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zerosum.arena.engine_player import EnginePlayer
from zerosum.arena.openings import Openings
from zerosum.arena.player import Stopped
from zerosum.arena.referee import Referee, Rules
from zerosum.errors import ArenaError
from zerosum.game import MAX, MIN, Game
from zerosum.search.strategies import AlphaBeta
from zerosum.working.team import Team, in_order
from zerosum.working.work import Ended, Tell, UnitRunner, Work

HASH_MB = 8.0
"""Size of a player's transposition table: enough for a short search, and quick to clear."""

FAULTS_OF_OURS = ("crash", "illegal move")
"""Reasons for the end of a game that mean a bug, and say nothing about the settings."""


class Meeting(NamedTuple):
    """A pair of games: its number, which selects the opening, and the alpha-beta options of both sides."""

    number: int
    one: Mapping[str, Any]
    other: Mapping[str, Any]


@dataclass(frozen=True)
class Contest(Work[tuple[int, Meeting], int]):
    """What all pairs have in common. With a node or depth limit, equal contests give equal games on any worker."""

    game: Game
    rules: Rules
    openings: str = ""
    seed: int = 0
    jit: bool = True

    @property
    def is_timed(self) -> bool:  # type: ignore[override]
        return self.rules.control.has_clock

    def open(self, tell: Tell) -> PairRunner:
        return PairRunner(self)


class PairRunner(UnitRunner[tuple[int, Meeting], int]):
    """Plays one pair after another: both games of a pair start from the same opening, with sides changed."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self._openings = Openings(contest.game, contest.openings, contest.seed)
        self._is_over = False

    def do(self, unit: tuple[int, Meeting]) -> int:
        try:
            return self.play(unit[1])
        except Stopped:
            raise Ended from None

    def stop(self) -> None:
        self._is_over = True

    def player(self, name: str, options: Mapping[str, Any]) -> EnginePlayer:
        """A player with these options, prepared before any clock starts."""
        player = EnginePlayer(name, self.contest.game, AlphaBeta(**options), hash_mb=HASH_MB, jit=self.contest.jit)
        player.prepare()
        return player

    def play(self, meeting: Meeting) -> int:
        """The number of games that the first side won minus those it lost: from -2 to 2."""
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
        if self._is_over:
            raise Stopped


def results(team: Team[tuple[int, Meeting], int], meetings: Sequence[Meeting]) -> list[int]:
    """The result of each pair for its first side, in the same order."""
    return [found for _, found in in_order(team.run(enumerate(meetings)))]
