"""Tests for connect four."""

import pytest
from reference import SHARED_DATA, after, perft, random_states
from samples import THOROUGH

from zerosum.errors import GameError, MoveError, PositionError
from zerosum.game import MAX, MIN, WIN
from zerosum.games.connect_four import connect_four
from zerosum.search.values import bound_values

game = connect_four()


def lines_of(rows, k):
    """All lines of k cells on a board given as rows of marks."""
    height, width = len(rows), len(rows[0])
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + down * (k - 1) < height and 0 <= column + right * (k - 1) < width:
                    yield [rows[row + down * i][column + right * i] for i in range(k)]


def has_row(rows, k, mark):
    return any(line == [mark] * k for line in lines_of(rows, k))


def test_number_of_lines_of_play():
    counts = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    depth = 8 if THOROUGH else 7
    assert perft(game, depth) == counts[: depth + 1]


@pytest.mark.parametrize("size", [(4, 4, 4), (5, 4, 3), (1, 6, 4), (20, 2, 20), (2, 30, 28), (9, 6, 5), (12, 4, 2)])
def test_a_row_of_k_ends_the_game_on_boards_of_any_size(size):
    some = connect_four(*size)
    for s in random_states(some, 10):
        rows = some.format_state(s).split("/")
        x, o = (has_row(rows, size[2], mark) for mark in "xo")
        full = "." not in "".join(rows)
        assert some.is_terminal(s) == (x or o or full)
        if some.is_terminal(s):
            assert some.utility(s) == x - o


def test_stones_next_to_each_other_across_the_edge_are_no_row():
    s = game.parse_state("...x.../...x.../...x.../.ooo.../xoox.../xoxo..x")
    assert not game.is_terminal(s)


@pytest.mark.parametrize(
    ("moves", "winner"), [("1 2 1 2 1 2 1", MAX), ("1 2 1 2 1 2 3 2", MIN), ("1 2 2 3 3 4 3 4 4 1 4", MAX)]
)
def test_four_in_a_row_win(moves, winner):
    s = after(game, moves)
    assert game.is_terminal(s)
    assert game.utility(s) == (1 if winner == MAX else -1)


def test_players_alternate_and_x_is_max():
    assert [game.to_move(after(game, moves)) for moves in ("", "4", "4 4")] == [MAX, MIN, MAX]


def test_a_full_column_takes_no_more():
    s = after(game, "4 4 4 4 4 4")
    assert [game.format_move(s, move) for move in game.moves(s)] == ["3", "5", "2", "6", "1", "7"]
    with pytest.raises(MoveError, match="'4' is not a legal move here"):
        game.parse_move(s, "4")


# Knowledge


@pytest.mark.parametrize("size", [(4, 3, 3), (3, 4, 3), (3, 3, 3), (5, 2, 3), (2, 5, 4)])
def test_bounds_hold_the_true_value(size):
    some = connect_four(*size)
    known = {}

    def value(s):
        """The value with distances: a win in n plies is WIN - n."""
        if s not in known:
            if some.is_terminal(s):
                known[s] = some.utility(s) * WIN
            else:
                best = max if some.to_move(s) == MAX else min
                found = best(value(some.play(s, move)) for move in some.moves(s))
                known[s] = found - (found > 0) + (found < 0)
        return known[s]

    value(some.initial())
    lowest, highest = bound_values(scored=False)
    settled = 0
    for s, truth in known.items():
        if not some.is_terminal(s):
            low, high = some.bounds(s)
            assert lowest(low, 0) <= truth <= highest(high, 0)
            settled += low == high
    assert settled > 0


def test_bounds_see_threats_and_who_can_still_win():
    low, high = game.bounds(after(game, "4 1 4 1 4"))  # o must block column 4, and can: nothing is decided
    assert low < 0 < high
    assert game.bounds(after(game, "4 1 4 1 4 1")) == (WIN - 1, WIN - 1)  # x completes column 4
    assert game.bounds(after(game, "4 4 3 3 5")) == (WIN - 2, WIN - 2)  # both ends of a row of three
    # Only x can still complete a line, and not before its second move from here.
    assert connect_four(4, 4).bounds(connect_four(4, 4).parse_state("...x/xoxo/oxox/oxox")) == (0, WIN - 4)


def test_evaluation_counts_threats_more_on_the_rows_that_zugzwang_gives():
    # x completes a row in the bottom row's fourth cell; rows 1, 3 and 5 favour the first player. Then central stones.
    odd_row = game.parse_state("......./......./......./......./oo...../xxx....")
    assert game.evaluate(odd_row) == (32 + 24) + 2 * ((0 + 1 + 2) - (0 + 1))
    even_row = game.parse_state("......./......./......./......./xxx...o/ooxo..x")
    assert game.evaluate(even_row) == 32 + 2 * ((0 + 1 + 2 + 2 + 0) - (0 + 1 + 3 + 0))
    # x threatens both ends of row 1, o both ends of row 2: each on the rows that favour it.
    assert game.evaluate(game.parse_state("......./......./......./......./..ooo../..xxx..")) == 0


