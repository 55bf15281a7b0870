"""Search results: every algorithm makes its results here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from zerosum.displayed import Displayed
from zerosum.game import WIN, Game, Line
from zerosum.value_display import in_words

LONGEST_WIN = 1 << 18
"""Values beyond ``WIN - LONGEST_WIN`` are wins; values below it are guesses."""

NO_DISTANCE = LONGEST_WIN // 2
"""Values beyond ``WIN - NO_DISTANCE`` are wins in a known number of plies; for those below, the distance is unknown."""


class Numbers(NamedTuple):
    """How near proof-number search is to an answer: the least number of positions that must be proven to prove it, and
    refuted to refute it. ``question`` is the statement to prove, in words.
    """

    question: str
    proof: int
    disproof: int


@dataclass(frozen=True, repr=False)
class Result(Displayed):
    """A move, its value, and how certain the value is.

    Attributes:
        move: the best move; None if the game is over or chance is to move.
        value: for MAX. A win in n plies is ``WIN - n``; in scored games the value is the margin. With chance it is a
            float, the average over all outcomes.
        outcome: 1 (MAX wins), 0 (draw) or -1 (MIN wins) if that is certain, else None.
        distance: plies to the end of the game along a certain win or loss, else None; an upper bound unless
            ``exact``. An endgame database without distances proves a win but gives no distance.
        proven: the winner, the draw or the score is certain: no horizon, guess or reduction affected it. A
            repetition affected it only if proof-number search has shown that nobody can force a win.
        exact: the value itself is certain. A proven win that is not exact may be nearer than ``distance``.
        pv: the line both sides are expected to play, from ``move`` on.
        depth: the depth of the search, in moves.
        nodes: positions visited.
        seconds: time taken.
        lines: with ``multipv``, the best lines, best first; else only this result's own line.
        bound: 1 if the value is a lower bound, -1 if it is an upper bound, for MAX; 0 if it is exact.
        seldepth: plies of the longest line searched, without quiescence; 0 if unknown.
        numbers: for proof-number search that has not found the value yet; there is no estimate either.
        confidence: in percent, if ``solve`` reports a value before it is proven; else None.
        position: the line that ends where the search began, if ``Engine.search`` or ``solve`` set it; else None. It is
            ignored in comparisons, and not sent to other processes.
    """

    move: int | None
    value: float
    outcome: int | None
    distance: int | None
    proven: bool
    pv: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Result, ...] = ()
    bound: int = 0
    seldepth: int = 0
    exact: bool = False
    numbers: Numbers | None = None
    confidence: int | None = None
    position: Line | None = field(default=None, compare=False)

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def is_settled(self) -> bool:
        """Whether nothing remains to find out: it is known who wins and when, or that nobody does."""
        return self.outcome is not None and (self.proven or self.distance is not None)

    @property
    def is_undated_win(self) -> bool:
        """Whether an endgame database says who wins, but not when. (Margins are never this large.)

        If it is not ``proven``, a clock may still end the game first.
        """
        return self.distance is None and WIN - LONGEST_WIN <= abs(self.value) < WIN

    def __repr__(self) -> str:
        """The value, the expected line, and how it was found.

        >>> Result(3, 43, None, None, False, (3, 7), 5, 100_000, 0.1)
        <Result: +43; 3 7; depth 5, 100,000 positions>
        """
        game = self.position.game if self.position is not None else None
        best = f"; {' '.join(self.moves_in_words())}" if self.pv else ""
        return f"<Result: {self.in_words(game)}{best}; depth {self.depth}, {self.nodes:,} positions>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "position": None}

    def moves_in_words(self) -> list[str]:
        """The expected line: in the game's notation if the position is known, else as numbers."""
        if self.position is None:
            return [str(move) for move in self.pv]
        return list(self.pv_texts(self.position.game, self.position.state))

    def in_words(self, game: Game | None = None) -> str:
        """The value in words; with the game, in its unit and with its players' names.

        >>> from zerosum.game import WIN
        >>> Result(3, WIN - 5, 1, 5, True, (3,), 5, 100, 0.1, exact=True).in_words()
        'MAX wins in 5 plies'
        >>> Result(3, WIN - 5, 1, 5, True, (3,), 5, 100, 0.1).in_words()
        'MAX wins within 5 plies'
        >>> Result(1, 5 / 7, None, None, True, (1,), 5, 100, 0.1).in_words()
        '+0.71429 (exact)'
        """
        return in_words(self) if game is None else in_words(self, game.players, game.unit)

    def as_dict(self, game: Game, s: Any) -> dict[str, Any]:
        """For JSON: moves in the game's notation, starting from ``s``."""
        pv = list(self.pv_texts(game, s))
        found: dict[str, Any] = {
            "move": pv[0] if pv else None,
            "value": self.value,
            "outcome": self.outcome,
            "distance": self.distance,
            "proven": self.proven,
            "exact": self.exact,
            "pv": pv,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
        if self.numbers is not None:
            found["numbers"] = self.numbers._asdict()
        if len(self.lines) > 1:
            found["lines"] = [line.as_dict(game, s) for line in self.lines]
        return found

    def pv_texts(self, game: Game, s: Any) -> Iterator[str]:
        """The expected line in the game's notation, starting from ``s``."""
        for move in self.pv:
            yield game.format_move(s, move)
            s = game.play(s, move)


class Progress(NamedTuple):
    """The state of a running search: its depth, the current root move and its number, and the nodes so far."""

    depth: int
    move: int
    number: int
    nodes: int


Report = Callable[[Result], None]
"""Called with results as they come."""


def make_result(
    game: Game,
    value: float,
    line: tuple[int, ...],
    depth: int,
    nodes: int,
    seconds: float,
    *,
    proven: bool = False,
    exact: bool = False,
) -> Result:
    """The Result for a value and its line; derives outcome and distance from the value and its certainty."""
    won = not game.scored and abs(value) >= WIN - LONGEST_WIN
    dated = won and abs(value) > WIN - NO_DISTANCE
    # A win without a distance comes from a database, and a clock may still spoil it. With chance, even a certain value
    # only says who wins more often.
    certain = dated or (won and not game.has("clock")) or (proven and not game.has("chances"))
    return Result(
        move=line[0] if line else None,
        value=value,
        outcome=(value > 0) - (value < 0) if certain else None,
        distance=WIN - int(abs(value)) if dated else None,
        proven=proven,
        pv=line,
        depth=depth,
        nodes=nodes,
        seconds=seconds,
        exact=exact,
    )


def finished_result(game: Game, s: Any) -> Result:
    """The result of a game that is already over."""
    utility = float(game.utility(s)) if game.has("chances") else int(game.utility(s))
    outcome = (utility > 0) - (utility < 0)
    value = utility if game.scored else WIN * outcome
    return replace(make_result(game, value, (), 0, 0, 0.0, proven=True, exact=True), outcome=outcome)
