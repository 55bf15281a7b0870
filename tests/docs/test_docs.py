"""The documents are correct: their code runs, their commands print what is shown, and their links work.

A fenced block is ``python`` (run, all blocks of a document in one namespace), ``python FILE`` (appended to
that file, or part of that file of the repository), ``sh`` (each line is run) or ``console`` (each
``$ zerosum …`` and ``$ python FILE`` is run, and its output compared with the lines below it), or ``text``, which is
not run: commands that take hours. In shown output
``...`` matches anything, and times, speeds and node counts may differ.
"""

from __future__ import annotations

import ast
import io
import re
import runpy
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from samples import THOROUGH

from zerosum import __version__
from zerosum.cli import COMMANDS, main
from zerosum.games import GAMES

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    path for path in sorted(ROOT.rglob("*.md")) if not any(p.startswith(".") for p in path.relative_to(ROOT).parts)
]
NOT_CHECKED = ("toml", "text")
NOT_RUN = ["python -m venv .venv", ". .venv/bin/activate", "pip install .", "pip install -e '.[test]' && pytest"]
ANY_SIZE = "any_size.py"
"""The file that the tutorial makes from a copy of another."""
ALONE = "checkers-2"
"""A word of commands that need kernels of their own: they run uncompiled unless the run is thorough."""
PROMPT = re.compile(r"^(?:Your|MAX's|MIN's) move: (.+)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language, its file or '', its text, and its line."""

    language: str
    file: str
    text: str
    line: int


def blocks(document: Path) -> Iterator[Block]:
    text = document.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Block(found[1], found[2] or "", found[3], text[: found.start()].count("\n") + 2)


def of_any_size(fixed: str, head: str, end: str) -> str:
    """hexapawn.py after what step 7 of the tutorial tells the reader to do with a copy of it."""
    above, line, below = fixed.partition("width, height = 5, 5\n")
    assert line
    kept = [one for one in below.splitlines(True) if not one.startswith("game =")]
    return above + head + textwrap.indent("".join(kept), "    ") + "\n" + end


def forget(folder: Path) -> None:
    """Forget the modules of a folder: each command is a program of its own."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


class Reader:
    """Runs everything in a document, in order, in an empty folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.monkeypatch, self.capsys = folder, monkeypatch, capsys
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.parts: list[str] = []
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "path", [str(folder), *sys.path])

    def follow(self, document: Path) -> None:
        for block in blocks(document):
            where = f"{document.name}, line {block.line}"
            if block.language == "console":
                self.type(block.text, where)
            elif block.language == "sh":
                self.type(re.sub("^", "$ ", block.text.rstrip("\n"), flags=re.MULTILINE) + "\n", where)
            elif block.language == "python" and not block.file:
                self.run(block, document)
            elif block.file == ANY_SIZE:
                self.parts.append(block.text)
                if len(self.parts) == 2:
                    fixed = (self.folder / "hexapawn.py").read_text(encoding="utf-8")
                    (self.folder / ANY_SIZE).write_text(of_any_size(fixed, *self.parts), encoding="utf-8")
            elif block.language == "python" and (ROOT / block.file).exists():
                assert block.text in (ROOT / block.file).read_text(encoding="utf-8"), f"{where}: not in {block.file}"
            elif block.language == "python":
                with (self.folder / block.file).open("a", encoding="utf-8") as file:
                    file.write(("\n\n" if file.tell() else "") + block.text)
            else:
                assert block.language in NOT_CHECKED, f"{where}: a block of {block.language!r}, which nothing checks"

    def run(self, block: Block, document: Path) -> None:
        # From a file, so that rules in the block have source code, as in a script or a notebook.
        path = self.folder / f"{document.stem}_{block.line}.py"
        path.write_text(block.text, encoding="utf-8")
        exec(compile(block.text, str(path), "exec"), self.names)

    def type(self, session: str, where: str) -> None:
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE):
            program, *arguments = shlex.split(command)
            forget(self.folder)
            if program == "python" and arguments[0].endswith(".py"):
                self.capsys.readouterr()
                runpy.run_path(arguments[0], run_name="__main__")
                printed = self.capsys.readouterr().out
                assert re.fullmatch(as_pattern(shown, False), printed), f"{where}: {command} printed\n{printed}"
                continue
            if program != "zerosum":
                assert command in NOT_RUN, f"{where}: {command!r} is not run by this test"
                continue
            typed = "".join(f"{text}\n" for text in PROMPT.findall(shown))
            self.capsys.readouterr()
            with self.monkeypatch.context() as patch:
                patch.setattr(sys, "stdin", io.StringIO(typed))
                if not typed:  # quit at the first prompt, without waiting for compilation
                    patch.setattr("zerosum.cli.opponent.Opponent.warm_up", lambda opponent: None)
                if ALONE in arguments and not THOROUGH:
                    patch.setenv("NUMBA_DISABLE_JIT", "1")
                code = main(arguments)
            out, err = self.capsys.readouterr()
            err = "".join(line for line in err.splitlines(True) if not line.startswith("zerosum: compiling"))
            is_complaint = shown.startswith("zerosum: ")
            expected = 2 if is_complaint else 1 if "\nfailed: " in shown else 0
            assert code == expected, f"{where}: {command} gave {code}: {err}"
            printed = err if is_complaint else out
            if shown:
                pattern = as_pattern(shown, exact_counts=arguments[0] == "perft")
                assert re.fullmatch(pattern, printed), f"{where}: {command} shows\n{shown}\nbut printed\n{printed}"


