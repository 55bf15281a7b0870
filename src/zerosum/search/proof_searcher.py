"""Proof-number search for an engine: options, workers on one table, and results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from zerosum.errors import GameError
from zerosum.game import MAX, MIN, Game
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import HALT, NODE_LIMIT, NODES, STOP
from zerosum.jit.rules import Rules
from zerosum.running.crew import Crew, Member
from zerosum.running.stopping import Stop
from zerosum.search.algorithm import Algorithm, Request, Searcher, Setup
from zerosum.search.limits import MAX_PLY, NO_LIMIT, check_hash
from zerosum.search.options import margin_unit
from zerosum.search.peek import Known
from zerosum.search.probing import ANYWHERE
from zerosum.search.proof import PROVING, PROVING_WITH_DATABASE
from zerosum.search.proof_line import known_moves, line_of, most_promising
from zerosum.search.proof_peek import ProofPeeker
from zerosum.search.proof_questions import Answer, Question, Standing, find_out, first_standing
from zerosum.search.proof_table import DRAWN, age_of, measure_of, time_of
from zerosum.search.result import Numbers, Report, Result, finished_result, make_result
from zerosum.search.table import OLDEST, Table
from zerosum.search.worker import note_past

FIRST_REPORT = 1 << 14
GROWTH = 1.5
"""The first report comes after FIRST_REPORT positions, each later one after GROWTH times as many. With each report
workers lose what they know about their lines, so the time between reports must grow: see "Little memory" in
``proof``."""


SHORTENING = 300_000
"""Positions that the search for a nearer win may visit, in addition to a quarter of those of the proof."""

LINE_WORK = 10_000
"""Positions that the search for the line may visit, in addition to those of the proof."""


class Proof(Algorithm):
    """Proof-number search (df-pn): follows the moves that need the least work to prove who wins.

    For positions that can be solved: mates, endgames, small boards. It needs no evaluation and has no depth, and it
    gives no value until it is proven.

    Options:
        mobility: initialise a new position with the number of moves of the player who must try them all. On by default.
        evaluate: initialise a new position from the game's evaluation.
        weak: where all moves must be tried, count the hardest plus one for each other, instead of the sum: for games
            with many transpositions.
        shorten: after proving a win, look for a nearer one for a while. On by default.

    >>> Proof(mobility=False)
    Proof(mobility=False)
    """

    name = "proof"
    about = "proof-number search: follows the moves that need the least work to prove who wins"
    kinds: ClassVar[Mapping[str, type]] = {"mobility": bool, "evaluate": bool, "weak": bool, "shorten": bool}
    solves = uses_database = True

    def kernel(self, game: Game, has_endings: bool = False) -> Kernel:
        """The kernel for a game, with or without an endgame database."""
        return PROVING_WITH_DATABASE if has_endings else PROVING

    def searcher(self, setup: Setup) -> Searcher:
        game = setup.game
        if game.has("chances"):
            raise GameError(f"{game.name} has chance nodes: nothing can be proven; use 'alphabeta'")
        if self.chosen.get("evaluate"):
            game.require("evaluate", "proof with evaluate")
        return ProofSearcher(setup, self.kernel(game, setup.endings is not None), self.chosen)


@dataclass
class Budget:
    """The positions that a search may still visit, and the callback for its progress."""

    nodes: int = NO_LIMIT
    report: Callable[[Answer], None] | None = None


class ProofSearcher(Searcher):
    """Workers that share a table; what they prove stays in it for the next search."""

    def __init__(self, setup: Setup, kernel: Kernel, options: Mapping[str, Any]) -> None:
        self.setup, self.game, self._kernel, self.options = setup, setup.game, kernel, options
        self.threads = setup.threads if setup.target.is_compiled else 1
        self.unit = margin_unit(self.game)
        self._table = Table(check_hash(setup.hash_mb), setup.target)
        self._crew: Crew | None = None
        self._directory: Any = None
        self._key = Rules(self.game, ("key",), compiled=False).key if self.game.repetition else None
        self._age = self._asked = 0

    # Preparing

    def _load(self) -> Crew:
        if self._crew is None:
            if self.setup.endings is not None:
                self._directory = self.setup.endings()
            crew = Crew(self._kernel, self.game, self.threads, self.setup.target)
            crew.put(table=self._table.address, table_mask=self._table.mask, unit=self.unit)
            if self._directory is not None:
                crew.put(database=self._directory.address, root_tier=ANYWHERE)
            crew.put(mobility=int(self.options.get("mobility", True)), judged=int(self.options.get("evaluate", False)))
            crew.put(weak=int(self.options.get("weak", False)))
            if self.threads > 1:
                crew.put(helpers=1, busy=self._table.busy.ctypes.data)
            self._crew = crew
        return self._crew

    def prepare(self) -> None:
        self._load()
        self._table.touch()

    def clear(self) -> None:
        self._table.clear()
        self._age = 0

    def hashfull(self) -> int:
        words = self._table.words
        if words is None:
            return 0
        sample = [int(word) for word in words[1 : min(len(words), 2000) : 2]]
        written = sum(word != 0 and int(age_of(word)) == self._asked for word in sample)
        return 1000 * written // len(sample)

    @property
    def nodes(self) -> int:
        """Positions visited since the search began."""
        return sum(int(member.row[NODES]) for member in self._load())

    def known(self, s: Any) -> Known | None:
        if self.game.scored or self._table.words is None:
            return None  # each margin was a separate question
        return self._peeker.known(s)

    @cached_property
    def _peeker(self) -> ProofPeeker:
        return ProofPeeker(self.game, self._table)

    # Asking

    def _begin(self, position: Any, free: bool, depth: int | None) -> None:
        for member in self._load():
            member.row[NODES] = 0
            member.is_free, member.salt, member.age = int(free), 0, self._age
            if self._key is not None:
                note_past(member, self._key, position, free)
        self._depth = depth
        self._asked = self._age
        self._age = (self._age + 1) % (OLDEST + 1) or 1

    _depth: int | None = None
    """The caller's limit on the plies of a line, if any."""

    def _limit(self, depth: int | None) -> None:
        """Limit lines to ``depth`` plies; None for no limit."""
        self._load().put(longest=MAX_PLY if depth is None else depth, is_limited=int(depth is not None))

    def _ask(self, question: Question, s: Any, moves: list[int], budget: Budget) -> Answer:
        """The answer for a position, with its clock. ``moves`` are those to choose from; empty means all."""
        game = self.game
        if not game.has("clock"):
            return self._work(question, s, moves, budget)
        if game.repetition:
            # First without the clock, so that positions that differ only in it count as one. A clock only makes draws:
            # a position that nobody wins without it nobody wins with it, and a win that comes in time is the same win.
            answer = self._work(question, s, moves, budget)
            in_time = time_of(answer.fact) <= game.clock(s)
            if not answer.is_decided or in_time:
                return answer
            if not answer.is_proven:
                return replace(answer, fact=answer.fact | DRAWN)
        return self._work(question, s, moves, budget, counts_clock=True)

    def _work(self, question: Question, s: Any, moves: list[int], budget: Budget, counts_clock: bool = False) -> Answer:
        """Run all workers until one has the answer, they are stopped, or the budget is spent."""
        crew = self._load()
        crew.put(attacker=question.attacker, bar=question.bar, counts_clock=int(counts_clock), root_count=len(moves))
        crew.put(question=question.key(counts_clock))
        for member in crew:
            member.put_state(s)
            member.row[member.at["root_moves"] : member.at["root_moves"] + len(moves)] = moves
        due = FIRST_REPORT
        while True:
            portion = budget.nodes if budget.report is None else min(due, budget.nodes)
            before = self.nodes
            answer = self._portion(crew, question, portion)
            budget.nodes -= self.nodes - before if budget.nodes < NO_LIMIT else 0
            if answer.proof == 0 or answer.disproof == 0 or budget.nodes <= 0 or any(m.row[HALT] for m in crew):
                return answer
            if budget.report is not None:
                budget.report(answer)
            due = int(GROWTH * due)

    def _portion(self, crew: Crew, question: Question, nodes: int) -> Answer:
        """Work on a question for ``nodes`` more positions; the first worker's view stays in its memory."""
        share = -(-nodes // len(crew))
        for member in crew:
            member.row[STOP] = 0
            member.row[NODE_LIMIT] = NO_LIMIT if nodes >= NO_LIMIT else int(member.row[NODES]) + share

        def run(member: Member) -> Answer:
            member.run()
            numbers = int(member.proof), int(member.disproof), int(member.facts)
            answer = Answer(question, *numbers, known_moves(member))
            if answer.proof == 0 or answer.disproof == 0:
                for other in crew:
                    other.row[STOP] = 1
            return answer

        if len(crew) == 1:
            return run(crew[0])
        answers = crew.all(run)
        return min(answers, key=lambda answer: min(answer.proof, answer.disproof))

    # Searching

    def search(self, request: Request) -> Result:
        crew, started = self._load(), time.perf_counter()
        free = request.is_free and len(request.moves) == len(self.game.legal_moves(request.s))
        self._begin(request.position, free, request.limits.depth)
        budget = Budget(request.limits.nodes or NO_LIMIT)

        def work(report: Report) -> Result:
            found: list[Result] = []
            moves = list(request.moves)
            while moves and len(found) < request.lines:
                result = self._search_one(request.s, moves, budget, started, report if not found else None)
                found.append(result)
                if not result.proven:
                    break
                moves = [move for move in moves if move != result.move]
            best = replace(found[0], proven=all(one.proven for one in found), exact=all(one.exact for one in found))
            return replace(best, lines=tuple(found))

        left = None
        if request.limits.seconds is not None:
            left = max(0.0, started + request.limits.seconds - time.perf_counter())
        return crew.run(work, stop=request.stop, seconds=left, on_report=request.on_report or (lambda result: None))

    def solve(
        self,
        positions: Iterable[tuple[Any, Any]],
        seconds: float | None,
        stop: Stop,
        on_report: Report | None = None,
    ) -> Iterator[Result]:
        crew = self._load()

        def solve_one(asked: tuple[Any, Any], ending: Stop, report: Report) -> Result:
            position, s = asked
            if not self.game.legal_moves(s):
                return finished_result(self.game, s)
            self._begin(position, True, None)
            return self._search_one(s, [], Budget(), time.perf_counter(), report if on_report else None)

        return crew.each(positions, solve_one, stop=stop, seconds=seconds, on_report=on_report)

    def _search_one(self, s: Any, moves: list[int], budget: Budget, started: float, report: Report | None) -> Result:
        """The value of a position with the move and a line, or how near an answer is."""
        game = self.game
        # The game's bounds hold only if all moves are allowed.
        is_whole = not moves or len(moves) == len(game.legal_moves(s))
        bounds = game.bounds(s) if game.has("bounds") and game.scored and is_whole else None
        standing = first_standing(game, None if bounds is None else (int(bounds[0]), int(bounds[1])))
        guess = int(game.evaluate(s)) if game.has("evaluate") else 0
        mover = game.to_move(s)
        other = MIN if mover == MAX else MAX
        behind = guess < -self.unit if mover == MAX else guess > self.unit
        first = other if behind else mover

        def tell(answer: Answer) -> None:
            if report is not None:
                report(self._unfinished(s, moves, replace(standing, last=answer), started))

        budget.report = tell if report is not None else None
        self._limit(self._depth)
        for _ in find_out(game, standing, first, guess, lambda question: self._ask(question, s, moves, budget)):
            pass
        if not standing.is_known:
            return self._unfinished(s, moves, standing, started)
        budget.report = None
        exact = game.scored or standing.low == 0 or self._shorten(s, moves, standing, budget)
        nodes = self.nodes
        line = self._line(s, moves, standing, nodes)
        if not line:  # the game's own bounds may give the value before a move that keeps it is found
            return self._unfinished(s, moves, standing, started)
        if not game.scored and standing.low:
            # Only bounds are known for the loser's moves. A line that ends too soon is not the best defence.
            exact = exact and len(line) == standing.plies
        seconds = time.perf_counter() - started
        value = standing.value(game.scored)
        return make_result(game, value, line, len(line), nodes, seconds, proven=True, exact=exact)

    def _shorten(self, s: Any, moves: list[int], standing: Standing, budget: Budget) -> bool:
        """Look for a nearer win, with a quarter of the proof's work and some more; whether the win is the nearest.

        Bisects the number of plies. An answer that no win exists within them is as certain as a win.
        """
        answer = standing.decision
        if answer is None or not answer.is_proven or not self.options.get("shorten", True):
            return standing.plies == 1
        # Uncompiled, the same work takes a hundred times as long.
        more = SHORTENING if self.setup.target.is_compiled else SHORTENING // 100
        none, work = 0, Budget(min(budget.nodes, self.nodes // 4 + more))
        before = work.nodes
        while none + 1 < standing.plies < MAX_PLY and work.nodes > 0:
            middle = (none + standing.plies) // 2
            self._limit(middle)
            nearer = self._ask(answer.question, s, moves, work)
            if nearer.is_proven and measure_of(nearer.fact) <= middle:
                standing.note(nearer, scored=False)
                standing.limit = middle
            elif nearer.disproof == 0:
                none = middle
            else:
                break
        if budget.nodes < NO_LIMIT:
            budget.nodes -= before - work.nodes
        return none + 1 == standing.plies

    def _line(self, s: Any, moves: list[int], standing: Standing, nodes: int) -> tuple[int, ...]:
        """Moves that show the value. What the table has lost is proven again, with at most the original work."""
        budget = Budget(nodes + LINE_WORK)

        def ask(question: Question, s: Any, moves: list[int], ply: int) -> Answer | None:
            self._limit(self._depth if standing.limit is None else max(standing.limit - ply, 1))
            answer = self._ask(question, s, moves, budget) if budget.nodes > 0 else None
            return answer if answer is not None and answer.is_decided else None

        return line_of(self.game, s, moves, standing, ask)

    def _unfinished(self, s: Any, moves: list[int], standing: Standing, started: float) -> Result:
        """The result so far: no value, but numbers that say how near an answer is."""
        game = self.game
        answer = standing.last or Answer(Question.at_least(standing.low), 1, 1)
        move = most_promising(answer.moves, game.to_move(s) == answer.question.attacker)
        if move is None:
            move = (moves or game.legal_moves(s))[0]
        numbers = Numbers(answer.question.in_words(game.scored), answer.proof, answer.disproof)
        seconds = time.perf_counter() - started
        return replace(make_result(game, 0, (move,), 1, self.nodes, seconds), numbers=numbers)
