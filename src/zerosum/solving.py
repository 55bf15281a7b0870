"""Solving: which techniques are allowed, and how to solve a file of positions, one per line."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.errors import MoveError, PositionError, ZerosumError
from zerosum.game import Game, Line
from zerosum.search.algorithms import DEFAULT
from zerosum.search.options import GUESSES

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.algorithm import Algorithm
    from zerosum.search.result import Result


def solver_of(game: Game, has_database: bool = False) -> str:
    """The name of the algorithm that solves positions of a game.

    In games with repetition, lines have no natural end. There proof-number search finds distant wins and
    proves draws by repetition: mates in 4 and more take milliseconds rather than minutes (bench/proofs.py). Otherwise
    alpha-beta, which bisects the value, is as fast or faster and finds the nearest win; so it does with a database,
    which ends its lines.

    >>> from zerosum.games import load
    >>> solver_of(load("chess")), solver_of(load("connect-four"))
    ('proof', 'alphabeta')
    """
    return "proof" if game.repetition and not has_database else DEFAULT


def for_solving(game: Game, algorithm: Algorithm) -> tuple[Game, Algorithm]:
    """The game and the algorithm to solve it with, without guesses; ``bounds=off`` removes the game's bounds."""
    if not algorithm.solves:
        raise ZerosumError(f"--algorithm {algorithm.name} searches and does not solve; use alphabeta or proof")
    chosen = algorithm.chosen
    for name in GUESSES:
        # ProbCut is allowed: it only guides the search before the proof.
        if name in algorithm.kinds and chosen.get(name) and name != "probcut":
            raise ZerosumError(f"--option {name}=on: {name} guesses, but a solution must be certain; leave it off")
    if chosen.get("bounds", True):
        return game, algorithm
    advice = {name: value for name, value in game.advice.items() if name != "bounds"}
    others = {name: value for name, value in chosen.items() if name != "bounds"}
    return game.with_(bounds=None, advice=advice), type(algorithm)(**others)


class Solved(NamedTuple):
    """A position from a file: its line number, its text, the state, and the result."""

    number: int
    text: str
    state: Any
    result: Result

    def plies_to_the_end(self, game: Game) -> int | None:
        """The distance of a win; otherwise the length of the line, if it leads to the end of the game."""
        result, s = self.result, self.state
        if not result.proven:
            return None
        if result.distance is not None:
            return result.distance
        for move in result.pv:
            s = game.play(s, move)
        return len(result.pv) if game.is_over(s) else None


def solve_lines(
    engine: Engine,
    lines: Iterable[str],
    seconds: float | None,
    on_bad: Callable[[int, ZerosumError], None],
    device: str = "cpu",
) -> Iterator[Solved]:
    """Solve the positions in lines of text; ``on_bad`` gets the number of a line without a position, and the error.

    Lines are read as they are needed, for a graphics card many at a time. Empty lines and those that begin with # are
    skipped.
    """
    given: deque[tuple[int, str, Any]] = deque()  # read but not yet solved: the engine reads ahead

    def positions() -> Iterator[Line]:
        for number, text in enumerate(lines, 1):
            text = text.strip()
            if not text or text.startswith("#"):
                continue
            try:
                shown, line = read_position(engine.game, text)
            except ZerosumError as problem:
                on_bad(number, problem)
                continue
            given.append((number, shown, line.state))
            yield line

    for result in engine.solve_many(positions(), seconds=seconds, device=device):
        yield Solved(*given.popleft(), result)


def read_position(game: Game, text: str) -> tuple[str, Line]:
    """The part of a line that describes a position, and that position.

    >>> from zerosum.games import load
    >>> read_position(load("connect-four"), "32164625 11")[0]
    '32164625'
    """
    wanted = text.replace("\t", ";").partition(";")[0].strip()
    if not wanted:
        raise PositionError(f"{text!r} contains no position")
    try:
        return wanted, Line(game, game.parse_state(wanted))
    except PositionError as problem:
        not_a_position = problem
    try:
        return wanted, Line.parse(game, wanted)
    except MoveError as problem:
        if game.has("cut_move") and not str(problem).startswith("move 1:"):
            raise PositionError(f"{text!r}: {problem}") from problem
    run = wanted.split()[0]
    try:
        return run, Line.parse(game, list(run))
    except MoveError as problem:
        if str(problem).startswith("move 1:"):
            # Not even the first move is legal: the text was probably meant as a position.
            raise not_a_position from None
        raise PositionError(f"{text!r}: {problem}") from problem
