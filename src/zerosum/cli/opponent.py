"""The engine as an opponent at the terminal: it compiles while the person looks at the board."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from zerosum.game import Game, Line
from zerosum.jit.notices import on_stderr
from zerosum.levels import DEFAULT_SECONDS, Strength
from zerosum.search.limits import Limits, check_hash
from zerosum.session.session import EngineSpec, Session

if TYPE_CHECKING:
    from zerosum.endgame.database import Database
    from zerosum.engine import Engine
    from zerosum.search.algorithm import AlgorithmLike
    from zerosum.search.result import Result


class Opponent:
    """An engine of a given strength. Its messages while it gets ready never appear after the prompt."""

    def __init__(
        self,
        game: Game,
        strength: Strength,
        chance: random.Random,
        *,
        algorithm: AlgorithmLike = None,
        hash_mb: int = 64,
        database: Database | None = None,
    ) -> None:
        self.game, self.strength, self.chance = game, strength, chance
        # Invalid numbers are refused now, not when the engine first has to move.
        Limits(strength.depth, strength.seconds)
        check_hash(hash_mb)
        self._notice = ""  # the reason for a delay
        self._warnings: list[str] = []
        self.session = Session(EngineSpec(game, algorithm, hash_mb=hash_mb, database=database), listener=self._hear)

    def _hear(self, text: str, is_warning: bool) -> None:
        if is_warning:
            self._warnings.append(text)
        else:
            self._notice = text

    def warm_up(self) -> None:
        """Start to get ready, and return immediately."""
        self.session.warm_up()

    @property
    def is_ready(self) -> bool:
        return self.session.ready.is_set()

    def engine(self) -> Engine:
        """The engine, once it is ready; prints the reason for a wait."""
        self.warm_up()
        while not self.session.ready.wait(0.1):  # a timeout, so that Ctrl-C works on every platform
            if self._notice:
                on_stderr(self._notice)
                self._notice = ""
        while self._warnings:
            on_stderr(self._warnings.pop(0), is_warning=True)
        return self.session.engine()

    def lapse(self, line: Line) -> int | None:
        """At low levels, occasionally a random move; otherwise None."""
        return self.strength.lapse(line, self.chance)

    def think(self, line: Line, on_report: Callable[[Result], None] | None = None) -> Result:
        """The engine's move at its level."""
        strength = self.strength
        return self.engine().search(line, depth=strength.depth, seconds=strength.seconds, on_report=on_report)

    def advise(self, line: Line, lines: int = 1) -> Result:
        """The best moves found in the engine's time, whatever its level; at most ``lines`` of them."""
        seconds = self.strength.seconds if self.strength.seconds is not None else DEFAULT_SECONDS
        if lines == 1:
            return self.engine().search(line, seconds=seconds)
        return self.engine().search(line, seconds=seconds, multipv=lines)
