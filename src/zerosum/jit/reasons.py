"""Numba's messages, translated for readers who do not know Numba: a reason, and what to write instead.

``REASONS`` maps Numba's messages to ours. Messages that are not in it are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from zerosum.errors import nearest

_NOISE = re.compile(
    r"^(During:|File |Failed in |This error|This is|- Resolution|Rejected as|In function|- argument|Overload|"
    r"raised from|Invalid use of type|\d+\.|>>>|For more|<source|\^|def |There are|- Of which|With argument|"
    r"Known signatures|\* |$)"
)

SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "iadd": "+=",
    "isub": "-=",
    "imul": "*=",
    "contains": "in",
}

OPCODES = {
    "LOAD_BUILD_CLASS": "a class cannot be defined inside a rule: move it to the top level of the module",
    "STORE_GLOBAL": "rules must not change module-level variables: what changes must be a field of the State",
    "MATCH_SEQUENCE": "'match' works only on single numbers here: compare the items of a tuple with 'if'",
    "MATCH_CLASS": "'match' works only on single numbers here: compare fields with 'if'",
    "MATCH_MAPPING": "'match' works only on single numbers here: use 'if'",
    "DICT_UPDATE": "**arguments cannot be compiled: write them out",
    "CALL_FUNCTION_EX": "**arguments cannot be compiled: write them out",
    "FORMAT_VALUE": "f-strings cannot be compiled: use them only in functions that display, such as show(s)",
    "BUILD_STRING": "f-strings cannot be compiled: use them only in functions that display, such as show(s)",
}


def kind(text: str) -> str:
    """A Numba type in words.

    >>> kind("int64"), kind("UniTuple(int64 x 6)"), kind("Literal[str](a)"), kind("OptionalType(int64)")
    ('a whole number', 'a tuple of 6', 'a string', 'a whole number or nothing')
    """
    text = text.strip().removeprefix("omitted(default=").strip()
    if text.startswith(("Literal[int]", "int", "uint")):
        return "a whole number"
    if text.startswith("float"):
        return "a float"
    if text.startswith(("bool", "Literal[bool]")):
        return "a truth value"
    if text.startswith(("unicode", "Literal[str]")):
        return "a string"
    if text.startswith("none"):
        return "nothing"
    if text.startswith(("OptionalType(", "Optional(", "?")):
        inner = text.partition("(")[2].rstrip(")") if "(" in text else text.lstrip("?")
        return f"{kind(inner)} or nothing"
    if uniform := re.match(r"UniTuple\(.* x (\d+)\)", text):
        return f"a tuple of {uniform[1]}"
    if text.startswith(("Tuple(", "()")):
        return f"a tuple of {_items(text)}" if text != "()" else "an empty tuple"
    for start, words in KINDS:
        if start in text:
            return words
    if named := re.match(r"([A-Za-z_]\w*)\(", text):
        return f"a {named[1]}"
    return text


KINDS = (
    ("reflected list", "a list"),
    ("ListType", "a list"),
    ("reflected set", "a set"),
    ("DictType", "a dictionary"),
    ("lookup of", "a dictionary or set"),
    ("rows of", "a table"),
    ("range", "a range"),
    ("array(", "an array"),
    ("generator(", "a generator"),
    ("Function(", "a function"),
    ("Dispatcher", "a function"),
)


def _items(text: str) -> int:
    """The number of items in a tuple's type."""
    depth, count = 0, 1
    for character in text[6:-1]:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        count += character == "," and depth == 0
    return count


def reason(text: str, names: Mapping[str, Any], classes: Mapping[str, type]) -> str:
    """The reason for a refusal; ``names`` are the function's globals, ``classes`` those of the State."""
    for pattern, explain in REASONS:
        found = pattern.search(text)
        if found:
            words = explain(found, names, classes)
            if words:
                return words
    lines = [line.strip() for line in text.splitlines()]
    useful = [line for line in lines if not _NOISE.match(line)]
    quoted = useful[0].rstrip(":") if useful else (lines[0] if lines else "no reason")
    return f"the compiler, Numba, says: {quoted}"


def _attribute(found: re.Match[str], names: Mapping[str, Any], classes: Mapping[str, type]) -> str:
    name, owner = found[1], found[2].strip()
    cls = next((cls for title, cls in classes.items() if re.match(rf"(class\()?.*\b{title}\b", owner)), None)
    if cls is not None:
        fields = cls._fields  # type: ignore[attr-defined]
        return f"{cls.__name__} has no field {name!r}; its fields are {', '.join(fields)}{nearest(name, fields)}"
    module = re.match(r"Module\(<module '([\w.]+)'", owner)
    if module:
        return f"{module[1]}.{name} is not supported in compiled rules: write out what it does"
    what = kind(owner)
    hint = "; a tuple never changes: change a copy, b = list(items), then use tuple(b), which must have the same length"
    return f"{what} has no method {name!r}{hint if what.startswith('a tuple') else ''}"


def _global(found: re.Match[str], names: Mapping[str, Any], classes: Mapping[str, type]) -> str:
    name, what = found[1], found[2].rpartition(".")[2]
    if what in ("builtin_function_or_method", "type", "method", "method_descriptor"):
        return f"{name} is not supported in compiled rules: write out what it does"
    if what == "module":
        return f"the module {name} is not supported in compiled rules"
    return (
        f"{name} is an instance of {what}, which compiled rules cannot use: keep its numbers in constants, tuples, "
        f"lists, a NamedTuple, or class attributes, as in {what}.size = 3"
    )


