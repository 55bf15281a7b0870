"""The facade that everyone uses: an engine for one game.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> Engine(game, hash_mb=1).search(game.initial()).in_words()
'a draw'
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from zerosum.errors import GameError, LimitError
from zerosum.game import CHANCE, Game, Line
from zerosum.jit.kernel import Memory
from zerosum.jit.rules import STOP, Layout
from zerosum.search.alphabeta import ALPHABETA
from zerosum.search.background import in_background
from zerosum.search.deepening import Deepening, Report, finished_result
from zerosum.search.limits import Limits, check_depth, check_hash, check_threads
from zerosum.search.minimax import MINIMAX
from zerosum.search.options import SOUND, UNSOUND, SearchOptions
from zerosum.search.perft import DEPTH as PERFT_DEPTH
from zerosum.search.perft import PERFT
from zerosum.search.result import Result
from zerosum.search.solving import solve_by_bisection
from zerosum.search.table import Table
from zerosum.search.worker import Worker

__all__ = ["Engine", "divide", "minimax", "perft"]


class Engine:
    """Searches positions of one game; what it learns stays in its table for the next search.

    Args:
        game: the game to play.
        options: which techniques to use, as SearchOptions or by name (``{"table": False}``); by default
            the sound ones and what the game's advice says.
        threads: how many processors to use. With one, equal searches give equal results.
        hash_mb: megabytes for the transposition table.
        jit: False runs the same search uncompiled, so that a debugger can step through the rules.
    """

    def __init__(
        self,
        game: Game,
        options: SearchOptions | Mapping[str, Any] | None = None,
        *,
        threads: int = 1,
        hash_mb: float = 64,
        jit: bool = True,
    ) -> None:
        self.game = game
        if isinstance(options, SearchOptions):
            self.options = options.for_game(game)
        else:
            self.options = SearchOptions.advised(game, options)
        self.threads = check_threads(threads)
        # Numba's own switch for debugging means the same as ours.
        self.jit = jit and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
        game.start()  # a broken game is reported now, in plain Python, not from inside a kernel
        self._table = Table(check_hash(hash_mb), self.jit)
        self._workers: list[Worker] = []
        self._age = 0

    def prepare(self) -> None:
        """Compile or load the kernels now instead of at the first search."""
        if self.game.has("chances"):
            raise GameError(f"{self.game.name} has chance in it: use expectiminimax")
        while len(self._workers) < self.threads:
            self._workers.append(Worker(self.game, ALPHABETA, self.options, self.jit))

    def clear(self) -> None:
        """Forget everything learned."""
        self._table.clear()
        self._age = 0

    def stop(self) -> None:
        """Make a running search return the best it has found; callable from any thread."""
        for worker in self._workers:
            worker.stop()

    def search(
        self,
        position: Any,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        multipv: int = 1,
        on_report: Report | None = None,
    ) -> Result:
        """The best move of a State or Line, by iterative deepening until a limit is reached or all is proven.

        ``on_report`` is called after every finished depth, ``multipv`` asks for so many best lines. There is
        always an answer, however short the time.
        """
        started = time.perf_counter()
        limits = Limits(depth, seconds, nodes)
        if not isinstance(multipv, int) or multipv < 1:
            raise LimitError(f"multipv must be a whole number of at least 1, not {multipv!r}")
        position, s = _position(self.game, position)
        moves = self.game.legal_moves(s)
        if not moves:
            return finished_result(self.game, s)
        self._begin(position, self.options, limits.nodes)
        searches = [
            # Half of the helpers run one depth ahead: what they leave in the table serves the others.
            Deepening(worker, list(moves), limits, self.options, multipv, 1 + number % 2, started)
            for number, worker in enumerate(self._workers)
        ]

        def work(report: Report) -> Result:
            searches[0].run(lambda result: report(self._all_nodes(result)))
            self.stop()
            # Every thread's answer counts: the deepest, or else the first thread's.
            return self._all_nodes(max((search.best for search in searches), key=lambda r: (r.proven, r.depth)))

        def helper(search: Deepening) -> Callable[[], None]:
            def run() -> None:
                search.run(lambda result: None)
                if search.best.proven:
                    self.stop()

            return run

        left = None if seconds is None else max(0.0, started + seconds - time.perf_counter())
        return in_background(work, self.stop, left, on_report, tuple(helper(s) for s in searches[1:]))  # type: ignore[no-any-return]

    def solve(self, position: Any, *, seconds: float | None = None) -> Result:
        """The exact value of a position: who wins and when, or by how much, and a line that shows it.

        Without a limit it goes on until it knows; stopped before, ``proven`` is False.

        >>> from zerosum.games import load
        >>> game = load("connect-four", width=4, height=4)
        >>> Engine(game).solve(game.initial()).in_words()
        'a draw'
        """
        Limits(seconds=seconds)
        return next(iter(self.solve_many([position], seconds=seconds)))

    def solve_many(self, positions: Iterable[Any], *, seconds: float | None = None) -> Iterator[Result]:
        """Solve one position after the other, each within ``seconds``; the table serves them all."""
        for position in positions:
            position, s = _position(self.game, position)
            moves = self.game.legal_moves(s)
            if not moves:
                yield finished_result(self.game, s)
                continue
            self._begin(position, solving_options(self.game, self.options), None)
            helpers = tuple(self._solver(worker, s, moves) for worker in self._workers[1:])
            first = self._workers[0]

            def work(report: Report, first: Worker = first, s: Any = s, moves: list[int] = moves) -> Result:
                result = solve_by_bisection(first, s, list(moves))
                return self._all_nodes(result)

            yield in_background(work, self.stop, seconds, None, helpers)

    def _solver(self, worker: Worker, s: Any, moves: list[int]) -> Callable[[], None]:
        return lambda: _ignore(solve_by_bisection(worker, s, list(moves)))

    def _begin(self, position: Any, options: SearchOptions, nodes: int | None) -> None:
        self.prepare()
        share = None if nodes is None else -(-nodes // self.threads)
        for worker in self._workers:
            worker.use(options)
            worker.begin(position, self._table, self._age, share)
        self._age = (self._age + 1) % 128 or 1  # 0 is a new engine's

    def _all_nodes(self, result: Result) -> Result:
        return replace(result, nodes=sum(worker.nodes for worker in self._workers))


def solving_options(game: Game, options: SearchOptions) -> SearchOptions:
    """The techniques for solving: sound ones as chosen, ``bounds`` if the game has them, nothing that guesses."""
    guesses = dict.fromkeys((*UNSOUND, "exact_draft"), False)
    return replace(options, **{**guesses, "bounds": game.has("bounds")})


def _ignore(result: object) -> None:
    """A helper's result: it lies in the table."""


