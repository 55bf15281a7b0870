"""Facts about kernels on disk: found again by every process, never stale, never trusted when damaged.

A process has compiled something if it has imported Numba: a warm start does not import it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest
from patience import PATIENCE
from rights import bound_by_permissions
from samples import THOROUGH

from zerosum.jit import store
from zerosum.search.perft import PERFT

GAME = """
from typing import NamedTuple
import sys
import zerosum as zs
import helper

class State(NamedTuple):
    stones: int
    turn: int

class Rules:
    most = 3

LIMIT = 9
MOST = 3

def moves(s):
    for n in range(1, min(Rules.most, MOST) + 1):
        if helper.allowed(s.stones, n):
            yield n

def play(s, n):
    return State(s.stones - n, 1 - s.turn)

game = zs.Game("stones", State, lambda: State(LIMIT, 0), lambda s: s.turn, moves, play,
               lambda s: 1 if s.turn else -1, 3)
"""
HELPER = "def allowed(stones, n):\n    return n <= stones\n"
RUN = """
if __name__ == "__main__":
    s = game.initial()
    count = zs.perft(game, s, 4)
    assert count == zs.perft(game, s, 4, jit=False)
    print(count, "numba" in sys.modules)
"""
COLD, WARM = "66 True", "66 False"


@pytest.fixture
def place(tmp_path):
    return furnished(tmp_path)


def furnished(folder):
    (folder / "stones.py").write_text(GAME + RUN)
    (folder / "helper.py").write_text(HELPER)
    return folder


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A folder whose game has been compiled by a process that has ended."""
    folder = furnished(tmp_path_factory.mktemp("compiled"))
    shared = os.environ["ZEROSUM_CACHE_DIR"]
    assert run(folder, ZEROSUM_CACHE_DIR=shared) in (COLD, WARM)
    (folder / "cache").mkdir(mode=0o700)
    shutil.copy(Path(shared, f"{digest_in(folder)}.kernel"), folder / "cache")
    return folder


@pytest.fixture
def warm(compiled, place):
    """A separate folder with the kernel in its cache: it does not matter where a game is defined."""
    shutil.copytree(compiled / "cache", place / "cache")
    return place


def run(place, *code, check=True, command=None, **environment):
    command = command or [sys.executable, *(code or ("stones.py",))]
    env = {**os.environ, "ZEROSUM_CACHE_DIR": str(place / "cache"), **environment}
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, timeout=PATIENCE)
    if check:
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()
    return done


def edit(place, file, old, new):
    text = (place / file).read_text()
    assert old in text
    (place / file).write_text(text.replace(old, new))


def the_entry(place):
    (path,) = (place / "cache").glob("*.kernel")
    return path


IMPORTED = "import sys; sys.path.insert(0, '.'); import zerosum as zs; from stones import game; "
SHOW = "print(zs.perft(game, game.initial(), 4), 'numba' in sys.modules)"


def test_a_script_a_module_and_a_game_file_share_their_kernels(warm):
    """The script, run directly, has compiled it: see ``compiled``."""
    assert run(warm) == WARM
    assert run(warm, "-c", IMPORTED + SHOW) == WARM
    assert run(warm, "-c", "import sys, zerosum as zs; game = zs.load('stones.py'); " + SHOW) == WARM


