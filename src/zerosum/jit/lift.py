"""Turn a whole program of plain functions into Numba functions.

Numba compiles a function only if everything it calls is a Numba function too. ``Lifter`` starts from one
function and follows every name in its code: it lifts helper functions in turn, and replaces modules and classes that
serve as namespaces with stand-ins that hold lifted functions and constants. The author decorates nothing.
"""

from __future__ import annotations

import enum
from functools import _lru_cache_wrapper
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from numba import njit, types

from zerosum.contract import plain
from zerosum.errors import KernelError
from zerosum.jit import bits, intrinsics, sequences, words
from zerosum.jit import constant_types as constant_types  # teaches Numba dictionaries and ragged tables
from zerosum.jit import lanes as lanes  # teaches Numba rows of 16-bit numbers
from zerosum.jit import named_tuples as named_tuples  # teaches Numba _replace
from zerosum.jit import sequence_types as sequence_types  # teaches Numba the helpers that natural Python becomes
from zerosum.jit.constants import constant
from zerosum.jit.fingerprint import closure_of, global_names, is_foreign, reached_names
from zerosum.jit.native import ENTRY
from zerosum.jit.natural import natural
from zerosum.jit.numba_private import UNWRAPPED, Dispatcher, compiled_for
from zerosum.jit.numba_types import state_type
from zerosum.jit.refusals import Refused, refusal
from zerosum.jit.returns import PREFIX
from zerosum.jit.sets import join_board
from zerosum.jit.words import drop_lowest, float_word, whole
from zerosum.jit.yields import (
    COUNT,
    DEFAULT,
    FILLER,
    JOIN,
    NO_FEATURE,
    OUT_OF_RANGE,
    PAIRS,
    PLAIN,
    SET,
    TOO_MANY,
    YIELD,
    Filling,
    fill_code,
    is_generator,
    loop_code,
)
from zerosum.state import StateType

# Python's semantics only where they cost nothing: a division by zero raises no exception, and helpers have no
# wrappers to be called from the interpreter.
OPTIONS = {"error_model": "numpy", **UNWRAPPED}
REWRITTEN = {
    f"{PREFIX}whole": whole,
    f"{PREFIX}float_word": float_word,
    f"{PREFIX}lowest": bits.lowest_bit,
    f"{PREFIX}drop": drop_lowest,
    f"{PREFIX}popcount": bits.popcount,
}
HELPERS = {f for module in (bits, words) for f in vars(module).values() if isinstance(f, FunctionType)}
HELPERS |= {f for f in vars(sequences).values() if isinstance(f, FunctionType) and not is_generator(f)}


