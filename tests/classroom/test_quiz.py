"""Quizzes: interesting trees, one right answer to each question, and always the same quiz for the same seed."""

from __future__ import annotations

import re
from math import inf
from xml.etree import ElementTree

import pytest

from zerosum.classroom.events import Kind
from zerosum.classroom.quiz import Question, make_quiz, outline, read_number
from zerosum.classroom.quiz_sheet import sheet_html, sheet_svg
from zerosum.classroom.quiz_tree import LEVELS, SUBJECTS, Draws, child_values, quiz_tree
from zerosum.classroom.tree import LEAF, Tree
from zerosum.errors import ZerosumError
from zerosum.game import CHANCE, MAX

ALL = [(subject, difficulty) for subject in SUBJECTS for difficulty in LEVELS]


def value_of(node) -> float:
    """The value computed independently, by the definition alone."""
    if node.kind == LEAF:
        return node.value
    values = [value_of(child) for child in node.children]
    if node.kind == CHANCE:
        return sum(p * v for p, v in zip(node.probabilities, values, strict=True))
    return max(values) if node.kind == MAX else min(values)


def leaves_by_hand(node, alpha=-inf, beta=inf) -> tuple[float, list[float]]:
    """Alpha-beta in a few lines, independent of the classroom's: the value, and the leaves looked at."""
    if node.kind == LEAF:
        return node.value, [node.value]
    best, seen = (-inf if node.kind == MAX else inf), []
    for child in node.children:
        value, below = leaves_by_hand(child, alpha, beta)
        seen += below
        if node.kind == MAX:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, seen


# The trees


@pytest.mark.parametrize(("subject", "difficulty"), ALL)
def test_trees_are_interesting(subject, difficulty):
    for seed in range(6):
        tree, trace = quiz_tree(subject, seed, difficulty)
        leaves = [node.value for _, node in tree.nodes() if node.kind == LEAF]
        assert len(set(leaves)) == len(leaves), "two leaves alike: an answer could be ambiguous"
        values = child_values(tree)
        assert values == [value_of(child) for child in tree.root.children]
        assert len(set(values)) == len(values), "two moves are equally good"
        assert any(node.kind == CHANCE for _, node in tree.nodes()) == (subject == "expectiminimax")
        if subject == "alphabeta":
            assert trace.evaluated < len(leaves) and any(event.kind == Kind.PRUNE for event in trace.events)
        else:
            greedy = max(range(len(values)), key=lambda k: max(leaves_of(tree.root.children[k])))
            assert values[greedy] < max(values), "whoever grabs the largest leaf is right"


def leaves_of(node):
    return [node.value] if node.kind == LEAF else [v for child in node.children for v in leaves_of(child)]


def test_hard_alphabeta_quizzes_have_both_kinds_of_cut_off():
    for seed in range(5):
        kinds = {event.kind for event in quiz_tree("alphabeta", seed, 4)[1].events}
        assert {Kind.ALPHA_CUTOFF, Kind.BETA_CUTOFF} <= kinds


# The answers


@pytest.mark.parametrize("seed", range(8))
def test_values_and_moves_are_what_the_definition_says(seed):
    for subject in ("minimax", "expectiminimax"):
        quiz = make_quiz(subject, seed, difficulty=1 + seed % 5, questions=50)
        asked = 0
        for question in quiz.questions:
            node = re.search(r"value of the (?:root, |\w+ node )(\w+)\?", question.text)
            if node:
                asked += 1
                expected = value_of(quiz.tree.at(quiz.tree.find(node[1])))
                assert question.check(str(expected)) and read_number(question.answer) == pytest.approx(expected)
        assert asked == sum(1 for _, node in quiz.tree.nodes() if node.children)
        best = max(quiz.tree.root.children, key=value_of)
        assert quiz.questions[-1].answer == best.name and quiz.questions[-1].check(best.name.lower())


@pytest.mark.parametrize("seed", range(8))
def test_cuts_are_what_alphabeta_by_hand_finds(seed):
    quiz = make_quiz("alphabeta", seed, difficulty=1 + seed % 5, questions=50)
    value, seen = leaves_by_hand(quiz.tree.root)
    leaves = leaves_of(quiz.tree.root)
    answers = {question.text: question.answer for question in quiz.questions}
    assert read_number(quiz.questions[0].answer) == next(leaf for leaf in leaves if leaf not in seen)
    assert answers[f"How many of the {len(leaves)} leaves does alphabeta look at?"] == str(len(seen))
    assert read_number(answers["What is the value of the root, A?"]) == value


def test_alpha_and_beta_along_the_chapter_s_path():
    quiz = make_quiz("alphabeta", 7, difficulty=2, questions=50)
    # (A (B 7 36 5) (C 17 28 35) (D 24 10 11)): B is worth 5, C 17, and D is cut off after 10.
    answers = {question.text: question.answer for question in quiz.questions}
    assert answers["What is alpha at B when B is entered?"] == "−∞"
    assert answers["What is beta at B when B is left?"] == "5"
    assert answers["What is alpha at C when C is entered?"] == "5"
    assert answers["What is alpha at D when D is entered?"] == "17"
    assert answers["What is beta at D when D is left?"] == "10"
    assert answers["Is the first cut-off an alpha or a beta cut-off?"] == "alpha"
    assert answers["At which node does the first cut-off happen, so that its other children are not looked at?"] == "D"


