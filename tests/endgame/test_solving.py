"""The solver compared with the classroom's retrograde analysis, on random graphs and on whole games."""

from __future__ import annotations

from pathlib import Path

import pytest
from samples import PLAIN_OR_COMPILED

from endgame.maze import NAMES, Room, maze, rooms, without_clock
from zerosum.classroom.retrograde import retrograde
from zerosum.endgame import solve
from zerosum.endgame.build import build, verify
from zerosum.endgame.database import Database
from zerosum.endgame.verifying import VERIFY
from zerosum.engine import Engine
from zerosum.errors import KernelError
from zerosum.game import MAX, Game
from zerosum.games import load
from zerosum.jit.target import PLAIN
from zerosum.solved_tiers import DRAW, LOSS, VICTORY, get_value


def agree(database: Database, expected: dict, distance: bool) -> None:
    for s, (outcome, plies) in expected.items():
        assert database.probe(s) == (outcome, plies if distance else None), s


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("distance", [False, True])
def test_random_graphs_are_solved_as_in_the_classroom(seed: int, distance: bool, tmp_path: Path) -> None:
    game = maze(seed)
    database = build(game, 3, tmp_path, distance=distance, jit=False, threads=1)
    expected = retrograde(without_clock(game), rooms())
    agree(database, expected, distance)
    assert database.positions == len(expected) == len(rooms())
    assert verify(database, jit=False, threads=1) == len(expected)


@pytest.mark.parametrize("distance", [False, True])
def test_compiled_and_by_three_threads(distance: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "SMALL", 0)
    # Small portions of edges, so that there are several.
    monkeypatch.setattr(solve, "EDGES_AT_ONCE", 16)
    longest = set()
    for seed in range(100, 110):
        game = maze(seed)
        database = build(game, 3, tmp_path / str(seed), distance=distance, threads=3)
        expected = retrograde(without_clock(game), rooms())
        agree(database, expected, distance)
        longest.add(max(tier.longest or 0 for tier in database.tiers))
        assert verify(database, threads=2) == len(expected)
    assert not distance or max(longest) > 8  # otherwise these graphs would not test distances


def test_the_numbers_of_threads_and_runs_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "SMALL", 0)
    game = maze(7)
    for threads in (1, 2):
        build(game, 3, tmp_path / str(threads), distance=True, threads=threads, jit=threads == 2)
    first, second = ([p.read_bytes() for p in sorted((tmp_path / t).iterdir())] for t in "12")
    assert first == second and len(first) == 4


@PLAIN_OR_COMPILED
def test_all_of_tictactoe(jit: bool, tmp_path: Path) -> None:
    game = load("tictactoe")
    database = build(game, 9, tmp_path, distance=True, jit=jit)
    expected = retrograde(game, [game.initial()])
    assert database.positions == len(expected) == 5478
    agree(database, expected, True)


@pytest.mark.slow
def test_connect_four_on_four_by_four(tmp_path: Path) -> None:
    """Alpha-beta agrees on who wins and how fast, in positions from all over the game."""
    game = load("connect-four", width=4, height=4)
    database = build(game, 0, tmp_path, distance=True)
    # The published number counts reachable positions; more positions have legal numbers of stones.
    assert database.positions >= 161_029
    engine = Engine(game, hash_mb=8)
    s, played = game.initial(), 0
    while not game.is_over(s):
        found = engine.solve(s)
        assert database.probe(s) == (found.outcome, found.distance), game.format_state(s)
        moves = game.legal_moves(s)
        s = game.play(s, moves[(7 * played + 3) % len(moves)])
        played += 1


def test_kalah_with_few_seeds_where_players_move_twice(tmp_path: Path) -> None:
    game = load("kalah", pits=2, seeds=2)
    database = build(game, 8, tmp_path, distance=True, jit=False)
    every = [
        game.unrank(tier, i)
        for tier, (_, size) in enumerate(game.tiers(8))
        for i in range(size)
        if game.is_valid(game.unrank(tier, i))
    ]
    agree(database, retrograde(game, every), True)
    assert database.positions == len(every)
    assert game.initial() in database


def test_nim_is_won_unless_the_exclusive_or_is_zero(tmp_path: Path) -> None:
    game = load("nim", heaps="3,2,4")
    database = build(game, 0, tmp_path, jit=False)
    for index in range(database.tiers[0].size):
        s = game.unrank(0, index)
        a, b, c = (s.heaps >> 7 * heap & 127 for heap in range(3))
        mover_wins = (a ^ b ^ c) != 0
        assert database.probe(s).outcome == (1 if mover_wins == (s.turn == MAX) else -1)


def one_tier(game: Game) -> solve.SolvedTier:
    solver = solve.Solver(game, 1, 1, PLAIN, lambda positions: None)
    solved = solver.solve(0, 2 * NAMES, False)
    assert solved is not None
    return solved


def test_who_can_go_round_for_ever_draws() -> None:
    """All positions of an endless ring are draws; an exit that loses changes nothing, one that wins does."""

    def ring(utility: int) -> Game:
        return maze(
            is_terminal=lambda s: s.name == NAMES - 1,
            moves=lambda s: range(2 if s.name == 0 else 1),
            play=lambda s, move: Room(0, NAMES - 1 if move else (s.name + 1) % (NAMES - 2), 1 - s.turn, 0),
            utility=lambda s: utility,
            is_valid=lambda s: True,
            tables=None,
        )

    for utility in (-1, 1):
        solved = one_tier(ring(utility))
        values = [[get_value(solved.values.row, 2 * name + turn) for turn in (0, 1)] for name in range(NAMES)]
        # A player who wins by the exit takes it at room 0; the ring is even, so the same player is there each time.
        winner = MAX if utility > 0 else 1 - MAX
        for name in range(NAMES - 2):
            player_at_exit = [turn ^ (NAMES - 2 - name) & 1 for turn in (0, 1)] if name else [0, 1]
            for turn in (0, 1):
                wins = player_at_exit[turn] == winner
                assert values[name][turn] == ((VICTORY if turn == winner else LOSS) if wins else DRAW), (name, turn)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *(
            pytest.param(
                {name: rule}, rf"^maze: {name} \(.*line \d+.*\): UNKNOWN is not defined", marks=pytest.mark.slow
            )
            for name, rule in (
                *(("is_valid", lambda s: UNKNOWN), ("rank", lambda s: UNKNOWN)),  # noqa: F821
                ("unrank", lambda tier, i: UNKNOWN),  # noqa: F821
            )
        ),
        ({"unrank": lambda tier, i: tier + i}, r"^maze: unrank \(.*line \d+\) returns a whole number, not a Room"),
    ],
)
def test_a_rule_of_the_index_that_cannot_be_compiled_is_the_one_that_is_named(changes, message):
    with pytest.raises(KernelError, match=message):
        VERIFY.of(maze(**changes))  # the quickest to compile of the kernels that use the index
