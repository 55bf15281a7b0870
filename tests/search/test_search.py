"""Facts about searching: pruning never changes a value, and limits are kept."""

from __future__ import annotations

import threading
import time

import pytest
from random_games import random_game

import zerosum as zs
from zerosum.classroom.minimax import minimax_value
from zerosum.engine import minimax
from zerosum.errors import GameError, LimitError
from zerosum.search.options import SOUND

EXACT = zs.SearchOptions(exact_draft=True)
SWITCHES = [
    {},
    {"table": False, "exact_draft": False},
    {"killers": False, "history": False},
    {"aspiration": False},
    {"pvs": False},
    {"order": False},
    {"hash_move": False},
    {"mate_distance": False},
    {name: False for name in (*SOUND, "exact_draft")},
]


@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize("switches", SWITCHES, ids=lambda s: "+".join(s)[:40] or "all on")
def test_alpha_beta_finds_the_value_of_minimax_on_random_games(scored, switches):
    options = zs.SearchOptions(**{"exact_draft": True, **switches})
    for seed in range(60):
        game = random_game(seed, scored=scored)
        for depth in (1, 3, 6):
            found = zs.Engine(game, options, hash_mb=1, jit=False).search(game.initial(), depth=depth)
            truth = minimax_value(game, game.initial(), found.depth)
            assert found.value == truth, (seed, depth)
            if found.proven:
                assert truth == minimax_value(game, game.initial(), 9), (seed, depth)


@pytest.mark.parametrize("scored", [False, True])
def test_compiled_alpha_beta_finds_the_value_and_the_only_best_move(scored):
    """One compiled kernel each: the seed of the random game is a table, so that 500 games share it."""
    game = seeded_game(scored)
    for seed in range(250):
        g = with_seed(game, seed)
        s = g.initial()
        found = zs.Engine(g, EXACT, hash_mb=0.1).search(s, depth=6)
        assert found.value == minimax_value(g, s, found.depth)
        assert minimax(g, s, found.depth).value == found.value
        values = {m: minimax_value(g, g.play(s, m), found.depth - 1, 1) for m in g.moves(s)}
        best = [m for m, v in values.items() if v == found.value]
        assert found.move in best


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
    [(4, 4, 0), (5, 4, 0), (4, 5, 0), (5, 5, 0), (6, 4, -1), (6, 5, 0)],
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
    started = time.perf_counter()
    engine.search(game.initial(), seconds=0.3)
    assert time.perf_counter() - started < 5  # a broken limit would take for ever


def test_there_is_an_answer_however_short_the_time():
    game = zs.load("connect-four")
    for limit in ({"nodes": 1}, {"seconds": 1e-9}):
        found = zs.Engine(game, hash_mb=1).search(game.initial(), **limit)
        assert found.move in range(7)
        assert not found.proven


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


def seeded_game(scored):
    """A random game whose seed lies in its tables."""
    from typing import NamedTuple

    import numpy as np
    from random_games import Node

    from zerosum.jit.bits import mix

    class Seed(NamedTuple):
        seed: np.ndarray

    def draw(s, salt, n, t):
        return (mix(mix(mix(t.seed[0], s.name), s.level), salt) & 0xFFFFFF) % n

    def moves(s, t):
        if draw(s, 2, 12, t) != 0 or s.level == 0:
            for i in range(1 + draw(s, 3, 4, t)):
                yield i

    def play(s, move, t):
        again = draw(s, 4 + move, 5, t) == 0
        return Node(draw(s, 20 + move, 40, t), s.level + 1, s.turn if again else 1 - s.turn)

    return zs.Game(
        "seeded",
        Node,
        lambda: Node(0, 0, zs.MAX),
        lambda s: s.turn,
        moves,
        play,
        lambda s, t: draw(s, 40, 7, t) - 3 if scored else draw(s, 40, 3, t) - 1,
        4,
        is_terminal=lambda s, t: s.level >= 7 or (s.level > 1 and draw(s, 1, 9, t) == 0),
        evaluate=lambda s, t: draw(s, 41, 9, t) - 4,
        scored=scored,
        tables=Seed(np.zeros(1, np.int64)),
    )


def with_seed(game, seed):
    import numpy as np

    return game.with_(tables=type(game.tables)(np.array([seed])))
