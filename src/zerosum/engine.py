"""The engine: the one facade for searching, solving and rolling out positions of a game.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> Engine(game, hash_mb=1).search(game.initial()).in_words()
'a draw'
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from zerosum.errors import EndgameError, GameError, LimitError
from zerosum.game import CHANCE, MIN, Game, Line
from zerosum.jit.target import GPU, Target, target_for, target_of
from zerosum.running.crew import Crew
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import AlgorithmLike, Question, Request, Setup
from zerosum.search.algorithms import algorithm_of
from zerosum.search.deepening import Deepening
from zerosum.search.limits import Limits, check_depth, check_games, check_threads
from zerosum.search.options import SearchOptions
from zerosum.search.peek import Known
from zerosum.search.perft import count_lines
from zerosum.search.playout import Playouts, play_at_random
from zerosum.search.result import Progress, Report, Result, finished_result
from zerosum.search.rollout import OnRollout, Rollout, roll_out
from zerosum.search.small_solves import SmallSolver
from zerosum.search.strategies import Minimax
from zerosum.search.waves import waves_of
from zerosum.search.worker import Worker

if TYPE_CHECKING:
    from zerosum.endgame.database import Database

__all__ = ["Engine", "divide", "minimax", "perft", "playouts"]


class Engine:
    """Searches positions of one game, one at a time, and keeps what it learns for the next search.

    Args:
        game: the game to play.
        algorithm: how to search: a name (``"alphabeta"``), or an algorithm with its options
            (``AlphaBeta(table=False)``, or ``{"table": False}`` for short). By default alpha-beta, with the sound
            techniques and the game's advice.
        threads: the number of threads. With one, equal searches give equal results. Games with chance
            are searched by one thread, and rolled out by all.
        hash_mb: megabytes for the transposition table.
        database: solved endgames: ``Database.open(folder, game)``. A line that reaches one of its positions ends there
            with the proven value.
        jit: False runs the same search uncompiled, so that a debugger can step through the rules.
    """

    def __init__(
        self,
        game: Game,
        algorithm: AlgorithmLike = None,
        *,
        threads: int = 1,
        hash_mb: float = 64,
        database: Database | None = None,
        jit: bool | Target = True,
        options: None = None,
    ) -> None:
        if options is not None:
            raise LimitError("options belong to their algorithm: Engine(game, AlphaBeta(...)), not options=...")
        self.game, self.database = game, database
        self.algorithm = algorithm_of(algorithm)
        self._rollout_threads, self._hash_mb = check_threads(threads), hash_mb
        self._target = target_for(game, jit)
        game.start()  # a broken game is reported now, in plain Python, not from inside a kernel
        if database is not None and (database.game.name != game.name or game.has("chances")):
            raise EndgameError(f"the database in {str(database.directory)!r} cannot be used for {game.name}")
        if database is not None and not self.algorithm.uses_database:
            raise LimitError(f"{self.algorithm.name} does not use endgame databases; use 'alphabeta'")
        endings = None if database is None else self._endings
        self._searcher = self.algorithm.searcher(Setup(game, threads, hash_mb, self._target, endings))
        self.threads = self._searcher.threads
        self._stops: list[Stop] = []  # of the running searches and rollouts
        self._memory = threading.Lock()  # held by the running search

    def __reduce__(self) -> Any:
        """Pickle the engine for another process, without what it has learned."""
        settings: dict[str, Any] = {"threads": self._rollout_threads, "hash_mb": self._hash_mb, "jit": self._target}
        return partial(Engine, self.game, self.algorithm, database=self.database, **settings), ()

    def _endings(self) -> Any:
        from zerosum.endgame.serving import load_shared

        assert self.database is not None
        return load_shared(self.database, self.jit)

    def prepare(self) -> None:
        """Get ready before a clock runs: compile or load the kernels, and allocate all memory in advance."""
        with self._alone():
            self._searcher.prepare()

    @property
    def jit(self) -> bool:
        """Whether searches are compiled."""
        return self._target.is_compiled

    @property
    def unit(self) -> int:
        """The value of a small advantage. The margins of search, time management and reviews are multiples of it."""
        return self._searcher.unit

    def clear(self) -> None:
        """Forget everything learned."""
        with self._alone():
            self._searcher.clear()

    def stop(self) -> None:
        """Make the running search or rollout return the best it has found; callable from any thread.

        To stop a search that is only about to begin, pass it a ``Stop`` of your own: ``search(position, stop=stop)``.
        """
        for stop in list(self._stops):
            stop.set()

    @contextmanager
    def _stoppable(self, stop: Stop | None) -> Iterator[Stop]:
        """The Stop of one search, set by the caller's Stop and by ``Engine.stop``."""
        with (stop or Stop()).part() as ending:
            self._stops.append(ending)
            try:
                yield ending
            finally:
                self._stops.remove(ending)

    def _alone(self) -> threading.Lock:
        """The lock of the memory, for one search at a time; LimitError if another search is running."""
        if self._memory.locked():
            raise LimitError("this engine is already searching: wait until it has finished, or use another Engine")
        return self._memory

    def progress(self) -> Progress | None:
        """How far a search in another thread has come; None if that is unknown."""
        return self._searcher.progress()

    def hashfull(self) -> int:
        """The share of the table, per mille, that the last search has written, or the running one so far."""
        return self._searcher.hashfull()

    def known(self, s: Any) -> Known | None:
        """What the table holds about a position, also while another thread searches; None if nothing.

        >>> from zerosum.games import load
        >>> game = load("tictactoe")
        >>> engine = Engine(game, jit=False)
        >>> _ = engine.search(game.initial(), depth=3)
        >>> engine.known(game.play(game.initial(), 4)).depth
        2
        """
        return self._searcher.known(self.game.state(s))

    def search(
        self,
        position: Any,
        *,
        depth: int | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        multipv: int = 1,
        moves: Sequence[int] | None = None,
        on_report: Report | None = None,
        on_bound: Report | None = None,
        stop: Stop | None = None,
    ) -> Result:
        """The best move of a State or Line, by iterative deepening until it reaches a limit or proves the value.

        ``on_report`` is called after every finished depth, ``on_bound`` when a depth's value turns out to be
        better or worse than expected and is searched again. ``multipv`` is the number of best lines; ``moves``
        restricts the choice to these moves. ``stop`` ends the search; it can be set from any thread, before the search
        begins or later. There is always an answer, however short the time. If chance is to move, the result has a
        value and no move.
        """
        limits = Limits(depth, seconds, nodes)
        if not isinstance(multipv, int) or multipv < 1:
            raise LimitError(f"multipv must be a whole number of at least 1, not {multipv!r}")
        position, s = _position(self.game, position)
        legal = self.game.legal_moves(s)
        if not legal:
            return _with_position(finished_result(self.game, s), self.game, position)
        if self.game.to_move(s) == CHANCE:
            legal = []  # these were outcomes, which no player chooses
        chosen = legal if moves is None else _chosen(self.game, s, legal, moves)
        is_free = multipv == 1 and moves is None
        with self._alone(), self._stoppable(stop) as ending:
            request = Request(position, s, chosen, is_free, limits, multipv, on_report, on_bound, ending)
            return _with_position(self._searcher.search(request), self.game, position)

    def solve(
        self,
        position: Any,
        *,
        seconds: float | None = None,
        on_report: Report | None = None,
        stop: Stop | None = None,
    ) -> Result:
        """The exact value of a position: who wins and when, or by how much, and a line that shows it.

        Without a limit it runs until the value is proven. If ``seconds`` or ``stop`` end it earlier, ``proven`` is
        False. ``on_report`` receives the unproven values on the way, each with its ``confidence``: see docs/search.md.

        >>> from zerosum.games import load
        >>> game = load("connect-four", width=5, height=4)
        >>> Engine(game).solve(game.initial()).in_words()
        'a draw'
        """
        Limits(seconds=seconds)
        self._check_solving()
        position, s = _position(self.game, position)
        if not self.game.legal_moves(s):  # there is nothing to compile for
            return _with_position(finished_result(self.game, s), self.game, position)
        (result,) = self.solve_many([position], seconds=seconds, on_report=on_report, stop=stop)
        return _with_position(result, self.game, position)

    def solve_many(
        self,
        positions: Iterable[Any],
        *,
        seconds: float | None = None,
        on_report: Report | None = None,
        stop: Stop | None = None,
        device: str = "cpu",
    ) -> Iterator[Result]:
        """Solve positions one after the other, each within ``seconds``; they share one transposition table.

        ``stop`` leaves the current position unproven and ends the iteration.

        ``device="gpu"`` solves thousands of positions at once on a graphics card, each in its own thread. Use it
        for positions near the end of the game; those that take too long there are solved on the CPU, within
        ``seconds``. The values are the same; among equally good moves, the one shown may differ.
        """
        Limits(seconds=seconds)
        self._check_solving()
        if target_of(self.jit, device) is GPU:
            return self._solve_on_gpu(iter(positions), seconds, stop)
        begun: deque[Any] = deque()

        def asked() -> Iterator[tuple[Any, Any]]:
            for position in positions:
                position, s = _position(self.game, position)
                begun.append(s)
                yield position, s

        def solved() -> Iterator[Result]:
            with self._alone(), self._stoppable(stop) as ending:
                for result in self._searcher.solve(asked(), seconds, ending, on_report):
                    yield self.prolonged(result, begun.popleft())

        return solved()

    def keep(self, questions: Sequence[Question], *, stop: Stop | None = None) -> list[int | None]:
        """For each question a move that is proven to be as good as required, or None; fewer answers if stopped.

        After a position has been solved, the table answers most questions about the positions that follow from it.

        >>> from zerosum.games import load
        >>> game = load("tictactoe")
        >>> engine = Engine(game, jit=False)
        >>> engine.keep([Question(game.parse_state("xx.oo...."), least=1), Question(game.initial(), least=1)])
        [2, None]
        """
        self._check_solving()
        with self._alone(), self._stoppable(stop) as ending:
            return self._searcher.keep(questions, ending)

    def _check_solving(self) -> None:
        if not self.algorithm.solves:
            raise LimitError(f"{self.algorithm.name} searches and does not solve; use 'alphabeta'")
        if self.game.has("chances"):
            raise GameError(f"{self.game.name} has chance nodes: nothing can be proven; search it")

    def _solve_on_gpu(self, positions: Iterator[Any], seconds: float | None, stop: Stop | None) -> Iterator[Result]:
        solver = SmallSolver(self.game, GPU)

        def solved() -> Iterator[Result]:
            with self._alone(), self._stoppable(stop) as ending:
                while asked := [_position(self.game, p) for p in islice(positions, solver.at_once)]:
                    found = solver.results([s for _, s in asked], ending)
                    for (position, s), result in zip(asked, found, strict=True):
                        if result is not None:
                            yield result
                            continue
                        with ending.part() as ending_one:
                            for taken_over in self._searcher.solve([(position, s)], seconds, ending_one):
                                yield self.prolonged(taken_over, s)
                        if ending.is_set():
                            return

        return solved()

    def rollout(
        self,
        position: Any,
        *,
        games: int | None = None,
        seconds: float | None = None,
        precision: float | None = None,
        plies: int | None = None,
        luck: int = 0,
        seed: int = 0,
        device: str = "cpu",
        on_report: Callable[[Rollout], None] | None = None,
        stop: Stop | None = None,
    ) -> Rollout:
        """Estimate the value of a position in a game with chance by playing many games, with moves by the evaluation.

        It stops after this many ``games``, after ``seconds``, when the 95 % interval is within ``precision`` on each
        side, or when ``stop`` is set. ``plies`` ends games after this many moves and evaluates. Results are corrected
        for the luck of each game's first ``luck`` chance events: an event costs as much as playing all its outcomes,
        and counts as that number of games. ``device="gpu"`` plays the games on a graphics card.

        >>> from zerosum.games import load
        >>> game = load("pig", target=10)
        >>> Engine(game, jit=False).rollout(game.initial(), games=360).games
        360
        """
        _, s = _position(self.game, position)
        listener: OnRollout | None = None if on_report is None else lambda found: on_report(found[0])
        limits = {"games": games, "seconds": seconds, "precision": precision, "plies": plies, "luck": luck}
        return self._roll_out([s], None, limits, seed, device, listener, stop)[0]

    def rollout_moves(
        self,
        position: Any,
        moves: Sequence[int] | None = None,
        *,
        games: int | None = None,
        seconds: float | None = None,
        precision: float | None = None,
        plies: int | None = None,
        luck: int = 0,
        seed: int = 0,
        device: str = "cpu",
        on_report: OnRollout | None = None,
        stop: Stop | None = None,
    ) -> tuple[Rollout, ...]:
        """``rollout`` after each of these moves, by default all, with the same dice for each; the best move first.

        >>> from zerosum.games import load
        >>> game = load("pig", target=10)
        >>> s = game.parse_state("6 0 2 max")
        >>> [game.format_move(s, r.move) for r in Engine(game, jit=False).rollout_moves(s, games=360)]
        ['roll', 'hold']
        """
        _, s = _position(self.game, position)
        if self.game.to_move(s) == CHANCE:
            raise LimitError("chance is to move, so there is no move to choose: use rollout, not rollout_moves")
        legal = self.game.legal_moves(s)
        chosen = legal if moves is None else _chosen(self.game, s, legal, moves)
        best_first = 1 if self.game.to_move(s) == MIN else -1

        def in_order(found: tuple[Rollout, ...]) -> tuple[Rollout, ...]:
            return tuple(sorted(found, key=lambda rollout: best_first * rollout.value))

        listener: OnRollout | None = None if on_report is None else lambda found: on_report(in_order(found))
        limits = {"games": games, "seconds": seconds, "precision": precision, "plies": plies, "luck": luck}
        states = [self.game.successor(s, move) for move in chosen]
        return in_order(self._roll_out(states, chosen, limits, seed, device, listener, stop))

    def _roll_out(
        self,
        states: list[Any],
        moves: list[int] | None,
        limits: dict[str, Any],
        seed: int,
        device: str,
        listener: OnRollout | None,
        stop: Stop | None,
    ) -> tuple[Rollout, ...]:
        target = self._target if device == "cpu" else target_of(self.jit, device)
        with self._stoppable(stop) as ending:
            return roll_out(
                self.game,
                states,
                moves,
                **limits,
                seed=seed,
                threads=self._rollout_threads,
                jit=target,
                on_report=listener,
                stop=ending,
            )

    def prolonged(self, result: Result, position: Any) -> Result:
        """This position's result with its line extended to the end of the game, as far as the database reaches.

        This runs in Python, so a search, which may be timed, does not do it.
        """
        _, s = _position(self.game, position)
        if self.database is None or result.distance is None or not self.database.has_distance:
            return result
        for move in result.pv:
            s = self.game.play(s, move)
        from zerosum.endgame.serving import best_line

        pv = (*result.pv, *best_line(self.database, s, result.distance - len(result.pv)))
        first = tuple(replace(line, pv=pv) for line in result.lines[:1])
        return replace(result, pv=pv, lines=(*first, *result.lines[1:]))


