"""OpenSpiel in both directions: its tests and algorithms on our games, and its games compared with ours."""

from __future__ import annotations

import math
import pickle
import random
import sys
from typing import Any

import pytest

import zerosum as zs
from zerosum.errors import LimitError, MissingExtra, PositionError, UnknownGame
from zerosum.games import GAMES
from zerosum.neighbours import from_openspiel, to_openspiel


def test_without_openspiel_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for ask in (lambda: zs.load("openspiel:tic_tac_toe"), lambda: to_openspiel("tictactoe")):
        with pytest.raises(MissingExtra, match=r"pip install 'zerosum\[openspiel\]'"):
            ask()


def needs_openspiel(test: Any) -> Any:
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        return pytest.mark.slow(pytest.mark.skip(reason="OpenSpiel is not installed: pip install open_spiel")(test))
    return pytest.mark.slow(test)


UTILITIES = {"pig": 1, "kalah": 48, "backgammon": 3}
"""The largest results of scored games without bounds."""


def ours(name: str, **options: Any) -> Any:
    return to_openspiel(name, utility=UTILITIES.get(name), **options)


# Our games there


@needs_openspiel
@pytest.mark.parametrize("name", [name for name in GAMES if name != "chess"])
def test_openspiel_finds_no_fault_with_our_games(name):
    import pyspiel

    pyspiel.random_sim_test(ours(name), num_sims=2, serialize=True, verbose=False)


@needs_openspiel
def test_nor_with_chess():
    import pyspiel

    pyspiel.random_sim_test(ours("chess", longest=80), num_sims=1, serialize=False, verbose=False)


@needs_openspiel
def test_a_playthrough_can_be_written_of_dice_and_of_boards():
    from open_spiel.python.algorithms import generate_playthrough

    for name in ("connect-four", "pig", "nim"):
        text = generate_playthrough.playthrough(str(ours(name)), action_sequence=None, seed=1)
        assert "game: zerosum_" in text and "IsTerminal() = True" in text


@needs_openspiel
def test_states_are_copied_and_pickled():
    game, rng = ours("connect-four"), random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        copy = state.clone()
        state.apply_action(rng.choice(state.legal_actions()))
        assert str(copy) != str(state) and len(copy.history()) + 1 == len(state.history())
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


@needs_openspiel
def test_their_minimax_finds_that_tictactoe_is_a_draw_and_their_sampling_the_win():
    import numpy as np
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.algorithms import minimax as theirs

    game = ours("tictactoe")
    assert theirs.alpha_beta_search(game)[0] == 0
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    # Not pyspiel.MCTSBot, which crashes (2.0.2) with every game written in Python, including OpenSpiel's own.
    rng = np.random.RandomState(1)
    assert mcts.MCTSBot(game, 2.0, 200, mcts.RandomRolloutEvaluator(4, rng), random_state=rng).step(state) == 2


@needs_openspiel
def test_their_expectiminimax_has_our_value_of_a_game_with_dice():
    from open_spiel.python.algorithms import minimax as theirs

    game = zs.load("pig", target=4)

    def value(s: Any, decisions: int) -> float:
        """Counts depth as OpenSpiel does: only decisions count, not chance."""
        if game.is_over(s):
            return game.final_value(s)
        if not decisions:
            return 0.0
        if game.to_move(s) == zs.CHANCE:
            return sum(chance * value(game.play(s, outcome), decisions) for outcome, chance in game.chances(s))
        best = max if game.to_move(s) == zs.MAX else min
        return best(value(game.play(s, move), decisions - 1) for move in game.legal_moves(s))

    found, _ = theirs.expectiminimax(ours("pig", target=4).new_initial_state(), 4, lambda state: 0.0, 0)
    assert found == pytest.approx(value(game.initial(), 4)) and found > 0


@needs_openspiel
def test_parameters_and_names():
    import pyspiel

    small = to_openspiel("connect-four", width=5, height=4)
    assert small.num_distinct_actions() == 5
    assert pyspiel.load_game("zerosum_connect_four", {"width": 4}).num_distinct_actions() == 4
    assert to_openspiel("nim", heaps=[1, 2]).num_distinct_actions() == 3
    own = zs.load("tictactoe").with_(name="my game")
    assert "zerosum_my_game" in str(to_openspiel(own)) and str(to_openspiel(own)) == str(to_openspiel(own))
    assert str(to_openspiel(own.with_(about="another"))) != str(to_openspiel(own))


@needs_openspiel
def test_what_cannot_be_said_is_refused():
    with pytest.raises(LimitError, match="longest"):
        to_openspiel("tictactoe", longest=0)
    with pytest.raises(LimitError, match="utility=64"):
        to_openspiel(zs.load("kalah").with_(bounds=None, name="unbounded"))


@needs_openspiel
def test_long_games_are_drawn():
    state = to_openspiel("connect-four", longest=3).new_initial_state()
    for action in (0, 1, 0):
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [0, 0]


# Their games here

PAIRS = [
    ("tic_tac_toe", "tictactoe", lambda s, move: move, 6),
    ("connect_four", "connect-four", lambda s, move: move, 5),
    ("othello", "othello", lambda s, move: move, 5),
]


