"""Compare compiled rules with plain ones, on positions of random games, before a kernel is trusted.

Machine code reports no overflow, no unsigned surprise, no index out of range and no compiler bug, and a search would
then call a wrong value proven.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from zerosum.contract import ANYWHERE, DICE, END, ENDING, PLAYER, TIER
from zerosum.errors import KernelError
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.jit.answers import ASKED, CompiledAnswers, Failed, PlainAnswers, same

POSITIONS, SECONDS = 200, 0.25
"""A new kernel is compared on this many positions, or for this many seconds if plain rules are slow."""

LONGEST = 300
"""Plies after which the next random game begins."""

SOME_MOVES = 2
"""Rules that take a move are called with this many moves besides the one that is played."""


SOME_VALUES = (0, 137, -1250)
"""Rules that take a value are called with these."""

SOME_WINDOWS = ((-(2**40), 2**40), (-1, 0), (2, 9))
"""Rules that take a window are called with these."""


class Place(NamedTuple):
    """A position of a random game: its legal moves, or None if the rules fail; the one that is played; who moves."""

    state: Any
    legal: list[int] | None
    move: int = 0
    by_chance: bool = False


@dataclass(frozen=True)
class Difference:
    """A rule that returns one thing compiled and another in plain Python."""

    rule: str
    call: str
    plain: Any
    compiled: Any

    @property
    def message(self) -> str:
        wide = "; compiled numbers have 64 bits" if _is_wide(self.plain) else ""
        return f"{self.call} compiled {_says(self.compiled)}; in plain Python it {_says(self.plain)}{wide}"


class Comparison:
    """Calls both forms of all rules that a kernel uses."""

    def __init__(self, compiled: CompiledAnswers) -> None:
        self.game = compiled.game
        self.compiled = compiled
        self.asked = compiled.asked
        self.plain = PlainAnswers(self.game, compiled.uses)

    def differences(self, place: Place) -> Iterator[Difference]:
        """The differences in one position, at most one for each rule."""
        for rule in self.asked:
            found = (self._compare(rule, place.state, arguments) for arguments in self._arguments(rule, place))
            difference = next(filter(None, found), None)
            if difference is not None:
                yield difference

    def _compare(self, rule: str, s: Any, arguments: tuple[Any, ...]) -> Difference | None:
        plain = self.plain.ask(rule, *arguments)
        if isinstance(plain, Failed) and plain.by_index:
            # Not called: the system kills a process that reads far outside its memory.
            compiled: Any = Failed("reads whatever is stored there")
        else:
            compiled = self.compiled.ask(rule, *arguments)
            if same(plain, compiled):
                return None
        more = ", ".join("s" if x is s else str(x) for x in arguments)
        return Difference(rule, f"{rule}({more})", plain, compiled)

    def _arguments(self, rule: str, place: Place) -> Iterator[tuple[Any, ...]]:
        """The arguments that ``rule`` may be called with here, if any."""
        s = place.state
        if not self._may_be_asked(rule, place):
            return
        if "move" in ASKED[rule].arguments and place.legal:
            others = [move for move in place.legal if move != place.move]
            for move in (place.move, *others[:: len(others) // SOME_MOVES or 1][:SOME_MOVES]):
                yield s, move
        elif "tier" in ASKED[rule].arguments:
            yield self.game.tier(s), self.game.rank(s)
        elif "value" in ASKED[rule].arguments:
            yield from ((s, value) for value in SOME_VALUES)
        elif "low" in ASKED[rule].arguments:
            yield from ((s, *window) for window in SOME_WINDOWS)
        elif "player" in ASKED[rule].arguments:
            yield from ((s, MAX), (s, MIN))
        else:
            yield (s,)

    def _may_be_asked(self, rule: str, place: Place) -> bool:
        s, legal, _, by_chance = place
        asked = ASKED[rule].asked
        if asked == ANYWHERE:
            return True
        if (asked == PLAYER and by_chance) or (asked == DICE and not by_chance):
            return False
        if legal is None:  # some rule fails; whether it is one of these shows only when they are called
            return rule in ("moves", "chances")
        if asked == TIER:
            in_one = bool(_quietly(self.game.tier, s, failed=-1) >= 0)
            return in_one and ("tier" not in ASKED[rule].arguments or _quietly(self.game.rank, s) is not None)
        if rule == "skip" and self.game.has("is_forced") and _quietly(self.game.is_forced, s, failed=True):
            return False
        if asked == ENDING and not _quietly(self.game.is_ending, s, failed=False):
            return False
        if asked == END and _quietly(self.game.is_out_of_time, s, failed=True):
            return False  # drawn by the clock, which the author's function does not consider
        return bool(legal) != (asked == END)


def _quietly(rule: Callable[..., Any], *arguments: Any, failed: Any = None) -> Any:
    """The result of a plain rule, or ``failed`` if it raises an exception; without NumPy's warnings."""
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            return rule(*arguments)
    except Exception:
        return failed


def place_of(game: Game, s: Any, chance: random.Random) -> Place:
    """A position with its legal moves, one of them at random, and whether chance moves."""
    legal = _quietly(game.legal_moves, s)
    move = chance.choice(legal) if legal else 0
    return Place(s, legal, move, _quietly(game.to_move, s) == CHANCE)


def positions(game: Game, seed: int = 0) -> Iterator[Place]:
    """Positions of one random game after another, endlessly. If a rule fails, the next game begins."""
    chance = random.Random(seed)
    while (s := _quietly(game.start)) is not None:
        for _ in range(LONGEST):
            place = place_of(game, s, chance)
            yield place
            s = _quietly(game.successor, s, place.move) if place.legal else None
            if s is None:
                break


def must_agree(compiled: CompiledAnswers) -> None:
    """Raise KernelError if a compiled rule differs from the plain one; it quotes the rule, state and both results."""
    game = compiled.game
    if not compiled.asked:
        return
    comparison = Comparison(compiled)
    deadline = time.thread_time() + SECONDS  # CPU time of this thread: a busy machine compares as many positions
    for place in islice(positions(game), POSITIONS):
        for difference in comparison.differences(place):
            raise KernelError(f"{game.name}: {difference.message}; s = {place.state!r}")
        if time.thread_time() > deadline:
            return


def _says(answer: Any) -> str:
    if isinstance(answer, Failed):
        return answer.text
    text = repr(answer)
    return f"is {text if len(text) <= 200 else text[:200] + ' …'}"


def _is_wide(answer: Any) -> bool:
    if isinstance(answer, (list, tuple)):
        return any(map(_is_wide, answer))
    return isinstance(answer, int) and not -(2**63) <= answer < 2**63
