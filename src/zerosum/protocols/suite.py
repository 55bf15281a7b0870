"""Test suites: positions with known best moves, and the engine's moves there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.game import MAX, Game
from zerosum.protocols.epd import Epd
from zerosum.search.result import Result

if TYPE_CHECKING:
    from zerosum.engine import Engine


@dataclass(frozen=True)
class Attempt:
    """The result for one position: ``found_after`` is the time in seconds after which the right move stayed best."""

    epd: Epd
    result: Result
    solved: bool
    found_after: float | None

    def found(self, game: Game) -> str:
        """The move played, in the game's notation."""
        if self.result.move is None:
            return "no move"
        return game.format_move(self.epd.state, self.result.move)

    def wanted(self, game: Game) -> str:
        """The right answer, in words."""
        s = self.epd.state
        parts = []
        if self.epd.best:
            parts.append(" or ".join(game.format_move(s, move) for move in self.epd.best))
        if self.epd.avoid:
            parts.append("not " + " or ".join(game.format_move(s, move) for move in self.epd.avoid))
        if self.epd.mate is not None:
            parts.append(f"mate in {self.epd.mate}")
        return ", ".join(parts)

    def as_dict(self, game: Game) -> dict[str, Any]:
        """The attempt as data for JSON."""
        return {
            "id": self.epd.name,
            "position": game.format_state(self.epd.state),
            "solved": self.solved,
            "found": self.found(game),
            "wanted": self.wanted(game),
            "found_after": None if self.found_after is None else round(self.found_after, 3),
            "depth": self.result.depth,
            "value": self.result.value,
            "nodes": self.result.nodes,
            "seconds": round(self.result.seconds, 3),
        }


def is_solved(epd: Epd, result: Result, maximising: bool) -> bool:
    """Whether a result meets the line: a best move, no move to avoid, mate in time."""
    if epd.best and result.move not in epd.best:
        return False
    if result.move is None or result.move in epd.avoid:
        return False
    if epd.mate is not None and not epd.best:
        wins = result.outcome is not None and (result.outcome > 0) == maximising and result.outcome != 0
        return wins and result.distance is not None and result.distance <= 2 * epd.mate - 1
    return True


def attempt(
    engine: Engine, epd: Epd, *, seconds: float | None = None, depth: int | None = None, nodes: int | None = None
) -> Attempt:
    """Search one position, with a cleared table."""
    engine.clear()
    maximising = engine.game.to_move(epd.state) == MAX
    since: float | None = None

    def report(result: Result) -> None:
        nonlocal since
        if not is_solved(epd, result, maximising):
            since = None
        elif since is None:
            since = result.seconds

    result = engine.search(epd.state, seconds=seconds, depth=depth, nodes=nodes, on_report=report)
    solved = is_solved(epd, result, maximising)
    if solved and since is None:
        since = result.seconds
    return Attempt(epd, result, solved, since if solved else None)
