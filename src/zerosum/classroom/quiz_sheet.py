"""A quiz as a sheet: the tree without its inner values, and the questions; or the solution, with values and answers.

>>> from zerosum.classroom.quiz import make_quiz
>>> quiz = make_quiz("alphabeta", seed=1)
>>> sheet, solution = sheet_html(quiz), sheet_html(quiz, solved=True)
>>> quiz.questions[0].text in sheet and quiz.questions[0].text in solution
True
"""

from __future__ import annotations

import re
import textwrap

from zerosum.classroom.drawing.svg import tree_svg
from zerosum.classroom.drawing.text import escape, style, svg, tag
from zerosum.classroom.quiz import Question, Quiz

SHEETS = ("theme.css", "quiz.css")
MARGIN = 24.0
LEAST_WIDTH = 720.0
SIZE = 14.0  # font size of the questions
LINE = 21.0
BLANK = 30.0


def drawing(quiz: Quiz, solved: bool) -> str:
    """The tree, either blank or as the algorithm leaves it."""
    return tree_svg(quiz.tree, trace=quiz.trace) if solved else tree_svg(quiz.tree, blank=True)


def heading(quiz: Quiz, solved: bool) -> str:
    return f"{'Solution' if solved else 'Quiz'}: {quiz.title}"


def sheet_html(quiz: Quiz, solved: bool = False) -> str:
    """The sheet as one self-contained page, for reading or printing."""
    questions = "\n".join(tag("li", {}, _question_html(question, solved)) for question in quiz.questions)
    title = escape(heading(quiz, solved))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style(*SHEETS)}</style>
</head>
<body>
<main class="zs-quiz-page">
<h1>{title}</h1>
<div class="stage">{drawing(quiz, solved)}</div>
<ol>
{questions}
</ol>
</main>
</body>
</html>
"""


def _question_html(question: Question, solved: bool) -> str:
    if not solved:
        return f'{escape(question.text)}<span class="blank"></span>'
    why = "".join(f"{escape(sentence)}<br>" for sentence in question.explanation)
    return f'{escape(question.text)} <strong>{escape(question.answer)}</strong><p class="why">{why}</p>'


def sheet_svg(quiz: Quiz, solved: bool = False) -> str:
    """The sheet as one drawing."""
    picture = drawing(quiz, solved)
    size = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', picture)
    assert size is not None  # tree_svg always gives the size
    width = max(float(size[1]) + 2 * MARGIN, LEAST_WIDTH)
    parts = [
        tag("text", {"x": MARGIN, "y": 34.0, "font-size": 19, "font-weight": "bold"}, escape(heading(quiz, solved)))
    ]
    parts.append(picture.replace("<svg ", f'<svg x="{(width - float(size[1])) / 2:.1f}" y="50" ', 1))
    y = 50 + float(size[2]) + 2 * LINE
    letters = int((width - 2 * MARGIN) / (0.6 * SIZE))
    for number, question in enumerate(quiz.questions, 1):
        answer = f"  {question.answer}" if solved else ""
        for line in textwrap.wrap(f"{number}. {question.text}{answer}", letters):
            weight = "bold" if solved else None
            parts.append(tag("text", {"x": MARGIN, "y": y, "font-size": SIZE, "font-weight": weight}, escape(line)))
            y += LINE
        if solved:
            for sentence in question.explanation:
                for line in textwrap.wrap(sentence, letters):
                    place = {"class": "why", "x": MARGIN + 18, "y": y, "font-size": SIZE - 1}
                    parts.append(tag("text", place, escape(line)))
                    y += LINE - 3
        else:
            y += BLANK - LINE
            ends = {"x1": MARGIN, "x2": width - MARGIN, "y1": y, "y2": y}
            parts.append(tag("line", {"class": "blank", **ends}))
        y += LINE
    return svg("zs-quiz", width, y + MARGIN / 2, heading(quiz, solved), "".join(parts), SHEETS)
