"""All algorithms by name, and traces that record every step of one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerosum.classroom.alphabeta import alphabeta, alphabeta_fail_hard
from zerosum.classroom.aspiration import aspiration
from zerosum.classroom.deepening import deepening
from zerosum.classroom.events import Event, Kind, Path
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.classroom.killer import killer
from zerosum.classroom.mcts import mcts_solver_value, mcts_value
from zerosum.classroom.minimax import minimax
from zerosum.classroom.mtdf import mtdf
from zerosum.classroom.negamax import negamax
from zerosum.classroom.null_move import null_move
from zerosum.classroom.parallel import parallel
from zerosum.classroom.proof import proof
from zerosum.classroom.pvs import pvs
from zerosum.classroom.quiescence import quiescence
from zerosum.classroom.selective import selective
from zerosum.classroom.singular import singular
from zerosum.classroom.star import star1, star2
from zerosum.classroom.table import alphabeta_with_table
from zerosum.classroom.tree import LEAF, Tree
from zerosum.classroom.unfolding import moves_in_words, unfolded
from zerosum.errors import LimitError, TreeError
from zerosum.game import MAX, Game

if TYPE_CHECKING:
    from zerosum.classroom.trace_text import Step

Algorithm = Callable[..., float]

ALGORITHMS: dict[str, Algorithm] = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "alphabeta-fail-hard": alphabeta_fail_hard,
    "negamax": negamax,
    "deepening": deepening,
    "killer": killer,
    "table": alphabeta_with_table,
    "quiescence": quiescence,
    "selective": selective,
    "singular": singular,
    "null-move": null_move,
    "aspiration": aspiration,
    "pvs": pvs,
    "mtdf": mtdf,
    "parallel": parallel,
    "proof": proof,
    "expectiminimax": expectiminimax,
    "star1": star1,
    "star2": star2,
    "mcts": mcts_value,
    "mcts-solver": mcts_solver_value,
}
"""Name → function of ``(game, s=None, depth=None, ..., tell=silent)`` that returns the value for MAX.

Those that sample have ``simulations`` and ``seed`` instead of a depth.
"""

MOST_DRAWN = 5_000
"""The most visited nodes for which a trace unfolds the game's tree."""


@dataclass(frozen=True)
class Trace:
    """The record of a run: its events, its result, and the tree.

    ``line`` holds the chosen moves from the root, as far as they are known. ``evaluated`` counts evaluations (repeated
    ones too) or simulations. If ``is_unfolded``, the tree is the visited part of a game, and its leaves are the
    positions where the search stopped. ``start`` is the state at the root. ``marks`` are the names of the steps of
    ``steps()`` in the notes, in order.
    """

    algorithm: str
    tree: Tree | None
    game: Game
    events: tuple[Event, ...] = field(repr=False)
    value: float
    line: Path
    evaluated: int
    is_unfolded: bool = False
    start: Any = None
    marks: tuple[str, ...] = ()
    shown: tuple[Path, ...] = ()
    """The nodes that a drawing must show if the tree is too wide to read. The rest is folded."""

    @cached_property
    def is_sampled(self) -> bool:
        """Whether the algorithm samples, so that nodes have visits and means."""
        return any(event.kind is Kind.SIMULATION for event in self.events)

    @property
    def smaller(self) -> str:
        """What to ask for if the trace is too long, in words."""
        return "fewer simulations" if self.is_sampled else "a smaller depth"

    @property
    def move(self) -> int | None:
        """The decision: the first move of the line."""
        return self.line[0] if self.line else None

    def words(self) -> list[str]:
        """The whole trace in words, one sentence for each event."""
        return [event.words(self) for event in self.events]

    def steps(self, detail: str = "brief") -> tuple[Step, ...]:
        """The trace in steps: ``brief``, one for each leaf or other result, or ``full``, one for each event."""
        from zerosum.classroom.trace_text import steps_of

        return steps_of(self, detail)

    @cached_property
    def leaves_seen(self) -> int:
        """The number of leaves looked at, each counted once; without a tree, the number of evaluations."""
        if self.tree is None:
            return self.evaluated
        looked = {event.path for event in self.events if event.kind is Kind.EVALUATE}
        return sum(node.kind == LEAF for path, node in self.tree.nodes() if path in looked)

    def move_words(self, path: Path) -> list[str]:
        """Moves from the root in the game's notation."""
        return moves_in_words(self.game, self.game.start() if self.start is None else self.start, path)

    @property
    def pruned(self) -> tuple[Path, ...]:
        """The children that were never looked at, in the order in which they were cut off."""
        return tuple((*e.path, e.move) for e in self.events if e.kind == Kind.PRUNE and e.move is not None)

    def _repr_svg_(self) -> str | None:
        from zerosum.classroom.drawing.svg import tree_svg

        return None if self.tree is None else str(tree_svg(self.tree, trace=self))


