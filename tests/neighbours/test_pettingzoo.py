"""PettingZoo's own tests on our games, and its view of a game compared with the rules."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

import zerosum as zs
from zerosum.errors import LimitError, MissingExtra
from zerosum.games import GAMES
from zerosum.neighbours import pettingzoo_env


def test_without_pettingzoo_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.setitem(sys.modules, "pettingzoo.utils", None)
    with pytest.raises(MissingExtra, match=r"pip install 'zerosum\[pettingzoo\]'"):
        pettingzoo_env("tictactoe")


def needs_pettingzoo(test: Any) -> Any:
    try:
        import pettingzoo  # noqa: F401
    except ImportError:
        return pytest.mark.slow(pytest.mark.skip(reason="PettingZoo is not installed: pip install pettingzoo")(test))
    return pytest.mark.slow(test)


@needs_pettingzoo
# It warns that observations are not arrays, as for its own games with masks, and that an empty board is all zeros.
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
@pytest.mark.parametrize("name", [name for name in GAMES if name != "chess"])
def test_pettingzoo_finds_no_fault_with_our_games(name):
    from pettingzoo.test import api_test, seed_test

    api_test(pettingzoo_env(name), num_cycles=150, verbose_progress=False)
    seed_test(lambda: pettingzoo_env(name), num_cycles=40)


@needs_pettingzoo
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_nor_with_chess():
    from pettingzoo.test import api_test

    api_test(pettingzoo_env("chess", longest=60), num_cycles=100, verbose_progress=False)


@needs_pettingzoo
def test_boards_are_texts():
    from pettingzoo.test import render_test

    tests = {"ansi": lambda found: isinstance(found, str), "human": lambda found: found is None}
    render_test(lambda **options: pettingzoo_env("tictactoe", **options), custom_tests=tests)


@needs_pettingzoo
@pytest.mark.parametrize("name", ["kalah", "othello", "pig", "nim"])
def test_agents_move_when_the_rules_say_so(name):
    env, game, rng = pettingzoo_env(name), zs.load(name), random.Random(4)
    env.reset(seed=1)
    while env.agents:
        agent = env.agent_selection
        seen, _, over, _, _ = env.last()
        if over:
            value = game.final_value(env.unwrapped.current.s)
            assert env.unwrapped._cumulative_rewards == {"player_0": value, "player_1": -value}
            break
        s = env.unwrapped.current.s
        assert agent == f"player_{game.to_move(s)}"
        legal = [action for action, allowed in enumerate(seen["action_mask"]) if allowed]
        assert len(legal) == len(game.legal_moves(s))
        assert not env.observe(f"player_{1 - game.to_move(s)}")["action_mask"].any()
        env.step(rng.choice(legal))


@needs_pettingzoo
def test_an_illegal_action_ends_the_game_and_long_games_are_truncated():
    env = pettingzoo_env("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True} and env.rewards["player_1"] == -1
    env = pettingzoo_env("connect-four", longest=2)
    env.reset()
    env.step(0)
    env.step(0)
    assert env.truncations == {"player_0": True, "player_1": True} and not any(env.rewards.values())


@needs_pettingzoo
def test_settings_that_make_no_sense_are_quoted():
    for settings, quoted in (({"render_mode": "rgb"}, "'rgb'"), ({"longest": 0}, "0"), ({"actions": "x"}, "'x'")):
        with pytest.raises(LimitError, match=quoted):
            pettingzoo_env("tictactoe", **settings)
