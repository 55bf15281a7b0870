"""Players that do not search: random moves, or a person at the terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from zerosum.arena.player import Answer, Player, Stopped
from zerosum.arena.time_control import Budget
from zerosum.errors import MoveError
from zerosum.game import MAX, Line


class RandomPlayer(Player):
    """Plays random legal moves, which depend only on the seed of the match."""

    _chance = random.Random(0)

    def begin(self, line: Line, seed: str) -> None:
        self._chance = random.Random(seed)

    def choose(self, line: Line, budget: Budget) -> Answer:
        return Answer(self._chance.choice(line.game.legal_moves(line.state)))


class PersonPlayer(Player):
    """Asks for moves with ``ask(prompt)``, by default at the terminal; a person's clock does not run."""

    def __init__(
        self, name: str, ask: Callable[[str], str] | None = None, tell: Callable[[str], object] | None = None
    ) -> None:
        super().__init__(name)
        self.ask, self.tell = ask or input, tell or print

    def choose(self, line: Line, budget: Budget) -> Answer:
        game, s = line.game, line.state
        self.tell(game.show(s))
        if line.moves:
            self.tell(f"last move: {game.format_move(line.states[-2], line.moves[-1])}")
        side = "MAX" if game.to_move(s) == MAX else "MIN"
        while True:
            try:
                text = self.ask(f"{self.name} ({side}), your move, or 'resign' or 'quit': ").strip()
            except EOFError:
                raise Stopped from None
            if text == "quit":
                raise Stopped
            if text == "resign":
                return Answer(None, seconds=0.0)
            if not sys.stdin.isatty():
                self.tell(text)  # a pipe has no echo
            try:
                return Answer(game.parse_move(s, text), seconds=0.0)
            except MoveError as problem:
                self.tell(str(problem))
