"""Builds a database tier by tier; each tier is written as soon as it is solved, and never solved twice."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.endgame.coding import Coder
from zerosum.endgame.database import (
    MANIFEST,
    Database,
    TierRecord,
    check_manifest,
    read_manifest,
    tier_path,
    tier_print,
    tiers_of,
    write_manifest,
)
from zerosum.endgame.solve import Counts, SolvedTier, Solver
from zerosum.endgame.sweeper import Sweeper
from zerosum.endgame.team_solver import TeamSolver
from zerosum.endgame.tierfile import TierFile, write_tier
from zerosum.endgame.verifying import VERIFY
from zerosum.errors import DamagedTier, EndgameError, LimitError
from zerosum.files import folder_lock
from zerosum.game import Game
from zerosum.jit.row import Row
from zerosum.jit.target import CPU, PLAIN, Target, target_of
from zerosum.processors import usable_processors
from zerosum.search.limits import check_threads
from zerosum.working.team import Workers
from zerosum.working.threads import Threads

MANY = 1 << 24
"""Number of positions from which it pays to compile the encoder of values, and to solve several tiers at a time."""


@dataclass(frozen=True)
class BuildProgress:
    """The progress of a build: indices done, including those found on disk, of the total, and the current tier."""

    done: int
    total: int
    found: int  # done in earlier runs
    tier: str
    seconds: float
    where: str = ""  # the workers that expand positions, if not this process

    @property
    def per_second(self) -> float:
        return (self.done - self.found) / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        return (self.total - self.done) / self.per_second if self.per_second > 0 else None


def build(
    game: Game,
    n: int,
    directory: str | Path,
    *,
    distance: bool = False,
    threads: int | None = None,
    jit: bool | Target = True,
    device: str = "cpu",
    workers: Workers | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> Database:
    """Solve all tiers of ``tiers(n)`` and store them in a folder; tiers finished earlier are not solved again.

    ``distance`` also stores the plies to the end. ``device="gpu"`` solves on a GPU. ``workers`` solve tiers, or
    expand slices of large ones. The result does not depend on these choices, the number of threads, or interruptions.
    """
    if workers is not None and device != "cpu":
        raise LimitError("a build uses either workers or a GPU, not both")
    if not isinstance(n, int) or n < 0:
        raise LimitError(f"the size of a database must be a whole number, not {n!r}")
    threads = check_threads(threads if threads is not None else usable_processors())
    tiers = tiers_of(game, n)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise EndgameError(f"{str(folder)!r} cannot be created: {problem.strerror or problem}") from problem
    with _locked(folder):
        manifest = read_manifest(folder)
        if manifest is not None and manifest.get("game") != game.name:
            check_manifest(folder, manifest, game)  # raises an error that names the other game
        for pattern in (".*.tier.*.tmp", f".{MANIFEST}.*.tmp"):  # left by a build that was killed
            for left in folder.glob(pattern):
                left.unlink(missing_ok=True)
        work = _Build(game, tiers, folder, distance, threads, target_of(jit, device), workers)
        records = work.solver.crew.run(work.run, on_report=on_progress, helpers=work.helpers)
        # A larger database in this folder stays as it is.
        if manifest is not None and _covers(manifest, game, n, distance, folder):
            return Database.open(folder, game)
        write_manifest(folder, game, n, distance, records)
    return Database.open(folder, game)


def _covers(manifest: dict[str, Any], game: Game, n: int, distance: bool, folder: Path) -> bool:
    try:
        check_manifest(folder, manifest, game)
    except EndgameError:
        return False
    return bool(manifest["n"] > n and (manifest["distance"] or not distance))


def _solver_for(target: Target) -> type[Solver] | type[Sweeper]:
    """The solver for a target. The one for the processor asks the rules once for each position, but works in steps."""
    return Solver if target in (CPU, PLAIN) else Sweeper


class _Build:
    """One run over all tiers."""

    def __init__(
        self,
        game: Game,
        tiers: list[tuple[str, int]],
        folder: Path,
        distance: bool,
        threads: int,
        target: Target,
        workers: Workers | None,
    ) -> None:
        self.game, self.tiers, self.folder, self.distance, self.threads = game, tiers, folder, distance, threads
        self.total = sum(size for _, size in tiers)
        self.done = self.found = 0
        self.name = ""
        self.report: Callable[[BuildProgress], None] = lambda progress: None
        self.solver = _solver_for(target)(game, len(tiers), threads, target, self.tick)
        is_large = target.is_compiled and self.total >= MANY
        self.coder = Coder(game, threads) if is_large else None
        self.team_solver: TeamSolver | None = None
        if workers is None and is_large and threads > 1:
            workers = Threads(threads)  # each thread solves its own tiers, which takes less waiting than sharing them
        if workers is not None and isinstance(self.solver, Solver):
            todo = [(tier, size) for tier, (name, size) in enumerate(tiers) if not self._is_finished(tier, name, size)]
            self.team_solver = TeamSolver(self.solver, workers, distance, todo, self.tick)
        self.started = time.perf_counter()

    def tick(self, positions: int) -> None:
        self.done += positions
        seconds, where = time.perf_counter() - self.started, "" if self.team_solver is None else self.team_solver.where
        self.report(BuildProgress(self.done, self.total, self.found, self.name, seconds, where))

    @property
    def helpers(self) -> list[Callable[[], None]]:
        """What runs beside ``run``."""
        return [] if self.team_solver is None else [self.team_solver.pump]

    def _is_finished(self, tier: int, name: str, size: int) -> bool:
        path = tier_path(self.folder, tier)
        file = self._finished(path, tier_print(self.game, tier, name, size)) if path.exists() else None
        if file is not None:
            file.close()
        return file is not None

    def run(self, report: Callable[[Any], None]) -> list[TierRecord]:
        self.report = report
        records: list[TierRecord] = []
        # A tier is written while the next one is solved; at most one tier waits to be written.
        writing: Future[TierRecord] | None = None
        with ThreadPoolExecutor(1) as writer:
            for tier, (name, size) in enumerate(self.tiers):
                self.name = name
                fingerprint = tier_print(self.game, tier, name, size)
                path = tier_path(self.folder, tier)
                file = self._finished(path, fingerprint) if path.exists() else None
                solved = self._solve(tier, name, size) if file is None else None
                if writing is not None:
                    records.append(writing.result())
                    writing = None
                if file is not None:
                    records.append(self._take(tier, file))
                elif solved is not None:
                    # Read back in this thread: a GPU answers only the thread that works with it.
                    distances = None if solved.distances is None else solved.distances.array()
                    packed = solved.values.array(), distances
                    writing = writer.submit(self._write, tier, name, size, fingerprint, path, solved.counts, packed)
            if writing is not None:
                records.append(writing.result())
        return records

    def _finished(self, path: Path, fingerprint: str) -> TierFile | None:
        """The file of an earlier run, if it is intact and of this game; None if the tier must be solved again."""
        try:
            file = TierFile(path)
        except DamagedTier:
            return None
        if file.facts["print"] != fingerprint:
            raise EndgameError(
                f"{str(path)!r} belongs to another game, or to other rules or parameters of {self.game.name};"
                " build into another folder"
            )
        return file if not self.distance or "distances" in file.parts else None

    def _take(self, tier: int, file: TierFile) -> TierRecord:
        """Load a finished tier, which later tiers need; loading checks every block."""
        target = self.solver.target
        distances = file.all_distances() if self.distance else None
        values = Row.of(file.all_values(), target)
        self._know(tier, file.size, values, None if distances is None else Row.of(distances, target))
        self.found += file.size
        self.tick(file.size)
        facts = file.facts
        counts = Counts(facts["wins"], facts["draws"], facts["losses"], facts["longest"])
        record = _record(facts["name"], file.size, counts, file.path, f"{file.checksum:08x}")
        file.close()
        return record

    def _solve(self, tier: int, name: str, size: int) -> SolvedTier:
        try:
            if self.team_solver is not None:
                solved = self.team_solver.solve(tier, size)
            else:
                solved = self.solver.solve(tier, size, self.distance)
        except MemoryError:
            raise EndgameError(
                f"{self.game.name}: tier {name!r} of {size:,} positions does not fit into memory"
            ) from None
        if solved is None:
            raise EndgameError("the build was stopped")
        self._know(tier, size, solved.values, solved.distances)
        return solved

    def _know(self, tier: int, size: int, values: Row, distances: Row | None) -> None:
        """Make a tier available to later ones."""
        self.solver.directory.put(tier, size, values, distances)
        if self.team_solver is not None:
            self.team_solver.add(tier, size, values, distances)

    def _write(
        self, tier: int, name: str, size: int, fingerprint: str, path: Path, counts: Counts, packed: tuple[Any, Any]
    ) -> TierRecord:
        facts = {
            "game": self.game.name,
            "tier": tier,
            "name": name,
            "size": size,
            "print": fingerprint,
            "wins": counts.wins,
            "draws": counts.draws,
            "losses": counts.losses,
            "longest": counts.longest,
        }
        checksum = write_tier(path, facts, *packed, self.threads, self.coder)
        return _record(name, size, counts, path, checksum)


def _record(name: str, size: int, counts: Counts, path: Path, checksum: str) -> TierRecord:
    wins, draws, losses, longest = counts.wins, counts.draws, counts.losses, counts.longest
    return TierRecord(name, size, counts.positions, wins, draws, losses, longest, path.stat().st_size, checksum)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder; EndgameError if another build is running in it."""
    with folder_lock(folder) as is_alone:
        if not is_alone:
            raise EndgameError(f"another build is running in {str(folder)!r}; wait for it, or use another folder")
        yield


def verify(
    database: Database,
    *,
    sample: int | None = None,
    threads: int | None = None,
    jit: bool = True,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> int:
    """Recompute positions from their successors and compare; return how many. EndgameError at the first wrong one.

    Checks all positions, or about ``sample`` of each tier. Loading checks every block of every file.
    """
    threads = check_threads(threads if threads is not None else usable_processors())
    game, started = database.game, time.perf_counter()
    solver = Solver(game, len(database.tiers), threads, target_of(jit), lambda positions: None, VERIFY)
    total = sum(tier.size for tier in database.tiers)

    def work(report: Callable[[Any], None]) -> int:
        checked = done = 0
        for tier, record in enumerate(database.tiers):
            file = database.file(tier)
            distances = file.all_distances()
            values = Row.of(file.all_values(), solver.target)
            more = None if distances is None else Row.of(distances, solver.target)
            solver.directory.put(tier, record.size, values, more)
            step = 1 if sample is None else max(1, record.size // sample)
            checked += solver.check(tier, record.size, step, database.has_distance)
            done += record.size
            report(BuildProgress(done, total, 0, record.name, time.perf_counter() - started))
        return checked

    return int(solver.crew.run(work, on_report=on_progress))
