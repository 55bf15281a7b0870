"""Once begun, a compilation is finished by one process, whatever happens to the others."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from looking import GUESS
from test_cache import COLD, SHOW, WARM, edit, place, run, the_entry  # noqa: F401

from zerosum.errors import CacheWarning, KernelError
from zerosum.games import load
from zerosum.jit import claims, detached, kernel, store
from zerosum.search.perft import PERFT
from zerosum.templates import written

LOADED = "import sys, zerosum as zs; from zerosum.jit import detached; detached.enabled = True; "
PLAY = "game = zs.load('stones.py'); " + SHOW
NOTE = "\nimport os\nwith open('loaded', 'a') as file:\n    print(os.getpid(), file=file)\n"


def wait_for(condition, seconds=300):
    """Wait for an event that must come, however slow the machine."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_another_process_compiles_and_this_one_loads(place):  # noqa: F811
    """What the game file prints in the other process is not taken for its answer."""
    edit(place, "stones.py", "LIMIT = 9", "LIMIT = 9\nprint('hello', flush=True)")
    assert run(place, "-c", LOADED + PLAY) == f"hello\n{WARM}"
    assert the_entry(place).exists()


@pytest.mark.slow
def test_where_nothing_can_be_kept_this_process_compiles(place):  # noqa: F811
    done = run(place, "-c", LOADED + PLAY, check=False, ZEROSUM_CACHE_DIR="/dev/null/cache")
    assert (done.returncode, done.stdout.strip(), done.stderr.count("CacheWarning: ")) == (0, COLD, 1), done.stderr


def test_no_other_process_compiles_what_cannot_be_kept(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(kernel, "_loaded", {})
    monkeypatch.setattr(detached, "make", lambda *_: pytest.fail("another process compiles"))
    game = load("nim")
    with pytest.warns(CacheWarning, match="cannot be stored"):
        GUESS.of(game)


def test_a_game_that_no_other_process_can_load_is_compiled_here(place):  # noqa: F811
    assert run(place, "-c", LOADED + "sys.path.insert(0, '.'); from stones import game; " + SHOW) == COLD


def test_a_compiler_that_hangs_in_a_rule_ends(tmp_path, monkeypatch):
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(detached, "enabled", True)
    soon = "from zerosum.jit import detached; detached.LONGEST = 1.0; detached.main()"
    monkeypatch.setattr(detached, "PROGRAM", "import sys; sys.path[:] = {path!r}; " + soon)
    file, _ = written(tmp_path / "race.py", "dice")
    game = load(str(file))
    file.write_text("while True:\n    pass\n")
    assert not detached.make(GUESS, game)


def test_rules_that_cannot_be_compiled_are_told_in_the_same_words(place):  # noqa: F811
    edit(place, "stones.py", "    return State(s.stones - n", "    print(open)\n    return State(s.stones - n")
    there = run(place, "-c", LOADED + PLAY, check=False).stderr.strip().splitlines()[-1]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KernelError) as caught:
        patch.syspath_prepend(place)
        PERFT.compiled(load(str(place / "stones.py")))
    sys.modules.pop("helper", None)
    assert there == f"zerosum.errors.KernelError: {caught.value}" and str(caught.value).startswith("stones: ")


def engine_in(place):  # noqa: F811
    """``zerosum uci`` with the game of stones."""
    environment = {**os.environ, "ZEROSUM_CACHE_DIR": str(place / "cache")}
    return subprocess.Popen(
        [sys.executable, "-m", "zerosum", "uci", "stones.py"],
        cwd=place, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip


@pytest.fixture
def busy(place):  # noqa: F811
    """An engine whose compiler has started, and waits for the claim that this test holds."""
    (place / "stones.py").write_text((place / "stones.py").read_text() + NOTE)
    digest = run(
        place, "-c", "from zerosum.games import load; from zerosum.search.strategies import AlphaBeta; "
        "game = load('stones.py'); print(AlphaBeta().kernel(game).digest(game))",
    )  # fmt: skip
    (place / "loaded").unlink()
    (place / "cache").mkdir(mode=0o700)
    with ExitStack() as held:
        held.enter_context(claims.claimed(place / "cache", digest))
        engine = engine_in(place)
        loaded = place / "loaded"
        wait_for(lambda: loaded.exists() and len(set(loaded.read_text().split())) == 2)
        yield engine, held
        engine.kill()
        engine.communicate()


SLOW_ENDS = [pytest.param(end, marks=pytest.mark.slow) for end in ("end of input", "killed")]


@pytest.mark.parametrize("end", ["quit", *SLOW_ENDS])
def test_the_compiler_goes_on_when_the_engine_is_gone(place, busy, end):  # noqa: F811
    engine, held = busy
    if end == "killed":
        engine.kill()
    engine.communicate("quit\n" if end == "quit" else None, timeout=300)
    assert list((place / "cache").glob("*.kernel")) == []
    held.close()
    wait_for(lambda: list((place / "cache").glob("*.kernel")))


@pytest.mark.slow
def test_of_many_that_start_at_once_one_compiles(place):  # noqa: F811
    jobs = [
        subprocess.Popen(
            [sys.executable, "stones.py"],
            cwd=place, env={**os.environ, "ZEROSUM_CACHE_DIR": str(place / "cache")}, text=True, stdout=subprocess.PIPE,
        )
        for _ in range(4)
    ]  # fmt: skip
    assert sorted(job.communicate(timeout=300)[0].strip() for job in jobs) == [WARM, WARM, WARM, COLD]


HOLD = """
import sys
from pathlib import Path
from zerosum.jit import claims
with claims.claimed(Path("cache"), sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_killed_process_keeps_nobody_waiting(place, monkeypatch):  # noqa: F811
    (place / "cache").mkdir(mode=0o700)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, "digest"], cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    monkeypatch.setattr(claims, "PATIENCE", 0.0)
    assert claims._hold(place / "cache" / "digest.claim") is None  # another process holds it
    holder.kill()
    holder.communicate()
    assert (place / "cache" / "digest.claim").exists()
    monkeypatch.undo()
    with claims.claimed(place / "cache", "digest"):
        pass
    assert list((place / "cache").iterdir()) == []


def test_what_killed_processes_left_is_cleared(tmp_path, monkeypatch):
    monkeypatch.setenv("ZEROSUM_CACHE_DIR", str(tmp_path))
    (tmp_path / "digest.claim").touch()
    assert store.clear() == 1
