"""Tests for Othello."""

import random

import pytest
from reference import SHARED_DATA, after, minimax, perft, random_states
from samples import THOROUGH

from zerosum import AlphaBeta, Engine
from zerosum.errors import MoveError, PositionError
from zerosum.game import MAX, MIN
from zerosum.games.othello import PASS, othello
from zerosum.games.othello_boards import anchored, full_lines, stable, turned_at_last, turned_by
from zerosum.jit.words import u64

game = othello()
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def turned_square_by_square(board, square, mine, theirs):
    """The same rule, one square at a time in each of the eight directions."""
    turned = []
    for down, right in DIRECTIONS:
        row, column = square // 8 + down, square % 8 + right
        passed = []
        while 0 <= row < 8 and 0 <= column < 8 and board[8 * row + column] == theirs:
            passed.append(8 * row + column)
            row, column = row + down, column + right
        if 0 <= row < 8 and 0 <= column < 8 and board[8 * row + column] == mine:
            turned += passed
    return turned


def few_empty(limit, games=6):
    """Positions with at most this many empty squares, from random games."""
    for s in random_states(game, games):
        if game.format_state(s).count("-") <= limit:
            yield s


def test_number_of_lines_of_play():
    counts = [1, 4, 12, 56, 244, 1396, 8200, 55092]
    depth = 7 if THOROUGH else 6
    assert perft(game, depth) == counts[: depth + 1]


def test_moves_turn_what_they_enclose_and_nothing_else():
    for s in random_states(game, 5):
        board, side = game.format_state(s).split()
        mine, theirs = ("X", "O") if side == "X" else ("O", "X")
        turned = {
            square: turned_square_by_square(board, square, mine, theirs) for square in range(64) if board[square] == "-"
        }
        legal = [square for square in turned if turned[square]]
        if game.is_terminal(s):
            assert not legal
            continue
        assert list(game.moves(s)) == (legal or [PASS])
        for square in legal:
            expected = list(board)
            for changed in (square, *turned[square]):
                expected[changed] = mine
            assert game.format_state(game.play(s, square)) == f"{''.join(expected)} {theirs}"


def test_black_is_max_and_moves_first():
    assert game.to_move(game.initial()) == MAX
    assert game.to_move(after(game, "d3")) == MIN
    assert game.format_state(game.initial()) == "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"


def test_who_cannot_move_passes():
    s = game.parse_state("-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO O")
    assert list(game.moves(s)) != [PASS]
    stuck = game.parse_state("-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO X")
    assert list(game.moves(stuck)) == [PASS]
    assert not game.is_terminal(stuck)
    assert game.play(stuck, PASS) == s
    assert game.format_move(stuck, PASS) == "pass"
    assert game.show(stuck).endswith("X to move and must pass")


def test_the_game_ends_when_neither_can_move_and_empty_squares_go_to_the_winner():
    s = game.parse_state("-" * 27 + "XX" + "-" * 6 + "XX" + "-" * 27 + " O")
    assert game.is_terminal(s)
    assert game.utility(s) == 64
    half = game.parse_state("X" * 32 + "O" * 32 + " X")
    assert game.is_terminal(half)
    assert game.utility(half) == 0
    white = game.parse_state("OX" + "O" * 61 + "- X")
    assert game.is_terminal(white)
    assert game.utility(white) == 1 - 62 - 1


