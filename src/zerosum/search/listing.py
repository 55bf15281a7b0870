"""The moves of one position as kernels see them: generators are compiled in a form of their own."""

from __future__ import annotations

from typing import Any

from zerosum.game import Game
from zerosum.jit.kernel import Kernel, Memory
from zerosum.jit.rules import ERROR, Layout, Rules

NOISY = 4
assert NOISY > ERROR


def build(rules: Rules):  # type: ignore[no-untyped-def]
    moves, noisy_moves, unpack = rules.moves, rules.noisy_moves, rules.unpack
    state, first, end = rules.at.state, rules.at.free, rules.at.free + rules.max_moves

    def entry(mem):  # type: ignore[no-untyped-def]
        """Fill ``mem[first:end]``; how many there are, negative where a generator breaks the contract."""
        s = unpack(mem, state)
        if mem[NOISY]:
            return noisy_moves(s, mem, first, end)
        return moves(s, mem, first, end)

    return entry


LISTING = Kernel("listing", ("moves", "noisy_moves"), build)


class Listing:
    """``Listing(game)("moves", s)`` is the list of moves that a compiled search finds in ``s``."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = LISTING.of(game)
        self.at = Layout(game)
        self.memory = Memory(game, self.at.free + game.max_moves)

    def __call__(self, rule: str, s: Any) -> list[int]:
        row, at = self.memory.row, self.at
        self.memory.put_state(s)
        row[NOISY] = int(rule == "noisy_moves")
        count = self.kernel(self.memory)
        if count < 0:
            row[ERROR] = count
            row[at.culprit : at.culprit + self.game.state_type.size] = self.game.state_type.words(s)
            self.memory.raise_error()
        return [int(move) for move in row[at.free : at.free + count]]
