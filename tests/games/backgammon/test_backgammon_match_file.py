"""Match files: files of other programs are read, written files are read again, and errors give the line number."""

import random

import pytest
from slow_backgammon import ROLLS

from zerosum.errors import MatchFileError
from zerosum.game import CHANCE, MAX, MIN, Line
from zerosum.games.backgammon import backgammon
from zerosum.games.backgammon.generate import PASS
from zerosum.games.backgammon.match_file import (
    Match,
    MatchGame,
    Turn,
    format_match,
    game_of,
    parse_match,
    read_match,
    write_match,
)

game = backgammon()

# Written for this test, in the form that programs use: bar 25, off 0, tabs or spaces, the right player first.
TEXT = """\
; [Site "a kitchen table"]
 5 point match

 Game 1
 Anna : 0                          Otto : 0
  1)                               31: 8/5 6/5
  2) 64: 24/14                     66: 24/18(2) 13/7(2)
  3)  Doubles => 2                  Takes
  4) 21: 14/11
                                   Wins 2 points

 Game 2
 Anna : 0                          Otto : 2
  1) 55: 13/8 13/8 8/3 8/3\t\t61: 13/7 8/7
  2) 62:
      Wins 1 point and the match
"""


def random_line(seed, plies=10_000):
    chooser = random.Random(seed)
    line = Line(game, game.initial()._replace(player=seed % 2))
    while not game.is_terminal(line.state) and len(line) < plies:
        is_roll = game.to_move(line.state) == CHANCE
        line = line.play(chooser.choice(ROLLS if is_roll else game.legal_moves(line.state)))
    return line


def test_a_match_is_read():
    match = parse_match(TEXT)
    assert (match.length, match.players, match.comments) == (5, ("Anna", "Otto"), ('; [Site "a kitchen table"]',))
    first, second = match.games
    assert (first.score, first.points) == ((0, 0), -2)
    assert [(turn.player, turn.roll, turn.action) for turn in first.turns] == [
        (MIN, 31, ""),
        (MAX, 64, ""),
        (MIN, 66, ""),
        (MAX, 0, "Doubles => 2"),
        (MIN, 0, "Takes"),
        (MAX, 21, ""),
    ]
    assert game.format_state(first.line().states[2]) == "sGfwATDgc/ABMA"
    assert (second.score, second.points, second.turns[-1]) == ((0, 2), 1, Turn(MAX, 62, None))


def test_what_is_written_is_read_again():
    match = parse_match(TEXT)
    assert parse_match(format_match(match)) == match


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_survive(seed):
    line = random_line(seed)
    played = game_of(line)
    assert played.points == game.utility(line.state)
    (again,) = parse_match(format_match(Match(("A", "B"), (played,), 7))).games
    assert again == played
    assert again.line().states == line.states
    assert any(turn.move == PASS for turn in again.turns)  # a blocked roll, somewhere


def test_files(tmp_path):
    match = Match(("Anna", "Otto"), (game_of(random_line(3, 21), (1, 2)), MatchGame((1, 2))))
    write_match(tmp_path / "two.mat", match)
    assert read_match(tmp_path / "two.mat") == match
    with pytest.raises(MatchFileError, match="cannot be read"):
        read_match(tmp_path / "three.mat")
    (tmp_path / "bad.mat").write_text(TEXT.replace("24/14", "24/13"))
    with pytest.raises(MatchFileError, match=r"bad.mat', line 7: '24/13' is not a legal play of 64"):
        read_match(tmp_path / "bad.mat")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (TEXT, "", "at the end: there is no game;"),
        (" 5 point match", " hello", "line 2: 'hello' should be the length of the match"),
        (
            "Otto : 0\n  1)   ",
            "Otto\n  1)   ",
            "line 5: 'Anna : 0                          Otto' should be both players",
        ),
        ("Otto : 2", "Ottilie : 2", "line 13: the players are Anna and Ottilie, but Anna and Otto played before"),
        (" Game 1\n", "", "line 4: 'Anna : 0                          Otto : 0' comes before 'Game 1'"),
        ("31: 8/5 6/5", "37: 8/5 6/5", "line 6: '37' is not a roll of two dice"),
        ("31: 8/5 6/5", "31: 8/5", "line 6: '8/5' is not a legal play of 31: both dice can be played"),
        ("31: 8/5 6/5", "rolls badly", "line 6: '1)                               rolls badly' is neither a turn"),
        ("  2) 64: 24/14 ", "  2)           ", "line 7: Otto rolls 66, but it is the turn of Anna"),
        ("64: 24/14", "64:      ", "line 7: Anna's roll 64 has no play, although one is possible"),
        ("      Wins 1 point and", "  3) 11: 6/5\n", "line 16: Anna's roll 62 has no play"),
        ("Takes\n", "Takes    Takes\n", "line 8: '3)  Doubles => 2                  Takes    Takes' is not one turn"),
        ("Wins 2 points\n", "Wins 2 points\n  5) 11: 6/5\n", "line 11: '11:' comes after the end of the game"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, reason):
    assert old in TEXT
    with pytest.raises(MatchFileError) as caught:
        parse_match(TEXT.replace(old, new, 1))
    assert str(caught.value).startswith(reason)
