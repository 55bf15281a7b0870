"""Facts about pruning at chance nodes: Star1, Star2, windows, ordering and the table change no value."""

from __future__ import annotations

from functools import cache

import pytest
from chance_games import HEIGHT, bounded_game, root
from samples import samples

import zerosum as zs
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.errors import LimitError, MissingRule
from zerosum.games.backgammon.position import CHECKERS, pips
from zerosum.games.backgammon.position_id import position_of
from zerosum.games.pig import pig
from zerosum.search.options import CHANCE_SOUND, SearchOptions

PLAIN = dict.fromkeys(("table", "hash_move", "order", *CHANCE_SOUND), False)
EXACT_TABLE = {"table": True, "exact_draft": True, "hash_move": True}
WINDOWS = {**PLAIN, "windows": True}
STAR1 = {**WINDOWS, "star1": True}
STAR2 = {**STAR1, "star2": True}
SETTINGS = {
    "plain": PLAIN,
    "windows": WINDOWS,
    "star1": STAR1,
    "star2": STAR2,
    "star1, outcomes in order": {**STAR1, "chance_order": True},
    "star2, moves in order": {**STAR2, "order": True},
    "all but the table": {"table": False},
    "plain with a table": {**PLAIN, **EXACT_TABLE},
    "star2 with a table": {**STAR2, **EXACT_TABLE},
    "all": {"exact_draft": True},
}


@cache
def engine(name: str, jit: bool = True, hash_mb: float = 2**-9) -> zs.Engine:
    """An engine with a table of 64 entries, so that they replace each other."""
    return zs.Engine(bounded_game(), SETTINGS[name], hash_mb=hash_mb, jit=jit)


def same(x: float):
    return pytest.approx(x, abs=1e-9)


def test_plain_expectiminimax_is_the_definition():
    game = bounded_game()
    for tree in range(samples(60)):
        for depth in (1, 3):
            found = engine("plain").search(root(tree), depth=depth)
            assert found.value == same(expectiminimax(game, root(tree), found.depth)), (tree, depth)


def test_no_sound_technique_changes_a_value_on_thousands_of_trees():
    nodes = dict.fromkeys(SETTINGS, 0)
    game = bounded_game()
    with_every_setting = samples(200)
    others = [name for name in SETTINGS if name not in ("star1", "star2")]
    for tree in range(samples(2400)):
        s = root(tree)
        depth = 2 + tree % 4
        plain = engine("plain").search(s, depth=depth)
        for name in SETTINGS if tree < with_every_setting else ("star1", "star2", others[tree % len(others)]):
            found = engine(name).search(s, depth=depth)
            # Pruned lines are not searched, so a pruned value may be proven earlier.
            assert found.depth == plain.depth or found.proven, (tree, name)
            assert found.proven >= plain.proven, (tree, name)
            if found.depth == plain.depth:
                assert found.value == same(plain.value), (tree, name)
            if found.proven:
                assert found.value == same(engine("plain").search(s, depth=HEIGHT + 1).value), (tree, name)
            if tree < with_every_setting:
                nodes[name] += found.nodes
                behind = engine("plain").search(game.play(s, found.move), depth=max(1, plain.depth - 1))
                if found.depth == plain.depth == behind.depth + 1:
                    assert behind.value == same(plain.value), (tree, name)
    assert nodes["windows"] < nodes["plain"]
    assert nodes["star1"] < 0.7 * nodes["windows"]
    assert nodes["star1, outcomes in order"] < nodes["star1"]
    assert nodes["star2, moves in order"] < nodes["star1"]
    assert nodes["all"] < nodes["all but the table"] < 0.6 * nodes["plain"]


def test_plain_and_compiled_searches_visit_the_same_positions():
    for tree in range(samples(25)):
        for name in ("star2", "all"):
            reports = {}
            for jit in (True, False):
                rows: list = []
                engine(name, jit, 1).search(
                    root(tree), depth=4, on_report=lambda r, rows=rows: rows.append((r.value, r.nodes, r.pv, r.proven))
                )
                reports[jit] = rows
            assert reports[True] == reports[False], (tree, name)


