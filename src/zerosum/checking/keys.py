"""Equal keys must mean equal positions: a search uses what it has learned about one for the other.

Games seldom reach both positions that a broken key confuses, so the neighbours of their positions are checked too.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from zerosum.checking.continuations import difference, options, shape, without_clock
from zerosum.checking.neighbours import Neighbours
from zerosum.checking.report import CheckLog, Played
from zerosum.game import Game
from zerosum.state import WORD

MANY_KEYS = 300_000
"""The most keys that are kept."""

PLIES = 2
"""How many plies ahead positions with equal keys are compared."""

BRANCHES = 5
"""The number of moves followed in each position."""

OFTEN = 10
"""After this many positions that differ in the same words were found equal, others are compared less closely."""

MOST_POSITIONS = 300
"""The most positions whose neighbours are checked."""

MANY_LINES = 400
"""Symmetric positions are compared over two plies only if there are at most this many lines, since all are compared."""


class Known(NamedTuple):
    """The first position with a key."""

    state: Any
    moves: tuple[int, ...]  # leading to it, or to the position whose neighbour it is
    is_neighbour: bool


class Keys:
    """All keys so far, and the positions that they belong to."""

    def __init__(self, game: Game, log: CheckLog) -> None:
        self.game, self.log = game, log
        self.rules = without_clock(game)
        self.known: dict[int, Known] = {}
        self.alike: Counter[tuple[int, ...]] = Counter()  # by the words that differ

    def meet(self, s: Any, moves: tuple[int, ...], is_neighbour: bool = False) -> None:
        """Record the key of ``s``; a fault if it already belongs to another position."""
        key = int(self.game.key(s)) & WORD
        known = self.known.get(key)
        if known is None:
            if len(self.known) < MANY_KEYS:
                self.known[key] = Known(s, moves, is_neighbour)
        elif known.state != s:
            found = self._difference(s, known.state, key, is_neighbour)
            if found:
                message = f"equal to the key of {self._named(known)}, but {found}"
                if is_neighbour:
                    message += "; parse_state accepts both"
                self.log.fault("key", message, s, moves)

    def _difference(self, s: Any, known: Any, key: int, is_neighbour: bool) -> str:
        words = self.game.state_type.words
        places = tuple(i for i, (ours, theirs) in enumerate(zip(words(s), words(known), strict=True)) if ours != theirs)
        plies, branches = PLIES, BRANCHES
        if self.alike[places] >= OFTEN:
            # Most likely a clock. The plies that follow are compared anyway when the game reaches them.
            plies, branches = PLIES if is_neighbour else 0, 1
        try:
            found = difference(self.rules, s, known, plies, branches, random.Random(key))
        except Exception:
            return ""  # a rule fails a ply later; if a game gets there, it is reported
        self.alike[places] += not found
        return found

    def _named(self, known: Known) -> str:
        text = self.log.text(known.state)
        if self.game.has("parse_state"):
            return text  # the user can type it
        return f"{text} (moves {', '.join(self.log.texts(known.moves)) or 'none'})"


class Neighbourhood:
    """Checks keys and symmetric images on the positions of the games and on their neighbours."""

    def __init__(self, game: Game, log: CheckLog, keys: Keys) -> None:
        self.game, self.log, self.keys = game, log, keys

    def look(self, played: list[Played], deadline: float) -> None:
        """Check positions of each game in turn."""
        game = self.game
        if not game.has("key") and not game.has("canonical"):
            return
        neighbours = Neighbours.where_readable(game, self.log, played)
        for one, ply in islice(positions(played), MOST_POSITIONS):
            self.log.seed = one.seed
            s, moves = one.states[ply], tuple(one.moves[:ply])
            self._canonical(s, moves)
            for n in neighbours.of(s, random.Random(f"{one.seed} {ply}")) if neighbours else ():
                if time.perf_counter() > deadline:
                    return
                self._key(n, moves)
                self._canonical(n, moves, is_neighbour=True)

    def _key(self, n: Any, moves: tuple[int, ...]) -> None:
        if self.log.wants("key"):
            try:
                self.keys.meet(n, moves, is_neighbour=True)
            except Exception:
                return  # a rule fails on a position that no game has reached

    def _canonical(self, s: Any, moves: tuple[int, ...], is_neighbour: bool = False) -> None:
        """Check that a position and its image allow the same games, up to the names of the moves."""
        game, rules = self.game, self.keys.rules
        if not self.log.wants("canonical"):
            return
        try:
            if not options(rules, s):
                return  # a search uses images only before the game is over
            image = game.state(game.canonical(s))
            plies = PLIES if len(options(rules, s)) ** PLIES <= MANY_LINES else 1
            differs = image != s and shape(rules, s, plies) != shape(rules, image, plies)
        except Exception as problem:
            if not is_neighbour:
                self.log.crash(problem, "canonical", s, moves)
            return
        if differs:
            message = f"the image {self.log.text(image)} allows different games within {plies} plies"
            if is_neighbour:
                message += "; parse_state accepts both"
            self.log.fault("canonical", message, s, moves)
        elif game.has("key"):
            self._key(image, moves)


def positions(played: list[Played]) -> Iterator[tuple[Played, int]]:
    """Positions of each game in turn; their order within a game does not depend on the other games."""
    orders = []
    for one in played:
        plies = list(range(len(one.states)))
        random.Random(one.seed).shuffle(plies)
        orders.append((one, plies))
    for turn in range(max((len(plies) for _, plies in orders), default=0)):
        for one, plies in orders:
            if turn < len(plies):
                yield one, plies[turn]
