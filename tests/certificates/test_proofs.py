"""A solved position can be certified, and its certificate checked with plain rules."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_architecture import ON_PURPOSE, imports, module_at, room

import zerosum
from certificates.builders import entries_of, proof
from zerosum.certificates import claim_check, spill, verifying
from zerosum.certificates.file import Certificate
from zerosum.certificates.verifying import verify
from zerosum.certifying import strategy
from zerosum.certifying.writing import certify
from zerosum.engine import Engine
from zerosum.errors import CertificateError
from zerosum.games import load

SOURCE = Path(zerosum.__file__).parent
BLACK_WINS = "X-OOO-OXOXOOOOXXOOXXOXOXOOXOXOXXOOXOOOOX-OOOOO--OOXXXXXX--XOOOOO O"

PROVED = [
    ("tictactoe", {}, "x...o....", "a draw from 'x...o....'"),
    ("tictactoe", {}, "xx.oo....", "X wins from 'xx.oo....' within 1 ply"),
    ("tictactoe", {}, "xo.......", "X wins from 'xo.......' within 5 plies"),
    ("tictactoe", {}, "xxxoo....", "X wins from 'xxxoo....' within 0 plies"),
    ("nim", {"heaps": "3,4,5"}, "", "MAX wins from '3,4,5 max' within 11 plies"),
    ("nim", {"heaps": "2,2"}, "", "MIN wins from '2,2 max' within 4 plies"),
    ("kalah", {"pits": 2, "seeds": 2}, "", "North wins by 2 from '2,2,0/2,2,0 south'"),
    ("connect-four", {"width": 4, "height": 4}, "..../..../xoxo/xoxo", "a draw from '..../..../xoxo/xoxo'"),
    ("othello", {}, BLACK_WINS, f"Black wins by 10 from {BLACK_WINS!r}"),
    ("hex", {"size": 3}, "", "Red wins from '.../.../...' within 9 plies"),
    ("chess", {}, "8/8/8/8/8/1K6/7R/k7 w - - 0 1", "White wins from '8/8/8/8/8/1K6/7R/k7 w - - 0 1' within 1 ply"),
    ("checkers", {}, "B:W32:BK26", "Black wins from 'B:W32:BK26' within 5 plies"),
]


@pytest.mark.parametrize(("name", "parameters", "position", "words"), PROVED)
def test_a_solved_position_is_proved(name, parameters, position, words, tmp_path):
    game = load(name, **parameters)
    path = proof(game, tmp_path / "a.proof", position)
    proved = verify(game, path)
    assert proved.in_words() == words
    assert proved.entries == sum(map(len, entries_of(path)))


def test_equal_work_makes_equal_files(tmp_path):
    game = load("tictactoe")
    first, second = (proof(game, tmp_path / name) for name in ("a.proof", "b.proof"))
    assert first.read_bytes() == second.read_bytes()


def test_the_header_says_what_it_is_about(tmp_path):
    game = load("connect-four", width=4, height=4)
    header = Certificate(proof(game, tmp_path / "a.proof", "..../..../xoxo/xoxo")).header
    assert header.game == "connect-four" and header.position == "..../..../xoxo/xoxo"
    assert header.parameters["width"] == 4 and "k" in header.parameters
    assert [(claim["player"], claim["least"]) for claim in header.claims] == [(0, 0), (1, 0)]
    assert header.made["algorithm"] == "AlphaBeta()"


def test_little_memory_is_enough(tmp_path, monkeypatch):
    """Every block is a bucket, every record goes straight to disk, a few positions at a time."""
    game = load("tictactoe")
    usual = proof(game, tmp_path / "a.proof").read_bytes()
    monkeypatch.setattr(strategy, "AT_ONCE", 7)
    assert proof(game, tmp_path / "b.proof").read_bytes() != b"" and len(usual) > 1000
    monkeypatch.setattr("zerosum.certifying.writing.BLOCK_BYTES", 1000)
    path = proof(game, tmp_path / "c.proof")
    monkeypatch.setattr(claim_check, "BUCKET_BYTES", 1)
    monkeypatch.setattr(spill, "MEMORY", 0)
    monkeypatch.setattr(spill, "AT_ONCE", 50)
    assert verify(game, path).in_words() == "a draw from '.........'"


def test_several_processes_find_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(verifying, "WORTH_PROCESSES", 1)
    game = load("tictactoe")
    path = proof(game, tmp_path / "a.proof")
    assert verify(game, path, processes=2).in_words() == "a draw from '.........'"


def test_progress_goes_from_0_to_1(tmp_path):
    reported: list[float] = []
    game = load("tictactoe")
    verify(game, proof(game, tmp_path / "a.proof"), on_progress=lambda done, text: reported.append(done))
    assert reported == sorted(reported) and 0 <= reported[0] < reported[-1] <= 1


def test_what_is_not_solved_is_not_certified(tmp_path):
    game = load("tictactoe")
    engine = Engine(game, jit=False, hash_mb=1)
    with pytest.raises(CertificateError, match=r"'\.{9}' is not solved"):
        certify(engine, game.start(), engine.search(game.start(), depth=1), tmp_path / "a.proof")
    assert not list(tmp_path.iterdir())


def test_a_wrong_result_is_noticed(tmp_path):
    """The engine has no move that wins, so nothing is written."""
    game = load("tictactoe")
    engine = Engine(game, jit=False, hash_mb=1)
    won = engine.solve(game.parse_state("xx.oo...."))
    with pytest.raises(CertificateError, match=r"no move of X is proven in '\.{9}'"):
        certify(engine, game.start(), won, tmp_path / "a.proof")
    assert not list(tmp_path.iterdir())


# What the check depends on


def test_the_check_imports_nothing_of_search_or_compiler():
    """Not even indirectly."""
    files = {module_at(path): path for path in SOURCE.rglob("*.py")}
    reached, waiting = set(), [name for name in files if name.startswith("zerosum.certificates")]
    assert "zerosum.certificates.verifying" in waiting
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            found = imports(name, ast.parse(files[name].read_text(encoding="utf-8")))
            waiting += [one.of for one in found if (one.by, one.of) not in ON_PURPOSE]
    assert not {name for name in reached if room(name) in ("search", "jit", "engine", "running", "endgame", "games")}


def test_the_check_calls_no_compiled_rules():
    for path in sorted((SOURCE / "certificates").glob("*.py")):
        assert not re.search(r"\.compiled|Engine|import_module", path.read_text(encoding="utf-8")), path


def test_a_check_runs_without_search_and_compiler(tmp_path):
    path = proof(load("tictactoe"), tmp_path / "a.proof")
    script = f"""
import sys
from zerosum.certificates.verifying import verify
from zerosum.games import load
print(verify(load("tictactoe"), {str(path)!r}).in_words())
print(sorted(name for name in sys.modules if name.startswith(("zerosum.search", "zerosum.jit", "numba", "llvmlite"))))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    words, modules = ran.stdout.splitlines()
    assert words == "a draw from '.........'"
    # Rules count bits with a function from the jit package that is plain Python.
    assert set(re.findall(r"[\w.]+", modules)) <= {"zerosum.jit", "zerosum.jit.bits"}
