"""``zerosum quiz``: questions about a small tree, at the terminal or on a sheet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.files import check_outputs, write_text
from zerosum.cli.options import whole_number
from zerosum.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.classroom.quiz import Question, Quiz

SEEDS = 1_000_000
"""Without --seed, a random seed below this is used: short enough to type."""


def command(
    subject: Annotated[
        str, typer.Argument(metavar="SUBJECT", help="minimax, alphabeta or expectiminimax.", show_default=False)
    ],
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="Seed: the same number gives the same quiz; default: random.",
            show_default=False,
            parser=whole_number("--seed", 0),
        ),
    ] = None,
    difficulty: Annotated[
        int,
        typer.Option(
            "--difficulty", metavar="1..5", help="Size of the tree.", parser=whole_number("--difficulty", 1, 5)
        ),
    ] = 2,
    questions: Annotated[
        int,
        typer.Option(
            "--questions", metavar="N", help="Number of questions.", parser=whole_number("--questions", 1, 50)
        ),
    ] = 5,
    sheet: Annotated[
        str,
        typer.Option("--sheet", metavar="FILE", help="Write the sheet: quiz.svg or quiz.html.", show_default=False),
    ] = "",
    solution: Annotated[
        str,
        typer.Option("--solution", metavar="FILE", help="Also write the solution: .svg or .html.", show_default=False),
    ] = "",
) -> None:
    """Ask about a small random tree, and explain the answers.

    What is the value of node C? Which leaf is pruned first? Answers are numbers (3, -1.5, 7/2, -inf) or
    names of nodes; an empty answer means "I don't know". Each is explained by what the algorithm does.
    With --sheet or --solution, the quiz is written to files instead: the tree without its inner values
    with a line for each answer, and the solution.

    \b
    Examples:
      zerosum quiz minimax
      zerosum quiz alphabeta --difficulty 3
      zerosum quiz alphabeta --seed 7 --sheet quiz.html --solution solution.html
      zerosum quiz expectiminimax --sheet quiz.svg
    """
    outputs = (("--sheet", sheet), ("--solution", solution))
    check_outputs(outputs)
    for option, file in outputs:
        if file and not file.endswith((".svg", ".html")):
            raise ZerosumError(f"{option} {file!r} must end in .svg or .html")
    from zerosum.classroom.quiz import make_quiz

    if seed is None:
        import random

        seed = random.SystemRandom().randrange(SEEDS)
    quiz = make_quiz(subject, seed, difficulty, questions)
    if sheet:
        _write(quiz, "--sheet", sheet, solved=False)
    if solution:
        _write(quiz, "--solution", solution, solved=True)
    if not sheet and not solution:
        _ask_all(quiz)


def _write(quiz: Quiz, option: str, file: str, solved: bool) -> None:
    from zerosum.classroom.quiz_sheet import sheet_html, sheet_svg

    write = sheet_svg if file.endswith(".svg") else sheet_html
    write_text(option, file, write(quiz, solved))
    print(f"{file}: {'solution of ' if solved else ''}{quiz.title}")


def _ask_all(quiz: Quiz) -> None:
    """Ask all questions in turn; end of input and Ctrl-C are ways to leave."""
    from zerosum.classroom.quiz import outline

    print(f"{quiz.title}\n")
    print(outline(quiz.tree))
    right = asked = 0
    try:
        for number, question in enumerate(quiz.questions, 1):
            print(f"\n{number}. {question.text}")
            right += _ask(question)
            asked += 1
    except (EOFError, KeyboardInterrupt):
        print()
    print(f"\n{right} of {asked} right." if asked else "\nNo question was answered.")
    if asked < len(quiz.questions):
        print(f"{len(quiz.questions) - asked} left; to take the same quiz again: {_again(quiz)}")


def _again(quiz: Quiz) -> str:
    count = len(quiz.questions)
    return f"zerosum quiz {quiz.subject} --seed {quiz.seed} --difficulty {quiz.difficulty} --questions {count}"


def _ask(question: Question) -> bool:
    """Ask until the answer is valid; say whether it is right, and why."""
    is_right: bool | None = None
    while is_right is None:
        given = input("Answer: ").strip()
        if not sys.stdin.isatty():
            print(given)  # a pipe has no echo: without this a log would not show the input
        is_right = question.check(given) if given else False
        if is_right is None:
            print(f"{given!r} is not a valid answer: give {question.hint}.")
        elif not given:
            print(f"It is {question.answer}.")
        else:
            print("Right." if is_right else f"No, it is {question.answer}.")
    for sentence in question.explanation:
        print(f"   {sentence}")
    return is_right
