"""An engine searches with an algorithm; each has its own options, and says what it cannot do."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import zerosum as zs
from zerosum.engine import minimax
from zerosum.search.algorithms import ALGORITHMS, algorithm_named, algorithm_of

TICTACTOE = zs.load("tictactoe")
ENDINGS: Any = SimpleNamespace(game=TICTACTOE)  # nothing is looked up in it
DOCS = Path(__file__).parents[2] / "docs/search.md"


def test_every_algorithm_of_the_table_goes_by_its_own_name_and_says_what_it_is():
    for name in ALGORITHMS:
        kind = algorithm_named(name)
        assert kind.name == name
        assert kind.about
        assert kind() == algorithm_of(name)


def test_the_documentation_has_every_algorithm_its_class_and_whether_it_solves():
    rows = re.findall(r"^\| `(\w+)` \| `zs\.(\w+)` \| .* \| (yes|no)\b.* \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    kinds = [algorithm_named(name) for name in ALGORITHMS]
    assert rows == [(kind.name, kind.__name__, "yes" if kind.solves else "no") for kind in kinds]
    assert [getattr(zs, name) for _, name, _ in rows] == kinds


def test_algorithms_are_equal_where_their_options_are():
    assert zs.AlphaBeta(table=False) == zs.AlphaBeta(table=False) != zs.AlphaBeta()
    assert zs.Minimax() != zs.AlphaBeta()
    assert len({zs.AlphaBeta(unit=3), zs.AlphaBeta(unit=3), zs.Minimax()}) == 2
    assert repr(zs.AlphaBeta(table=False, unit=3)) == "AlphaBeta(table=False, unit=3)"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: zs.Engine(TICTACTOE, "alphabet"), "unknown algorithm 'alphabet'; the algorithms are alphabeta, "),
        (lambda: zs.Minimax(table=False), "unknown option 'table' of minimax; it has none"),
        (lambda: zs.AlphaBeta(tabel=False), "unknown option 'tabel' of alphabeta; did you mean 'table'"),
        (lambda: zs.AlphaBeta(table="no"), "table must be True or False, not 'no'"),
        (lambda: zs.Engine(TICTACTOE, 3), "not 3"),
        (lambda: zs.Engine(TICTACTOE, options={"table": False}), "Engine(game, AlphaBeta(...))"),
        (lambda: zs.Engine(TICTACTOE, "minimax").solve(TICTACTOE.initial()), "minimax searches and does not solve"),
        (lambda: zs.Engine(TICTACTOE, "minimax", database=ENDINGS), "minimax does not use endgame databases"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(make, message):
    with pytest.raises(zs.ZerosumError, match=re.escape(message)) as problem:
        make()
    assert "\n" not in str(problem.value)


def test_the_old_name_of_the_options_says_the_new_one():
    with pytest.raises(AttributeError, match="AlphaBeta"):
        zs.SearchOptions  # noqa: B018


@pytest.mark.parametrize("game", [TICTACTOE, zs.load("pig", target=6)], ids=lambda game: game.name)
def test_minimax_and_plain_alpha_beta_find_the_same_value_at_every_depth(game):
    slow, quick = zs.Engine(game, "minimax", threads=2, jit=False), zs.Engine(game, zs.AlphaBeta.plain(), jit=False)
    assert slow.threads == 1
    for depth in (1, 2, 3):
        found = slow.search(game.initial(), depth=depth)
        assert found.value == pytest.approx(quick.search(game.initial(), depth=depth).value)
        assert found.value == pytest.approx(minimax(game, game.initial(), depth, jit=False).value)
        assert found.depth == depth


def test_minimax_looks_at_every_line_and_remembers_nothing():
    engine = zs.Engine(TICTACTOE, zs.Minimax(), jit=False)
    s = TICTACTOE.parse_state("xo.xo....")
    reports = []
    result = engine.search(s, on_report=reports.append)
    assert result.in_words() == "MAX wins in 1 ply"
    assert [report.depth for report in reports] == [1]
    assert engine.hashfull() == 0
    assert engine.known(s) is None
