"""Monte-Carlo tree search for an engine: options, workers on one tree, and results from the tree."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from zerosum.errors import LimitError
from zerosum.game import CHANCE, MAX, WIN, Game
from zerosum.jit.bits import mix, signed
from zerosum.jit.kernel import Kernel
from zerosum.jit.plan import NODE_LIMIT, NODES, width_of
from zerosum.jit.rules import Rules
from zerosum.jit.words import float_word, word_float
from zerosum.running.crew import Crew, Member
from zerosum.search.algorithm import Algorithm, Request, Searcher, Setup
from zerosum.search.limits import check_hash
from zerosum.search.mcts import COLLECT, FIND_ROOT, LOGS, MAKE_ROOT, MCTS, SIMULATE
from zerosum.search.memory import SALT
from zerosum.search.options import margin_unit, switch
from zerosum.search.result import Progress, Report, Result
from zerosum.search.tree import (
    CHILD,
    EDGE,
    HEAD,
    HIGH,
    LOST,
    LOW,
    MOVE,
    MOVE_BITS,
    SCORES,
    SIZE,
    TOTAL,
    TRIES,
    VISITS,
    Tree,
    decision_of,
    edges_of,
    mover_of,
)
from zerosum.search.values import WON
from zerosum.search.worker import note_past

SLICE = 0.05
"""Seconds between two checks of the clock and the tree."""

FIRST_REPORT = 64
GROWTH = math.sqrt(2)
"""The first report comes after FIRST_REPORT simulations, each later one after GROWTH times as many."""

DEFAULT_SEED = 2006
CERTAIN = 0.9999
"""Unproven mean results are clamped to ±CERTAIN before they are converted to values."""


class Mcts(Algorithm):
    """Monte-Carlo tree search (UCT): good moves without an evaluation, from random games.

    Options:
        explore: how often moves that look worse are tried again; 100 is an exploration constant of 1.
        evaluate: the weight of the game's evaluation, in percent, where a simulation leaves the tree; the rest comes
            from a random game. Default 0.
        by_score: in scored games, maximise the margin rather than the chance of winning. The default in games with
            chance.
        order: use the game's ``order``, if it has one, as prior (PUCT).
        seed: seed of all random numbers. On one thread, equal seeds and simulations give equal trees.

    >>> Mcts(explore=70)
    Mcts(explore=70)
    """

    name = "mcts"
    about = "Monte-Carlo tree search: random games, or the evaluation, in a tree that grows where they go well"
    kinds: ClassVar[Mapping[str, type]] = {
        "explore": int,
        "evaluate": int,
        "by_score": bool,
        "order": bool,
        "seed": int,
    }

    def kernel(self, game: Game, has_endings: bool = False) -> Kernel:
        return MCTS

    def searcher(self, setup: Setup) -> Searcher:
        for option, low, high in (("explore", 0, 10_000), ("evaluate", 0, 100), ("seed", 0, 2**63 - 1)):
            number = self.chosen.get(option, low)
            if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
                raise LimitError(f"{option} must be a whole number from {low} to {high}, not {number!r}")
        if self.chosen.get("evaluate"):
            setup.game.require("evaluate", "mcts with evaluate")
        return MctsSearcher(setup, self.chosen)


@dataclass(frozen=True)
class Branch:
    """A move of a node: how often it was tried, its mean result for MAX from -1 to 1, and its child node (or 0)."""

    move: int
    tries: int
    mean: float
    child: int
    is_lost: bool


class MctsSearcher(Searcher):
    """Workers that share a tree, which is kept from move to move."""

    def __init__(self, setup: Setup, options: Any) -> None:
        self.setup, self.game = setup, setup.game
        self.threads = setup.threads if setup.target.is_compiled else 1
        self.unit = margin_unit(self.game)
        self.explore = options.get("explore", 100) / 100
        self.mixture = options.get("evaluate", 0) / 100
        self.by_score = bool(options.get("by_score", self.game.has("chances")))
        self.by_order = bool(options.get("order", False)) and self.game.has("order")
        self.seed = options.get("seed", DEFAULT_SEED)
        size = check_hash(setup.hash_mb)
        self._tree = Tree(size, self.threads, width_of(self.game), setup.target)
        self._crew: Crew | None = None
        self._key = Rules(self.game, ("key",), compiled=False).key if self.game.repetition else None
        self._salt = self._searches = 0

    # Preparing

    def _load(self) -> Crew:
        if self._crew is None:
            crew = Crew(MCTS, self.game, self.threads, self.setup.target)
            crew.put(tree=self._tree.address, switches=switch("early_repetition"))
            crew.put(explore=float_word(self.explore), mixture=float_word(self.mixture), by_score=int(self.by_score))
            crew.put(by_order=int(self.by_order))
            logs = [float_word(math.log(max(n, 1))) for n in range(LOGS)]
            roots = [float_word(1 / math.sqrt(max(n, 1))) for n in range(LOGS)]
            for number, member in enumerate(crew):
                member.part = number
                member.row[member.at["logs"] : member.at["logs"] + LOGS] = logs
                member.row[member.at["roots"] : member.at["roots"] + LOGS] = roots
            self._crew = crew
        return self._crew

    def prepare(self) -> None:
        self._load()
        self._tree.touch()

    def clear(self) -> None:
        self._tree.clear()
        self._searches = 0

    def progress(self) -> Progress | None:
        return None

    def hashfull(self) -> int:
        return self._tree.fullness()

    # Searching

    def search(self, request: Request) -> Result:
        crew = self._load()
        started = time.perf_counter()
        self.begin(request)

        def work(report: Report) -> Result:
            due, speed = FIRST_REPORT, 1000.0
            while not request.stop.is_set():
                done = self.simulations
                most = min(due, request.limits.nodes or due) - done
                before = time.perf_counter()
                self._simulate(crew, max(1, min(most, int(speed * SLICE) + 1)))
                now = self.simulations
                if now > done:
                    speed = (now - done) / max(time.perf_counter() - before, 1e-6)
                if any(member.full for member in crew):
                    self.collect()
                if now >= due or now == done:
                    while due <= now:
                        due = int(due * GROWTH) + 1
                    found = self.result(request, started)
                    report(found)
                    if self._is_enough(request, found, now, done):
                        break
                elif request.limits.nodes is not None and now >= request.limits.nodes:
                    break
            return self.result(request, started)

        left = None
        if request.limits.seconds is not None:
            left = max(0.0, started + request.limits.seconds - time.perf_counter())
        return crew.run(work, stop=request.stop, seconds=left, on_report=request.on_report or (lambda result: None))

    @property
    def member(self) -> Member:
        """The first worker."""
        return self._load()[0]

    @property
    def root(self) -> int:
        """The address of the root's node."""
        return int(self.member.root)

    @property
    def simulations(self) -> int:
        """The number of simulations since the last search began."""
        return sum(int(member.row[NODES]) for member in self._load())

    @property
    def is_decided(self) -> bool:
        """Whether the value of the root is settled."""
        return self._is_settled(*self._bounds(self.root))

    def _is_enough(self, request: Request, found: Result, now: int, before: int) -> bool:
        limits = request.limits
        if now == before or (limits.nodes is not None and now >= limits.nodes):
            return True
        return found.proven or (limits.depth is not None and found.depth >= limits.depth)

    def begin(self, request: Request) -> None:
        """Set the root; an earlier search may have left its node."""
        crew = self._load()
        seed = mix(signed(self.seed), self._searches)
        self._searches += 1
        for number, member in enumerate(crew):
            member.put_state(request.s)
            member.dice = mix(seed, number)
            member.row[NODES] = member.full = 0
            member.scale = float_word(self._scale())
            if self._key is not None:
                note_past(member, self._key, request.position, request.is_free)
        salt = int(crew[0].row[SALT])
        if salt != self._salt:
            self._tree.clear()  # its proofs may not hold with other positions that must not be repeated
            self._salt = salt
        first = crew[0]
        for _ in range(2):
            first.task = FIND_ROOT if not request.moves or self._has_all(request) else MAKE_ROOT
            first.row[first.at["root_moves"] : first.at["root_moves"] + len(request.moves)] = request.moves
            first.root_count = len(request.moves)
            first.run()
            if first.root:
                break
            self._tree.clear()
            first.full = 0
        crew.put(root=int(first.root), task=SIMULATE)

    def _has_all(self, request: Request) -> bool:
        return len(request.moves) == len(self.game.legal_moves(request.s))

    def _scale(self) -> float:
        """The points that count as a result of 1: the largest possible score, or a clear advantage by evaluation."""
        if self.game.scored and self.game.has("bounds"):
            low, high = self.game.bounds(self.game.start())
            return float(max(abs(low), abs(high), 1))
        return float(4 * self.unit) if not self.game.scored else float(max(self.unit, 16))

    def _simulate(self, crew: Crew, count: int) -> None:
        share = -(-count // len(crew))
        for member in crew:
            member.row[NODE_LIMIT] = int(member.row[NODES]) + share
        if len(crew) == 1:
            crew[0].run()
        else:
            crew.all(lambda member: member.run())

    def collect(self) -> None:
        """Make room in the tree; the most visited nodes are kept."""
        crew = self._load()
        first = crew[0]
        first.task = COLLECT
        first.run()
        crew.put(root=int(first.root), task=SIMULATE, full=0)

    # Results from the tree

    def _branches(self, at: int) -> list[Branch]:
        words = self._tree.words
        found = []
        for e in range(at + HEAD, at + HEAD + EDGE * edges_of(int(words[at + SIZE])), EDGE):
            tries = int(words[e + TRIES])
            mean = word_float(int(words[e + TOTAL])) / tries if tries else 0.0
            move = int(words[e + MOVE])
            found.append(Branch(move & MOVE_BITS, tries, mean, int(words[e + CHILD]), bool(move & LOST)))
        return found

    def result(self, request: Request, started: float | None = None) -> Result:
        """The current result."""
        root, simulations = self.root, self.simulations
        seconds = 0.0 if started is None else time.perf_counter() - started
        if not request.moves:
            return self._result_of(root, (), None, simulations, seconds)
        branches = sorted(self._branches(root), key=self._rank(root), reverse=True)
        lines = tuple(
            self._result_of(one.child, self._line(one), one, simulations, seconds) for one in branches[: request.lines]
        )
        # The best line may be fully known while another might still be better, so use the root's bounds.
        best = self._valued(lines[0], *self._bounds(root), lines[0].value)
        return replace(best, lines=lines)

    def _valued(self, result: Result, low: float, high: float, guess: float) -> Result:
        """The result with the value that its bounds prove, or else with the guess."""
        game, exact = self.game, low >= high
        if not game.scored and (low >= WON or high <= -WON):
            value = int(low if low >= WON else high)
            won = 1 if value > 0 else -1
            return replace(result, value=value, outcome=won, distance=WIN - abs(value), proven=True, exact=exact)
        if not exact:
            return replace(result, value=guess, outcome=None, distance=None, proven=False, exact=False)
        if game.has("chances"):
            return replace(result, value=low, outcome=None, distance=None, proven=True, exact=True)
        return replace(result, value=int(low), outcome=(low > 0) - (low < 0), distance=None, proven=True, exact=True)

    def _rank(self, at: int) -> Any:
        """The sort key of a node's moves: by certain results first, then by number of tries.

        A decided move is not tried any more, so its tries say nothing: it comes first if its value is at least the
        mean of the most tried move. Of the moves that keep a certain result, the one decided first comes first, since
        the others may only lead back. If the node that proved the result was discarded, a move that may keep it is
        chosen.
        """
        sign = 1 if mover_of(int(self._tree.words[at + SIZE])) == MAX else -1
        low, high = self._bounds(at)
        sure, settled = low if sign > 0 else -high, self._is_settled(low, high)
        hopes = [(one.tries, sign * one.mean) for one in self._branches(at) if not one.is_lost]
        hope = max(hopes, default=(0, 0.0))[1]
        reaches = settled and (low >= high or sure >= WON)

        def rank(one: Branch) -> tuple[bool, bool, int, bool, bool, int, float]:
            worst, best, known, decision = -math.inf, math.inf, False, 0
            if one.child:
                least, most = map(self._farther, self._bounds(one.child))
                worst, best = (least, most) if sign > 0 else (-most, -least)
                known = self._is_settled(least, most) and sign * self._normal(least) >= hope
            keeps, may_keep = settled and worst >= sure, settled and best >= sure
            if keeps and reaches:
                decision = decision_of(int(self._tree.words[one.child + SIZE]))
            return keeps, may_keep, -decision, not one.is_lost, known, one.tries, sign * one.mean

        return rank

    def _is_settled(self, low: float, high: float) -> bool:
        return low >= high or (not self.game.scored and (low >= WON or high <= -WON))

    def _normal(self, points: float) -> float:
        """Convert points to a result from -1 to 1, as in simulations."""
        if self.by_score:
            return max(-1.0, min(points / self._scale(), 1.0))
        return (points > 0) - (points < 0)

    def _bounds(self, at: int) -> tuple[float, float]:
        """The proven lower and upper bounds of a node."""
        words = self._tree.words
        return word_float(int(words[at + LOW])), word_float(int(words[at + HIGH]))

    def _farther(self, bound: float) -> float:
        """A bound seen from one ply earlier."""
        if self.game.scored or abs(bound) < WON:
            return bound
        return bound - 1 if bound > 0 else bound + 1

    def _line(self, one: Branch) -> tuple[int, ...]:
        """The expected line: the best-ranked moves."""
        line, seen = [one.move], set()
        while one.child and one.child not in seen and mover_of(int(self._tree.words[one.child + SIZE])) != CHANCE:
            seen.add(one.child)
            branches = [branch for branch in self._branches(one.child) if branch.tries]
            if not branches:
                break
            one = max(branches, key=self._rank(one.child))
            line.append(one.move)
        return tuple(line)

    def _result_of(
        self, at: int, line: tuple[int, ...], one: Branch | None, simulations: int, seconds: float
    ) -> Result:
        """The result for a move, or for the root itself if chance is to move."""
        low, high = -math.inf, math.inf
        if at:
            low, high = self._bounds(at)
            if one is not None:
                low, high = self._farther(low), self._farther(high)
        bare = Result(line[0] if line else None, 0, None, None, False, line, len(line), simulations, seconds)
        return self._valued(bare, low, high, self._guess(at, one))

    def _guess(self, at: int, one: Branch | None) -> float:
        """An estimate of the value, in the game's own points."""
        words = self._tree.words
        if self.game.scored:
            visits = int(words[at + VISITS]) if at else 0
            mean = (
                word_float(int(words[at + SCORES])) / visits if visits else (one.mean * self._scale() if one else 0.0)
            )
            return mean if self.game.has("chances") else round(mean)
        mean = one.mean if one is not None else 0.0
        # Turn the mean result into an advantage: odds of e to 1 are one unit.
        return round(2 * self.unit * math.atanh(max(-CERTAIN, min(mean, CERTAIN))))
