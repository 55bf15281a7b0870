"""Tests for Hex."""

from __future__ import annotations

from math import perm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import after, perft, random_states
from samples import samples

import zerosum as zs
from zerosum.errors import GameError, MoveError, PositionError
from zerosum.game import MAX, MIN
from zerosum.games.hex import LARGEST, WORD, hex

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


# The same rules again, using only sets of (column, row)


def is_linked(stones, starts, ends):
    reached = stones & starts
    while True:
        more = reached | {(x + a, y + b) for x, y in reached for a, b in STEPS} & stones
        if more == reached:
            return bool(reached & ends)
        reached = more


def winners(size, red, blue):
    """Red if top and bottom are linked, Blue if left and right are: a list of at most one."""
    side = range(size)
    top_to_bottom = is_linked(red, {(x, 0) for x in side}, {(x, size - 1) for x in side})
    left_to_right = is_linked(blue, {(0, y) for y in side}, {(size - 1, y) for y in side})
    return ["Red"] * top_to_bottom + ["Blue"] * left_to_right


def count(size):
    """The number of lines of play of 0, 1, … plies, and how many of each end the game."""
    cells = frozenset((x, y) for x in range(size) for y in range(size))
    level = {(frozenset(), frozenset()): 1}
    lines, ended = [1], [0]
    for ply in range(size * size):
        successors = {}
        for (red, blue), ways in level.items():
            for cell in cells - red - blue:
                board = (red | {cell}, blue) if ply % 2 == 0 else (red, blue | {cell})
                successors[board] = successors.get(board, 0) + ways
        lines.append(sum(successors.values()))
        ended.append(sum(ways for board, ways in successors.items() if winners(size, *board)))
        level = {board: ways for board, ways in successors.items() if not winners(size, *board)}
    return lines, ended


