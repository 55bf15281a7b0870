"""Certificates on the command line: written by solve, checked by verify."""

from __future__ import annotations

import json

import pytest

from zerosum.certifying.writing import certify
from zerosum.engine import Engine
from zerosum.games import load


@pytest.fixture
def proof(zerosum, tmp_path):
    """The certificate of a draw, and the output of solve."""
    path = str(tmp_path / "draw.proof")
    ran = zerosum("solve", "tictactoe", "x...o....", "--certificate", path)
    assert (ran.code, ran.err) == (0, "")
    return path, ran.out.splitlines()


def write(game, path: str) -> None:
    """Write the certificate of the start position, without compiling."""
    engine = Engine(game, jit=False, hash_mb=1)
    certify(engine, game.start(), engine.solve(game.start()), path)


def test_solve_writes_what_verify_proves(zerosum, proof):
    path, (value, _, _, written) = proof
    assert value == "a draw" and written.startswith(f"{path}: ") and " positions, " in written
    ran = zerosum("verify", "tictactoe", path)
    proved, checked = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert proved == "proved: a draw from 'x...o....'"
    assert " positions checked, " in checked and checked.split()[0] == written.removeprefix(f"{path}: ").split()[0]


def test_json(zerosum, proof, tmp_path):
    path, _ = proof
    found = json.loads(zerosum("verify", "tictactoe", path, "--json").out)
    assert found["proved"] == "a draw from 'x...o....'" and found["database"] is None
    assert [(claim["player"], claim["least"]) for claim in found["claims"]] == [(0, 0), (1, 0)]
    lines = zerosum("solve", "tictactoe", "xx.oo....", "--json", "--certificate", str(tmp_path / "b.proof")).out
    solved, written = map(json.loads, lines.splitlines())
    assert solved["words"] == "X wins in 1 ply" and written["entries"] == 1


def test_moves_before_the_position_are_no_part_of_the_proof(zerosum, tmp_path):
    path = str(tmp_path / "a.proof")
    assert zerosum("solve", "tictactoe", "--moves", "1 4 2 5 9", "--certificate", path).code == 0
    assert "O wins from 'xx.oo...x' within 1 ply" in zerosum("verify", "tictactoe", path).out


def test_a_fault_is_one_line_and_exit_code_1(zerosum, proof):
    path, _ = proof
    with open(path, "rb") as file:
        content = file.read()
    with open(path, "wb") as file:
        file.write(content[:-40])
    ran = zerosum("verify", "tictactoe", path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"zerosum: {path!r} is damaged: it ends too early\n"
    ran = zerosum("verify", "tictactoe", path, "--json")
    assert ran.code == 1 and json.loads(ran.out)["proved"] is None


def test_another_game_or_other_parameters(zerosum, tmp_path):
    path = str(tmp_path / "nim.proof")
    write(load("nim", heaps="1,2"), path)
    assert "MAX wins from '1,2 max'" in zerosum("verify", "nim", path, "--set", "heaps=1,2").out
    ran = zerosum("verify", "nim", path)
    assert ran.code == 1 and "is for nim with --set heaps=1,2, not with --set heaps=3,4,5" in ran.err
    assert "is a certificate for nim, not for tictactoe" in zerosum("verify", "tictactoe", path).err


def test_what_makes_no_sense_is_said_before_the_work(zerosum, tmp_path):
    ran = zerosum("solve", "tictactoe", "--file", "-", "--certificate", str(tmp_path / "a.proof"))
    assert "is for one position, not for those of --file '-'" in ran.complaint()
    ran = zerosum("solve", "tictactoe", "--certificate", str(tmp_path / "no" / "a.proof"))
    assert "does not exist" in ran.complaint()
    assert "--processes '-1' is less than 0" in zerosum("verify", "tictactoe", "a", "--processes", "-1").complaint()


def test_what_is_not_solved_leaves_no_file(zerosum, tmp_path, monkeypatch):
    path = tmp_path / "a.proof"
    monkeypatch.setattr(Engine, "solve", lambda engine, line, seconds, on_report=None: engine.search(line, depth=1))
    ran = zerosum("solve", "tictactoe", "--seconds", "1", "--certificate", str(path))
    assert ran.code == 1 and ran.out.startswith("not solved") and not path.exists()


def test_a_move_that_nobody_can_prove_is_one_line(zerosum, tmp_path, monkeypatch):
    path = tmp_path / "a.proof"
    monkeypatch.setattr(Engine, "keep", lambda engine, questions: [None] * len(questions))
    ran = zerosum("solve", "tictactoe", "--certificate", str(path))
    assert ran.code == 1 and ran.out.startswith("a draw\n") and not path.exists()
    assert ran.err == "zerosum: no move of X is proven in '.........': no certificate written\n"


def test_ctrl_c_leaves_no_file(zerosum, tmp_path, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("zerosum.certifying.strategy.Strategy._expand", interrupted)
    ran = zerosum("solve", "tictactoe", "--certificate", str(tmp_path / "a.proof"))
    assert ran.code == 130 and not list(tmp_path.iterdir())


def test_your_own_game(zerosum, game_file, tmp_path):
    path = str(tmp_path / "stones.proof")
    write(load(game_file()), path)
    assert "proved: MAX wins from '4 0' within" in zerosum("verify", game_file(), path).out
    # With other rules the same file proves nothing: three stones may be taken, so the other player wins.
    other = game_file("min(2, s.stones)", "min(3, s.stones)", "max_moves=2", "max_moves=3", name="other.py")
    ran = zerosum("verify", other, path)
    assert ran.code == 1 and ran.err.startswith("zerosum: not proved: the position '")


@pytest.mark.slow
def test_a_database_is_named_and_needed(zerosum, tmp_path):
    folder, path = str(tmp_path / "db"), str(tmp_path / "a.proof")
    assert zerosum("endgame", "build", "checkers", "--pieces", "2", "--out", folder, "--distance").code == 0
    assert zerosum("solve", "checkers", "B:W32:BK26", "--database", folder, "--certificate", path).code == 0
    ran = zerosum("verify", "checkers", path)
    assert ran.code == 1 and "pass it with --database" in ran.err
    proved, given, _ = zerosum("verify", "checkers", path, "--database", folder).out.splitlines()
    assert proved.startswith("proved: ")
    assert given.startswith(f"provided that the endgame database in {folder} is correct")