OTHER_NAMES = {
    "alpha-beta": "alphabeta",
    "alpha-beta-pruning": "alphabeta",
    "alpha-beta-fail-hard": "alphabeta-fail-hard",
    "iterative-deepening": "deepening",
    "transposition-table": "table",
    "quiescence-search": "quiescence",
    "selective-extension": "selective",
    "selective-extensions": "selective",
    "singular-extension": "singular",
    "singular-extensions": "singular",
    "aspiration-window": "aspiration",
    "aspiration-windows": "aspiration",
    "principal-variation-search": "pvs",
    "negascout": "pvs",
    "mtd-f": "mtdf",
    "killer-moves": "killer",
    "killers": "killer",
    "parallel-search": "parallel",
    "proof-numbers": "proof",
    "proof-number-search": "proof",
    "expectimax": "expectiminimax",
    "expectimin": "expectiminimax",
    "expectminimax": "expectiminimax",
    "monte-carlo": "mcts",
    "monte-carlo-tree-search": "mcts",
    "uct": "mcts",
}
"""Other common names of the algorithms."""


def algorithm_name(word: str) -> str:
    """The name in ``ALGORITHMS`` of an algorithm, from any common name; LimitError with a suggestion if unknown.

    >>> algorithm_name("Alpha-Beta"), algorithm_name("iterative deepening"), algorithm_name("expectimax")
    ('alphabeta', 'deepening', 'expectiminimax')
    """
    plain = "-".join(re.split(r"[\s_-]+", word.strip().lower().replace("α", "alpha").replace("β", "beta")))
    name = OTHER_NAMES.get(plain, plain)
    if name not in ALGORITHMS:
        close = get_close_matches(plain, [*ALGORITHMS, *OTHER_NAMES], 1)
        near = f"; did you mean {close[0]!r}?" if close else "."
        raise LimitError(f"unknown algorithm {word!r}{near} Choose from {', '.join(ALGORITHMS)}")
    return name


def algorithm_named(name: str) -> Algorithm:
    """The algorithm with this name, or any common name; LimitError with a list of all if it is unknown."""
    return ALGORITHMS[algorithm_name(name)]


def takes_depth(name: str) -> bool:
    """Whether the algorithm takes a depth: those that sample do not."""
    from inspect import signature

    return "depth" in signature(algorithm_named(name)).parameters


def limited(name: str, most: int, on_step: Callable[[int], None] = lambda steps: None) -> Algorithm:
    """The algorithm with this name, stopped by a LimitError after more than ``most`` steps.

    >>> trace(limited("minimax", 5), Tree.from_lists([[3, 12, 8], [2, 4, 6]]))
    Traceback (most recent call last):
        ...
    zerosum.errors.LimitError: minimax takes more than 5 steps here: give a smaller depth, or a smaller tree
    """
    function = algorithm_named(name)

    def run(game: Game, s: Any, tell: Callable[[Event], None], **options: Any) -> float:
        steps = 0

        def listen(event: Event) -> None:
            nonlocal steps
            steps += 1
            if steps > most:
                less = "give a smaller depth, or a smaller tree" if takes_depth(name) else "give fewer simulations"
                raise LimitError(f"{name} takes more than {most:,} steps here: {less}")
            on_step(steps)
            tell(event)

        return function(game, s, tell=listen, **options)

    run.__name__ = algorithm_name(name)
    return run


