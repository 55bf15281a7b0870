"""Compiled rules against plain ones, on positions of random games, before a kernel is trusted.

Overflow, unsigned surprises, indices out of range, and whatever the compiler gets wrong: in machine code nothing complains,
and a search would prove what is not true.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from zerosum.errors import KernelError
from zerosum.game import CHANCE, Game
from zerosum.jit.answers import COUNT_MOVES, CompiledAnswers, Failed, PlainAnswers, same

POSITIONS, SECONDS = 200, 0.25
"""A new kernel is compared on so many positions, or for so long: plain rules may be slow."""

LONGEST = 300
"""Plies after which the next random game begins."""

SOME_MOVES = 2
"""Rules that take a move are asked about so many others than the one that is played."""

EVERYWHERE = ("to_move", "is_terminal", "clock", "key", "tier")
AT_THE_END = ("utility",)
WITH_MOVE = ("play", "order", "reversible")
OF_PLAYERS = ("moves", COUNT_MOVES, "order", "noisy_moves", "is_forced", "skip", "reversible", "canonical")
IN_TIERS = ("rank", "unrank", "is_valid")


class Place(NamedTuple):
    """A position of a random game: its moves, and the one that is played. Moves are None where the rules fail."""

    state: Any
    legal: list[int] | None
    move: int = 0


@dataclass(frozen=True)
class Difference:
    """A rule that answers one thing compiled and another in plain Python."""

    rule: str
    call: str
    state: Any
    plain: Any
    compiled: Any

    @property
    def message(self) -> str:
        wide = "; compiled numbers have 64 bits" if _is_wide(self.plain) else ""
        return f"{self.call} compiled {_says(self.compiled)}; in plain Python it {_says(self.plain)}{wide}"


class Comparison:
    """Asks both for all rules that a kernel calls."""

    def __init__(self, compiled: CompiledAnswers) -> None:
        self.game = compiled.game
        self.compiled = compiled
        self.plain = PlainAnswers(self.game, compiled.asked)

    def differences(self, place: Place) -> Iterator[Difference]:
        """What differs in one position, rule by rule."""
        import numpy as np

        for rule in self.compiled.asked:
            with np.errstate(all="ignore"):  # plain u64 warns where it wraps around, as machine words do
                for arguments in self._arguments(rule, place):
                    difference = self._compare(rule, place.state, arguments)
                    if difference is not None:
                        yield difference
                        break

    def _compare(self, rule: str, s: Any, arguments: tuple[Any, ...]) -> Difference | None:
        plain = self.plain.ask(rule, *arguments)
        if isinstance(plain, Failed) and plain.by_index:
            # Not asked: a process that reads far outside of its memory is ended.
            compiled: Any = Failed("reads whatever lies there")
        else:
            compiled = self.compiled.ask(rule, *arguments)
            if same(plain, compiled):
                return None
        more = ", ".join("s" if x is s else str(x) for x in arguments)
        return Difference(rule, f"{rule}({more})", s, plain, compiled)

    def _arguments(self, rule: str, place: Place) -> Iterator[tuple[Any, ...]]:
        """What ``rule`` may be asked here, if anything."""
        s, legal, move = place
        by_chance = self.game.has("chances") and self.plain.ask("to_move", s) == CHANCE
        if rule in EVERYWHERE:
            yield (s,)
        elif legal is None:
            # Some rule fails: that it is one of these shows only if they are asked.
            if rule in ("moves", "chances") and by_chance == (rule == "chances"):
                yield (s,)
        elif rule in IN_TIERS:
            yield from self._of_tier(rule, s)
        elif bool(legal) == (rule in AT_THE_END):
            return
        elif (rule in OF_PLAYERS and by_chance) or (rule == "chances" and not by_chance):
            return
        elif rule == "skip" and self.game.has("is_forced") and self.game.is_forced(s):
            return
        elif rule in WITH_MOVE:
            others = [other for other in legal if other != move][:: max(1, (len(legal) - 1) // SOME_MOVES)]
            for one in (move, *others[:SOME_MOVES]):
                yield s, one
        else:
            yield (s,)

    def _of_tier(self, rule: str, s: Any) -> Iterator[tuple[Any, ...]]:
        with suppress(Exception):
            tier = self.game.tier(s)
            if tier >= 0:
                yield (tier, self.game.rank(s)) if rule == "unrank" else (s,)


def positions(game: Game, seed: int = 0) -> Iterator[Place]:
    """Positions of one random game after another, without end."""
    chance = random.Random(seed)
    while True:
        s = game.start()
        for _ in range(LONGEST):
            try:
                legal = game.legal_moves(s)
            except Exception:
                yield Place(s, None)
                break
            move = chance.choice(legal) if legal else 0
            yield Place(s, legal, move)
            try:
                s = game.successor(s, move) if legal else None
            except Exception:
                break
            if s is None:
                break


def must_agree(compiled: CompiledAnswers) -> None:
    """KernelError if a compiled rule differs from the plain one; it shows the rule, the state and both answers."""
    game = compiled.game
    if not compiled.asked:
        return
    comparison = Comparison(compiled)
    deadline = time.perf_counter() + SECONDS
    for number, place in enumerate(positions(game)):
        for difference in comparison.differences(place):
            raise KernelError(f"{game.name}: {difference.message}; s = {place.state!r}")
        if number == POSITIONS or time.perf_counter() > deadline:
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
