"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zerosum.game import WIN, Game

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_WIN = 4096
"""Wins are found within so many plies: values beyond ``WIN - LONGEST_WIN`` are wins, all below are guesses."""


@dataclass(frozen=True)
class Result:
    """A move, what it is worth, and how that is known.

    Attributes:
        move: the best move; None where the game is over.
        value: for MAX. A win in n plies is ``WIN - n``; scored games have plain values.
        outcome: 1 (MAX wins), 0 (draw) or -1 (MIN wins) where that is certain, else None.
        distance: plies to the end of the game along a proven win or loss, else None.
        proven: no horizon, reduction or repetition cut had a part in the value.
        pv: the line both sides are expected to play, from ``move`` on.
        depth: moves looked ahead.
        nodes: positions visited.
        seconds: time taken.
        lines: with ``multipv``, the best lines, best first; else this result's own line alone.
    """

    move: int | None
    value: int
    outcome: int | None
    distance: int | None
    proven: bool
    pv: tuple[int, ...]
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Result, ...] = ()

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def in_words(self) -> str:
        """The value as a person would say it.

        >>> Result(3, WIN - 5, 1, 5, True, (3,), 5, 100, 0.1).in_words()
        'MAX wins in 5 plies'
        """
        if self.distance is not None and self.outcome:
            plies = f"{self.distance} {'ply' if self.distance == 1 else 'plies'}"
            return f"{'MAX' if self.outcome > 0 else 'MIN'} wins{f' in {plies}' if self.distance else ''}"
        if self.proven and self.value == 0:
            return "a draw"
        if self.proven:
            return f"{'MAX' if self.value > 0 else 'MIN'} wins by {abs(self.value)}"
        return f"{self.value:+d}" if self.value else "even"

    def as_dict(self, game: Game, s: Any) -> dict[str, Any]:
        """For JSON: moves as people write them, counted from ``s``."""
        pv = list(self.pv_texts(game, s))
        found: dict[str, Any] = {
            "move": pv[0] if pv else None,
            "value": self.value,
            "outcome": self.outcome,
            "distance": self.distance,
            "proven": self.proven,
            "pv": pv,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
        if len(self.lines) > 1:
            found["lines"] = [line.as_dict(game, s) for line in self.lines]
        return found

    def pv_texts(self, game: Game, s: Any) -> Iterator[str]:
        """The expected line as people write it, from ``s``."""
        for move in self.pv:
            yield game.format_move(s, move)
            s = game.play(s, move)
