"""``zerosum explain``: a term of the field in a few sentences, with a command that shows it."""

from __future__ import annotations

from typing import Annotated

import typer

from zerosum.cli.common import print_json
from zerosum.cli.options import JsonOption
from zerosum.cli.output import print_table
from zerosum.errors import ZerosumError


def command(
    term: Annotated[
        list[str],
        typer.Argument(
            metavar="TERM", help='Term to explain: alpha-beta, "cutoff test", Deep Blue …', show_default=False
        ),
    ] = [],  # noqa: B006
    list_all: Annotated[bool, typer.Option("--list", help="List all terms and all historic programs.")] = False,
    json: JsonOption = False,
) -> None:
    """Explain a term of game playing, with a command that shows it.

    You can use any name or spelling of a term: alpha-beta, α-β or Alpha Beta Search.

    \b
    Examples:
      zerosum explain horizon effect
      zerosum explain PBV
      zerosum explain "Deep Blue"
      zerosum explain --list
    """
    from zerosum.classroom.glossary import ENTRIES, as_dict, find, in_words
    from zerosum.classroom.glossary_terms import TERMS
    from zerosum.classroom.history import HISTORY

    word = " ".join(term)
    if list_all:
        if word:
            raise ZerosumError(f"TERM {word!r} cannot be combined with --list")
        if json:
            print_json([as_dict(entry) for entry in ENTRIES])
            return
        print_table(("term", "also called"), [(entry.name, ", ".join(entry.also)) for entry in TERMS])
        print()
        print_table(("in history", "years"), [(entry.name, entry.years) for entry in HISTORY])
        return
    if not word.strip():
        raise ZerosumError("give a term, as in 'zerosum explain horizon effect'; 'zerosum explain --list' lists all")
    found = find(word)
    if json:
        print_json(as_dict(found))
        return
    print("\n".join(in_words(found)))
