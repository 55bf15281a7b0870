"""Every term of the notes and of the documentation can be found by each of its names, and its command shows it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from zerosum.classroom.glossary import find, in_words, near, plain
from zerosum.classroom.glossary_terms import TERMS
from zerosum.classroom.history import HISTORY
from zerosum.classroom.reference import LESSONS, PAGES, lesson_picture, renewed
from zerosum.cli import COMMANDS, main
from zerosum.errors import LimitError

DOCS = Path(__file__).parents[2] / "docs"
EVERY = (*TERMS, *HISTORY)


@pytest.mark.parametrize("entry", EVERY, ids=lambda entry: entry.name)
def test_it_is_found_by_every_name(entry):
    for name in (entry.name, *entry.also):
        assert find(name) is entry and find(name.upper()) is entry
    assert entry.text.endswith((".", "?")) and len(entry.text) < 400
    assert not entry.read or (DOCS.parent / entry.read).exists()


def test_no_name_is_used_twice():
    of: dict[str, set[str]] = {}
    for entry in EVERY:
        for name in (entry.name, *entry.also):
            of.setdefault(plain(name), set()).add(entry.name)
    assert {name: entries for name, entries in of.items() if len(entries) > 1} == {}


PRINTED: dict[str, str] = {}
"""The output by command, since several terms share one."""


@pytest.mark.parametrize("entry", TERMS, ids=lambda entry: entry.name)
def test_its_command_shows_it(entry, capsys):
    if entry.command not in PRINTED:
        program, *arguments = shlex.split(entry.command)
        assert program == "zerosum" and main(arguments) == 0
        PRINTED[entry.command] = re.sub(r"\s+", " ", capsys.readouterr().out.lower())
    out = PRINTED[entry.command]
    assert any(name.lower() in out for name in (entry.name, *entry.also)), (entry.name, out[:2000])


@pytest.mark.parametrize("entry", HISTORY, ids=lambda entry: entry.name)
def test_commands_of_history_exist_and_the_quick_ones_run(entry, capsys):
    program, command, *arguments = shlex.split(entry.command)
    assert program == "zerosum" and command in COMMANDS
    if command == "trace":
        assert main((command, *arguments)) == 0 and capsys.readouterr().out


def test_the_terms_that_the_issue_names():
    asked = ["cutoff test", "PBV", "ply", "successor function", "lookup table", "forward pruning", "alpha-beta"]
    asked += ["MacHack", "Chess 4.x", "Belle", "Hitech", "Cray Blitz", "Deep Thought", "Deep Blue", "Fritz", "Rybka"]
    asked += ["Zappa", "Chinook", "TD-Gammon", "Logistello", "expectimax", "horizon effect"]
    for word in asked:
        assert find(word)


def test_the_words_that_commands_print():
    asked = {"pv": "principal variation", "perft": "perft", "leaf": "leaf", "leaves": "leaf", "nodes": "node"}
    asked |= {"proven": "proven", "ply": "ply", "Elo": "Elo", "LOS": "Elo", "tiers": "tier", "kernels": "kernel"}
    asked |= {"self-play": "self-play", "engine": "engine", "pure": "pure function", "table": "transposition table"}
    assert {word: find(word).name for word in asked} == asked


def test_near_misses_are_suggested():
    with pytest.raises(LimitError, match="unknown term 'horizont effect'; did you mean 'horizon effect'"):
        find("horizont effect")
    assert "transposition table" in near("transpositon table")
    with pytest.raises(LimitError, match="'zerosum explain --list' lists all terms"):
        find("xyzzyplugh")


def test_an_entry_in_words():
    assert in_words(find("ply"))[0] == "ply (plies, half-move, half move, plie)"
    assert in_words(find("Deep Blue"))[0] == "Deep Blue (DeepBlue, IBM, Kasparov), 1996, 1997"
    assert "try:   zerosum trace --example horizon-effect" in in_words(find("horizon effect"))


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_the_page_are_those_of_the_data(page):
    written = (DOCS / page).read_text(encoding="utf-8")
    assert written == renewed(page, written), "run python -m zerosum.classroom.reference docs"


@pytest.mark.parametrize("name", LESSONS)
def test_the_pictures_of_lessons_are_those_of_the_examples(name):
    written = (DOCS / "pictures" / "lessons" / f"{name}.svg").read_text(encoding="utf-8")
    assert written == lesson_picture(name), "run python -m zerosum.classroom.reference docs"
