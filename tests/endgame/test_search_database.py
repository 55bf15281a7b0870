"""Databases inside the search: hits end a line with the exact value, and won games are won."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from endgame.maze import TIERS, maze, rooms, without_clock
from zerosum.classroom.retrograde import retrograde
from zerosum.endgame.build import build
from zerosum.endgame.database import Database
from zerosum.endgame.serving import _quick_probe, best_line, load_shared, open_shared
from zerosum.engine import Engine
from zerosum.errors import EndgameError
from zerosum.game import MAX, WIN, Game
from zerosum.games import load
from zerosum.search.result import LONGEST_WIN, Result

SEEDS = range(3)
NEAR, NEAREST = (11, 20, 21), 7  # graphs in which no win takes more than 7 plies
ROOMS = rooms()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module")
def solved(folder: Path):
    """A random graph, its database with a number of tiers, and the true values."""

    @cache
    def make(seed: int, floors: int, distance: bool) -> tuple[Game, Database, dict]:
        game = maze(seed)
        where = folder / f"{seed}-{floors}-{distance}"
        database = build(game, floors, where, distance=distance, jit=False, threads=1)
        return game, database, retrograde(without_clock(game), ROOMS)

    return make


def true_value(truth: tuple[int, int | None]) -> int:
    outcome, plies = truth
    return outcome * (WIN - (plies or 0))


def open_rooms(game: Game, floor: int | None = None):
    return [s for s in ROOMS if not game.is_over(s) and floor in (None, s.tier)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_database_with_distances_is_the_whole_truth(solved, seed: int) -> None:
    game, database, truth = solved(seed, TIERS, True)
    engine = Engine(game, database=database, hash_mb=1, jit=False)
    for s in open_rooms(game)[:: 1 + seed]:
        result = engine.search(s)
        assert result.proven and result.value == true_value(truth[s])
        assert result.nodes <= 6, "each of three moves, twice: the second time with an open window"


@pytest.mark.parametrize("seed", [0, 2, 3])
@pytest.mark.parametrize("distance", [False, True])
def test_what_is_proven_is_true(solved, seed: int, distance: bool) -> None:
    """From a tier above the database: never a wrong value, and more is proven than without it."""
    game, database, truth = solved(seed, TIERS - 1, distance)
    helped, alone = (Engine(game, database=d, hash_mb=1, jit=False) for d in (database, None))
    decided = [0, 0]
    for s in open_rooms(game, TIERS - 1)[::2]:
        with_it, without = helped.search(s, depth=4), alone.search(s, depth=4)
        for place, result in enumerate((with_it, without)):
            decided[place] += result.outcome is not None
            if result.outcome is not None:
                assert result.outcome == truth[s][0]
        if with_it.distance is not None:
            assert with_it.distance >= truth[s][1]
    assert decided[0] > decided[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_without_distances_the_outcome_is_still_certain(solved, seed: int) -> None:
    game, database, truth = solved(seed, TIERS, False)
    engine = Engine(game, database=database, hash_mb=1, jit=False)
    for s in open_rooms(game)[::3]:
        for result in (engine.search(s, depth=2), engine.solve(s)):
            assert result.outcome == truth[s][0]
        assert result.proven
        if result.outcome:
            assert abs(result.value) > WIN - LONGEST_WIN
            who = "MAX" if truth[s][0] > 0 else "MIN"
            assert result.in_words() == (f"{who} wins" if result.distance is None else result.in_words())


def best_defence(database: Database, s) -> int:
    """The move that loses as late as possible, by a database with distances."""
    (move,) = best_line(database, s, 1)
    return move


@pytest.mark.parametrize("seed", NEAR)
@pytest.mark.parametrize("distance", [False, True])
def test_what_is_won_is_won(solved, seed: int, distance: bool) -> None:
    """Against the best defence: with distances, in as few plies as possible; without, if the search reaches the end."""
    game, database, truth = solved(seed, TIERS, distance)
    _, exact, _ = solved(seed, TIERS, True)
    engine = Engine(game, database=database, hash_mb=1, jit=False)
    won = [s for s in open_rooms(game) if truth[s][0] == (1 if s.turn == MAX else -1)]
    for start in sorted(won, key=lambda s: truth[s][1])[-8:]:
        s, plies = start, 0
        while not game.is_over(s):
            move = engine.search(s, depth=NEAREST).move if s.turn == start.turn else best_defence(exact, s)
            s = game.play(s, move)
            plies += 1
            assert plies <= TIERS * NEAREST, "no progress"
        assert game.utility(s) * truth[start][0] > 0
        if distance:
            assert plies == truth[start][1]


def test_the_line_goes_on_to_the_end(solved) -> None:
    game, database, truth = solved(1, TIERS, True)
    engine = Engine(game, database=database, hash_mb=1, jit=False)
    for s in open_rooms(game):
        if truth[s][0]:
            result = engine.prolonged(engine.search(s), s)
            assert len(result.pv) == result.distance == truth[s][1]
            for move in result.pv:
                s = game.play(s, move)
            assert game.is_over(s) and game.utility(s) == result.outcome
            assert result.lines[0].pv == result.pv


def test_memory_says_what_the_files_say(solved) -> None:
    _, database, truth = solved(1, TIERS, True)
    load_shared(database, False)
    assert all(_quick_probe(database, s) == database.probe(s) == truth[s] for s in ROOMS)


@pytest.mark.slow
def test_compiled_as_in_plain_python(solved) -> None:
    for distance in (False, True):
        game, database, _ = solved(2, TIERS - 1, distance)
        plain, compiled = (Engine(game, database=database, hash_mb=1, jit=jit) for jit in (False, True))
        for s in open_rooms(game)[::5]:
            for engine in (plain, compiled):
                engine.clear()
            one, other = plain.search(s, depth=5), compiled.search(s, depth=5)
            assert (one.value, one.pv, one.nodes, one.proven) == (other.value, other.pv, other.nodes, other.proven)


# Games in which margins count


@pytest.fixture(scope="module")
def kalah(folder: Path) -> tuple[Game, Database]:
    game = load("kalah", pits=2, seeds=2)
    return game, build(game, 4, folder / "kalah", jit=False, threads=1)


def test_margins_are_searched_within_what_the_database_knows(kalah) -> None:
    game, database = kalah
    helped, alone = (Engine(game, database=d, hash_mb=1, jit=False) for d in (database, None))
    seen = 0
    for moves in ([], [0], [1], [0, 1], [1, 0], [1, 1]):
        s = game.initial()
        for move in moves:
            legal = game.legal_moves(s)
            if not legal:
                break
            s = game.play(s, legal[move % len(legal)])
        if not game.is_over(s):
            a, b = helped.solve(s), alone.solve(s)
            assert (a.value, a.proven) == (b.value, b.proven)
            assert helped.search(s, depth=4).nodes <= alone.search(s, depth=4).nodes + 1
            seen += 1
    assert seen > 3


# Which games may use which database


def test_a_database_of_another_game_is_refused(solved) -> None:
    _, database, _ = solved(0, TIERS, False)
    with pytest.raises(EndgameError, match="cannot be used for tictactoe"):
        Engine(load("tictactoe"), database=database)


def test_engines_share_the_memory_of_a_database(solved, folder: Path) -> None:
    game, database, _ = solved(0, TIERS, False)
    assert load_shared(database, False) is load_shared(database, False)
    where = folder / f"0-{TIERS}-False"
    assert open_shared(where, game) is open_shared(str(where), game)


def test_scores_of_wins_without_a_distance_are_not_taken_for_margins() -> None:
    won = Result(1, WIN - LONGEST_WIN + 5, 1, None, True, (1,), 1, 1, 0.1)
    assert won.is_undated_win and won.is_settled and won.in_words() == "MAX wins"
    by_three = Result(1, 3, 1, None, True, (1,), 1, 1, 0.1)
    assert not by_three.is_undated_win and by_three.in_words() == "MAX wins by 3"