def _chosen(game: Game, s: Any, legal: list[int], moves: Sequence[int]) -> list[int]:
    """The root moves to search, checked, in the game's own order."""
    for move in moves:
        if move not in legal:
            raise LimitError(f"moves must be legal: {move!r} is not, in {game.format_state(s)!r}")
    if not moves and legal:
        raise LimitError("moves must name at least one move, or be None for all")
    return [move for move in legal if move in moves]


def _position(game: Game, position: Any) -> tuple[Any, Any]:
    """A State or Line of this game, checked, and its state."""
    if isinstance(position, Line):
        if position.game.name != game.name:
            raise GameError(f"the line is from {position.game.name}, not from {game.name}")
        s = position.state
    else:
        s = position = game.state(position)
    return position, s


def _with_position(result: Result, game: Game, position: Any) -> Result:
    """The result, with the position that it belongs to."""
    return replace(result, position=position if isinstance(position, Line) else Line(game, position))


def minimax(game: Game, position: Any, depth: int, *, jit: bool | Target = True) -> Result:
    """The value and first best move of plain minimax to a horizon: slow, and the reference for all pruning.

    In games with chance it is expectiminimax.

    >>> from zerosum.games import load
    >>> minimax(load("tictactoe"), load("tictactoe").initial(), 2).value
    1
    """
    check_depth(depth)
    position, s = _position(game, position)
    moves = game.legal_moves(s)
    if not moves:
        return finished_result(game, s)
    if game.to_move(s) == CHANCE:
        moves = []
    plain = SearchOptions.none().for_game(game)
    crew = Crew(Minimax().kernel(game), game, target=target_for(game, jit))
    worker = Worker(crew[0], plain)
    worker.begin(position, None, 0, None)
    return crew.run(Deepening(worker, moves, Limits(depth), plain, first_depth=depth).run)


