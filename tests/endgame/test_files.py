"""Databases on disk: damaged, foreign, incomplete and missing files are reported, and never used for an answer."""

from __future__ import annotations

import errno
import json
import mmap
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import KILL
from samples import samples

import zerosum.files
from endgame.maze import BROKEN, NAMES, Room, maze
from zerosum.endgame import codes, coding, tierfile
from zerosum.endgame.build import BuildProgress, build, verify
from zerosum.endgame.coding import Coder
from zerosum.endgame.database import Database, tier_path
from zerosum.endgame.tierfile import BLOCK, TierFile, pack_values, unpack_values, write_tier
from zerosum.errors import DamagedTier, EndgameError, LimitError, MissingRule, OutsideDatabase, ZerosumError
from zerosum.games import load

TESTS = Path(__file__).parents[1]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maze")
    build(maze(1), 3, folder, distance=True, jit=False)
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    for name, data in contents(made).items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


# Codes


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 200)), min_size=1, max_size=60))
def test_values_come_back_and_only_holes_change(runs: list[tuple[int, int]]) -> None:
    values = np.repeat(np.array([value for value, _ in runs], np.uint8), [length for _, length in runs])
    method, first, data = codes.encode(values)
    back = codes.decode(method, first, data, len(values))
    assert ((back == values) | (values == 0)).all() and back.all()
    assert (unpack_values(pack_values(values), 0, len(values)) == values).all()


def test_large_tiers_are_coded_by_a_kernel_to_the_same_bytes() -> None:
    coder, rng = Coder(maze(), 3), np.random.default_rng(2)
    blocks: set[int] = set()
    for mean, lowest in ((1, 1), (2, 0), (40, 0), (300, 1), (5000, 0), (200_000, 1)):
        lengths = rng.geometric(1 / mean, 4 * coding.AT_ONCE * BLOCK // mean + 1)
        words = pack_values(np.repeat(rng.integers(lowest, 4, len(lengths)).astype(np.uint8), lengths))
        for size in (1, 31, BLOCK, BLOCK + 33, min(32 * len(words), 2 * coding.AT_ONCE * BLOCK + 77)):
            expected = [codes.encode(unpack_values(words, a, min(a + BLOCK, size))) for a in range(0, size, BLOCK)]
            assert coder(words, size) == expected, (mean, lowest, size)
            blocks |= {method for method, _, _ in expected}
    assert blocks == {codes.CONSTANT, codes.RUNS, codes.TRIPLES, codes.DEFLATED}
    nothing = np.zeros(4096, np.int64)
    assert coder(nothing, BLOCK) == [codes.encode(np.zeros(BLOCK, np.uint8))] == [(codes.CONSTANT, 2, b"")]


def test_long_runs_take_few_bytes_and_noise_a_fifth() -> None:
    rng = np.random.default_rng(1)
    assert len(codes.encode(np.full(100_000, 2))[2]) == 0
    assert len(codes.encode(np.repeat([1, 2, 3], 50_000))[2]) < 60
    assert len(codes.encode(rng.integers(1, 4, 1000))[2]) == 200
    assert codes.encode(np.tile([1, 2, 2, 3], 1000))[0] == codes.DEFLATED


@settings(max_examples=20)
@given(st.integers(1, 200), st.integers(1, 3))
def test_a_tier_of_any_size_is_read_as_it_was_written(tmp_path_factory, size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    path = tmp_path_factory.mktemp("tier") / "00000.tier"
    values = rng.integers(1, 4, size)
    distances = np.zeros(-(-size // 64) * 16, np.int64)
    distances.view("<u2")[:size] = rng.integers(0, 65535, size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tierfile, "BLOCK", 64)
        write_tier(path, {"size": size}, pack_values(values), distances, threads=seed)
    file = TierFile(path)
    assert (file.all_values() == pack_values(values)).all() and (file.all_distances() == distances).all()
    assert [file.value(i) for i in range(size)] == values.tolist()
    assert [file.distance(i) for i in range(size)] == distances.view("<u2")[:size].tolist()


# Damage


def test_every_changed_byte_is_noticed(copy: Path) -> None:
    """A bit flipped anywhere in a tier's file, or the file cut off anywhere: an error, never a wrong value."""
    path = tier_path(copy, 1)
    whole = path.read_bytes()
    for at in range(len(whole)):
        for damaged in (whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :], whole[:at]):
            path.write_bytes(damaged)
            with pytest.raises(EndgameError, match=r"00001\.tier"):
                Database.open(copy, maze(1)).load(jit=False)
    path.write_bytes(whole + b"x")
    with pytest.raises(EndgameError, match="bytes instead of"):
        Database.open(copy, maze(1)).probe(Room(1, 0, 0, 0))


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "damaged"),
        ("{", "damaged"),
        ("[]", "not a file of the format 'zerosum endgame'"),
        ('{"a": 1}', "not a file of the format 'zerosum endgame'"),
        ('{"zerosum endgame": 99}', "has version 99 of the format 'zerosum endgame'; this program reads version 1"),
        ('{"zerosum endgame": 1, "game": "maze"}', "damaged"),
        ('{"zerosum endgame": 1, "game": "chess"}', "belongs to chess, not to maze"),
        ('{"zerosum endgame": 1, "game": "maze", "n": 3, "distance": true, "tiers": [{"name": 1}]}', "damaged"),
    ],
)
def test_a_manifest_that_makes_no_sense(copy: Path, text: str, why: str) -> None:
    (copy / "manifest.json").write_text(text)
    with pytest.raises(EndgameError, match=why):
        Database.open(copy, maze(1))


