"""Compare the game's knowledge (``bounds``, ``ending``, ``canonical`` and ``key``) with exact values.

Near the end of a game plain Python finds exact values by exhaustive search. Further away the engine finds them,
with searches that differ in only one technique.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from zerosum.checking.report import LAWS, CheckLog, Played
from zerosum.classroom.interval_minimax import Interval, IntervalMinimax
from zerosum.game import WIN, Game
from zerosum.search.values import WON, bound_values

if TYPE_CHECKING:
    from zerosum.engine import Engine
    from zerosum.search.result import Result

PLAIN_NODES = 400
"""The most States that plain Python visits below one position."""

SEARCH_NODES = {True: 60_000, False: 800}
"""The most positions that one search visits, compiled and not."""

MOST_SEARCHES = {True: 300, False: 60}
"""The most positions from which searches are compared."""

FARTHEST = 14
"""Searches begin at most this many plies before the end of a random game."""

ROUNDING = 1e-9

LARGEST = 2**31
"""A number larger than every value."""

OWN = "the game's own options"


class NearTheEnd:
    """Exact values of the last positions of random games, and of all positions below them."""

    def __init__(self, game: Game, log: CheckLog) -> None:
        self.game, self.log = game, log
        self.intervals = IntervalMinimax(game, self._seen)
        self.is_needed = any(map(game.has, ("bounds", "canonical", "ending")))

    def look(self, played: list[Played], deadline: float) -> None:
        """Go back from the end of each game as far as an exhaustive search is possible."""
        for one in played:
            if self.is_needed and one.ended:
                self.log.seed = one.seed
                self._look(one, deadline)

    def _look(self, played: Played, deadline: float) -> None:
        for ply in range(len(played.states) - 1, -1, -1):
            if time.perf_counter() > deadline:
                return
            s, moves = played.states[ply], tuple(played.moves[:ply])
            try:
                interval = self.intervals.interval(s, PLAIN_NODES, moves)
                ran_out = self.intervals.ran_out
                self._compare_bounds(s, moves, interval)
                self._compare_image(s, moves, interval)
            except Exception as problem:
                self.log.crash(problem, "play", s, moves)
                return
            if ran_out:
                return

    def _seen(self, s: Any, moves: tuple[int, ...], interval: Interval) -> None:
        if self.game.has("bounds"):
            self._compare_bounds(s, moves, interval)
        if self.game.has("ending"):
            self._compare_ending(s, moves, interval[0])

    def _compare_ending(self, s: Any, moves: tuple[int, ...], value: float) -> None:
        game = self.game
        if game.terminal_test(s) or not game.is_ending(s) or not self.log.wants("ending"):
            return
        for low, high in _windows(int(value)):
            found = game.ending(s, low, high)
            if not is_fail_soft(found, value, low, high):
                message = f"is {found} within ({low}, {high}); the value is {in_words(game, value, value)}"
                self.log.fault("ending", message, s, moves)
                return

    def _compare_bounds(self, s: Any, moves: tuple[int, ...], interval: Interval) -> None:
        game = self.game
        if not game.has("bounds") or game.terminal_test(s) or not self.log.wants("bounds"):
            return  # a search calls bounds only before the game is over
        lie = wrong_bounds(game, s, interval)
        if lie:
            self.log.fault("bounds", lie, s, moves)

    def _compare_image(self, s: Any, moves: tuple[int, ...], interval: Interval) -> None:
        game = self.game
        if not game.has("canonical") or game.terminal_test(s) or not self.log.wants("canonical"):
            return
        image = game.state(game.canonical(s))
        if game.has("clock") and game.clock(image) != game.clock(s):
            return  # its value may rightly differ
        theirs = self.intervals.interval(image, PLAIN_NODES, moves)
        if interval[0] > theirs[1] + ROUNDING or interval[1] < theirs[0] - ROUNDING:
            self.log.fault(
                "canonical",
                f"the value is {in_words(game, *interval)}, but that of the image {self.log.text(image)} is"
                f" {in_words(game, *theirs)}",
                s,
                moves,
            )


def _windows(value: int) -> Iterator[tuple[int, int]]:
    """Windows around a value, and on both sides of it."""
    for low, high in ((-LARGEST, LARGEST), (-1, 1), (-1, 0), (0, 1), (1, 2), (-2, -1), (3, 9), (-9, -3)):
        yield value + low, value + high


def is_fail_soft(found: float, value: float, low: float, high: float) -> bool:
    """Whether ``found`` is a correct result for a window: the value, or a bound for it on its side of the window."""
    if found <= low:
        return value <= found
    return value >= found if found >= high else value == found


def wrong_bounds(game: Game, s: Any, interval: Interval) -> str:
    """What is wrong with the bounds of ``s``, whose exact value is in ``interval``; '' if nothing is."""
    given = game.bounds(s)
    lowest, highest = bound_values(game.scored)
    low, high = lowest(given[0], 0), highest(given[1], 0)
    if low > interval[1] + ROUNDING or high < interval[0] - ROUNDING:
        pair = f"({given[0]}, {given[1]})"
        return f"are {pair}, which means {in_words(game, low, high)}; the value is {in_words(game, *interval)}"
    return ""


def in_words(game: Game, low: float, high: float) -> str:
    """An exact value, or the range that it may lie in, in words."""
    if low != high:
        least, most = in_words(game, low, low), in_words(game, high, high)
        return least if least == most else f"from {least} to {most}"
    if game.scored or abs(low) < WON:
        return f"{low:g}" if game.scored or low else "a draw"
    outcome = f"a {'win' if low > 0 else 'loss'} for MAX"
    # The ends of the range stand for wins of unknown distance.
    return outcome if abs(low) in (WON, WIN) else f"{outcome} in {WIN - abs(int(low))}"


class Techniques:
    """Compare searches that use one technique with the same search without it, until one differs.

    Tables are kept from one position to the next: many faults of a key, or of the rules for using a table,
    show only if the table was filled from other positions.
    """

    def __init__(self, game: Game, log: CheckLog, jit: bool) -> None:
        from zerosum.engine import Engine
        from zerosum.search.options import GUESSES

        self.game, self.log = game, log
        self.nodes, self.most = SEARCH_NODES[jit], MOST_SEARCHES[jit]
        off = ("table", "hash_move", "aspiration", "symmetry", "bounds", "endings", *GUESSES)
        plain = dict.fromkeys(off, False)
        # Without pvs, which would search again, with an open window, whatever the table says is better.
        table = {**plain, "table": True, "hash_move": True, "pvs": False}
        variants = [("table", "key" if game.has("key") else "search", table)]
        if game.has("bounds") and not game.has("chances"):
            variants.append(("bounds", "bounds", {**plain, "bounds": True}))
        if game.has("ending"):
            variants.append(("endings", "ending", {**plain, "endings": True}))
        if game.has("canonical") and not game.repetition:
            variants.append(("symmetry", "canonical", {**table, "symmetry": True}))
        variants.append((OWN, "search", dict[str, bool]()))
        self.reference = Engine(game, plain, hash_mb=1, jit=jit)
        self.variants = [(name, law, Engine(game, options, hash_mb=1, jit=jit)) for name, law, options in variants]
        self.reference.prepare()

    def compare(self, played: list[Played], deadline: float) -> None:
        """Compare searches from positions of each game in turn."""
        self.log.notes["search"] = "nothing could be proven"
        self.games = f"--seed {played[0].seed} --games {len(played)}" if played else ""
        for game, ply in islice(_positions(played), self.most):
            if time.perf_counter() > deadline:
                return
            s, moves = game.states[ply], game.moves[:ply]
            self.log.seed = game.seed
            try:
                self._compare(s, moves)
            except Exception as problem:
                self.log.crash(problem, "search", s, moves)
                return

    def _compare(self, s: Any, moves: list[int]) -> None:
        exact = self._search(self.reference, s)
        if exact is None or not exact.exact:
            return
        self.log.wants("search")
        self.log.notes.pop("search", None)
        for name, law, engine in self.variants:
            # If a law is already broken, the game's own options would only repeat it.
            if (name == OWN and self.log.is_broken(*LAWS)) or not self.log.wants(law):
                continue
            used = self._differs(engine, s, exact)
            if used:
                if self._differs_alone(engine, s, exact):
                    self._pin_down(name, law, engine, s, moves)
                else:
                    message = f"a search with {name}, after others in the same table, says {used}"
                    self.log.fault(law, message, s, moves, repeat=self.games)

    def _search(self, engine: Engine, s: Any) -> Result | None:
        """The proven result, or None."""
        result = engine.search(s, nodes=self.nodes)
        return result if result.proven else None

    def _differs(self, engine: Engine, s: Any, exact: Result | None) -> str:
        """What the two searches say, or '' if they agree or prove nothing."""
        found = self._search(engine, s)
        if found is None or exact is None or not self._contradict(found, exact):
            return ""
        return f"{found.in_words()}, without it {exact.in_words()}"

    def _contradict(self, found: Result, exact: Result) -> bool:
        if found.exact or self.game.scored:
            return abs(found.value - exact.value) > ROUNDING
        # The winner is certain, and the distance is an upper bound.
        return found.outcome != exact.outcome or (found.distance or 0) < (exact.distance or 0)

    def _differs_alone(self, engine: Engine, s: Any, exact: Result | None) -> str:
        """``_differs`` with an empty table."""
        engine.clear()
        return self._differs(engine, s, exact)

    def _pin_down(self, name: str, law: str, engine: Engine, s: Any, moves: list[int]) -> None:
        """Follow the difference down to the last position that shows it."""
        game = self.game
        while True:
            for move in game.legal_moves(s):
                after = game.successor(s, move)
                if self._differs_alone(engine, after, self._search(self.reference, after)):
                    s, moves = after, [*moves, move]
                    break
            else:
                break
        exact = self._search(self.reference, s)
        lie = wrong_bounds(game, s, (exact.value, exact.value)) if exact and law == "bounds" else ""
        self.log.fault(law, lie or f"a search with {name} says {self._differs_alone(engine, s, exact)}", s, moves)


def _positions(played: list[Played]) -> Iterator[tuple[Played, int]]:
    """Some positions before the end of each finished game; which ones does not depend on the other games."""
    orders = []
    for game in played:
        if game.ended and len(game.moves) > 1:
            plies = [len(game.moves) - n for n in range(1, min(FARTHEST, len(game.moves)) + 1)]
            random.Random(game.seed).shuffle(plies)
            orders.append((game, plies))
    for turn in range(FARTHEST):
        for game, plies in orders:
            if turn < len(plies):
                yield game, plies[turn]
