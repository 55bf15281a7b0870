"""What an algorithm is to an engine.

An ``Algorithm`` is what a user writes down: a name and options, such as ``AlphaBeta(table=False)``. It owns its
options: one of another algorithm is an error. For a game it makes a ``Searcher``, which has the memory and does the
work. The engine checks what is asked of it; everyone else knows only the engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from zerosum.errors import LimitError, nearest
from zerosum.game import MAX, Game
from zerosum.jit.target import Target
from zerosum.running.stopping import Stop
from zerosum.search.limits import Limits
from zerosum.search.result import Progress, Report, Result

if TYPE_CHECKING:
    from zerosum.search.peek import Known


@dataclass(frozen=True)
class Setup:
    """What an engine has for its algorithm.

    Attributes:
        threads: how many processors it may use.
        hash_mb: megabytes for what it remembers.
        target: where its kernels run.
        endings: unpacks the endgame database, which takes a while; None where there is none.
    """

    game: Game
    threads: int
    hash_mb: float
    target: Target
    endings: Callable[[], Any] | None = None


@dataclass(frozen=True)
class Request:
    """One search that was asked for; the engine has checked it.

    Attributes:
        position: a Line, or a State.
        s: the State where it stands; the game is not over there.
        moves: those to choose from; none where chance is to move.
        is_free: all legal moves are among them, and one line is enough.
        lines: how many best lines are wanted.
        on_report: hears of every finished step.
        on_bound: hears of values that are better or worse than expected, which are looked for again.
        stop: ends the search.
    """

    position: Any
    s: Any
    moves: list[int]
    is_free: bool
    limits: Limits
    lines: int
    on_report: Report | None
    on_bound: Report | None
    stop: Stop


class Question(NamedTuple):
    """Which move of ``s`` is certainly worth at least ``least`` to the player to move?

    With ``nearest`` it must be one that wins as soon as possible.
    """

    s: Any
    least: int
    nearest: bool = False


class Searcher(ABC):
    """An algorithm at work for one engine."""

    game: Game

    unit: int
    """What a small advantage is worth: margins of time and of reviews are multiples of it."""

    threads: int
    """How many it uses."""

    @abstractmethod
    def prepare(self) -> None:
        """Get ready before a clock runs: compile or load the kernels, and take all memory."""

    @abstractmethod
    def search(self, request: Request) -> Result:
        """The best move, as far as the limits allow."""

    def solve(
        self,
        positions: Iterable[tuple[Any, Any]],
        seconds: float | None,
        stop: Stop,
        on_report: Report | None = None,
    ) -> Iterator[Result]:
        """The exact value of each position, given with its State, within this many seconds each.

        Only algorithms that say that they solve are asked. ``on_report`` hears of values that are not proven yet.
        """
        raise NotImplementedError

    def keep(self, questions: Sequence[Question], stop: Stop) -> list[int | None]:
        """The move that each question asks for; None where none is proven. Fewer where it was stopped.

        Solves each position, which is more than is asked: an algorithm may know a shorter way. Where only winning
        counts, any proven win is taken for the nearest.
        """
        found: list[int | None] = []
        results = self.solve(((question.s, question.s) for question in questions), None, stop)
        for question, result in zip(questions, results, strict=False):
            sign = 1 if self.game.to_move(question.s) == MAX else -1
            value, least = result.value, question.least
            if not self.game.scored:
                value, least = result.outcome or 0, (least > 0) - (least < 0)
            found.append(result.move if result.proven and sign * value >= least else None)
        return found

    def clear(self) -> None:
        """Forget everything learned."""
        return

    def progress(self) -> Progress | None:
        """Where a search that another thread has begun is at the moment; None if that cannot be said."""
        return None

    def hashfull(self) -> int:
        """How much of its memory the last search has filled, in thousandths."""
        return 0

    def known(self, s: Any) -> Known | None:
        """What it remembers about a position; None if nothing."""
        return None


class Algorithm(ABC):
    """A way to search, with its options. Equal options make equal algorithms.

    Attributes:
        name: what users call it.
        about: what it is, in a line.
        solves: whether it can prove values, in games without chance.
        uses_database: whether it looks into an endgame database.
        chosen: the options that were given.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    solves: ClassVar[bool] = False
    uses_database: ClassVar[bool] = False
    kinds: ClassVar[Mapping[str, type]] = {}
    """Its options by name: ``bool`` for what is on or off, ``int`` for a number."""

    chosen: Mapping[str, Any]

    def __init__(self, **options: Any) -> None:
        for option, value in options.items():
            self._check(option, value)
        self.chosen = dict(options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.chosen.items())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.chosen == other.chosen

    def __hash__(self) -> int:
        return hash((self.name, *sorted(self.chosen.items())))

    @classmethod
    def _check(cls, option: str, value: Any) -> None:
        if option not in cls.kinds:
            known = f"; its options are {', '.join(sorted(cls.kinds))}" if cls.kinds else "; it has none"
            raise LimitError(f"unknown option {option!r} of {cls.name}{nearest(option, cls.kinds) or known}")
        if cls.kinds[option] is bool and not isinstance(value, bool) and value is not None:
            raise LimitError(f"{option} must be True or False, not {value!r}")

    @classmethod
    def option(cls, name: str, word: str) -> bool | int:
        """The value of an option as people type it: ``on``, ``off`` or a number; LimitError if it is none.

        >>> from zerosum.search.strategies import AlphaBeta
        >>> AlphaBeta.option("table", "off"), AlphaBeta.option("unit", "50")
        (False, 50)
        """
        cls._check(name, None)
        if cls.kinds[name] is bool:
            if word.lower() not in ("on", "off"):
                raise LimitError(f"{name} is on or off, not {word!r}")
            return word.lower() == "on"
        if not word.isdecimal():
            raise LimitError(f"{name} is a whole number, not {word!r}")
        return int(word)

    @abstractmethod
    def searcher(self, setup: Setup) -> Searcher:
        """This algorithm at work; MissingRule or LimitError, in a line, if it cannot play the game."""


AlgorithmLike = Algorithm | str | Mapping[str, Any] | None
"""What a user may give for an algorithm: one, its name, options of the usual one, or nothing."""
