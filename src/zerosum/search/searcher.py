"""A crew for iterative deepening by alpha-beta or minimax, with or without chance, and for solving."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from zerosum.game import Line
from zerosum.jit.kernel import Kernel
from zerosum.running.crew import Crew, Member
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import Question, Request, Searcher, Setup
from zerosum.search.deepening import Deepening
from zerosum.search.limits import check_hash
from zerosum.search.options import SearchOptions
from zerosum.search.peek import Known, Peeker
from zerosum.search.probing import ANYWHERE
from zerosum.search.proven_move import find_proven_move
from zerosum.search.result import Progress, Report, Result, finished_result
from zerosum.search.solving import solve_by_bisection
from zerosum.search.table import OLDEST, Table
from zerosum.search.team import Team
from zerosum.search.worker import Worker


class DeepeningSearcher(Searcher):
    """Workers that share a table; what they learn stays in it for the next search."""

    def __init__(self, setup: Setup, kernel: Kernel, options: SearchOptions, has_table: bool = True) -> None:
        self.setup, self.game, self.kernel, self.options = setup, setup.game, kernel, options
        self.unit = options.unit
        # Workers help each other through the table; kernels for games of chance do not share one.
        self.threads = setup.threads if has_table and not self.game.has("chances") else 1
        size = check_hash(setup.hash_mb)
        self._table = Table(size, setup.target) if has_table else None
        self._directory: Any = None  # the unpacked database
        self._crew: Crew | None = None
        self._workers: list[Worker] = []
        self._age = self._searched = 0  # the ages of the next search and of the last one

    def _load(self) -> Crew:
        """The crew, made on first use."""
        if self._crew is None:
            if self.setup.endings is not None:
                self._directory = self.setup.endings()
            crew = Crew(self.kernel, self.game, self.threads, self.setup.target)
            self._workers = [Worker(member, self.options) for member in crew]
            self._crew = crew
        return self._crew

    def prepare(self) -> None:
        self._load()
        if self._table is not None:
            self._table.touch()
        for worker in self._workers:
            worker.touch()

    def clear(self) -> None:
        if self._table is not None:
            self._table.clear()
        self._age = 0

    # Observing a search

    def progress(self) -> Progress | None:
        if not self._workers:
            return None
        progress = self._workers[0].progress()
        return progress and progress._replace(nodes=sum(worker.nodes for worker in self._workers))

    def hashfull(self) -> int:
        return 0 if self._table is None else self._table.fullness(self._searched)

    def known(self, s: Any) -> Known | None:
        return None if self._peeker is None else self._peeker.known(s)

    @cached_property
    def _peeker(self) -> Peeker | None:
        return None if self._table is None else Peeker(self.game, self._table)

    # Searching

    def search(self, request: Request) -> Result:
        crew, limits, ending = self._load(), request.limits, request.stop
        started = time.perf_counter()  # compile time does not count
        self._begin(request.position, self.options, limits.nodes, free=request.is_free)
        for worker in self._workers:
            worker.fade()
        searches = [
            # Half of the workers are one depth ahead: what they leave in the table helps the others.
            Deepening(worker, list(request.moves), limits, self.options, request.lines, 1 + number % 2, started)
            for number, worker in enumerate(self._workers)
        ]
        wants_bounds = request.on_bound is not None

        def work(report: Report) -> Result:
            searches[0].run(lambda r: report(self._all_nodes(r)) if wants_bounds or not r.bound else None)
            ending.set()
            # Take a proven answer if a thread has one, then the deepest; among equals, the first thread's.
            best = max((search.best for search in searches), key=lambda r: (r.proven, r.depth))
            return replace(self._all_nodes(best), seconds=time.perf_counter() - started)

        def helper(search: Deepening) -> Callable[[], None]:
            def run() -> None:
                search.run(lambda result: None)
                if search.is_done:
                    ending.set()

            return run

        def hand_over(result: Result) -> None:
            listener = request.on_bound if result.bound else request.on_report
            if listener is not None:
                listener(result)

        left = None if limits.seconds is None else max(0.0, started + limits.seconds - time.perf_counter())
        helpers = [helper(search) for search in searches[1:]]
        return crew.run(work, stop=ending, seconds=left, on_report=hand_over, helpers=helpers)

    def _begin(
        self, position: Any, options: SearchOptions, nodes: int | None, proving: bool = False, free: bool = True
    ) -> None:
        tier = ANYWHERE
        if self._directory is not None and not proving:
            tier = int(self.game.tier(position.state if isinstance(position, Line) else position))
        share = None if nodes is None else -(-nodes // self.threads)
        is_shared = self.threads > 1 and self.setup.target.is_compiled
        for worker in self._workers:
            worker.use(options)
            if self._directory is not None:
                worker.look_into(self._directory.address, tier)
            worker.begin(position, self._table, self._age, share, is_shared, free)
        self._searched = self._age
        self._age = (self._age + 1) % (OLDEST + 1) or 1

    def _all_nodes(self, result: Result) -> Result:
        return replace(result, nodes=sum(worker.nodes for worker in self._workers))

    # Solving

    @property
    def _may_predict(self) -> bool:
        """Whether searches with ProbCut precede a proof. They need a game whose end can be seen (``moves_left``)."""
        return bool(self.options.probcut) and self.game.scored and self.game.has("moves_left")

    def solve(
        self,
        positions: Iterable[tuple[Any, Any]],
        seconds: float | None,
        stop: Stop,
        on_report: Report | None = None,
    ) -> Iterator[Result]:
        crew, options = self._load(), self.options.for_solving(self.game)
        selective = replace(options, probcut=True) if self._may_predict else None

        def solve_one(asked: tuple[Any, Any], ending: Stop, report: Report) -> Result:
            position, s = asked
            moves = self.game.legal_moves(s)
            if not moves:
                return finished_result(self.game, s)
            self._begin(position, options, None, proving=True)
            team = Team(self._workers)

            def lead() -> Result:
                try:
                    found = solve_by_bisection(team, s, moves, selective, lambda r: report(self._all_nodes(r)))
                finally:
                    team.dismiss()
                return self._all_nodes(found)

            def helper(worker: Worker) -> Callable[[], None]:
                return lambda: team.help(worker)

            tasks: list[Callable[[], Any]] = [lead, *map(helper, team.helpers)]
            result: Result = crew.together(tasks)[0]
            return result

        return crew.each(positions, solve_one, stop=stop, seconds=seconds, on_report=on_report)

    def keep(self, questions: Sequence[Question], stop: Stop) -> list[int | None]:
        crew, options = self._load(), self.options.for_solving(self.game)
        keepers = dict(zip(crew, self._workers, strict=True))
        # One age for all questions, so that entries from solving the first position are kept.
        age = self._age or 1
        for worker in self._workers:
            worker.use(options)
            if self._directory is not None:
                worker.look_into(self._directory.address, ANYWHERE)

        def answer(member: Member, question: Question) -> int | None:
            worker, s = keepers[member], question.s
            worker.begin(s, self._table, age, None)
            moves = self.game.legal_moves(s)
            known = self.known(s)
            if known is not None and known.move is not None:
                moves.sort(key=lambda move: move != known.move)
            return find_proven_move(worker, question, moves)

        return crew.run(lambda report: crew.hand_out(questions, answer), stop=stop)
