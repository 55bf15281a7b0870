"""Reading and writing positions, moves and games of draughts."""

from __future__ import annotations

import io
import random

import pytest
from checkers_agreement import GAME, random_game, random_placement
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import samples

from zerosum.errors import MoveError, PgnError, PositionError
from zerosum.game import Line
from zerosum.games.checkers.pdn import PdnGame, format_game, parse_game, read_games, write_games
from zerosum.games.checkers.position import START
from zerosum.games.pgn.tree import PgnMove, Variation

# As the writer writes it.
GAME_TEXT = """[Event "Sample"]
[Site "?"]
[Date "1992.08.30"]
[Round "?"]
[White "B"]
[Black "A"]
[Result "1/2-1/2"]
[GameType "21"]

1. 11-15 22-18 2. 15x22 25x18 3. 8-11 { usual } 3... 29-25 (3... 24-20 4. 10-14
$2) 4. 4-8 24-20 1/2-1/2

"""


def test_positions_round_trip():
    dice = random.Random(5)
    for s in [*random_game(dice), *(random_placement(dice) for _ in range(200))]:
        assert GAME.parse_state(GAME.format_state(s)) == s
    assert GAME.parse_state("b:bk1 , 2 : wK32,30 : f3 : h4.") == GAME.parse_state("B:W30,K32:BK1,2:H4")
    assert GAME.parse_state("B:W21-32:B1-12") == START


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the side to move must be B or W, not ''"),
        ("X:W1:B2", "the side to move must be B or W, not 'X'"),
        ("B:W18", "Black's pieces are missing"),
        ("B:B18", "White's pieces are missing"),
        ("B:W18:B", ""),
        ("B:W18:B33", "'33' is not a square, 1 to 32"),
        ("B:W18:B0", "'0' is not a square, 1 to 32"),
        ("B:W18:B1-40", "'40' is not a square, 1 to 32"),
        ("B:W18:B9-3", "'9-3' is not a range of squares"),
        ("B:W18:B1,1", "square 1 is given twice"),
        ("B:W18:B18", "there are two pieces on square 18"),
        ("B:W18:B30", "Black's man on square 30 would have been crowned; write K30"),
        ("B:W2:B3", "White's man on square 2 would have been crowned; write K2"),
        ("B:W18:W19:B1", "White's pieces are given twice"),
        ("B:W18:Bx", "'X' is not a square, such as 18 or K18"),
        ("B:W18:B1,", "'' is not a square"),
        ("B:W18:B1:Hx", "'HX' is not a number of plies or moves"),
        ("B:W18:B1:Q3", "'Q3' is neither W or B with squares"),
        ("B:W:B", "there are no pieces"),
        ("B:W18:B1-13", "Black has 13 pieces, more than 12"),
        ("B:W18:B²", "'²' is not a square"),
    ],
)
def test_positions_that_are_none(text, reason):
    if not reason:
        assert GAME.parse_state(text).black == 0
        return
    with pytest.raises(PositionError) as caught:
        GAME.parse_state(text)
    said = str(caught.value)
    assert reason in said and repr(text) in said and "\n" not in said


@settings(max_examples=samples(200), deadline=None)
@given(st.text("BWKHF0123456789,:-. x", max_size=30))
def test_any_text_is_a_position_or_an_error_of_one_line(text):
    try:
        s = GAME.parse_state(text)
    except PositionError as problem:
        assert "\n" not in str(problem)
    else:
        assert GAME.parse_state(GAME.format_state(s)) == s


def test_moves_round_trip_and_are_told_apart():
    dice = random.Random(8)
    ambiguous = 0
    for s in [*random_game(dice), *(random_placement(dice) for _ in range(600))]:
        texts = [GAME.format_move(s, move) for move in GAME.moves(s)]
        assert len(set(texts)) == len(texts)
        ambiguous += any(text.count("x") > 1 for text in texts)
        for move, text in zip(GAME.moves(s), texts, strict=True):
            assert GAME.parse_move(s, text) == move
    assert ambiguous > 0


def test_moves_may_be_written_in_several_ways():
    s = GAME.parse_state("W:W22,K30:B1,10,18")
    (move,) = GAME.moves(s)
    for text in ("22x6", "22x15x6", " 22-6 ", "22X15X6", "22x6!"):
        assert GAME.parse_move(s, text) == move
    circle = GAME.parse_state("B:W14,15,22,23:BK10")
    assert GAME.parse_move(circle, "10x10") in GAME.moves(circle)  # either way round: the result is the same