class Lifter:
    """Lifts functions, each once, so that recursion and shared helpers stay shared."""

    def __init__(self, layout: StateType) -> None:
        self.layout = layout
        self.classes = layout.classes()
        self.done: dict[tuple[Any, ...], Any] = {}
        self.recursions: list[tuple[Any, str, Any]] = []  # function, symbol, signature
        self.called: set[str] = set()  # the symbols that compiled code actually calls
        self.lifting: list[Any] = []  # functions being lifted, each because the one before mentions it
        self.kept: list[Any] = []  # keeps the owners of the ids above alive

    def function(self, function: Any, form: str = PLAIN) -> Any:
        """The Numba function for a function, unchanged or in another form."""
        function = plain(function)
        key = (id(function), form)
        if key not in self.done:
            self.kept.append(function)
            self.lifting.append(function)
            self._function(function, form, key)
            self.lifting.pop()
        return self.done[key]

    def program(self, entry: Any, signature: Any) -> list[tuple[str, Any]]:
        """The compiled overloads of ``entry`` and of all recursive functions below it, with their symbols."""
        made = [(ENTRY, compiled_for(self.function(entry), signature))]
        settled: set[str] = set()
        while self.called - settled:  # compiling one may bring in others
            for function, symbol, kinds in list(self.recursions):
                if symbol in self.called - settled:
                    settled.add(symbol)
                    made.append((symbol, compiled_for(self.function(function), kinds)))
        return made

    def _declared(self, function: FunctionType) -> Any:
        """The target of calls to a recursive function: a symbol of known type, defined when the program is linked.

        Numba would infer the types of a recursion in several rounds, compile it once for each set of
        argument types, and call it through a pointer.
        """
        for known, _, _ in self.recursions:
            if known is function:
                return self.done[id(function), "declared"]
        words = {"int": types.int64, "float": types.float64, "memory": intrinsics.MEMORY}
        words["State"] = state_type(self.layout)
        result, *arguments = (words[word] for word in function.zerosum_types)  # type: ignore[attr-defined]
        signature, symbol = result(*arguments), f"zerosum_{len(self.recursions)}_{function.__name__}"
        self.recursions.append((function, symbol, signature))
        self.kept.append(function)
        self.done[id(function), "declared"] = intrinsics.declare(symbol, signature, self.called)
        return self.done[id(function), "declared"]

    def _function(self, function: FunctionType, form: str, key: tuple[Any, ...]) -> None:
        try:
            function = natural(function, self.classes, returns_moves=form != PLAIN)
            code = loop_code(function) if form == PLAIN else fill_code(function, form)
        except KernelError as problem:
            # An error only if it is called: a function that no rule reaches does not have to compile.
            self.done[key] = njit(**OPTIONS)(refusal(str(problem), function, form in (PLAIN, YIELD)))
            return
        self.kept.append(function)
        if form != PLAIN and code is None:
            # No source to rewrite (a prompt, an exec): use the generator itself, which is slower.
            drain = {PAIRS: _drain_pairs, YIELD: _each, COUNT: _drain_count, SET: _drain_set}.get(form, _drain)
            self.done[key] = njit(**OPTIONS)(drain(self.function(function)))
            return
        closure = closure_of(function)
        scope: dict[str, Any] = {"__builtins__": __builtins__, "__name__": function.__module__}
        if code is None:
            cells = tuple(CellType() for _ in function.__code__.co_freevars)
            made = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
            made.__kwdefaults__ = function.__kwdefaults__
        else:
            # Rewritten code is at module level: free variables have become globals.
            made, cells = FunctionType(code, scope, function.__name__), ()
            if form in (PLAIN, YIELD):
                made.__defaults__ = function.__defaults__
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        options = {**OPTIONS, "fastmath": True} if hasattr(function, "zerosum_fast") else OPTIONS
        self.done[key] = njit(**options)(made)  # before its names are lifted, so that recursion finds it
        names = reached_names(made.__code__) | set(closure)
        globals_read = global_names(made.__code__)
        visible = {**{n: function.__globals__[n] for n in globals_read if n in function.__globals__}, **closure}
        for name, cell in zip(function.__code__.co_freevars, cells, strict=bool(cells)):
            if name in closure:
                cell.cell_contents = self.value(visible.pop(name), names)
        for name, value in visible.items():
            scope[name] = self.value(value, names)
        if code is not None:
            self._added_names(code, function, form, scope, {**function.__globals__, **closure})

    def _added_names(
        self, code: CodeType, function: FunctionType, form: str, scope: dict[str, Any], known: dict[str, Any]
    ) -> None:
        """Bind the names that the rewrite has introduced."""
        defaults = function.__defaults__ or ()
        arguments = function.__code__.co_varnames[: function.__code__.co_argcount]
        for name, value in zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True):
            scope[f"{DEFAULT}{name}"] = value
        for name in code.co_names:
            if name in REWRITTEN:
                scope[name] = REWRITTEN[name]
            elif name == JOIN:
                scope[name] = self.function(join_board)
            elif name.startswith(FILLER):
                scope[name] = self.function(known[name.removeprefix(FILLER)], form)

    def constant(self, value: Any) -> Any:
        """The compiled form of a constant; if there is none, a Refused, which reports that where it is used."""
        try:
            return constant(value)
        except KernelError as problem:
            return Refused(str(problem))

    def value(self, value: Any, names: frozenset[str] | set[str]) -> Any:
        """The form of ``value`` in compiled code."""
        if isinstance(value, Filling):
            return self.function(value.generator, value.form)
        if isinstance(value, _lru_cache_wrapper):
            value = plain(value)
        if isinstance(value, Dispatcher):
            return self.function(value) if is_generator(value.py_func) else value
        if isinstance(value, FunctionType) and value not in HELPERS and not is_foreign(value):
            if value in self.lifting[:-1] and not (value.__module__ or "").startswith("zerosum."):
                return njit(**OPTIONS)(refusal(_in_circle(self.lifting, value), value, True))
            return self._declared(value) if hasattr(value, "zerosum_types") else self.function(value)
        if isinstance(value, ModuleType) and not is_foreign(value):
            return self._namespace(value, names)
        if isinstance(value, type) and not is_foreign(value) and not _is_compilable_class(value):
            return self._namespace(value, names)
        return self.constant(value)

    def _namespace(self, owner: Any, names: frozenset[str] | set[str]) -> Any:
        """A stand-in for a module or class, with the attributes that the code may use."""
        stand_in = ModuleType(owner.__name__)
        for name in names:
            if hasattr(owner, name):
                setattr(stand_in, name, self.value(getattr(owner, name), names))
        return stand_in


