"""The laws of ``clock``: a whole number that every move lowers by one, or sets to a number that does not depend on it.

A search relies on this: it uses what it has learned about a position with one clock for the same position with another.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

from zerosum.checking.continuations import difference, without_clock
from zerosum.checking.fields import Fields
from zerosum.checking.keys import positions
from zerosum.checking.neighbours import Neighbours
from zerosum.checking.report import CheckLog, Played
from zerosum.checking.rule_calls import RuleCaller
from zerosum.game import Game

MOST_POSITIONS = 300
"""The most positions that are checked with other clocks."""

SOME_MOVES = 4

ENOUGH = 5
"""The number of positions that must show it before a warning that the key depends on the clock."""


class ClockLaws:
    """The laws of ``clock`` in a single position."""

    def __init__(self, game: Game, log: CheckLog, ask: RuleCaller) -> None:
        self.game, self.log, self.ask = game, log, ask

    def position(self, s: Any, is_first: bool) -> None:
        game, log = self.game, self.log
        if not game.has("clock") or not log.wants("clock"):
            return
        found = self.ask("clock", s)
        if found != self.ask("clock", s):
            raise log.broken("clock", "is different when called again", s)
        if is_first and found <= 0:
            raise log.broken("clock", f"is {found} at the start: the game is drawn before the first move", s)


class OtherClocks:
    """The positions of the games again, with nothing but the clock changed."""

    def __init__(self, game: Game, log: CheckLog, played: list[Played]) -> None:
        self.game, self.log, self.played = game, log, played
        self.rules = without_clock(game)
        self.fields = Fields(game, played)
        self.neighbours = Neighbours.where_readable(game, log, played)
        self.places = [n for n in range(game.state_type.size) if self.fields.changes(game.clock, n)]
        self.keys: Counter[bool] = Counter()  # how often they were equal
        self.images: Counter[bool] = Counter()

    def look(self, deadline: float) -> None:
        """Check positions of each game in turn, each with some other clocks."""
        for one, ply in islice(positions(self.played), MOST_POSITIONS):
            s, moves = one.states[ply], one.moves[:ply]
            self.log.seed = one.seed
            for other in (other for place in self.places for other in self.fields.others(s, place)):
                if time.perf_counter() > deadline or not self.log.wants("clock"):
                    break
                try:
                    self._compare(s, other, moves)
                except Exception:
                    continue  # a rule fails on a State that no game has reached
        self._judge_keys()

    def _compare(self, s: Any, other: Any, moves: list[int]) -> None:
        game, log = self.game, self.log
        if self.neighbours is not None:
            other = self.neighbours.read(other)
        if other is None or game.clock(other) == game.clock(s):
            return
        left, other_left = game.clock(s), game.clock(other)
        found = difference(self.rules, s, other, 2, 2, random.Random(0))
        if found:
            # The field may hold more than the clock, such as the turn. Then it must be part of the key.
            if game.has("key") and game.key(s) == game.key(other):
                message = f"with {left} plies left and with {other_left}, {found}: no other rule may use the clock"
                log.fault("clock", message, s, moves)
            return
        self._note_keys(s, other)
        if left <= 0 or other_left <= 0:
            return  # the game is over
        legal = self.rules.legal_moves(s)
        for move in random.Random(log.seed).sample(legal, min(SOME_MOVES, len(legal))):
            now, then = game.clock(game.successor(s, move)), game.clock(game.successor(other, move))
            if now != then and (now != left - 1 or then != other_left - 1):
                text = game.format_move(s, move)
                message = f"{text} leaves {now} of {left} plies, but {then} of {other_left} in {log.text(other)}"
                log.fault(
                    "clock",
                    f"{message}: a move must lower it by one, or set it to a number that does not depend on it",
                    s,
                    moves,
                )
                return

    def _note_keys(self, s: Any, other: Any) -> None:
        game = self.game
        key: Callable[[Any], Any] = game.key if game.has("key") else lambda t: t
        self.keys[key(s) == key(other)] += 1
        if game.has("canonical") and key(s) == key(other):
            self.images[key(game.canonical(s)) == key(game.canonical(other))] += 1

    def _judge_keys(self) -> None:
        """Warn of keys that differ for positions that differ only in the clock."""
        message = ""
        if self.keys[False] >= ENOUGH and not self.keys[True]:
            who = "key contains the clock" if self.game.has("key") else "without key(s), keys contain the clock"
            message = f"{who}: no position ever repeats, and none is recognised with another clock"
        elif self.images[False] >= ENOUGH:
            message = "positions that differ only in the clock have images with different keys: see canonical"
        if message:
            self.log.fault("clock", message, repeat="", warning=True)
