"""A hash of what a function *is*: its code and everything that the code can reach.

Two processes that define the same rules get the same hash, wherever the rules are defined (a package, a script
run directly, a notebook cell). An edit to a rule, a helper in another module, a constant or a class
attribute changes the hash.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from dis import EXTENDED_ARG, opmap
from functools import lru_cache
from inspect import getattr_static
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from zerosum.contract import plain
from zerosum.jit.steps import steps_of

# The code of these modules is fixed by their versions, which are part of every kernel's hash.
FOREIGN = sys.stdlib_module_names - {"__main__"} | {"numpy", "numba", "llvmlite"}

_TUPLES = {"_replace", "_make", "_asdict", "_fields", "_field_defaults", *dir(tuple)}
"""The attributes of every NamedTuple."""

LOAD_GLOBAL = opmap["LOAD_GLOBAL"]
PUSHES_NULL = 1 if sys.version_info >= (3, 11) else 0
"""How many of the lowest bits of LOAD_GLOBAL's argument do not belong to the index of the name."""

POSTPONED = annotations.compiler_flag
"""The flag of code in a file with ``from __future__ import annotations``, which changes nothing else in the code."""

LOAD_BY_NAME = {opmap[name] for name in ("LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS") if name in opmap}
"""How the body of a class inside a function looks up names."""


def fingerprint(*things: Any, classes: Iterable[type] = ()) -> str:
    """The hash of functions and of any values that they depend on.

    ``classes`` are those whose methods and properties the functions may call: every member that the code mentions by
    name is included.

    >>> def one(x): return x + 1
    >>> def two(x): return x + 2
    >>> fingerprint(one) == fingerprint(one), fingerprint(one) == fingerprint(two)
    (True, False)
    """
    walk = _Walk()
    for thing in things:
        walk.feed(thing, frozenset())
    walk.members(list(classes))
    return walk.digest().hex()


def reached_names(code: CodeType) -> frozenset[str]:
    """All global and attribute names in a function's code, nested functions included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= reached_names(constant)
    return frozenset(names)


def global_names(code: CodeType) -> frozenset[str]:
    """The names that a function's code looks up among its globals, nested functions included.

    Attributes are not among them: ``s.stones`` has nothing to do with a global variable ``stones``.

    >>> sorted(global_names((lambda s: s.stones + len(s.heaps)).__code__))
    ['len']
    """
    found, extended = set(), 0
    steps = iter(code.co_code)
    # About twenty times as fast as dis. That matters: every start does this for every function.
    for operation, low in zip(steps, steps, strict=True):
        argument = extended | low
        extended = argument << 8 if operation == EXTENDED_ARG else 0
        if operation == LOAD_GLOBAL:
            found.add(code.co_names[argument >> PUSHES_NULL])
        elif operation in LOAD_BY_NAME:
            found.add(code.co_names[argument])
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= global_names(constant)
    return frozenset(found)


def closure_of(function: FunctionType) -> dict[str, Any]:
    """The function's free variables that are already bound."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # an empty cell: a name that is assigned later
            continue
    return found


def is_foreign(thing: Any) -> bool:
    """Whether a module, class or function belongs to Python, NumPy or Numba rather than to a game."""
    module = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in FOREIGN


def annotations_of(cls: type) -> dict[str, Any]:
    """The annotations of a class's fields; as strings if they cannot be evaluated.

    From Python 3.14 on they are evaluated on access, and may refer to names that only type checkers import.
    """
    try:
        return dict(getattr(cls, "__annotations__", {}))
    except NameError:
        if sys.version_info >= (3, 14):
            from annotationlib import Format, get_annotations

            return get_annotations(cls, format=Format.STRING)
        raise


def _fields_as_text(cls: type) -> list[str]:
    """A class's fields with their annotations, the same in a script and in a module, evaluated or not."""
    return [
        f"{name}: {_as_text(annotation)}".replace(f"{cls.__module__}.", "")
        for name, annotation in annotations_of(cls).items()
    ]


def _as_text(annotation: Any) -> str:
    if issubclass(type(annotation), type):
        return str(annotation.__name__)
    return str(getattr(annotation, "__forward_arg__", annotation))


def own_names(cls: type) -> set[str]:
    """The names that a class and its bases define, without Python's own."""
    return {name for base in cls.__mro__ if base not in (tuple, object) for name in vars(base)} - _TUPLES


class Code(NamedTuple):
    """Facts about a function's code that do not depend on what its names refer to."""

    hash: bytes
    names: frozenset[str]  # of globals and attributes
    globals: frozenset[str]


