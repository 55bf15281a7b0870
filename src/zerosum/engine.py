"""The facade that everyone uses: an engine for one game.

>>> from zerosum.games import load
>>> game = load("tictactoe")
>>> Engine(game, hash_mb=1).search(game.initial()).in_words()
'a draw'
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zerosum.errors import EndgameError, GameError, LimitError
from zerosum.game import CHANCE, MIN, Game, Line
from zerosum.jit.kernel import Kernel
from zerosum.jit.target import Target, target_of
from zerosum.running.crew import Crew
from zerosum.running.stopping import Stop
from zerosum.search.alphabeta import ALPHABETA, ALPHABETA_WITH_DATABASE
from zerosum.search.deepening import Deepening, Report, finished_result
from zerosum.search.expectiminimax import EXPECTIMINIMAX
from zerosum.search.limits import Limits, check_depth, check_games, check_hash, check_threads
from zerosum.search.minimax import MINIMAX
from zerosum.search.options import SearchOptions
from zerosum.search.peek import Known, Peeker
from zerosum.search.perft import count_lines
from zerosum.search.playout import Playouts, play_at_random
from zerosum.search.probing import ANYWHERE
from zerosum.search.result import Progress, Result
from zerosum.search.rollout import OnRollout, Rollout, roll_out
from zerosum.search.solving import solve_by_bisection
from zerosum.search.table import OLDEST, Table
from zerosum.search.worker import Worker

if TYPE_CHECKING:
    from zerosum.endgame.database import Database

__all__ = ["Engine", "divide", "minimax", "perft", "playouts"]


def search_kernel(game: Game) -> Kernel:
    """The kernel that an engine searches a game with, unless it has a database."""
    return EXPECTIMINIMAX if game.has("chances") else ALPHABETA


class Engine:
    """Searches positions of one game; what it learns stays in its table for the next search.

    Args:
        game: the game to play.
        options: which techniques to use, as SearchOptions or by name (``{"table": False}``); by default
            the sound ones and what the game's advice says.
        threads: how many processors to use. With one, equal searches give equal results. Games with chance
            are searched by one, and rolled out by all.
        hash_mb: megabytes for the transposition table.
        database: solved endings: ``Database.open(folder, game)``. A position of it ends a line with its proven value.
        jit: False runs the same search uncompiled, so that a debugger can step through the rules.
    """

    def __init__(
        self,
        game: Game,
        options: SearchOptions | Mapping[str, Any] | None = None,
        *,
        threads: int = 1,
        hash_mb: float = 64,
        database: Database | None = None,
        jit: bool | Target = True,
    ) -> None:
        self.game = game
        if isinstance(options, SearchOptions):
            self.options = options.for_game(game)
        else:
            self.options = SearchOptions.advised(game, options)
        self.threads = check_threads(threads)
        self._rollout_threads = self.threads
        if game.has("chances"):
            self.threads = 1
        self._target = target_of(jit)
        game.start()  # a broken game is reported now, in plain Python, not from inside a kernel
        self._table = Table(check_hash(hash_mb), self._target)
        self.database = database
        if database is not None and (database.game.name != game.name or game.has("chances")):
            raise EndgameError(f"the database in {str(database.directory)!r} is of no use for {game.name}")
        self._directory: Any = None  # the database unpacked
        self._crew: Crew | None = None
        self._workers: list[Worker] = []
        self._stops: list[Stop] = []  # of the searches that run
        self._age = self._searched = 0  # of the next search, and of the last one

    def prepare(self) -> None:
        """Get ready before a clock runs: compile or load the kernels, and take all memory, not bit by bit."""
        self._load()
        self._table.touch()
        for worker in self._workers:
            worker.touch()

    @property
    def jit(self) -> bool:
        """Whether searches are compiled."""
        return self._target.is_compiled

    def _load(self) -> Crew:
        """Those who search, made when they are first needed."""
        if self._crew is None:
            kernel = search_kernel(self.game)
            if self.database is not None:
                from zerosum.endgame.serving import unpacked

                kernel = ALPHABETA_WITH_DATABASE
                self._directory = unpacked(self.database, self.jit)
            crew = Crew(kernel, self.game, self.threads, self._target)
            self._workers = [Worker(member, self.options) for member in crew]
            self._crew = crew
        return self._crew

    def clear(self) -> None:
        """Forget everything learned."""
        self._table.clear()
        self._age = 0

    def stop(self) -> None:
        """Make what runs now, a search or a rollout, return the best it has found; callable from any thread.

        A search that is about to begin is stopped by a ``Stop`` of your own: ``search(position, stop=stop)``.
        """
        for stop in list(self._stops):
            stop.set()

    @contextmanager
    def _stoppable(self, stop: Stop | None) -> Iterator[Stop]:
        """The Stop of one search, which the caller's reaches, and ``Engine.stop``."""
        with (stop or Stop()).part() as ending:
            self._stops.append(ending)
            try:
                yield ending
            finally:
                self._stops.remove(ending)

    def progress(self) -> Progress | None:
        """Where a search that another thread has begun is at the moment; None if that cannot be said."""
        if not self._workers:
            return None
        progress = self._workers[0].progress()
        return progress and progress._replace(nodes=sum(worker.nodes for worker in self._workers))

    def hashfull(self) -> int:
        """How many of a thousand entries of the table the last search has written, or the running one so far."""
        return self._table.fullness(self._searched)

    def known(self, s: Any) -> Known | None:
        """What the table holds about a position, also while another thread searches; None if nothing.

        >>> from zerosum.games import load
        >>> game = load("tictactoe")
        >>> engine = Engine(game, jit=False)
        >>> _ = engine.search(game.initial(), depth=3)
        >>> engine.known(game.play(game.initial(), 4)).depth
        2
        """
        return self._peeker.known(self.game.state(s))

    @cached_property
    def _peeker(self) -> Peeker:
        return Peeker(self.game, self._table)

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
        """The best move of a State or Line, by iterative deepening until a limit is reached or all is proven.

        ``on_report`` is called after every finished depth, ``on_bound`` where a depth's value turns out to be
        better or worse than expected and is looked for again. ``multipv`` asks for so many best lines; ``moves``
        are the only ones to choose from. ``stop`` ends the search, set from any thread, before it begins or later.
        There is always an answer, however short the time. Where chance is to move it is a value without a move.
        """
        limits = Limits(depth, seconds, nodes)
        if not isinstance(multipv, int) or multipv < 1:
            raise LimitError(f"multipv must be a whole number of at least 1, not {multipv!r}")
        with self._stoppable(stop) as ending:
            return self._search(position, limits, multipv, moves, on_report, on_bound, ending)

    def _search(
        self,
        position: Any,
        limits: Limits,
        multipv: int,
        moves: Sequence[int] | None,
        on_report: Report | None,
        on_bound: Report | None,
        ending: Stop,
    ) -> Result:
        position, s = _position(self.game, position)
        legal = self.game.legal_moves(s)
        if not legal:
            return finished_result(self.game, s)
        if self.game.to_move(s) == CHANCE:
            legal = []  # those were outcomes: nobody can choose among them
        roots = legal if moves is None else _chosen(self.game, s, legal, moves)
        crew = self._load()
        started = time.perf_counter()  # compiling is not thinking
        self._begin(position, self.options, limits.nodes, free=multipv == 1 and moves is None)
        for worker in self._workers:
            worker.fade()
        searches = [
            # Half of the helpers run one depth ahead: what they leave in the table serves the others.
            Deepening(worker, list(roots), limits, self.options, multipv, 1 + number % 2, started)
            for number, worker in enumerate(self._workers)
        ]

        def work(report: Report) -> Result:
            searches[0].run(lambda r: report(self._all_nodes(r)) if on_bound is not None or not r.bound else None)
            ending.set()
            # Every thread's answer counts: the deepest, or else the first thread's.
            best = max((search.best for search in searches), key=lambda r: (r.proven, r.depth))
            return replace(self._all_nodes(best), seconds=time.perf_counter() - started)

        def helper(search: Deepening) -> Callable[[], None]:
            def run() -> None:
                search.run(lambda result: None)
                if search.is_done:
                    ending.set()

            return run

        def hand_over(result: Result) -> None:
            listener = on_bound if result.bound else on_report
            if listener is not None:
                listener(result)

        left = None if limits.seconds is None else max(0.0, started + limits.seconds - time.perf_counter())
        helpers = [helper(search) for search in searches[1:]]
        return crew.run(work, stop=ending, seconds=left, on_report=hand_over, helpers=helpers)

    def solve(self, position: Any, *, seconds: float | None = None, stop: Stop | None = None) -> Result:
        """The exact value of a position: who wins and when, or by how much, and a line that shows it.

        Without a limit it goes on until it knows; ended before, by ``seconds`` or ``stop``, ``proven`` is False.

        >>> from zerosum.games import load
        >>> game = load("connect-four", width=5, height=4)
        >>> Engine(game).solve(game.initial()).in_words()
        'a draw'
        """
        (result,) = self.solve_many([position], seconds=seconds, stop=stop)
        return result

    def solve_many(
        self, positions: Iterable[Any], *, seconds: float | None = None, stop: Stop | None = None
    ) -> Iterator[Result]:
        """Solve one position after the other, each within ``seconds``; the table serves them all.

        ``stop`` ends the position that is being solved, unproven, and no other follows.
        """
        Limits(seconds=seconds)
        if self.game.has("chances"):
            raise GameError(f"{self.game.name} has chance in it: nothing can be proven by bisection; search it")
        options = self.options.for_solving(self.game)

        def solve_one(position: Any, ending: Stop) -> Result:
            position, s = _position(self.game, position)
            moves = self.game.legal_moves(s)
            if not moves:
                return finished_result(self.game, s)
            self._begin(position, options, None, proving=True)
            crew, (first, *others) = self._load(), self._workers

            def solve_first() -> Result:
                found = solve_by_bisection(first, s, moves)
                ending.set()  # the others have nothing more to do
                return self.prolonged(self._all_nodes(found), s)

            def helper(worker: Worker) -> Callable[[], Result]:
                return lambda: solve_by_bisection(worker, s, list(moves))

            return crew.together([solve_first, *(helper(worker) for worker in others)])[0]

        def solved() -> Iterator[Result]:
            with self._stoppable(stop) as ending:
                yield from self._load().each(positions, solve_one, stop=ending, seconds=seconds)

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
        on_report: Callable[[Rollout], None] | None = None,
        stop: Stop | None = None,
    ) -> Rollout:
        """What a position of a game with chance is worth, from many games to the end, each move by the evaluation.

        It stops at so many ``games``, after ``seconds``, when the 95 % interval is within ``precision`` on each side,
        or when ``stop`` is set. ``plies`` breaks games off after so many moves and evaluates; ``luck`` is of how many
        of a game's first events the luck is taken out: each costs as much as playing all its outcomes, and counts as
        many games.

        >>> from zerosum.games import load
        >>> game = load("pig", target=10)
        >>> Engine(game, jit=False).rollout(game.initial(), games=360).games
        360
        """
        _, s = _position(self.game, position)
        listener: OnRollout | None = None if on_report is None else lambda found: on_report(found[0])
        limits = {"games": games, "seconds": seconds, "precision": precision, "plies": plies, "luck": luck}
        return self._roll_out([s], None, limits, seed, listener, stop)[0]

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
        on_report: OnRollout | None = None,
        stop: Stop | None = None,
    ) -> tuple[Rollout, ...]:
        """``rollout`` after each of these moves, or of all, with the same dice for each; the best move first.

        >>> from zerosum.games import load
        >>> game = load("pig", target=10)
        >>> s = game.parse_state("6 0 2 max")
        >>> [game.format_move(s, r.move) for r in Engine(game, jit=False).rollout_moves(s, games=360)]
        ['roll', 'hold']
        """
        _, s = _position(self.game, position)
        if self.game.to_move(s) == CHANCE:
            raise LimitError("chance is to move: nobody can choose among its outcomes; roll the position out")
        legal = self.game.legal_moves(s)
        chosen = legal if moves is None else _chosen(self.game, s, legal, moves)
        best_first = 1 if self.game.to_move(s) == MIN else -1

        def in_order(found: tuple[Rollout, ...]) -> tuple[Rollout, ...]:
            return tuple(sorted(found, key=lambda rollout: best_first * rollout.value))

        listener: OnRollout | None = None if on_report is None else lambda found: on_report(in_order(found))
        limits = {"games": games, "seconds": seconds, "precision": precision, "plies": plies, "luck": luck}
        states = [self.game.successor(s, move) for move in chosen]
        return in_order(self._roll_out(states, chosen, limits, seed, listener, stop))

    def _roll_out(
        self,
        states: list[Any],
        moves: list[int] | None,
        limits: dict[str, Any],
        seed: int,
        listener: OnRollout | None,
        stop: Stop | None,
    ) -> tuple[Rollout, ...]:
        with self._stoppable(stop) as ending:
            return roll_out(
                self.game,
                states,
                moves,
                **limits,
                seed=seed,
                threads=self._rollout_threads,
                jit=self._target,
                on_report=listener,
                stop=ending,
            )

    def _begin(
        self, position: Any, options: SearchOptions, nodes: int | None, proving: bool = False, free: bool = True
    ) -> None:
        tier = ANYWHERE
        if self.database is not None and not proving:
            tier = int(self.game.tier(position.state if isinstance(position, Line) else position))
        share = None if nodes is None else -(-nodes // self.threads)
        for worker in self._workers:
            worker.use(options)
            if self._directory is not None:
                worker.look_into(self._directory.address, tier)
            worker.begin(position, self._table, self._age, share, self.threads > 1 and self.jit, free)
        self._searched = self._age
        self._age = (self._age + 1) % (OLDEST + 1) or 1

    def prolonged(self, result: Result, position: Any) -> Result:
        """A result of this position with its line prolonged to the end of the game, where the database knows it.

        That takes Python's time, so a search, which may be timed, leaves it out.
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

    def _all_nodes(self, result: Result) -> Result:
        return replace(result, nodes=sum(worker.nodes for worker in self._workers))


def _chosen(game: Game, s: Any, legal: list[int], moves: Sequence[int]) -> list[int]:
    """The root moves that were asked for, checked, in the game's own order."""
    for move in moves:
        if move not in legal:
            raise LimitError(f"moves must be legal ones, not {move!r} in {game.format_state(s)!r}")
    if not moves and legal:
        raise LimitError("moves must name at least one move, or be None for all")
    return [move for move in legal if move in moves]


def _position(game: Game, position: Any) -> tuple[Any, Any]:
    """A State or Line of this game, checked, and its state."""
    if isinstance(position, Line):
        if position.game.name != game.name:
            raise GameError(f"the line is one of {position.game.name}, not of {game.name}")
        s = position.state
    else:
        s = position = game.state(position)
    return position, s


def minimax(game: Game, position: Any, depth: int, *, jit: bool | Target = True) -> Result:
    """The value and first best move of plain minimax to a horizon: slow, and the measure of all pruning.

    With chance it is expectiminimax.

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
    crew = Crew(EXPECTIMINIMAX if game.has("chances") else MINIMAX, game, target=target_of(jit))
    worker = Worker(crew[0], plain)
    worker.begin(position, None, 0, None)
    return crew.run(Deepening(worker, moves, Limits(depth), plain, first_depth=depth).run)


def perft(game: Game, position: Any, depth: int, *, threads: int = 1, jit: bool | Target = True) -> int:
    """How many lines of exactly ``depth`` plies there are from a position. Each outcome of chance is a ply.

    >>> from zerosum.games import load
    >>> [perft(load("tictactoe"), load("tictactoe").initial(), d) for d in range(4)]
    [1, 9, 72, 504]
    """
    check_depth(depth, least=0)
    return sum(divide(game, position, depth, threads=threads, jit=jit).values()) if depth else 1


def divide(game: Game, position: Any, depth: int, *, threads: int = 1, jit: bool | Target = True) -> dict[int, int]:
    """Perft by first move: how many lines begin with each.

    >>> from zerosum.games import load
    >>> set(divide(load("tictactoe"), load("tictactoe").initial(), 3).values())
    {56}
    """
    check_depth(depth)
    check_threads(threads)
    _, s = _position(game, position)
    moves = game.legal_moves(s)
    if depth == 1:
        return dict.fromkeys(moves, 1)
    states = [game.successor(s, move) for move in moves]
    return dict(zip(moves, count_lines(game, states, depth - 1, threads, target_of(jit)), strict=True))


def playouts(
    game: Game, position: Any, games: int, seed: int = 0, *, threads: int = 1, jit: bool | Target = True
) -> Playouts:
    """Play a number of random games from a position. Equal seeds give equal games on any number of threads.

    Of a Line only the last position counts, not those before it.

    >>> from zerosum.games import load
    >>> found = playouts(load("tictactoe"), load("tictactoe").initial(), 1000)
    >>> found.games, found.wins > found.losses > found.draws > 0
    (1000, True)
    """
    check_games(games, seed)
    _, s = _position(game, position)
    return play_at_random(game, s, games, seed, check_threads(threads), target_of(jit))
