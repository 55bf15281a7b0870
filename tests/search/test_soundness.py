"""A small part of bench/soundness.py: proven values are true, and the check finds faults that are reintroduced."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from samples import PLAIN_OR_COMPILED, samples

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from certainty import faults
from certainty.cases import Case, Step, Tally, run
from certainty.claims import Claim, Truth, exactly
from certainty.classes import Places
from certainty.graphs import KINDS
from certainty.running import DEEP
from certainty.shrinking import shrunk

from zerosum.game import WIN
from zerosum.search import alphabeta, peek, quiescence
from zerosum.search.worker import Worker

PLACES = Places(Path("no databases here"), Path("no data here"), quick=False)
PLAIN = [name for name, kind in KINDS.items() if not kind.listed]


@pytest.fixture(autouse=True)
def deep_calls():
    """Uncompiled, a line of a thousand plies takes thousands of calls."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)
    yield
    sys.setrecursionlimit(before)


def plain(world: str, number: int, steps: int = 6) -> Case:
    """A case whose engine and reference run uncompiled."""
    case = PLACES.case(world, 1, number)
    few = [_short(step) for step in case.steps[:steps]]
    return replace(case, jit=False, threads=1, hash_mb=1 / 16, steps=few)


def _short(step):
    return replace(step, nodes=min(step.nodes, 300)) if step.nodes else step


def untimed(case: Case) -> Case:
    """A case without solving, which time may stop, so that equal runs give equal results."""
    return replace(case, steps=[step for step in case.steps if step.do != "solve"])


def check(case: Case, tally: Tally):
    return run(case, PLACES.world(case), tally)


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_proven_on_random_graphs_is_true(name: str) -> None:
    world, tally = f"graph:{name}", Tally()
    for number in range(samples(12, at_least=9)):
        assert check(plain(world, number), tally) == [], number
    assert tally.results[world] > 10 and tally.entries[world] > 0


@PLAIN_OR_COMPILED
def test_it_is_true_of_searches_by_several_threads(jit: bool) -> None:
    """No other test needs this kernel; other tests check that kernels find what plain Python finds."""
    world, tally = "graph:clock-threefold", Tally()
    for number in range(60 if jit else samples(40, at_least=20)):
        case = PLACES.case(world, 2, number)
        steps = case.steps if jit else [_short(step) for step in case.steps[:6]]
        assert check(replace(case, jit=jit, hash_mb=1 / 16, steps=steps), tally) == [], number
    assert tally.results[world] > (500 if jit else samples(100, at_least=50))
    assert all(tally.settings[f"{threads}"] > 0 for threads in ("1 thread", "2 threads", "4 threads"))


REMEMBERED = Case(  # a value found without a past is wrong after 0, 3, 0, 3, 1, where a return to 0 or 3 is a draw
    "graph:twofold",
    {
        "turns": [0, 1, 1, 1, 1, 1],
        "successors": [[1, 3], [2, 5], [0, 3], [1, 4, 0], [], []],
        "utilities": [0, -1, 1, 1, -1, 1],
    },
    [Step("search", [1, 0], [], 4, 500), Step("search", [0, 0], [1, 2, 1, 0], 4, 500)],
    {"pvs": False},
    jit=False,
)


def test_a_past_counts_in_an_engine_that_is_used_again() -> None:
    assert check(REMEMBERED, Tally()) == []


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch):
    """Reintroduce a fault for one test."""
    for module in (alphabeta, quiescence, peek):
        for name in ("bound_in_time", "repetition_test", "probing"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(module, name))  # recorded, and so restored
    monkeypatch.setattr(Worker, "run", Worker.run)
    return lambda name: faults.FAULTS[name].put_back()


@pytest.mark.parametrize(
    ("name", "world", "begin"),  # cases before ``begin`` do not show the fault
    [("1b", "graph:clock", 10), ("1d", "graph:cycles", 60), ("1e", "graph:database-clock", 0)],
)
def test_a_fault_that_is_put_back_is_found(name: str, world: str, begin: int, faulty) -> None:
    faulty(name)
    shown = (check(untimed(plain(world, number, 20)), Tally()) for number in range(begin, begin + 100))
    first = next(differences[0] for differences in shown if differences)
    assert first.what in ("winner", "distance")


def test_a_past_that_is_left_out_is_found(faulty) -> None:
    faulty("1c")
    assert check(REMEMBERED, Tally())[0].what == "winner"


def test_a_difference_is_shown_by_a_smaller_case(faulty) -> None:
    faulty("1b")
    cases = (untimed(plain("graph:clock", number, 20)) for number in range(100))
    case = next(case for case in cases if check(case, Tally()))
    smallest, found = shrunk(case, PLACES, budget=60, seconds=600)
    assert found is not None
    assert len(smallest.as_json()) < len(case.as_json())
    assert Case.from_json(smallest.as_json()) == smallest
    assert check(smallest, Tally())


@pytest.mark.parametrize(
    ("claim", "truth", "fault"),
    [
        (Claim(WIN - 3), exactly(WIN - 3), ""),
        (Claim(WIN - 5), exactly(WIN - 3), "distance"),
        (Claim(WIN - 5, dated=False), exactly(WIN - 3), ""),
        (Claim(WIN - 3, dated=False), exactly(WIN - 5), "distance"),
        (Claim(5 - WIN, dated=False), exactly(3 - WIN), ""),
        (Claim(WIN - 3), exactly(0), "winner"),
        (Claim(0, bound=1), exactly(WIN - 3), ""),
        (Claim(0, bound=-1), exactly(WIN - 3), "winner"),
        (Claim(0), Truth(0, WIN - 3), ""),
        (Claim(-1), Truth(0, WIN - 3), "winner"),
    ],
)
def test_a_claim_fits_a_truth_or_says_what_is_wrong(claim: Claim, truth: Truth, fault: str) -> None:
    assert claim.fault(truth, scored=False) == fault


def test_margins_must_be_right_to_the_point() -> None:
    assert Claim(4).fault(exactly(5), scored=True) == "value"
    assert Claim(4, bound=1).fault(exactly(5), scored=True) == ""
    assert Claim(6).fault(Truth(4, 7), scored=True) == ""
