"""A finished database: its manifest, its files, and lookups of positions.

>>> import tempfile
>>> from zerosum.endgame.build import build
>>> from zerosum.games import load
>>> game = load("nim", heaps="2,3")
>>> with tempfile.TemporaryDirectory() as folder:
...     database = build(game, 0, folder, distance=True, jit=False)
...     database.positions, database.probe(game.parse_state("2,2"))
(24, Probe(outcome=-1, distance=4))
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from zerosum.endgame.tierfile import FORMAT, TierFile
from zerosum.errors import EndgameError, OutsideDatabase
from zerosum.files import written_whole
from zerosum.game import MAX, Game
from zerosum.jit.row import Row
from zerosum.jit.target import target_of
from zerosum.solved_tiers import DRAW, LOSS, VICTORY, Directory

MANIFEST = "manifest.json"
LARGEST_TIER = 1 << 31
OPEN_FILES = 64
"""Maximum number of open files: systems allow a process about a thousand."""

SAMPLE = 3
"""Number of positions of a tier used to check that a game still has the index and the rules of when it was solved."""


class Probe(NamedTuple):
    """The result of a lookup: 1, 0 or -1 for MAX, and the plies to the end; None for a draw, or if not stored."""

    outcome: int
    distance: int | None


@dataclass(frozen=True)
class TierRecord:
    """A tier as listed in the manifest; wins and losses are for the player to move."""

    name: str
    size: int
    positions: int
    wins: int
    draws: int
    losses: int
    longest: int | None
    bytes: int
    checksum: str


def tier_path(directory: Path, tier: int) -> Path:
    return directory / f"{tier:05}.tier"


def tiers_of(game: Game, n: int) -> list[tuple[str, int]]:
    """The game's tiers, checked; MissingRule if the game lacks a function that a database needs."""
    for rule in ("tiers", "tier", "rank", "unrank"):
        game.require(rule, "an endgame database")
    if game.has("chances"):
        raise EndgameError(f"{game.name} is a game of chance: its positions are not won, drawn or lost")
    found = []
    for item in game.tiers(n):
        try:
            name, size = item
            found.append((str(name), int(size)))
        except (TypeError, ValueError):
            raise EndgameError(f"{game.name}: tiers({n}) yields {item!r} instead of a name and a size") from None
        if not 0 < found[-1][1] < LARGEST_TIER:
            raise EndgameError(
                f"{game.name}: tier {name!r} has {size:,} positions; it must have 1 to {LARGEST_TIER - 1:,}"
            )
    if not found:
        raise EndgameError(f"{game.name}: tiers({n}) yields no tiers")
    return found


def tier_print(game: Game, tier: int, name: str, size: int) -> str:
    """A hash of the indices and moves of some positions of a tier: equal for equal rules on every machine."""
    facts: list[Any] = [game.name, tier, name, size]
    for i in range(SAMPLE):
        index = size * (2 * i + 1) // (2 * SAMPLE)
        if index < size:
            s = game.state(game.unrank(tier, index), f"unrank({tier}, {index})")
            facts.append([index, game.state_type.words(s)])
            if not game.has("is_valid") or game.is_valid(s):
                facts.append(sorted(game.legal_moves(s)))
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


