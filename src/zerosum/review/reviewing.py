"""Review a finished game move by move: the best move, and what each player gave away.

>>> from zerosum.engine import Engine
>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> line = Line.parse(game, "5 2 1 9")
>>> found = list(review_game(Engine(game, jit=False), line, depth=9))
>>> [reviewed.loss for reviewed in found]  # O's move on the edge was an error; after it, no move loses more
[0, 1000, 0, 0]
>>> summary(found, 100)[MIN]
Summary(moves=2, faultless=1, mean_loss=500.0, blunders=1, accuracy=50.0)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.game import CHANCE, MAX, MIN, Game, Line
from zerosum.search.result import Result
from zerosum.value_display import PLAYERS

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.running.stopping import Stop

DECIDED = 10
"""In games without margins, an advantage of this many units counts as a win, so no move loses more."""

BLUNDER_WITH_CHANCE = 0.08  # points, as backgammon players define it
BLUNDER_IN_POINTS = 2

MARKS = {"??": 1.0, "?": 0.5, "?!": 0.25}
"""Annotation marks, each with the smallest loss as a share of a blunder: blunders, mistakes, inaccuracies."""


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a game.

    Attributes:
        ply: its index among the moves and events of the line, from 0.
        player: MAX or MIN.
        move: the move that was played.
        best: the search result for the position before the move.
        played: the search result for the played move, to the same depth; ``best`` itself if that is the best move.
        loss: what the player gave away, in the unit of the values; never less than 0.
        choices: the number of legal moves.
    """

    ply: int
    player: int
    move: int
    best: Result
    played: Result
    loss: float
    choices: int

    def mark(self, blunder: float) -> str:
        """``??`` for a blunder, ``?`` for a mistake, ``?!`` for an inaccuracy; otherwise empty."""
        return next((mark for mark, part in MARKS.items() if self.loss and self.loss >= part * blunder), "")

    def accuracy(self, blunder: float) -> float:
        """100 if nothing was lost, falling towards 0: each loss as large as a blunder halves it."""
        return float(100 * 0.5 ** (self.loss / blunder))

    def as_dict(self, line: Line) -> dict[str, Any]:
        """For JSON."""
        game, s = line.game, line.states[self.ply]
        return {
            "ply": self.ply + 1,
            "player": PLAYERS[self.player],
            "events": event_texts(line, events_before(line, self.ply)),
            "move": game.format_move(s, self.move),
            "value": self.played.value,
            "loss": self.loss,
            "choices": self.choices,
            "best": self.best.as_dict(game, s),
        }


@dataclass(frozen=True)
class Summary:
    """A player's moves that were not forced. ``accuracy`` is their mean accuracy in percent."""

    moves: int
    faultless: int
    mean_loss: float
    blunders: int
    accuracy: float


def review_game(
    engine: Engine,
    line: Line,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
) -> Iterator[ReviewedMove]:
    """Judge each move of the line, one after another. The limits apply to each of the one or two searches per move."""
    for ply in range(len(line)):
        if is_a_choice(line, ply):
            yield review_move(engine, line, ply, depth=depth, seconds=seconds, nodes=nodes)


def is_a_choice(line: Line, ply: int) -> bool:
    """Whether a player made the move at this index: not if it is a chance event, or if the line ends here."""
    return ply < len(line) and line.game.to_move(line.states[ply]) != CHANCE


def review_move(
    engine: Engine,
    line: Line,
    ply: int,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    stop: Stop | None = None,
) -> ReviewedMove:
    """Judge the move at one index of the line. If ``stop`` cut the search short, the result is unreliable."""
    game, s, move = engine.game, line.states[ply], line.moves[ply]
    here = line.back(len(line) - ply)
    best = played = engine.search(here, depth=depth, seconds=seconds, nodes=nodes, stop=stop)
    if move != best.move:
        # Search to the depth of the best move. But if a quick win settled that search, its depth is too small for a
        # slower win.
        again = depth if best.is_settled else max(best.depth, 1)
        played = engine.search(here, depth=again, seconds=seconds, nodes=nodes, moves=[move], stop=stop)
    player = int(game.to_move(s))
    sign = 1 if player == MAX else -1
    limit = None if game.scored else DECIDED * engine.unit
    loss = sign * (_limited(best.value, limit) - _limited(played.value, limit))
    return ReviewedMove(ply, player, move, best, played, max(loss, 0), len(game.legal_moves(s)))


def _limited(value: float, limit: int | None) -> float:
    return value if limit is None else max(-limit, min(value, limit))


def blunder_of(game: Game, unit: int) -> float:
    """The smallest loss that counts as a blunder: in chess a pawn, in backgammon 0.08 points."""
    if game.has("chances"):
        return BLUNDER_WITH_CHANCE
    return BLUNDER_IN_POINTS if game.scored else unit


def summary(reviewed: Sequence[ReviewedMove], blunder: float) -> dict[int, Summary]:
    """A summary of these moves for MAX and for MIN."""
    found = {}
    for player in (MAX, MIN):
        chosen = [one for one in reviewed if one.player == player and one.choices > 1]
        count = max(1, len(chosen))
        found[player] = Summary(
            len(chosen),
            sum(not one.loss for one in chosen),
            sum(one.loss for one in chosen) / count,
            sum(one.loss >= blunder for one in chosen),
            round(sum(one.accuracy(blunder) for one in chosen) / count, 1) if chosen else 100.0,
        )
    return found


def events_before(line: Line, ply: int) -> range:
    """The indices of the chance events immediately before a move, such as the roll of the dice."""
    first = ply
    while first and line.game.to_move(line.states[first - 1]) == CHANCE:
        first -= 1
    return range(first, ply)


def event_texts(line: Line, events: range) -> list[str]:
    """Events in the game's notation."""
    return [line.game.format_move(line.states[place], line.moves[place]) for place in events]
