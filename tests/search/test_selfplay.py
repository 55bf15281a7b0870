"""Self-play: complete legal games, the same for the same seed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from random_games import roundabout

import zerosum as zs
from zerosum.classroom.minimax import minimax
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


class Heap(NamedTuple):
    stones: int
    turn: int
    taken: int


def coins(has_moves_left: bool = True) -> zs.Game:
    """Take one to three stones; each scores the number of stones left before it. No evaluation, and the sum decides."""
    return zs.Game(
        "coins",
        Heap,
        lambda: Heap(12, 0, 0),
        lambda s: s.turn,
        lambda s: range(1, min(3, s.stones) + 1),
        lambda s, move: Heap(s.stones - move, 1 - s.turn, s.taken + (1 - 2 * s.turn) * (s.stones * move % 7)),
        lambda s: s.taken,
        max_moves=3,
        is_terminal=lambda s: s.stones == 0,
        scored=True,
        moves_left=(lambda s: s.stones) if has_moves_left else None,
    )


def test_the_last_moves_are_perfect():
    game = coins()
    looked_at = 0
    for played in self_play(game, 20, depth=1, perfect=7, random_plies=1, seed=1, jit=False):
        for row, value in zip(played.states.tolist(), played.values.tolist(), strict=True):
            s = Heap(*row)
            if s.stones <= 7:
                looked_at += 1
                assert value == minimax(game, s) == played.result
    assert looked_at > 20


@pytest.mark.slow
def test_repetition_ends_games():
    """A game that cycles ends in a draw by the repetition rule after a few plies."""
    for played in self_play(roundabout(repetition=2), 5, depth=2, random_plies=1, seed=3):
        assert len(played.states) <= 2 * 64
        assert played.result in (-1, 0, 1)


def test_bad_requests():
    with pytest.raises(LimitError, match="pig has chance"):
        list(self_play(zs.load("pig"), 1))
    with pytest.raises(LimitError, match="random_plies"):
        list(self_play(GAME, 1, random_plies=-1))
    with pytest.raises(LimitError, match="perfect must be a whole number"):
        list(self_play(coins(), 1, perfect=-1))
    with pytest.raises(LimitError, match="perfect needs moves_left, which coins does not define"):
        list(self_play(coins(has_moves_left=False), 1, perfect=5))
