"""The facade that everyone uses: an engine for one game.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> Engine(game, hash_mb=1).search(game.initial()).in_words()
'a draw'
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from zerosum.errors import GameError
from zerosum.game import CHANCE, MAX, WIN, Game, Line
from zerosum.jit.kernel import Kernel, Memory
from zerosum.jit.rules import ERROR, NODE_LIMIT, NODES, STOP
from zerosum.search.alphabeta import ALPHABETA
from zerosum.search.limits import NO_LIMIT, Limits, check_depth, check_hash
from zerosum.search.memory import (
    AGE,
    ALPHA,
    BETA,
    DEPTH,
    MAX_PLY,
    NO_BOUND,
    OPTIONS,
    PROVEN,
    PV_ROW,
    ROOT_BEST,
    ROOT_COUNT,
    ROOT_DONE,
    ROOT_VALUE,
    TABLE,
    TABLE_MASK,
    SearchLayout,
)
from zerosum.search.minimax import MINIMAX
from zerosum.search.options import SearchOptions
from zerosum.search.perft import DEPTH as PERFT_DEPTH
from zerosum.search.perft import PERFT
from zerosum.search.result import Result
from zerosum.search.table import BUCKET
from zerosum.search.values import WON

Report = Callable[[Result], None]

STACK = 64 * 2**20
"""Bytes of stack for the thread that searches: a line may be MAX_PLY deep."""


class Engine:
    """Searches positions of one game; what it learns stays in its table for the next search.

    Args:
        game: the game to play.
        options: which techniques to use; by default the game's advice.
        hash_mb: megabytes for the transposition table.
        jit: False runs the same search uncompiled, so that a debugger can step through the rules.
    """

    def __init__(
        self,
        game: Game,
        options: SearchOptions | None = None,
        *,
        hash_mb: float = 64,
        jit: bool = True,
    ) -> None:
        self.game = game
        self.options = SearchOptions.for_game(game) if options is None else options
        # Numba's own switch for debugging means the same as ours.
        self.jit = jit and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
        game.start()  # a broken game is reported now, in plain Python, not from inside a kernel
        self._memory: Memory | None = None
        self._table = _Table(check_hash(hash_mb), self.jit)
        self._layout: SearchLayout | None = None
        self._age = 0

    def prepare(self) -> None:
        """Compile or load the kernels now instead of at the first search."""
        if self._memory is None:
            ALPHABETA.of(self.game, self.jit)
            self._memory = _search_memory(self.game, self.jit)

    def clear(self) -> None:
        """Forget everything learned."""
        self._table.clear()

    def stop(self) -> None:
        """Make a running search return the best it has found; callable from any thread."""
        if self._memory is not None:
            self._memory.row[STOP] = 1

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

        ``on_report`` is called after every finished depth. There is always an answer, however short the time.
        """
        limits = Limits(depth, seconds, nodes)
        s = _state(self.game, position)
        started = time.perf_counter()
        moves = self.game.legal_moves(s)
        if not moves:
            return _finished(self.game, s)
        self.prepare()
        memory = self._memory
        assert memory is not None
        row = memory.row
        self._age = (self._age + 1) % 128
        row[STOP], row[ERROR], row[NODES] = 0, 0, 0
        row[NODE_LIMIT] = limits.nodes or NO_LIMIT
        row[TABLE], row[TABLE_MASK], row[AGE] = self._table.address, self._table.mask, self._age
        words = self.options.words()
        row[OPTIONS : OPTIONS + len(words)] = words
        memory.put_state(s)
        kernel = ALPHABETA.of(self.game, self.jit)
        deepening = _Deepening(self.game, s, kernel, memory, moves, limits, started)
        return _in_background(deepening.run, memory, limits.seconds, started, on_report)


