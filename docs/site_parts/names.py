"""What autodoc needs to be told about this code.

Types in signatures lead to the promised name: ``zerosum.search.result.Result`` is documented as ``zerosum.Result``.
What is not promised, or is Python's or NumPy's, stays plain text; a name that does not exist stays a warning.
"""

from __future__ import annotations

import builtins
import collections.abc
import inspect
import os
import pathlib
import random
import sys
import typing
from importlib import import_module
from typing import Any

import numpy
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer

import zerosum
import zerosum.endgame.database
import zerosum.formats.record

HOMES = (builtins, typing, collections.abc, os, pathlib, random, numpy)
MODULES = ("zerosum", "zerosum.classroom", "zerosum.checking", "zerosum.board", "zerosum.terms")
KINDS = ("property", "attribute", "data")
HIDDEN: dict[str, list[str]] = {}


def exists(name: str) -> bool:
    """Whether such a thing can be imported, or some module of zerosum speaks of it by this name."""
    home, _, last = name.rpartition(".")
    if home == "t":  # what traitlets calls typing, in the annotations of widgets
        return hasattr(typing, last)
    if home:
        try:
            return hasattr(import_module(home), last)
        except ImportError:
            return False
    ours = [module for path, module in sys.modules.items() if path.startswith("zerosum")]
    return any(hasattr(module, name) for module in (*HOMES, *ours))


def on_missing(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element) -> nodes.Node | None:
    if node["refdomain"] != "py":
        return None
    target = node["reftarget"]
    name = target.rpartition(".")[2]
    if target.startswith("zerosum.") and name in zerosum.__all__ and target != f"zerosum.{name}":
        domain = env.domains.python_domain
        page = env.docname
        return domain.resolve_xref(env, node.get("refdoc", page), app.builder, "obj", f"zerosum.{name}", node, content)
    return content if exists(target) else None


def on_signature(
    app: Sphinx, what: str, name: str, member: Any, options: Any, arguments: str | None, result: str | None
) -> tuple[str, str | None] | None:
    """A dataclass writes the default of a field that it makes anew as ``<factory>``, which is no Python."""
    return (arguments.replace("<factory>", "..."), result) if arguments and "<factory>" in arguments else None


def sections(lines: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """A docstring without its section "Attributes:", and what that says of each of them."""
    kept: list[str] = []
    said: dict[str, list[str]] = {}
    names: list[str] | None = None
    for line in lines:
        if line == "Attributes:":
            names = []
        elif names is None or (line and not line.startswith("    ")):
            names = None
            kept.append(line)
        elif line.startswith("     "):
            for name in names:
                said[name].append(line.strip())
        elif line:
            before, _, text = line.strip().partition(":")
            names = before.split(", ")
            text = text.strip()
            said.update({name: [text[:1].upper() + text[1:]] for name in names})
    return kept, said


def on_start(app: Sphinx) -> None:
    """Put what a class says of its attributes where autodoc looks for it: beside each attribute."""
    for module in map(import_module, MODULES):
        for owner in filter(inspect.isclass, (getattr(module, name) for name in dir(module))):
            if owner.__module__.startswith("zerosum"):
                _, said = sections(inspect.cleandoc(owner.__doc__ or "").splitlines())
                analyzer = ModuleAnalyzer.for_module(owner.__module__)
                analyzer.analyze()
                for name, text in said.items():
                    analyzer.attr_docs.setdefault((owner.__qualname__, name), [*text, ""])


def on_docstring(app: Sphinx, what: str, name: str, member: Any, options: Any, lines: list[str]) -> None:
    """Before napoleon: take attributes out of a class, and hide what would look like a type, words before a colon."""
    if what == "class":
        lines[:], _ = sections(lines)
    elif what in KINDS:
        HIDDEN[name] = list(lines)
        lines.clear()


def after_napoleon(app: Sphinx, what: str, name: str, member: Any, options: Any, lines: list[str]) -> None:
    if what in KINDS:
        lines[:] = HIDDEN.pop(name)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", on_start)
    app.connect("missing-reference", on_missing)
    app.connect("autodoc-process-signature", on_signature)
    app.connect("autodoc-process-docstring", on_docstring, priority=400)
    app.connect("autodoc-process-docstring", after_napoleon, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
