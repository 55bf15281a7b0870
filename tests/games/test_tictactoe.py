"""Tests for tic-tac-toe."""

import pytest
from reference import after, minimax, perft, random_states

from zerosum.errors import MoveError, PositionError
from zerosum.game import MAX, MIN
from zerosum.games.tictactoe import tictactoe as game


def test_number_of_lines_of_play():
    assert perft(game, 9) == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_5478_positions_can_arise_and_the_game_is_a_draw():
    known = {}
    assert minimax(game, game.initial(), known) == 0
    assert len(known) == 5478


def test_765_positions_are_different_by_symmetry_and_all_images_have_one_value():
    known = {}
    minimax(game, game.initial(), known)
    values = {}
    for s, value in known.items():
        assert values.setdefault(game.canonical(s), value) == value
    assert len(values) == 765


def test_x_is_max_and_moves_first():
    assert game.to_move(game.initial()) == MAX
    assert game.to_move(after(game, "5")) == MIN


@pytest.mark.parametrize(
    ("position", "value"),
    [
        (".........", 8 - 8),
        (".o..x....", 6 - 4),  # the lecture notes' second board: X in the centre, O on an edge
        ("o...x....", 5 - 4),
        ("x........", 8 - 5),
        ("xoxxoooxx", 0),
    ],
)
def test_open_lines(position, value):
    assert game.evaluate(game.parse_state(position)) == value


@pytest.mark.parametrize(
    ("position", "utility"),
    [("xxxoo....", 1), ("oooxx.x..", -1), ("xoxxoxoxo", 0), ("x.oxo.x..", 1), ("xo.ox...x", 1), ("xxoxo.o..", -1)],
)
def test_ends(position, utility):
    s = game.parse_state(position)
    assert game.is_terminal(s)
    assert game.utility(s) == utility


def test_free_cells_show_the_number_to_type():
    assert game.show(after(game, "5 1")) == " O | 2 | 3\n---+---+---\n 4 | X | 6\n---+---+---\n 7 | 8 | 9"


def test_notation_round_trips():
    for s in random_states(game, 50):
        assert game.parse_state(game.format_state(s)) == s
        for move in game.legal_moves(s):
            assert game.parse_move(s, game.format_move(s, move)) == move


def test_rows_may_be_set_apart():
    assert game.parse_state("X.O/.X./..O") == game.parse_state("x.o .x. ..o") == game.parse_state("x.o.x...o")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it has 0 cells instead of 9"),
        ("x.......", "it has 8 cells instead of 9"),
        ("x...?....", "'?' is not x, o or '.'"),
        ("xx.......", "x moves first, so there cannot be 2 x and 0 o"),
        ("o........", "x moves first, so there cannot be 0 x and 1 o"),
        ("xxxooo...", "both players have three in a row"),
        ("xxx.oo..o", "x has three in a row, but o moved after that"),
        ("ooo.xx.xx", "o has three in a row, but x moved after that"),
    ],
)
def test_impossible_boards_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        game.parse_state(text)
    assert reason in str(caught.value)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["5", "0", "10", "-1", "a", "", "1.5"])
def test_only_free_cells_are_moves(text):
    with pytest.raises(MoveError, match="is not a legal move here; legal: 1, 2, 3, 4, 6"):
        game.parse_move(after(game, "5"), text)