class _Deepening:
    """Iterative deepening from one position, run in a thread of its own."""

    def __init__(
        self, game: Game, s: Any, kernel: Any, memory: Memory, moves: list[int], limits: Limits, started: float
    ) -> None:
        self.game, self.s, self.kernel, self.memory, self.limits = game, s, kernel, memory, limits
        self.moves = moves
        self.started = started
        self.layout = SearchLayout(memory.at, game.max_moves)
        self.best = self._result(moves[0], 0, (moves[0],), 0, False)

    def run(self, report: Report) -> Result:
        for depth in range(1, (self.limits.depth or MAX_PLY) + 1):
            finished = self._iterate(depth)
            if not finished:
                break
            report(self.best)
            if self.best.proven:
                break
        return self.best

    def _iterate(self, depth: int) -> bool:
        """Search to one depth; the best answer so far is kept even when it is cut short."""
        row = self.memory.row
        row[DEPTH], row[ALPHA], row[BETA] = depth, -NO_BOUND, NO_BOUND
        row[ROOT_COUNT], row[ROOT_DONE] = len(self.moves), 0
        at = self.layout.root_moves
        row[at : at + len(self.moves)] = self.moves
        self.kernel(self.memory)
        self.memory.raise_error()
        stopped = bool(row[STOP])
        if int(row[ROOT_DONE]):
            place = int(row[ROOT_BEST])
            move = self.moves[place]
            proven = bool(row[PROVEN]) and not stopped
            self.best = self._result(move, int(row[ROOT_VALUE]), self._line(move), depth, proven)
            # The best move is searched first next time; the others keep their order.
            self.moves = [move, *self.moves[:place], *self.moves[place + 1 :]]
        return not stopped

    def _line(self, move: int) -> tuple[int, ...]:
        row, at = self.memory.row, self.layout.pv
        length = min(int(row[at]), PV_ROW - 1)
        line = tuple(int(m) for m in row[at + 1 : at + 1 + length])
        return line if line[:1] == (move,) else (move,)

    def _result(self, move: int, value: int, pv: tuple[int, ...], depth: int, proven: bool) -> Result:
        nodes = int(self.memory.row[NODES])
        return _result(self.game, move, value, pv, depth, nodes, time.perf_counter() - self.started, proven)


def _result(
    game: Game, move: int | None, value: int, pv: tuple[int, ...], depth: int, nodes: int, seconds: float, proven: bool
) -> Result:
    won = not game.scored and abs(value) >= WON
    sign = (value > 0) - (value < 0)
    return Result(
        move=move,
        value=value,
        outcome=sign if won or proven else None,
        distance=WIN - abs(value) if won else None,
        proven=proven,
        pv=pv,
        depth=depth,
        nodes=nodes,
        seconds=seconds,
    )


def _finished(game: Game, s: Any) -> Result:
    """The result of a game that is over already."""
    utility = int(game.utility(s))
    sign = (utility > 0) - (utility < 0)
    return _result(game, None, utility if game.scored else sign * WIN, (), 0, 0, 0.0, True)


def _in_background(
    work: Callable[[Report], Result], memory: Memory, seconds: float | None, started: float, on_report: Report | None
) -> Result:
    """Run a search in a thread, so that the caller can be interrupted, time it, and hand on its reports."""
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run() -> None:
        try:
            messages.put(("done", work(lambda result: messages.put(("report", result)))))
        except BaseException as problem:
            messages.put(("failed", problem))

    thread = _start(run)
    try:
        while True:
            left = None
            if seconds is not None and not memory.row[STOP]:
                left = max(0.0, started + seconds - time.perf_counter())
            try:
                kind, content = messages.get(timeout=left)
            except queue.Empty:
                memory.row[STOP] = 1
                continue
            if kind == "done":
                return content  # type: ignore[no-any-return]
            if kind == "failed":
                raise content
            if on_report is not None:
                on_report(content)
    finally:
        memory.row[STOP] = 1
        thread.join()


def _start(run: Callable[[], None]) -> threading.Thread:
    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    return thread


