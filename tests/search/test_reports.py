"""What a search reports besides its result: bounds, the current root move, the table; and restricted root moves."""

from __future__ import annotations

import threading

import pytest
from patience import wait_until

from zerosum.engine import Engine
from zerosum.errors import LimitError
from zerosum.games import load
from zerosum.search.deepening import Deepening
from zerosum.search.limits import Limits
from zerosum.search.options import SearchOptions
from zerosum.search.worker import Iteration

CONNECT_FOUR = load("connect-four")
START = CONNECT_FOUR.initial()


@pytest.fixture(scope="module", params=[True, False], ids=["compiled", "plain"])
def engine(request):
    return Engine(CONNECT_FOUR, hash_mb=1, jit=request.param)


def test_only_the_chosen_moves_are_searched(engine):
    result = engine.search(START, depth=4, moves=[0, 6], multipv=5)
    assert {line.move for line in result.lines} == {0, 6}
    assert engine.search(START, depth=4, moves=(1,)).move == 1


def test_chosen_moves_must_be_legal(engine):
    with pytest.raises(LimitError, match="7 is not"):
        engine.search(START, depth=2, moves=[3, 7])
    with pytest.raises(LimitError, match="at least one"):
        engine.search(START, depth=2, moves=[])


def test_the_longest_line_is_at_least_the_depth(engine):
    depths = []
    engine.search(START, depth=5, on_report=lambda result: depths.append((result.depth, result.seldepth)))
    assert [depth for depth, _ in depths] == [1, 2, 3, 4, 5]
    assert all(seldepth >= depth for depth, seldepth in depths)


def test_the_table_fills_and_is_emptied(engine):
    engine.clear()
    engine.search(START, depth=7)
    full = engine.hashfull()
    assert 0 < full <= 1000
    engine.clear()
    assert engine.hashfull() == 0


def test_values_outside_what_was_expected_are_told_only_to_those_who_ask():
    engine = Engine(CONNECT_FOUR, {"unit": 4}, hash_mb=1, jit=False)  # a narrow window fails often
    reports, bounds = [], []
    engine.search(START, depth=7, on_report=reports.append)
    assert not [result for result in reports if result.bound]
    engine.clear()
    result = engine.search(START, depth=7, on_report=reports.append, on_bound=bounds.append)
    assert bounds and {result.bound for result in bounds} <= {1, -1}
    assert all(len(result.pv) == 1 and not result.proven for result in bounds)
    assert result.bound == 0


def test_a_running_search_says_where_it_is(engine):
    assert engine.progress() is None or engine.progress().nodes >= 0
    thread = threading.Thread(target=engine.search, args=(START,))
    thread.start()
    seen = []

    def look() -> bool:
        progress = engine.progress()
        if progress is not None:
            seen.append(progress)
        return len(seen) == 3

    wait_until(look, "three looks at the search")
    engine.stop()
    thread.join()
    assert len(seen) == 3
    legal = CONNECT_FOUR.legal_moves(START)
    assert all(p.move in legal and 1 <= p.number <= len(legal) and p.depth >= 1 for p in seen)
    assert seen[0].nodes <= seen[1].nodes <= seen[2].nodes


class Scripted:
    """A worker that returns scripted results."""

    game, nodes, seldepth, maximising, left = CONNECT_FOUR, 1, 1, True, None

    def __init__(self, *found):
        self.found = list(found)

    def run(self, moves, depth, *window):
        value, place, stopped = self.found.pop(0)
        return Iteration(value, place, 0 if stopped else len(moves), stopped, False, False, (moves[place], 0))


@pytest.mark.parametrize(("last", "answer"), [((500, 2, False), 5), ((-500, 2, False), 3)])
def test_a_move_that_beat_all_expectations_is_the_answer_even_if_time_runs_out(last, answer):
    """Three depths without surprise; in the fourth a move is outside the window, and the second search is cut short."""
    worker = Scripted(*[(0, 0, False)] * 3, last, (0, 0, True))
    search = Deepening(worker, [3, 4, 5], Limits(depth=9), SearchOptions(unit=100))
    result = search.run(lambda report: None)
    assert result.move == answer and not result.proven
