"""Outside ``games/`` no code mentions a game by name: games bring their own presentation, including users' games."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import zerosum
from zerosum.games import GAMES

SOURCE = Path(zerosum.__file__).parent
WORDS = {name.replace("-", "_") for name in GAMES}

PYTHON_S = {"hex", "token_hex"}
"""Python's methods and functions with the name of a game."""

SEPARATE = re.compile(rf"(?<![a-z])({'|'.join(WORDS).replace('_', '[-_]')})(?![a-z])", re.IGNORECASE)
"""A game's name as a word of its own, anywhere in a text: only files with one have to be parsed."""

PART = re.compile(rf"(^|_)({'|'.join(WORDS)})(_|$)", re.IGNORECASE)
MODULE = re.compile(rf"\bzerosum\.games\.(boards\.)?({'|'.join(WORDS)})\b")

ALLOWED = {
    "signature.py": "the node counts of certain games, which change when the search does",
    "shipping.py": "the games that take longest to compile",
    "classroom/gallery/": "examples of the lecture notes",
    "classroom/ladder_report.py": "the lecture notes' figures about chess",
    "cli/ladder_table.py": "the same figures as a table",
    "cli/ladder.py": "prints that table",
    "cli/book.py": "makes books in Polyglot's format, which is for chess",
    "cli/match.py": "the default game",
    "cli/suite.py": "the default game",
    "cli/uci.py": "the default game",
    "cli/nboard.py": "the default game",
    "templates/__init__.py": "games to start from, named after those that they resemble",
    "studio/offered_games.py": "the game that a new page shows",
    "studio/contest.py": "the default game of a page",
    "studio/lessons.py": "the default game of a page",
}


def names_in(tree: ast.AST) -> Iterator[str]:
    """Every name, and every string, with which code could refer to a game."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr not in PYTHON_S:
            yield node.attr
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.arg, ast.keyword)):
            yield node.arg or ""
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def is_a_game(name: str) -> bool:
    """Whether a name or string refers to a built-in game: its name, a part of an identifier, or a module.

    Texts for users, such as examples in help, contain names among other words and do not count.
    """
    if name in GAMES or MODULE.search(name):
        return ">>>" not in name
    word = name.rpartition(".")[2]
    return word.isidentifier() and bool(PART.search(word))


@lru_cache(maxsize=1)
def knowing() -> dict[str, list[str]]:
    """The files outside games/ that mention games, with the names they use."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE).as_posix()
        text = path.read_text(encoding="utf-8")
        if not where.startswith("games/") and SEPARATE.search(text):
            names = [name for name in names_in(ast.parse(text)) if is_a_game(name)]
            if names:
                found[where] = names
    return found


def test_no_file_knows_a_game_by_name_without_a_reason():
    others = {where: names for where, names in knowing().items() if not where.startswith(tuple(ALLOWED))}
    assert not others


@pytest.mark.parametrize("allowed", ALLOWED)
def test_the_exceptions_are_still_needed(allowed):
    assert any(where.startswith(allowed) for where in knowing())


@pytest.mark.parametrize(
    "text",
    [
        "if game.name == 'chess': pass",
        "from zerosum.games.chess import pgn",
        "from zerosum.games import nim",
        "import zerosum.games.backgammon.match_file",
        "import_module('zerosum.games.checkers.pdn')",
        "from zerosum.games.boards import othello",
        "CHESS_OPENINGS = 1",
        "def connect_four_rows(): pass",
        "load('connect-four')",
    ],
)
def test_a_name_is_found(text):
    assert SEPARATE.search(text) and any(is_a_game(name) for name in names_in(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "help = 'zerosum play chess --level 3'",
        "from zerosum.games import load",
        "from zerosum.games.pgn.tree import Variation",
        "minimum = pigment = 1",
        "name = digest.hex() + secrets.token_hex()",
        "def f():\n    '''>>> from zerosum.games.chess import chess'''",
    ],
)
def test_other_words_are_not(text):
    assert not any(is_a_game(name) for name in names_in(ast.parse(text)))