@needs_openspiel
@pytest.mark.parametrize(("theirs", "name", "translated", "depth"), PAIRS, ids=[pair[1] for pair in PAIRS])
def test_their_rules_and_ours_agree(theirs, name, translated, depth):
    there, here, rng = zs.load(f"openspiel:{theirs}"), zs.load(name), random.Random(3)
    for _ in range(20 if name != "othello" else 6):
        s, t = here.initial(), there.start()
        while legal := here.legal_moves(s):
            assert sorted(translated(s, move) for move in legal) == sorted(there.legal_moves(t))
            assert there.to_move(t) == here.to_move(s)
            move = rng.choice(legal)
            s, t = here.play(s, move), there.play(t, translated(s, move))
        assert there.is_over(t)
        assert math.copysign(1, there.final_value(t)) * bool(there.final_value(t)) == (
            (here.final_value(s) > 0) - (here.final_value(s) < 0)
        )
    counts = [zs.perft(game, game.initial(), depth, jit=False) for game in (there, here)]
    assert counts[0] == counts[1]


@needs_openspiel
def test_their_tictactoe_is_solved_here_by_every_algorithm():
    game = zs.load("openspiel:tic_tac_toe", transpositions=True)
    assert zs.Engine(game, hash_mb=1).solve(game.initial()).in_words() == "a draw"
    won = game.parse_state("0 3 1 4")
    for algorithm in ("alphabeta", "mcts", "minimax", "proof"):
        assert zs.Engine(game, algorithm, hash_mb=1).search(won, depth=3).move == 2


@needs_openspiel
def test_their_dice_are_searched_and_rolled():
    game = zs.load("openspiel:pig", winscore=5)
    s = game.start()
    assert zs.Engine(game, hash_mb=1).search(s, depth=4).move is not None
    assert zs.playouts(game, s, 3, jit=False).games == 3


@needs_openspiel
def test_a_game_of_theirs_is_played_in_the_arena_and_sent_to_other_processes(tmp_path, capsys):
    from zerosum.cli import main

    game = zs.load("openspiel:connect_four", columns=4, rows=4)
    assert pickle.loads(pickle.dumps(game)).max_moves == game.max_moves == 4
    out = tmp_path / "games.jsonl"
    arguments = ["match", "engine", "random", "--game", "openspiel:tic_tac_toe", "--time", "depth 2"]
    assert main([*arguments, "--games", "4", "--out", str(out)]) == 0, capsys.readouterr().err
    assert out.read_text(encoding="utf-8").count("\n") == 5


@needs_openspiel
def test_positions_are_their_moves(capsys):
    from zerosum.cli import main

    game = zs.load("openspiel:tic_tac_toe")
    s = game.parse_state("4 0")
    assert game.format_state(s) == "4 0" and game.format_state(game.initial()) == "start"
    assert game.parse_state("start") == game.initial()
    assert game.parse_move(s, "x(0,1)") == game.parse_move(s, "1") == 1 and game.format_move(s, 1) == "x(0,1)"
    with pytest.raises(PositionError, match="move 2: '4' is not a legal action"):
        game.parse_state("4 4")
    assert main(["analyze", "openspiel:tic_tac_toe", "0 3 1 4"]) == 0
    assert "best move: x(0,2), player 0 wins in 1 ply" in capsys.readouterr().out
    assert main(["games", "openspiel:connect_four"]) == 0 and "columns=7" in capsys.readouterr().out


@needs_openspiel
@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("kuhn_poker", "perfect information"),
        ("matrix_pd", "sequential"),
        ("goofspiel", "sequential"),
        ("coop_box_pushing", "sequential"),
        ("chess", None),
        ("backgammon", None),
        ("python_tic_tac_toe", None),
    ],
)
def test_other_kinds_of_games_are_refused_in_a_line_that_says_what_is_missing(name, missing):
    if missing is None:
        game = from_openspiel(name)
        assert game.legal_moves(game.start())
        return
    with pytest.raises(zs.GameError, match=missing):
        from_openspiel(name)


@needs_openspiel
def test_there_are_two_players():
    with pytest.raises(zs.GameError, match="has 3 players, not two"):
        from_openspiel("pig", players=3)
    with pytest.raises(zs.GameError, match="is not zero-sum"):
        from_openspiel("catch")


@needs_openspiel
def test_names_and_parameters_that_are_wrong_are_quoted():
    with pytest.raises(UnknownGame, match="no game 'tic_tac_to'; did you mean 'tic_tac_toe'"):
        from_openspiel("tic_tac_to")
    with pytest.raises(zs.GameError, match="no parameter 'width'; it takes"):
        from_openspiel("connect_four", width=5)
    with pytest.raises(zs.GameError, match="cannot be made with rows='x'"):
        from_openspiel("connect_four", rows="x")


@needs_openspiel
def test_a_game_that_lasts_too_long_is_a_draw():
    game = from_openspiel("chess", longest=3)
    s = game.parse_state("start")
    for _ in range(3):
        assert not game.is_over(s)
        s = game.successor(s, game.legal_moves(s)[0])
    assert game.is_over(s) and game.final_value(s) == 0
    assert pickle.loads(pickle.dumps(game)).state_type.size == game.state_type.size == 2
    with pytest.raises(LimitError, match="longest must be a whole number of at least 1, not 0"):
        from_openspiel("chess", longest=0)


@needs_openspiel
def test_any_history_is_a_state_in_any_process():
    game, rng = from_openspiel("backgammon"), random.Random(2)
    s = game.start()
    for _ in range(60):
        s = game.successor(s, rng.choice(game.legal_moves(s)))
    other = from_openspiel("backgammon")
    assert other.show(other.state(tuple(s))) == game.show(s)
    assert other.parse_state(game.format_state(s)) == s