def test_evaluation_changes_sign_with_the_colours_but_for_zugzwang():
    odd_height = connect_four(7, 5)
    for s in random_states(odd_height, 20):
        rows = odd_height.format_state(s)
        if rows.count("x") == rows.count("o") and not odd_height.is_terminal(s):
            swapped = odd_height.parse_state(rows.translate(str.maketrans("xo", "ox")))
            assert odd_height.evaluate(swapped) == -odd_height.evaluate(s)


def test_evaluation_stays_far_below_a_win():
    assert max(abs(game.evaluate(s)) for s in random_states(game, 100)) < 10_000


def test_order_wants_wins_then_blocks_then_threats_then_the_middle():
    s = after(game, "4 1 4 1 4 1")  # x wins in column 4, and otherwise must block column 1
    ranked = sorted(game.moves(s), key=lambda move: -game.order(s, move))
    assert [game.format_move(s, move) for move in ranked[:2]] == ["4", "1"]
    start = game.initial()
    assert [game.order(start, move) for move in range(7)] == [1, 3, 5, 7, 5, 3, 1]
    threat = after(game, "3 3 4 4")  # a third stone next to two makes threats
    assert game.order(threat, 4) > game.order(threat, 3)


def test_keys_are_unique_and_fit_into_63_bits():
    seen = {}
    for s in random_states(game, 300):
        key = game.key(s)
        assert 0 <= key < 2**63
        assert seen.setdefault(key, s) == s


def test_a_position_and_its_mirror_image_are_one():
    for s in random_states(game, 30):
        rows = game.format_state(s).split("/")
        image = game.parse_state("/".join(row[::-1] for row in rows))
        assert game.canonical(s) == game.canonical(image)
        assert game.canonical(s) in (s, image)


# Notation


def test_show_has_column_numbers_under_the_board():
    assert game.show(after(game, "4 5")).splitlines()[-2:] == [". . . x o . .", "1 2 3 4 5 6 7"]
    wide = connect_four(12, 3).show(after(connect_four(12, 3), "1 12")).splitlines()
    assert wide[-2:] == [" x  .  .  .  .  .  .  .  .  .  .  o", " 1  2  3  4  5  6  7  8  9 10 11 12"]


def test_notation_round_trips():
    for s in random_states(game, 20):
        assert game.parse_state(game.format_state(s)) == s
        for move in game.legal_moves(s):
            assert game.parse_move(s, game.format_move(s, move)) == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it has 1 rows instead of 6"),
        ("......./......./......./......./....../.......", "row '......' has 6 cells instead of 7"),
        ("......./......./......./......./......./...z...", "'z' is not x, o or '.'"),
        ("......./......./......./......./...x.../.......", "column 4 has a stone above an empty cell"),
        ("......./......./......./......./......./...xx..", "x moves first, so there cannot be 2 x and 0 o"),
        ("......./......./......./......./......./...o...", "x moves first, so there cannot be 0 x and 1 o"),
        ("......./......./......./......./......o/xxxxooo", "x has 4 in a row, but o moved after that"),
        ("......./......./......./......./oxoo.../xxxxo..", "x already had 4 in a row before the last move"),
    ],
)
def test_impossible_boards_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        game.parse_state(text)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"width": 0}, "width must be a whole number of at least 1, not 0"),
        ({"height": -3}, "height must be a whole number of at least 1, not -3"),
        ({"k": 1}, "k must be a whole number of at least 2, not 1"),
        ({"width": 7.0}, "width must be a whole number of at least 1, not 7.0"),
        ({"width": "7"}, "width must be a whole number of at least 1, not '7'"),
        ({"k": True}, "k must be a whole number of at least 2, not True"),
        ({"width": 10}, "width=10, height=6 is too big"),
        ({"width": 3, "height": 3}, "k=4 in a row does not fit on a 3×3 board"),
        ({"width": 5, "patterns": 1}, "patterns were learned for width=7, height=6, k=4, not for width=5"),
    ],
)
def test_senseless_boards_are_refused(parameters, reason):
    with pytest.raises(GameError) as caught:
        connect_four(**parameters)
    assert reason in str(caught.value)


def test_learned_patterns_judge_a_position_and_its_mirror_image_alike():
    learned = connect_four(patterns=1)
    values = set()
    for s in random_states(learned, 10):
        rows = learned.format_state(s).split("/")
        image = learned.parse_state("/".join(row[::-1] for row in rows))
        assert learned.evaluate(image) == learned.evaluate(s)
        values.add(learned.evaluate(s))
    assert len(values) > 20


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the folder of shared positions is not there")
def test_published_positions_are_unfinished_and_round_trip():
    for line in (SHARED_DATA / "connect4" / "Test_L3_R1").read_text().splitlines()[:100]:
        s = after(game, " ".join(line.split()[0]))
        assert not game.is_terminal(s)
        assert game.parse_state(game.format_state(s)) == s