def as_pattern(shown: str, exact_counts: bool) -> str:
    """A pattern for the output of a command, from the output shown in a document."""
    lines = [line.rstrip() for line in shown.splitlines()]
    return "".join(r"(?:.*\n)*?" if line == "..." else line_pattern(line, exact_counts) + r"\s*?\n" for line in lines)


SPEED = r"[\d.,]+ [kMG]?/s"
# What may differ from run to run: a pattern to find it in a document, and a pattern that replaces it.
VARYING = {
    SPEED: SPEED,
    r"[\d.]+ m?s\b": r"(?:[\d.]+ m?s|\d+:\d\d)",
    rf"[\d,]+(?=(?: nodes,)?\s+{SPEED})": r"[\d,]+",  # a count of positions before a speed
    r"\d+(?= positions$)": r"\d+",
    r"\.\.\.": ".*",
    r"\s+": r"\s+",
}


def line_pattern(line: str, exact_counts: bool) -> str:
    kinds = [kind for kind in VARYING if not (exact_counts and "nodes" in kind)]
    pattern, at = "", 0
    for found in re.finditer("|".join(f"({kind})" for kind in kinds), line):
        pattern += re.escape(line[at : found.start()]) + VARYING[kinds[(found.lastindex or 0) - 1]]
        at = found.end()
    return pattern + re.escape(line[at:])


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "docs/contract.md",
        "docs/checking.md",
        "docs/certificates.md",
        "docs/classroom.md",
        "docs/gallery.md",
        "docs/ladder.md",
        "docs/quiz.md",
        "docs/chess-files.md",
        "docs/arena.md",
        "docs/uci.md",
        "docs/nboard.md",
        "docs/serve.md",
        "docs/boards.md",
        "docs/notebooks.md",
        pytest.param(
            "docs/neighbours.md",
            marks=(
                pytest.mark.slow,
                pytest.mark.skipif(
                    not (find_spec("pyspiel") and find_spec("pettingzoo")), reason="needs OpenSpiel and PettingZoo"
                ),
            ),
        ),
        # These compile much code that no other test needs.
        *(
            pytest.param(f"docs/{name}.md", marks=pytest.mark.slow)
            for name in ("tutorial", "chance", "endgame", "learning", "networks", "training")
        ),
    ],
)
def test_every_block_does_what_the_document_says(document, tmp_path, monkeypatch, capsys):
    try:
        Reader(tmp_path, monkeypatch, capsys).follow(ROOT / document)
    finally:
        forget(tmp_path)


def functions(tree: ast.AST) -> dict[str, str]:
    return {node.name: ast.dump(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_example_is_what_the_tutorial_builds():
    told = list(blocks(ROOT / "docs/tutorial.md"))
    fixed = "".join(b.text for b in told if b.file == "hexapawn.py")
    built = ast.parse(of_any_size(fixed, *(b.text for b in told if b.file == ANY_SIZE)))
    example = ast.parse((ROOT / "examples/hexapawn.py").read_text(encoding="utf-8"))
    ours, theirs = ({**functions(tree), "game": ""} for tree in (built, example))  # the example also checks the size
    assert ours == theirs
    returned = [ast.dump(tree.body[-1].body[-1]) for tree in (built, example)]
    assert returned[0] == returned[1]


def test_after_a_corner_only_the_centre_saves_o(capsys):
    runpy.run_path(str(ROOT / "examples/solve_tictactoe.py"), run_name="__main__")
    saved = [line for line in capsys.readouterr().out.splitlines() if line.endswith("a draw")]
    assert saved == ["O at 5: a draw"]


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(document: Path) -> set[str]:
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document):
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (document.parent / path).resolve() if path else document
        assert there.exists(), f"{document.name} links to {target}"
        assert not anchor or anchor in anchors(there), f"{document.name} links to {target}"


def test_every_game_and_command_is_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in GAMES:
        assert f"[{name}](docs/games/{name}.md)" in readme
    for command in COMMANDS:
        assert f"`{command}`" in readme or f"`zerosum {command}`" in readme


def test_this_version_is_in_the_changelog():
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
