"""A strategy: one move in each position where the claim's player is to move, whatever the other player does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from zerosum.certificates.claims import Claim, Rows, leaf_fault
from zerosum.certificates.file import IN_DATABASE, NO_MOVE
from zerosum.certifying.known import Known
from zerosum.certifying.ranks import longest_ways
from zerosum.engine import Engine
from zerosum.errors import CertificateError, OutsideDatabase
from zerosum.game import WIN
from zerosum.search.algorithm import Question

AT_ONCE = 512
"""Number of positions to expand together."""

OnPositions = Callable[[int, int], None]
"""Called with the number of positions done, and the number waiting."""


class CycleFound(Exception):
    """The moves of a strategy can lead back to the same position, so they do not prove that the game ends."""


class Strategy:
    """The positions that can arise from a start where the claim holds, if the player follows the chosen moves.

    Positions that the engine's endgame database settles are not expanded.

    Args:
        engine: finds the moves; it should have solved the start before.
        claim: what to prove.
        start: the State.
        plies: win as soon as possible, within this number of plies from the start; 0: any move that keeps the claim.
    """

    def __init__(
        self, engine: Engine, claim: Claim, start: Any, plies: int = 0, on_positions: OnPositions | None = None
    ) -> None:
        import numpy as np

        self.engine, self.game, self.claim, self.plies = engine, engine.game, claim, plies
        self.is_ranked = not claim.is_safe(self.game)
        self.rows = Rows(self.game)
        self.known = Known(self.rows.size)
        self.moves: list[Any] = []
        self._least: list[Any] = []  # a lower bound for each rank
        # The two ends of each move. 32 bits are enough: more positions would not fit in memory anyway.
        self._parents: list[Any] = [np.empty(0, np.int32)]
        self._children: list[Any] = [np.empty(0, np.int32)]
        self._identities: list[Any] = []
        self._has_identities = self.is_ranked and self.game.repetition > 0 and self.game.has("key")
        if not self.game.is_over(start):
            self._gather(start, on_positions or (lambda done, waiting: None))

    def _gather(self, start: Any, on_positions: OnPositions) -> None:
        """Expand all positions, breadth first."""
        first = self.known.array([self.rows.row(start)])
        self.known.add(first)
        waiting = deque([(first, 0)])
        done = 0
        while waiting:
            rows, ply = waiting.popleft()
            new = self._expand(rows[:AT_ONCE], done, ply)
            done += min(len(rows), AT_ONCE)
            if len(rows) > AT_ONCE:
                waiting.appendleft((rows[AT_ONCE:], ply))
            if len(new):
                waiting.append((new, ply + 1))
            on_positions(done, self.known.count - done)

    def _expand(self, rows: Any, first: int, ply: int) -> Any:
        """Choose the moves in these positions, numbered from ``first``. Returns the new positions that they lead to."""
        import numpy as np

        size, content = self.rows.size, rows.tobytes()
        states = [self.rows.state(content[at : at + size]) for at in range(0, len(content), size)]
        chosen, least = [NO_MOVE] * len(states), [1] * len(states)
        settled = self._settled(states, chosen, least)
        self._choose(states, settled, chosen, ply)
        behind: list[bytes] = []
        parents: list[int] = []
        for number, (s, move) in enumerate(zip(states, chosen, strict=True), first):
            for each in self._followed(s, move):
                row = self.rows.row(self.game.play(s, each))
                child = self.rows.state(row)
                if not self.game.is_over(child):
                    behind.append(row)
                    parents.append(number)
                elif self.claim.gain(self.game, child) < self.claim.least:
                    raise self._unproven(s)
        self.moves.append(np.array(chosen, np.uint32))
        unique, places = np.unique(self.known.array(behind), return_inverse=True)
        numbers = self.known.find(unique)
        new = unique[numbers < 0]
        numbers[numbers < 0] = self.known.add(new)
        if self.is_ranked:
            self._least.append(np.array(least, np.int32))
            self._parents.append(np.array(parents, np.int32))
            self._children.append(numbers[places.ravel()].astype(np.int32))
        if self._has_identities:
            self._identities.append(np.array([int(self.game.key(s)) & (1 << 64) - 1 for s in states], np.uint64))
        return new

    def _followed(self, s: Any, move: int) -> list[int]:
        """The moves of ``s`` that lead to positions of the strategy."""
        if move == IN_DATABASE:
            return []
        return self.game.legal_moves(s) if move == NO_MOVE else [move]

    def _settled(self, states: list[Any], chosen: list[int], least: list[int]) -> set[int]:
        """Mark the positions that the database settles, and return their places."""
        found: set[int] = set()
        database = self.engine.database
        for place, s in enumerate(states if database is not None else ()):
            assert database is not None
            try:
                outcome, distance = database.probe(s)
            except OutsideDatabase:
                continue
            if not leaf_fault(self.game, self.claim, s, outcome, distance):
                chosen[place], least[place] = IN_DATABASE, max(1, distance or 1)
                found.add(place)
        return found

    def _choose(self, states: list[Any], settled: set[int], chosen: list[int], ply: int) -> None:
        """Choose a move in each unsettled position where the player is to move."""
        player = self.claim.player
        own = [place for place, s in enumerate(states) if place not in settled and self.game.to_move(s) == player]
        if not self.plies:
            own = self._choose_known(states, own, chosen)
        least = WIN - (self.plies - ply) if self.plies else self.claim.least
        questions = [Question(states[place], least, nearest=self.plies > 0) for place in own]
        found = self.engine.keep(questions)
        if len(found) < len(questions):
            raise CertificateError("stopped before all moves were found: no certificate written")
        for place, move in zip(own, found, strict=True):
            if move is None:
                raise self._unproven(states[place])
            chosen[place] = move

    def _choose_known(self, states: list[Any], own: list[int], chosen: list[int]) -> list[int]:
        """Choose moves that end the game well enough, or lead to known positions, which keeps the strategy small.

        Returns the places of the positions that have no such move.
        """
        import numpy as np

        behind: list[bytes] = []
        ways: list[tuple[int, int]] = []
        for place in own:
            s = states[place]
            for move in self.game.legal_moves(s):
                child = self.game.play(s, move)
                if not self.game.is_over(child):
                    behind.append(self.rows.row(child))
                    ways.append((place, move))
                elif self.claim.gain(self.game, child) >= self.claim.least:
                    chosen[place] = move
                    break
        for way in np.flatnonzero(self.known.find(self.known.array(behind)) >= 0).tolist():
            place, move = ways[way]
            if chosen[place] == NO_MOVE:
                chosen[place] = move
        return [place for place in own if chosen[place] == NO_MOVE]

    def _unproven(self, s: Any) -> CertificateError:
        player = self.game.players[self.claim.player]
        position = self.game.format_state(s)
        return CertificateError(f"no move of {player} is proven in {position!r}: no certificate written")

    def entries(self) -> Any:
        """All entries as a sorted array of records; CycleFound if the moves do not prove that the game ends."""
        import numpy as np

        rows, numbers = self.known.in_order()
        found = np.empty(len(rows), [("row", self.known.kind), ("move", ">u4"), ("rank", ">u4")])
        if len(rows):
            found["row"], found["move"] = rows, np.concatenate(self.moves)[numbers]
            found["rank"] = self._ranks()[numbers] if self.is_ranked else 0
        return found

    def _ranks(self) -> Any:
        import numpy as np

        least, parents, children = (np.concatenate(part) for part in (self._least, self._parents, self._children))
        if not self._has_identities:
            ranks = longest_ways(least, parents, children)
        else:
            # Positions that count as the same one share a rank, so they are merged.
            names, same = np.unique(np.concatenate(self._identities), return_inverse=True)
            same = same.ravel()
            together = np.ones(len(names), np.int64)
            np.maximum.at(together, same, least)
            ranks = longest_ways(together, same[parents], same[children])[same]
        if not ranks.all():
            raise CycleFound
        return ranks
