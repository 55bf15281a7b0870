"""The history of search as measurements: each rung of the ladder adds one idea to all those before it.

The rungs are those of the notes ("History of Search Innovations"), plus ideas between them that the notes
explain elsewhere. Each rung runs the compiled kernels from one position, depth by depth, for a fixed time.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> minimax, alphabeta, *others = climb(game, game.initial(), seconds=5.0)
>>> minimax.at(9).nodes, alphabeta.at(9).nodes < minimax.at(9).nodes / 10
(549945, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from zerosum.engine import Engine
from zerosum.errors import GameError, PositionError
from zerosum.game import Game, Line
from zerosum.jit.target import target_for
from zerosum.processors import usable_processors
from zerosum.running.crew import Crew
from zerosum.search.alphabeta import ALPHABETA
from zerosum.search.deepening import Deepening
from zerosum.search.limits import MAX_PLY, Limits, check_depth, check_hash, check_threads
from zerosum.search.minimax import MINIMAX
from zerosum.search.options import GUESSES, NEEDS, SearchOptions, margin_unit
from zerosum.search.result import Result
from zerosum.search.strategies import AlphaBeta
from zerosum.search.table import Table
from zerosum.search.worker import Worker

DEFAULT_SECONDS = 1.5
"""The default time for each rung: the whole ladder then takes less than a minute, including compilation."""

HASH_MB = 64

QUICK, REPEATS = 0.2, 3
"""A search shorter than ``QUICK`` seconds is run ``REPEATS`` times and the fastest counts, to reduce noise."""

HOPELESS = 3.0
"""A direct search is not started if it is expected to take more than this many times the fixed time."""


@dataclass(frozen=True)
class Rung:
    """One idea: the techniques it switches on, and who introduced it, where the notes say so."""

    name: str
    techniques: tuple[str, ...] = ()
    origin: str = ""
    deepens: bool = True
    """Whether one search goes through depth 1, 2, 3 …; otherwise it goes straight to its depth."""
    many_threads: bool = False


RUNGS = (
    Rung("minimax", origin="Shannon, Turing 1950", deepens=False),
    Rung("+ alpha-beta", origin="Kotok/McCarthy 1966", deepens=False),
    Rung("+ ordering", ("order", "killers", "history"), deepens=False),
    Rung("+ transposition table", ("table", "hash_move", "symmetry"), "MacHack 1967", deepens=False),
    # These techniques build on the value and the best move of the previous depth, so they are part of this rung.
    Rung("+ iterative deepening", ("pvs", "aspiration", "mate_distance"), "Chess 3.0+ 1975"),
    Rung("+ quiescence", ("quiescence",)),
    Rung("+ extensions", ("forced", "singular")),
    Rung("+ null move and reductions", ("null_move", "reductions")),
    Rung("+ threads", origin="Cray Blitz 1983", many_threads=True),
)

ESSENTIAL = tuple(name for rung in RUNGS for name in rung.techniques if name in GUESSES and name in NEEDS)
"""Techniques whose absence is reported. Symmetry is not among them: a table is useful without it."""


@dataclass(frozen=True)
class Measure:
    """The positions visited and seconds that a rung took for one depth, starting from an empty table."""

    depth: int
    nodes: int
    seconds: float
    value: float
    proven: bool

    @property
    def branching(self) -> float:
        return effective_branching(self.nodes, self.depth)


@dataclass(frozen=True)
class Climbed:
    """A rung and its measures, one for each depth; or the reason why it was skipped."""

    rung: Rung
    measures: tuple[Measure, ...] = ()
    skipped: str = ""
    note: str = ""

    @property
    def deepest(self) -> Measure | None:
        """The last depth finished within the fixed time."""
        return self.measures[-1] if self.measures else None

    def at(self, depth: int) -> Measure | None:
        """The measure of ``depth``; once the value is proven, greater depths take no more."""
        for measure in self.measures:
            if measure.depth == depth:
                return measure
        last = self.deepest
        return last if last is not None and last.proven and depth > last.depth else None


def effective_branching(nodes: int, depth: int) -> float:
    """The branching factor b of a uniform tree with this many positions: b + b² + … + b^depth = nodes.

    (S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, on the quality of heuristics; the root
    is not counted.)

    >>> round(effective_branching(3 + 9 + 27, 3), 6)
    3.0
    """
    low, high = 0.0, float(max(nodes, 1))
    for _ in range(100):
        middle = (low + high) / 2
        total = 0.0
        for _ in range(depth):
            total = min((total + 1) * middle, 1e300)
        if total < nodes:
            low = middle
        else:
            high = middle
    return high


def prepare(game: Game, *, jit: bool = True) -> None:
    """Compile or load both kernels before anything is timed; GameError for games with chance."""
    if game.has("chances"):
        raise GameError(f"{game.name} has chance nodes: the ladder needs a game without chance, as alpha-beta does")
    MINIMAX.of(game, target_for(game, jit))
    ALPHABETA.of(game, target_for(game, jit))


def climb(
    game: Game,
    position: Any,
    *,
    seconds: float = DEFAULT_SECONDS,
    depth: int | None = None,
    threads: int | None = None,
    hash_mb: float = HASH_MB,
    tell: Callable[[Rung, Measure | None], None] = lambda rung, measure: None,
    jit: bool = True,
) -> Iterator[Climbed]:
    """Measure each rung in turn, from a State or Line, as far as it gets in ``seconds`` or to ``depth``.

    ``tell`` is called when a rung begins (without a measure) and after every finished depth.
    """
    Limits(seconds=seconds)
    check_depth(depth)
    threads = usable_processors() if threads is None else check_threads(threads)
    line = position if isinstance(position, Line) else Line(game, game.state(position))
    if game.is_over(line.state):
        raise PositionError(f"the game is over in {game.format_state(line.state)!r}: there is nothing to search")
    prepare(game, jit=jit)
    limit = depth or MAX_PLY
    advised = SearchOptions.advised(game).parameters
    options = replace(SearchOptions.none(), unit=margin_unit(game), parameters=advised)
    for rung in RUNGS:
        usable = tuple(name for name in rung.techniques if game.has(NEEDS.get(name, "play")))
        missing = [f"no {NEEDS[name]}" for name in rung.techniques if name not in usable and name in ESSENTIAL]
        if rung.techniques and not usable:
            yield Climbed(rung, skipped=f"not for this game: {', '.join(missing)}")
            continue
        if rung.many_threads and threads == 1:
            yield Climbed(rung, skipped="not on this machine: one processor")
            continue
        # A table that treats mirror images as equal would miss repetitions of the line that led here.
        usable = tuple(name for name in usable if name != "symmetry" or not game.repetition)
        on: dict[str, Any] = dict.fromkeys(usable, True)
        options = replace(options, **on)
        tell(rung, None)
        measures: list[Measure] = []
        if rung.deepens:
            run = _deepening(line, options, threads if rung.many_threads else 1, hash_mb, limit, seconds, jit)
        else:
            run = _straight(line, rung is RUNGS[0], options, hash_mb, limit, seconds, jit)
        for measure in run(lambda measure, rung=rung: tell(rung, measure)):  # type: ignore[misc]
            measures.append(measure)
        if measures and measures[-1].proven:
            # A rung with selective techniques proves nothing, and would search ever deeper beyond the end of the game.
            limit = min(limit, measures[-1].depth)
        note = (
            f"{', '.join(missing)}: {' and '.join(name.replace('_', ' ') for name in usable)} only" if missing else ""
        )
        yield Climbed(rung, tuple(measures), note=note)


Report = Callable[[Measure], None]


def _straight(
    line: Line, plain: bool, options: SearchOptions, hash_mb: float, limit: int, seconds: float, jit: bool
) -> Callable[[Report], list[Measure]]:
    """Separate searches straight to depth 1, depth 2 …, each from an empty table and within the fixed time."""

    game = line.game
    moves = game.legal_moves(line.state)
    crew = Crew(MINIMAX if plain else ALPHABETA, game, target=target_for(game, jit))
    worker = Worker(crew[0], options)
    table = Table(check_hash(hash_mb), target_for(game, jit)) if options.table else None

    def search(depth: int) -> Measure | None:
        if table is not None:
            table.clear()
        worker.begin(line, table, 0, None)
        finished: list[Result] = []
        straight = Deepening(worker, list(moves), Limits(depth), options, first_depth=depth)
        crew.run(straight.run, seconds=seconds, on_report=finished.append)
        return _measure(finished[-1]) if finished else None

    def run(report: Report) -> list[Measure]:
        found: list[Measure] = []
        for depth in range(1, limit + 1):
            if _expected(found) > HOPELESS * seconds:
                break
            measure = search(depth)
            if measure is None:
                break
            if measure.seconds < QUICK:
                again = [search(depth) or measure for _ in range(1, REPEATS)]
                measure = min(measure, *again, key=lambda m: m.seconds)
            found.append(measure)
            report(measure)
            if measure.proven:
                break
        return found

    return run


def _deepening(
    line: Line, options: SearchOptions, threads: int, hash_mb: float, limit: int, seconds: float, jit: bool
) -> Callable[[Report], list[Measure]]:
    """One search by iterative deepening: the measure of a depth includes all depths before it."""

    engine = Engine(line.game, AlphaBeta(**options.by_name()), threads=threads, hash_mb=hash_mb, jit=jit)
    engine.prepare()

    def search(report: Report) -> list[Measure]:
        found: list[Measure] = []

        def note(result: Result) -> None:
            found.append(_measure(result))
            report(found[-1])

        engine.clear()  # also touches the table's memory, so that the clock does not include its allocation
        result = engine.search(line, depth=limit, seconds=seconds, on_report=note)
        if result.proven and not (found and found[-1].proven):
            note(result)  # proven by a thread ahead of the one that reports
        return found

    def run(report: Report) -> list[Measure]:
        found = search(report)
        if found and found[-1].seconds < min(QUICK, seconds):
            again = [search(lambda measure: None) or found for _ in range(1, REPEATS)]
            found = min(found, *again, key=lambda measures: measures[-1].seconds)
        return found

    return run


def _expected(found: list[Measure]) -> float:
    """The seconds that the next depth will take, if they grow as the last depth's did."""
    if len(found) < 2:
        return 0.0
    before, last = found[-2:]
    return last.seconds * last.nodes / max(before.nodes, 1)


def _measure(result: Result) -> Measure:
    return Measure(result.depth, result.nodes, result.seconds, result.value, result.proven)
