"""The games of rollouts: how they are played, and their results as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from zerosum.game import Game
from zerosum.jit.row import Row
from zerosum.jit.target import GPU, Target
from zerosum.networks.gpu_form import for_gpu
from zerosum.running.crew import Crew
from zerosum.search.batches import ROOM_FOR_POSITIONS, Batches
from zerosum.search.rollout_kernel import FINISHED, RESULT, ROLLOUT, ROUND
from zerosum.search.rollout_waves import GAME_WORDS, KERNELS

PORTION = 64 * ROUND
"""The most games that a thread takes at a time."""

FIRST_GAMES, MOST_GAMES = 1 << 12, 1 << 16
"""Games that a GPU plays at once: the initial number, small so that it can be stopped soon, and the maximum."""


class Played(NamedTuple):
    """Games as arrays of positions × rounds × games of a round: results less luck, results, plies, how they ended."""

    values: Any
    results: Any
    plies: Any
    endings: Any

    @classmethod
    def of(cls, row: Row, places: int, rounds: int) -> Played:
        words = row.array(RESULT * places * rounds * ROUND).reshape(places, rounds, ROUND, RESULT)
        value, result, plies, endings = (np.ascontiguousarray(words[..., i]) for i in range(RESULT))
        return cls(value.view(np.float64), result.view(np.float64), plies, endings)

    def part(self, first: int, rounds: int) -> Played:
        """Some rounds."""
        return Played(*(array[:, first : first + rounds] for array in self))


class Games(Protocol):
    """A player of games. Run it with its crew."""

    crew: Crew

    def rounds(self, first: int, count: int, last: int) -> Played:
        """Play these rounds from every position. Rounds from ``last`` on will never be requested."""
        ...


def games_of(game: Game, states: Any, threads: int, target: Target, options: dict[str, int]) -> Games:
    """A player of games from these states. A GPU plays in waves if an evaluation chooses the moves."""
    if target is GPU and game.has("evaluate") and not game.repetition:
        return GamesInWaves(for_gpu(game), states, target, options)
    return GamesOneByOne(for_gpu(game) if target is GPU else game, states, threads, target, options)


def _columns(game: Game, states: Any) -> npt.NDArray[np.int64]:
    """The words of the states, one column per state."""
    return np.array([game.state_type.words(s) for s in states], np.int64).T


class GamesOneByOne:
    """Each thread plays one game after another."""

    def __init__(self, game: Game, states: Any, threads: int, target: Target, options: dict[str, int]) -> None:
        self.crew, self.target, self.places = Crew(ROLLOUT, game, threads, target), target, len(states)
        self.starts = Row.of(_columns(game, states), target)
        self.crew.put(starts=self.starts.address, places=self.places, **options)

    def rounds(self, first: int, count: int, last: int) -> Played:
        games = self.places * count * ROUND
        results = Row(RESULT * games, self.target)
        self.crew.put(first_round=first, rounds=count, results=results.address)
        self.crew.do_items(games, max(1, min(PORTION, games // (8 * len(self.crew)))))
        return Played.of(results, self.places, count)


class GamesInWaves:
    """Plays all games move by move. It plays more rounds than requested, and keeps them for the next request."""

    def __init__(
        self,
        game: Game,
        states: Any,
        target: Target,
        options: dict[str, int],
        room: int = ROOM_FOR_POSITIONS,
        most_games: int = MOST_GAMES,
    ) -> None:
        self.target, self.places, self.starts = target, len(states), _columns(game, states)
        self.most = max(1, most_games // (self.places * ROUND))  # rounds
        self.at_once = max(1, min(self.most, FIRST_GAMES // (self.places * ROUND)))
        outcomes = game.max_chances if options["luck"] else 0
        games = self.most * self.places * ROUND
        self.batches = Batches(game, KERNELS, target, games, words=GAME_WORDS, outcomes=outcomes, room=room)
        self.batches.put(**options)
        self.crew = self.batches.crew
        self.kept, self.first, self.end = self._none(), 0, 0

    def rounds(self, first: int, count: int, last: int) -> Played:
        while self.end < first + count:
            more = min(max(self.at_once, first + count - self.end), self.most, last - self.end)
            before = self.kept.part(first - self.first, self.end - first)
            found = self._play(self.end, more)
            self.kept = Played(*(np.concatenate(pair, axis=1) for pair in zip(before, found, strict=True)))
            self.first, self.end = first, self.end + more
            self.at_once = min(2 * self.at_once, self.most)
            if self.crew[0].stopped:
                break
        return self.kept.part(first - self.first, count)

    def _none(self) -> Played:
        return Played.of(Row(0, self.target), self.places, 0)

    def _play(self, first: int, count: int) -> Played:
        results = Row(RESULT * self.places * count * ROUND, self.target)
        self.batches.put(first_round=first, rounds=count, results=results.address)
        self.batches.play(np.repeat(self.starts, count * ROUND, axis=1))
        return Played.of(results, self.places, count)


def whole_rounds(played: Played, place: int) -> Played:
    """The complete rounds from one position."""
    complete = (played.endings[place] > 0).all(axis=1)
    return Played(*(array[place][complete] for array in played))


def kinds(played: Played) -> list[tuple[float, int]]:
    """The results of finished games, each with its number of games."""
    found, counts = np.unique(played.results[played.endings == FINISHED], return_counts=True)
    return list(zip(found.tolist(), counts.tolist(), strict=True))
