"""Phrases that read as translated do not come back. CONTRIBUTING.md says what to write instead."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ("src", "docs", "examples", "bench", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
KINDS = {".py", ".js", ".html", ".md", ".ipynb", ".txt", ".rst"}

PHRASES = {
    r"[Ss]o many (?!\w+ (that|as))": "this many, the number of",
    r"[Ff]or whom it": "the side to move",
    r"manieth": "the number of",
    r"is no (legal|whole|such)": "is not a legal …",
    r"there is no such": "unknown …, does not exist",
    r"[Bb]ehind (the|a|each) (first|last)? ?(comma|colon|name|game|word|move)": "after",
    r"as (soon|late|evenly|close|near) as can be": "as … as possible",
    r"thousand million": "billion",
    r"; who (finds|gives|gets|cannot|has) ": "a player who …",
    r"is gone through": "is reviewed",
    r"# For people\b|\| for people": "notation and display",
    r"[Ff]ischer's chess": "Chess960",
    r"\b[Tt]he own (stones|pieces|side|discs|men)\b": "the player's …",
    r"ha[sd] a part in": "affects, depends on",
    r"round in (a )?circles?": "in a cycle",
    r"\bfor ever\b": "forever",
    r"[Hh]ears (of|how)": "is called with",
    r"has chance in it": "has chance nodes",
    r"as the notes (tell|have it|write)": "as in the notes",
    r"did not come to an end": "did not finish",
    r"\bmended\b": "fixed",
    r"not to be had": "not available",
    r"(compile[sd]?|begins?|loaded|sets?|made|derived) anew": "again, from scratch",
    r"outside of (the|a|its|games)": "outside",
    r"is there already": "already exists",
    r"does not go with": "cannot be used with",
    r"gives? back\b": "returns",
    r"to and fro|\bbroken off\b": "back and forth; truncated",
    r"(dice|rolls?) (is|are) thrown|throws? of (the )?dice": "rolled, roll",
    r"told (from|apart)\b": "distinguished from",
}


def files() -> list[Path]:
    found = []
    for place in PLACES:
        path = ROOT / place
        found += [path] if path.is_file() else [each for each in path.rglob("*") if each.suffix in KINDS]
    # The guide quotes what it warns of.
    return [path for path in found if "__pycache__" not in path.parts and path.name != "CONTRIBUTING.md"]


@lru_cache(maxsize=1)
def texts() -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in files()}


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_does_not_come_back(phrase):
    pattern = re.compile(phrase)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in texts().items()
        if pattern.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, f"write '{PHRASES[phrase]}' instead"


def test_the_phrases_are_looked_for_everywhere():
    names = {path.relative_to(ROOT).parts[0] for path in files()}
    assert names == set(PLACES) - {"CONTRIBUTING.md"}