def test_answers_are_explained_by_the_trace():
    quiz = make_quiz("alphabeta", 7, difficulty=2)
    sentences = quiz.trace.words()
    for question in quiz.questions:
        assert question.explanation
        assert all(line in sentences or line.startswith("In this order: ") for line in question.explanation)
    assert any("is never looked at" in line for line in quiz.questions[0].explanation)


# The same seed, the same quiz


def test_a_seed_gives_this_quiz_for_ever():
    quiz = make_quiz("minimax", seed=1, difficulty=1, questions=4)
    assert quiz.tree.to_text() == "(A (B 8 39) (C 23 12))"
    assert [question.answer for question in quiz.questions] == ["4", "8", "12", "C"]
    quiz = make_quiz("alphabeta", seed=7, difficulty=2, questions=4)
    assert quiz.tree.to_text() == "(A (B 7 36 5) (C 17 28 35) (D 24 10 11))"
    assert [question.answer for question in quiz.questions] == ["11", "alpha", "∞", "17"]
    quiz = make_quiz("expectiminimax", seed=2, difficulty=2, questions=4)
    assert quiz.tree.to_text() == (
        "(A (B 0.25: 68 0.5: 48 0.25: 44) (C 0.25: 12 0.5: 80 0.25: -12) (D 0.5: 52 0.5: 64))"
    )


@pytest.mark.parametrize("subject", SUBJECTS)
def test_seeds_and_difficulties_differ(subject):
    trees = {make_quiz(subject, seed, d).tree.to_text() for seed in range(5) for d in (1, 2, 3)}
    assert len(trees) == 15


def test_a_longer_quiz_has_more_questions_and_no_question_twice():
    short, long = make_quiz("alphabeta", 3, 3, 4), make_quiz("alphabeta", 3, 3, 12)
    assert len(short.questions) == 4 and len(long.questions) == 12
    assert short.questions == long.questions[:4]
    assert len({question.text for question in long.questions}) == 12
    assert len(make_quiz("minimax", 1, 1, 50).questions) == 5  # two values, the root, the leaves, the move


def test_draws_are_fair_enough():
    draws = Draws(1, 2, 3)
    counts = [0] * 6
    for _ in range(6000):
        counts[draws.below(6)] += 1
    assert min(counts) > 850
    assert sorted(draws.shuffled(range(9))) == list(range(9))


# Answers as people type them


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), (" +3 ", 3), ("-1.5", -1.5), ("-1,5", -1.5), ("7/2", 3.5), ("− 4", -4), (".5", 0.5), ("-inf", -inf)]
    + [("∞", inf), ("-∞", -inf), ("minus infinity", -inf), ("Infinity", inf)]
    + [(text, None) for text in ("", "three", "1/0", "--3", "nan", "1e5", "3 4x", "/2")],
)
def test_numbers_as_people_write_them(text, number):
    assert read_number(text) == number


def test_right_wrong_and_no_answer():
    number = Question("How many?", "7", ("Because.",))
    assert (number.check("7"), number.check("7.0"), number.check("8"), number.check("C")) == (True, True, False, None)
    node = Question("Which?", "C", ("Because.",), ("B", "C"))
    assert (node.check(" c "), node.check("B"), node.check("D"), node.check("7")) == (True, False, None, None)
    bound = Question("What is alpha?", "-∞", ("Because.",))
    assert (bound.check("-inf"), bound.check("inf"), bound.check("0")) == (True, False, False)


def test_what_there_is_not():
    with pytest.raises(ZerosumError, match="'negamax'; choose minimax, alphabeta, expectiminimax"):
        make_quiz("negamax", 1)
    with pytest.raises(ZerosumError, match="difficulty 6"):
        make_quiz("minimax", 1, difficulty=6)
    with pytest.raises(ZerosumError, match="questions, not 0"):
        make_quiz("minimax", 1, questions=0)


# Sheets


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_sheet_tells_nothing_and_the_solution_all(subject):
    quiz = make_quiz(subject, 5, difficulty=3)
    for write in (sheet_html, sheet_svg):
        sheet, solution = write(quiz), write(quiz, True)
        assert sheet != solution and sheet == write(make_quiz(subject, 5, difficulty=3))
        assert quiz.questions[-1].explanation[-1] in solution
        assert quiz.questions[-1].explanation[-1] not in sheet
        assert "http" not in (sheet + solution).replace("http://www.w3.org/2000/svg", "")
    drawn = ElementTree.fromstring(sheet_svg(quiz))
    texts = " ".join("".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert quiz.questions[0].text.split()[0] in texts and "Quiz: " in texts
    inner = [value_of(node) for _, node in quiz.tree.nodes() if node.children]
    leaves = leaves_of(quiz.tree.root)
    for value in set(inner) - set(leaves):
        assert f">{value:g}<".replace("-", "−") not in sheet_svg(quiz)


def test_the_outline_for_a_terminal():
    tree = Tree.from_lists([[[(0.5, 1), (0.5, 2)], 7], [3, 4]])
    assert outline(tree).splitlines() == [
        "A  MAX",
        "├─ B  MIN",
        "│  ├─ D  chance   0.5: 1  0.5: 2",
        "│  └─ 7",
        "└─ C  MIN   3  4",
    ]
