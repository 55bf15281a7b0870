"""The memory of a kernel: one row of words, which it does not share."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from zerosum.errors import GameError
from zerosum.game import CHANCE, MAX, MIN, Game
from zerosum.jit.plan import COMMON, ERROR, HALT, LINE, STOP, Plan, Words
from zerosum.jit.target import CPU, GPU, Target
from zerosum.jit.yields import NO_FEATURE, OUT_OF_RANGE, TOO_MANY
from zerosum.jit.zeros import zeros

NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Memory:
    """The row of words that a kernel works on: an array for compiled kernels, a list for plain ones.

    A list, because its items are Python integers: NumPy's would overflow with warnings. The kernel's words are
    attributes: ``memory.depth = 5``. ``problems`` are the messages of the kernel's own error codes.
    """

    def __init__(
        self,
        game: Game,
        plan: Plan,
        words: Words = COMMON,
        target: Target = CPU,
        problems: Mapping[int, str] = NOTHING,
        room: int = 0,
    ) -> None:
        """``room``: additional words after all regions."""
        self.game, self.at, self.problems = game, plan, problems
        count = (plan.head if target is GPU else plan.words) + room
        self.row: Any
        if target.is_compiled:
            complaint = f"{game.name}: not enough memory for a search: it needs {8 * count >> 20} MB for each thread"
            row = zeros(count + LINE - 1, complaint)
            first = -(row.ctypes.data // 8) % LINE  # aligned to a cache line, so that the regions are too
            self.row = row[first : first + count]
            self.address = self.row.ctypes.data
            self._put_tables(target)
        else:
            self.row = [0] * count
        self._place = words.place

    def _put_tables(self, target: Target) -> None:
        """Enter the tables' addresses; a card needs copies of them, and of this memory, as its threads' initial one."""
        arrays: list[Any] = []
        if self.game.tables is not None:
            from zerosum.jit.tables import check_tables

            arrays = check_tables(self.game.name, self.game.tables)
        if target is not GPU:
            addresses = [array.ctypes.data for array in arrays]
        else:
            from zerosum.jit.gpu.card import Buffer

            self.there = Buffer(self.row.nbytes)
            self.copies = [Buffer(array.nbytes) for array in arrays]
            for copy, array in zip(self.copies, arrays, strict=True):
                copy.put(array)
            addresses = [copy.address for copy in self.copies]
        for i, address in enumerate(addresses):
            self.row[self.at.tables + i] = address

    def __getattr__(self, name: str) -> int:
        return int(self.row[self._place_of(name)])

    def __setattr__(self, name: str, value: Any) -> None:
        if "_place" in self.__dict__ and not name.startswith("_"):
            self.row[self._place_of(name)] = value
        else:  # in __init__
            object.__setattr__(self, name, value)

    def _place_of(self, name: str) -> int:
        words: Mapping[str, int] = self.__dict__.get("_place", NOTHING)
        if name not in words:
            raise AttributeError(f"this memory has no word {name!r}; its words are {', '.join(words)}")
        return words[name]

    def stop_now(self) -> None:
        """Make the kernel end soon; callable from any thread."""
        self.row[HALT] = 1  # first: see HALT
        self.row[STOP] = 1

    def region(self, name: str, count: int) -> list[int]:
        """The first numbers of a region of words, as Python integers."""
        words = self.row[self.at[name] : self.at[name] + count]
        return words if isinstance(words, list) else words.tolist()

    def put_state(self, s: Any) -> None:
        words = self.game.state_type.words(s)
        self.row[self.at.state : self.at.state + len(words)] = words

    def faulty_state(self) -> Any:
        """The position in which a rule went wrong."""
        words = self.row[self.at.faulty_state : self.at.faulty_state + self.game.state_type.size]
        return self.game.state_type.from_words([int(w) for w in words])

    def raise_error(self) -> None:
        """Raise the GameError that a kernel reported, by calling the plain rule again in the same state."""
        code = int(self.row[ERROR])
        if not code:
            return
        if code in self.problems:
            raise GameError(f"{self.game.name}: {self.problems[code]}")
        s = self.faulty_state()
        if code == NO_FEATURE:
            for player in (MAX, MIN):
                self.game.checked_active(s, player)
            self.game.checked_phase(s)
            raise GameError(f"{self.game.name}: in {s!r}, active yields other features compiled than in plain Python")
        rule, limit = call_again(self.game, s)
        what = {TOO_MANY: f"more than {limit}", OUT_OF_RANGE: "a number outside 0 to 2**31 - 1"}.get(
            code, "probabilities that are not positive or do not add up to 1"
        )
        raise GameError(f"{self.game.name}: compiled, {rule} yields {what} in {s!r}, but not in plain Python")


def call_again(game: Game, s: Any) -> tuple[str, str]:
    """Raise the GameError of the plain rule that breaks the contract in ``s``; if none does, the rule that would be
    at fault, and its limit in words."""
    if game.has("chances") and game.to_move(s) == CHANCE:
        game.checked_chances(s)
        return "chances", "max_chances outcomes"
    for generator in ("moves", "noisy_moves"):
        if game.has(generator):
            game.checked_moves(generator, s)
    return "moves", "max_moves moves"
