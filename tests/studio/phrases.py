"""Finds the phrases of the studio's page in its modules and its HTML, so that none is missing from texts.js.

python tests/studio/phrases.py        # rewrites texts.js; translations are kept
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ASSETS = Path(__file__).parents[2] / "src" / "zerosum" / "studio" / "assets"
TEXTS = ASSETS / "texts.js"
NO_PHRASES = ("texts.js", "words.js", "theme.js", "links.js", "connection.js")

# What precedes a text that is not shown: the name of an attribute, a selector, a message to the server.
ATTRIBUTES = (
    "class type role name value id viewBox href points d transform scope autocomplete spellcheck preserveAspectRatio"
    " for step mode kind dateStyle timeStyle block behavior glyph media text-anchor easing fill duration"
)
CALLS = (
    "find findAll closest matches querySelector querySelectorAll ask wish tell addEventListener setProperty getItem"
    " setItem removeItem removeAttribute getAttribute hasAttribute setAttribute toggle add draw make has get includes"
    r" createElement replace CustomEvent matchMedia split join startsWith endsWith import from on\w* wants act link"
    " remove contains createElementNS getPropertyValue createObjectURL execCommand goto"
)
NAMED = re.compile(rf"""(?:{ATTRIBUTES.replace(" ", "|")}|"(?!aria-label)[a-z-]+"): ?$""")
CALLED = re.compile(rf"(?:{CALLS.replace(' ', '|')}|=== ?|!== ?|case ?|KEY = )\(?\s*$")
PHRASE = re.compile(r"[A-Za-z]{2}")
NO_PHRASE = re.compile(
    r"^[.#\[/]|^[a-z][\w-]*$|[<>\[\]=#]|\w\(|^\w+:\S|://|^[A-Z]{3,}$|^[A-Z][a-z]+[A-Z]\w+$|^-?[a-z]+-\{\}|^--|^\{\}[a-z]*$"
)
IGNORED = {
    *("MAX", "MIN", "card own", "move dice", "verdict {}", "verdict problem", "interval open", "set.{}", "set.", "FEN"),
    *("Home", "End", "Escape", "Enter", "Result", "White", "Black", "plain remove", "en", "not all", "light dark"),
}


def texts_in(code: str) -> Iterator[tuple[str, str]]:
    """Every text of a script, with {} for inserted values, and the code before it."""
    place = 0
    while place < len(code):
        sign = code[place]
        if code.startswith("//", place) and (place == 0 or code[place - 1] in " \n\t"):
            place = code.find("\n", place)
            if place < 0:
                return
        elif sign in "\"'`":
            before, begin = code[max(0, place - 60) : place], place
            place += 1
            whole, nested = "", []
            while place < len(code) and code[place] != sign:
                if code[place] == "\\":
                    whole += code[place + 1]
                    place += 2
                elif sign == "`" and code.startswith("${", place):
                    depth, start = 1, place + 2
                    place += 2
                    while depth:
                        if code[place] == "`":
                            place = _end_of_template(code, place)
                        depth += {"{": 1, "}": -1}.get(code[place], 0)
                        place += 1
                    nested.append(code[start : place - 1])
                    whole += "{}"
                else:
                    whole += code[place]
                    place += 1
            place += 1
            assert place > begin
            yield whole, before
            for inner in nested:
                yield from texts_in(inner)
        elif sign == "/" and re.search(r"[(,=:!&|]\s*$", code[max(0, place - 5) : place]):
            place = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\]|\\.)*\])*/").match(code, place).end()  # a regexp
        else:
            place += 1


def _end_of_template(code: str, place: int) -> int:
    """The index of the end of the template that starts here."""
    place += 1
    while code[place] != "`":
        if code[place] == "\\":
            place += 1
        elif code.startswith("${", place):
            depth = 1
            place += 2
            while depth:
                if code[place] == "`":
                    place = _end_of_template(code, place)
                depth += {"{": 1, "}": -1}.get(code[place], 0)
                place += 1
            continue
        place += 1
    return place


def in_script(code: str) -> set[str]:
    found = set()
    for text, before in texts_in(code):
        phrase = text.strip()
        if NAMED.search(before) or CALLED.search(before) or phrase in IGNORED:
            continue
        if PHRASE.search(phrase.replace("{}", "")) and not NO_PHRASE.search(phrase):
            found.add(phrase)
    return found


class Page(HTMLParser):
    """The texts between tags, and in attributes that are shown or read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("aria-label", "title", "placeholder") and value:
                self.handle_data(value)

    def handle_data(self, data: str) -> None:
        phrase = data.strip()
        if PHRASE.search(phrase):
            self.found.add(phrase)


def phrases() -> list[str]:
    """All phrases of the page, sorted."""
    page = Page()
    page.feed((ASSETS / "index.html").read_text(encoding="utf-8").partition("<body")[2].partition(">")[2])
    found = set(page.found)
    for script in sorted(ASSETS.glob("*.js")):
        if script.name not in NO_PHRASES:
            found |= in_script(script.read_text(encoding="utf-8"))
    return sorted(found, key=lambda phrase: (phrase.lower(), phrase))


def listed() -> dict[str, str]:
    """The phrases in texts.js with their translations."""
    rows = re.findall(r'^  ("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),$', TEXTS.read_text(encoding="utf-8"), re.MULTILINE)
    return {json.loads(phrase): json.loads(translation) for phrase, translation in rows}


def main() -> None:
    text, known = TEXTS.read_text(encoding="utf-8"), listed()
    head, _, _ = text.partition("export const TEXTS")
    translations = {phrase: known.get(phrase, phrase) for phrase in phrases()}
    rows = [
        f"  {json.dumps(one, ensure_ascii=False)}: {json.dumps(other, ensure_ascii=False)},"
        for one, other in translations.items()
    ]
    TEXTS.write_text("\n".join([f"{head}export const TEXTS = {{", *rows, "};\n"]), encoding="utf-8")
    print(f"{len(rows)} phrases")


if __name__ == "__main__":
    main()