def perft(
    game: Game,
    position: Any,
    depth: int,
    *,
    threads: int = 1,
    jit: bool | Target = True,
    device: str = "cpu",
    on_progress: Callable[[float], None] | None = None,
) -> int:
    """The number of lines of exactly ``depth`` plies from a position. Each outcome of chance is a ply.

    ``device="gpu"`` counts on a graphics card. ``on_progress`` receives the share of the work done, from 0 to 1.

    >>> from zerosum.games import load
    >>> [perft(load("tictactoe"), load("tictactoe").initial(), d) for d in range(4)]
    [1, 9, 72, 504]
    """
    check_depth(depth, least=0)
    target = target_for(game, jit, device)
    if target is GPU:
        _, s = _position(game, position)
        game.legal_moves(s)
        with waves_of(game, target, on_progress) as waves:
            return waves.count(s, depth)
    if not depth:
        return 1
    return sum(divide(game, position, depth, threads=threads, jit=target, on_progress=on_progress).values())


def divide(
    game: Game,
    position: Any,
    depth: int,
    *,
    threads: int = 1,
    jit: bool | Target = True,
    device: str = "cpu",
    on_progress: Callable[[float], None] | None = None,
) -> dict[int, int]:
    """Perft by first move: the number of lines that begin with each.

    >>> from zerosum.games import load
    >>> set(divide(load("tictactoe"), load("tictactoe").initial(), 3).values())
    {56}
    """
    check_depth(depth)
    check_threads(threads)
    target = target_for(game, jit, device)
    _, s = _position(game, position)
    moves = game.legal_moves(s)
    if depth == 1:
        return dict.fromkeys(moves, 1)
    states = [game.successor(s, move) for move in moves]
    if target is GPU:
        counts = []
        with waves_of(game, target) as waves:
            for state in states:
                counts.append(waves.count(state, depth - 1))
                if on_progress is not None:
                    on_progress(len(counts) / len(states))
    else:
        counts = count_lines(game, states, depth - 1, threads, target, on_progress)
    return dict(zip(moves, counts, strict=True))


def playouts(
    game: Game,
    position: Any,
    games: int,
    seed: int = 0,
    *,
    threads: int = 1,
    jit: bool | Target = True,
    device: str = "cpu",
) -> Playouts:
    """Play random games from a position. Equal seeds give equal games, for any number of threads and any device.

    ``device="gpu"`` plays them on a graphics card, each in its own thread. Of a Line only the last position
    counts, not those before it.

    >>> from zerosum.games import load
    >>> found = playouts(load("tictactoe"), load("tictactoe").initial(), 1000)
    >>> found.games, found.wins > found.losses > found.draws > 0
    (1000, True)
    """
    check_games(games, seed)
    _, s = _position(game, position)
    return play_at_random(game, s, games, seed, check_threads(threads), target_for(game, jit, device))