def _position(game: Game, position: Any) -> tuple[Any, Any]:
    """A State or Line of this game, checked, and its state."""
    if isinstance(position, Line):
        if position.game.name != game.name:
            raise GameError(f"the line is one of {position.game.name}, not of {game.name}")
        s = position.state
    else:
        s = position = game.state(position)
    if game.to_move(s) == CHANCE and not game.is_terminal_(s):
        raise GameError(f"{game.name}: in {s!r} chance moves, not a player")
    return position, s


def minimax(game: Game, position: Any, depth: int, *, jit: bool = True) -> Result:
    """The value and first best move of plain minimax to a horizon: slow, and the measure of all pruning.

    >>> from zerosum.games import load
    >>> minimax(load("tictactoe"), load("tictactoe").initial(), 2).value
    1
    """
    check_depth(depth)
    position, s = _position(game, position)
    moves = game.legal_moves(s)
    if not moves:
        return finished_result(game, s)
    plain = SearchOptions.none()
    worker = Worker(game, MINIMAX, plain, jit)
    worker.begin(position, None, 0, None)
    search = Deepening(worker, moves, Limits(depth), plain, first_depth=depth)
    return in_background(search.run, worker.stop)  # type: ignore[no-any-return]


def perft(game: Game, position: Any, depth: int, *, jit: bool = True) -> int:
    """How many lines of exactly ``depth`` plies there are from a position.

    >>> from zerosum.games import load
    >>> [perft(load("tictactoe"), load("tictactoe").initial(), d) for d in range(4)]
    [1, 9, 72, 504]
    """
    check_depth(depth, least=0)
    return sum(divide(game, position, depth, jit=jit).values()) if depth else 1


def divide(game: Game, position: Any, depth: int, *, jit: bool = True) -> dict[int, int]:
    """Perft by first move: how many lines begin with each.

    >>> from zerosum.games import load
    >>> set(divide(load("tictactoe"), load("tictactoe").initial(), 3).values())
    {56}
    """
    check_depth(depth)
    _, s = _position(game, position)
    moves = game.legal_moves(s)
    if depth == 1:
        return dict.fromkeys(moves, 1)
    kernel = PERFT.of(game, jit)
    memory = Memory(game, Layout(game).free + depth * game.max_moves, jit)
    memory.row[PERFT_DEPTH] = depth - 1

    def stop() -> None:
        memory.row[STOP] = 1

    def work(report: Any) -> dict[int, int]:
        counts = {}
        for move in moves:
            memory.put_state(game.successor(s, move))
            counts[move] = kernel(memory)
            memory.raise_error()
        return counts

    return in_background(work, stop)  # type: ignore[no-any-return]
