"""The table of a match, computed from its games alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from zerosum.arena.ratings import Rating, Sprt, Tally, rate
from zerosum.arena.results import as_text
from zerosum.displayed import Displayed
from zerosum.formats.record import GameRecord


class Row(NamedTuple):
    """One player's row of the table: the results against all others together."""

    name: str
    tally: Tally
    rating: Rating
    faults: int


class Points(NamedTuple):
    """A player's average margin in games that ended by the rules, with the standard error."""

    games: int
    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {f'{self.error:.4f}' if math.isfinite(self.error) else '∞'}"

    @classmethod
    def of(cls, found: dict[int, float]) -> Points | None:
        """Compute from the points of the games, by number. Pairs are independent; the two games of a pair are not.

        >>> print(Points.of({1: 2.0, 2: -1.0, 3: 1.0, 4: 1.0, 5: -1.0}))
        +0.4000 ± 0.4543
        """
        if not found:
            return None
        mean = sum(found.values()) / len(found)
        pairs: dict[int, float] = {}
        for number, points in found.items():
            pair = _pair_of(number)
            pairs[pair] = pairs.get(pair, 0.0) + points - mean
        if len(pairs) == 1:
            return cls(len(found), mean, math.inf)
        spread = sum(rest * rest for rest in pairs.values()) * len(pairs) / (len(pairs) - 1)
        return cls(len(found), mean, math.sqrt(spread) / len(found))


class Standings(Displayed):
    """The results so far. ``tallies[i, j]``, with i < j, are the results of player i against player j."""

    def __init__(self, names: Sequence[str], records: Iterable[GameRecord] = ()) -> None:
        self.names = list(names)
        self._place = {name: place for place, name in enumerate(self.names)}
        self._results: dict[tuple[int, int], list[int]] = {}
        self._pairs: dict[tuple[int, int], list[int]] = {}
        self._halves: dict[int, int] = {}  # by number of the pair: the points of its one finished game
        self._points: dict[tuple[int, int], dict[int, float]] = {}  # by number of the game
        self._without_luck: dict[tuple[int, int], dict[int, float]] = {}
        self.faults: list[GameRecord] = []
        self.games = 0
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> None:
        """Count a game; games may come in any order."""
        one, other = self._place[record.max_player], self._place[record.min_player]
        key = (min(one, other), max(one, other))
        sign = 1 if one < other else -1
        for_first = sign * record.result
        self._results.setdefault(key, [0, 0, 0])[for_first + 1] += 1
        if (points := record.points) is not None:
            self._points.setdefault(key, {})[record.number] = sign * points
            if record.luck is not None:
                self._without_luck.setdefault(key, {})[record.number] = sign * (points - record.luck)
        pair = _pair_of(record.number)
        if pair in self._halves:
            self._pairs.setdefault(key, [0, 0, 0, 0, 0])[for_first + self._halves.pop(pair) + 2] += 1
        else:
            self._halves[pair] = for_first
        if record.fault:
            self.faults.append(record)
        self.games += 1

    def __repr__(self) -> str:
        return as_text(self)

    @property
    def tallies(self) -> dict[tuple[int, int], Tally]:
        found = {}
        for key in sorted(self._results):
            losses, draws, wins = self._results[key]
            zero, half, one, more, two = self._pairs.get(key, [0, 0, 0, 0, 0])
            found[key] = Tally(wins, draws, losses, (zero, half, one, more, two))
        return found

    def tally(self, one: int = 0, other: int = 1) -> Tally:
        """The results of a player against another."""
        if one > other:
            return self.tally(other, one).reversed()
        return self.tallies.get((one, other), Tally())

    def points(self, one: int = 0, other: int = 1, *, without_luck: bool = False) -> Points | None:
        """A player's average margin against a later one, with or without the luck of the dice; None if unknown."""
        return Points.of((self._without_luck if without_luck else self._points).get((one, other), {}))

    def overall(self, player: int) -> Tally:
        """The results of a player against all others."""
        tallies = [self.tally(player, other) for other in range(len(self.names)) if other != player]
        zero, half, one, more, two = (sum(column) for column in zip(*(t.pairs for t in tallies), strict=True))
        return Tally(
            sum(t.wins for t in tallies),
            sum(t.draws for t in tallies),
            sum(t.losses for t in tallies),
            (zero, half, one, more, two),
        )

    def rows(self) -> list[Row]:
        """All players, the strongest first."""
        ratings = rate(len(self.names), self.tallies)
        faults = [sum(record.fault == name for record in self.faults) for name in self.names]
        rows = [Row(name, self.overall(n), ratings[n], faults[n]) for n, name in enumerate(self.names)]
        return sorted(rows, key=lambda row: -row.rating.elo)

    def _points_as_dict(self, one: int, other: int) -> dict[str, Any]:
        found = {
            "points": self.points(one, other),
            "points_without_luck": self.points(one, other, without_luck=True),
        }
        return {
            name: {"games": points.games, "mean": _number(points.mean, 5), "error": _number(points.error, 5)}
            for name, points in found.items()
            if points is not None
        }

    def as_dict(self, sprt: Sprt | None = None) -> dict[str, Any]:
        """The standings as a dictionary, for JSON."""
        found: dict[str, Any] = {"games": self.games, "players": [], "pairings": [], "faults": []}
        for row in self.rows():
            entry = {"name": row.name, **_counts(row.tally), "faults": row.faults}
            found["players"].append({**entry, "elo": _number(row.rating.elo), "error": _number(row.rating.error)})
        for (one, other), tally in self.tallies.items():
            low, high = tally.elo_interval()
            found["pairings"].append(
                {
                    "players": [self.names[one], self.names[other]],
                    **_counts(tally),
                    "pairs": list(tally.pairs),
                    "elo": _number(tally.elo),
                    "elo_interval": [_number(low), _number(high)],
                    "los": _number(tally.los, 5),
                    **self._points_as_dict(one, other),
                }
            )
        for record in sorted(self.faults, key=lambda record: record.number):
            found["faults"].append(
                {"game": record.number, "player": record.fault, "kind": record.reason, "detail": record.detail}
            )
        if sprt is not None:
            tally = self.tally()
            found["sprt"] = {"llr": _number(sprt.ratio(tally), 3), "accepted": sprt.decision(tally) or None}
        return found


def _pair_of(number: int) -> int:
    return (number - 1) // 2


def _counts(tally: Tally) -> dict[str, Any]:
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(tally.score, 5) if tally.games else None,
    }


def _number(x: float, digits: int = 2) -> float | None:
    """A rounded number; None for infinity, which JSON lacks."""
    return round(x, digits) if abs(x) < float("inf") else None