def test_what_is_not_there(tmp_path: Path, copy: Path) -> None:
    with pytest.raises(EndgameError, match="not contain a finished endgame database"):
        Database.open(tmp_path / "nothing", maze(1))
    tier_path(copy, 0).unlink()
    with pytest.raises(EndgameError, match="No such file"):
        Database.open(copy, maze(1)).probe(Room(0, 0, 0, 0))


def test_files_of_another_game_or_of_other_rules(copy: Path) -> None:
    with pytest.raises(EndgameError, match="belongs to maze, not to nim"):
        Database.open(copy, load("nim"))
    with pytest.raises(EndgameError, match="belongs to maze, not to nim"):
        build(load("nim"), 0, copy, jit=False)
    other_rules = maze(2)
    with pytest.raises(EndgameError, match="other rules of maze"):
        Database.open(copy, other_rules).probe(Room(0, 0, 0, 0))
    with pytest.raises(EndgameError, match="another folder"):
        build(other_rules, 3, copy, distance=True, jit=False)
    other_size = maze(1, tiers=lambda n: [("floor 0", 2 * NAMES - 2)])
    with pytest.raises(EndgameError, match="other parameters"):
        Database.open(copy, other_size)
    # An intact tier from elsewhere in place of this one.
    tier_path(copy, 1).write_bytes(tier_path(copy, 0).read_bytes())
    with pytest.raises(EndgameError, match="not the file that manifest"):
        Database.open(copy, maze(1)).load(jit=False)


def test_a_wrong_value_is_found_by_verifying(copy: Path) -> None:
    database = Database.open(copy, maze(1))
    file = database.file(2)
    values = file.all_values()
    values[0] ^= 3 << 4  # of the third position
    write_tier(
        file.path, {k: v for k, v in file.facts.items() if k not in ("block", "tables")}, values, file.all_distances()
    )
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["tiers"][2]["checksum"] = f"{TierFile(file.path).checksum:08x}"
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(EndgameError, match=r"tier 2, index 2 is stored as .* but according to its moves it is"):
        verify(Database.open(copy, maze(1)), jit=False)


def test_positions_outside(made: Path) -> None:
    database = Database.open(made, maze(1))
    for s in (Room(3, 0, 0, 0), Room(-1, 0, 0, 0), Room(0, 3, 0, 0)):
        assert s not in database
        with pytest.raises(OutsideDatabase, match="does not contain '"):
            database.probe(s)
    with pytest.raises(EndgameError, match="rank is 500"):
        database.probe(Room(0, 250, 0, 0))
    with pytest.raises(EndgameError, match="of memory, more than 0"):
        database.load(limit_mb=0.0001)


# Building


@pytest.mark.parametrize("changes, why", BROKEN)
def test_an_index_that_is_wrong_is_noticed(changes: dict, why: str, tmp_path: Path) -> None:
    game = maze(1, **changes)
    with pytest.raises(EndgameError, match=why) as caught:
        build(game, 3, tmp_path, jit=False)
    assert "the position is '" in str(caught.value) and "\n" not in str(caught.value)
    assert not (tmp_path / "manifest.json").exists()


def test_without_holes_the_same_index_is_right(tmp_path: Path) -> None:
    assert build(maze(1, is_valid=None), 3, tmp_path, jit=False).positions == 3 * 2 * NAMES


