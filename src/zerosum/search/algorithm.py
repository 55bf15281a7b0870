"""The interface between an engine and its algorithm.

An ``Algorithm`` is what a user writes: a name and options, such as ``AlphaBeta(table=False)``. Each algorithm has its
own options and refuses those of others. For a game it makes a ``Searcher``, which has the memory and does the
work. The engine validates requests; all other code uses only the engine.
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
    """What an engine provides for its algorithm.

    Attributes:
        threads: the number of threads it may use.
        hash_mb: megabytes for its table or tree.
        target: where its kernels run.
        endings: unpacks the endgame database, which takes a while; None if there is no database.
    """

    game: Game
    threads: int
    hash_mb: float
    target: Target
    endings: Callable[[], Any] | None = None


@dataclass(frozen=True)
class Request:
    """One search request, already validated by the engine.

    Attributes:
        position: a Line, or a State.
        s: its State; the game is not over there.
        moves: the moves to choose from; empty if chance is to move.
        is_free: whether ``moves`` has all legal moves and one line is enough.
        lines: the number of best lines wanted.
        on_report: called after every finished step.
        on_bound: called when a value is better or worse than expected, before it is searched again.
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

    With ``nearest`` the move must win as soon as possible.
    """

    s: Any
    least: int
    nearest: bool = False


class Searcher(ABC):
    """An algorithm at work for one engine."""

    game: Game

    unit: int
    """The value of a small advantage; margins in time control and reviews are multiples of it."""

    threads: int
    """The number of threads it uses."""

    @abstractmethod
    def prepare(self) -> None:
        """Compile or load the kernels and allocate all memory in advance, before a clock runs."""

    @abstractmethod
    def search(self, request: Request) -> Result:
        """The best move found within the limits."""

    def solve(
        self,
        positions: Iterable[tuple[Any, Any]],
        seconds: float | None,
        stop: Stop,
        on_report: Report | None = None,
    ) -> Iterator[Result]:
        """The exact value of each position, given with its State, within this many seconds each.

        Only called if the algorithm's ``solves`` is True. ``on_report`` is called with values that are not proven yet.
        """
        raise NotImplementedError

    def keep(self, questions: Sequence[Question], stop: Stop) -> list[int | None]:
        """The move that answers each question; None where no move is proven. After a stop, fewer answers.

        This default solves each position, which is more than needed; an algorithm may override it with something
        faster. In games without margins, it takes any proven win as the nearest.
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
        """The current state of a search running in another thread; None if unknown."""
        return None

    def hashfull(self) -> int:
        """How full its memory is after the last search, in thousandths."""
        return 0

    def known(self, s: Any) -> Known | None:
        """What it has stored about a position; None if nothing."""
        return None


class Algorithm(ABC):
    """A way to search, with its options. Equal options make equal algorithms.

    Attributes:
        name: the name users type.
        about: a one-line description.
        solves: whether it can prove values, in games without chance.
        uses_database: whether it probes an endgame database.
        chosen: the options that the user gave.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    solves: ClassVar[bool] = False
    uses_database: ClassVar[bool] = False
    kinds: ClassVar[Mapping[str, type]] = {}
    """Its options by name: ``bool`` for a switch, ``int`` for a number."""

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
        """The value of an option as typed: ``on``, ``off`` or a number; LimitError if it is not valid.

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
        """Make a searcher; MissingRule or LimitError, in one line, if the algorithm cannot play the game."""


AlgorithmLike = Algorithm | str | Mapping[str, Any] | None
"""How a user may specify an algorithm: an Algorithm, its name, options for the default one, or None."""
