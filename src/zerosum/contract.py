"""The rules that make up a game: one line for each function an author can write.

Everything that depends on the set of rules reads this table: the checks of a new Game, the compiler and its error
messages, the comparison of compiled rules with plain ones. A test compares the tables of docs/contract.md with it.
This file imports neither NumPy nor Numba.

>>> RULES["play"].call, RULES["play"].returns
('play(s, move)', 'State')
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import _lru_cache_wrapper
from types import MappingProxyType
from typing import Any, NamedTuple

from zerosum.errors import GameError, nearest

SAME, VALUE, MIXED = "s", "value", "all fields, mixed"
"""Defaults that are not constants: the State or the value that was passed in, and a hash of the State."""

NOWHERE, START, ANYWHERE, ONGOING = "", "at the start", "in any position", "before the end"
PLAYER, DICE, END, TIER = "where a player moves", "where chance moves", "at the end", "in a tier"
ENDING = "where is_ending says so"
"""Where a rule may be called. A rule that no kernel calls is never compiled."""


class Rule(NamedTuple):
    """One function of the contract.

    Attributes:
        name: what the author calls it.
        arguments: its parameters; the game's tables may follow as one more. ``s`` is a State, ``out`` a row of floats
            to fill, ``text`` and ``path`` a str, ``numbers`` and ``glyphs`` mappings; all others are integers.
        returns: the kind of its result. ``number`` is an int, or a float in games with chances, and ``pair`` is two of
            these; ``key`` is an int or u64; ``moves`` are yielded or returned, and so are ``pairs``, outcomes with
            their probabilities, and the numbers of a ``set``. Other kinds are Python's or the game's own.
        default: what a game without it uses instead; a str describes it in words; None means that there is no default.
        group: the table of docs/contract.md that it is in.
        asked: where it may be called.
    """

    name: str
    arguments: tuple[str, ...]
    returns: str
    default: Any
    group: str
    asked: str

    @property
    def signature(self) -> str:
        return ", ".join(self.arguments)

    @property
    def call(self) -> str:
        """The rule as documents and messages write it."""
        return f"{self.name}({self.signature})"

    @property
    def is_compiled(self) -> bool:
        return self.asked != NOWHERE


def _rule(call: str, returns: str, default: Any, group: str, asked: str = NOWHERE) -> Rule:
    name, _, arguments = call.rstrip(")").partition("(")
    return Rule(name, tuple(arguments.split(", ")) if arguments else (), returns, default, group, asked)


# Compiled rules are compared with plain ones in this order, so the rules that others depend on come first.
_TABLE = (
    _rule("initial()", "State", None, "required", START),
    _rule("to_move(s)", "int", None, "required", ANYWHERE),
    _rule("is_terminal(s)", "bool", False, "rules", ANYWHERE),
    _rule("chances(s)", "pairs", (), "rules", DICE),
    _rule("clock(s)", "int", 1, "rules", ANYWHERE),
    _rule("moves(s)", "moves", None, "required", PLAYER),
    _rule("play(s, move)", "State", None, "required", ONGOING),
    _rule("utility(s)", "number", None, "required", END),
    _rule("evaluate(s)", "number", 0, "knowledge", ONGOING),
    _rule("bounds(s)", "pair", (-1, 1), "knowledge", ONGOING),
    _rule("key(s)", "key", MIXED, "knowledge", ANYWHERE),
    _rule("order(s, move)", "int", 0, "knowledge", PLAYER),
    _rule("noisy_moves(s)", "moves", (), "knowledge", PLAYER),
    _rule("is_forced(s)", "bool", False, "knowledge", PLAYER),
    _rule("skip(s)", "State", SAME, "knowledge", PLAYER),
    _rule("reversible(s, move)", "bool", True, "knowledge", PLAYER),
    _rule("canonical(s)", "State", SAME, "knowledge", PLAYER),
    _rule("moves_left(s)", "int", 0, "knowledge", PLAYER),
    _rule("is_ending(s)", "bool", False, "knowledge", ONGOING),
    _rule("ending(s, low, high)", "number", 0, "knowledge", ENDING),
    _rule("tiers(n)", "list", None, "endgame"),
    _rule("tier(s)", "int", None, "endgame", ANYWHERE),
    _rule("rank(s)", "int", None, "endgame", TIER),
    _rule("unrank(tier, index)", "State", None, "endgame", TIER),
    _rule("is_valid(s)", "bool", True, "endgame", TIER),
    _rule("features(s, out)", "int", None, "training", ONGOING),
    _rule("active(s, player)", "set", None, "training", ONGOING),
    _rule("phase(s)", "int", 0, "training", ONGOING),
    _rule("adjust(s, value)", "int", VALUE, "training", ONGOING),
    _rule("show(s)", "str", "its fields", "people"),
    _rule("parse_move(s, text)", "int", "the legal move that format_move writes so", "people"),
    _rule("format_move(s, move)", "str", "the number", "people"),
    _rule("cut_move(s, text)", "tuple", "the whole text and ''", "people"),
    _rule("parse_state(text)", "State", "the numbers in the fields", "people"),
    _rule("format_state(s)", "str", "the numbers in the fields", "people"),
    _rule("layout()", "Layout", "read from show", "people"),
    _rule("pieces(s)", "list", "read from show", "people"),
    _rule("path(s, move)", "tuple", "read from show", "people"),
    _rule("set_up(glyphs, turn)", "str", None, "people"),
    _rule("counts(s)", "dict", "none", "people"),
    _rule("winning_line(s)", "tuple", "none", "people"),
    _rule("weights_of()", "dict", None, "training"),
    _rule("with_weights(numbers)", "tables", None, "training"),
    _rule("chances_of(s)", "dict", None, "people"),
    _rule("terms(s)", "list", None, "people"),
    _rule("openings()", "dict", "none", "people"),
    _rule("book(path)", "Book", None, "people"),
    _rule("tablebase(path)", "Tablebase", None, "people"),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.name: rule for rule in _TABLE})
"""Every rule by its name."""

REQUIRED = tuple(rule.name for rule in _TABLE if rule.group == "required")
OPTIONAL = tuple(rule.name for rule in _TABLE if rule.group != "required")

SETTINGS = (
    *("scored", "max_chances", "repetition", "tables", "advice", "feature_names", "networks", "about"),
    *("active_features", "max_active", "phases", "patterns", "cells", "probcut"),
    *("unit", "players", "formats", "programs", "actions", "plain"),
)
"""The other arguments of a Game, which are not functions."""


def plain(function: Any) -> Any:
    """The Python function behind a jitted or cached function; any other function unchanged."""
    if isinstance(function, _lru_cache_wrapper):
        return plain(function.__wrapped__)
    return getattr(function, "py_func", function)


def takes_tables(rule: str, function: Any) -> bool:
    """Whether the author wrote the rule with the game's tables as a last parameter."""
    return _count_arguments(function) == len(RULES[rule].arguments) + 1