def test_what_cannot_be_built(tmp_path: Path) -> None:
    with pytest.raises(MissingRule, match=r"an endgame database needs tiers\(n\), which othello"):
        build(load("othello"), 4, tmp_path)
    with pytest.raises(LimitError, match="not -1"):
        build(maze(1), -1, tmp_path)
    with pytest.raises(EndgameError, match="yields no tiers"):
        build(maze(1), 0, tmp_path)
    with pytest.raises(EndgameError, match="532,875,860,165,503 positions"):
        build(load("connect-four"), 0, tmp_path)
    with pytest.raises(EndgameError, match="instead of a name and a size"):
        build(maze(1, tiers=lambda n: [3]), 0, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(EndgameError, match="cannot be created"):
        build(maze(1), 3, tmp_path / "file" / "deeper")


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiers written before are kept, incomplete files are not, and the next build resumes."""
    real, calls = os.replace, []

    def full(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(source, target)

    monkeypatch.setattr(zerosum.files.os, "replace", full)
    with pytest.raises(ZerosumError, match=r"00001\.tier' cannot be written: No space left on device"):
        build(maze(1), 3, tmp_path, jit=False)
    assert list(contents(tmp_path)) == ["00000.tier"]
    build(maze(1), 3, tmp_path, jit=False)
    assert len(contents(tmp_path)) == 4


def test_two_builds_in_one_folder(tmp_path: Path) -> None:
    def meanwhile(progress: BuildProgress) -> None:
        with pytest.raises(EndgameError, match="another build is running"):
            build(maze(1), 3, tmp_path, jit=False)

    build(maze(1), 3, tmp_path, jit=False, on_progress=meanwhile)


def test_a_larger_database_takes_over_the_tiers_of_a_smaller_one(tmp_path: Path, made: Path) -> None:
    reported: list[BuildProgress] = []
    build(maze(1), 2, tmp_path, distance=True, jit=False)
    assert len(Database.open(tmp_path, maze(1)).tiers) == 2
    build(maze(1), 3, tmp_path, distance=True, jit=False, on_progress=reported.append)
    assert contents(tmp_path) == contents(made)
    assert reported[-1].done == reported[-1].total == 240 and reported[-1].found == 160
    # A smaller build removes nothing.
    assert len(build(maze(1), 1, tmp_path, distance=True, jit=False).tiers) == 3


def test_a_damaged_tier_is_not_kept_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows could not replace a mapped file."""
    (tmp_path / "some.tier").write_bytes(b"zerosum endgame 1\nand then nonsense")
    mapped, map_file = [], mmap.mmap

    def remembered(*arguments: Any, **options: Any) -> mmap.mmap:
        mapped.append(map_file(*arguments, **options))
        return mapped[0]

    monkeypatch.setattr(mmap, "mmap", remembered)
    with pytest.raises(DamagedTier):
        TierFile(tmp_path / "some.tier")
    assert [one.closed for one in mapped] == [True]


def test_damaged_tiers_are_made_again(copy: Path, made: Path) -> None:
    path = tier_path(copy, 1)
    path.write_bytes(path.read_bytes()[:-1])
    (copy / ".00002.tier.abc.tmp").write_bytes(b"half")
    build(maze(1), 3, copy, distance=True, jit=False)
    assert contents(copy) == contents(made)


def test_a_tier_of_a_newer_version_is_refused_and_not_built_over(copy: Path) -> None:
    path = tier_path(copy, 1)
    newer = path.read_bytes().replace(b"zerosum endgame 1\n", b"zerosum endgame 2\n")
    path.write_bytes(newer)
    (copy / "manifest.json").unlink()
    with pytest.raises(EndgameError, match=r"has version 2 .*; this program reads version 1"):
        build(maze(1), 3, copy, distance=True, jit=False)
    assert path.read_bytes() == newer


BUILDER = """
import os, sys
from endgame.maze import maze
from zerosum.endgame import build as building
from zerosum.endgame.solve import Solver
from zerosum.endgame.sweeper import Sweeper

def pause():  # until told to go on, or killed
    print("pause", flush=True)
    sys.stdin.readline()

def in_steps(*names, rename=os.replace):  # one pause before a tier gets its name, one after
    pause()
    rename(*names)
    pause()

os.replace = in_steps
building._solver_for = lambda target: Sweeper if sys.argv[2] == "Sweeper" else Solver
building.build(maze(1), 3, sys.argv[1], distance=True, jit=False)
"""


@pytest.mark.parametrize("solver", ["Solver", pytest.param("Sweeper", marks=pytest.mark.slow)])
def test_killed_at_any_moment_it_ends_the_same(solver: str, tmp_path: Path, made: Path) -> None:
    """kill -9, before and after tiers get their names: the database is that of an undisturbed build."""
    command = [sys.executable, "-c", BUILDER, str(tmp_path), solver]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
    found = set()
    for pauses in (1, 2, 3, 1, 2)[: samples(5, at_least=3)]:
        with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None and process.stdout is not None
            for _ in range(pauses - 1):
                assert process.stdout.readline() == b"pause\n"
                process.stdin.write(b"\n")
                process.stdin.flush()
            assert process.stdout.readline() == b"pause\n"
            process.send_signal(KILL)
        found.add(len(list(tmp_path.glob("*.tier"))))
    assert len(found) > 2  # it was killed in the middle, at several points
    subprocess.run(command, env=environment, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    assert contents(tmp_path) == contents(made)
