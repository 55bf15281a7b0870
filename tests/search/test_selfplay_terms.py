"""Options of self-play: node limits, balanced openings, resignation; and which positions are quiet."""

from __future__ import annotations

from typing import Any

import pytest
from random_games import roundabout

import zerosum as zs
from zerosum.errors import LimitError
from zerosum.game import WIN, Game
from zerosum.running.stopping import Stop
from zerosum.search.result import LONGEST_WIN
from zerosum.search.selfplay import DECIDED, FORCED, IN_A_ROW, NOISY, SelfPlayed, self_play

FOUR = zs.load("connect-four", width=5, height=4)
TERMS: dict[str, Any] = {"nodes": 60, "random_plies": 2, "both_begin": True, "resign": 0.5, "balance": 0.3, "seed": 3}


def lively() -> Game:
    """A small kalah without margins, in which some moves are noisy and some positions forced."""
    game = zs.load("kalah", pits=3, seeds=2)
    margin, moves = game.given["utility"], game.given["moves"]

    def noisy_moves(s):
        for move in moves(s):
            if (move + s.south) % 3 == 0:
                yield move

    return game.with_(
        scored=False,
        bounds=None,
        utility=lambda s: 1 if margin(s) > 0 else -1 if margin(s) < 0 else 0,
        evaluate=lambda s: 20 * margin(s),
        noisy_moves=noisy_moves,
        is_forced=lambda s: s.south & 3 == 1,
    )


def restless() -> Game:
    """A game with cycles, noisy moves and forced positions: everything the kernel handles, in one game."""
    game = roundabout(repetition=2)
    moves = game.given["moves"]

    def noisy_moves(s, t):
        for move in moves(s, t):
            if (move + s.name) % 3 == 0:
                yield move

    return game.with_(noisy_moves=noisy_moves, is_forced=lambda s: s.name & 3 == 1)


def states_of(game: Game, played: SelfPlayed) -> list[Any]:
    return [game.state_type.from_words(row.tolist()) for row in played.states]


def contents_of(games: Any) -> list[tuple[Any, ...]]:
    return [
        (one.number, one.states.tolist(), one.values.tolist(), one.flags.tolist(), one.result, one.nodes)
        for one in games
    ]


def test_threads_change_nothing_and_games_have_their_numbers() -> None:
    alone, together = (contents_of(self_play(FOUR, 12, **TERMS, threads=threads)) for threads in (1, 2))
    assert alone == together
    later = contents_of(self_play(FOUR, 5, **TERMS, first=7))
    assert later == [game for game in alone if game[0] >= 7]


@pytest.mark.slow
@pytest.mark.parametrize("game", [FOUR, restless()], ids=["four", "restless"])
@pytest.mark.parametrize("terms", [TERMS, {**TERMS, "nodes": None, "depth": 5}, {"nodes": 300, "seed": 1}])
def test_compiled_games_are_those_of_the_plain_kernel(game: Game, terms: dict[str, Any]) -> None:
    assert contents_of(self_play(game, 4, **terms)) == contents_of(self_play(game, 4, **terms, jit=False))


@pytest.mark.parametrize("nodes", [1, 10, 100, 1000])
def test_a_search_visits_at_most_twice_its_nodes_and_ends_its_first_depth(nodes: int) -> None:
    for played in self_play(FOUR, 10, nodes=nodes, random_plies=2, seed=2):
        searches = len(played.values)
        assert searches <= played.nodes <= searches * max(2 * nodes, FOUR.max_moves)


def test_more_nodes_see_further() -> None:
    """Only complete depths count: the first search of a game has the value of one."""

    def first_values(**limit: int) -> list[int]:
        return [int(played.values[0]) for played in self_play(FOUR, 9, random_plies=6, seed=2, **limit)]

    by_depth = [first_values(depth=depth) for depth in range(1, 15)]
    assert first_values(nodes=1) == by_depth[0]
    decided = []
    for nodes in (30, 1000, 50_000):
        found = first_values(nodes=nodes)
        assert all(value in values for value, values in zip(found, zip(*by_depth, strict=True), strict=True))
        decided.append(sum(abs(value) > WIN - LONGEST_WIN for value in found))
    assert decided == sorted(decided) and decided[0] < decided[-1]