def test_the_other_lines_have_their_exact_values_too():
    game = bounded_game()
    for tree in range(samples(300)):
        s = root(tree)
        found = engine("all").search(s, depth=3, multipv=4)
        for line in found.lines:
            behind = engine("plain").search(game.play(s, line.move), depth=max(1, found.depth - 1))
            if behind.depth == found.depth - 1:
                assert line.value == same(behind.value), tree
        values = [line.value for line in found.lines]
        assert values == sorted(values, reverse=s.turn == zs.MAX)


def test_where_chance_moves_first_the_value_is_the_same():
    events = 0
    for tree in range(samples(400)):
        s = root(tree)._replace(event=1)
        plain, found = (engine(name).search(s, depth=3) for name in ("plain", "all"))
        assert found.move is None and found.value == same(plain.value)
        events += 1
    assert events == samples(400)


def horizon_before_events(game: zs.Game, s, depth: int) -> float:
    """The definition, except that an event after the last move is evaluated."""
    if game.is_terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.to_move(s) == zs.CHANCE:
        return sum(p * horizon_before_events(game, game.play(s, o), depth) for o, p in game.chances(s))
    values = [horizon_before_events(game, game.play(s, m), depth - 1) for m in game.moves(s)]
    if not values:
        return game.utility(s)
    return max(values) if game.to_move(s) == zs.MAX else min(values)


def test_events_behind_the_last_move_can_be_evaluated_instead():
    game = bounded_game()
    differs = 0
    for options in ({"evaluate_events": True, "exact_draft": True}, {**STAR2, "evaluate_events": True}):
        evaluating = zs.Engine(game, options, hash_mb=1)
        for tree in range(samples(60)):
            found = evaluating.search(root(tree), depth=3)
            assert found.value == same(horizon_before_events(game, root(tree), found.depth)), tree
            differs += found.value != same(expectiminimax(game, root(tree), found.depth))
    assert differs > samples(40)


def filtered_value(game: zs.Game, s, depth: int, keep: int, margin: float) -> float:
    """The definition with a filter: only a position's best few moves by evaluation, within the margin."""
    if game.is_terminal(s):
        return game.utility(s)
    if game.to_move(s) == zs.CHANCE:
        return sum(p * filtered_value(game, game.play(s, o), depth, keep, margin) for o, p in game.chances(s))
    if depth == 0:
        return game.evaluate(s)
    sign = 1 if game.to_move(s) == zs.MAX else -1
    then = [game.play(s, m) for m in game.moves(s)]
    if not then:
        return game.utility(s)
    if depth > 1:
        scores = [sign * (game.utility(t) if game.is_terminal(t) else game.evaluate(t)) for t in then]
        order = sorted(range(len(then)), key=lambda i: -scores[i])
        then = [then[i] for i in order[:keep] if scores[i] >= scores[order[0]] - margin]
    return sign * max(sign * filtered_value(game, t, depth - 1, keep, margin) for t in then)


def test_a_move_filter_leaves_out_all_but_the_best_few():
    game = bounded_game()
    chosen = {**STAR2, "move_filter": True, "filter_moves": 2, "filter_margin": 1500}
    filtering = zs.Engine(game, chosen)
    differs = 0
    for tree in range(samples(200)):
        # No depth before it, so that no better move of a shallower search is tried first.
        s = game.play(root(tree), 0)
        if game.to_move(s) != zs.CHANCE or game.is_terminal(s):
            continue
        found = filtering.search(s, depth=3)
        if found.depth < 3:
            continue
        assert found.value == same(filtered_value(game, s, 3, 2, 1.5)), tree
        differs += found.value != same(expectiminimax(game, s, 3))
    assert differs > samples(20)


def test_a_filtered_value_is_not_called_proven():
    game = bounded_game()
    proven = 0
    filtering = zs.Engine(game, {"move_filter": True, "filter_moves": 1})
    for tree in range(200):
        found = filtering.search(root(tree), depth=9)
        if found.proven:
            proven += 1
            assert found.value == same(engine("plain").search(root(tree), depth=9).value)
    assert 0 < proven < 200


