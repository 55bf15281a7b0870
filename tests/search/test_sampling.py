"""Monte-Carlo tree search: proven values are true, counts add up, and memory is bounded."""

from __future__ import annotations

import numpy as np
import pytest
from patience import PATIENCE
from random_games import random_game, roundabout, with_seed
from samples import samples

import zerosum as zs
from zerosum.classroom.interval_minimax import IntervalMinimax
from zerosum.classroom.tree import Tree
from zerosum.engine import minimax
from zerosum.jit.plan import NODE_LIMIT, STOP
from zerosum.jit.words import float_word
from zerosum.search.forest import Forest
from zerosum.search.mcts import SIMULATE
from zerosum.search.mcts_searcher import MctsSearcher
from zerosum.search.tree import CHILD, EDGE, HEAD, HIGH, LOW, PLY, VISITS

TICTACTOE = zs.load("tictactoe")


def sampler(game, jit=False, threads=1, hash_mb=1, **options):
    return zs.Engine(game, zs.Mcts(**options), threads=threads, hash_mb=hash_mb, jit=jit)


def tree_of(engine):
    """The searcher, and the address of its root."""
    searcher = engine._searcher
    assert isinstance(searcher, MctsSearcher)
    return searcher, searcher.root


def sign(x):
    return (x > 0) - (x < 0)


def check_proven(game, result, s):
    """Check that a proven result and its move are those of minimax."""
    truth = minimax(game, s, 30, jit=False)
    if result.exact:
        assert result.value == truth.value
    else:  # a win that may be nearer
        assert sign(result.value) == sign(truth.value) != 0
        assert abs(result.value) <= abs(truth.value)
    after = game.play(s, result.move)
    if not game.is_over(after):
        kept = minimax(game, after, 30, jit=False).value
        assert kept == truth.value if game.scored else sign(kept) == sign(truth.value)


@pytest.mark.parametrize("scored", [False, True])
def test_what_is_proven_on_random_games_is_the_value_of_minimax(scored):
    base, proven = random_game(scored=scored), 0
    for seed in range(samples(25, at_least=10)):
        game = with_seed(base, seed)
        result = sampler(game, seed=seed).search(game.initial(), nodes=3000)
        if result.proven:
            proven += 1
            check_proven(game, result, game.initial())
    assert proven >= samples(20, at_least=8)


@pytest.mark.slow
@pytest.mark.parametrize("scored", [False, True])
def test_it_is_true_of_compiled_workers_too(scored):
    base = random_game(scored=scored)
    for seed in range(300):
        game = with_seed(base, seed)
        # While one of two threads is paused with a position that it has not finished, the other may use up all nodes.
        limits = {"seconds": PATIENCE} if seed % 2 else {"nodes": 30_000}
        result = sampler(game, jit=True, threads=1 + seed % 2).search(game.initial(), **limits)
        assert result.proven
        check_proven(game, result, game.initial())


@pytest.mark.parametrize("repetition", [2, 3])
def test_nothing_false_is_proven_where_positions_repeat(repetition):
    base, proven = roundabout(repetition=repetition), 0
    for seed in range(12):
        game = with_seed(base, seed)
        if game.is_over(game.initial()):
            continue
        result = sampler(game, seed=seed).search(game.initial(), nodes=200)
        low, high = IntervalMinimax(game).interval(game.initial(), nodes=1000)
        if result.proven:
            proven += 1
            assert low <= result.value <= high or (low > 0 and result.value > 0) or (high < 0 and result.value < 0)
    assert proven >= 3


def test_a_position_that_would_be_a_draw_by_the_games_history_is_no_way_to_win():
    """The same position, with a history that forbids others: earlier proofs do not count."""
    game = with_seed(roundabout(repetition=2), 3)
    engine = sampler(game)
    line = zs.Line(game)
    for _ in range(12):
        if game.is_over(line.state) or line.is_repetition:
            break
        fresh = sampler(game).search(line, nodes=300)
        kept = engine.search(line, nodes=300)
        if fresh.proven and kept.proven:
            assert sign(fresh.value) == sign(kept.value)
        line = line.play(game.legal_moves(line.state)[0])