@pytest.mark.parametrize("game", [lively(), FOUR], ids=["lively", "four"])
def test_flags_are_what_the_plain_rules_say(game: Game) -> None:
    seen = 0
    for played in self_play(game, 20, depth=3, random_plies=2, seed=5, jit=False):
        states = states_of(game, played)
        for number, (s, value, flags) in enumerate(zip(states, played.values, played.flags, strict=True)):
            assert bool(flags & FORCED) == (game.has("is_forced") and bool(game.is_forced(s)))
            assert bool(flags & DECIDED) == (abs(value) >= WIN - LONGEST_WIN)
            if number + 1 < len(states):
                noisy = set(game.noisy_moves(s)) if game.has("noisy_moves") else set()
                chosen = [move for move in game.legal_moves(s) if game.play(s, move) == states[number + 1]]
                assert bool(flags & NOISY) in {move in noisy for move in chosen}
            seen |= int(flags)
    assert seen == (FORCED | NOISY | DECIDED if game.has("noisy_moves") else DECIDED)


def test_in_a_scored_game_nothing_is_decided_before_the_end_and_nobody_resigns() -> None:
    game = zs.load("kalah", pits=3, seeds=2)
    for resign in (0, 0.01):
        for played in self_play(game, 5, depth=20, random_plies=2, resign=resign, jit=False):
            assert not played.flags.any()
            last = states_of(game, played)[-1]
            ends = [game.play(last, move) for move in game.legal_moves(last)]
            assert played.result in [game.utility(s) for s in ends if game.is_over(s)]


def test_a_game_is_given_up_after_four_searches_that_agree() -> None:
    whole = list(self_play(FOUR, 20, depth=4, random_plies=2, seed=6))
    given_up = list(self_play(FOUR, 20, depth=4, random_plies=2, seed=6, resign=0.2))
    points, shorter = round(0.2 * 100), 0
    for long, short in zip(whole, given_up, strict=True):
        count = len(short.values)
        assert short.values.tolist() == long.values[:count].tolist()
        signs = [0 if abs(value) < points else 1 if value > 0 else -1 for value in long.values.tolist()]
        runs = [end for end in range(IN_A_ROW, len(signs) + 1) if abs(sum(signs[end - IN_A_ROW : end])) == IN_A_ROW]
        if count < len(signs):
            shorter += 1
            assert runs[0] == count and short.result == signs[count - 1]
        else:
            assert not runs or runs[0] == count
    assert shorter > 3


def test_unequal_openings_are_drawn_again() -> None:
    points = round(0.3 * 100)
    before = list(self_play(FOUR, 40, depth=3, random_plies=6, seed=7))
    after = list(self_play(FOUR, 40, depth=3, random_plies=6, seed=7, balance=0.3))
    unequal = [sum(len(one.values) and abs(one.values[0]) > points for one in games) for games in (before, after)]
    assert unequal[0] > 10 and unequal[1] == 0
    for old, new in zip(before, after, strict=True):
        if len(old.values) and abs(old.values[0]) <= points:
            assert old.states[0].tolist() == new.states[0].tolist(), "a balanced opening is kept"
    # If no opening is balanced, the last one is played.
    assert len(list(self_play(FOUR, 3, depth=3, random_plies=6, seed=7, balance=0.000_001))) == 3


def test_both_players_begin_in_turn_by_the_seed() -> None:
    def plies(both_begin: bool) -> list[int]:
        games = self_play(FOUR, 40, depth=1, random_plies=4, both_begin=both_begin)
        return [states_of(FOUR, played)[0].filled.bit_count() for played in games]

    assert set(plies(True)) == {4, 5} and 10 < plies(True).count(4) < 30
    assert set(plies(False)) == {4}


@pytest.mark.parametrize("moment", [1, 2, 3, 10, 57, 58, 59, 60, 61, 100, 301])
def test_a_stop_ends_a_game_at_once_though_searches_end_by_their_nodes(moment: int) -> None:
    """A search uses the same word to stop at its node limit, and clears it; the caller's stop must stay set."""
    stop, calls = Stop(), 0

    def evaluate(s):
        nonlocal calls
        calls += 1
        if calls == moment:
            stop.set()
        return s.mover % 7

    game = FOUR.with_(evaluate=evaluate)
    found = [played.number for played in self_play(game, 3, nodes=30, random_plies=1, jit=False, stop=stop)]
    assert found == list(range(len(found))) and len(found) < 3
    assert calls <= moment + FOUR.max_moves, "moves that were being sorted"


def test_bad_requests() -> None:
    for bad in ({"nodes": 0}, {"depth": 0}, {"resign": -1}, {"balance": float("nan")}, {"resign": "much"}):
        with pytest.raises(LimitError, match=next(iter(bad))):
            list(self_play(FOUR, 1, **bad))  # type: ignore[arg-type]
