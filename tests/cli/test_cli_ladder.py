"""The output of the ladder. tests/classroom/test_ladder.py tests what it measures."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

TREE = "(A (B 3 12 8) (C 2 4 6) (D 14 5 2))"


def test_a_game_rung_by_rung(zerosum, tmp_path):
    plot, record = tmp_path / "ladder.svg", tmp_path / "ladder.json"
    files = ("--svg", str(plot), "--json", str(record))
    ran = zerosum("ladder", "tictactoe", "--seconds", "50", "--threads", "2", *files)
    assert (ran.code, ran.err) == (0, "")
    heading, *rows = ran.out.splitlines()
    columns = "rung nodes to depth 9 time fewer nodes faster depth in 50 s branching remark"
    assert " ".join(heading.split()) == columns
    names = ["minimax", "+ alpha-beta", "+ ordering", "+ transposition table", "+ iterative deepening"]
    names += ["+ quiescence", "+ extensions", "+ null move and reductions", "+ threads", "theory: b^9"]
    assert [row[: len(name)] for row, name in zip(rows, names, strict=False)] == names
    assert "549,945" in rows[0] and "Shannon, Turing 1950" in rows[0]
    assert rows[5].split(maxsplit=2)[2] == "not for this game: no noisy_moves"
    assert rows[11].startswith("Nodes: positions after a move. The root is not counted")
    assert rows[12].startswith("Nearer wins are worth more") and rows[13].startswith("b = 4.21")
    found = json.loads(record.read_text(encoding="utf-8"))
    assert found["rungs"][0]["nodes"] == 549_945 and found["rungs"][1]["gain"]["fewer_nodes"] > 10
    ElementTree.fromstring(plot.read_text(encoding="utf-8"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ladder.json", "ladder.svg"]


def test_a_position_a_depth_and_json_on_stdout(zerosum):
    arguments = ("--moves", "5 1", "--depth", "2", "--threads", "1", "--json", "-")
    found = json.loads(zerosum("ladder", "tictactoe", *arguments).out)
    assert found["depth"] == 2 and found["rungs"][0]["nodes"] == 7 + 7 * 6
    assert found["rungs"][-1]["skipped"] == "not on this machine: one processor"


def test_ctrl_c_keeps_the_rungs_that_are_done(zerosum, monkeypatch):
    from zerosum.classroom import ladder

    usual = ladder.climb

    def interrupted(*arguments, **options):
        climbed = usual(*arguments, **options)
        yield next(climbed)
        yield next(climbed)
        raise KeyboardInterrupt

    monkeypatch.setattr(ladder, "climb", interrupted)
    ran = zerosum("ladder", "tictactoe", "--threads", "1")
    assert ran.code == 130 and ran.err == "zerosum: interrupted\n"
    assert [line.split()[0] for line in ran.out.splitlines()[1:5]] == ["minimax", "+", "theory:", "theory:"]


def test_the_order_of_children(zerosum, tmp_path):
    ran = zerosum("ladder", "--tree", TREE, "--svg", str(tmp_path / "orders.svg"))
    assert (ran.code, ran.err) == (0, "")
    rows = {line.split("  ")[0]: line.split() for line in ran.out.splitlines()[2:]}
    assert rows["all leaves"][2] == "9" and rows["as given"][2] == "7"
    assert rows["worst"][1] == "9" and rows["best"][1] == rows["Knuth–Moore"][1] == "5"
    assert "Knuth–Moore" in (tmp_path / "orders.svg").read_text(encoding="utf-8")


def test_a_random_tree_and_a_tree_file(zerosum, tmp_path):
    random = ("ladder", "--tree", "random", "--branching", "3", "--height", "4", "--seed", "1", "--json", "-")
    found = json.loads(zerosum(*random).out)
    assert (found["leaves"], found["fewest"], found["best"]) == (81, 17, 17)
    assert zerosum(*random).out == zerosum(*random).out
    file = Path(tmp_path / "tree.txt")
    file.write_text(TREE, encoding="utf-8")
    assert "tree of 13 nodes" in zerosum("ladder", "--tree", str(file)).out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "give a GAME"),
        (("tictacto",), "'tictacto'"),
        (("pig",), "pig has chance nodes"),
        (("tictactoe", "--depth", "0"), "depth must be"),
        (("tictactoe", "--seconds", "soon"), "--seconds 'soon'"),
        (("tictactoe", "--seconds", "0"), "seconds must be more than 0"),
        (("tictactoe", "--threads", "0"), "--threads '0'"),
        (("tictactoe", "--position", "xxxoo...."), "the game is over"),
        (("tictactoe", "--branching", "3"), "--branching 3 is only for --tree random"),
        (("tictactoe", "--svg", "no/such/folder.svg"), "does not exist"),
        (("tictactoe", "--tree", TREE), "GAME 'tictactoe' cannot be combined with --tree"),
        (("--tree", TREE, "--depth", "3"), "--depth 3 cannot be combined with --tree"),
        (("--tree", TREE, "--height", "3"), "--height 3 cannot be combined"),
        (("--tree", "nowhere.txt"), "'nowhere.txt' is neither a file"),
        (("--tree", "(A (B 3 12) (C 2 x))"), "x"),
        (("--tree", "(A (B 0.5: 3 0.5: 4) (C 0.5: 1 0.5: 9))"), "chance"),
        (("--tree", "random", "--branching", "10", "--height", "9"), "too many"),
    ],
)
def test_arguments_that_make_no_sense(zerosum, arguments, complaint):
    assert complaint in zerosum("ladder", *arguments).complaint()
