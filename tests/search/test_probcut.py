"""ProbCut: a guess that saves searches, and is never mistaken for a proof."""

from __future__ import annotations

import pytest
from random_games import HEIGHT, game_with_endings, random_game, with_seed
from samples import samples

import zerosum as zs
from zerosum.classroom.minimax import minimax
from zerosum.errors import GameError, MissingRule
from zerosum.probcut import CHECKS, DEEPEST, MOST_LEFT, Fit, ProbCut, shallow_depths
from zerosum.search import selective
from zerosum.search.cut_rows import ROW, cut_rows

pytestmark = pytest.mark.usefixtures("unchanging_rules")

# Every shallow search is trusted, which causes as many cut-offs as possible.
RECKLESS = ProbCut(
    tuple(Fit(0, deep, shallow, 1.0, 0.0, 0.01) for deep in range(1, 7) for shallow in shallow_depths(deep)),
    tuple(Fit(0, left, 0, 1.0, 0.0, 0.01) for left in range(1, 7)),
)
ON = {"probcut": True, "probcut_depth": 2, "probcut_left": 2, "table_moves": 1, "cutoff_moves": 1}


@pytest.mark.parametrize("make", [random_game, game_with_endings])
def test_what_a_search_with_probcut_calls_proven_is_true(make):
    game, proofs, guesses = make().with_(probcut=RECKLESS), 0, 0
    for seed in range(samples(300)):
        g = with_seed(game, seed).with_(probcut=RECKLESS)
        engine = zs.Engine(g, ON, hash_mb=0.05)
        right = minimax(g, g.initial(), HEIGHT)
        for depth in range(1, HEIGHT + 1):
            found = engine.search(g.initial(), depth=depth)
            proofs += found.proven
            guesses += not found.proven and found.value != right
            assert not found.proven or found.value == right, (seed, depth)
    assert proofs > samples(100) and guesses > samples(100), "both are tried"


def test_a_search_that_goes_on_past_the_end_of_the_game_proves_the_value_in_the_end():
    game = game_with_endings()
    for seed in range(samples(100)):
        g = with_seed(game, seed).with_(probcut=RECKLESS)
        found = zs.Engine(g, {**ON, "probcut_confidence": 50}, hash_mb=0.05).search(g.initial())
        assert found.exact and found.value == minimax(g, g.initial(), HEIGHT), seed


@pytest.mark.parametrize("threads", [1, 2])
def test_solutions_are_the_same_after_guesses_of_rising_confidence(threads, monkeypatch):
    monkeypatch.setattr(selective, "LEAST_LEFT", 1)
    game = game_with_endings()
    for seed in range(samples(200 if threads == 1 else 40)):
        g = with_seed(game, seed).with_(probcut=RECKLESS)
        found = zs.Engine(g, ON, hash_mb=0.05, threads=threads).solve(g.initial())
        assert found.proven and found.value == minimax(g, g.initial(), HEIGHT), seed


def test_probcut_saves_nodes():
    game, nodes = random_game(), {False: 0, True: 0}
    for seed in range(samples(50)):
        g = with_seed(game, seed).with_(probcut=RECKLESS)
        for on in nodes:
            nodes[on] += zs.Engine(g, {**ON, "probcut": on}, hash_mb=0.05).search(g.initial(), depth=5).nodes
    assert nodes[True] < nodes[False]


def test_without_measurements_the_switch_is_refused_and_a_new_evaluation_takes_them_away():
    with pytest.raises(MissingRule, match=r"'probcut' needs probcut, .* zerosum train othello --probcut"):
        zs.Engine(zs.load("othello", patterns=0), {"probcut": True})
    game = zs.load("tictactoe").with_(probcut=RECKLESS)
    assert zs.AlphaBeta(probcut=None).options(game).probcut
    assert game.with_(about="the same").probcut is RECKLESS
    assert game.with_(evaluate=lambda s: 0).probcut is None
    with pytest.raises(GameError, match="probcut must be what 'zerosum train --probcut' measured, not 3"):
        game.with_(probcut=3)


def test_solving_takes_probcut_for_guesses_only():
    from zerosum.solving import for_solving

    game = zs.load("tictactoe").with_(probcut=RECKLESS)
    chosen = zs.AlphaBeta(probcut=True)
    assert for_solving(game, chosen) == (game, chosen)
    assert not chosen.options(game).for_solving(game).probcut


def test_checks_become_stricter_with_the_confidence():
    rows = {percent: cut_rows(RECKLESS, 1, percent) for percent in (50, 87, 99)}
    assert all(
        len(row["cut_depths"]) == DEEPEST * ROW and len(row["cut_ends"]) == MOST_LEFT * ROW for row in rows.values()
    )
    at = 5 * ROW  # depth 5: the evaluation, then depth 1
    shallow, _, above, below, _ = zip(*(rows[percent]["cut_depths"][at : at + 5] for percent in rows), strict=True)
    assert shallow == (0, 0, 0) and above == tuple(sorted(set(above))) and below == tuple(sorted(set(below)))
    assert set(cut_rows(None, 1, 95)["cut_depths"]) == {-1}


def test_depths_that_were_not_measured_go_by_those_that_were():
    measured = [
        Fit(0, d, s, 1.0, 0.5, (d + 1) ** 0.5 / (s + 1) ** 0.25, 100) for d in range(1, 9) for s in shallow_depths(d)
    ]
    known = ProbCut(tuple(measured))
    assert known.for_depth(0, 6) == [fit for fit in measured if fit.deep == 6]
    deep = known.for_depth(0, 16)
    assert [fit.shallow for fit in deep] == [0, 4, 8] and len(deep) <= CHECKS
    for fit in deep:
        assert fit.sigma == pytest.approx(17**0.5 / (fit.shallow + 1) ** 0.25, rel=0.01)
    assert known.for_depth(7, 6) == known.for_depth(0, 6), "the nearest phase"


def test_what_was_measured_survives_its_file_and_damage_is_told():
    assert ProbCut.parse(RECKLESS.as_data()) == RECKLESS
    for damaged in (3, {}, {"depths": [[1, 2]]}, {"depths": [[0, 2, 4, 1.0, 0, 1, 9]]}):
        with pytest.raises(ValueError, match=r"is not an? |are not margins"):
            ProbCut.parse(damaged)