def check_function(game: str, rule: Rule, function: Any, has_tables: bool) -> None:
    """Raise GameError unless ``function`` can be the game's ``rule``, with the right number of arguments."""
    if not callable(function):
        raise GameError(f"{game}: {rule.name} must be a function, not {function!r}")
    count, wanted = _count_arguments(function), len(rule.arguments)
    if count == wanted + 1 and not has_tables:
        raise GameError(f"{game}: {rule.name} takes the game's tables, but the game has none: pass tables=")
    if count not in (wanted, wanted + 1):
        with_tables = ", ".join((*rule.arguments, "t"))
        raise GameError(
            f"{game}: {rule.name} takes {count} arguments; it must be {rule.call} or {rule.name}({with_tables})"
        )


def check_names(game: str, names: Mapping[str, Any]) -> None:
    """Raise GameError for a name that is neither an optional rule nor a setting."""
    for word in names:
        if word not in OPTIONAL and word not in SETTINGS:
            raise GameError(f"{game}: a game has no {word!r}{nearest(word, [*RULES, *SETTINGS])}")


def checked_unit(game: str, unit: Any) -> int:
    """The number of ``evaluate`` points shown as one; GameError unless it is a whole number of at least 1."""
    return checked_count(game, "unit", unit, 2**20 - 1)


def checked_count(game: str, name: str, number: Any, most: int) -> int:
    """A setting that counts something; GameError unless it is a whole number from 1 to ``most``."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number <= most:
        raise GameError(f"{game}: {name} must be a whole number from 1 to {most}, not {number!r}")
    return number


def checked_players(game: str, players: Any) -> tuple[str, str]:
    """The names of MAX and MIN; GameError unless these are two names."""
    names = tuple(players) if isinstance(players, (tuple, list)) else ()
    if len(names) != 2 or not all(isinstance(name, str) and name for name in names):
        raise GameError(f"{game}: players must be the names of MAX and MIN, not {players!r}")
    return names[0], names[1]


def _count_arguments(function: Any) -> int:
    code = getattr(plain(function), "__code__", None)
    if code is not None and not code.co_flags & inspect.CO_VARARGS and not inspect.ismethod(function):
        defaults = plain(function).__defaults__ or ()
        return int(code.co_argcount) - len(defaults)
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return sum(p.kind in kinds and p.default is p.empty for p in parameters)
