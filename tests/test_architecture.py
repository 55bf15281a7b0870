"""The rooms of ARCHITECTURE.md are those of the source, and imports point the way that it says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

import zerosum

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "zerosum"
MAP = ROOT / "ARCHITECTURE.md"
BLOCK = re.compile(r"^```text\nsrc/zerosum/\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROOMS = re.compile(r"^  (\w\S*(?:, \S+)*)(?:  |$)", re.MULTILINE)

ON_PURPOSE = {("zerosum.game", "zerosum.jit.compiled"), ("zerosum.displayed", "zerosum.notebook.shown")}
"""Imports against the order, each with its reason in ARCHITECTURE.md."""

OUTSIDE = {"__init__", "__main__"}
"""Modules outside the list, which may import any room."""


NOT_IMPORTED = {"__main__.py", "__pycache__", "py.typed"}


class Import(NamedTuple):
    """One module that another one imports, anywhere in its code."""

    by: str
    of: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.by}, line {self.line}, imports {self.of}"


@pytest.mark.parametrize(
    "path", [path for path in sorted(SOURCE.iterdir()) if path.name not in NOT_IMPORTED], ids=lambda path: path.stem
)
def test_every_module_can_be_imported(path: Path):
    """This includes modules that no other test needs; none of them warns."""
    for module in [path] if path.suffix == ".py" else path.rglob("*.py"):
        import_module(".".join(module.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"))


def rooms() -> list[str]:
    """The rooms in order: each imports only those before it."""
    found = BLOCK.search(MAP.read_text(encoding="utf-8"))
    assert found, "ARCHITECTURE.md has no list of the rooms"
    listed = ROOMS.findall(found[1].partition("\ntests/")[0])
    return [name.strip().removesuffix(".py").rstrip("/") for names in listed for name in names.split(",")]


def room(module: str) -> str:
    return module.split(".")[1]


def module_at(path: Path) -> str:
    return ".".join(("zerosum", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def is_module(name: str) -> bool:
    path = SOURCE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def imports(by: str, tree: ast.AST) -> Iterator[Import]:
    """All imports of zerosum's own modules, including those inside functions and by name, for ``import_module``.

    Imports for type checkers only do not count.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports(by, ast.Module(node.orelse, []))
            continue
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{by}, line {node.lineno}: a relative import, which nothing here can follow"
            if node.module == "zerosum":
                yield from (Import(by, home(alias.name), node.lineno) for alias in node.names if alias.name[0] != "_")
            elif (node.module or "").startswith("zerosum."):
                whole = [f"{node.module}.{alias.name}" for alias in node.names]
                yield from (Import(by, name if is_module(name) else node.module or "", node.lineno) for name in whole)
        elif isinstance(node, ast.Import):
            yield from (Import(by, a.name, node.lineno) for a in node.names if a.name.partition(".")[0] == "zerosum")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.partition(":")[0]
            if re.fullmatch(r"zerosum(\.\w+)+", name) and is_module(name):
                yield Import(by, name, node.lineno)
        yield from imports(by, node)


def home(name: str) -> str:
    """The module of a name in the package: a room, or the home of a public name."""
    return f"zerosum.{zerosum._HOMES.get(name, name)}"


@lru_cache(maxsize=1)
def imports_of_source() -> tuple[Import, ...]:
    found: list[Import] = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).with_suffix("").name in OUTSIDE and path.parent == SOURCE:
            continue
        found += list(imports(module_at(path), ast.parse(path.read_text(encoding="utf-8"))))
    return tuple(found)


def against(order: list[str], found: Iterable[Import]) -> list[Import]:
    """The imports that point neither to an earlier room nor to their own."""
    # Only templates are written as users write games: they import zerosum itself.
    found = [one for one in found if not (one.of == "zerosum" and room(one.by) == "templates")]
    return [one for one in found if one.of == "zerosum" or order.index(room(one.of)) > order.index(room(one.by))]


def test_every_file_and_folder_is_a_room_of_the_map_and_every_room_exists():
    there = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert sorted(rooms()) == sorted(there - OUTSIDE)


def test_every_file_that_the_map_names_exists():
    named = re.findall(r"(?<![\w/])[\w/-]+\.(?:py|md|js|html)\b", MAP.read_text(encoding="utf-8"))
    assert len(named) > 100
    assert not {name for name in named if not ((SOURCE / name).exists() or (ROOT / name).exists())} - {"my_game.py"}


def test_imports_point_one_way():
    wrong = [one for one in against(rooms(), imports_of_source()) if (one.by, one.of) not in ON_PURPOSE]
    assert not wrong, "against the order of ARCHITECTURE.md:\n" + "\n".join(map(str, wrong))


def test_the_exceptions_are_still_needed():
    assert {(one.by, one.of) for one in against(rooms(), imports_of_source())} >= ON_PURPOSE


@pytest.mark.parametrize("blind", ["jit", "search", "endgame", "engine"])
def test_what_searches_knows_no_game(blind):
    """Games are passed as arguments, so that users' games are treated like those of the package."""
    assert not [str(one) for one in imports_of_source() if room(one.by) == blind and room(one.of) == "games"]


@pytest.mark.parametrize(
    "text",
    [
        "import zerosum.cli",
        "from zerosum import cli",
        "from zerosum import Engine",
        "import zerosum as zs",
        "from zerosum.search import memory",
        "def late():\n    if True:\n        from zerosum.search.memory import SWITCHES",
        "import_module('zerosum.search.memory')",
        "if TYPE_CHECKING:\n    pass\nelse:\n    import zerosum.engine",
    ],
)
def test_an_import_against_the_order_is_found(text):
    assert against(rooms(), imports("zerosum.jit.rules", ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "from zerosum.game import Game",
        "from zerosum import __version__, Game",
        "if TYPE_CHECKING:\n    from zerosum.engine import Engine",
        "'zerosum.no_such.module'",
        "import numpy",
    ],
)
def test_other_imports_are_not(text):
    assert not against(rooms(), imports("zerosum.jit.rules", ast.parse(text)))
