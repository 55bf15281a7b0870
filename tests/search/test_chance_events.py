"""Facts about chance events: every way to write ``chances`` works, and invalid ones are refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import zerosum as zs
from zerosum.classroom.expectiminimax import expectiminimax
from zerosum.engine import playouts
from zerosum.errors import GameError, KernelError

# Consecutive events


class Coin(NamedTuple):
    heads: int
    tossing: int
    kind: int


class How(NamedTuple):
    """The variant of a coin game, in tables, so that all of them share one compiled kernel."""

    wrong: np.ndarray  # the index in WRONG of the dice's fault, or -1
    endless: np.ndarray  # 1: heads are tossed again and again; 0: three tosses


PENNIES = ((0, 0.5), (1, 0.5))


def pennies(s):
    """The outcomes of one coin, written in different ways."""
    if s.kind == 0:
        yield from PENNIES
    elif s.kind == 1:
        yield from weighted(s, 0.5)
    elif s.kind == 2:
        pair = (1, 1)
        yield pair
    else:
        for i in range(2):
            if i == 1:
                yield i, 0.5
            else:
                yield i, np.float32(0.5)


def weighted(s, p):
    yield 0, p
    yield 1, 1 - p


WRONG = {
    "add up to 0.75, not 1": [(1, 0.25), (2, 0.5)],
    "gives 2 the probability -0.5": [(1, 1.5), (2, -0.5)],
    "gives 1 the probability 0.0": [(1, 0.0), (2, 1.0)],
    "gives 2 the probability nan": [(1, 0.5), (2, float("nan"))],
    "more than max_chances = 3 outcomes": [(1, 0.25), (2, 0.25), (3, 0.25), (4, 0.25)],
    "the outcome -1, outside 0": [(-1, 0.5), (2, 0.5)],
    "the outcome 2147483648": [(2**31, 0.5), (2, 0.5)],
    "add up to 0, not 1": [],
}
OUTCOMES = np.array([[o for o, _ in (pairs + [(0, 0)] * 4)[:4]] for pairs in WRONG.values()])
PROBABILITIES = np.array([[p for _, p in (pairs + [(0, 0.0)] * 4)[:4]] for pairs in WRONG.values()])
LENGTHS = [len(pairs) for pairs in WRONG.values()]


def chances(s, t):
    if t.wrong[0] < 0:
        yield from pennies(s)
    else:
        for i in range(LENGTHS[t.wrong[0]]):
            yield OUTCOMES[t.wrong[0], i], PROBABILITIES[t.wrong[0], i]


def toss(s, move, t):
    if s.tossing == 0:
        return Coin(s.heads, 1, move)
    again = move == 1 if t.endless[0] else s.tossing < 3
    return Coin(s.heads + move, s.tossing + 1 if again else -1, s.kind)


def four(s):
    for kind in range(4):
        yield kind


def coins(wrong: int = -1, endless: bool = False) -> zs.Game:
    """One move, then a coin that is tossed three times, or until it shows tails; the score is the number of heads."""
    return zs.Game(
        "coins",
        Coin,
        lambda: Coin(0, 0, 0),
        lambda s: zs.CHANCE if s.tossing else zs.MAX,
        four,
        toss,
        lambda s: s.heads,
        4,
        is_terminal=lambda s: s.tossing < 0,
        chances=chances,
        max_chances=3,
        evaluate=lambda s: 10.0,
        tables=How(np.array([wrong]), np.array([int(endless)])),
    )


def coins_without_source() -> zs.Game:
    scope: dict = {}
    exec("def pennies(s):\n    yield 0, 0.5 if s.kind != 2 else 1e-300\n    yield 1, 0.5 if s.kind != 2 else 1", scope)
    return coins().with_(chances=scope["pennies"])


@pytest.mark.parametrize("make", [coins, pytest.param(coins_without_source, marks=pytest.mark.slow)])
def test_every_way_to_yield_outcomes_is_compiled(make):
    game = make()
    for jit in (True, False):
        found = zs.Engine(game, hash_mb=1, jit=jit).search(game.initial(), depth=1, multipv=4)
        # Three tosses; the coin of kind 2 shows nothing but heads.
        assert {line.move: line.value for line in found.lines} == {0: 1.5, 1: 1.5, 2: 3.0, 3: 1.5}


def test_dice_that_may_be_thrown_for_ever_are_no_endless_search():
    # Heads: toss again. The number of heads is 1/2 + 1/4 + 1/8 + …
    game = coins(endless=True)
    for jit in (True, False):
        found = zs.Engine(game, hash_mb=1, jit=jit).search(game.initial(), depth=3, multipv=4)
        values = {line.move: line.value for line in found.lines}
        assert values[0] == pytest.approx(1, abs=1e-12)
        assert values[0] == expectiminimax(game, game.play(game.initial(), 0), 2)
        assert values[2] == 10.0  # heads only: the value is the evaluation after the last toss
        assert not found.proven


# Rules that are wrong


@pytest.mark.parametrize("jit", [True, False])
@pytest.mark.parametrize("kind", range(len(WRONG)))
def test_wrong_probabilities_and_outcomes_are_quoted(kind, jit):
    game = coins(wrong=kind)
    with pytest.raises(GameError) as caught:
        zs.Engine(game, hash_mb=1, jit=jit).search(game.initial(), depth=2)
    assert list(WRONG)[kind] in str(caught.value)
    assert "Coin(heads=0, tossing=1, kind=0)" in str(caught.value)


def test_outcomes_without_probabilities_are_refused():
    def bare(s):
        yield 0
        yield 1

    game = coins().with_(chances=bare)
    with pytest.raises(KernelError, match=r"chances, in bare \(.*, line \d+\) yields a whole number, not \(outcome"):
        playouts(game, game.initial(), 1)  # the kernel that is compiled in the shortest time
    with pytest.raises(GameError, match=r"must yield \(outcome, probability\)"):
        zs.Engine(game, hash_mb=1, jit=False).search(game.initial(), depth=2)


def test_a_game_that_hands_over_to_chance_must_say_what_can_happen():
    game = coins().with_(chances=None)
    with pytest.raises(GameError, match="defines no chances"):
        zs.Engine(game, hash_mb=1).search(game.play(game.initial(), 0), depth=2)