def test_the_shortest_game_wipes_white_out_in_nine_moves():
    s = after(game, "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert game.is_terminal(s)
    assert game.utility(s) == 64


def test_bounds_hold_the_true_value():
    known = {}
    narrow = 0
    for s in few_empty(5):
        value = minimax(game, s, known)
        low, high = game.bounds(s)
        assert -64 <= low <= value <= high <= 64
        narrow += high - low < 128
    assert narrow > 0


def test_a_corner_and_the_discs_beside_it_bound_the_score():
    s = game.parse_state("XXX-----" + "-" * 19 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X")
    assert game.bounds(s) == (-64 + 2 * 3, 64)


def test_stable_discs_are_never_turned():
    found = 0
    for game_number in range(4):
        black = white = u64(0)
        for s in random_line(game_number):
            assert black & ~s.black == 0 and white & ~s.white == 0
            lines = full_lines(s.black | s.white)
            black, white = stable(s.black, *lines), stable(s.white, *lines)
            assert black & anchored(s.black) == anchored(s.black)
            found += black != anchored(s.black)
    assert found > 0, "stable discs are not only on the edges"


def test_full_lines_are_those_without_an_empty_square():
    for s in few_empty(30, games=3):
        board = game.format_state(s)
        for (down, right), full in zip(((0, 1), (1, 0), (1, 1), (1, -1)), full_lines(s.black | s.white), strict=True):
            for square in range(64):
                line = list(squares_along(square, down, right))
                if (0 < square // 8 < 7 or not down) and (0 < square % 8 < 7 or not right):
                    assert bool(int(full) >> square & 1) == all(board[place] != "-" for place in line)
                else:
                    assert int(full) >> square & 1, "nothing can enclose a disc from beyond the edge"


def squares_along(square, down, right):
    """The squares on the line through this one."""
    for sign in (1, -1):
        row, column = square // 8, square % 8
        while 0 <= row < 8 and 0 <= column < 8:
            yield 8 * row + column
            row, column = row + sign * down, column + sign * right


def random_line(seed):
    """The positions of one random game."""
    chance, s = random.Random(seed), game.initial()
    while not game.is_terminal(s):
        yield s
        s = game.play(s, chance.choice(list(game.moves(s))))
    yield s


def test_the_last_squares_are_played_perfectly():
    known, tried = {}, set()
    for s in few_empty(5):
        if game.is_terminal(s):
            continue
        assert game.is_ending(s)
        value = minimax(game, s, known)
        tried.add(game.moves_left(s))
        for low, high in ((-64, 64), (value - 1, value), (value, value + 1), (value + 2, value + 8), (-9, value - 5)):
            found = game.ending(s, low, high)
            assert found == value or (value <= found <= low) or (value >= found >= high)
    assert tried == {1, 2, 3, 4, 5}
    assert not game.is_ending(game.initial())


def test_sorting_the_last_moves_changes_no_score():
    """With seven empty squares plain minimax takes too long, so compare with an engine without ``endings``."""
    engine = Engine(game, AlphaBeta(endings=False, probcut=False), hash_mb=1)
    tried = 0
    for s in few_empty(7, games=8):
        if game.is_terminal(s) or game.moves_left(s) < 7:
            continue
        value = engine.search(s, depth=20).value
        tried += 1
        for low, high in ((-64, 64), (value - 1, value), (value, value + 1), (value + 2, value + 8), (-9, value - 5)):
            found = game.ending(s, low, high)
            assert found == value or (value <= found <= low) or (value >= found >= high)
    assert tried >= 4


def test_evaluation_is_fair_to_both_colours():
    for s in few_empty(60, games=3):
        board, side = game.format_state(s).split()
        swapped = game.parse_state(f"{board.translate(str.maketrans('XO', 'OX'))} {'O' if side == 'X' else 'X'}")
        assert game.evaluate(swapped) == -game.evaluate(s)
        assert -64 <= game.evaluate(s) <= 64


def test_evaluation_likes_corners_and_dislikes_the_squares_that_give_them_away():
    def with_square(square, mark):
        board = list("-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27)
        board[square] = mark
        return game.evaluate(game.parse_state(f"{''.join(board)} X"))

    a1, b2, d1 = 0, 9, 3
    assert with_square(a1, "X") > with_square(d1, "X") > with_square(b2, "X")
    assert with_square(a1, "O") < with_square(d1, "O") < with_square(b2, "O")


def test_equal_discs_and_turn_mean_equal_keys():
    keys = {}
    for s in random_states(game, 5):
        assert keys.setdefault(game.key(s), s) == s


def test_notation_round_trips():
    for s in random_states(game, 3):
        assert game.parse_state(game.format_state(s)) == s
        for move in game.legal_moves(s):
            assert game.parse_move(s, game.format_move(s, move)) == move
    assert game.parse_move(game.initial(), " D3 ") == 19


@pytest.mark.parametrize("text", ["a1", "d9", "z3", "pass", "", "d33"])
def test_moves_that_are_none(text):
    with pytest.raises(MoveError, match="is not a legal move here; legal: d3, c4, f5, e6"):
        game.parse_move(game.initial(), text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it must end with the side to move: X or O"),
        ("-" * 64, "it must end with the side to move: X or O"),
        ("-" * 63 + " X", "it has 63 squares instead of 64"),
        ("?" + "-" * 63 + " X", "'?' is not X, O or '-'"),
        ("-" * 64 + " X", "the four squares in the centre are never empty"),
    ],
)
def test_impossible_boards_are_rejected(text, reason):
    with pytest.raises(PositionError) as caught:
        game.parse_state(text)
    assert reason in str(caught.value)


needs_data = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason="the folder of shared positions is not there")


@needs_data
def test_published_endgames_parse_and_list_exactly_the_legal_moves():
    for name in ("fforum-1-19.obf", "fforum-20-39.obf"):
        for line in (SHARED_DATA / "othello" / name).read_text().splitlines():
            if not line.strip():
                continue
            s = game.parse_state(line)
            listed = {entry.split(":")[0].strip().lower() for entry in line.split(";")[1:] if ":" in entry}
            assert {game.format_move(s, move) for move in game.moves(s)} == listed


@needs_data
def test_an_endgame_with_six_empty_squares_has_its_published_scores():
    line = (SHARED_DATA / "othello" / "fforum-20-39.obf").read_text().splitlines()[0]
    s = game.parse_state(line)
    known = {}
    for entry in line.split(";")[1:]:
        if ":" in entry:
            move, score = entry.split(":")
            value = minimax(game, game.play(s, game.parse_move(s, move)), known)
            assert value == int(score) * (1 if game.to_move(s) == MAX else -1)


@needs_data
def test_published_openings_are_legal():
    for line in (SHARED_DATA / "othello" / "xot_openingslarge.txt").read_text().split()[:50]:
        after(game, " ".join(line[i : i + 2] for i in range(0, len(line), 2)))


def test_what_the_last_disc_turns_is_counted_as_on_any_other_square():
    rng = random.Random(1)
    for square in range(64):
        for _ in range(30):
            own = rng.getrandbits(64) & ~(1 << square)
            other = ~own & ~(1 << square) & 2**64 - 1
            turned = turned_by(square, u64(own), u64(other))
            assert turned_at_last(u64(own), square) == int(turned).bit_count()
