"""The results of rules, compiled and in plain Python, which must be the same.

By the time a kernel is linked, Numba has compiled every rule to machine code. This module calls that code directly:
nothing is compiled for the comparison, and the kernel does not change.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from zerosum.contract import RULES, START, Rule
from zerosum.errors import GameError
from zerosum.game import Game
from zerosum.jit.bits import bits
from zerosum.jit.rules import Rules
from zerosum.jit.sets import words_for
from zerosum.jit.words import word_float
from zerosum.jit.yields import IMPROBABLE, NO_FEATURE, OUT_OF_RANGE, PLAIN, TOO_MANY

COUNT_MOVES = "count_moves"
"""The counting form of ``moves``, called like a rule."""

ASKED: dict[str, Rule] = {}
for _rule in RULES.values():
    if _rule.is_compiled and _rule.asked != START:
        ASKED[_rule.name] = _rule
        if _rule.name == "moves":
            ASKED[COUNT_MOVES] = _rule._replace(name=COUNT_MOVES, returns="count")
"""All rules that can be compared, in the order of the contract: those that others depend on come first."""

FILLING = tuple(name for name, rule in ASKED.items() if rule.returns in ("moves", "count", "pairs", "set"))
"""The rules that fill a buffer."""

WIDEST = 1000
"""States with more words are not compared: ctypes passes at most 1024 arguments."""

PRECISION = 1e-6
"""The relative difference that is allowed between fractions: compiled code adds up float32 sums in another order."""

_BROKEN = {
    TOO_MANY: "yields too many",
    OUT_OF_RANGE: "yields a number outside 0 to 2**31 - 1",
    IMPROBABLE: "yields probabilities that are not positive or do not add up to 1",
    NO_FEATURE: "yields a number outside 0 to active_features - 1",
}


@dataclass(frozen=True)
class Failed:
    """The failure of a rule, instead of a result: it raises an exception, or breaks the contract."""

    text: str
    by_index: bool = False  # a wrong index or key, which compiled code may not notice


class PlainAnswers:
    """``ask(rule, *arguments)`` returns the result of the author's function, or Failed."""

    def __init__(self, game: Game, uses: Iterable[str]) -> None:
        self.game = game
        self.rules = Rules(game, uses, compiled=False)
        self.free = self.rules.at.words
        self.row = [0] * (self.free + self.rules.at.width)

    def ask(self, rule: str, *arguments: Any) -> Any:
        import numpy as np

        try:
            with np.errstate(all="ignore"):  # NumPy warns when a u64 wraps around
                return self._ask(rule, *arguments)
        except GameError as problem:
            return Failed(f"fails: {problem}")
        except Exception as problem:
            return Failed(f"raises {type(problem).__name__}: {problem}", isinstance(problem, LookupError))

    def _ask(self, rule: str, *arguments: Any) -> Any:
        kind = ASKED[rule].returns
        if kind == "State":
            found = getattr(self.game, rule)(*arguments)
            with suppress(GameError):
                return self.game.state(found)
            return found  # not a State of 64-bit numbers; shown unchanged, it says why
        if kind == "pairs":
            return self.game.checked_chances(*arguments)
        if kind == "set":
            return self.game.checked_active(*arguments)
        function = getattr(self.rules, rule)
        if rule in FILLING:
            count = function(*arguments, self.row, self.free, self.free + self.game.max_moves)
            return count if kind == "count" else self.row[self.free : self.free + count]
        if "out" in ASKED[rule].arguments:
            out = _row_of_features(self.game)
            return (function(*arguments, out, self.row), *out.tolist())
        return function(*arguments, self.row)


