"""Code has the same steps wherever the modules that it uses were imported: in the same file, or in another cell."""

from __future__ import annotations

import ast
import dis
import linecache
import sys
from array import array
from pathlib import Path
from types import CodeType

import pytest

import zerosum as zs
from zerosum.jit.fingerprint import fingerprint
from zerosum.jit.sources import source_of
from zerosum.jit.steps import steps_of

PACKAGE = Path(zs.__file__).parent
FILES = sorted(PACKAGE.glob("games/*.py"))


def inner(code: CodeType) -> list[CodeType]:
    """All code inside this code, depth first."""
    direct = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [found for each in direct for found in (each, *inner(each))]


def as_file(tree: ast.Module) -> list[CodeType]:
    return inner(compile(tree, "", "exec", dont_inherit=True))


def as_cells(tree: ast.Module) -> list[CodeType]:
    """The code of a file with each statement compiled alone, as in a notebook with a cell for each."""
    future = annotations.compiler_flag
    cells = [compile(ast.Module([node], []), "", "exec", future, dont_inherit=True) for node in tree.body]
    return [code for cell in cells for code in inner(cell)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_and_cells_have_the_same_steps(file):
    tree = ast.parse(file.read_text())
    assert [steps_of(code) for code in as_file(tree)] == [steps_of(code) for code in as_cells(tree)]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 compiles both in the same way")
def test_without_that_the_code_itself_differs():
    trees = [ast.parse(file.read_text()) for file in FILES]
    assert any([c.co_code for c in as_file(tree)] != [c.co_code for c in as_cells(tree)] for tree in trees)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10's code is taken as it is")
def test_jumps_lead_where_pythons_own_disassembler_says():
    jumps = 0
    for file in FILES:
        for code in as_file(ast.parse(file.read_text())):
            left_out = ("EXTENDED_ARG", "PUSH_NULL", "CACHE")
            steps = [step for step in dis.get_instructions(code) if step.opname not in left_out]
            begins = [step.offset for step in steps]
            words = steps_of(code)
            found = array("q", words[len(words) // 9 :])
            for number, step in enumerate(steps):
                if step.opcode in dis.hasjrel:
                    jumps += 1
                    assert found[number] == sum(begin < step.argval for begin in begins), (code, step)
    assert jumps > 300


def test_other_code_has_other_steps():
    texts = [
        "for x in s:\n    if x: break\n    y = f(x)",
        "for x in s:\n    if x: continue\n    y = f(x)",
        "for x in s:\n    y = f(x)\n    if x: break",
        "for x in s:\n    if x: y = f(x)",
        "for x in s:\n    y = x.f()",
        "for x in s:\n    y = x.f",
        "while s:\n    if s: break",
        "while s:\n    while s: break",
    ]
    # Names and constants are compared apart from the steps.
    codes = [compile(text, "", "exec") for text in texts]
    assert len({(steps_of(code), code.co_names, code.co_consts) for code in codes}) == len(texts)


CELLS = (
    "import math\nfrom typing import NamedTuple",
    "class Pile(NamedTuple):\n    stones: int\n    heap: tuple[int, int]",
    "class Board(NamedTuple):\n    pile: Pile\n    turn: int",
    "def rule(s):\n    return Board(Pile(math.isqrt(s.turn), (1, 2)), s.turn)",
)


def made_by(texts, module="__main__"):
    """The fingerprint of ``rule`` when each of these texts is compiled alone, in a module of this name."""
    scope = {"__name__": module}
    for text in texts:
        exec(compile(text, "", "exec", dont_inherit=True), scope)
    return fingerprint(scope["rule"])


def test_a_rule_is_the_same_in_a_script_in_a_module_and_in_cells():
    file = "\n".join(CELLS)
    script = made_by([file])
    assert made_by(CELLS) == script
    assert made_by([file], module="zerosum_file_board") == script
    assert made_by(["from __future__ import annotations\n" + file]) == script
    assert made_by([file.replace("isqrt", "factorial")]) != script
    assert made_by([file.replace("turn: int", "turn: bool")]) != script


def test_the_source_of_a_lambda_that_calls_a_function_of_a_module_is_found(monkeypatch):
    text = "import math\nrule = lambda s: sum(math.isqrt(x) for x in s)\n"
    scope: dict = {}
    exec(compile(text, "<a file>", "exec"), scope)
    monkeypatch.setitem(linecache.cache, "<a file>", (len(text), None, text.splitlines(True), "<a file>"))
    assert source_of(scope["rule"]) is not None
