"""Checkers and chess with up to three pieces: the truth is an endgame database, corrected for clock and past.

A database ignores both. Both only move values towards a draw, and a shortest win visits no position twice. So the
database's draws are draws. Its wins are wins at the same distance if the clock has that many plies left, and no past
position on the way is one occurrence short of a draw. If the clock is short, all moves are searched until it ends;
otherwise the value is between the database's and a draw.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from certainty.cases import HASHES, Case, random_options
from certainty.claims import Truth, exactly
from certainty.shipped import random_step
from certainty.worlds import World
from zerosum.endgame.build import build
from zerosum.endgame.database import MANIFEST, Database, Probe
from zerosum.endgame.serving import _quick_probe, load_shared
from zerosum.errors import OutsideDatabase
from zerosum.game import MAX, WIN, Line
from zerosum.games import load

SHORT = 4
"""The numbers of plies left on the clock to try."""

REMEMBERED = 200_000


class Ending(NamedTuple):
    game: str
    pieces: int
    clock: int  # plies without progress after which the game is drawn
    lead: int  # plies of the longest clocks to try


ENDINGS = {"checkers": Ending("checkers", 3, 80, 40), "chess": Ending("chess", 3, 100, 60)}


class EndingWorld(World):
    """Small endings of one game, searched with or without the database that provides their truth."""

    def __init__(self, ending: Ending, folder: Path, helped: str = "") -> None:
        self.ending, self.helped = ending, helped
        self.game = load(ending.game)
        self.judge = _solved(ending, folder / f"{ending.game}-dated", True)
        load_shared(self.judge, True)
        self.undated = _solved(ending, folder / f"{ending.game}-undated", False)
        self._known: dict[Any, Truth] = {}

    def database(self) -> Database | None:
        return {"": None, "dated": self.judge, "undated": self.undated}[self.helped]

    def left(self, s: Any) -> int:
        """Return the plies left before the game is drawn."""
        return self.ending.clock - int(s.clock)

    def probe(self, s: Any) -> Probe | None:
        try:
            return _quick_probe(self.judge, s)
        except OutsideDatabase:
            return None

    def alone(self, s: Any) -> Truth | None:
        if len(self._known) > REMEMBERED:
            self._known.clear()
        return self._value(s)

    def truth(self, line: Line) -> Truth | None:
        found = self.alone(line.state)
        if found is None or found == exactly(0) or not self._past_matters(line):
            return found
        return Truth(min(found.low, 0), max(found.high, 0))

    def _past_matters(self, line: Line) -> bool:
        """Return whether a position other than the last would be drawn if it occurred once more."""
        here = self.game.key(line.state)
        counts = Counter(self.game.key(s) for s in line.states)
        return any(count >= self.game.repetition - 1 for key, count in counts.items() if key != here)

    def _value(self, s: Any) -> Truth | None:
        if s in self._known:
            return self._known[s]
        found = self._look(s)
        if found is not None:
            self._known[s] = found
        return found

    def _look(self, s: Any) -> Truth | None:
        """Return the database's value if the clock allows it, otherwise search all moves if the clock is short."""
        known = self.probe(s)
        if known is None:
            return None
        legal = self._moves(s)
        if known.outcome == 0:
            return exactly(0)
        if legal and self.left(s) <= 0:
            return exactly(0)
        assert known.distance is not None
        value = known.outcome * (WIN - known.distance)
        if known.distance <= self.left(s) or not legal:
            return exactly(value)
        if self.left(s) > SHORT:
            return Truth(min(value, 0), max(value, 0))
        after = [self._value(self.game.play(s, move)) for move in legal]
        if any(truth is None for truth in after):
            return Truth(min(value, 0), max(value, 0))
        best = max if self.game.to_move(s) == MAX else min
        seen = [truth.later(1, False) for truth in after if truth is not None]
        return Truth(best(truth.low for truth in seen), best(truth.high for truth in seen))

    def _moves(self, s: Any) -> list[int]:
        """Return all moves of the pieces, ignoring the clock."""
        return self.game.legal_moves(s._replace(clock=0))

    def start(self, rng: Random) -> Any:
        """Return a random unfinished position of the database, often with little left on the clock."""
        game = self.game
        while True:
            tier = rng.randrange(len(self.judge.tiers))
            s = game.unrank(tier, rng.randrange(self.judge.tiers[tier].size))
            if game.has("is_valid") and not game.is_valid(s):
                continue
            s = game.state(s)
            if rng.random() < 0.5:
                s = s._replace(clock=self.ending.clock - rng.choice((1, 2, 3, 4, rng.randint(1, self.ending.lead))))
            if not game.is_over(s):
                return s


def _solved(ending: Ending, folder: Path, distance: bool) -> Database:
    """Return the database in a folder, building it on first use."""
    game = load(ending.game)
    if (folder / MANIFEST).is_file():
        return Database.open(folder, game)
    return build(game, ending.pieces, folder, distance=distance, threads=1)


@cache
def world_of_game(name: str, helped: str, folder: Path) -> EndingWorld:
    return EndingWorld(ENDINGS[name], folder, helped)


def random_case(name: str, rng: Random, folder: Path) -> Case:
    helped = rng.choice(("", "", "dated", "undated"))
    world = world_of_game(name, helped, folder)
    game = world.game
    jit = rng.random() >= 0.04
    steps = []
    s = world.start(rng)
    for _ in range(rng.randint(1, 16 if jit else 2)):
        if rng.random() < 0.3:
            s = world.start(rng)
        elif rng.random() < 0.5:  # the same position at another clock
            s = s._replace(clock=max(0, world.ending.clock - rng.randint(1, world.ending.lead)))
        moves = _shuffle(world, s, rng)
        steps.append(random_step(rng, game.state_type.words(s), jit, 0.05, moves))
    options = random_options(rng, game.has)
    threads = rng.choices((1, 2, 4), (6, 2, 1))[0] if jit else 1
    subject = {"walks": rng.randrange(1 << 30), "helped": helped}
    return Case(f"ending:{name}", subject, steps, options, threads, rng.choice(HASHES), jit)


def _shuffle(world: EndingWorld, s: Any, rng: Random) -> list[int]:
    """Return moves from a position, sometimes back and forth, so that positions repeat."""
    game = world.game
    line = Line(game, s)
    for _ in range(rng.choice((0, 0, 0, 1, 4, 8))):
        legal = game.legal_moves(line.state)
        back = [m for m in legal if len(line) >= 3 and _same(game, game.play(line.state, m), line.states[-4])]
        legal = back if back and rng.random() < 0.7 else legal
        longer = line.play(rng.choice(legal))
        if game.is_over(longer.state):
            break
        line = longer
    return list(line.moves)


def _same(game: Any, one: Any, other: Any) -> bool:
    return bool(game.key(one) == game.key(other))


def world_of(case: Case, folder: Path) -> World:
    return world_of_game(case.world.partition(":")[2], case.subject.get("helped", ""), folder)
