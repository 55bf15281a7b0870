"""Bundle our JavaScript modules into one, without a build step: a page makes one request instead of fifty.

>>> text = bundle("app.js")
>>> "import {" in text, text.count("class Board ")
(False, 1)
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
OTHER = re.compile(r"^(?:import\b.*|export (?:default|\{|\*).*)$", re.MULTILINE)

PLACES = ("zerosum.studio", "zerosum.classroom.drawing")
"""Packages whose assets are searched for a module; the first that has it is used."""


@cache
def asset(name: str, places: tuple[str, ...] = PLACES) -> str:
    """The text of a module or style sheet of ours."""
    for place in places:
        found = files(place) / "assets" / name
        if found.is_file():
            return found.read_text(encoding="utf-8")
    raise FileNotFoundError(f"the asset {name!r} does not exist")


@cache
def bundle(name: str, places: tuple[str, ...] = PLACES) -> str:
    """The module with everything it imports: each module becomes a function that returns what others import from it.

    Modules may only use imports of the form ``import { a, b as c } from "./other.js"``. Only the first may have a
    default export.
    """
    wanted: dict[str, set[str]] = {}
    order: list[str] = []
    texts: dict[str, str] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        """Collect what others import from each module, and put each module after those that it imports."""
        if name in above:
            raise ValueError(f"{name} imports itself through {' and '.join(above)}")
        wanted.setdefault(name, set())
        texts[name] = asset(name, places)
        for names, other in IMPORT.findall(texts[name]):
            visit(other, (*above, name))
            wanted[other] |= {each.split(" as ")[0].strip() for each in names.split(",") if each.strip()}
        if name not in order:
            order.append(name)

    visit(name, ())
    parts = (_part(each, texts[each], wanted[each]) for each in order if each != name)
    return "".join(parts) + _body(texts[name])


def _body(text: str) -> str:
    """The text of a module with its imports turned into constants."""

    def constant(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        return f"const {{{names}}} = {_variable(found[2])};\n"

    return IMPORT.sub(constant, text)


def _part(name: str, text: str, wanted: set[str]) -> str:
    text = EXPORT.sub("", _body(text))
    if problem := OTHER.search(text):
        raise ValueError(f"{name}: {problem[0]!r} cannot be bundled")
    return f"const {_variable(name)} = (() => {{\n{text}\nreturn {{ {', '.join(sorted(wanted))} }};\n}})();\n"


def _variable(name: str) -> str:
    return "zs_" + re.sub(r"\W", "_", name.removesuffix(".js"))
