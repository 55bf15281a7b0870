"""The parameters of alpha-beta: described once, set anywhere, and without effect at their defaults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import zerosum as zs
from zerosum.arena.players import parse_player
from zerosum.errors import ArenaError, LimitError
from zerosum.probcut import Fit, ProbCut, shallow_depths
from zerosum.search.options import GUESSES, SearchOptions
from zerosum.search.parameters import DEFAULTS, PARAMETERS, REDUCTIONS, places, reduction_rows, words
from zerosum.signature import signature

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \| (\d+) to (\d+) \| ([\d.]+) \| (.+) \|$", re.MULTILINE)
CHESS = zs.load("chess")
TICTACTOE = zs.load("tictactoe")
MIDDLE_GAME = CHESS.parse_state("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
MATE_IN_TWO = CHESS.parse_state("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")


# ProbCut may prune both searches of these 12 moves to the end, and shallower ones.
OTHELLO = zs.load("othello").with_(
    probcut=ProbCut(
        tuple(Fit(0, deep, shallow, 1.0, 0.0, 4.0) for deep in range(1, 13) for shallow in shallow_depths(deep)),
        tuple(Fit(0, left, shallow, 1.0, 0.0, 4.0) for left in range(1, 13) for shallow in range(left)),
    )
)
LATE = OTHELLO.parse_state("--OXXX--OOXXXO--OOOXXXXXOOXOXXXXOOOXOXXXOOOOXOXX--OOOO-X--OOOO-X X")


def nodes(parameters: dict[str, int], depth: int = 9) -> int:
    if any(name.startswith("probcut") for name in parameters):
        engine = zs.Engine(OTHELLO, zs.AlphaBeta(probcut=True, **parameters), hash_mb=1)
        return sum(engine.search(LATE, depth=d).nodes for d in (7, 12))
    return zs.Engine(CHESS, zs.AlphaBeta(**parameters), hash_mb=1).search(MIDDLE_GAME, depth=depth).nodes


def test_every_parameter_belongs_to_a_technique_that_guesses_and_its_default_may_be_moved_both_ways():
    for each in PARAMETERS.values():
        assert each.technique in GUESSES
        assert each.least < each.default < each.most, each.name
        assert 0 < each.step <= (each.most - each.least) / 10, each.name


def test_the_table_of_the_documentation_is_the_one_of_the_search():
    shown = [found.groups() for found in ROW.finditer((DOCS / "search.md").read_text(encoding="utf-8"))]
    assert shown == [
        (p.name, p.technique, str(p.default), str(p.least), str(p.most), f"{p.step:g}", p.says)
        for p in PARAMETERS.values()
    ]


def test_parameters_lie_in_memory_in_the_order_of_their_table():
    assert words({}) == list(DEFAULTS.values())
    changed = words({"null_base": 5})
    (place,) = places(0, "null_base")
    assert changed[place] == 5 and sum(a != b for a, b in zip(changed, words({}), strict=True)) == 1


def test_reductions_grow_with_depth_and_with_the_number_of_the_move():
    rows = reduction_rows(50, 220)
    assert rows[REDUCTIONS * 10 + 5] < rows[REDUCTIONS * 10 + 30] < rows[REDUCTIONS * 40 + 30]
    assert rows[REDUCTIONS + 30] == 50, "at depth 1 there is nothing but the base"
    assert all(less > more for less, more in zip(rows[-9:], reduction_rows(50, 330)[-9:], strict=True))


def test_the_defaults_said_aloud_are_the_defaults():
    engine = zs.Engine(CHESS, zs.AlphaBeta(**DEFAULTS), hash_mb=1)
    assert engine.search(MIDDLE_GAME, depth=9).nodes == nodes({})


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_is_one_that_the_search_goes_by(name: str):
    each = PARAMETERS[name]
    depth = 11 if name == "null_verify" else 9
    # Histories become this bad only in larger searches.
    others = {"history_margin": 0} if name == "history_depth" else {}
    if each.technique == "probcut":
        others = {"probcut_confidence": each.default} if name == "probcut_confidence" else {"probcut_confidence": 73}
    usual = nodes(others, depth)
    assert any(nodes({**others, name: value}, depth) != usual for value in (each.least, each.most))


@pytest.mark.parametrize("end", ["least", "most"])
def test_a_search_with_extreme_parameters_ends_and_is_never_wrong_about_a_mate(end: str):
    extreme = {each.name: getattr(each, end) for each in PARAMETERS.values()}
    found = zs.Engine(CHESS, extreme, hash_mb=1).search(MATE_IN_TWO, depth=8)
    assert found.outcome == 1 and found.distance is not None and found.distance >= 3
    assert nodes(extreme, 6) > 6


def test_plain_python_goes_by_the_same_numbers():
    chosen = {"reductions": True, "late_pruning": True, "reduction_moves": 1, "reduction_base": 200, "late_depth": 1}
    compiled, plain = (signature(TICTACTOE, 5, chosen, jit=jit).nodes for jit in (True, False))
    assert compiled == plain != signature(TICTACTOE, 5).nodes


def test_a_game_advises_parameters_and_whoever_searches_has_the_last_word():
    advised = CHESS.with_(advice={**CHESS.advice, "null_base": 3, "iir_depth": 5})
    assert SearchOptions.advised(advised).parameters == {"null_base": 3, "iir_depth": 5}
    assert SearchOptions.advised(advised, {"iir_depth": 6}).parameters == {"null_base": 3, "iir_depth": 6}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"null_bas": 3}, "unknown option 'null_bas' of alphabeta; did you mean 'null_base'?"),
        ({"null_base": 0}, "null_base is a whole number from 1 to 12, not 0"),
        ({"null_base": 13}, "null_base is a whole number from 1 to 12, not 13"),
        ({"null_base": 2.5}, "null_base is a whole number from 1 to 12, not 2.5"),
        ({"null_base": True}, "null_base is a whole number from 1 to 12, not True"),
    ],
)
def test_wrong_names_and_values_are_quoted(given: dict[str, object], said: str):
    with pytest.raises(LimitError, match=re.escape(said)):
        zs.Engine(TICTACTOE, given)


def test_wrong_advice_is_quoted_too():
    with pytest.raises(LimitError, match="unknown search option 'null_bas'; did you mean 'null_base'"):
        SearchOptions.advised(CHESS.with_(advice={"null_bas": 3}))
    with pytest.raises(LimitError, match="unknown search parameter 'nul_base'; did you mean 'null_base'"):
        SearchOptions(parameters={"nul_base": 3}).for_game(CHESS)


def test_players_of_a_match_are_given_parameters_by_name():
    player = parse_player("engine:null_base=3,reduction_open=50").make(TICTACTOE)
    assert player.engine.algorithm == zs.AlphaBeta(null_base=3, reduction_open=50)
    for text, said in (
        ("engine:null_bse=3", "unknown option 'null_bse'; did you mean 'null_base'?"),
        ("engine:null_base=x", "null_base is a whole number, not 'x'"),
    ):
        with pytest.raises(ArenaError, match=re.escape(said)):
            parse_player(text).make(TICTACTOE)
    with pytest.raises(LimitError, match="null_base is a whole number from 1 to 12, not 99"):
        parse_player("engine:null_base=99").make(TICTACTOE)
