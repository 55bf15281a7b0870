"""Our style sheets adapted to a notebook: limited to our own elements, and light or dark as the notebook is.

Our own pages follow the system's setting. A notebook has its own theme, and each kind marks it differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from zerosum.classroom.drawing.text import asset as drawing_asset
from zerosum.studio.bundling import PLACES, asset, bundle

HOSTS = {
    "light": ('[data-jp-theme-light="true"]', "body.vscode-light", "body.light", "html.light"),
    "dark": ('[data-jp-theme-light="false"]', "body.vscode-dark", "body.dark", "html.dark"),
}
"""How JupyterLab, VS Code and marimo mark their theme."""

VARIABLE = re.compile(r"(--[\w-]+:[^;{}]+;)")
OURS = ("zerosum.notebook", *PLACES)
"""Packages whose assets a notebook may need."""


def module(name: str) -> str:
    """A module of the widgets, bundled with the studio modules it imports."""
    return bundle(name, OURS)


def in_page(*names: str) -> str:
    """The sheets for elements of class ``zs-shown`` in the notebook's page."""
    hosts = {theme: [f"{host} .zs-shown" for host in found] for theme, found in HOSTS.items()}
    return _themed(names, ".zs-shown", hosts)


def in_widget(*names: str) -> str:
    """The sheets for a shadow tree; its script sets the notebook's theme.

    ``studio.css .zs-board`` selects only the rules of a sheet that concern the board.
    """
    return _themed(names, ":host", {theme: [f':host([data-theme="{theme}"])'] for theme in HOSTS})


def of_boards() -> list[str]:
    """The studio's sheets in the order of its page, each restricted to the rules for boards."""
    named = re.findall(r'href="/assets/([\w-]+\.css)"', asset("index.html", OURS))
    return [f"{name} .zs-board" for name in named if name not in ("theme.css", "board.css")]


@cache
def _colours(names: tuple[str, ...]) -> tuple[dict[str, str], str]:
    """The variables of both themes, and all other rules."""
    found: dict[str, list[str]] = {"light": [], "dark": []}
    rules = []
    for name in names:
        sheet, _, about = name.partition(" ")
        for head, body in _blocks(_sheet(sheet)):
            if not head.startswith(about):
                continue
            inner = body
            theme = "light"
            if head == "@media (prefers-color-scheme: dark)":
                theme, inner = "dark", "".join(text for _, text in _blocks(body))
            if inner.strip() and not VARIABLE.sub("", inner).strip():
                if "[" not in head:  # a page's own theme switch repeats the same variables
                    found[theme] += VARIABLE.findall(inner)
            else:
                rules.append(f"{head} {{{body}}}\n")
    return {theme: " ".join(parts) for theme, parts in found.items()}, "".join(rules)


def _themed(names: tuple[str, ...], root: str, hosts: dict[str, list[str]]) -> str:
    colours, rules = _colours(names)
    return (
        f"{root} {{ {colours['light']} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {root} {{ {colours['dark']} }} }}\n"
        + "".join(f"{', '.join(found)} {{ {colours[theme]} }}\n" for theme, found in hosts.items())
        + rules
    )


def _sheet(name: str) -> str:
    try:
        text = drawing_asset(name)
    except FileNotFoundError:
        text = asset(name, OURS)
    return re.sub(r"/\*.*?\*/\s*", "", text, flags=re.DOTALL)


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """The rules at the outermost level: the text before the braces, and the text inside."""
    at = 0
    while (start := sheet.find("{", at)) >= 0:
        depth, end = 1, start + 1
        while depth and end < len(sheet):
            depth += {"{": 1, "}": -1}.get(sheet[end], 0)
            end += 1
        yield sheet[at:start].strip(), sheet[start + 1 : end - 1]
        at = end
