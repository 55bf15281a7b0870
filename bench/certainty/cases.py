"""Cases: one world, one engine, and the calls to make, step by step; and the check of everything it returns.

A case is plain data, so it can be printed, reduced and repeated.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from certainty.claims import Claim, Truth, in_words, value_in_words
from certainty.worlds import World
from zerosum import AlphaBeta, Mcts, Proof
from zerosum.engine import Engine
from zerosum.errors import MoveError
from zerosum.game import MAX, Line
from zerosum.search.options import NEEDS, SOUND, UNSOUND
from zerosum.search.result import Result

SIMULATIONS = 3000
HASHES = (1 / 16, 1.0, 64.0)
"""Sizes of the tables in megabytes, from 64 KB up."""

TECHNIQUES = (*SOUND, *UNSOUND, "exact_draft")

SAMPLED = 0.15
"""The share of cases for Monte-Carlo tree search, which searches where others solve."""

PROVED = 0.25
"""The share of cases for proof-number search."""


@dataclass(frozen=True)
class Step:
    """One call of the engine, in a position given by a start and moves from it."""

    do: str  # "search", "solve" or "clear"
    start: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    multipv: int = 1
    only: list[int] | None = None


@dataclass(frozen=True)
class Case:
    """A case; ``world`` names its class, ``subject`` the game within the class."""

    world: str
    subject: dict[str, Any]
    steps: list[Step]
    options: dict[str, Any] = field(default_factory=dict)
    threads: int = 1
    hash_mb: float = 1.0
    jit: bool = True

    def as_json(self) -> str:
        data = asdict(self)
        plain = asdict(Step("clear"))
        data["steps"] = [{k: v for k, v in step.items() if k == "do" or v != plain[k]} for step in data["steps"]]
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Case:
        data = json.loads(text)
        return cls(**{**data, "steps": [Step(**step) for step in data["steps"]]})


@dataclass(frozen=True)
class Difference:
    """A wrong claim of the engine."""

    what: str  # "winner", "distance", "value", "line" or "error"
    where: str  # "result" or "table"
    text: str
    step: int


class Tally:
    """Counts of what has been checked, by class and by setting."""

    def __init__(self) -> None:
        self.searches: Counter[str] = Counter()
        self.results: Counter[str] = Counter()
        self.entries: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.settings: Counter[str] = Counter()
        self.differences: Counter[tuple[str, str]] = Counter()

    def add(self, other: Tally) -> None:
        for name, counter in vars(other).items():
            getattr(self, name).update(counter)

    def proven(self, world: str) -> int:
        return self.results[world] + self.entries[world]


def random_options(rng: Random, has: Any) -> dict[str, Any]:
    """Return the default options, or some of them changed, or all at random; sometimes those of sampling."""
    if rng.random() < SAMPLED:
        explore, order = rng.choice((20, 70, 140)), rng.random() < 0.5
        return {"algorithm": "mcts", "explore": explore, "order": order, "seed": rng.randrange(1000)}
    if rng.random() < PROVED:
        return proof_options(rng, has("evaluate"))
    usable = [name for name in TECHNIQUES if name not in NEEDS or has(NEEDS[name])]
    chance = rng.choice((0.0, 0.1, 0.5))
    options: dict[str, Any] = {}
    for name in usable:
        if name in SOUND and rng.random() < chance / 2:
            options[name] = False
        elif name not in SOUND and rng.random() < chance:
            options[name] = True
    if options.get("exact_draft") and options.get("table") is False:
        del options["exact_draft"]
    if options.get("razoring") and "quiescence" in usable:
        options["quiescence"] = True
    options["unit"] = rng.choice((1, 2, 100))
    return options


def proof_options(rng: Random, has_evaluate: bool = False) -> dict[str, Any]:
    usable = [name for name in Proof.kinds if has_evaluate or name != "evaluate"]
    return {"algorithm": "proof", **{name: rng.random() < 0.5 for name in usable}}


def run(case: Case, world: World, tally: Tally, first: bool = False) -> list[Difference]:
    """Run the steps with one engine and check everything it returns; with ``first``, stop at the first fault."""
    engine = _engine(case, world)
    samples = isinstance(engine.algorithm, Mcts)
    rng = Random(case.subject.get("walks", 0))
    found: list[Difference] = []
    use = "new"
    for number, step in enumerate(case.steps):
        if step.do == "clear":
            engine.clear()
            use = "new"
            continue
        line = Line(world.game, world.game.state_type.from_words(step.start), step.moves)
        checker = Checker(world, line, step, number)
        try:
            results = _ask(engine, step, line)
            for result in results:
                checker.check(result)
            for s, claim in () if samples else world.entries(engine, line, rng):
                checker.check_entry(s, claim)
        except Exception as problem:  # any error of an engine is a fault here
            checker.note("error", "result", f"{type(problem).__name__}: {problem}")
            results = []
        _count(tally, case, step, use, engine, checker)
        found += checker.found
        if found and first:
            break
        use = "continued" if results and (results[-1].proven or step.depth) else "resumed"
    return found


def _engine(case: Case, world: World) -> Engine:
    options = dict(case.options)
    kind = {"mcts": Mcts, "proof": Proof}.get(options.pop("algorithm", ""), AlphaBeta)
    chosen, database = kind(**options), world.database() if kind.uses_database else None
    return Engine(world.game, chosen, threads=case.threads, hash_mb=case.hash_mb, database=database, jit=case.jit)


def _ask(engine: Engine, step: Step, line: Line) -> list[Result]:
    """Return the results of a step, intermediate reports first."""
    if step.do == "solve" and engine.algorithm.solves:
        return [engine.solve(line, seconds=step.seconds)]
    if step.do == "solve":
        return [engine.search(line, nodes=SIMULATIONS)]
    reports: list[Result] = []
    result = engine.search(
        line,
        depth=step.depth,
        nodes=step.nodes,
        seconds=step.seconds,
        multipv=step.multipv,
        moves=step.only,
        on_report=reports.append,
    )
    return [*(r for r in reports if r.proven and r.depth < result.depth), result]


def _count(tally: Tally, case: Case, step: Step, use: str, engine: Engine, checker: Checker) -> None:
    world, proven = case.world, checker.results + checker.entries
    tally.searches[world] += 1
    tally.results[world] += checker.results
    tally.entries[world] += checker.entries
    for difference in checker.found:
        tally.differences[world, f"{difference.what} ({difference.where})"] += 1
    settings = [
        step.do,
        f"{case.threads} thread{'s' if case.threads > 1 else ''}",
        f"table {case.hash_mb * 1024:g} KB" if case.hash_mb < 1 else f"table {case.hash_mb:g} MB",
        "compiled" if case.jit else "plain",
        f"engine {use}",
        "with past moves" if step.moves else "without past moves",
    ]
    if step.nodes:
        settings.append("limited by nodes")
    settings.append(engine.algorithm.name)
    if isinstance(engine.algorithm, AlphaBeta):
        options = engine.algorithm.options(engine.game)
        settings += [f"{name} {'on' if getattr(options, name) else 'off'}" for name in TECHNIQUES]
    for setting in settings:
        tally.settings[setting] += proven


class Checker:
    """Compares the results of one step with the truth."""

    def __init__(self, world: World, line: Line, step: Step, number: int) -> None:
        self.world, self.line, self.step, self.number = world, line, step, number
        self.scored = world.game.scored
        self.results = self.entries = 0
        self.found: list[Difference] = []

    def note(self, what: str, where: str, text: str) -> None:
        self.found.append(Difference(what, where, f"{text} [{self._where()}]", self.number))

    def _where(self) -> str:
        position = self.world.game.format_state(self.line.state)
        past = f" after {self.step.moves}" if self.step.moves else ""
        return f"{self.step.do} of {position!r}{past}"

    def check(self, result: Result) -> None:
        """Check a result's value and its lines, which must be legal."""
        truth = self._root_truth()
        if truth is not None:
            self._check_value(result, truth, "result")
        for place, line in enumerate(result.lines if self.step.multipv > 1 else ()):
            after = self._after(line.move) if line.move is not None else None
            if after is not None:
                self._check_value(line, after, f"line {place + 1} of the result")
        self._check_pv(result)

    def _root_truth(self) -> Truth | None:
        if self.step.only is None:
            return self.world.truth(self.line)
        values = [self._after(move) for move in self.step.only]
        known = [value for value in values if value is not None]
        if len(known) < len(values) or not known:
            return None
        best = max if self.world.game.to_move(self.line.state) == MAX else min
        return Truth(best(value.low for value in known), best(value.high for value in known))

    def _after(self, move: int) -> Truth | None:
        """Return the value of a move, as seen from the root."""
        line = self.line.play(move)
        if self.world.is_drawn(line) and not self.world.game.is_over(line.state):
            return Truth(0, 0)
        truth = self.world.truth(line)
        return None if truth is None else truth.later(1, self.scored)

    def _check_value(self, result: Result, truth: Truth, what: str) -> None:
        if not result.proven and (self.scored or result.outcome is None):
            return
        self.results += 1
        fault = Claim(int(result.value), 0, result.proven and _is_dated(result)).fault(truth, self.scored)
        if fault:
            verdict = "proven" if result.proven else "not called proven, but with an outcome"
            said = value_in_words(int(result.value), self.scored)
            self.note(fault, "result", f"{what}: {said}, {verdict}; it is {in_words(truth, self.scored)}")

    def _check_pv(self, result: Result) -> None:
        """Check that the line is legal, and leads to the value if that is exact."""
        line, world = self.line, self.world
        try:
            for move in result.pv:
                line = line.play(move)
                if world.is_drawn(line):
                    break
        except MoveError as problem:
            self.note("line", "result", f"{list(result.pv)} cannot be played: {problem}")
            return
        exact = self.scored or not result.value or bool(getattr(result, "exact", True))
        if (
            not result.proven
            or not exact
            or not result.pv
            or (result.outcome and result.distance is None and not self.scored)
        ):
            return
        plies = len(line) - len(self.line)
        drawn = world.is_drawn(line) and not world.game.is_over(line.state)
        truth = Truth(0, 0) if drawn else world.truth(line)
        if truth is None:
            return
        if Claim(int(result.value)).fault(truth.later(plies, self.scored), self.scored):
            said, at_end = value_in_words(int(result.value), self.scored), in_words(truth, self.scored)
            self.note("line", "result", f"{said} by {list(result.pv)[:plies]}, but there it is {at_end}")

    def check_entry(self, s: Any, claim: Claim) -> None:
        truth = self.world.alone(s)
        if truth is None:
            return
        self.entries += 1
        fault = claim.fault(truth, self.scored)
        if fault:
            sense = {0: "", 1: "at least ", -1: "at most "}[claim.bound]
            said = sense + value_in_words(claim.value, self.scored)
            position = self.world.game.format_state(s)
            self.note(fault, "table", f"entry of {position!r}: {said}, proven; it is {in_words(truth, self.scored)}")


def _is_dated(result: Result) -> bool:
    """Return whether a win or loss has its exact distance. (Older versions could not express "at most".)"""
    return result.distance is not None and bool(getattr(result, "exact", True))


def case_rng(world: str, seed: int, number: int) -> Random:
    """Return the random numbers of one case: the same for a class, seed and number on every machine."""
    return Random(f"{world}/{seed}/{number}")