def _is_compilable_class(cls: type) -> bool:
    return issubclass(cls, enum.Enum) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))


def _in_circle(lifting: list[Any], value: FunctionType) -> str:
    """The message for functions that call each other in a circle, which Numba compiles to a call of nothing."""
    names = [function.__name__ for function in lifting[lifting.index(value) :]]
    return f"{' and '.join(names)} call each other, which cannot be compiled: merge them into one recursive function"


def _each(function: Any) -> Any:
    """The yielding form of a compiled function whose source is not available."""

    def each(*given):  # type: ignore[no-untyped-def]
        for item in function(*given):
            yield item

    return each


def _drain(generator: Any) -> Any:
    """The buffer-filling form of a compiled function whose source is not available."""

    def fill(*given):  # type: ignore[no-untyped-def]
        out, at, end = given[-3], given[-2], given[-1]
        n, seen = at, whole(0)
        for move in generator(*given[:-3]):
            if n == end:
                return TOO_MANY
            out[n] = whole(move)
            seen |= whole(move)
            n += 1
        return n - at if 0 <= seen < 2147483648 else OUT_OF_RANGE

    return fill


def _drain_count(generator: Any) -> Any:
    """The counting form: the number of moves, at most one more than fit in the buffer."""

    def count(*given):  # type: ignore[no-untyped-def]
        at, end = given[-2], given[-1]
        n = at
        for _ in generator(*given[:-3]):
            n += 1
            if n > end:
                break
        return n - at

    return count


def _drain_set(generator: Any) -> Any:
    """The buffer-filling form for a set."""

    def fill(*given):  # type: ignore[no-untyped-def]
        out, at, end = given[-3], given[-2], given[-1]
        failed = whole(0)
        for number in generator(*given[:-3]):
            m = whole(number)
            if m >= 0 and m < end:
                out[at + (m >> 6)] |= whole(1) << (m & 63)
            else:
                failed = whole(NO_FEATURE)
        return failed

    return fill


def _drain_pairs(generator: Any) -> Any:
    """The buffer-filling form for outcomes with their probabilities."""

    def fill(*given):  # type: ignore[no-untyped-def]
        out, at, end = given[-3], given[-2], given[-1]
        n, seen = at, whole(0)
        for outcome, probability in generator(*given[:-3]):
            if n == end:
                return TOO_MANY
            out[n] = whole(outcome)
            out[n + 1] = float_word(probability)
            seen |= whole(outcome)
            n += 2
        return n - at if 0 <= seen < 2147483648 else OUT_OF_RANGE

    return fill