def test_visits_add_up():
    engine = sampler(TICTACTOE)
    result = engine.search(TICTACTOE.initial(), nodes=200)
    searcher, root = tree_of(engine)
    branches = searcher._branches(root)
    assert result.nodes == 200 == sum(branch.tries for branch in branches) == int(searcher._tree.words[root + VISITS])
    assert all(branch.tries for branch in branches), "every move is tried once before any is tried often"
    assert all(-1 <= branch.mean <= 1 for branch in branches)
    assert result.move == max(branches, key=lambda branch: branch.tries).move


def test_equal_seeds_give_equal_trees_and_others_do_not():
    def tries(seed):
        engine = sampler(TICTACTOE, seed=seed)
        engine.search(TICTACTOE.initial(), nodes=300)
        searcher, root = tree_of(engine)
        return [branch.tries for branch in searcher._branches(root)]

    assert tries(1) == tries(1) != tries(2)


def test_the_tree_is_kept_from_move_to_move():
    engine = sampler(TICTACTOE)
    line = zs.Line(TICTACTOE).play(engine.search(TICTACTOE.initial(), nodes=500).move)
    engine.search(line, nodes=1)
    searcher, root = tree_of(engine)
    assert int(searcher._tree.words[root + VISITS]) > 20
    engine.clear()
    engine.search(line, nodes=1)
    searcher, root = tree_of(engine)
    assert int(searcher._tree.words[root + VISITS]) == 1


def test_a_small_memory_holds_what_matters_and_never_grows():
    game = with_seed(random_game(), 1)
    engine = sampler(zs.load("connect-four", width=4, height=4, k=4), hash_mb=0.01)
    searcher = engine._searcher
    assert isinstance(searcher, MctsSearcher)
    collected, usual = [], searcher.collect

    def collect():
        before = engine.hashfull()
        usual()
        collected.append((before, engine.hashfull()))

    searcher.collect = collect
    words = len(searcher._tree.words)
    result = engine.search(engine.game.initial(), nodes=3_000)
    assert result.nodes == 3_000
    assert collected and all(after < before for before, after in collected)
    assert len(searcher._tree.words) == words
    root = searcher.root
    assert sum(branch.tries for branch in searcher._branches(root)) == 3_000
    small, large = sampler(game, hash_mb=0.001), sampler(game, hash_mb=4)
    assert small.search(game.initial(), nodes=5000).value == large.search(game.initial(), nodes=5000).value


def test_a_move_is_found_where_only_the_result_was_kept():
    engine = sampler(TICTACTOE)
    line = zs.Line(TICTACTOE, moves=(4, 0, 8))
    assert not engine.search(line, nodes=200).proven
    searcher, root = tree_of(engine)
    lost = next(branch for branch in searcher._branches(root) if branch.is_lost)
    searcher.collect()  # the position after it keeps its value, but not its moves
    for _ in range(2):
        found = engine.search(line.play(lost.move), nodes=5000)
        assert found.proven and found.outcome == 1 and found.move is not None


def test_a_memory_that_is_full_when_all_is_known_keeps_the_moves():
    engine = sampler(TICTACTOE)
    line = zs.Line(TICTACTOE, moves=(4, 1))
    first = engine.search(line, nodes=5000)
    searcher, _ = tree_of(engine)
    searcher.collect()
    assert first.proven and engine.search(line, nodes=1).move == first.move


def test_chance_is_averaged():
    game = zs.load("pig", target=2)
    truth = minimax(game, game.initial(), 8, jit=False).value
    result = sampler(game).search(game.initial(), nodes=4000)
    assert result.value == pytest.approx(truth, abs=0.1)


def test_a_player_may_move_twice():
    game = zs.load("kalah", pits=2, seeds=1)
    result = sampler(game).search(game.initial(), nodes=3000)
    assert result.proven and result.value == zs.Engine(game, jit=False).solve(game.initial()).value


def test_chosen_moves_and_several_lines():
    s = TICTACTOE.parse_state("x...o....")
    result = sampler(TICTACTOE).search(s, nodes=400, multipv=3)
    assert len(result.lines) == 3 and result.lines[0].move == result.move
    assert len({line.move for line in result.lines}) == 3
    result = sampler(TICTACTOE).search(s, nodes=200, moves=[1, 3])
    assert result.move in (1, 3)
    assert result.lines[0].move == result.move


