"""The directive ``commands``: every command of the command line with its options, from the help of the program."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from zerosum.cli.app import plain_command

SPECIAL = re.compile(r"[\\*`_|<>]")


def literally(text: str) -> str:
    """Text that means nothing to reStructuredText."""
    return SPECIAL.sub(r"\\\g<0>", text)


def described(name: str, command: Any, parent: Any) -> Iterator[str]:
    """The lines of a command: what it does, examples, arguments and options."""
    title = f"zerosum {name}"
    yield from ("", title, "-" * len(title), "", f".. program:: {title}", "")
    for paragraph in re.split(r"\n\n+", inspect.cleandoc(command.help or "")):
        if not paragraph.startswith("\b"):
            yield from (literally(" ".join(paragraph.split())), "")
            continue
        heading, _, lines = paragraph.removeprefix("\b").strip().partition("\n")
        yield from (literally(heading), "", ".. code-block:: text", "")
        yield from (f"   {line}" for line in inspect.cleandoc(f"\n{lines}").splitlines())
        yield ""
    context = type(parent)(command, info_name=name, parent=parent)
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is None:  # hidden
            continue
        call, text = record
        yield from (f".. option:: {call.replace(' / ', ', ')}", "", f"   {literally(' '.join(text.split()))}", "")


class Commands(SphinxDirective):
    """Every command with its options, in the order of ``zerosum --help``."""

    def run(self) -> list[nodes.Node]:
        whole = plain_command()
        parent = whole.make_context("zerosum", [next(iter(whole.commands))], resilient_parsing=True)
        lines = [line for name, command in whole.commands.items() for line in described(name, command, parent)]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