class CompiledAnswers:
    """The same for the functions that a Lifter has made from ``rules``."""

    def __init__(self, rules: Rules, lifter: Any) -> None:
        from zerosum.jit.memory import Memory

        self.game = rules.game
        self.uses = tuple(rules.has)
        self.free = rules.at.words
        self.lifter = lifter  # the functions live as long as it does
        self.addresses: dict[str, int] = {}
        self.places: dict[str, int] = dict.fromkeys(FILLING, self.free)  # where the buffer of a generator begins
        for rule in ASKED:
            self._find(rules, rule)
        self.memory = Memory(self.game, rules.at, room=max(rules.at.width, words_for(self.game.active_features)))

    @property
    def asked(self) -> tuple[str, ...]:
        """The rules that can be called: those that the author has written and the kernel uses."""
        return tuple(self.addresses) if self.game.state_type.size <= WIDEST else ()

    def _find(self, rules: Rules, rule: str) -> None:
        """Record the address of a rule's machine code, if there is any."""
        from zerosum.jit.numba_private import address_of, overloads_of

        written = self.game.given.get("moves" if rule == COUNT_MOVES else rule)
        lifted = self.lifter.done.get((id(getattr(rules, rule, None)), PLAIN))
        made = {} if lifted is None else overloads_of(lifted)
        if not callable(written) or not made:
            return
        kinds = _arguments(self.game, rule)
        if kinds not in made and rule in FILLING:
            kinds = next(iter(made))  # the kernel keeps all moves in one place, whose address is compiled in
            self.places[rule] = getattr(kinds[-2], "literal_value", self.free)
        if kinds in made:
            self.addresses[rule] = address_of(made[kinds])

    def ask(self, rule: str, *arguments: Any) -> Any:
        words: list[int] = []
        for argument in arguments:
            words += self.game.state_type.words(argument) if isinstance(argument, tuple) else [int(argument)]
        memory = self.memory.address
        if rule in FILLING:
            at = self.places[rule]
            if ASKED[rule].returns == "set":
                return self._ask_for_set(rule, at, *words)
            room = 2 * self.game.max_chances if ASKED[rule].returns == "pairs" else self.game.max_moves
            return self._meaning(rule, self._call(rule, 1, *words, memory, at, at + room))
        if "out" in ASKED[rule].arguments:
            out = _row_of_features(self.game)
            found = self._call(rule, 1, *words, out.ctypes.data, memory)
            return found if isinstance(found, Failed) else (found[0], *out.tolist())
        size = {"State": self.game.state_type.size, "pair": 2}.get(ASKED[rule].returns, 1)
        return self._meaning(rule, self._call(rule, size, *words, memory))

    def _ask_for_set(self, rule: str, at: int, *words: int) -> Any:
        row = self.memory.row[at : at + words_for(self.game.active_features)]
        row[:] = 0
        found = self._call(rule, 1, *words, self.memory.address, at, self.game.active_features)
        if isinstance(found, Failed) or found[0] < 0:
            return found if isinstance(found, Failed) else Failed(_BROKEN[found[0]])
        return [64 * place + bit for place, word in enumerate(row.tolist()) for bit in bits(word)]

    def _call(self, rule: str, size: int, *words: int) -> list[int] | Failed:
        """The words of the function's result. Numba passes a tuple's fields one by one."""
        result, exception = (ctypes.c_int64 * size)(), ctypes.c_void_p()
        kinds = (ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * len(words))
        function = ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(self.addresses[rule])
        status = function(ctypes.byref(result), ctypes.byref(exception), *words)
        return list(result) if status == 0 else Failed("raises an exception")

    def _meaning(self, rule: str, words: list[int] | Failed) -> Any:
        if isinstance(words, Failed):
            return words
        if rule in FILLING:
            return self._listed(rule, words[0])
        kind = ASKED[rule].returns
        if kind == "State":
            return self.game.state_type.from_words(words)
        fractions = self.game.has("chances") and kind in ("number", "pair")
        numbers = tuple(map(word_float, words)) if fractions else tuple(words)
        return numbers if kind == "pair" else numbers[0]

    def _listed(self, rule: str, count: int) -> Any:
        """The items that a generator has written to the memory."""
        if count < 0:
            return Failed(_BROKEN[count])
        kind, at = ASKED[rule].returns, self.places[rule]
        if kind == "count":
            return count
        row = [int(word) for word in self.memory.row[at : at + count * (1 + (kind == "pairs"))]]
        return [(row[i], word_float(row[i + 1])) for i in range(0, len(row), 2)] if kind == "pairs" else row


def compile_rule(rules: Rules, rule: str, lifter: Any) -> None:
    """Compile one rule to machine code in the form that a kernel calls."""
    from zerosum.jit.numba_private import compiled_for

    compiled_for(lifter.function(getattr(rules, rule)), _arguments(rules.game, rule))


def _arguments(game: Game, rule: str) -> tuple[Any, ...]:
    """The Numba types that kernels call a rule with."""
    from numba import types

    from zerosum.jit.intrinsics import MEMORY
    from zerosum.jit.numba_types import argument_types

    buffer = [types.int64, types.int64] if rule in FILLING else []
    return (*argument_types(ASKED[rule].arguments, game.state_type), MEMORY, *buffer)


def same(plain: Any, compiled: Any) -> bool:
    """Whether two results are equal. Two failures are: then the rule is at fault, not the compiler."""
    if isinstance(plain, Failed) or isinstance(compiled, Failed):
        return isinstance(plain, Failed) and isinstance(compiled, Failed)
    if isinstance(plain, (list, tuple)):
        return isinstance(compiled, (list, tuple)) and len(plain) == len(compiled) and all(map(same, plain, compiled))
    if isinstance(plain, float) or isinstance(compiled, float):
        both_undefined = math.isnan(plain) and math.isnan(compiled)
        return both_undefined or math.isclose(plain, compiled, rel_tol=PRECISION, abs_tol=PRECISION)
    return int(plain) == int(compiled)


def _row_of_features(game: Game) -> Any:
    import numpy as np

    return np.zeros(len(game.feature_names) + 64, np.float32)
