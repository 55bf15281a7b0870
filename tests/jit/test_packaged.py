"""Kernels that come with the package are used if they match what would be compiled here; otherwise it is compiled.

A process has compiled something if it has imported Numba: turning a packaged kernel into machine code does not need it.
"""

from __future__ import annotations

import lzma
import shutil

import pytest
from test_cache import COLD, WARM, place, run  # noqa: F401

from zerosum.engine import Engine
from zerosum.games import load
from zerosum.jit import kernel, native, packaged
from zerosum.search.perft import PERFT
from zerosum.shipping import ship

PACK = """
import sys
from pathlib import Path
from zerosum.games import load
from zerosum.jit import numba_private, packaged
from zerosum.search.perft import PERFT
numba_private.for_any_processor()
game = load("stones.py")
packaged.write(Path("packed"), PERFT.source(game), PERFT.compiled(game).text)
"""

START = """
import runpy
from pathlib import Path
from zerosum.jit import packaged
packaged.FOLDER = Path("packed")
runpy.run_path("stones.py", run_name="__main__")
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A folder with the packaged kernel of the game of stones."""
    from test_cache import GAME, HELPER, RUN

    folder = tmp_path_factory.mktemp("packed")
    (folder / "stones.py").write_text(GAME + RUN)
    (folder / "helper.py").write_text(HELPER)
    (folder / "packed").mkdir()
    run(folder, "-c", PACK)
    return folder / "packed"


@pytest.fixture
def start(place, packed):  # noqa: F811
    """Start the game in a new process that uses the package's folder."""
    shutil.copytree(packed, place / "packed")
    return lambda **environment: run(place, "-c", START, **environment)


def the_file(place):  # noqa: F811
    (path,) = (place / "packed").iterdir()
    return path


def test_a_packaged_kernel_is_finished_for_this_processor_and_kept(place, start):  # noqa: F811
    assert start() == WARM  # the count that plain Python finds, and no Numba
    shutil.rmtree(place / "packed")
    assert start() == WARM


def test_nothing_in_it_belongs_to_the_machine_that_made_it(packed):
    (file,) = packed.iterdir()
    text = lzma.decompress(file.read_bytes()).decode()
    assert f'target triple = "{native.kind_of_processor()[0]}"' in text
    assert "target-cpu" not in text and "target-features" not in text and "inttoptr (i64" not in text


@pytest.mark.slow
def test_a_kernel_under_another_name_is_not_looked_at(place, start):  # noqa: F811
    file = the_file(place)
    file.rename(file.with_name(f"{'0' * 64}{packaged.SUFFIX}"))
    assert start() == COLD


@pytest.mark.slow
def test_edited_rules_have_no_packaged_kernel(place, start):  # noqa: F811
    text = (place / "helper.py").read_text()
    (place / "helper.py").write_text(text.replace("n <= stones", "n < stones"))
    assert start() == "50 True"


@pytest.mark.slow
def test_with_another_setting_of_numba_it_is_compiled(start):
    assert start(NUMBA_LOOP_VECTORIZE="0") == COLD


def test_a_setting_of_numba_means_another_kernel(monkeypatch):
    game = load("tictactoe")
    source = PERFT.source(game)
    kernel._platform.cache_clear()
    monkeypatch.setenv("NUMBA_LOOP_VECTORIZE", "0")
    try:
        assert PERFT.source(game) != source
    finally:
        kernel._platform.cache_clear()


def test_a_kernel_is_found_by_the_hash_of_its_source(packed, monkeypatch):
    monkeypatch.setattr(packaged, "FOLDER", packed)
    (file,) = packed.iterdir()
    assert packaged.read(file.name.removesuffix(packaged.SUFFIX)) is not None
    assert packaged.read("0" * 64) is None


SHIP = """
from pathlib import Path
from zerosum.shipping import ship_one
ship_one("tictactoe", Path("packed"))
"""
SEARCH = """
import sys
from pathlib import Path
import zerosum as zs
from zerosum.jit import packaged
packaged.FOLDER = Path("packed")
game = zs.load("tictactoe")
found = zs.Engine(game, hash_mb=1).search(game.initial())
print(found.value, found.nodes, found.pv, "numba" in sys.modules)
"""


@pytest.mark.slow
def test_what_a_wheel_ships_searches_like_what_is_compiled_here(tmp_path):
    (tmp_path / "packed").mkdir()
    run(tmp_path, "-c", SHIP)
    shipped = run(tmp_path, "-c", SEARCH)
    game = load("tictactoe")
    found = Engine(game, hash_mb=1).search(game.initial())
    assert shipped == f"{found.value} {found.nodes} {found.pv} False"


def test_a_game_that_does_not_work_out_is_left_out_of_the_wheel(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("zerosum.games.GAMES", {"no-such-game": None})
    assert ship(tmp_path) == 1 and list(tmp_path.iterdir()) == []
    assert "no-such-game: no kernel: UnknownGame" in capsys.readouterr().out


def repacked(change):
    return lambda data: lzma.compress(change(lzma.decompress(data)))


DAMAGES = {
    "truncated": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "flipped bytes": lambda data: data[:500] + bytes(x ^ 0xFF for x in data[500:520]) + data[520:],
    "another kernel's": repacked(lambda text: b"; " + b"0" * 64 + text[66:]),
    "not LLVM's language": repacked(lambda text: text.replace(b"define ", b"divine ")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_one_counts_as_absent(tmp_path, packed, damage, monkeypatch):
    (whole,) = packed.iterdir()
    source = whole.name.removesuffix(packaged.SUFFIX)
    monkeypatch.setattr(packaged, "FOLDER", tmp_path)
    (tmp_path / whole.name).write_bytes(whole.read_bytes())
    assert kernel._from_package(source) is not None
    (tmp_path / whole.name).write_bytes(DAMAGES[damage](whole.read_bytes()))
    assert (tmp_path / whole.name).read_bytes() != whole.read_bytes()
    assert kernel._from_package(source) is None


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_one_is_compiled_anew(place, start, damage):  # noqa: F811
    file = the_file(place)
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    assert file.read_bytes() != whole
    assert [start(), start()] == [COLD, WARM]


def test_processors_of_one_kind_share_it_and_have_machine_code_of_their_own(monkeypatch):
    game = load("tictactoe")
    source, digest = PERFT.source(game), PERFT.digest(game)
    monkeypatch.setattr(native, "processor", lambda: ("another", "+none"))
    assert PERFT.source(game) == source and PERFT.digest(game) != digest


@pytest.mark.parametrize("kind", [("aarch64-unknown-linux-gnu", "e"), ("x86_64-pc-windows-msvc", "e-m:w")])
def test_other_systems_have_other_kernels(monkeypatch, kind):
    game = load("tictactoe")
    source = PERFT.source(game)
    kernel._platform.cache_clear()
    monkeypatch.setattr(native, "kind_of_processor", lambda: kind)
    try:
        assert PERFT.source(game) != source
    finally:
        kernel._platform.cache_clear()