def _call(found: re.Match[str], names: Mapping[str, Any], classes: Mapping[str, type]) -> str:
    name = found[1].rpartition(".")[2]
    kinds = [kind(part) for part in _split(found[2])]
    if name in ("getitem", "static_getitem") and len(kinds) == 2:
        if kinds[1] != "a whole number":
            return f"an index must be a whole number, not {kinds[1]}: use // to divide"
        return f"{kinds[0]} whose items have different types can only be indexed by constants"
    if name in SIGNS and len(kinds) == 2:
        return f"'{SIGNS[name]}' cannot be used between {kinds[0]} and {kinds[1]}"
    if name in ("setitem", "static_setitem"):
        return f"{kinds[0]} cannot be changed like this: a tuple or a constant never changes"
    if name == "tuple":
        return "the length of this tuple is not known before the game runs: make it from another tuple or from a range"
    if name in ("refused", "compile") or name.startswith("_"):
        return ""
    return f"{name} is not supported in compiled rules for {' and '.join(kinds) or 'no arguments'}"


def _split(text: str) -> list[str]:
    """The types of a signature."""
    parts, depth, last = [], 0, 0
    for i, character in enumerate(text):
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1, ">": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [part.strip() for part in (*parts, text[last:]) if part.strip()]


def _arguments(found: re.Match[str], names: Mapping[str, Any], classes: Mapping[str, type]) -> str:
    why = found[2].rstrip('."').replace("TypeError: ", "")
    return f"a function with the parameters ({found[1]}) is called with other arguments: {why}"


def _unify(found: re.Match[str], names: Mapping[str, Any], classes: Mapping[str, type]) -> str:
    name = re.sub(r"\.\d+$", "", found[3])
    one, other = kind(found[1]), kind(found[2])
    if name.startswith("$"):
        return f"this is {one} in one case and {other} in another: both must have the same type"
    return f"{name} is {one} in one place and {other} in another: use a different variable for each"


REASONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Mapping[str, Any], Mapping[str, type]], str]], ...] = (
    (re.compile(r"NameError: name '(\w+)' is not defined"), lambda m, n, c: f"{m[1]} is not defined{nearest(m[1], n)}"),
    (re.compile(r"Unknown attribute '(\w+)' of type (.+)"), _attribute),
    (re.compile(r"Untyped global name '(\w+)':\s*Cannot determine Numba type of <class '([\w.<>]+)'>"), _global),
    (re.compile(r"Cannot bind 'args=.*' to signature '\((.*)\)' due to \"(.*)\""), _arguments),
    (
        re.compile(r"too many positional arguments|got some positional|missing a required argument"),
        lambda m, n, c: f"a function is called with the wrong arguments: {m[0]}",
    ),
    (
        re.compile(r"Invalid use of getiter with parameters \((.*)\)"),
        lambda m, n, c: f"{kind(m[1])} cannot be looped over{': use range(...)' if 'number' in kind(m[1]) else ''}",
    ),
    (re.compile(r"[Cc]annot unify (.+?) and (.+?) for '(.+?)', defined"), _unify),
    (
        re.compile(r"(?:list|List|set|Set|dict|Dict\w*)[\[(<](?:undefined)"),
        lambda m, n, c: "it is unclear what this empty list, set or dictionary will hold: add an item to it",
    ),
    (
        re.compile(r"The use of a (?:reflected )?\w+.* type, assigned to variable '(\w+)' in globals"),
        lambda m, n, c: (
            f"{m[1]} mixes different types, or holds strings: in compiled rules a list or table may hold only numbers"
        ),
    ),
    (
        re.compile(r"Int value is too large: (-?\d+)"),
        lambda m, n, c: f"{m[1]} has more than 64 bits: split the board into two fields",
    ),
    (
        re.compile(
            r"No implementation of function Function\(<(?:built-in function|class|ufunc|function|method) "
            r"'?([\w.<>]+?)'?(?: at 0x[0-9a-f]+)?>\) found for signature:\s*>>> \w+\((.*)\)"
        ),
        _call,
    ),
    (
        re.compile(r"Cannot capture the non-constant value associated with variable '(\w+)'"),
        lambda m, n, c: f"a function that uses {m[1]} is passed to another one: call it directly instead",
    ),
    (
        re.compile(r"use of yield in a closure"),
        lambda m, n, c: "a generator inside a rule cannot be compiled here: make it a function at module level",
    ),
    (
        re.compile(r"(?:runaway recursion|type-?infer\w* recursion|recursion)"),
        lambda m, n, c: "a recursive function must first have a case in which it does not call itself",
    ),
    (re.compile(r"unsupported opcode \((\w+)\)"), lambda m, n, c: OPCODES.get(m[1], "")),
    (
        re.compile(r"Type of variable '.*' cannot be determined"),
        lambda m, n, c: "the type of a value cannot be determined here: assign to its variable first",
    ),
    (
        re.compile(r"variable '(\w+)' is not in scope|Variable '?(\w+)'? (?:is not defined|referenced before)"),
        lambda m, n, c: f"{m[1] or m[2]} is read before it has a value",
    ),
    (
        re.compile(r"(?:an integer|a number) is needed here, not (.+)"),
        lambda m, n, c: f"a whole number is needed here, not {kind(m[1])}",
    ),
)
"""Numba's messages, each with our translation."""
