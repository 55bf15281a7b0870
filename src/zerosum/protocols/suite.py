"""Test suites: positions whose best move is known, and what the engine plays there."""

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
    """What came of one position: ``found_after`` are the seconds after which the right move stayed the answer."""

    epd: Epd
    result: Result
    solved: bool
    found_after: float | None

    def found(self, game: Game) -> str:
        """The move that was played, as people write it."""
        if self.result.move is None:
            return "no move"
        return game.format_move(self.epd.state, self.result.move)

    def wanted(self, game: Game) -> str:
        """What would have been right, in words."""
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
        """For JSON."""
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
    """Whether an answer is what the line asks for: one of the best moves, none of the bad ones, mate in time."""
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
    """Search one position, knowing nothing from those before."""
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