def in_a_notebook(place):
    """What the game shows in a new Jupyter kernel, in which State is another class of __main__."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    cells = [nbformat.v4.new_code_cell(GAME), nbformat.v4.new_code_cell(SHOW)]
    book = nbformat.v4.new_notebook(cells=cells)
    before = dict(os.environ)
    os.environ["ZEROSUM_CACHE_DIR"] = str(place / "cache")
    try:
        nbclient.NotebookClient(book, timeout=int(PATIENCE), resources={"metadata": {"path": str(place)}}).execute()
    finally:
        os.environ.clear()
        os.environ.update(before)
    return "".join(o.get("text", "") for o in book.cells[1].outputs if o.get("name") == "stdout").strip()


@pytest.mark.slow
def test_a_notebook_starts_warm_the_second_time(place):
    assert [in_a_notebook(place), in_a_notebook(place)] == [COLD, WARM]


EDITS = pytest.mark.parametrize(
    ("file", "old", "new", "then"),
    [
        ("stones.py", "State(s.stones - n, 1 - s.turn)", "State(s.stones - n - 1, 1 - s.turn)", "15 True"),
        ("helper.py", "n <= stones", "n < stones", "50 True"),
        ("stones.py", "most = 3", "most = 2", "16 True"),
        ("stones.py", "MOST = 3", "MOST = 2", "16 True"),
        ("stones.py", "State", "Heap", "66 True"),
    ],
    ids=["rule", "helper in another module", "class attribute", "constant", "state"],
)


def digest_in(place):
    """The name of the kernel of the game as it is in these files."""
    helper = ModuleType("helper")
    exec(compile((place / "helper.py").read_text(), "helper.py", "exec", dont_inherit=True), helper.__dict__)
    scope = {"__name__": "stones"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "helper", helper)
        exec(compile((place / "stones.py").read_text(), "stones.py", "exec", dont_inherit=True), scope)
    return PERFT.digest(scope["game"])


@EDITS
def test_after_an_edit_another_kernel_is_needed(warm, file, old, new, then):
    assert digest_in(warm) == the_entry(warm).stem
    edit(warm, file, old, new)
    assert digest_in(warm) != the_entry(warm).stem


@EDITS
@pytest.mark.slow
def test_an_edit_is_never_missed(warm, file, old, new, then):
    edit(warm, file, old, new)
    assert run(warm) == then


def test_an_edited_helper_in_another_module_is_compiled_anew(warm):
    edit(warm, "helper.py", "n <= stones", "n < stones")
    assert run(warm) == "50 True"


def test_an_edit_that_changes_nothing_compiles_nothing(warm):
    edit(warm, "stones.py", "class Rules:", "# a comment\n\nclass Rules:")
    assert run(warm) == WARM


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data[:-200] + bytes(x ^ 0xFF for x in data[-200:-100]) + data[-100:],
        lambda data: b"\x00\xff" + data[2:],
        lambda data: data.replace(b'"outside": []', b'"outside": ["x"]'),
        lambda data: b"[" * 5000 + data,
    ],
    ids=["truncated", "empty", "flipped bytes", "no header", "forged header", "deep nesting"],
)
def test_a_damaged_entry_counts_as_absent(warm, damage, monkeypatch):
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(warm / "cache"))
    path = the_entry(warm)
    whole = path.read_bytes()
    assert store.read(path.stem) is not None
    path.write_bytes(damage(whole))
    assert path.read_bytes() != whole
    assert store.read(path.stem) is None


@pytest.mark.slow
def test_a_damaged_entry_is_compiled_anew(warm):
    path = the_entry(warm)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert [run(warm), run(warm)] == [COLD, WARM]


@pytest.mark.slow
@pytest.mark.parametrize("where", ["a file", "no such device"])
def test_a_folder_that_cannot_be_written_means_one_warning(place, where):
    (place / "file").write_text("")
    folder = {"a file": str(place / "file" / "cache"), "no such device": "/dev/null/cache"}[where]
    done = run(place, check=False, ZEROSUM_CACHE_DIR=folder)
    assert (done.returncode, done.stdout.strip()) == (0, COLD)
    assert done.stderr.count("CacheWarning: ") == 1
    assert folder in done.stderr


def test_a_read_only_folder_means_one_warning(place):
    (place / "cache").mkdir(mode=0o500)
    done = run(place, check=False, command=bound_by_permissions([sys.executable, "stones.py"]))
    assert (done.returncode, done.stdout.strip(), done.stderr.count("CacheWarning: ")) == (0, COLD, 1), done.stderr


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
import runpy; runpy.run_path("stones.py", run_name="__main__")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on file size")
def test_a_full_disk_leaves_no_half_file(place):
    done = run(place, "-c", FULL, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, COLD), done.stderr
    assert done.stderr.count("CacheWarning: ") == 1
    assert list((place / "cache").iterdir()) == []
    assert not THOROUGH or [run(place), run(place)] == [COLD, WARM]


@pytest.mark.parametrize("starts", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_many_starts_at_once_all_work(place, starts):
    """Two at a time: the first two need to compile, but only one does."""
    with ThreadPoolExecutor(2) as pool:
        shown = list(pool.map(lambda _: run(place), range(starts)))
    assert set(shown) == {COLD, WARM}
    assert shown.count(COLD) == 1
    assert the_entry(place).exists()


EVERY_KERNEL = """
import sys, zerosum as zs
from zerosum.engine import minimax, playouts
name, parameters, how = sys.argv[1:]
game = zs.load(name, **eval(parameters)); s = game.initial(); jit = how == "compiled"
r, m = zs.Engine(game, hash_mb=1, jit=jit).search(s, depth=4), minimax(game, s, 4, jit=jit)
print(r.value, r.nodes, r.pv, m.value, m.nodes, zs.perft(game, s, 4, jit=jit), playouts(game, s, 9, jit=jit).plies,
      "numba" in sys.modules)
"""


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("tictactoe", {}),
        pytest.param("pig", {"target": 15}, marks=pytest.mark.slow),
        *(pytest.param(name, {}, marks=pytest.mark.slow) for name in ("stones.py", "connect-four")),
    ],
)
def test_every_kernel_works_in_two_fresh_processes(place, name, parameters):
    """Compiled by one process, here or in another test, and loaded by the next: both agree with plain Python."""
    cache = os.environ["ZEROSUM_CACHE_DIR"]
    what = ("-c", EVERY_KERNEL, name, str(parameters))
    plain = run(place, *what, "plain").rsplit(" ", 1)
    first, second = (run(place, *what, "compiled", ZEROSUM_CACHE_DIR=cache).rsplit(" ", 1) for _ in range(2))
    assert first[0] == second[0] == plain[0]
    assert second[1] == "False"


def test_the_cache_can_be_listed_and_cleared(warm, monkeypatch):
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(warm / "cache"))
    (entry,) = store.entries()
    assert (entry.game, entry.kernel, entry.path) == ("stones", "perft", the_entry(warm))
    assert entry.size > 0 < entry.seconds
    (warm / "cache" / "left.tmp").write_text("from a killed process")
    assert store.clear() == 2
    assert store.entries() == []


def test_the_header_says_what_is_inside(warm):
    header = json.loads(the_entry(warm).read_bytes().partition(b"\n")[0])
    assert header["game"] == "stones" and header["kernel"] == "perft" and header["format"] == store.FORMAT