@pytest.mark.parametrize("text", ["", "11", "11-", "11-12", "11x15", "x", "1115", "11-15-18", "99-100", "a3-b4"])
def test_moves_that_are_none(text):
    if text == "11x15":
        assert GAME.parse_move(START, text) == GAME.parse_move(START, "11-15")
        return
    with pytest.raises(MoveError, match="is not a legal move here; legal: "):
        GAME.parse_move(START, text)


def test_a_board_is_shown():
    shown = GAME.show(GAME.parse_state("W:W9,14:BK5:H3"))
    assert shown.splitlines()[1:4] == ["B   .   .   .     5-8", "  w   .   .   .   9-12", ".   w   .   .     13-16"]
    assert shown.endswith("White to move; 3 plies without progress")
    assert GAME.show(GAME.parse_state("B:W9,14:B5")).endswith("Black cannot move: White wins")


# PDN


def test_a_game_round_trips():
    game = parse_game(GAME_TEXT)
    assert len(game.moves) == 8 and game.result == "1/2-1/2"
    assert game.main.moves[4].comments == ["usual"]
    (variation,) = game.main.moves[5].variations
    assert variation.moves[1].nags == [2]
    assert format_game(game) == GAME_TEXT
    assert parse_game(format_game(game)) == game
    assert [s for s, _ in game.positions()] == list(Line(GAME, moves=game.moves).states[:-1])


def test_random_games_round_trip_from_any_start(tmp_path):
    dice = random.Random(11)
    games = []
    for number in range(10):
        line = Line(GAME, random_placement(dice) if number % 2 else None)
        for _ in range(30):
            legal = GAME.legal_moves(line.state)
            if not legal:
                break
            line = line.play(dice.choice(legal))
        main = Variation([], [PgnMove(move) for move in line.moves], "*")
        tags = {"Event": f'Number "{number}"', "Result": "*", "GameType": "21"}
        if number % 2:
            tags |= {"SetUp": "1", "FEN": GAME.format_state(line.start)}
        games.append(PdnGame(tags, line.start, main))
    path = tmp_path / "games.pdn"
    assert write_games(games, path) == 10
    found = list(read_games(path))
    assert [game.moves for game in found] == [game.moves for game in games]
    assert [game.start for game in found] == [game.start for game in games]
    assert [game.tags["Event"] for game in found] == [game.tags["Event"] for game in games]
    again = tmp_path / "again.pdn"
    write_games(found, again)
    assert again.read_bytes() == path.read_bytes()


def test_what_other_programs_write_is_read():
    text = '[GameType "21,B,8,8,N1,0"]\n[Result "2-0"]\n1.11-15 23-19 2.8-11! 22-17?? {a\nb} 3. 4-8 ; rest\n2-0\n'
    game = parse_game(text)
    assert len(game.moves) == 5 and game.result == "1-0"
    assert game.main.moves[2].nags == [1] and game.main.moves[3].nags == [4]
    assert game.main.moves[3].comments == ["a b"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. 11-15 22-19", "line 1: '22-19' is not a legal move here; legal: 21-17"),
        ("1. 11-15\n22-18 hello", "line 2: 'hello' is not a legal move here; legal: 15x22"),
        ('[FEN "B:W18:B40"]\n\n*', "line 1: 'B:W18:B40' is not a position of checkers"),
        ('[GameType "20"]\n\n1. 32-28 *', "line 1: '20' is not the GameType of English draughts, 21"),
        ("1. 11-15 (11-16", "line 1: '(' opens a variation that is never closed"),
        ("1. 11-15 { so", "line 1: '{ so' is a comment that is never closed"),
        ("1. 11-15 ) *", "line 1: ')' closes a variation that was never opened"),
        ("[Event Sample]\n\n*", "line 1: '[Event Sample]' is not a tag"),
        ("1. -- *", "line 1: '--' is not a legal move here"),
        ("1. 11-15 %% *", "line 1: '%%' is not a move"),
        ("", "'' contains no games instead of one"),
    ],
)
def test_games_that_make_no_sense(text, reason):
    with pytest.raises(PgnError) as caught:
        parse_game(text)
    assert str(caught.value).startswith(reason) and "\n" not in str(caught.value)


def test_reading_goes_on_behind_a_bad_game():
    problems = []
    text = '[Event "1"]\n\n1. 11-16 *\n\n[Event "2"]\n\n1. 11-17 *\n\n[Event "3"]\n\n1. 9-13 *\n'
    games = list(read_games(io.StringIO(text), on_error=problems.append))
    assert [game.tags["Event"] for game in games] == ["1", "3"]
    assert [problem.line for problem in problems] == [7]
