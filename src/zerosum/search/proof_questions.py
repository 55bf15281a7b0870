"""The questions for proof-number search about a position, and what follows from the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from zerosum.game import MAX, MIN, WIN, Game
from zerosum.jit.bits import mix
from zerosum.search.memory import NO_BOUND
from zerosum.search.probing import CONVERTED
from zerosum.search.proof_table import CUT, DRAWN, UNDATED, measure_of
from zerosum.search.solving import Questions

PLAYER_NAMES = {MAX: "MAX", MIN: "MIN"}


@dataclass(frozen=True)
class Question:
    """Can this player force a result of at least ``bar`` points for itself? ``bar`` is positive: more than a draw."""

    attacker: int
    bar: int = 1

    @classmethod
    def at_least(cls, value: int) -> Question:
        """The question "is the value for MAX at least this?": can MAX force it, or else can MIN prevent it?"""
        return cls(MAX, value) if value > 0 else cls(MIN, 1 - value)

    def key(self, counts_clock: bool) -> int:
        """The hash that is mixed into the table keys of positions."""
        return mix(mix(self.attacker + 1, self.bar), counts_clock)

    def in_words(self, scored: bool) -> str:
        """
        >>> Question(MAX).in_words(False), Question(MIN, 3).in_words(True)
        ('MAX wins', 'MIN wins by at least 3')
        """
        return f"{PLAYER_NAMES[self.attacker]} wins" + (f" by at least {self.bar}" if scored else "")


class KnownMove(NamedTuple):
    """A move: the numbers of the position it leads to, and its facts as seen one ply earlier."""

    move: int
    proof: int
    disproof: int
    fact: int


@dataclass(frozen=True)
class Answer:
    """The numbers of the root (one is 0 if the question is decided), its facts, and what is known about its moves."""

    question: Question
    proof: int
    disproof: int
    fact: int = 0
    moves: tuple[KnownMove, ...] = ()

    @property
    def is_proven(self) -> bool:
        return self.proof == 0

    @property
    def is_decided(self) -> bool:
        """Whether the answer is certain. A refutation within a limited depth says nothing about longer lines."""
        return self.proof == 0 or (self.disproof == 0 and not self.fact & CUT)


@dataclass
class Standing:
    """What is known about a value: it is between ``low`` and ``high``, because of ``least`` and ``most``.

    ``least`` is the answer that proves that MAX gets at least ``low``; ``most`` proves that MAX gets at most ``high``.
    In games without margins, values are 1, 0 and -1.
    """

    low: int
    high: int
    least: Answer | None = None
    most: Answer | None = None
    plies: int = UNDATED
    """The number of plies within which a decided game ends."""

    limit: int | None = None
    """The limit in plies on the lines of the last proof, if any."""

    last: Answer | None = None
    """The last answer."""

    @property
    def is_known(self) -> bool:
        return self.low == self.high

    @property
    def decision(self) -> Answer | None:
        """The answer that says who wins, in games without margins; None if nobody does."""
        return self.least if self.low > 0 else self.most if self.high < 0 else None

    def note(self, answer: Answer, scored: bool) -> None:
        """Narrow the bounds by an answer; an undecided one does not change them."""
        self.last = answer
        if not answer.is_decided:
            return
        question, measure = answer.question, measure_of(answer.fact)
        sign = 1 if question.attacker == MAX else -1
        more = measure if scored else 0
        if answer.is_proven:
            self._narrow(sign * (question.bar + more), sign > 0, answer)
        elif not scored and not answer.fact & DRAWN:
            self._narrow(-sign, sign < 0, answer)  # a refutation that is a win for the other side
        else:
            self._narrow(sign * (question.bar - 1 - more), sign < 0, answer)
        if not scored and self.low == self.high != 0:
            self.plies = measure

    def _narrow(self, bound: int, is_low: bool, answer: Answer) -> None:
        if is_low and bound >= self.low:
            self.low, self.least = bound, answer
        elif not is_low and bound <= self.high:
            self.high, self.most = bound, answer

    def value(self, scored: bool) -> int:
        """The value as it appears in results."""
        if scored or self.low == 0:
            return self.low
        return self.low * (WIN - self.plies if self.plies < UNDATED else CONVERTED)


Ask = Callable[[Question], Answer]


def find_out(game: Game, standing: Standing, first: int, guess: int, ask: Ask) -> Iterator[Answer]:
    """Ask until the value is known, or an answer is undecided. Yields each answer after noting it in ``standing``.

    ``first`` is the player whose win is tested first, ``guess`` an estimate of the margin.
    """
    for question in _margins(game, standing, guess) if game.scored else _wins(standing, first):
        answer = ask(question)
        standing.note(answer, game.scored)
        yield answer
        if not answer.is_decided:
            return


def _wins(standing: Standing, first: int) -> Iterator[Question]:
    for player in (first, MIN if first == MAX else MAX):
        if not standing.is_known and (standing.high > 0 if player == MAX else standing.low < 0):
            yield Question(player)


def _margins(game: Game, standing: Standing, guess: int) -> Iterator[Question]:
    questions = Questions(game)
    questions.guess = guess
    while not standing.is_known:
        yield Question.at_least(questions.next(standing.low, standing.high) + 1)


def first_standing(game: Game, bounds: tuple[int, int] | None) -> Standing:
    """What is known before the first question; ``bounds`` are the game's own."""
    if not game.scored:
        return Standing(-1, 1)
    return Standing(*(bounds or (-NO_BOUND, NO_BOUND)))
