"""Games that could go on forever: where a proof may contain cycles, and where it must not."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from certificates.builders import entries_of, handmade, proof, written
from zerosum.certificates.file import NO_MOVE
from zerosum.certificates.verifying import verify
from zerosum.certifying.strategy import CycleFound, Strategy
from zerosum.certifying.writing import Claim
from zerosum.engine import Engine
from zerosum.errors import CertificateError
from zerosum.game import MAX, MIN, Game
from zerosum.games import load

FORTH, WIN_NOW = 0, 1


class Walk(NamedTuple):
    """A walk around a ring of four places, after ``steps`` steps."""

    place: int
    turn: int
    steps: int


def walk(repetition: int, counts: bool = False, clock: int = 0, limit: int = 0) -> Game:
    """Both players walk on; at place 0 MAX may end the game and win. After ``limit`` steps MAX wins anyway.

    With ``counts`` the State counts the steps; the key leaves them out.
    """

    def moves(s):
        yield FORTH
        if s.turn == MAX and s.place == 0:
            yield WIN_NOW

    def play(s, move):
        steps = s.steps + 1 if counts else 0
        return Walk(4 if move == WIN_NOW else (s.place + 1) % 4, 1 - s.turn, steps)

    return Game(
        "walk",
        Walk,
        lambda: Walk(0, MAX, 0),
        lambda s: s.turn,
        moves,
        play,
        lambda s: 1,
        2,
        is_terminal=lambda s: s.place == 4 or (limit > 0 and s.steps >= limit),
        key=lambda s: 2 * s.place + s.turn,
        repetition=repetition,
        clock=(lambda s: clock - s.steps) if clock else None,
    )


def round_the_ring(steps: int = 1, rank: int = 0):
    """Entries for MAX and MIN walking on. They alternate, so MAX is to move at the even places."""
    return [
        (Walk(step % 4, step % 2, step if steps > 4 else 0), FORTH if step % 2 == 0 else NO_MOVE, max(0, rank - step))
        for step in range(max(steps, 4))
    ]


def refused(game, path) -> str:
    with pytest.raises(CertificateError) as problem:
        verify(game, path)
    return str(problem.value)


@pytest.mark.parametrize("player", [MAX, MIN])
def test_a_circle_is_a_draw_where_repetitions_are(tmp_path, player):
    """MAX walks on forever: that is a draw, so MAX does not lose."""
    game, path = walk(repetition=3), tmp_path / "a.proof"
    if player == MAX:
        assert verify(game, handmade(game, path, (MAX, 0), round_the_ring())).in_words().startswith("MAX does not lose")
    else:
        # MIN has no way to keep MAX from winning at place 0.
        chosen = [(s, NO_MOVE if move == FORTH else FORTH, rank) for s, move, rank in round_the_ring()]
        assert "the game ends there with -1 for MIN, but 0 is claimed" in refused(
            game, handmade(game, path, (MIN, 0), chosen)
        )


def test_a_circle_proves_nothing_where_a_game_may_go_on_for_ever(tmp_path):
    game = walk(repetition=0)
    chosen = [(s, move, 7) for s, move, _ in round_the_ring()]
    assert "its rank 7 is not below the rank 7" in refused(game, handmade(game, tmp_path / "a.proof", (MAX, 0), chosen))


def test_a_circle_never_wins(tmp_path):
    for ranks in ([4, 3, 2, 1], [5, 5, 5, 5]):
        chosen = [(s, move, rank) for (s, move, _), rank in zip(round_the_ring(), ranks, strict=True)]
        path = handmade(walk(repetition=3), tmp_path / "a.proof", (MAX, 1), chosen)
        assert "is not below the rank" in refused(walk(repetition=3), path)


def test_a_win_that_repeats_positions_is_refused(tmp_path):
    """Counting the steps makes every State a new one, so ranks can fall. But the rules declare a draw first."""
    chosen = round_the_ring(steps=13, rank=13)
    endless, drawn = (walk(repetition, counts=True, limit=13) for repetition in (0, 3))
    path = handmade(endless, tmp_path / "a.proof", (MAX, 1), chosen)
    assert verify(endless, path).in_words().endswith("within 13 plies")
    assert "count as the same one, but have the ranks" in refused(drawn, path)


def test_a_clock_ends_the_game_in_a_draw(tmp_path):
    """With ten plies left the game is a draw, with or without ranks, and not a win."""
    chosen = round_the_ring(steps=10, rank=10)
    game, path = walk(repetition=0, counts=True, clock=10), tmp_path / "a.proof"
    assert verify(game, handmade(game, path, (MAX, 0), chosen)).in_words().startswith("MAX does not lose")
    assert "the game ends there with 0 for MAX, but 1 is claimed" in refused(
        game, handmade(game, path, (MAX, 1), chosen)
    )


def test_the_winner_does_not_walk_in_circles(tmp_path):
    """For the search, walking on keeps the win too. The certificate contains the fastest win."""
    game = walk(repetition=3)
    path = proof(game, tmp_path / "a.proof")
    assert verify(game, path).in_words() == "MAX wins from '0 0 0' within 1 ply"


def test_moves_that_go_round_in_circles_are_chosen_again(tmp_path, monkeypatch):
    """Without a repetition rule any winning move is accepted at first; here the first one leads into a cycle."""
    game = walk(repetition=0)
    engine = Engine(game, jit=False, hash_mb=1)
    found = engine.search(game.start(), depth=4)
    assert found.distance == 1
    from zerosum.certifying.writing import certify

    nearest = engine.keep

    def walks_on(questions):
        return nearest(questions) if all(q.nearest for q in questions) else [FORTH] * len(questions)

    monkeypatch.setattr(engine, "keep", walks_on)
    monkeypatch.setattr(Strategy, "_choose_known", lambda self, states, own, chosen: own)
    with pytest.raises(CycleFound):
        Strategy(engine, Claim(MAX, 1), game.start()).entries()
    assert certify(engine, game.start(), found, tmp_path / "a.proof") == 1
    assert verify(game, tmp_path / "a.proof").in_words() == "MAX wins from '0 0 0' within 1 ply"


CHECKERS = "B:WK32:BK18,K14"


@pytest.mark.slow
def test_kings_of_checkers_that_could_wander_for_ever(tmp_path):
    game = load("checkers")
    path = proof(game, tmp_path / "a.proof", CHECKERS, jit=True)
    (entries,) = entries_of(path)
    assert verify(game, path).in_words().startswith("Black wins from ")
    written(path, [[(row, move, 1) for row, move, _ in entries]])
    assert "is not below the rank 1" in refused(game, path)
