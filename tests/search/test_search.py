"""Facts about searching: pruning never changes a value, and limits are kept."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
import pytest
from random_games import HEIGHT, game_with_endings, random_game, roundabout, with_seed
from samples import PLAIN_OR_COMPILED, THOROUGH, samples

import zerosum as zs
from zerosum.classroom.minimax import minimax as reference
from zerosum.engine import minimax
from zerosum.errors import GameError, LimitError
from zerosum.search.options import NEEDS, SOUND, UNSOUND

pytestmark = pytest.mark.usefixtures("unchanging_rules")

# The scored game shares its kernel with test_endings.py; here its endings are searched like all other positions.
TEMPLATES = [
    pytest.param(random_game(), id="won or lost"),
    pytest.param(game_with_endings(), id="scored"),
    pytest.param(random_game(scored=True), id="scored, without endings", marks=pytest.mark.slow),
]
SEARCHED = {"endings": False, "table_moves": 1, "cutoff_moves": 1}
EXACT = {**SEARCHED, "exact_draft": True, "bounds": False}
OFF = {**SEARCHED, **dict.fromkeys((*SOUND, *UNSOUND, "exact_draft"), False)}
ALONE = [{**OFF, technique: True} for technique in SOUND]
WITHOUT = [{**EXACT, technique: False} for technique in SOUND if technique != "table"]


@cache
def full_value(scored, seed):
    game = random_game(seed, scored)
    return reference(game, game.initial(), HEIGHT + 1)


@pytest.mark.parametrize("game", TEMPLATES)
def test_every_sound_technique_alone_and_all_together_find_the_value_of_minimax(game):
    """The table alone is sound only with ``exact_draft``."""
    settings = [EXACT, {**OFF, "table": True, "exact_draft": True}, *ALONE[1:], *WITHOUT]
    for seed in range(samples(40)):
        g = with_seed(game, seed)
        for depth in (2, 4, 6):
            truth = reference(g, g.initial(), depth)
            for options in settings:
                found = zs.Engine(g, options, hash_mb=0.05).search(g.initial(), depth=depth)
                expected = truth if found.depth == depth else full_value(game.scored, seed)
                assert found.value == expected, (seed, depth, options)


@pytest.mark.parametrize("game", TEMPLATES)
def test_the_move_is_a_best_move_and_the_line_leads_to_the_value(game):
    for seed in range(samples(300)):
        g = with_seed(game, seed)
        s = g.initial()
        found = zs.Engine(g, EXACT, hash_mb=0.05).search(s, depth=5)
        values = {m: reference(g, g.play(s, m), found.depth - 1, ply=1) for m in g.moves(s)}
        assert values[found.move] == found.value == max(values.values()), seed
        assert minimax(g, s, found.depth, jit=THOROUGH).value == found.value  # no other test needs this kernel
        for ply, move in enumerate(found.pv):
            assert reference(g, s, found.depth - ply, ply=ply) == found.value, seed
            s = g.play(s, move)


@pytest.mark.parametrize("game", TEMPLATES)
def test_bounds_correct_guesses_and_change_nothing_else(game):
    for seed in range(samples(60)):
        g = with_seed(game, seed)
        for depth in (2, 4, 6):
            found = zs.Engine(g, {**EXACT, "bounds": True}, hash_mb=0.05).search(g.initial(), depth=depth)
            assert found.value == reference(g, g.initial(), found.depth, bounds=True), (seed, depth)


@pytest.mark.parametrize("game", TEMPLATES)
@pytest.mark.parametrize("technique", [*(name for name in UNSOUND if name != "endings"), "all of them"])
def test_an_unsound_technique_calls_proven_only_what_is_true(game, technique):
    usable = [name for name in UNSOUND if game.has(NEEDS.get(name, "play"))]
    chosen = [name for name in usable if technique in (name, "all of them")]
    proofs = 0
    for seed in range(samples(120)):
        g = with_seed(game, seed)
        options = {**dict.fromkeys(UNSOUND, False), **dict.fromkeys(chosen, True), "unit": 1, "table_moves": 1}
        if technique == "razoring":
            options["quiescence"] = True
        found = zs.Engine(g, options, hash_mb=0.05).search(g.initial(), depth=5)
        if found.proven:
            proofs += 1
            truth = full_value(game.scored, seed)
            assert found.value == truth if game.scored else np.sign(found.value) == np.sign(truth)
    assert proofs >= samples(10)


@pytest.mark.parametrize("game", TEMPLATES)
def test_solving_gives_the_value_of_the_whole_game(game):
    for seed in range(samples(400)):
        g = with_seed(game, seed)
        found = zs.Engine(g, hash_mb=0.05).solve(g.initial())
        assert found.proven
        assert found.value == full_value(game.scored, seed), seed
        s = g.initial()
        for move in found.pv:
            s = g.play(s, move)
        assert g.is_over(s), seed


@PLAIN_OR_COMPILED
@pytest.mark.parametrize("repetition", [3, 2])
def test_repetitions_are_draws_of_the_line_and_never_proven(repetition, jit):
    game = roundabout(repetition=repetition)
    for seed in range(samples(200)):
        g = with_seed(game, seed).with_(reversible=None)
        s = g.initial()
        if g.is_terminal(s):
            continue
        # The table does not store the line to a position, so only a search without it equals the reference.
        found = zs.Engine(g, {"table": False, "exact_draft": False}, jit=jit).search(s, depth=5)
        assert found.value == reference(g, s, found.depth), seed
        # Positions of the game before the root count as well.
        line = zs.Line(g)
        for _ in range(4):
            legal = g.legal_moves(line.state)
            if legal:
                line = line.play(legal[seed % len(legal)])
        if g.is_over(line.state):
            continue
        found = zs.Engine(g, {"table": False, "exact_draft": False}, jit=jit).search(line, depth=4)
        assert found.value == reference(g, line.state, found.depth, past=line.states[:-1]), seed


def test_multipv_gives_the_best_moves_in_order():
    game = random_game()
    for seed in range(samples(60)):
        g = with_seed(game, seed)
        s = g.initial()
        found = zs.Engine(g, {**EXACT, "symmetry": False}, hash_mb=0.05).search(s, depth=4, multipv=3)
        values = sorted((reference(g, g.play(s, m), found.depth - 1, ply=1) for m in g.moves(s)), reverse=True)
        assert [line.value for line in found.lines] == values[:3], seed
        assert len({line.move for line in found.lines}) == len(found.lines)


def test_two_threads_find_the_same_value():
    game = zs.load("connect-four", width=5, height=4)
    for threads in (1, 2):
        found = zs.Engine(game, threads=threads).solve(game.initial())
        assert (found.outcome, found.proven) == (0, True)
    large = zs.load("connect-four")
    assert zs.Engine(large, threads=2, hash_mb=16).search(large.initial(), depth=12).depth >= 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quiescence": True}, "'quiescence' needs noisy_moves, which tictactoe does not define"),
        ({"null_move": True}, "'null_move' needs skip"),
        ({"exact_draft": True, "table": False}, "table is off"),
        ({"nul_move": True}, "unknown option 'nul_move' of alphabeta"),
        ({"unit": 0}, "unit must be"),
    ],
)
def test_options_that_cannot_be_are_refused_by_name(options, message):
    with pytest.raises(zs.ZerosumError, match=message):
        zs.Engine(zs.load("tictactoe"), options)


def test_plain_and_compiled_searches_visit_the_same_positions():
    game = zs.load("connect-four", width=5, height=4)
    reports = {}
    for jit in (True, False):
        rows = []
        zs.Engine(game, hash_mb=1, jit=jit).search(
            game.initial(), depth=7, on_report=lambda r, rows=rows: rows.append((r.depth, r.value, r.nodes, r.pv))
        )
        reports[jit] = rows
    assert reports[True] == reports[False]
    assert len(reports[True]) == 7


def test_tictactoe_is_a_draw():
    game = zs.load("tictactoe")
    found = zs.Engine(game).search(game.initial())
    assert (found.value, found.outcome, found.proven, found.in_words()) == (0, 0, True, "a draw")
    assert len(found.pv) == 9


@pytest.mark.parametrize(
    ("width", "height", "outcome"),
    # John Tromp's table of solved boards: 4×4, 5×4, 4×5, 5×5 and 6×5 are draws, 6×4 is won by the second player.
    # Each board is compiled separately; other tests need those of the first line too.
    [
        (5, 4, 0),
        *(
            pytest.param(*board, marks=pytest.mark.slow)
            for board in ((4, 4, 0), (4, 5, 0), (5, 5, 0), (6, 4, -1), (6, 5, 0))
        ),
    ],
)
def test_small_boards_of_connect_four_have_their_published_values(width, height, outcome):
    game = zs.load("connect-four", width=width, height=height)
    found = zs.Engine(game, hash_mb=256).search(game.initial())
    assert (found.outcome, found.proven) == (outcome, True)


def test_a_win_is_told_with_its_distance():
    game = zs.load("tictactoe")
    s = game.parse_state("xx.oo....")
    found = zs.Engine(game).search(s, depth=3)
    assert (found.outcome, found.distance, found.value, found.proven) == (1, 1, zs.WIN - 1, True)
    assert found.in_words() == "MAX wins in 1 ply"
    assert game.format_move(s, found.move) == "3"


def test_a_finished_game_has_a_value_and_no_move():
    game = zs.load("tictactoe")
    found = zs.Engine(game).search(game.parse_state("xxxoo...."))
    assert (found.move, found.outcome, found.distance, found.proven) == (None, 1, 0, True)
    assert found.in_words() == "MAX wins"


def test_depth_nodes_and_seconds_are_kept():
    game = zs.load("connect-four")
    engine = zs.Engine(game, hash_mb=16)
    assert engine.search(game.initial(), depth=5).depth == 5
    assert engine.search(game.initial(), nodes=1000).nodes <= 1000
    assert not engine.search(game.initial(), seconds=0.3).proven  # without the limit it would continue to the proof


def test_there_is_an_answer_however_short_the_time():
    game = zs.load("connect-four")
    for limit in ({"nodes": 1}, {"seconds": 1e-9}):
        found = zs.Engine(game, hash_mb=1).search(game.initial(), **limit)
        assert found.move in range(7)
        assert not found.proven


def test_an_interrupted_search_never_names_the_wrong_winner():
    game = random_game()
    for seed in range(samples(40)):
        g = with_seed(game, seed)
        truth = full_value(False, seed)
        engine = zs.Engine(g, hash_mb=0.05)
        for nodes in range(2, 60, 3):
            engine.clear()
            found = engine.search(g.initial(), nodes=nodes)
            if found.outcome is not None:
                assert found.outcome == np.sign(truth), (seed, nodes)


def test_stop_ends_a_search_from_another_thread():
    game = zs.load("connect-four")
    engine = zs.Engine(game, hash_mb=16)
    engine.prepare()
    threading.Timer(0.2, engine.stop).start()
    assert engine.search(game.initial()).move is not None


def test_one_thread_is_deterministic():
    game = zs.load("connect-four")
    first, second = (zs.Engine(game, hash_mb=4).search(game.initial(), depth=14) for _ in range(2))
    assert (first.nodes, first.value, first.pv) == (second.nodes, second.value, second.pv)


def test_an_interrupt_leaves_the_engine_usable():
    game = zs.load("connect-four")
    engine = zs.Engine(game, hash_mb=4)

    def interrupt(result):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.search(game.initial(), on_report=interrupt)
    assert engine.search(game.initial(), depth=3).depth == 3


@pytest.mark.parametrize(
    "limit", [{"depth": -1}, {"depth": 0}, {"depth": 5000}, {"depth": 2.5}, {"seconds": 0}, {"nodes": 0}]
)
def test_senseless_limits_are_refused_and_quoted(limit):
    game = zs.load("tictactoe")
    with pytest.raises(LimitError, match=str(*limit.values()).replace(".", r"\.")):
        zs.Engine(game).search(game.initial(), **limit)


@pytest.mark.parametrize("megabytes", [0, -1, 10**9])
def test_senseless_tables_are_refused(megabytes):
    with pytest.raises(LimitError, match=str(megabytes)):
        zs.Engine(zs.load("tictactoe"), hash_mb=megabytes)


def test_a_line_of_another_game_is_refused():
    four = zs.load("connect-four")
    with pytest.raises(GameError, match="connect-four"):
        zs.Engine(zs.load("tictactoe")).search(zs.Line(four))
