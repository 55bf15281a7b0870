"""Self-play: whole legal games, the same for the same seed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from random_games import roundabout

import zerosum as zs
from zerosum.errors import LimitError
from zerosum.search.selfplay import SelfPlayed, self_play

GAME = zs.load("connect-four", width=5, height=4)


def states_of(played: SelfPlayed) -> list[Any]:
    return [GAME.state_type.from_words([int(w) for w in row]) for row in played.states]


def test_games_are_legal_and_end_as_they_say():
    for played in self_play(GAME, 12, depth=3, random_plies=2, seed=5):
        states = states_of(played)
        for before, after in pairwise(states):
            assert after in [GAME.play(before, move) for move in GAME.legal_moves(before)]
        endings = [GAME.play(states[-1], move) for move in GAME.legal_moves(states[-1])]
        assert played.result in [GAME.utility(s) for s in endings if GAME.is_over(s)]
        assert len(played.values) == len(states)


def test_a_forced_win_is_valued_and_played():
    won = 0
    for played in self_play(GAME, 30, depth=12, random_plies=6, seed=2):
        value = int(played.values[0])
        if abs(value) > zs.WIN - 100:
            won += 1
            assert played.result == (1 if value > 0 else -1)
    assert won > 5


def test_threads_and_repetition_of_a_seed_change_nothing():
    def games(threads: int, seed: int) -> list[tuple[list[list[int]], int]]:
        found = self_play(GAME, 6, depth=2, random_plies=4, seed=seed, threads=threads)
        return [(played.states.tolist(), played.result) for played in found]

    assert games(1, 1) == games(2, 1) == games(1, 1)
    assert games(1, 1) != games(1, 2)


@pytest.mark.slow
def test_repetition_ends_games():
    """A game that goes round in circles ends by the rule, as a draw, after a few plies."""
    for played in self_play(roundabout(repetition=2), 5, depth=2, random_plies=1, seed=3):
        assert len(played.states) <= 2 * 64
        assert played.result in (-1, 0, 1)


def test_bad_requests():
    with pytest.raises(LimitError, match="pig has chance"):
        list(self_play(zs.load("pig"), 1))
    with pytest.raises(LimitError, match="random_plies"):
        list(self_play(GAME, 1, random_plies=-1))
