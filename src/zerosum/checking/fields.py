"""Find out which fields of a State the key and the clock use, by changing them.

A field gets values that it had in other positions of the games, so that no rule is given an impossible number.
"""

from __future__ import annotations

import random
import time
from typing import Any

from zerosum.checking.continuations import difference, without_clock
from zerosum.checking.report import CheckLog, Played
from zerosum.game import Game

SAMPLES = 60
"""The number of positions in which a field is changed."""

FEWER_SAMPLES = 30
"""The number of positions in which the effect on the game is examined."""

DONORS = 3
"""The number of other values that a field gets in each position."""

MANY_WAYS = 0.25
"""The share of positions that must have been reached in different ways to show which fields follow from others."""


class Fields:
    """The words of a State, and the values that each had in the games."""

    def __init__(self, game: Game, played: list[Played]) -> None:
        self.game, self.layout = game, game.state_type
        self.names = _names(game)
        self.played = played
        states = [s for one in played for s in one.states]
        self.samples = random.Random(0).sample(states, min(SAMPLES, len(states)))
        self.values = [sorted(set(column)) for column in zip(*map(self.layout.words, states), strict=True)]

    def others(self, s: Any, place: int) -> list[Any]:
        """``s`` with a word changed to some values from other positions; the results may not be real positions."""
        words = self.layout.words(s)
        values = [value for value in self.values[place] if value != words[place]]
        chance = random.Random(f"{words} {place}")
        chosen = chance.sample(values, min(DONORS, len(values)))
        return [self.layout.from_words([*words[:place], value, *words[place + 1 :]]) for value in chosen]

    def changes(self, rule: Any, place: int) -> bool:
        """Whether the result of a rule depends on a word."""
        for s in self.samples:
            for other in self.others(s, place):
                try:
                    if rule(other) != rule(s):
                        return True
                except Exception:
                    return True
        return False

    def matters(self, place: int) -> bool:
        """Whether changing a word changes the game: moves, turn or result within two plies."""
        rules = without_clock(self.game)
        for s in self.samples[:FEWER_SAMPLES]:
            for other in self.others(s, place):
                try:
                    if difference(rules, s, other, 2, 2, random.Random(0)):
                        return True
                except Exception:
                    return True
        return False

    def follows(self, place: int) -> bool:
        """Whether a word evidently follows from the fields that the key uses.

        It does if it was always the same for the same key, and many keys were reached in different ways.
        """
        values: dict[int, int] = {}
        origins: dict[int, set[Any]] = {}
        for one in self.played:
            for before, s in zip([None, *one.states], one.states, strict=False):
                key, value = int(self.game.key(s)), self.layout.words(s)[place]
                if values.setdefault(key, value) != value:
                    return False
                origins.setdefault(key, set()).add(before)
        return sum(len(ways) > 1 for ways in origins.values()) >= MANY_WAYS * len(origins)


def left_out(game: Game, log: CheckLog, played: list[Played], deadline: float) -> None:
    """Warn of fields that the key leaves out although positions may differ in them."""
    fields = Fields(game, played)
    for place, name in enumerate(fields.names):
        if time.perf_counter() > deadline:
            return
        if len(fields.values[place]) < 2 or fields.changes(game.key, place):
            continue
        if game.has("clock") and fields.changes(game.clock, place):
            continue
        if fields.matters(place) and not fields.follows(place):
            message = f"leaves out {name}, which the rules use: does it follow from the others?"
            log.fault("key", message, repeat="", warning=True)


def _names(game: Game) -> list[str]:
    """The name of each word: a field, or a place inside one, such as cells[3]."""
    names: list[str] = []

    def note(number: int, path: str, kind: str) -> str:
        field, _, inner = path[1:].partition("]")
        names.append(game.State._fields[int(field)] + inner)  # type: ignore[attr-defined]
        return ""

    game.state_type.expression(note)
    return names
