"""Proof-number search: what it proves is true, and it never claims what it has not proven."""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from random_games import random_game, with_seed
from samples import samples

import zerosum as zs
from zerosum.classroom.minimax import minimax
from zerosum.errors import GameError, LimitError, MissingRule
from zerosum.search.proof_questions import Question

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from certainty.cases import Tally, run
from certainty.classes import Places
from certainty.graphs import KINDS

SMALLEST = 1 / 1024
"""The size in megabytes of a table with 64 entries."""

MATE_IN_2 = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
MATE_IN_3 = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1"


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def proving(game: zs.Game, **how) -> zs.Engine:
    options = {name: how.pop(name) for name in zs.Proof.kinds if name in how}
    return zs.Engine(game, zs.Proof(**options), **{"jit": False, "hash_mb": 1, **how})


def leads_to(game: zs.Game, s, result: zs.Result):
    for move in result.pv:
        s = game.play(s, move)
    return s


# Truth


@pytest.mark.parametrize("options", [{}, {"mobility": False}, {"weak": True}, {"evaluate": True}], ids=str)
@pytest.mark.parametrize("scored", [False, True])
def test_it_finds_what_minimax_finds_in_random_games(scored, options):
    template = random_game(0, scored)
    for seed in range(samples(60)):
        game = with_seed(template, seed)
        found, truth = proving(game, **options).solve(game.initial()), minimax(game)
        assert found.proven
        if scored:
            assert (found.value, found.exact) == (truth, True), seed
            end = leads_to(game, game.initial(), found)
            assert game.is_over(end) and game.utility(end) == truth
        else:
            assert found.outcome == sign(truth), seed
            # The win comes within this many plies; it may be nearer.
            assert abs(found.value) <= abs(truth)


@pytest.mark.parametrize("scored", [False, True])
def test_a_table_of_64_entries_is_enough(scored):
    template = random_game(0, scored)
    for seed in range(samples(40)):
        game = with_seed(template, seed)
        found, truth = proving(game, hash_mb=SMALLEST).solve(game.initial()), minimax(game)
        assert found.proven and sign(found.value) == sign(truth), seed
        assert not scored or found.value == truth
    game = zs.load("tictactoe")
    assert proving(game, hash_mb=SMALLEST).solve(game.initial()).in_words() == "a draw"


PLACES = Places(Path("no databases here"), Path("no data here"), quick=False, proofs=True)


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if not kind.listed])
def test_what_is_proven_on_graphs_with_cycles_clocks_and_pasts_is_true(name):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)  # a line may be a thousand plies long
    try:
        tally = Tally()
        for number in range(samples(25, at_least=10)):
            case = PLACES.case(f"graph:{name}", 3, number)
            steps = [step for step in case.steps[:5] if step.do != "solve" or KINDS[name].repetition]
            case = type(case)(case.world, case.subject, steps, case.options, jit=False)
            assert run(case, PLACES.world(case), tally) == [], number
        assert tally.results[f"graph:{name}"] > 20
    finally:
        sys.setrecursionlimit(before)


def test_every_position_of_tic_tac_toe():
    game = zs.load("tictactoe")
    engine = zs.Engine(game, "proof", hash_mb=1)

    @cache
    def outcome(s) -> int:
        if game.is_over(s):
            return sign(game.utility(s))
        best = max if game.to_move(s) == zs.MAX else min
        return best(outcome(game.play(s, move)) for move in game.legal_moves(s))

    outcome(game.initial())
    positions, waiting = set(), [game.initial()]
    while waiting:
        s = waiting.pop()
        if s not in positions:
            positions.add(s)
            waiting += [game.play(s, move) for move in game.legal_moves(s)]
    assert len(positions) == 5478
    chosen = random.Random(1).sample(sorted(positions), samples(len(positions)))
    for s, found in zip(chosen, engine.solve_many(chosen), strict=True):
        assert found.proven and found.outcome == outcome(s)
        if found.move is not None:
            assert outcome(game.play(s, found.move)) == outcome(s)


def test_hex_is_won_by_who_begins_and_needs_one_question():
    game = zs.load("hex", size=3)
    engine = proving(game)
    found = engine.solve(game.initial())
    assert (found.outcome, found.proven) == (1, True) and found.distance >= 5
    # The other way round: MIN cannot win, which proves that MAX does, as no line ends in a draw.
    s = game.play(game.initial(), game.parse_move(game.initial(), "b2"))
    assert engine.solve(s).outcome == 1


@pytest.mark.slow
def test_hex_4x4_and_small_boards_of_connect_four():
    game = zs.load("hex", size=4)
    assert zs.Engine(game, "proof").solve(game.initial()).outcome == 1
    for (width, height), value in {(4, 4): 0, (5, 4): 0, (4, 5): 0, (6, 4): -1}.items():
        game = zs.load("connect-four", width=width, height=height)
        for weak in (False, True):
            assert zs.Engine(game, zs.Proof(weak=weak)).solve(game.initial()).outcome == value, (width, height)


@pytest.mark.slow
def test_two_threads_find_the_same():
    game = zs.load("connect-four", width=5, height=4)
    for threads in (1, 2):
        assert zs.Engine(game, "proof", threads=threads, hash_mb=1).solve(game.initial()).in_words() == "a draw"


# Chess


