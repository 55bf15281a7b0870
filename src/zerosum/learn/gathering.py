"""Gather positions for learning from self-play of the engine, in a file that any number of runs can extend."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.errors import LimitError, PositionsFileError
from zerosum.game import Game
from zerosum.learn.positions_file import Block, Columns, PositionsFile
from zerosum.learn.self_play_work import SelfPlayedRuns, SelfPlayWork
from zerosum.running.stopping import Stop
from zerosum.search.selfplay import SelfPlayed
from zerosum.working.team import Workers
from zerosum.working.threads import Threads

if TYPE_CHECKING:
    from zerosum.endgame.database import Database

BLOCK_NODES, BLOCK_POSITIONS, BLOCK_GAMES = 40_000_000, 1 << 18, 1 << 15
"""A block is written after this many positions visited by searches, positions kept, or games: each takes 10 to 20
seconds on one processor, for deep searches, shallow ones, and short games. A killed process loses no more than that.
The clock plays no part, so the file does not depend on who played."""

DEPTH = 6
"""The default search depth."""

GAMES_AT_ONCE = 5_000
"""Give up after this many games in a row without a position to learn from."""


@dataclass(frozen=True)
class Playing:
    """How games are played; see ``self_play``. All of this is recorded in the file.

    ``quiet`` keeps only positions that are neither forced nor decided, and whose best move is quiet.
    """

    depth: int | None = None
    nodes: int | None = None
    perfect: int = 0
    random_plies: int = 8
    resign: float = 10
    balance: float = 6
    seed: int = 0
    quiet: bool = True

    def __post_init__(self) -> None:
        if self.depth is None and self.nodes is None:
            object.__setattr__(self, "depth", DEPTH)


@dataclass(frozen=True)
class Gathered:
    """What a run has done so far: positions kept, games played, positions visited by searches, and seconds."""

    positions: int
    games: int
    nodes: int
    seconds: float


class Gathering:
    """A run that adds positions to a file, block by block."""

    def __init__(self, game: Game, path: str | os.PathLike[str], playing: Playing, made: Mapping[str, Any]) -> None:
        self.game, self.playing, self.made = game, playing, made
        self.file = PositionsFile(path, game)
        self.file.check()  # before hours of work
        self.kept_before = self.file.positions
        self.began = monotonic()
        self.positions = self.games = self.nodes = 0
        self._first = next_game(self.file.blocks(), playing.seed)
        self._useful = self._first  # the game after the last one that had a position to keep
        # Games waiting to be written, with their numbers. One append each, so an interrupt finds all of a game or none.
        self._waiting: list[tuple[int, Columns]] = []
        self._waiting_positions, self._waiting_nodes, self._is_adding = 0, 0, False

    def run(
        self,
        positions: int,
        *,
        threads: int = 1,
        workers: Workers | None = None,
        database: Database | None = None,
        jit: bool = True,
        stop: Stop | None = None,
        on_progress: Callable[[Gathered], None] | None = None,
    ) -> Gathered:
        """Play games until ``positions`` more are kept, with ``workers`` if given, otherwise with ``threads`` threads.

        However the run ends, all complete games are written.
        """
        ending = stop or Stop()
        if database is not None and self.game.scored:
            raise LimitError(f"a database says only who wins, and {self.game.name} is played for points: leave it out")
        how = {name: value for name, value in asdict(self.playing).items() if name != "quiet"}
        folder = "" if database is None else str(database.directory.resolve())
        work = SelfPlayWork(self.game, {**how, "both_begin": True}, folder, jit)
        self._runs = SelfPlayedRuns(work, self._first)

        def is_over() -> bool:
            return ending.is_set() or self._finds_nothing

        try:
            with closing(self._runs.games(workers or Threads(threads), is_over)) as games:
                self._take(games, positions, on_progress or (lambda now: None))
            if self._finds_nothing:
                raise LimitError(f"none of {GAMES_AT_ONCE} games of {self.game.name} had a position to learn from")
        finally:
            self._write()
        return self.so_far

    @property
    def _finds_nothing(self) -> bool:
        return self._runs.reached - self._useful >= GAMES_AT_ONCE

    @property
    def so_far(self) -> Gathered:
        return Gathered(self.positions, self.games, self.nodes, monotonic() - self.began)

    @property
    def where(self) -> str:
        """Where the games are played, in words."""
        return self._runs.where

    def _take(self, games: Iterable[SelfPlayed], wanted: int, on_progress: Callable[[Gathered], None]) -> None:
        """Keep games as they come, writing them in blocks, until there are enough positions."""
        for played in games:
            before = self.positions
            self._keep(played)
            if self._is_block():
                self._write()
            on_progress(self.so_far)
            if self.positions > before:
                self._useful = played.number + 1
            if self.positions >= wanted:
                return

    def _is_block(self) -> bool:
        """Whether the waiting games fill a block."""
        return (
            self._waiting_positions >= BLOCK_POSITIONS
            or self._waiting_nodes >= BLOCK_NODES
            or len(self._waiting) >= BLOCK_GAMES
        )

    def _keep(self, played: SelfPlayed) -> None:
        """Keep the positions of a game that are worth learning from."""
        chosen = played.flags == 0 if self.playing.quiet else np.ones(len(played.flags), np.bool_)
        count = int(chosen.sum())
        utilities = np.full(count, played.result, np.int64)
        columns = Columns(played.states[chosen], played.values[chosen], utilities, played.flags[chosen])
        self._waiting.append((played.number, columns))
        self._waiting_positions, self._waiting_nodes = (
            self._waiting_positions + count,
            self._waiting_nodes + played.nodes,
        )
        self.positions, self.games, self.nodes = self.positions + count, self.games + 1, self.nodes + played.nodes

    def _write(self) -> None:
        """Write the waiting games as a block."""
        numbers, games = zip(*self._waiting, strict=True) if self._waiting else ((), ())
        columns = Columns(*(np.concatenate(parts) for parts in zip(*games, strict=True))) if games else None
        if columns is not None and len(columns.states):
            place = {"games": len(games), "first": self._first, "next": numbers[-1] + 1}
            head = {**self.made, **asdict(self.playing), **place}
            # An interrupt may have come after this block was written but before that was noted.
            if not (self._is_adding and any(head.items() <= block.head.items() for block in self.file.blocks())):
                self._is_adding = True
                self.file.add(columns, head, self._check_alone)
            self._waiting, self._first = [], numbers[-1] + 1
            self._waiting_positions, self._waiting_nodes, self._is_adding = 0, 0, False

    def _check_alone(self, blocks: Sequence[Block]) -> None:
        """Raise an error if another run has meanwhile used the same seed: it would have played the same games."""
        if next_game(blocks, self.playing.seed) > self._first:
            raise PositionsFileError(
                f"{str(self.file.path)!r}: another run has added games with seed {self.playing.seed}; use another seed"
            )


def next_game(blocks: Sequence[Block], seed: int) -> int:
    """Return the number of the first game of a seed that is not in these blocks."""
    return max((int(block.head.get("next", 0)) for block in blocks if block.head.get("seed") == seed), default=0)


def gather(
    game: Game,
    path: str | os.PathLike[str],
    *,
    positions: int,
    playing: Playing | None = None,
    made: Mapping[str, Any] | None = None,
    threads: int = 1,
    workers: Workers | None = None,
    database: Database | None = None,
    jit: bool = True,
    stop: Stop | None = None,
    on_progress: Callable[[Gathered], None] | None = None,
) -> Gathered:
    """Add ``positions`` positions, or a few more, to a game's positions file; create the file if necessary.

    Games of a seed that are already in the file are not played again. If the run ends early, by ``stop``, an interrupt
    or an error, all complete games are written. ``made`` is recorded in the file: command and version.
    """
    run = Gathering(game, path, playing or Playing(), made or {})
    return run.run(
        positions, threads=threads, workers=workers, database=database, jit=jit, stop=stop, on_progress=on_progress
    )