def test_a_win_in_one_is_found_and_a_finished_game_needs_no_search():
    result = sampler(TICTACTOE).search(TICTACTOE.parse_state("xx.oo...."), nodes=100)
    assert (result.in_words(), result.nodes < 100) == ("MAX wins in 1 ply", True)
    over = sampler(TICTACTOE).search(TICTACTOE.parse_state("xxxoo...."))
    assert over.move is None and over.in_words() == "MAX wins"


def test_the_evaluation_can_take_the_place_of_random_games():
    game = zs.load("connect-four", width=5, height=4)
    for share in (50, 100):
        result = sampler(game, evaluate=share).search(game.initial(), nodes=200)
        assert result.nodes == 200 and result.move in range(5)


def test_a_score_or_a_win_is_aimed_at():
    game = zs.load("kalah", pits=3, seeds=2)
    for by_score in (False, True):
        result = sampler(game, by_score=by_score).search(game.initial(), nodes=300)
        assert abs(result.value) <= 12


def test_no_move_is_chosen_that_is_certainly_lost_while_another_is_open():
    game = zs.load("connect-four")
    line = zs.Line.parse(game, "4 6 5 5 2")  # x threatens 3, so that o has one move
    for seed in range(3):
        engine = sampler(game, seed=seed)
        for _ in range(6):
            result = engine.search(line, nodes=30)
            searcher, root = tree_of(engine)
            (chosen,) = [branch for branch in searcher._branches(root) if branch.move == result.move]
            assert not chosen.is_lost
        assert result.move == 2


def test_a_certain_draw_is_taken_unless_something_better_is_in_sight():
    worse, better = "(A 0 (B (C -1 -1) (D -1 1) (E -1 -1)))", "(A 0 (B (C 1 1) (D -1 1) (E 1 1)))"
    for text, move in ((worse, 0), (better, 1)):
        game = Tree.from_text(text).game
        result = sampler(game).search(game.initial(), nodes=6)
        assert (result.move, result.proven) == (move, False)


def test_limits_and_stops_are_kept():
    stop = zs.Stop()
    stop.set()
    assert sampler(TICTACTOE).search(TICTACTOE.initial(), stop=stop).nodes <= 1
    assert sampler(TICTACTOE).search(TICTACTOE.initial(), depth=2).depth >= 2
    reports = []
    sampler(TICTACTOE).search(TICTACTOE.initial(), nodes=1000, on_report=reports.append)
    assert [report.nodes for report in reports] == sorted(report.nodes for report in reports)
    assert reports[-1].nodes >= 700


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        (zs.load("pig").with_(evaluate=None), {"evaluate": 50}, "mcts with evaluate needs evaluate"),
        (TICTACTOE, {"evaluate": 101}, "evaluate must be a whole number from 0 to 100, not 101"),
        (TICTACTOE, {"explore": -1}, "explore must be a whole number from 0 to 10000, not -1"),
        (TICTACTOE, {"by_score": 3}, "by_score must be True or False, not 3"),
        (TICTACTOE, {"table": True}, "unknown option 'table' of mcts"),
    ],
)
def test_options_that_make_no_sense_are_refused(game, options, message):
    with pytest.raises(zs.ZerosumError, match=message):
        sampler(game, **options)


def test_a_rule_that_breaks_its_promise_is_told_with_the_rule():
    broken = TICTACTOE.with_(max_moves=8)
    with pytest.raises(zs.GameError, match="max_moves = 8"):
        sampler(broken).search(TICTACTOE.initial(), nodes=10)


def test_by_order_the_best_moves_come_first():
    game = zs.load("connect-four")
    engine = sampler(game, order=True)
    engine.search(game.initial(), nodes=60)
    searcher, root = tree_of(engine)
    moves = [branch.move for branch in searcher._branches(root)]
    order = [game.order(game.initial(), move) for move in moves]
    assert order == sorted(order, reverse=True)
    assert sorted(moves) == list(range(7))