@lru_cache(maxsize=4096)  # every engine needs this for all functions of its kernel, and code never changes
def code_facts(code: CodeType) -> Code:
    walk = _Walk()
    walk.put("code", steps_of(code), code.co_flags & ~POSTPONED, code.co_argcount, code.co_names, code.co_freevars)
    for constant in code.co_consts:
        walk.feed(constant, frozenset())
    return Code(walk.digest(), reached_names(code), global_names(code))


class _Walk:
    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.seen: dict[int, int] = {}
        self.asked: dict[int, set[str]] = {}  # of modules, classes and objects: the attributes that are already hashed
        self.alive: list[Any] = []  # keeps objects alive, so that no id is reused during the walk
        self.mentioned: set[str] = set()  # all names in the code visited so far

    def put(self, *words: object) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else repr(word).encode()
            self.parts += (len(data).to_bytes(8, "little"), data)

    def digest(self) -> bytes:
        return hashlib.sha256(b"".join(self.parts)).digest()

    def feed(self, thing: Any, names: frozenset[str]) -> None:
        """Hash ``thing``; of modules, classes and objects only the attributes among ``names``."""
        thing = plain(thing) if not isinstance(thing, type) else thing
        if isinstance(thing, property):
            thing = thing.fget
        elif isinstance(thing, (staticmethod, classmethod, MethodType)):
            thing = thing.__func__
        if thing is None or isinstance(thing, (bool, int, float, complex, str, bytes)):
            self.put(type(thing).__name__, thing)
        elif hasattr(thing, "tobytes") and not isinstance(thing, type):
            self.put("array", str(thing.dtype), thing.shape, thing.tobytes())
        elif isinstance(thing, CodeType):
            self.put(code_facts(thing).hash)
        elif isinstance(thing, (tuple, list)):
            self.put(type(thing).__name__, len(thing))
            for item in thing:
                self.feed(item, names)
        elif isinstance(thing, (set, frozenset)):
            self.put("set", sorted(map(repr, thing)))
        elif isinstance(thing, dict):
            self.put("dict", len(thing))
            for key in sorted(thing, key=repr):
                self.put(key)
                self.feed(thing[key], names)
        elif isinstance(thing, (BuiltinFunctionType, type)) and is_foreign(thing):
            self.put("foreign", thing.__module__, thing.__qualname__)
        elif isinstance(thing, ModuleType) and is_foreign(thing):
            self.put("module", thing.__name__)
        elif id(thing) in self.seen:
            self.put("again", self.seen[id(thing)])
            if not isinstance(thing, FunctionType) and names - self.asked[id(thing)]:
                self.attributes(thing, names)  # another function may use other attributes
        else:
            self.seen[id(thing)] = len(self.seen)
            self.alive.append(thing)
            if isinstance(thing, FunctionType):
                self.function(thing)
            else:
                self.attributes(thing, names)

    def members(self, classes: list[type]) -> None:
        """Hash the members of the classes that the code mentions, then those that their code mentions, and so on."""
        done: set[tuple[int, str]] = set()
        while True:
            new = [(i, name) for i, cls in enumerate(classes) for name in sorted(self.mentioned & own_names(cls))]
            new = [member for member in new if member not in done]
            if not new:
                return
            for i, name in new:
                done.add((i, name))
                self.put("member", i, name)
                self.feed(getattr_static(classes[i], name), frozenset(self.mentioned))

    def function(self, function: FunctionType) -> None:
        self.put("function", function.__name__)
        if hasattr(function, "zerosum_fast"):
            self.put("fast")
        code = code_facts(function.__code__)
        self.put(code.hash)
        self.mentioned |= code.names
        self.feed(function.__defaults__, frozenset())
        self.feed(function.__kwdefaults__, frozenset())
        variables = function.__globals__
        reached = {n: variables[n] for n in code.globals if n in variables}
        reached |= closure_of(function)
        for name in sorted(reached):
            self.put(name)
            self.feed(reached[name], code.names)

    def attributes(self, thing: Any, names: frozenset[str]) -> None:
        """Hash a module, a class, or an object: its name and the attributes that the code may use.

        For an instance of a dataclass these are all fields, since the code may pass it to a function that uses others.
        """
        kind = thing if isinstance(thing, (type, ModuleType)) else type(thing)
        self.put("object", kind.__name__)
        if is_dataclass(thing) and not isinstance(thing, type):
            names = names | {field.name for field in fields(thing)}
        if isinstance(thing, type):
            self.put(getattr(thing, "_fields", None), sorted(_fields_as_text(thing)))
        asked = self.asked.setdefault(id(thing), set())
        new = names - asked
        asked |= new
        for name in sorted(new):
            try:
                value = getattr(thing, name)
            except AttributeError:
                continue
            self.put(name)
            self.feed(value, names)