class _Table:
    """The transposition table's memory, kept on a cache line's boundary."""

    def __init__(self, size: int, jit: bool) -> None:
        buckets = max(1, 1 << ((size // (8 * BUCKET)).bit_length() - 1))
        self.jit = jit
        # A plain search visits few positions: a large list would only take time to make.
        self.buckets = buckets if jit else min(buckets, 1 << 14)
        self.mask = self.buckets - 1
        self._words: Any = None

    @property
    def address(self) -> Any:
        """What kernels take for the table: its address, or uncompiled the list itself."""
        if self._words is None:
            self.clear()
        if not self.jit:
            return self._words
        return self._words.ctypes.data + self._offset

    @property
    def _offset(self) -> int:
        return int(-self._words.ctypes.data % (8 * BUCKET))

    def clear(self) -> None:
        if self.jit:
            import numpy as np

            self._words = np.zeros((self.buckets + 1) * BUCKET, np.int64)
        else:
            self._words = [0] * (self.buckets * BUCKET)


def _search_memory(game: Game, jit: bool) -> Memory:
    from zerosum.jit.rules import Layout

    return Memory(game, SearchLayout(Layout(game), game.max_moves).words, jit)


def _state(game: Game, position: Any) -> Any:
    """The state of a State or Line of this game."""
    if isinstance(position, Line):
        if position.game.name != game.name:
            raise GameError(f"the line is one of {position.game.name}, not of {game.name}")
        return position.state
    s = game.state(position)
    if game.to_move(s) == CHANCE and not game.is_terminal_(s):
        raise GameError(f"{game.name}: in {s!r} chance moves, not a player")
    return s


def minimax(game: Game, position: Any, depth: int, *, jit: bool = True) -> Result:
    """The value and first best move of plain minimax to a horizon: slow, and the measure of all pruning.

    >>> from zerosum.games import load
    >>> minimax(load("tictactoe"), load("tictactoe").initial(), 2).value
    -1
    """
    check_depth(depth)
    s = _state(game, position)
    started = time.perf_counter()
    moves = game.legal_moves(s)
    if not moves:
        return _finished(game, s)
    memory = _search_memory(game, jit)
    memory.row[NODE_LIMIT] = NO_LIMIT
    memory.put_state(s)
    limits = Limits(depth)
    plain = _Deepening(game, s, MINIMAX.of(game, jit), memory, moves, limits, started)

    def work(report: Report) -> Result:
        plain._iterate(depth)
        return plain.best

    return _in_background(work, memory, None, started, None)


def perft(game: Game, position: Any, depth: int, *, jit: bool = True) -> int:
    """How many lines of exactly ``depth`` plies there are from a position.

    >>> from zerosum.games import load
    >>> [perft(load("tictactoe"), load("tictactoe").initial(), d) for d in range(4)]
    [1, 9, 72, 504]
    """
    return sum(divide(game, position, depth, jit=jit).values()) if depth else check_depth(depth, 0) or 1


def divide(game: Game, position: Any, depth: int, *, jit: bool = True) -> dict[int, int]:
    """Perft by first move: how many lines begin with each.

    >>> from zerosum.games import load
    >>> set(divide(load("tictactoe"), load("tictactoe").initial(), 3).values())
    {56}
    """
    check_depth(depth)
    s = _state(game, position)
    moves = game.legal_moves(s)
    if depth == 1:
        return dict.fromkeys(moves, 1)
    kernel = PERFT.of(game, jit)
    memory = Memory(game, _perft_words(game, depth), jit)
    memory.row[PERFT_DEPTH] = depth - 1
    counts = {}

    def count(move: int) -> Callable[[Any], Any]:
        def work(report: Any) -> int:
            memory.put_state(game.successor(s, move))
            found = kernel(memory)
            memory.raise_error()
            return found

        return work

    for move in moves:
        counts[move] = _in_background(count(move), memory, None, 0.0, None)
        memory.row[STOP] = 0
    return counts  # type: ignore[return-value]


def _perft_words(game: Game, depth: int) -> int:
    from zerosum.jit.rules import Layout

    return Layout(game).free + depth * game.max_moves


__all__ = ["Engine", "Kernel", "divide", "minimax", "perft"]
assert MAX == 0
