"""What a page is told first: which games there are, and how strong the engine can be."""

from __future__ import annotations

from typing import Any

from zerosum import __version__
from zerosum.levels import LEVELS
from zerosum.studio.tab import Tab


def welcome(tab: Tab) -> dict[str, Any]:
    shelf = tab.studio.shelf
    return {
        "session": tab.id,
        "version": __version__,
        "games": shelf.catalogue(),
        "first": shelf.first,
        "levels": [
            {"level": level, "depth": depth, "lapses": round(100 * lapses)} for level, (depth, lapses) in LEVELS.items()
        ],
    }
