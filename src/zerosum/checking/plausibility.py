"""What is legal but surely unintended: a player who never moves, results that are always 0, games that never end."""

from __future__ import annotations

from typing import Any

from zerosum.checking.report import CheckLog, Played
from zerosum.game import CHANCE, MAX, MIN, Game

ENOUGH = 20
"""The number of positions, or games, that it takes for a statement about all of them."""

WASTE = 16
"""A max_moves that exceeds the most moves of any position by this factor is far too large, unless both are small."""

SPARE = 256


class Plausibility:
    """Judges all random games together."""

    def __init__(self, game: Game, log: CheckLog) -> None:
        self.game = game
        self.log = log
        self.movers: set[int] = set()
        self.plies = 0
        self.most = 0
        self.results: list[float] = []
        self.changed: set[str] = set()  # fields that some move has changed
        self.choices = 0  # positions with several moves
        self.same = 0  # those of them in which all tested moves led to the same State

    def position(self, player: int, moves: list[int]) -> None:
        if player != CHANCE and moves:
            self.movers.add(player)
            self.plies += 1
            self.most = max(self.most, len(moves))

    def moved(self, s: Any, player: int, afters: list[Any]) -> None:
        """Record the States that moves of one position have led to."""
        if player == CHANCE:
            return
        for after in afters:
            self.changed |= {f for f, x, y in zip(s._fields, s, after, strict=True) if x != y}
        if len(afters) > 1:
            self.choices += 1
            self.same += all(after == afters[0] for after in afters)

    def ended(self, value: float) -> None:
        self.results.append(value)

    def judge(self, played: list[Played], repeat: str) -> None:
        """Warn of anything odd about all games, if no law is broken."""
        if any(not finding.warning for finding in self.log.findings):
            return
        for law, message in (*self._players(), *self._moves(), *self._ends(played)):
            self.log.fault(law, message, repeat=repeat, warning=True)

    def _players(self) -> list[tuple[str, str]]:
        if self.plies < ENOUGH or len(self.movers) != 1:
            return []
        (only,) = self.movers
        idle, name = self.game.players[MAX + MIN - only], self.game.players[only]
        return [
            (
                "to_move",
                f"{idle} never moves, {name} made all {self.plies:,} moves: does play pass the turn on, as in "
                "turn=1 - s.turn?",
            )
        ]

    def _moves(self) -> list[tuple[str, str]]:
        found = []
        if self.choices >= ENOUGH and self.same == self.choices:
            found.append(("play", "all moves of a position lead to the same State: does play use the move?"))
        elif self.plies >= ENOUGH and len(self.changed) == 1 and self.game.state_type.size > 1:
            (only,) = self.changed
            if all(word == only for word in self.changed & set(_turns(self.game))):
                found.append(("play", f"moves change nothing but {only}: where is the move itself recorded?"))
        most = self.game.max_moves
        if self.plies >= ENOUGH and most > WASTE * self.most and most - self.most > SPARE:
            found.append(
                (
                    "moves",
                    f"max_moves is {most:,}, but no position had more than {self.most}: every search reserves that "
                    f"much memory; {4 * self.most} would be ample",
                )
            )
        return found

    def _ends(self, played: list[Played]) -> list[tuple[str, str]]:
        if len(self.results) >= ENOUGH and not any(self.results):
            return [("utility", f"is 0 at the end of all {len(self.results):,} random games: is every game a draw?")]
        whole = [one for one in played if one.states]
        if len(whole) >= 3 and not any(one.ended for one in whole):
            # One finding replaces those of single games.
            self.log.findings = [finding for finding in self.log.findings if finding.rule != "length"]
            return [
                (
                    "length",
                    f"none of {len(whole):,} random games has ended: a game is over when is_terminal(s) is true, or "
                    "when moves(s) yields nothing",
                )
            ]
        return []


def _turns(game: Game) -> list[str]:
    """The fields that are equal to the player to move at the start: one of them is the turn."""
    try:
        s = game.start()
        return [field for field, value in zip(s._fields, s, strict=True) if value == game.to_move(s)]
    except Exception:  # faults of these rules are reported elsewhere
        return []
