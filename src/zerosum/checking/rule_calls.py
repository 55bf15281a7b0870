"""Call rules, and check that their results have the types that the contract promises."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from zerosum.checking.report import CheckLog, is_whole
from zerosum.contract import RULES
from zerosum.errors import GameError
from zerosum.game import Game


class RuleCaller:
    """Calls the author's functions. An exception or a result of the wrong type is recorded, and raises Broken."""

    def __init__(self, game: Game, log: CheckLog, text_of: Callable[[Any, int], str]) -> None:
        self.game, self.log, self.text_of = game, log, text_of
        value = "a finite number" if game.has("chances") else "an integer"  # with chance, values are averages
        # For each kind of result, a description, and a test.
        self.kinds: dict[str, tuple[str, Callable[[Any], bool]]] = {
            "bool": ("True or False", _is_truth),
            "int": ("an integer", is_whole),
            "key": ("an integer of 64 bits", _is_word),
            "number": (value, self._is_value),
            "pair": (f"a pair (low, high), each {value}", self._is_pair),
        }

    def raw(self, rule: str, *arguments: Any) -> Any:
        """The result of the author's function, unchecked."""
        try:
            return getattr(self.game, rule)(*arguments)
        except Exception as problem:
            raise self.log.broken(rule, f"raises {type(problem).__name__}: {problem}", *arguments[:1]) from problem

    def __call__(self, rule: str, *arguments: Any) -> Any:
        """The result of the author's function, checked to have the type of its rule."""
        found = self.raw(rule, *arguments)
        kind = RULES[rule].returns
        if kind == "State":
            return self._state(rule, found, *arguments[:1])
        wanted, fits = self.kinds[kind]
        if not fits(found):
            about = f"of {self.text_of(*arguments)} " if "move" in RULES[rule].arguments else ""
            raise self.log.broken(rule, f"{about}must be {wanted}, not {found!r}", *arguments[:1])
        return bool(found) if kind == "bool" else found

    def _state(self, rule: str, found: Any, s: Any = None) -> Any:
        if not isinstance(found, self.game.State):
            kind = f"{type(found).__name__} {found!r}"
            raise self.log.broken(rule, f"must return a {self.game.State.__name__}, not the {kind}", s)
        try:
            return self.game.state(found, rule)
        except GameError as problem:
            raise self.log.broken(rule, f"wrong types: {problem}", s) from problem

    def _is_value(self, x: Any) -> bool:
        return is_whole(x) or (self.game.has("chances") and isinstance(x, float) and math.isfinite(x))

    def _is_pair(self, x: Any) -> bool:
        return isinstance(x, tuple) and len(x) == 2 and all(map(self._is_value, x))


def _is_truth(x: Any) -> bool:
    return isinstance(x, bool) or type(x).__name__ in ("bool", "bool_") or (is_whole(x) and x in (0, 1))


def _is_word(x: Any) -> bool:
    return is_whole(x) and -(2**63) <= x < 2**64
