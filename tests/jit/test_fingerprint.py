"""The hash that a compiled kernel is stored under covers everything that shapes it, and nothing else."""

from __future__ import annotations

import ast
import dis
import gc
import sys
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

import pytest
from samples import THOROUGH

import zerosum as zs
from zerosum.jit import kernel
from zerosum.jit.fingerprint import fingerprint, global_names
from zerosum.search.perft import PERFT

PACKAGE = Path(zs.__file__).parent


class Pile(NamedTuple):
    stones: int
    turn: int


def game_in(variables):
    """A game whose rules are defined next to these variables, as in a script."""
    scope = {"Pile": Pile, "most": 3, **variables}
    text = (
        "def moves(s):\n    for n in range(1, min(most, s.stones) + 1):\n        yield n\n"
        "def play(s, n):\n    return Pile(s.stones - n, 1 - s.turn)\n"
    )
    exec(text, scope)
    return zs.Game(
        "pile", Pile, lambda: Pile(9, 0), lambda s: s.turn, scope["moves"], scope["play"], lambda s: 1 - 2 * s.turn, 3
    )


def test_a_variable_that_is_called_like_a_field_changes_nothing():
    plain = PERFT.digest(game_in({}))
    assert {PERFT.digest(game_in({"stones": n, "turn": "mine"})) for n in (5, 6, 7)} == {plain}
    assert PERFT.digest(game_in({"most": 2})) != plain


def test_a_variable_that_is_called_like_a_field_compiles_nothing(monkeypatch):
    """``for stones in (5, 6, 7): perft(game, Pile(stones, 0), 3)`` in a script."""
    compiled = []
    usual = kernel.Kernel.compiled
    monkeypatch.setattr(kernel.Kernel, "compiled", lambda self, game: compiled.append(game) or usual(self, game))
    game = game_in({})
    scope = game.given["moves"].__globals__
    for scope["stones"] in (5, 6, 7):
        assert zs.perft(game, Pile(scope["stones"], 0), 3) == zs.perft(game, Pile(scope["stones"], 0), 3, jit=False)
    assert len(compiled) <= 1


def by_dis(code: CodeType) -> set[str]:
    """The global names, by Python's own disassembler."""
    looked_up = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
    found = {step.argval for step in dis.get_instructions(code) if step.opname in looked_up}
    return found.union(*(by_dis(constant) for constant in code.co_consts if isinstance(constant, CodeType)))


def test_names_are_read_from_code_as_pythons_own_disassembler_does():
    for name in ("chess", "backgammon", "kalah"):
        zs.load(name)
    functions = [thing for thing in gc.get_objects() if type(thing) is FunctionType]
    functions = functions[:: 7 if THOROUGH else max(1, len(functions) // 700)]
    assert len(functions) > 500
    for function in functions:
        assert global_names(function.__code__) == by_dis(function.__code__), function


def test_code_of_more_names_than_a_byte_can_count_is_read_right():
    """Also with a class inside the function, whose body looks up names differently."""
    lines = [f"    total += name_{i}" for i in range(600)]
    text = "def long():\n    total = 0\n" + "\n".join(lines)
    text += "\n    class Inner:\n        value = from_outside\n    return total"
    scope: dict = {}
    exec(text, scope)
    code = scope["long"].__code__
    assert global_names(code) == by_dis(code) >= {f"name_{i}" for i in range(600)} | {"from_outside"}


def test_a_global_function_of_the_same_name_as_an_attribute_is_followed():
    def made(value):
        scope = {"stones": eval(f"lambda s: {value}")}
        exec("def rule(s):\n    return s.stones + stones(s)", scope)
        return fingerprint(scope["rule"])

    assert made(1) == made(1) != made(2)


# The parts of these files that matter are in every fingerprint by value, or do not shape code.
SHAPELESS = {"zerosum.errors", "zerosum.game", "zerosum.jit.fingerprint"}


def test_every_file_that_shapes_code_is_part_of_every_fingerprint():
    """Every zerosum module that the compiler's files import is one of them, or is known not to shape code."""
    for name in kernel.COMPILER:
        tree = ast.parse((PACKAGE / f"{name}.py").read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("zerosum"):
                module = node.module or ""
                parts = [f"{module}.{alias.name}" for alias in node.names] if module == "zerosum.jit" else [module]
                for part in parts:
                    short = part.removeprefix("zerosum.").replace(".", "/")
                    known = short in kernel.COMPILER or f"{short}/__init__" in kernel.COMPILER
                    assert part in SHAPELESS or known, f"{name} imports {part}"


@pytest.mark.parametrize("name", kernel.COMPILER)
def test_an_edit_of_such_a_file_is_never_missed(name, monkeypatch):
    usual = Path.read_bytes
    edited = PACKAGE / f"{name}.py"
    before = kernel._platform()
    kernel._platform.cache_clear()
    monkeypatch.setattr(Path, "read_bytes", lambda path: usual(path) + (b"#" if path == edited else b""))
    try:
        assert fingerprint(kernel._platform()) != fingerprint(before)
    finally:
        kernel._platform.cache_clear()


LATE = """
class Corner:
    x: {annotation}

def moves(s):
    yield Corner.x if hasattr(Corner, "x") else 1
"""


@pytest.mark.skipif(sys.version_info < (3, 14), reason="until Python 3.13 annotations are evaluated with the class")
def test_annotations_that_only_a_type_checker_understands_are_taken_as_text():
    def moves(annotation):
        scope: dict[str, object] = {"__name__": "a_game"}
        exec(LATE.format(annotation=annotation), scope)
        return scope["moves"]

    assert fingerprint(moves("Unknown")) == fingerprint(moves("Unknown")) != fingerprint(moves("Other"))
    assert fingerprint(moves("int")) != fingerprint(moves("Unknown"))


def test_every_attribute_of_a_module_counts_that_any_function_means():
    """Two rules share a module of constants, and each uses a different one."""
    constants = ModuleType("constants")
    constants.FIRST, constants.SECOND = 1, 2
    scope = {"constants": constants}
    exec("def one():\n    return constants.FIRST\ndef two():\n    return constants.SECOND", scope)
    before = fingerprint(scope["one"], scope["two"])
    constants.SECOND = 3
    assert fingerprint(scope["one"], scope["two"]) != before
