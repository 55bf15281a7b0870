"""Every term of the notes and of the documentation: its other names, its meaning, a command that shows it, a page.

The terms are data, in ``glossary_games.py``, ``glossary_search.py``, ``glossary_programs.py`` and ``history.py``.
``zerosum explain`` shows them, and docs/glossary.md and docs/history.md are generated from them.

>>> find("cutoff test").name
'cut-off test'
>>> find("Alpha Beta").name
'alpha-beta pruning'
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache

from zerosum.classroom.glossary_entry import Term
from zerosum.classroom.glossary_terms import TERMS
from zerosum.classroom.history import HISTORY, Milestone
from zerosum.errors import LimitError

Entry = Term | Milestone

ENTRIES: list[Entry] = [*TERMS, *HISTORY]


def plain(text: str) -> str:
    """A name in normal form, without differences in case, hyphens, Greek letters and the plural."""
    text = text.lower().replace("α", "alpha").replace("β", "beta").replace("ß", "beta")
    words = re.sub(r"[^a-z0-9^*/()]+", " ", text).split()
    joined = "".join(words)
    return joined.removesuffix("s") if len(joined) > 4 and not joined.endswith("ss") else joined


@cache
def _index() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in ENTRIES:
        for name in (entry.name, *entry.also):
            found.setdefault(plain(name), entry)
    return found


def names() -> list[str]:
    """Every name that ``find`` accepts, as people write it."""
    return [name for entry in ENTRIES for name in (entry.name, *entry.also)]


def find(word: str) -> Entry:
    """The entry with this name, however it is spelled; LimitError with suggestions if there is none."""
    index = _index()
    asked = plain(word)
    if asked in index:
        return index[asked]
    close = near(word)
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else "'zerosum explain --list' lists all terms"
    raise LimitError(f"unknown term {word!r}; {hint}")


def near(word: str, most: int = 3) -> list[str]:
    """Names that resemble this one or contain it, closest first."""
    asked = plain(word)
    known = {plain(name): name for name in reversed(names())}
    close = [known[one] for one in get_close_matches(asked, list(known), most, 0.7)]
    inside = [name for one, name in known.items() if len(asked) > 3 and asked in one and name not in close]
    return (close + sorted(inside, key=len))[:most]


def in_words(entry: Entry) -> list[str]:
    """An entry as lines of text."""
    head = entry.name + (f" ({', '.join(entry.also)})" if entry.also else "")
    if isinstance(entry, Milestone):
        head += f", {entry.years}"
    lines = [head, entry.text]
    if entry.command:
        lines.append(f"try:   {entry.command}")
    if entry.read:
        lines.append(f"read:  {entry.read}")
    return lines


def as_dict(entry: Entry) -> dict[str, object]:
    """An entry as a dictionary, for JSON."""
    return entry._asdict()
