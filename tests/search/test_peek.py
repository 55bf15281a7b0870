"""Facts about reading the table: every entry is true of its position."""

from __future__ import annotations

import pytest

from zerosum.engine import Engine
from zerosum.game import MAX, WIN, Line
from zerosum.games import load


def exact(game, s, found):
    """The value of a position for MAX, with wins counted from it, by searching every line."""
    if s not in found:
        if game.is_over(s):
            found[s] = WIN * ((game.utility(s) > 0) - (game.utility(s) < 0))
        else:
            values = [exact(game, game.play(s, move), found) for move in game.legal_moves(s)]
            best = max(values) if game.to_move(s) == MAX else min(values)
            found[s] = best - (best > 0) + (best < 0)
    return found[s]


def below(game, s, plies):
    """The positions that can be reached within a number of plies, each with a line to it."""
    line = Line(game, s)
    level = [line]
    for _ in range(plies):
        level = [one.play(move) for one in level for move in game.legal_moves(one.state)]
        yield from level


@pytest.mark.parametrize(
    ("game", "depth"), [(load("tictactoe"), 9), (load("connect-four", width=4, height=3, k=3), 12)], ids=["ttt", "cf"]
)
def test_proven_entries_hold(game, depth):
    """A proven value is the exact value, or a bound on it."""
    engine = Engine(game, hash_mb=8, jit=False)
    s = game.initial()
    engine.search(s, depth=depth)
    values, seen = {}, 0
    for line in below(game, s, 3):
        known = engine.known(line.state)
        if known is None or not known.proven or game.is_over(line.state):
            continue
        seen += 1
        value = exact(game, line.state, values)
        if known.bound == 0:
            assert known.value == value
        elif known.bound > 0:
            assert known.value <= value
        else:
            assert known.value >= value
        assert known.move is None or known.move in game.legal_moves(line.state)
    assert seen > 10


def test_a_win_tells_its_distance():
    game = load("tictactoe")
    engine = Engine(game, hash_mb=1, jit=False)
    line = Line.parse(game, "1 5 2 9")
    engine.search(line, depth=4)
    engine.search(line.back(), depth=5)
    known = engine.known(line.state)
    assert known is not None and known.distance == 1 and known.value == WIN - 1


def test_a_new_engine_knows_nothing():
    game = load("tictactoe")
    assert Engine(game, hash_mb=1, jit=False).known(game.initial()) is None


def test_games_of_chance_have_fractions():
    game = load("pig", target=10)
    engine = Engine(game, hash_mb=1, jit=False)
    engine.search(game.initial(), depth=3)
    found = [engine.known(line.state) for line in below(game, game.initial(), 2)]
    assert any(known is not None and isinstance(known.value, float) and known.distance is None for known in found)