def trace(algorithm: str | Algorithm, subject: Tree | Game, s: Any = None, **options: Any) -> Trace:
    """Run an algorithm, given by name or as a function, on a tree or a game, and record every step.

    Options are the algorithm's own: ``depth``, ``alpha``, ``fail_soft`` …

    >>> trace("minimax", Tree.from_lists([[3, 12, 8], [2, 4, 6], [14, 5, 2]])).line
    (0, 0)
    """
    function = algorithm_named(algorithm) if isinstance(algorithm, str) else algorithm
    tree, game = (subject, subject.game) if isinstance(subject, Tree) else (None, subject)
    start = game.start() if s is None else game.state(s)
    recorder = Recorder()
    value = function(game, start, tell=recorder, **options)
    if tree is None:
        tree = _visited(game, start, recorder)
    name = algorithm_name(algorithm) if isinstance(algorithm, str) else algorithm.__name__
    is_unfolded = not isinstance(subject, Tree)
    events = tuple(recorder.events)
    return Trace(name, tree, game, events, value, recorder.line, recorder.evaluated, is_unfolded, start)


def _visited(game: Game, s: Any, recorder: Recorder) -> Tree | None:
    """The visited part of a game's tree, or None if it is too large to draw."""
    inner = {event.path for event in recorder.events if event.kind in (Kind.BACK_UP, Kind.CHANCE_AVERAGE, Kind.PRUNE)}
    seen = {event.path for event in recorder.events if event.kind in (Kind.ENTER, Kind.EXPAND)}
    inner |= {path[:-1] for path in seen if path}
    # Simulations make no evaluations, so their tree shows none. Proof-number search evaluates leaves it never enters.
    is_grown = any(event.kind is Kind.SIMULATION for event in recorder.events)
    for event in recorder.events:
        if event.kind is Kind.PRUNE and event.move is not None:
            seen.add((*event.path, event.move))
        elif event.kind is Kind.EVALUATE:
            seen.add(event.path)
    try:
        return Tree(unfolded(game, s, float("inf"), MOST_DRAWN, inner, seen, with_guesses=not is_grown), game.name)
    except TreeError:
        return None


class Recorder:
    """Records the events of an algorithm, and assembles the chosen line from the values that were backed up."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.evaluated = 0
        self.lines: dict[Path, Path] = {}  # for each node, the best known line below it
        self._open: dict[Path, Path] = {}  # for each node being searched, the line found in this visit
        self._windows: dict[Path, tuple[float, float]] = {}  # and the α and β with which it was entered
        self._left: dict[Path, Path] = {}  # for each node that was left, the line of its last visit

    @property
    def line(self) -> Path:
        return self.lines.get((), ())

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        path = event.path
        if event.kind == Kind.ENTER:
            self._open[path] = ()
            self._windows[path] = (event.frame.alpha, event.frame.beta)
        elif event.kind in (Kind.EVALUATE, Kind.PLAYOUT):
            self.evaluated += 1
        elif event.kind == Kind.CHOOSE:
            self.lines[()] = event.line
        elif event.kind == Kind.BACK_UP and event.move is not None:
            child = (*path, event.move)
            below = self._left.pop(child, None)
            self._open[path] = (event.move, *(self.lines.get(child, ()) if below is None else below))
        elif event.kind == Kind.TABLE_HIT:
            self._open[path] = self.lines.get(path, ()) or (() if event.move is None else (event.move,))
        elif event.kind == Kind.LEAVE:
            found = self._open.pop(path)
            self._left[path] = found
            alpha, beta = self._windows.pop(path)
            assert event.value is not None
            # If a search only shows that no move is good enough, its "best" move is arbitrary.
            is_sure = event.value > alpha if event.frame.player == MAX else event.value < beta
            if is_sure or path not in self.lines:
                self.lines[path] = found
