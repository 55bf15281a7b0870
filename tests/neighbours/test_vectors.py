"""The vectorised environment follows the rules: each of its games matches a game in plain Python."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import zerosum as zs
from zerosum.errors import LimitError, MoveError
from zerosum.game import CHANCE, Game, Line
from zerosum.neighbours import VectorEnv
from zerosum.neighbours.actions import Actions, observation
from zerosum.neighbours.game_in_progress import GameInProgress
from zerosum.neighbours.stepping import bytes_of

NUMBER = 4


def shown_as_it_is(envs: VectorEnv, step: Any, number: int) -> None:
    """Check mask, observation and player of one unfinished game against its State."""
    game, s = envs.game, envs.state(number)
    legal = game.legal_moves(s)
    assert game.to_move(s) != CHANCE and envs.players[number] == game.to_move(s)
    assert envs.moves[number, : envs.counts[number]].tolist() == legal
    assert np.flatnonzero(step.masks[number]).tolist() == sorted(envs.actions.of_moves(legal))
    if envs.observe != "nothing":
        seen = observation(game, envs.observe, s, game.to_move(s))
        assert step.observations[number].tolist() == seen.tolist()


def play_to_the_end(envs: VectorEnv, seed: int = 1) -> int:
    """Compare random games with plain Python, move by move; of chance, only results. Returns the number of plies."""
    game, rng = envs.game, np.random.default_rng(seed)
    lines: list[Line] = [Line(game) for _ in range(envs.count)]
    step, plies = envs.reset(), 0
    goes_on = np.ones(envs.count, bool)
    while goes_on.any():
        for number in np.flatnonzero(goes_on):
            shown_as_it_is(envs, step, int(number))
        actions = envs.sample(rng)
        moves = [envs.move(n, int(actions[n])) if goes_on[n] else 0 for n in range(envs.count)]
        before = [envs.state(n) for n in range(envs.count)]
        step = envs.step(actions)
        for number in np.flatnonzero(goes_on):
            s, over = envs.state(int(number)), bool(step.terminated[number])
            if game.has("chances"):
                assert s != before[number]
                assert over == game.is_over(s)
                assert step.rewards[number] == (game.final_value(s) if over else 0)
                continue
            line = lines[number] = lines[number].play(moves[number])
            assert s == line.state
            assert over == (game.is_over(s) or line.is_repetition)
            assert step.rewards[number] == (0 if not over or line.is_repetition else game.final_value(s))
        goes_on &= ~(step.terminated | step.truncated)
        plies += 1
    assert not step.masks.any() and not step.observations.any()
    still = envs.words.copy()
    after = envs.step(np.zeros(envs.count, int))  # finished games do not change
    assert (envs.words == still).all() and not after.rewards.any()
    assert (after.terminated == step.terminated)[~goes_on].all()
    return plies


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tictactoe", {}),
        ("tictactoe", {"actions": "places"}),
        ("connect-four", {}),
        ("kalah", {"observe": "bits"}),
        ("nim", {"observe": "nothing"}),
        ("pig", {}),
        ("othello", {}),
    ],
)
def test_every_game_is_one_by_the_rules(name: str, options: dict[str, Any]) -> None:
    assert play_to_the_end(VectorEnv(name, NUMBER, jit=False, **options)) > 3


def to_and_fro() -> Game:
    """A game in which every position recurs; the third occurrence is a draw."""
    return zs.load("nim").with_(
        moves=lambda s: [1], play=lambda s, move: s._replace(turn=1 - s.turn), repetition=3, key=None, tiers=None
    )


def test_repetition_ends_a_game_as_it_does_on_a_line() -> None:
    game = to_and_fro()
    envs = VectorEnv(game, 2, actions="places", jit=False)
    envs.reset()
    ends = [envs.step(np.zeros(2, int)).terminated.all() for _ in range(4)]
    line = Line(game)
    for _ in range(4):
        line = line.play(1)
    assert ends == [False, False, False, True] and line.is_repetition
    current = GameInProgress.begin(game)
    for _ in range(4):
        current = current.after(game, 1)
    assert current.is_repetition and current.legal(game) == [] and current.value(game) == 0


def test_what_cannot_come_again_is_not_looked_back_at() -> None:
    game = to_and_fro().with_(reversible=lambda s, move: False)
    envs = VectorEnv(game, 1, actions="places", longest=9, jit=False)
    envs.reset()
    found = [envs.step(np.zeros(1, int)) for _ in range(9)]
    assert not any(step.terminated for step in found) and [bool(step.truncated) for step in found].index(True) == 8
    current = GameInProgress.begin(game)
    for _ in range(9):
        current = current.after(game, 1)
    assert not current.is_repetition


def test_a_finished_game_begins_anew_in_the_same_step() -> None:
    envs = VectorEnv("tictactoe", 2, auto_reset=True, jit=False)
    first = envs.reset()
    for action in (0, 3, 1, 4):
        step = envs.step(np.array([action, action + (action == 4)]))
        assert not step.terminated.any()
    step = envs.step(np.array([2, 8]))  # three in a row wins here, but not there
    assert step.terminated.tolist() == [True, False] and step.rewards.tolist() == [1, 0]
    assert (step.masks[0] == first.masks[0]).all() and envs.state(0) == envs.game.initial()
    assert step.masks[1].sum() == 4


def test_long_games_are_broken_off_and_pay_nothing() -> None:
    envs = VectorEnv("connect-four", 3, longest=4, auto_reset=True, jit=False)
    envs.reset()
    steps = [envs.step(envs.sample(np.random.default_rng(n))) for n in range(8)]
    assert [step.truncated.all() for step in steps] == [False, False, False, True] * 2
    assert not any(step.terminated.any() or step.rewards.any() for step in steps)


@pytest.mark.parametrize("name", ["pig", "connect-four"])
def test_seeds_decide_and_threads_do_not(name: str) -> None:
    def played(seed: int, threads: int) -> list[Any]:
        envs = VectorEnv(name, 9, seed=seed, threads=threads, auto_reset=True, jit=False)
        rng, found = np.random.default_rng(5), [envs.reset()]
        for _ in range(30):
            found.append(envs.step(envs.sample(rng)))
        return [array.tolist() for step in found for array in step]

    assert played(1, 1) == played(1, 3)
    assert (played(1, 1) == played(2, 1)) == (name == "connect-four")


def test_a_seed_at_reset_throws_the_same_dice_again() -> None:
    envs = VectorEnv("pig", 5, jit=False)
    again = [envs.reset(seed=seed) and envs.step(np.ones(5, int)).observations.tolist() for seed in (7, 7, 8)]
    assert again[0] == again[1] != again[2]


@pytest.mark.slow
def test_arrays_are_the_callers_own_unless_they_want_none() -> None:
    for copy in (True, False):
        envs = VectorEnv("tictactoe", 1, copy=copy)  # compiled only: uncompiled rows are always copied
        first = envs.reset()
        envs.step(np.array([4]))
        assert first.masks[0, 4] == copy


@pytest.mark.parametrize("actions", [[9, 0], [0, -1], [4, 4]])
def test_an_illegal_action_is_refused_and_nothing_moves(actions: list[int]) -> None:
    envs = VectorEnv("tictactoe", 2, jit=False)
    envs.reset()
    envs.step(np.array([0, 4]))
    before = envs.words.copy()
    wrong = next(n for n, action in enumerate(actions) if action not in envs.game.legal_moves(envs.state(n)))
    with pytest.raises(MoveError, match=rf"game {wrong}: {actions[wrong]} is not a legal action here; legal: "):
        envs.step(np.array(actions))
    assert (envs.words == before).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"count": 0}, "count must be a whole number from 1 to 16777216, not 0"),
        ({"longest": 0}, "longest must be"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"threads": 0}, "threads must be"),
        ({"actions": "all"}, "actions must be 'moves' or 'places', not 'all'"),
        ({"game": "chess", "actions": "moves"}, "chess does not declare how many actions"),
        ({"observe": "pixels"}, "observe must be 'active', 'bits' or 'nothing', not 'pixels'"),
        ({"observe": "active"}, "tictactoe defines no active"),
    ],
)
def test_settings_that_make_no_sense_are_quoted(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LimitError, match=message):
        VectorEnv(**{"game": "tictactoe", "count": 2, "jit": False, **settings})


def test_actions_must_fit_the_games() -> None:
    envs = VectorEnv("tictactoe", 2, jit=False)
    with pytest.raises(LimitError, match=r"call reset\(\) before"):
        envs.step(np.zeros(2, int))
    envs.reset()
    for actions in (np.zeros(3, int), np.zeros(2), 4):
        with pytest.raises(LimitError, match="one for each of 2 games"):
            envs.step(actions)


def test_a_broken_rule_is_told_with_the_position() -> None:
    envs = VectorEnv(zs.load("tictactoe").with_(actions=4), 2, jit=False)
    with pytest.raises(zs.GameError, match="not below actions = 4"):
        envs.reset()


def test_bytes_are_the_bits_of_a_byte() -> None:
    for byte in range(256):
        assert bytes_of(byte) == sum((byte >> i & 1) << 8 * i for i in range(8))


def test_actions_go_there_and_back() -> None:
    game, rng = zs.load("nim"), random.Random(1)
    kinds = Actions.of(game), Actions(300, True)
    s = game.initial()
    while legal := game.legal_moves(s):
        for kind in kinds:
            assert [kind.move(action, legal) for action in kind.of_moves(legal)] == legal
        s = game.play(s, rng.choice(legal))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "connect-four", "othello", "chess", "checkers", "backgammon", "pig"])
def test_compiled_games_are_by_the_rules(name: str) -> None:
    longest = 60 if name == "chess" else 1000
    play_to_the_end(VectorEnv(name, 3, longest=longest, threads=2))
    plain, compiled = (VectorEnv(name, 5, seed=3, longest=40, auto_reset=True, jit=jit) for jit in (False, True))
    pairs = [(plain.reset(), compiled.reset())]
    for number in range(60):
        actions = plain.sample(np.random.default_rng(number))
        pairs.append((plain.step(actions), compiled.step(actions)))
    for one, other in pairs:
        assert all((a == b).all() for a, b in zip(one, other, strict=True))