def test_an_evaluation_outside_the_bounds_is_brought_back():
    game = bounded_game().with_(evaluate=lambda s: 1000.0, order=None)
    for tree in range(5):
        found = zs.Engine(game, {"exact_draft": True}, jit=False, hash_mb=0.1).search(root(tree), depth=2)
        clamped = game.with_(evaluate=lambda s: float(game.bounds(s)[1]))
        assert found.value == same(expectiminimax(clamped, root(tree), found.depth))


# Pig


def test_pruned_pig_has_the_value_of_plain_pig():
    game = pig(15)
    plain, pruned = zs.Engine(game, PLAIN), zs.Engine(game, {"exact_draft": True})
    saved = 0
    for text in ("0 0 0 max", "6 9 0 min", "12 12 2 max", "3 12 6 max rolling"):
        s = game.parse_state(text)
        for depth in (2, 5):
            one, other = plain.search(s, depth=depth), pruned.search(s, depth=depth)
            assert one.value == same(other.value) and one.move == other.move
            saved += one.nodes - other.nodes
    assert saved > 0


# Options


def test_stars_are_on_where_the_game_has_bounds():
    on = SearchOptions.advised(pig())
    assert on.windows and on.star1 and on.star2 and on.chance_order and not on.move_filter
    off = SearchOptions.advised(pig().with_(bounds=None))
    assert off.windows and not off.star1 and not off.star2
    assert not SearchOptions.advised(pig(), {"windows": False}).star1  # the stars need windows
    assert not SearchOptions.advised(zs.load("nim")).windows


def test_techniques_are_refused_where_they_make_no_sense():
    with pytest.raises(MissingRule, match="'star1' needs bounds, which pig does not define"):
        zs.Engine(pig().with_(bounds=None), {"star1": True})
    with pytest.raises(MissingRule, match="'move_filter' needs evaluate"):
        zs.Engine(pig().with_(evaluate=None), {"move_filter": True})
    with pytest.raises(LimitError, match="'move_filter' is a technique for games with chance, but tictactoe has none"):
        zs.Engine(zs.load("tictactoe"), {"move_filter": True})
    with pytest.raises(LimitError, match="filter_moves must be a whole number of at least 1, not 0"):
        zs.Engine(pig(), {"filter_moves": 0})


# Backgammon


def race(s):
    """Points by pip count, between the bounds; cheap enough for plain Python."""
    return max(-3.0, min(3.0, (pips(s.min_low, s.min_high) - pips(s.max_low, s.max_high)) / 40.0))


ENDINGS = [  # the points of the mover's checkers and of the opponent's, the roll, and who is to move
    pytest.param(((6, 5, 3, 2), (4, 1, 1), 41, zs.MAX), marks=pytest.mark.slow),
    pytest.param(((4, 4, 1), (6, 6, 2), 65, zs.MIN), marks=pytest.mark.slow),
    ((22, 5, 2), (20, 3, 1), 21, zs.MAX),
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_pruned_backgammon_has_the_value_of_plain_backgammon(ending):
    """Endgames, where moves are few; bench/chance.py does the same in middle games, compiled."""
    own, other, roll, player = ending
    sides = [[CHECKERS - len(points), *(points.count(point) for point in range(1, 26))] for points in (own, other)]
    s = position_of(*sides, player, roll)
    game = zs.load("backgammon").with_(evaluate=race)
    for events in (True, False):
        plain = zs.Engine(game, {**PLAIN, "evaluate_events": events}, jit=False).search(s, depth=2)
        assert plain.depth == 2
        for options in (STAR1, STAR2, {"exact_draft": True}):
            found = zs.Engine(game, {**options, "evaluate_events": events}, jit=False, hash_mb=1).search(s, depth=2)
            assert found.value == same(plain.value) and found.nodes <= plain.nodes, (events, options)
