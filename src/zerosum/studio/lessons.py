"""Requests of the classroom: worked examples, traces, evaluations, quizzes and the ladder, drawn as by ``--html``."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from zerosum.errors import StudioError
from zerosum.game import CHANCE, Line
from zerosum.studio.documents import keep
from zerosum.studio.messages import Request, in_one_line, number, settings, whole, words
from zerosum.studio.tab import Tab

if TYPE_CHECKING:
    from zerosum.classroom.gallery import Example, Slip
    from zerosum.classroom.ladder import Climbed, Measure, Rung
    from zerosum.classroom.quiz import Quiz
    from zerosum.classroom.tracing import Trace
    from zerosum.classroom.tree import Tree
    from zerosum.game import Game

MOST_STEPS = 10_000
"""Maximum number of steps in a trace."""

LONGEST_TRACE = 30.0
"""Seconds; the page waits for a trace, and cannot do anything else meanwhile."""

DEEPEST = 6
SEEDS = 1_000_000
MOST_SIMULATIONS = 1000
SIMULATIONS = 30
QUESTIONS = 5
LONGEST_RUNG = 10.0
ORDERS = ("", "best", "worst")
SUBJECTS = ("minimax", "alphabeta", "expectiminimax")


# The gallery and the tracer


def gallery(tab: Tab, request: Request) -> None:
    """Send the lists of worked examples, slips in the lecture notes, and algorithms."""
    from zerosum.classroom.gallery import EXAMPLES, SLIPS
    from zerosum.classroom.tracing import ALGORITHMS, takes_depth

    def entry(found: Example | Slip) -> dict[str, Any]:
        return {"name": found.name, "title": found.title, "topic": found.topic, "about": found.about}

    body = {
        "examples": [entry(example) for example in EXAMPLES.values()],
        "slips": [entry(slip) for slip in SLIPS.values()],
        "algorithms": list(ALGORITHMS),
        "sampling": [name for name in ALGORITHMS if not takes_depth(name)],
    }
    tab.send("gallery", body, request.number)


def example(tab: Tab, request: Request) -> None:
    """Send a worked example: a page to step through, or its report as lines."""
    from zerosum.classroom.gallery import EXAMPLES, SLIPS, Report

    name = words(request.body, "name", most=100)
    found = EXAMPLES.get(name) or SLIPS.get(name)
    if found is None:
        raise StudioError(f"unknown example {name!r}")
    body: dict[str, Any] = {"name": name, **found.facts}
    shown = found.make()
    if isinstance(shown, Report):
        body["lines"] = list(shown.lines)
    else:
        body["page"] = page_of(shown, found.title, found.about, found.facts.get("reconstructed", ""))
    tab.send("example", body, request.number)


def trace(tab: Tab, request: Request) -> None:
    """Trace an algorithm on a tree in brackets or on a position of a game, as a page to step through."""
    from zerosum.classroom.tracing import limited, takes_depth
    from zerosum.classroom.tracing import trace as run

    body = request.body
    text, name = words(body, "tree").strip(), words(body, "algorithm", most=40)
    order = words(body, "order", most=10)
    if order not in ORDERS:
        raise StudioError(f"order must be best or worst, not {order!r}")
    subject: Tree | Game
    options: dict[str, int] = {}
    if text:
        tree = read_tree(text)
        has_chance = any(node.kind == CHANCE for _, node in tree.nodes())
        subject, s = tree.ordered(order) if order else tree, None
    else:
        line = line_of(tab, body)
        subject, s, has_chance = line.game, line.state, line.game.has("chances")
        options["depth"] = whole(body, "depth", 1, DEEPEST, 2)
    name = name or ("expectiminimax" if has_chance else "alphabeta")
    if not takes_depth(name):
        simulations = whole(body, "simulations", 1, MOST_SIMULATIONS, SIMULATIONS)
        options = {"simulations": simulations, "seed": whole(body, "seed", 0, SEEDS, 1)}
    shown = run(limited(name, MOST_STEPS, _in_time(name)), subject, s, **options)
    tab.send("trace", {"page": page_of(shown), "algorithm": name}, request.number)


def _in_time(name: str) -> Callable[[int], None]:
    """A function for each step of a trace: it raises StudioError when the trace has taken too long."""
    end = time.monotonic() + LONGEST_TRACE

    def check(steps: int) -> None:
        if time.monotonic() > end:
            raise StudioError(
                f"{name} takes more than {LONGEST_TRACE:g} s here: give a smaller depth, or fewer simulations"
            )

    return check


def read_tree(text: str) -> Tree:
    from zerosum.classroom.tree import Tree

    return Tree.from_json(text) if text[:1] in "[{" else Tree.from_text(text)


def line_of(tab: Tab, body: Mapping[str, Any]) -> Line:
    """The line that the page describes: moves from the start of a game or from a position in its notation."""
    game = tab.studio.offered.game(words(body, "game", "tictactoe"), settings(body))
    position, played = words(body, "position").strip(), words(body, "moves").strip()
    return Line.parse(game, played, game.parse_state(position) if position else None)


def page_of(shown: Trace, title: str = "", about: str = "", reconstructed: str = "") -> str:
    from zerosum.classroom.drawing.page import trace_page

    return keep(trace_page(shown, title, about=about, reconstructed=reconstructed), "html")


def evaluation(tab: Tab, request: Request) -> None:
    """Send the evaluation of a position, feature by feature."""
    from zerosum.classroom.evaluation_terms import evaluation_of

    line = line_of(tab, request.body)
    game, s = line.game, line.state
    if game.is_over(s):
        raise StudioError(f"the game is over in {game.format_state(s)!r}: nothing to evaluate")
    found = evaluation_of(game, s)
    body = {
        **found.as_dict(),
        "terms": [term._asdict() for term in found.largest_first],
        "board": game.show(s),
        "words": found.in_words,
        "unit": game.unit,
    }
    tab.send("evaluation", body, request.number)


# Quizzes


def quiz_of(body: Mapping[str, Any]) -> Quiz:
    """The quiz for this subject, seed and difficulty. The same arguments always give the same quiz."""
    from zerosum.classroom.quiz import make_quiz

    subject = words(body, "subject", "alphabeta", most=40)
    if subject not in SUBJECTS:
        raise StudioError(f"subject must be one of {', '.join(SUBJECTS)}, not {subject!r}")
    seed = whole(body, "seed", 0, 10**9, random.randrange(SEEDS))
    return make_quiz(subject, seed, whole(body, "difficulty", 1, 5, 2), QUESTIONS)


def quiz(tab: Tab, request: Request) -> None:
    """Send the tree of a quiz, drawn without its values, and the questions; with ``solved``, draw the values too."""
    from zerosum.classroom.quiz_sheet import drawing

    found = quiz_of(request.body)
    solved = request.body.get("solved") is True
    questions = [{"text": q.text, "words": list(q.words), "hint": q.hint} for q in found.questions]
    body = {
        "title": found.title,
        "subject": found.subject,
        "seed": found.seed,
        "difficulty": found.difficulty,
        "drawing": keep(drawing(found, solved), "svg"),
        "questions": questions,
        "solved": solved,
    }
    tab.send("quiz", body, request.number)


def answer(tab: Tab, request: Request) -> None:
    """Send whether an answer is right, and why. An empty answer requests the solution."""
    found = quiz_of(request.body)
    place = whole(request.body, "question", 0, len(found.questions) - 1)
    given, question = words(request.body, "answer", most=200).strip(), found.questions[place]
    right = question.check(given) if given else False
    if right is None:
        raise StudioError(f"{given!r} is not an answer: give {question.hint}")
    body = {"question": place, "right": right, "answer": question.answer, "why": list(question.explanation)}
    tab.send("answer", body, request.number)


# The ladder


class Climb:
    """A ladder being measured for a tab, in its own thread."""

    def __init__(self, tab: Tab, line: Line, seconds: float) -> None:
        self.tab, self.line, self.seconds = tab, line, seconds
        self.done: list[Climbed] = []
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, name="zerosum-ladder", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """Stop after the running search, which takes at most ``seconds``."""
        self.stopped.set()

    def _run(self) -> None:
        from zerosum.classroom.ladder import climb

        try:
            self._say("compiling", "Compiling the rules …")
            jit = self.tab.studio.jit
            for climbed in climb(self.line.game, self.line, seconds=self.seconds, tell=self._tell, jit=jit):
                self.done.append(climbed)
                self._say("climbing", "")
            self._say("done", "")
        except _Stopped:
            self._say("done", "Stopped.")
        except Exception as problem:  # also of a rule of a user's game
            self._say("failed", in_one_line(problem))

    def _tell(self, rung: Rung, measure: Measure | None) -> None:
        if self.stopped.is_set():
            raise _Stopped
        name = rung.name.removeprefix("+ ")
        self._say(
            "climbing", f"{name} …" if measure is None else f"{name}: depth {measure.depth}, {measure.nodes:,} nodes"
        )

    def _say(self, state: str, now: str) -> None:
        from zerosum.classroom.ladder_report import Ladder

        game = self.line.game
        ladder = Ladder(game, self.done, seconds=self.seconds, position=game.format_state(self.line.state))
        report = ladder.as_dict()
        for rung in report["rungs"]:
            rung.pop("by_depth", None)
        drawing = keep(ladder.plot(), "svg") if ladder.measured and state == "done" else ""
        self.tab.send("ladder", {"state": state, "now": now, "drawing": drawing, **report})


class _Stopped(Exception):
    """The page has left or has stopped the ladder."""


def climb_ladder(tab: Tab, request: Request) -> None:
    line = line_of(tab, request.body)
    seconds = number(request.body, "seconds", 0.1, LONGEST_RUNG, 1.0)
    stop_climbing(tab, request, quietly=True)
    climb = tab.extras["ladder"] = Climb(tab, line, seconds)
    tab.send("climbing", {}, request.number)
    climb.start()


def stop_climbing(tab: Tab, request: Request, quietly: bool = False) -> None:
    running = tab.extras.pop("ladder", None)
    if running is not None:
        running.stop()
    if not quietly:
        tab.send("stopped", {}, request.number)


HANDLERS = {
    "gallery": gallery,
    "example": example,
    "trace": trace,
    "evaluation": evaluation,
    "quiz": quiz,
    "answer": answer,
    "ladder": climb_ladder,
    "ladder-stop": stop_climbing,
}
