"""Rollouts: what a position is worth, from many games played out from it.

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

from zerosum.errors import LimitError
from zerosum.game import MAX, Game
from zerosum.jit.bits import mix, signed
from zerosum.jit.target import Target, target_of
from zerosum.jit.words import word_float
from zerosum.running.crew import Crew, Member
from zerosum.running.stopping import Stop
from zerosum.search.limits import NO_LIMIT, Limits, check_games, check_threads
from zerosum.search.rollout_kernel import ROLLOUT, ROUND, ROUNDS_AT_ONCE

CONFIDENCE = 1.96
"""Standard errors on each side of an average within which the truth lies 95 times of 100."""

DEFAULT_GAMES = 36 * ROUND
SPREAD_EVENTS = 6
FIRST_ROUNDS = 8  # before the error is looked at for the first time: a spread of fewer says little
LEAST_ERROR = 1e-9  # of a standard error: less is rounding


@dataclass(frozen=True)
class Rollout:
    """What came out of the games from one position.

    Attributes:
        move: the move that led to the position, where moves were compared.
        value: the average result, for MAX.
        error: the standard error of it; infinite before the first games.
        games: how many were played.
        outcomes: the results that came up, lowest first, each with its number of games.
        unfinished: games that were broken off and evaluated.
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
        """So far on each side of the value the truth may lie, with a confidence of 95 %."""
        return CONFIDENCE * self.error

    @property
    def finished(self) -> int:
        """Games that were played to their end."""
        return self.games - self.unfinished

    def chance(self, least: float, player: int = MAX) -> float:
        """In which part of the finished games a player has won at least so much.

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
    """The games from one position so far."""

    rounds: int = 0
    total: float = 0.0  # of the averages of rounds
    squares: float = 0.0
    game_squares: float = 0.0
    unfinished: int = 0
    plies: int = 0
    outcomes: dict[float, int] = field(default_factory=dict)

    def add(self, part: _Part) -> None:
        for total, squares in part.sums:
            mean = total / ROUND
            self.rounds += 1
            self.total += mean
            self.squares += mean * mean
            self.game_squares += squares
        self.unfinished += part.unfinished
        self.plies += part.plies
        for result, count in part.outcomes:
            self.outcomes[result] = self.outcomes.get(result, 0) + count

    def error(self) -> float:
        """From the spread of the rounds; of a single one, from that of its games."""
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


@dataclass(frozen=True)
class _Part:
    """What one call of the kernel brought."""

    sums: tuple[tuple[float, float], ...]
    unfinished: int
    plies: int
    outcomes: tuple[tuple[float, int], ...]


def _play(member: Member, s: Any, first: int, rounds: int) -> _Part:
    """Some rounds from one position."""
    member.put_state(s)
    member.plies = member.unfinished = member.kinds_found = 0
    member.next_item, member.last_item = first, first + rounds
    member.run()
    sums = [word_float(word) for word in member.region("sums", 2 * ROUNDS_AT_ONCE)]
    kinds = member.region("kinds", 2 * member.kinds_found)
    done = (2 * (number % ROUNDS_AT_ONCE) for number in range(first, member.next_item))
    return _Part(
        tuple((sums[at], sums[at + 1]) for at in done),
        member.unfinished,
        member.plies,
        tuple((word_float(word), count) for word, count in zip(kinds[::2], kinds[1::2], strict=True)),
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
    on_report: OnRollout | None = None,
    stop: Stop | None = None,
) -> tuple[Rollout, ...]:
    """Roll out some positions side by side, with the same dice; as many results, in the same order.

    Stops at the first limit: so many games from each position (rounded up to whole rounds of 36), seconds, when every
    95 % interval is within ``precision`` on each side, or when ``stop`` is set: then it tells of the rounds that were
    done, which may be none. Without ``seconds`` the result depends on the seed alone,
    not on the number of threads. ``plies`` breaks games off after so many moves; ``luck`` and ``spread`` say of how
    many of a game's first events the luck is taken out, and the dice are spread evenly.
    """
    if not game.has("chances"):
        raise LimitError(f"{game.name} has no chance in it: every game from a position would be the same; search it")
    Limits(seconds=seconds)
    check_games(1 if games is None else games, seed)
    if precision is not None and not (isinstance(precision, (int, float)) and 0 < precision < math.inf):
        raise LimitError(f"precision must be more than 0, not {precision!r}")
    for name, number, least in (("plies", plies, 1), ("luck", luck, 0), ("spread", spread, 0)):
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < least):
            raise LimitError(f"{name} must be a whole number of at least {least}, not {number!r}")
    if plies is not None or luck:
        game.require("evaluate", "a rollout that breaks games off or takes luck out")
    if games is None and seconds is None and precision is None:
        games = DEFAULT_GAMES
    crew = Crew(ROLLOUT, game, check_threads(threads), target_of(jit))
    crew.put(seed=mix(0, signed(seed)), most_moves=NO_LIMIT if plies is None else plies, luck=luck, spread=spread)
    last_round = NO_LIMIT if games is None else -(-games // ROUND)
    tallies = [_Tally() for _ in states]
    labels = list(moves) if moves is not None else [None] * len(tallies)
    started = time.perf_counter()

    def results() -> tuple[Rollout, ...]:
        taken = time.perf_counter() - started
        return tuple(tally.rollout(label, taken) for tally, label in zip(tallies, labels, strict=True))

    def advance(first: int, rounds: int) -> None:
        """Play these rounds of every position, on all threads; what comes out is added up in order."""
        size = max(1, min(ROUNDS_AT_ONCE, rounds * len(tallies) // (4 * len(crew))))
        tasks = [
            (place, start, min(size, first + rounds - start))
            for start in range(first, first + rounds, size)
            for place in range(len(tallies))
        ]

        def play(member: Member, task: tuple[int, int, int]) -> _Part:
            place, start, count = task
            return _play(member, states[place], start, count)

        for (place, _, _), part in zip(tasks, crew.hand_out(tasks, play), strict=False):
            tallies[place].add(part)

    def work(report: OnRollout) -> tuple[Rollout, ...]:
        done = 0
        while done < last_round and not crew[0].stopped:
            rounds = min(last_round - done, max(FIRST_ROUNDS, done // 8))
            advance(done, rounds)
            done += rounds
            found = results()
            report(found)
            if precision is not None and all(CONFIDENCE * r.error <= max(precision, LEAST_ERROR) for r in found):
                break
        return results()

    if not tallies:
        return ()
    return crew.run(work, stop=stop, seconds=seconds, on_report=on_report)
