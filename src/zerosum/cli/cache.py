"""``zerosum cache``: list or delete the compiled kernels on disk."""

from __future__ import annotations

from typing import Annotated

import typer

from zerosum.cli import complain
from zerosum.cli.common import print_json
from zerosum.cli.options import JsonOption
from zerosum.cli.output import count, duration, print_table, size


def command(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete all entries; games are recompiled when next used.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show or delete the compiled kernels on disk.

    The folder is ZEROSUM_CACHE_DIR if set, otherwise 'zerosum' in your user cache folder. Entries are
    named after the content of the rules, so an edited game never uses an old one; deleting them is
    always safe.

    \b
    Examples:
      zerosum cache
      zerosum cache --json
      zerosum cache --clear
    """
    from zerosum.jit import store

    folder = str(store.folder())
    if clear:
        removed = store.clear()
        if json:
            print_json({"folder": folder, "removed": removed})
        else:
            print(f"removed {count(removed)} {'file' if removed == 1 else 'files'} from {folder}")
        return
    entries, refusal = store.entries(), store.refusal()
    total = sum(entry.size for entry in entries)
    if json:
        kept = [
            {"game": e.game, "kernel": e.kernel, "path": str(e.path), "bytes": e.size, "seconds": e.seconds}
            for e in entries
        ]
        print_json({"folder": folder, "bytes": total, "entries": kept, "refused": refusal})
        return
    if entries:
        rows = [(e.game, e.kernel, size(e.size), duration(e.seconds)) for e in entries]
        print_table(("game", "kernel", "size", "compile time"), rows, right=(2, 3))
    print(f"{count(len(entries))} {'entry' if len(entries) == 1 else 'entries'}, {size(total)}, in {folder}")
    if refusal:
        complain(f"warning: {refusal}")
