"""Proofs that end in an endgame database, and random games with cycles whose values a database knows."""

from __future__ import annotations

import pytest
from endgame.maze import Room, maze

from certificates.builders import entries_of, handmade, written
from zerosum.certificates.file import IN_DATABASE, Certificate
from zerosum.certificates.verifying import verify
from zerosum.certifying.writing import certify
from zerosum.endgame.build import build
from zerosum.engine import Engine
from zerosum.errors import CertificateError
from zerosum.game import MAX, MIN
from zerosum.games import load
from zerosum.jit.bits import mix


def key(s):
    return mix(mix(mix(7, s.tier), s.name), s.turn)


@pytest.fixture(scope="module")
def mazes(tmp_path_factory):
    """Mazes where repeated positions make a draw, with databases of all rooms and of the last floor."""
    found = []
    for seed in (0, 1):
        game = maze(seed, key=key, repetition=3)
        folder = tmp_path_factory.mktemp("mazes")
        whole, last = (build(game, floors, folder / str(floors), distance=True, jit=False) for floors in (3, 1))
        found.append((game, whole, last))
    return found


@pytest.mark.parametrize("has_database", [False, True])
def test_what_is_proved_is_true(mazes, tmp_path, has_database):
    proved = 0
    for game, whole, last in mazes:
        endings = last if has_database else None
        engine = Engine(game, jit=False, hash_mb=1, database=endings)
        for s in (Room(2, name, turn, 0) for name in range(0, 40, 4) for turn in (0, 1)):
            if not game.is_valid(s):
                continue
            outcome = whole.probe(s).outcome
            # A search can prove a draw only where it meets no cycle.
            result = engine.solve(s) if outcome else engine.search(s, depth=6)
            if result.proven:
                certify(engine, s, result, tmp_path / "a.proof")
                words = verify(game, tmp_path / "a.proof", endings=endings).in_words()
                assert words.startswith(("a draw", "MAX wins", "MIN wins")[outcome])
                proved += 1
    assert proved > 15


def test_a_certificate_names_the_database_that_it_rests_on(mazes, tmp_path):
    path, rested = tmp_path / "a.proof", 0
    for game, _, last in mazes:
        engine = Engine(game, jit=False, hash_mb=1, database=last)
        for s in (Room(1, name, turn, 0) for name in range(40) for turn in (0, 1)):
            result = engine.search(s, depth=4)
            if not result.proven or not game.legal_moves(s):
                continue
            certify(engine, s, result, path)
            if not Certificate(path).header.database:
                continue
            rested += 1
            assert verify(game, path, endings=last).database == last.sha256
            with pytest.raises(CertificateError, match=f"depends on .* {last.sha256}: pass it with --database"):
                verify(game, path)
            other = mazes[1][1]
            with pytest.raises(CertificateError, match=f"not on {other.sha256}"):
                verify(game, path, endings=other)
            written(path, entries_of(path), database="")
            with pytest.raises(CertificateError, match="left to a database, but the certificate names none"):
                verify(game, path, endings=last)
    assert rested > 3


# What a database may settle, in nim: the player who takes the last stone wins


@pytest.fixture(scope="module")
def heap(tmp_path_factory):
    game = load("nim", heaps="1,2")
    return game, build(game, 0, tmp_path_factory.mktemp("heap") / "db", distance=True, jit=False)


def refusal(game, path, endings) -> str:
    written(path, entries_of(path), database=endings.sha256)
    with pytest.raises(CertificateError) as problem:
        verify(game, path, endings=endings)
    return str(problem.value)


def test_a_win_of_the_database_is_one_with_its_distance(heap, tmp_path):
    game, endings = heap
    s, path = game.start(), tmp_path / "a.proof"
    distance = endings.probe(s).distance
    handmade(game, path, (MAX, 1), [(s, IN_DATABASE, distance)])
    written(path, entries_of(path), database=endings.sha256)
    assert verify(game, path, endings=endings).in_words() == "MAX wins from '1,2 max' within 3 plies"
    handmade(game, path, (MAX, 1), [(s, IN_DATABASE, distance - 1)])
    assert "the database says 3 plies, more than its rank 2" in refusal(game, path, endings)


def test_the_database_does_not_say_what_is_claimed(heap, tmp_path):
    game, endings = heap
    path = handmade(game, tmp_path / "a.proof", (MIN, 1), [(game.start(), IN_DATABASE, 9)])
    assert "the database says -1 for MIN, but 1 is claimed" in refusal(game, path, endings)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"scored": True}, "says who wins but not by how much"),
        ({"clock": lambda s: 2}, "it is won in 3 plies, but the clock leaves 2"),
        ({"repetition": 2}, "no position may occur twice"),
    ],
)
def test_what_a_database_cannot_know(heap, tmp_path, changes, fault):
    game, endings = heap
    game = game.with_(**changes)
    path = handmade(game, tmp_path / "a.proof", (MAX, 1), [(game.start(), IN_DATABASE, 3)])
    assert fault in refusal(game, path, endings)


def test_a_database_without_distances_proves_no_win(heap, tmp_path):
    game, _ = heap
    endings = build(game, 0, tmp_path / "db", jit=False)
    path = handmade(game, tmp_path / "a.proof", (MAX, 1), [(game.start(), IN_DATABASE, 3)])
    assert "does not say in how many plies it is won" in refusal(game, path, endings)


def test_a_draw_of_the_database_may_last_for_ever(tmp_path):
    """If no rule ends the game, its value is undefined."""
    path, game = tmp_path / "a.proof", maze(0)
    endings = build(game, 3, tmp_path / "db", distance=True, jit=False)
    drawn = next(s for name in range(40) if endings.probe(s := Room(2, name - (name % 7 == 3), 0, 0)).outcome == 0)
    handmade(game, path, (MAX, 0), [(drawn, IN_DATABASE, 1)], drawn)
    assert "that it is a draw, but not that the game ends" in refusal(game, path, endings)
    repeats = game.with_(repetition=3)
    handmade(repeats, path, (MAX, 0), [(drawn, IN_DATABASE, 1)], drawn)
    written(path, entries_of(path), database=endings.sha256)
    assert verify(repeats, path, endings=endings).in_words().startswith("MAX does not lose from ")


def test_a_position_outside_the_database_is_named(tmp_path):
    path, game = tmp_path / "a.proof", maze(0)
    endings = build(game, 1, tmp_path / "db", distance=True, jit=False)
    handmade(game, path, (MAX, 1), [(Room(2, 0, 0, 0), IN_DATABASE, 1)], Room(2, 0, 0, 0))
    assert "does not contain '2 0 0 0'" in refusal(game, path, endings)
