"""Positions with the results of the games they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zerosum.errors import LimitError
from zerosum.game import WIN, Game, Line
from zerosum.learn.self_play_work import SelfPlayedRuns, SelfPlayWork
from zerosum.search.evaluating import Evaluator
from zerosum.search.limits import check_games
from zerosum.search.options import margin_unit
from zerosum.search.result import LONGEST_WIN
from zerosum.search.selfplay import SelfPlayed
from zerosum.working.team import Workers
from zerosum.working.threads import Threads

if TYPE_CHECKING:
    from zerosum.endgame.database import Database

QUIET = 0.6
"""A position is quiet if a search agrees with its evaluation to within this many units."""

BLOCKS = 100
"""The number of blocks that samples are divided into; whole blocks are held out."""


@dataclass(frozen=True)
class Samples:
    """Positions as rows of words, each with its game's result (1 if MAX won, 0.5 for a draw, 0 if MIN won).

    ``values``, if known, are the values that searches found. ``utilities``, if known, are the results in the game's own
    numbers: in a scored game, the margin.
    """

    states: npt.NDArray[np.int64]
    results: npt.NDArray[np.float64]
    games: int
    values: npt.NDArray[np.float64] | None = None
    utilities: npt.NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.results)

    def split(self, share: float, seed: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return masks of the samples to learn from and of those held out; blocks of neighbours stay together.

        Positions of one game are similar, so a random position held out from a game would not be independent.
        """
        blocks = np.arange(len(self)) * BLOCKS // max(len(self), 1)
        places = np.random.default_rng(seed).permutation(BLOCKS)
        held_out = places[blocks] < share * BLOCKS
        return ~held_out, held_out


def from_self_play(
    game: Game,
    games: int,
    *,
    depth: int = 4,
    random_plies: int = 8,
    seed: int = 0,
    threads: int = 1,
    workers: Workers | None = None,
    database: Database | None = None,
    on_game: Callable[[int], None] | None = None,
) -> Samples:
    """Return distinct quiet positions from games of the engine against itself.

    With a ``database``, games end as soon as it contains their position, with its result. Positions that a search finds
    won or lost are then included too, unless they are forced: no evaluation is that large, but it should tend that way.

    >>> from zerosum.games import load
    >>> samples = from_self_play(load("connect-four", width=5, height=4), 4, depth=2)
    >>> samples.games, samples.states.shape[1] == load("connect-four").state_type.size
    (4, True)
    """
    check_games(games, seed)
    how = {"depth": depth, "random_plies": random_plies, "seed": seed}
    work = SelfPlayWork(game, how, "" if database is None else str(database.directory.resolve()))
    played: list[SelfPlayed] = []
    for one in SelfPlayedRuns(work, end=games).games(workers or Threads(threads)):
        played.append(one)
        if on_game is not None:
            on_game(len(played))
    if not played:
        raise LimitError(f"none of {games} games finished")
    states = np.concatenate([one.states for one in played])
    values = np.concatenate([one.values for one in played])
    results = np.concatenate([np.full(len(one.values), score(one.result)) for one in played])
    quiet = np.abs(Evaluator(game, states).values() - values) <= QUIET * margin_unit(game)
    if database is not None and not game.scored:
        sure = np.abs(values) > WIN - LONGEST_WIN
        if game.has("is_forced"):
            sure[sure] = [not _is_forced(game, row) for row in states[sure]]
        quiet |= sure
    return distinct(states[quiet], results[quiet], len(played), values[quiet])


def _is_forced(game: Game, row: npt.NDArray[np.int64]) -> bool:
    return bool(game.is_forced(game.state_type.from_words(row.tolist())))


def from_lines(game: Game, lines: Iterable[tuple[Line, float]], skip: int = 8) -> Samples:
    """Return positions of games played elsewhere, with their results (1, 0.5 or 0 for MAX), from ply ``skip`` on.

    Forced positions (``is_forced``) and those in which a noisy move (``noisy_moves``) was played are left out.
    """
    rows: list[list[int]] = []
    results: list[float] = []
    games = 0
    for line, result in lines:
        games += 1
        for ply, s in enumerate(line.states[:-1]):
            if ply < skip or (game.has("is_forced") and game.is_forced(s)):
                continue
            if game.has("noisy_moves") and line.moves[ply] in set(game.noisy_moves(s)):
                continue
            rows.append(game.state_type.words(s))
            results.append(result)
    if not rows:
        raise LimitError(f"no quiet position in {games} games")
    return distinct(np.array(rows, np.int64), np.array(results), games)


def distinct(
    states: npt.NDArray[np.int64],
    results: npt.NDArray[np.float64],
    games: int,
    values: npt.NDArray[np.int64] | None = None,
) -> Samples:
    """Return each position once, with the mean of its results and values, in order of first appearance."""
    if not len(states):
        raise LimitError(f"no quiet position in {games} games")
    _, first, which = np.unique(states, axis=0, return_index=True, return_inverse=True)
    which = which.reshape(-1)
    order = np.argsort(first)

    def means(numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = (np.bincount(which, numbers) / np.bincount(which))[order]
        return found

    return Samples(states[first[order]], means(results), games, None if values is None else means(values))


def score(utility: float) -> float:
    """Return the result of a game as 1, 0.5 or 0 for MAX."""
    return 0.5 + 0.5 * ((utility > 0) - (utility < 0))
