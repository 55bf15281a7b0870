"""Facts about games with dice: the average counts, and the horizon counts moves."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
import pytest
from random_games import Seed, with_seed
from samples import PLAIN_OR_COMPILED, samples

import zerosum as zs
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.engine import divide, minimax
from zerosum.errors import GameError, LimitError
from zerosum.games.pig import HOLD, ROLL, pig
from zerosum.jit.bits import mix

EXACT = {"exact_draft": True}


# Random games with chance; the seed is in the tables, so that hundreds of them share one compiled kernel.


class Place(NamedTuple):
    name: int
    level: int
    turn: int
    event: int  # 1 if chance is to move; events may follow each other


def draw(s, salt, n, t):
    return (mix(mix(mix(t.seed[0], 2 * s.name + s.event), s.level), salt) & 0xFFFFFF) % n


def is_terminal(s, t):
    return s.level >= 9 or (s.level > 1 and draw(s, 1, 10, t) == 0)


def moves(s, t):
    if s.level == 0 or draw(s, 2, 12, t) != 0:
        for i in range(1 + draw(s, 3, 3, t)):
            yield i


def chances(s, t):
    n = 1 + draw(s, 3, 4, t)
    total = 0
    for i in range(n):
        total += 1 + draw(s, 60 + i, 5, t)
    for i in range(n):
        yield 7 * i, (1 + draw(s, 60 + i, 5, t)) / total


def play(s, move, t):
    event = draw(s, 80 + move, 5, t) < (1 if s.event else 3)
    turn = s.turn if s.event or draw(s, 4 + move, 5, t) == 0 else 1 - s.turn
    return Place(draw(s, 20 + move, 12, t), s.level + 1, turn, 1 if event else 0)


def random_chance_game(seed: int = 0) -> zs.Game:
    """Ragged, with ends after moves and after events, stalemates, runs of events, and players who move twice."""
    return zs.Game(
        "random with chance",
        Place,
        lambda: Place(0, 0, zs.MAX, 0),
        lambda s: zs.CHANCE if s.event else s.turn,
        moves,
        play,
        lambda s, t: draw(s, 40, 19, t) / 3 - 3,
        3,
        is_terminal=is_terminal,
        chances=chances,
        max_chances=4,
        evaluate=lambda s, t: draw(s, 41, 9, t) / 7 - 0.5,
        tables=Seed(np.array([seed])),
    )


@PLAIN_OR_COMPILED
def test_expectiminimax_finds_the_value_of_the_reference_on_random_games(jit):
    game = random_chance_game()
    for seed in range(samples(200 if jit else 60)):
        g = with_seed(game, seed)
        s = g.initial()
        for depth in (2, 4):
            values = {m: expectiminimax(g, g.play(s, m), depth - 1) for m in g.moves(s)}
            for options in (EXACT, {"table": False}):
                # A table of 64 entries, so that they replace each other.
                found = zs.Engine(g, options, hash_mb=2**-9, jit=jit).search(s, depth=depth)
                assert found.value == pytest.approx(max(values.values()), abs=1e-9), (seed, depth, options)
                assert found.value == pytest.approx(values[found.move], abs=1e-9), (seed, depth, options)


@pytest.mark.slow
def test_plain_and_compiled_searches_visit_the_same_positions():
    game = random_chance_game()
    for seed in range(40):
        g = with_seed(game, seed)
        for options in ({}, EXACT, {"table": False}):
            reports = {}
            for jit in (True, False):
                rows = []
                zs.Engine(g, options, hash_mb=0.1, jit=jit).search(
                    g.initial(), depth=5, on_report=lambda r, rows=rows: rows.append((r.value, r.nodes, r.pv, r.proven))
                )
                reports[jit] = rows
            assert reports[True] == reports[False], (seed, options)
        assert minimax(g, g.initial(), 3).value == minimax(g, g.initial(), 3, jit=False).value


@PLAIN_OR_COMPILED
def test_a_search_to_the_end_is_exact_and_says_so(jit):
    game = random_chance_game()
    for seed in range(samples(40)):
        g = with_seed(game, seed)
        found = zs.Engine(g, hash_mb=0.1, jit=jit).search(g.initial())
        assert found.proven and found.outcome is None and found.distance is None
        assert found.value == pytest.approx(expectiminimax(g, g.initial(), 10), abs=1e-9)
        assert found.in_words().endswith(" (exact)")


@PLAIN_OR_COMPILED
def test_multipv_gives_every_move_its_value_best_first(jit):
    game = random_chance_game()
    for seed in range(samples(20)):
        g = with_seed(game, seed)
        s = g.initial()
        found = zs.Engine(g, EXACT, hash_mb=0.1, jit=jit).search(s, depth=3, multipv=3)
        values = {m: expectiminimax(g, g.play(s, m), found.depth - 1) for m in g.moves(s)}
        assert {line.move: line.value for line in found.lines} == pytest.approx(values, abs=1e-9)
        assert [line.value for line in found.lines] == sorted((line.value for line in found.lines), reverse=True)


@PLAIN_OR_COMPILED
def test_the_line_ends_where_chance_has_its_say(jit):
    game = random_chance_game()
    for seed in range(samples(40)):
        g = with_seed(game, seed)
        found = zs.Engine(g, {"table": False}, jit=jit).search(g.initial(), depth=4)
        s = g.initial()
        for move in found.pv:
            assert g.to_move(s) != zs.CHANCE
            s = g.play(s, move)
        at_an_end = g.to_move(s) == zs.CHANCE or g.is_terminal(s) or not list(g.moves(s))
        assert at_an_end or len(found.pv) == found.depth


@PLAIN_OR_COMPILED
def test_repeated_positions_are_draws(jit):
    """The roundabout of the random games, with a coin that may divert a move."""

    class Way(NamedTuple):
        name: int
        turn: int
        tossing: int

    def pick(s, salt, n, t):
        return (mix(mix(t.seed[0], 2 * s.name + s.turn), salt) & 0xFFFFFF) % n

    def two_or_less(s, t):
        for i in range(1 + pick(s, 1, 2, t)):
            yield i

    def aside(s, t):
        yield 0, 0.75
        yield 1, 0.25

    def go(s, move, t):
        if s.tossing:
            return Way((s.name + move) % 5, s.turn, 0)
        return Way(pick(s, 10 + move, 5, t), 1 - s.turn, pick(s, 20 + move, 2, t))

    game = zs.Game(
        "aside",
        Way,
        lambda: Way(0, 0, 0),
        lambda s: zs.CHANCE if s.tossing else s.turn,
        two_or_less,
        go,
        lambda s, t: pick(s, 2, 7, t) - 3,
        2,
        is_terminal=lambda s, t: s.name > 0 and pick(s, 3, 5, t) == 0,
        evaluate=lambda s, t: pick(s, 4, 9, t) / 3 - 1,
        reversible=lambda s, m, t: pick(s, 30 + m, 4, t) != 0,
        chances=aside,
        max_chances=2,
        repetition=2,
        tables=Seed(np.array([0])),
    )

    def reference(g, s, depth, past):
        """``past`` holds the positions since the last irreversible move."""
        if g.is_terminal(s):
            return float(g.utility(s))
        if g.to_move(s) == zs.CHANCE:
            return sum(p * reference(g, g.play(s, o), depth, past) for o, p in g.chances(s))
        if s in past:
            return 0.0
        if depth == 0:
            return g.evaluate(s)
        best = max if g.to_move(s) == zs.MAX else min
        return best(reference(g, g.play(s, m), depth - 1, (*past, s) if g.reversible(s, m) else ()) for m in g.moves(s))

    draws = 0
    for seed in range(samples(60)):
        g = with_seed(game, seed)
        s = g.initial()
        truth = reference(g, s, 6, ())
        draws += truth != reference(g.with_(reversible=lambda s, m: False), s, 6, ())
        found = zs.Engine(g, {"table": False}, jit=jit).search(s, depth=6)
        if found.depth == 6:
            assert found.value == pytest.approx(truth, abs=1e-9), seed
    assert draws > samples(10)  # it matters


# Pig


def values_of_pig(target: int, depth: int) -> list[dict[tuple[int, int, int], float]]:
    """For each depth, the value of every turn for the player to move, computed from the horizon up.

    A turn is (own score, the other's score, points of this turn).
    """
    turns = [(own, other, points) for own in range(target) for other in range(target) for points in range(target - own)]

    def guess(own, other, points):
        mine, theirs = max(target - own - points - 4.0, 0.5), target - other
        return (theirs - mine) / (theirs + mine)

    levels = [{turn: guess(*turn) for turn in turns}]
    for _ in range(depth):
        below, here = levels[-1], {}
        for own, other, points in turns:
            after_one = -below[other, own, 0]
            after_others = [
                1.0 if own + points + face >= target else below[own, other, points + face] for face in range(2, 7)
            ]
            here[own, other, points] = (after_one + sum(after_others)) / 6
            if points:
                here[own, other, points] = max(here[own, other, points], -below[other, own + points, 0])
        levels.append(here)
    return levels


@pytest.mark.parametrize("options", [EXACT, {"table": False}], ids=["table", "no table"])
def test_pig_has_the_values_of_an_independent_computation(options):
    target = 15
    game, levels = pig(target), values_of_pig(target, 7)
    engine = zs.Engine(game, options, hash_mb=1)
    for text in ("0 0 0 max", "0 0 0 min", "7 5 2 max", "5 7 4 min", "12 13 0 max", "0 12 9 max", "12 0 2 min"):
        s = game.parse_state(text)
        turn = (s.max_score, s.min_score) if s.player == zs.MAX else (s.min_score, s.max_score)
        sign = 1 if s.player == zs.MAX else -1
        for depth in range(1, 8):
            found = engine.search(s, depth=depth)
            assert found.value == pytest.approx(sign * levels[depth][(*turn, s.points)], abs=1e-9), (text, depth)


def test_pig_played_on_and_on_has_its_known_value():
    two = pig(2)
    assert zs.Engine(two, jit=False).search(two.initial(), depth=60).value == pytest.approx(5 / 7, abs=1e-12)
    # At 15 points, too, what comes after the horizon no longer matters after 80 moves.
    game = pig(15)
    truth = values_of_pig(15, 80)[-1][0, 0, 0]
    assert zs.Engine(game, hash_mb=8).search(game.initial(), depth=80).value == pytest.approx(truth, abs=1e-9)


def test_where_chance_is_to_move_the_answer_is_a_value_alone():
    game, levels = pig(15), values_of_pig(15, 4)
    s = game.parse_state("7 5 2 max rolling")
    expected = (-levels[4][5, 7, 0] + sum(levels[4][7, 5, 2 + face] for face in (2, 3, 4, 5)) + 1.0) / 6
    for jit in (True, False):
        found = zs.Engine(game, EXACT, hash_mb=1, jit=jit).search(s, depth=4)
        assert (found.move, found.pv, found.depth) == (None, (), 4)
        assert found.value == pytest.approx(expected, abs=1e-9)
    assert minimax(game, s, 4).value == pytest.approx(expected, abs=1e-9)
    assert zs.Engine(game).search(s, nodes=1).move is None


def test_a_finished_game_of_pig():
    game = pig()
    found = zs.Engine(game).search(game.parse_state("101 20 0 min"))
    assert (found.move, found.value, found.outcome, found.proven) == (None, 1.0, 1, True)
    assert found.in_words() == "MAX wins by 1"


def test_limits_are_kept_and_there_is_always_an_answer():
    game = pig(15)
    engine = zs.Engine(game, hash_mb=4, threads=2)
    assert engine.search(game.initial(), depth=5).depth == 5
    assert engine.search(game.initial(), nodes=1000).nodes <= 1000
    for limit in ({"nodes": 1}, {"seconds": 1e-9}):
        found = zs.Engine(game, hash_mb=1).search(game.initial(), **limit)
        assert found.move == ROLL and not found.proven
    threading.Timer(0.05, engine.stop).start()
    assert engine.search(game.initial()).move == ROLL


def test_equal_searches_give_equal_results():
    game = pig(15)
    first, second = (zs.Engine(game, hash_mb=1).search(game.initial(), depth=12) for _ in range(2))
    assert (first.nodes, first.value, first.pv) == (second.nodes, second.value, second.pv)


def test_what_only_alpha_beta_can_do_is_refused():
    game = pig()
    with pytest.raises(LimitError, match="'null_move' is a technique of alpha-beta, but pig has chance nodes"):
        zs.Engine(game.with_(skip=lambda s: s), {"null_move": True})
    with pytest.raises(GameError, match="pig has chance nodes"):
        zs.Engine(game).solve(game.initial())


def test_perft_counts_each_outcome_as_a_ply():
    game = pig(15)

    def count(s, depth):
        if depth == 0:
            return 1
        return sum(count(game.play(s, m), depth - 1) for m in game.legal_moves(s))

    for depth in range(7):
        assert zs.perft(game, game.initial(), depth) == count(game.initial(), depth)
    assert zs.perft(game, game.initial(), 5, jit=False) == count(game.initial(), 5)
    rolling = game.play(game.initial(), ROLL)
    assert divide(game, rolling, 3) == {face: count(game.play(rolling, face), 2) for face in range(1, 7)}


# The command line


@pytest.fixture
def zerosum(monkeypatch, capsys):
    import io
    import sys

    from zerosum.cli import main

    def run(*arguments: str, typed: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert main(arguments) == 0
        return capsys.readouterr().out

    return run


def test_pig_is_analysed_and_played_from_the_command_line(zerosum):
    to_15 = ("pig", "--set", "target=15")
    out = zerosum("analyze", *to_15, "--depth", "3")
    assert out.splitlines()[-1].startswith("best move: roll, +0.")
    out = zerosum("analyze", *to_15, "5 5 2 max rolling", "--depth", "3")
    assert out.splitlines()[-1].startswith("chance is to move, ")
    out = zerosum("play", *to_15, "--depth", "3", "--seed", "3", typed="roll\nmoves\n")
    assert "chance: " in out and "roll, hold" in out
    out = zerosum("play", *to_15, "--depth", "3", "--seed", "3", "--side", "none")
    assert out.splitlines()[-1] in ("MAX wins by 1.", "MIN wins by 1.")


def test_holding_too_early_is_worse():
    game = pig(15)
    s = game.parse_state("0 0 2 max")
    found = zs.Engine(game).search(s, depth=30, multipv=2)
    assert [line.move for line in found.lines] == [ROLL, HOLD]
