"""Which processes this one has started and not yet buried."""

from __future__ import annotations

import os
from pathlib import Path


def children() -> set[int]:
    """Their numbers, zombies included; empty where the system does not tell."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # "pid (name) state parent …": the name may hold anything.
            parent = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue  # it has just ended
        if parent == os.getpid():
            found.add(int(stat.parent.name))
    return found
