"""The tabs of a server: each has a random name, their number is limited, and tabs that have left expire."""

from __future__ import annotations

import time

from zerosum.errors import StudioError
from zerosum.studio.tab import Studio, Tab

MOST_TABS = 200
EXPIRY = 30 * 60.0
"""Seconds after which a tab that has left is forgotten. Its page keeps the game itself."""


class Tabs:
    """Tabs by name."""

    def __init__(self, studio: Studio, most: int = MOST_TABS, expiry: float = EXPIRY) -> None:
        self.studio, self.most, self.expiry = studio, most, expiry
        self.tabs: dict[str, Tab] = {}

    def enter(self, name: str) -> Tab:
        """The tab with this name if it exists and no page uses it, otherwise a new one.

        A browser that duplicates a tab also copies its name; the duplicate gets a new one.
        """
        self._forget_old()
        tab = self.tabs.get(name)
        if tab is not None and tab.deliver is None:
            return tab
        if len(self.tabs) >= self.most and not self._forget_longest_gone():
            raise StudioError(f"{self.most} pages are open, the most that this studio serves: close one")
        tab = Tab(self.studio)
        self.tabs[tab.id] = tab
        return tab

    def _forget_old(self) -> None:
        now = time.monotonic()
        for name, tab in list(self.tabs.items()):
            if tab.deliver is None and now - tab.seen > self.expiry:
                del self.tabs[name]

    def _forget_longest_gone(self) -> bool:
        gone = [tab for tab in self.tabs.values() if tab.deliver is None]
        if gone:
            del self.tabs[min(gone, key=lambda tab: tab.seen).id]
        return bool(gone)

    def close(self) -> None:
        for tab in self.tabs.values():
            tab.leave()
