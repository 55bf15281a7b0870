"""The values of all positions of a game, from the last to the first, for ``analyze``."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zerosum.game import MAX, Line
from zerosum.protocols.nboard_lines import in_units, value_text
from zerosum.protocols.uci_words import Go
from zerosum.running.stopping import Stop
from zerosum.session.session import Session


class Analysis:
    """A sequence of searches in its own thread.

    It works backwards, so that results about the end are in the table when the middle is searched.
    """

    def __init__(
        self, line: Line, session: Session, limits: Callable[[Line], Go], write: Callable[[str], None]
    ) -> None:
        self.line, self.session, self.limits, self.write = line, session, limits, write
        self._ending = Stop()
        self._thread = threading.Thread(target=self._run, name="zerosum-analysis", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End as soon as possible."""
        self._ending.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended; returns False after a timeout."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self.session.ready.wait(0.05):
            if self._ending.is_set():
                return
        try:
            for back in range(len(self.line) + 1):
                line = self.line.back(back)
                value = self._value(line)
                if self._ending.is_set():
                    break
                self.write(f"analysis {len(line)} {value}")
            self.write("status")
        except Exception as problem:
            self.write(f"status the analysis failed: {type(problem).__name__}: {' '.join(str(problem).split())}")

    def _value(self, line: Line) -> str:
        """The value for the player to move, in the game's unit."""
        game, s = line.game, line.state
        player = game.to_move(s)
        if game.is_over(s):
            value = game.final_value(s) / game.unit
            return in_units(value if player == MAX else -value)
        go = self.limits(line)
        result = self.session.engine().search(line, depth=go.depth, seconds=go.movetime, stop=self._ending)
        return value_text(result, player, game.unit)