def test_a_forest_judges_the_leaves_of_all_trees_together():
    batches = []

    def judge(states):
        batches.append(len(states))
        return np.zeros(len(states))

    forest = Forest(TICTACTOE, judge, trees=3, jit=False)
    starts = [TICTACTOE.initial(), TICTACTOE.parse_state("x...o...."), TICTACTOE.parse_state("xx.oo....")]
    found = forest.search(starts, 50)
    assert [result.nodes for result in found[:2]] == [50, 50]
    assert found[2].in_words() == "MAX wins in 1 ply"
    assert max(batches) == 2, "the third tree met finished games only"
    with pytest.raises(zs.ZerosumError, match="4 positions are too many: the forest has 3 trees"):
        forest.search([TICTACTOE.initial()] * 4, 10)


def test_a_forest_plays_as_its_judge_likes():
    def judge(states):
        boards = [TICTACTOE.format_state(TICTACTOE.state_type.from_words(row.tolist())) for row in states]
        return np.array([1.0 if board[2] == "x" else -1.0 for board in boards])

    (found,) = Forest(TICTACTOE, judge, trees=1, jit=False).search([TICTACTOE.initial()], 100)
    assert TICTACTOE.format_move(TICTACTOE.initial(), found.move) == "3"


SMALL = [
    ("tictactoe", {}),
    pytest.param("connect-four", {}, marks=pytest.mark.slow),
    pytest.param("kalah", {"pits": 3, "seeds": 2}, marks=pytest.mark.slow),
    pytest.param("hex", {"size": 4}, marks=pytest.mark.slow),
    pytest.param("othello", {}, marks=pytest.mark.slow),
    pytest.param("checkers", {}, marks=pytest.mark.slow),
    pytest.param("chess", {}, marks=pytest.mark.slow),
    pytest.param("pig", {"target": 15}, marks=pytest.mark.slow),
    pytest.param("backgammon", {}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "parameters"), SMALL)
def test_plain_and_compiled_simulations_grow_the_same_tree(name, parameters):
    game = zs.load(name, **parameters)
    trees = []
    for jit in (False, True):
        engine = sampler(game, jit=jit, seed=7)
        engine.search(game.initial(), nodes=40 if name in ("chess", "backgammon") else 150)
        searcher, root = tree_of(engine)
        trees.append([(branch.move, branch.tries, round(branch.mean, 9)) for branch in searcher._branches(root)])
    assert trees[0] == trees[1]


def test_a_simulation_that_is_stopped_leaves_nothing_behind():
    engine = sampler(TICTACTOE)
    engine.search(TICTACTOE.initial(), nodes=100)
    searcher, root = tree_of(engine)
    before = searcher._branches(root)
    member = searcher.member
    member.task, member.row[NODE_LIMIT], member.row[STOP] = SIMULATE, 101, 0
    usual, stops = member.row, []

    class Row(list):
        """A memory in which a stop arrives after a simulation's first moves."""

        def __setitem__(self, place, value):
            super().__setitem__(place, value)
            if place == PLY and value == 2 and not stops:
                stops.append(True)
                super().__setitem__(STOP, 1)

    object.__setattr__(member, "row", Row(usual))
    member.run()
    assert stops and searcher._branches(root) == before


def test_a_move_that_is_known_to_be_worse_is_not_taken_for_the_one_that_made_room():
    """The root's value is proven, but the best move's node was discarded when the memory was full."""
    game = zs.load("kalah", pits=3, seeds=2)
    engine = sampler(game)
    engine.search(game.initial(), nodes=60)
    searcher, root = tree_of(engine)
    words, (lost, open_branch, *_) = searcher._tree.words, searcher._branches(root)
    words[root + LOW] = words[root + HIGH] = float_word(5.0)
    for number, branch in enumerate(searcher._branches(root)):
        edge = root + HEAD + EDGE * number
        if branch.move == open_branch.move:
            words[edge + CHILD] = 0
        else:
            words[branch.child + LOW] = words[branch.child + HIGH] = float_word(1.0)
    rank = searcher._rank(root)
    assert max(searcher._branches(root), key=rank).move == open_branch.move != lost.move
