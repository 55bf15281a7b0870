"""Equal keys must mean equal positions: a search takes what it has found out about one for the truth about the other.

Games seldom lead to both positions that a broken key mixes up, so the neighbours of their positions are asked too.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from zerosum.checking.likeness import difference, options, shape, without_clock
from zerosum.checking.neighbours import Neighbours
from zerosum.checking.report import Notebook, Played
from zerosum.game import Game
from zerosum.state import WORD

MANY_KEYS = 300_000
"""Keys that are kept."""

PLIES = 2
"""Positions of equal keys are compared so far ahead."""

BRANCHES = 5
"""Moves of each position that are followed."""

OFTEN = 10
"""Positions that differ in the same words and were found alike so often are compared less closely from then on."""

MOST_POSITIONS = 300
"""Positions whose neighbours are looked at."""

MANY_LINES = 400
"""Two plies of symmetric positions are compared as a whole, so only where there are no more lines than this."""


class Known(NamedTuple):
    """The first position that was met with a key."""

    state: Any
    moves: tuple[int, ...]  # that led to it, or to the position whose neighbour it is
    is_neighbour: bool


class Keys:
    """All keys that were met, and the positions that they belong to."""

    def __init__(self, game: Game, book: Notebook) -> None:
        self.game, self.book = game, book
        self.rules = without_clock(game)
        self.known: dict[int, Known] = {}
        self.alike: Counter[tuple[int, ...]] = Counter()  # by the words that differ

    def meet(self, s: Any, moves: tuple[int, ...], is_neighbour: bool = False) -> None:
        """Remember the key of ``s``; a fault if it belongs to another position already."""
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
                self.book.fault("key", message, s, moves)

    def _difference(self, s: Any, known: Any, key: int, is_neighbour: bool) -> str:
        words = self.game.state_type.words
        places = tuple(i for i, (ours, theirs) in enumerate(zip(words(s), words(known), strict=True)) if ours != theirs)
        plies, branches = PLIES, BRANCHES
        if self.alike[places] >= OFTEN:
            # A clock, most likely. The game itself goes on from its own positions.
            plies, branches = PLIES if is_neighbour else 0, 1
        try:
            found = difference(self.rules, s, known, plies, branches, random.Random(key))
        except Exception:
            return ""  # a rule fails a ply later; if games lead there, they tell
        self.alike[places] += not found
        return found

    def _named(self, known: Known) -> str:
        text = self.book.text(known.state)
        if self.game.has("parse_state"):
            return text  # which can be typed
        return f"{text} (moves {', '.join(self.book.texts(known.moves)) or 'none'})"


class Neighbourhood:
    """Keys and symmetric images, tried on the positions of the games and on their neighbours."""

    def __init__(self, game: Game, book: Notebook, keys: Keys) -> None:
        self.game, self.book, self.keys = game, book, keys

    def look(self, played: list[Played], deadline: float) -> None:
        """Take positions of each game in turn."""
        game = self.game
        if not game.has("key") and not game.has("canonical"):
            return
        neighbours = Neighbours.where_readable(game, self.book, played)
        for one, ply in islice(positions(played), MOST_POSITIONS):
            self.book.seed = one.seed
            s, moves = one.states[ply], tuple(one.moves[:ply])
            self._canonical(s, moves)
            for n in neighbours.of(s, random.Random(f"{one.seed} {ply}")) if neighbours else ():
                if time.perf_counter() > deadline:
                    return
                self._key(n, moves)
                self._canonical(n, moves, is_neighbour=True)

    def _key(self, n: Any, moves: tuple[int, ...]) -> None:
        if self.book.wants("key"):
            try:
                self.keys.meet(n, moves, is_neighbour=True)
            except Exception:
                return  # a rule fails where no game has led

    def _canonical(self, s: Any, moves: tuple[int, ...], is_neighbour: bool = False) -> None:
        """A position and its image must allow the same games, but for the names of the moves."""
        game, rules = self.game, self.keys.rules
        if not self.book.wants("canonical"):
            return
        try:
            if not options(rules, s):
                return  # a search asks for images only where the game goes on
            image = game.state(game.canonical(s))
            plies = PLIES if len(options(rules, s)) ** PLIES <= MANY_LINES else 1
            differs = image != s and shape(rules, s, plies) != shape(rules, image, plies)
        except Exception as problem:
            if not is_neighbour:
                self.book.crash(problem, "canonical", s, moves)
            return
        if differs:
            message = f"the image {self.book.text(image)} allows other games within {plies} plies"
            if is_neighbour:
                message += "; parse_state accepts both"
            self.book.fault("canonical", message, s, moves)
        elif game.has("key"):
            self._key(image, moves)


def positions(played: list[Played]) -> Iterator[tuple[Played, int]]:
    """Positions of each game, the same ones whichever other games there are."""
    orders = []
    for one in played:
        plies = list(range(len(one.states)))
        random.Random(one.seed).shuffle(plies)
        orders.append((one, plies))
    for turn in range(max((len(plies) for _, plies in orders), default=0)):
        for one, plies in orders:
            if turn < len(plies):
                yield one, plies[turn]