def stones_of(game, s):
    """The cells of Red and of Blue, from the text of the position."""
    rows = game.format_state(s).split("/")
    return tuple({(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == m} for m in "rb")


# Counts


def test_before_somebody_can_win_any_free_cell_may_follow():
    """Red's earliest win takes as many stones as the board has rows."""
    for size, plies in ((2, 3), (3, 5), (4, 4), (11, 2), (LARGEST, 1)):
        assert perft(hex(size), plies) == [perm(size * size, n) for n in range(plies + 1)]


@pytest.mark.parametrize(("size", "games"), [(2, 24), (3, 257_760)])
def test_all_games_of_a_small_board(size, games):
    lines, ended = count(size)
    assert perft(hex(size), size * size) == lines
    assert sum(ended) == games


# Rules


@pytest.mark.parametrize("size", [3, 7, 8, 11, 12, LARGEST])
def test_a_game_is_over_as_soon_as_two_sides_are_linked(size):
    game = hex(size)
    for s in random_states(game, 2):
        won = winners(size, *stones_of(game, s))
        assert game.is_terminal(s) == bool(won)
        if won:
            assert won == ["Red" if game.utility(s) > 0 else "Blue"]


@settings(max_examples=samples(60), deadline=None)
@given(st.integers(2, 6).flatmap(lambda size: st.tuples(st.just(size), st.permutations(range(size * size)))))
def test_nobody_can_draw(drawn):
    """A full board has exactly one winner, so every game is over by the time the board is full."""
    size, order = drawn
    cells = [(n % size, n // size) for n in order]
    assert len(winners(size, set(cells[::2]), set(cells[1::2]))) == 1
    game = hex(size)
    s = game.initial()
    for cell in order:
        assert cell in game.moves(s)
        s = game.play(s, cell)
        if game.is_terminal(s):
            break
    assert game.is_terminal(s)


@settings(max_examples=samples(60), deadline=None)
@given(st.permutations(range(64)), st.integers(0, 64))
def test_what_is_joined_depends_on_the_stones_alone(order, stones):
    game = hex(8)  # its State has two words per set
    s = game.initial()
    for cell in order[:stones]:
        if not game.is_terminal(s):
            s = game.play(s, cell)
    assert game.parse_state(game.format_state(s)) == s


def test_red_moves_first_and_joins_top_and_bottom():
    game = hex(3)
    assert game.to_move(game.initial()) == MAX and game.to_move(after(game, "a1")) == MIN
    assert game.utility(after(game, "c1 a1 b2 b1 a3")) == 1
    assert game.utility(after(game, "a1 a3 c3 b2 b3 c1")) == -1


def test_the_long_diagonal_links_nothing():
    """a1 and b2 do not touch, unlike b1 and a2."""
    game = hex(2)
    assert not game.is_terminal(game.parse_state("rb/.r"))
    assert game.is_terminal(game.parse_state("br/r."))


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_first_player_wins(size):
    """True on boards of any size, as J. Nash showed; these are small enough to solve."""
    game = hex(size)
    solved = zs.Engine(game, hash_mb=16, jit=size > 3).solve(game.initial())
    assert solved.proven and solved.outcome == 1


def test_the_sides_are_in_one_word_on_every_board():
    """`is_terminal` and `utility` rely on this."""
    for size in range(2, LARGEST + 1):
        assert size * size // WORD == (size * size + 3) // WORD


@pytest.mark.slow
@pytest.mark.parametrize("size", [7, 8, 13, LARGEST])
def test_boards_of_any_number_of_words_are_compiled_right(size):
    game = hex(size)
    plain, compiled = (zs.playouts(game, game.initial(), 20, seed=7, jit=jit) for jit in (False, True))
    assert (plain.wins, plain.losses, plain.plies) == (compiled.wins, compiled.losses, compiled.plies)
    assert plain.draws == 0


# Notation and display


def test_the_text_board_leans_to_the_right():
    assert hex(3).show(after(hex(3), "b2 a3 b3")).splitlines() == [
        "  a b c",
        "1  . . .",
        "2   . r .",
        "3    b r .",
    ]


def test_notation_round_trips():
    game = hex()
    for s in random_states(game, 1):
        assert game.parse_state(game.format_state(s)) == s
        for move in game.legal_moves(s):
            assert game.parse_move(s, game.format_move(s, move)) == move
    assert game.parse_move(game.initial(), " K11 ") == 120


@pytest.mark.parametrize("text", ["", "b2", "c1", "a", "a0", "1a"])
def test_moves_that_are_none(text):
    game = hex(2)
    with pytest.raises(MoveError, match="is not a legal move here; legal: a1, b1, a2"):
        game.parse_move(game.parse_state("../.r") if text == "b2" else game.initial(), text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a board has 3 rows of 3 cells, each r, b or a dot, separated by '/'"),
        (".../...", "a board has 3 rows"),
        (".../.../....", "a board has 3 rows"),
        (".../.x./...", "a board has 3 rows"),
        ("rr./.../...", "Red moves first, so there cannot be 2 r and 0 b"),
        ("b../.../...", "Red moves first, so there cannot be 0 r and 1 b"),
        ("r.b/r.b/r.b", "the game was over before the last move"),
        ("rb./rb./.b.", "Red moves first, so there cannot be 2 r and 3 b"),
    ],
)
def test_impossible_boards_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        hex(3).parse_state(text)
    assert reason in str(caught.value)


def test_a_chain_that_would_have_ended_the_game_earlier_is_rejected():
    """Red has two chains: whichever stone came last, the game was over."""
    with pytest.raises(PositionError, match="the game was over before the last move"):
        hex(4).parse_state("rrbb/rrbb/rrbb/rrb.")
    assert hex(4).is_terminal(hex(4).parse_state("r.bb/rrbb/r.b./rr.."))


@pytest.mark.parametrize("size", [1, LARGEST + 1, -3, True, "7"])
def test_sizes_that_are_none(size):
    with pytest.raises(GameError, match=f"size must be a whole number from 2 to {LARGEST}, not {size!r}"):
        hex(size)
