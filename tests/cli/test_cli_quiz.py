"""Quizzes at the terminal and on sheets."""

from __future__ import annotations

import builtins

import pytest


def test_all_right(zerosum):
    # The tree is (A (B 8 39) (C 23 12)).
    ran = zerosum("quiz", "minimax", "--seed", "1", "--difficulty", "1", "--questions", "4", typed="4\n8\n12\nc\n")
    assert (ran.code, ran.err) == (0, "")
    assert "├─ B  MIN   8  39\n└─ C  MIN   23  12" in ran.out
    assert ran.out.count("Right.") == 4 and ran.out.endswith("4 of 4 right.\n")


def test_wrong_empty_and_senseless_answers(zerosum):
    ran = zerosum("quiz", "minimax", "--seed", "1", "--difficulty", "1", "--questions", "4", typed="5\n\nC\n12\nB\n")
    assert ran.code == 0
    assert "No, it is 4." in ran.out and "In this order: 8, 39, 23, 12." in ran.out
    assert "Answer: \nIt is 8." in ran.out
    assert "'C' is not a valid answer: give a number" in ran.out
    assert "No, it is C." in ran.out and ran.out.endswith("1 of 4 right.\n")


def test_the_end_of_input_ends_politely(zerosum):
    ran = zerosum("quiz", "alphabeta", "--seed", "7", typed="11\n")
    assert (ran.code, ran.err) == (0, "")
    assert "Right." in ran.out and "Leaf 11, child 3 of D is never looked at." in ran.out
    *_, score, again = ran.out.splitlines()
    assert score == "1 of 1 right."
    assert again == "4 left; to take the same quiz again: zerosum quiz alphabeta --seed 7 --difficulty 2 --questions 5"
    assert "No question was answered." in zerosum("quiz", "expectiminimax", typed="").out


def test_ctrl_c_is_a_way_to_leave(zerosum, monkeypatch):
    def interrupt(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    ran = zerosum("quiz", "minimax")
    assert (ran.code, ran.err) == (0, "") and "No question was answered." in ran.out


def test_without_a_seed_the_quiz_says_which_it_is(zerosum):
    first = zerosum("quiz", "alphabeta", typed="")
    title = first.out.splitlines()[0]
    seed = title.rpartition("seed ")[2]
    assert zerosum("quiz", "alphabeta", "--seed", seed, typed="").out == first.out


@pytest.mark.parametrize("ending", ["svg", "html"])
def test_sheet_and_solution(zerosum, tmp_path, ending):
    sheet, solution = tmp_path / f"quiz.{ending}", tmp_path / f"solution.{ending}"
    arguments = ("quiz", "alphabeta", "--seed", "7", "--sheet", str(sheet), "--solution", str(solution))
    ran = zerosum(*arguments)
    assert (ran.code, ran.err) == (0, "") and "Answer" not in ran.out
    assert "Quiz: alphabeta, difficulty 2, seed 7" in sheet.read_text(encoding="utf-8")
    assert "Leaf 11, child 3 of D is never looked at." in solution.read_text(encoding="utf-8")
    assert "never looked at." not in sheet.read_text(encoding="utf-8")
    before = sheet.read_text(encoding="utf-8"), solution.read_text(encoding="utf-8")
    zerosum(*arguments)
    assert before == (sheet.read_text(encoding="utf-8"), solution.read_text(encoding="utf-8"))
    assert sorted(path.name for path in tmp_path.iterdir()) == [sheet.name, solution.name]


def test_arguments_that_make_no_sense(zerosum, tmp_path):
    assert "'negamax'" in zerosum("quiz", "negamax").complaint()
    assert "'6' is more than 5" in zerosum("quiz", "minimax", "--difficulty", "6").complaint()
    assert "'0' is less than 1" in zerosum("quiz", "minimax", "--questions", "0").complaint()
    assert "'many' is not a whole number" in zerosum("quiz", "minimax", "--seed", "many").complaint()
    assert "must end in .svg or .html" in zerosum("quiz", "minimax", "--sheet", "quiz.pdf").complaint()
    assert "does not exist" in zerosum("quiz", "minimax", "--sheet", str(tmp_path / "a/b.svg")).complaint()
    assert "is a folder" in zerosum("quiz", "minimax", "--solution", str(tmp_path)).complaint()
    assert "missing argument" in zerosum("quiz").complaint()