@pytest.mark.parametrize(("fen", "plies"), [(MATE_IN_2, 3), (MATE_IN_3, 5)])
def test_mates_in_chess(fen, plies):
    game = zs.load("chess")
    s = game.parse_state(fen)
    found = proving(game).solve(s)
    assert found.proven and found.distance == plies
    assert found.outcome == (1 if game.to_move(s) == zs.MAX else -1)
    end = leads_to(game, s, found)
    assert game.is_over(end) and game.utility(end) == found.outcome


def test_a_win_that_is_not_shortened_may_be_nearer():
    game = zs.load("nim")
    long, short = (proving(game, shorten=shorten).solve(game.initial()) for shorten in (False, True))
    assert (long.exact, short.exact, short.distance) == (False, True, minimax_distance(game))
    assert long.distance >= short.distance


def minimax_distance(game: zs.Game) -> int:
    return zs.WIN - abs(int(zs.Engine(game, jit=False).solve(game.initial()).value))


def test_a_mate_is_found_within_a_depth_or_left_open():
    game = zs.load("chess")
    s = game.parse_state(MATE_IN_2)
    short = proving(game).search(s, depth=2, nodes=5000)
    assert not short.proven and short.outcome is None
    assert proving(game).search(s, depth=3).distance == 3


def test_the_fifty_moves_count():
    """King and rook mate within 16 moves, if there is time."""
    game = zs.load("chess")
    mate_in_1 = "7k/8/6K1/8/8/8/8/R7 w - - {} 60"
    assert proving(game).solve(game.parse_state(mate_in_1.format(99))).distance == 1
    far = game.parse_state("7k/8/8/8/8/8/R7/1R5K w - - 98 60")  # mate in 2 takes three plies
    found = proving(game).solve(far)
    assert found.proven and found.value == 0


@pytest.mark.slow
def test_checkers_endings_are_as_the_database_says(tmp_path):
    from zerosum.endgame.build import build

    game = zs.load("checkers")
    database = build(game, 2, tmp_path / "two", threads=1)
    engine = zs.Engine(game, "proof", hash_mb=16)
    tiers = game.tiers(2)
    tried = 0
    for tier, (_, size) in enumerate(tiers):
        for index in range(0, size, max(1, size // 12)):
            s = game.unrank(tier, index)
            if not game.is_valid(s) or game.is_over(s):
                continue
            found = engine.search(s, nodes=20_000)
            verdict = database.probe(s)
            if found.proven:
                tried += 1
                assert found.outcome == verdict.outcome, game.format_state(s)
    assert tried > 50


# Repetition


class Ring(NamedTuple):
    """Two players walk round a ring; the one who steps on the last place wins, but nobody has to."""

    place: int
    turn: int


def ring(repetition: int = 3) -> zs.Game:
    return zs.Game(
        "ring",
        Ring,
        lambda: Ring(0, zs.MAX),
        lambda s: s.turn,
        lambda s: [0, 1],
        lambda s, move: Ring((s.place + 1 + move) % 3, 1 - s.turn),
        lambda s: 0,
        max_moves=2,
        repetition=repetition,
    )


def test_a_draw_by_going_round_in_circles_is_proven():
    game = ring()
    found = proving(game).solve(game.initial())
    assert (found.in_words(), found.proven) == ("a draw", True)


def test_without_a_rule_for_repetition_endless_play_is_not_called_a_draw():
    found = proving(ring(0)).search(Ring(0, zs.MAX), depth=8)
    assert not found.proven and found.outcome is None


# What is not proven


def test_an_open_question_is_told_with_its_numbers():
    game = zs.load("connect-four")
    reports: list[zs.Result] = []
    found = proving(game).search(game.initial(), nodes=300, on_report=reports.append)
    assert not found.proven and found.value == 0 and found.outcome is None
    assert found.numbers is not None and found.numbers.question == "MAX wins"
    assert min(found.numbers.proof, found.numbers.disproof) > 0
    assert found.in_words().startswith("open, ")
    assert found.as_dict(game, game.initial())["numbers"]["question"] == "MAX wins"
    assert found.nodes <= 300 + game.max_moves


def test_it_ends_in_time_and_when_told_to():
    game = zs.load("connect-four")
    engine = proving(game)
    assert not engine.solve(game.initial(), seconds=0.05).proven
    stop = zs.Stop()
    stop.set()
    assert not engine.solve(game.initial(), stop=stop).proven
    assert engine.search(game.initial(), stop=stop).move is not None


def test_lines_and_chosen_moves():
    game = zs.load("tictactoe")
    s = game.parse_state("xx.oo....")
    three = proving(game).search(s, multipv=3)
    assert [line.outcome for line in three.lines] == [1, 0, 0] or three.lines[0].outcome == 1
    assert len({line.move for line in three.lines}) == 3
    only = proving(game).search(s, moves=[8])
    assert only.move == 8 and only.outcome == -1


def test_what_it_cannot_do_is_refused():
    with pytest.raises(GameError, match="pig has chance nodes"):
        zs.Engine(zs.load("pig"), "proof")
    with pytest.raises(MissingRule, match="evaluate"):
        zs.Engine(zs.load("hex"), zs.Proof(evaluate=True))
    with pytest.raises(LimitError, match="unknown option 'tabel' of proof"):
        zs.Proof(tabel=True)


def test_a_question_about_a_value_is_one_about_a_win():
    assert Question.at_least(3) == Question(zs.MAX, 3)
    assert Question.at_least(0) == Question(zs.MIN, 1)  # MAX gets at least a draw if MIN cannot win
    assert Question.at_least(-4) == Question(zs.MIN, 5)
