"""The engine as an opponent: made ready in the background, and as strong as asked."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Any

from zerosum.cli import complain
from zerosum.game import Game, Line
from zerosum.levels import DEFAULT_SECONDS, LEVELS
from zerosum.search.limits import Limits, check_hash

if TYPE_CHECKING:
    from zerosum.endgame.database import Database
    from zerosum.engine import Engine
    from zerosum.search.result import Result


class Thinker:
    """An engine that imports and compiles in a thread of its own while the person looks at the board.

    What goes wrong there is kept, and raised when the engine is next needed.
    """

    def __init__(
        self,
        game: Game,
        *,
        hash_mb: int,
        seconds: float | None,
        depth: int | None,
        level: int | None,
        chance: random.Random,
        database: Database | None = None,
    ) -> None:
        self.game = game
        self.hash_mb = hash_mb
        self.database = database
        self.level = level
        self.chance = chance
        ahead, self.lapses = LEVELS[level] if level else (None, 0.0)
        self.depth = depth if depth is not None else ahead
        # A depth alone is a limit; a level keeps the clock too, as some games are slow at its depth.
        self.seconds = DEFAULT_SECONDS if seconds is None and (depth is None or level) else seconds
        # Wrong numbers are refused now, not when the engine first has to move.
        Limits(self.depth, self.seconds)
        check_hash(hash_mb)
        self._engine: Engine | None = None
        self._problem: Exception | None = None
        self._thread: Thread | None = None
        self._notices: list[str] = []
        self._warnings: list[str] = []

    def warm_up(self) -> None:
        """Begin to get ready, and return at once."""
        if self._thread is None:
            self._thread = Thread(target=self._prepare, name="zerosum-compile", daemon=True)
            self._thread.start()

    def _prepare(self) -> None:
        from zerosum.jit import kernel

        # What is said now would land behind the prompt: it is kept until somebody waits for the engine.
        def keep(text: str) -> None:
            self._notices.append(text)

        def keep_warning(message: Warning | str, *where: Any, **more: Any) -> None:
            self._warnings.append(str(message))

        usual = warnings.showwarning
        kernel.say, warnings.showwarning = keep, keep_warning
        try:
            from zerosum.engine import Engine

            engine = Engine(self.game, hash_mb=self.hash_mb, database=self.database)
            engine.prepare()
            self._engine = engine
        except Exception as problem:
            self._problem = problem
        finally:
            # Somebody may have left the game and begun another meanwhile.
            if kernel.say is keep:
                kernel.say = kernel.say_on_stderr
            if warnings.showwarning is keep_warning:
                warnings.showwarning = usual

    @property
    def is_ready(self) -> bool:
        return self._thread is not None and not self._thread.is_alive()

    def engine(self) -> Engine:
        """The engine, once it is ready."""
        self.warm_up()
        while not self.is_ready:
            assert self._thread is not None
            self._thread.join(0.1)  # a timeout, so that Ctrl-C gets through everywhere
            if self._notices:
                print(self._notices.pop(), file=sys.stderr, flush=True)
        while self._warnings:
            complain(f"warning: {self._warnings.pop(0)}")
        if self._problem is not None:
            raise self._problem
        assert self._engine is not None
        return self._engine

    def lapse(self, line: Line) -> int | None:
        """At low levels, now and then, just any move; else None."""
        if self.lapses and self.chance.random() < self.lapses:
            return self.chance.choice(self.game.legal_moves(line.state))
        return None

    def think(self, line: Line, on_report: Callable[[Result], None] | None = None) -> Result:
        """The engine's move at its level."""
        return self.engine().search(line, depth=self.depth, seconds=self.seconds, on_report=on_report)

    def advise(self, line: Line, lines: int = 1) -> Result:
        """The best moves it finds in the time it has, whatever its level: so many, where there are."""
        seconds = self.seconds if self.seconds is not None else DEFAULT_SECONDS
        if lines == 1:
            return self.engine().search(line, seconds=seconds)
        return self.engine().search(line, seconds=seconds, multipv=lines)
