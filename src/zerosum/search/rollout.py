"""Rollouts: the value of a position from many games played out from it.

>>> from zerosum.games import load
>>> game = load("pig", target=20)
>>> (found,) = roll_out(game, [game.initial()], games=720, jit=False)
>>> found.games, 0 < found.value < 0.5, found.error < 0.05
(720, True, True)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zerosum.errors import LimitError
from zerosum.game import MAX, Game
from zerosum.jit.bits import mix, signed
from zerosum.jit.target import Target, target_for
from zerosum.running.stopping import Stop
from zerosum.search.limits import NO_LIMIT, Limits, check_games, check_threads, check_whole
from zerosum.search.rollout_games import Played, games_of, kinds, whole_rounds
from zerosum.search.rollout_kernel import BROKEN_OFF, ROUND

CONFIDENCE = 1.96
"""Standard errors on each side of an average that make a 95 % confidence interval."""

DEFAULT_GAMES = 36 * ROUND
SPREAD_EVENTS = 6
FIRST_ROUNDS = 8  # before the error is first checked: the spread of fewer rounds says little
LEAST_ERROR = 1e-9  # a smaller standard error is only rounding


@dataclass(frozen=True)
class Rollout:
    """The results of the games from one position.

    Attributes:
        move: the move that led to the position, if moves were compared.
        value: the average result, for MAX.
        error: its standard error; infinite before the first games.
        games: the number of games played.
        outcomes: the results that occurred, lowest first, each with its number of games.
        unfinished: games that were cut short and evaluated.
        plies: moves and events in all games.
        seconds: time taken, for all positions that were rolled out together.
    """

    move: int | None
    value: float
    error: float
    games: int
    outcomes: tuple[tuple[float, int], ...]
    unfinished: int
    plies: int
    seconds: float

    @property
    def interval(self) -> float:
        """Half the width of the 95 % confidence interval."""
        return CONFIDENCE * self.error

    @property
    def finished(self) -> int:
        """Games that were played to their end."""
        return self.games - self.unfinished

    def chance(self, least: float, player: int = MAX) -> float:
        """The share of the finished games in which a player won at least ``least``.

        >>> Rollout(None, 0.5, 0.1, 4, ((-1.0, 1), (1.0, 2), (2.0, 1)), 0, 80, 0.1).chance(1)
        0.75
        """
        sign = 1 if player == MAX else -1
        return sum(count for result, count in self.outcomes if sign * result >= least) / max(1, self.finished)

    def in_words(self) -> str:
        """The value with its interval.

        >>> Rollout(None, 0.5, 0.01, 36, (), 0, 80, 0.1).in_words()
        '+0.5000 ± 0.0196'
        """
        return f"{self.value:+.4f} ± {self.interval:.4f}"

    def as_dict(self, game: Game, s: Any) -> dict[str, Any]:
        """For JSON; ``s`` is the position in which the move was made."""
        return {
            "move": None if self.move is None else game.format_move(s, self.move),
            "value": self.value,
            "error": self.error if math.isfinite(self.error) else None,
            "games": self.games,
            "outcomes": [[result, count] for result, count in self.outcomes],
            "unfinished": self.unfinished,
            "plies": self.plies,
            "seconds": round(self.seconds, 6),
        }


OnRollout = Callable[[tuple[Rollout, ...]], None]


@dataclass
class _Tally:
    """Running totals of the games from one position."""

    rounds: int = 0
    total: float = 0.0  # of the averages of rounds
    squares: float = 0.0
    game_squares: float = 0.0
    unfinished: int = 0
    plies: int = 0
    outcomes: dict[float, int] = field(default_factory=dict)

    def add(self, played: Played) -> None:
        """Add whole rounds. Sums are made game by game and round by round, so they are the same on every device."""
        totals, squares = np.zeros((2, len(played.values)))
        for values in played.values.T:
            totals += values
            squares += values * values
        for mean, square in zip((totals / ROUND).tolist(), squares.tolist(), strict=True):
            self.rounds += 1
            self.total += mean
            self.squares += mean * mean
            self.game_squares += square
        self.unfinished += int(np.count_nonzero(played.endings == BROKEN_OFF))
        self.plies += int(played.plies.sum())
        for result, count in kinds(played):
            self.outcomes[result] = self.outcomes.get(result, 0) + count

    def error(self) -> float:
        """The standard error, from the spread of the rounds; with a single round, from the spread of its games."""
        n = self.rounds
        if n == 0:
            return math.inf
        mean = self.total / n
        if n == 1:
            return math.sqrt(max(0.0, self.game_squares / ROUND - mean * mean) / (ROUND - 1))
        return math.sqrt(max(0.0, self.squares / n - mean * mean) / (n - 1))

    def rollout(self, move: int | None, seconds: float) -> Rollout:
        return Rollout(
            move=move,
            value=self.total / self.rounds if self.rounds else 0.0,
            error=self.error(),
            games=self.rounds * ROUND,
            outcomes=tuple(sorted(self.outcomes.items())),
            unfinished=self.unfinished,
            plies=self.plies,
            seconds=seconds,
        )


def roll_out(
    game: Game,
    states: Sequence[Any],
    moves: Sequence[int | None] | None = None,
    *,
    games: int | None = None,
    seconds: float | None = None,
    precision: float | None = None,
    plies: int | None = None,
    seed: int = 0,
    luck: int = 0,
    spread: int = SPREAD_EVENTS,
    threads: int = 1,
    jit: bool | Target = True,
    device: str = "cpu",
    on_report: OnRollout | None = None,
    stop: Stop | None = None,
) -> tuple[Rollout, ...]:
    """Roll out positions side by side, with the same dice. Returns one result for each, in the same order.

    Stops at the first limit: this many games from each position (rounded up to whole rounds of 36), seconds, or when
    every 95 % interval is within ``precision`` on each side. If ``stop`` is set, the results cover the rounds done so
    far, which may be none. Without ``seconds`` the result depends on the seed alone, not on the number of threads.
    ``plies`` ends games after this many moves. ``luck`` is the number of a game's first events to correct for luck,
    ``spread`` the number whose dice are spread evenly. ``device="gpu"`` plays on a graphics card.
    """
    if not game.has("chances"):
        raise LimitError(f"{game.name} has no chance nodes: every game from a position would be the same; search it")
    Limits(seconds=seconds)
    check_games(1 if games is None else games, seed)
    if precision is not None and not (isinstance(precision, (int, float)) and 0 < precision < math.inf):
        raise LimitError(f"precision must be more than 0, not {precision!r}")
    for name, number, least in (("plies", plies, 1), ("luck", luck, 0), ("spread", spread, 0)):
        if number is not None:
            check_whole(name, number, least)
    if plies is not None or luck:
        game.require("evaluate", "a rollout with plies or luck")
    if games is None and seconds is None and precision is None:
        games = DEFAULT_GAMES
    target = target_for(game, jit, device)
    last_round = NO_LIMIT if games is None else -(-games // ROUND)
    tallies = [_Tally() for _ in states]
    labels = list(moves) if moves is not None else [None] * len(tallies)
    started = time.perf_counter()

    def results() -> tuple[Rollout, ...]:
        taken = time.perf_counter() - started
        return tuple(tally.rollout(label, taken) for tally, label in zip(tallies, labels, strict=True))

    def work(report: OnRollout) -> tuple[Rollout, ...]:
        done = 0
        while done < last_round and not player.crew[0].stopped:
            rounds = min(last_round - done, max(FIRST_ROUNDS, done // 8))
            played = player.rounds(done, rounds, last_round)
            for place, tally in enumerate(tallies):
                tally.add(whole_rounds(played, place))
            done += rounds
            found = results()
            report(found)
            if precision is not None and all(CONFIDENCE * r.error <= max(precision, LEAST_ERROR) for r in found):
                break
        return results()

    if not tallies:
        return ()
    most = NO_LIMIT if plies is None else plies
    options = {"seed": mix(0, signed(seed)), "most_moves": most, "luck": luck, "spread": spread}
    player = games_of(game, states, check_threads(threads), target, options)
    return player.crew.run(work, stop=stop, seconds=seconds, on_report=on_report)