class Database:
    """Solved positions of one game, in a folder; see docs/endgame.md."""

    def __init__(self, directory: Path, game: Game, manifest: dict[str, Any]) -> None:
        self.directory, self.game, self.manifest = directory, game, manifest
        self.n: int = manifest["n"]
        self.has_distance: bool = manifest["distance"]
        self.tiers = tuple(TierRecord(**tier) for tier in manifest["tiers"])
        self._files: OrderedDict[int, TierFile] = OrderedDict()

    @classmethod
    def open(cls, directory: str | Path, game: Game) -> Database:
        """Open the database in a folder; EndgameError if it is missing, damaged, or of another game."""
        folder = Path(directory)
        manifest = read_manifest(folder)
        if manifest is None:
            raise EndgameError(f"{str(folder)!r} does not contain a finished endgame database: {MANIFEST} is missing")
        check_manifest(folder, manifest, game)
        return cls(folder, game, manifest)

    # Content

    @property
    def sha256(self) -> str:
        """The hash of the manifest, which contains checksums of everything else: it identifies the database."""
        return hashlib.sha256((self.directory / MANIFEST).read_bytes()).hexdigest()

    @property
    def positions(self) -> int:
        return sum(tier.positions for tier in self.tiers)

    @property
    def bytes(self) -> int:
        """The size on disk, without the manifest."""
        return sum(tier.bytes for tier in self.tiers)

    @property
    def bytes_unpacked(self) -> int:
        """The memory that ``load`` uses: two bits for each index, and 16 more with distances."""
        return sum(-(-tier.size // 64) * (16 + 128 * self.has_distance) for tier in self.tiers)

    def summary(self) -> dict[str, Any]:
        """The manifest with totals."""
        sums = {word: sum(getattr(tier, word) for tier in self.tiers) for word in ("wins", "draws", "losses")}
        return {**self.manifest, "positions": self.positions, **sums, "bytes": self.bytes}

    # Looking up

    def file(self, tier: int) -> TierFile:
        """A tier's file, checked against the manifest; only a limited number is kept open."""
        if tier in self._files:
            self._files.move_to_end(tier)
        else:
            record = self.tiers[tier]
            file = TierFile(tier_path(self.directory, tier))
            if f"{file.checksum:08x}" != record.checksum:
                raise EndgameError(f"{str(file.path)!r} is not the file that {MANIFEST} lists; build it again")
            if file.facts["print"] != tier_print(self.game, tier, record.name, record.size):
                raise EndgameError(f"{str(file.path)!r} was built with other rules of {self.game.name}")
            self._files[tier] = file
            if len(self._files) > OPEN_FILES:
                self._files.popitem(last=False)[1].close()
        return self._files[tier]

    def place(self, s: Any) -> tuple[int, int]:
        """The tier and index of a position; OutsideDatabase quotes it if it is not in the database."""
        game = self.game
        s = game.state(s)
        tier = int(game.tier(s))
        if not 0 <= tier < len(self.tiers):
            raise self._outside(s)
        index = int(game.rank(s))
        if not 0 <= index < self.tiers[tier].size:
            raise EndgameError(
                f"{game.name}: rank is {index} for {game.format_state(s)!r},"
                f" but tier {self.tiers[tier].name!r} has {self.tiers[tier].size:,}"
            )
        # Ask about the result of unrank, since is_valid may accept only one of several equivalent positions.
        if game.has("is_valid") and not game.is_valid(game.unrank(tier, index)):
            raise self._outside(s)
        return tier, index

    def _outside(self, s: Any) -> OutsideDatabase:
        return OutsideDatabase(
            f"the database in {str(self.directory)!r} does not contain {self.game.format_state(s)!r}"
        )

    def __contains__(self, s: Any) -> bool:
        try:
            self.place(s)
        except OutsideDatabase:
            return False
        return True

    def probe(self, s: Any) -> Probe:
        """Look up who wins and, if distances are stored, in how many plies."""
        tier, index = self.place(s)
        file = self.file(tier)
        value = file.value(index)
        if value == DRAW:
            return Probe(0, None)
        outcome = 1 if (value == VICTORY) == (self.game.to_move(s) == MAX) else -1
        assert value in (LOSS, VICTORY)
        return Probe(outcome, file.distance(index) if self.has_distance else None)

    def load(
        self, jit: bool = True, limit_mb: float | None = None, on_progress: Callable[[float], None] | None = None
    ) -> Directory:
        """Unpack all tiers for kernels; keep the result while they run. EndgameError above ``limit_mb`` megabytes."""
        if limit_mb is not None and self.bytes_unpacked > limit_mb * 2**20:
            raise EndgameError(
                f"the database in {str(self.directory)!r} takes {self.bytes_unpacked / 2**20:,.1f} MB of memory,"
                f" more than {limit_mb:g}"
            )
        target = target_of(jit)
        directory = Directory(len(self.tiers), target)
        for tier in range(len(self.tiers)):
            file = self.file(tier)
            distances = file.all_distances()
            more = None if distances is None else Row.of(distances, target)
            directory.put(tier, file.size, Row.of(file.all_values(), target), more)
            if on_progress is not None:
                on_progress((tier + 1) / len(self.tiers))
        return directory


def read_manifest(directory: Path) -> dict[str, Any] | None:
    """The content of a folder's manifest; None if there is none."""
    path = directory / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise EndgameError(f"{str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    except ValueError as problem:
        raise EndgameError(f"{str(path)!r} is damaged: {problem}; build the database again") from problem
    FORMAT.check(manifest, path)
    return dict(manifest)


def check_manifest(directory: Path, manifest: dict[str, Any], game: Game) -> None:
    """Raise EndgameError unless the manifest belongs to this game with these tiers."""
    path = str(directory / MANIFEST)
    if manifest.get("game") != game.name:
        raise EndgameError(f"the database in {str(directory)!r} belongs to {manifest.get('game')}, not to {game.name}")
    try:
        listed = [(tier.name, tier.size) for tier in (TierRecord(**tier) for tier in manifest["tiers"])]
        n = int(manifest["n"])
        bool(manifest["distance"])
    except (TypeError, KeyError, ValueError) as problem:
        raise EndgameError(f"{path!r} is damaged: {problem}; build the database again") from problem
    if listed != tiers_of(game, n):
        raise EndgameError(
            f"the database in {str(directory)!r} was built with other parameters or rules of {game.name}"
        )


def write_manifest(directory: Path, game: Game, n: int, distance: bool, tiers: list[TierRecord]) -> None:
    manifest = {
        **FORMAT.stamp,
        "game": game.name,
        "n": n,
        "distance": distance,
        "tiers": [asdict(tier) for tier in tiers],
    }
    with written_whole(directory / MANIFEST) as file:
        file.write(json.dumps(manifest, indent=1).encode() + b"\n")
