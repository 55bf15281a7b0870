"""A game at the terminal."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from patience import PATIENCE, wait_until

from zerosum.errors import KernelError, LimitError


def test_a_whole_game_against_the_engine_is_a_draw_at_best(zerosum):
    """With the real engine: X takes a corner, then the first free cell; the engine does not lose."""
    ran = zerosum("play", "tictactoe", typed="1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] in ("The engine wins.", "A draw.")
    assert "depth " in ran.out and "nodes" in ran.out and "line " in ran.out


def test_the_engine_against_itself_draws_tictactoe(zerosum):
    ran = zerosum("play", "tictactoe", "--side", "none")
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "A draw."


def test_the_person_wins(zerosum, fake):
    ran = zerosum("play", "tictactoe", typed="5\n3\n7\n")  # the engine takes 1, 2
    assert ran.out.splitlines()[-1] == "You win!"
    assert ran.code == 0


def test_the_engine_wins(zerosum, fake):
    ran = zerosum("play", "tictactoe", "--side", "second", typed="9\n8\n")  # the engine takes 1, 2, 3
    assert "You are O." in ran.out
    assert ran.out.splitlines()[-1] == "The engine wins."


def test_two_people(zerosum, fake):
    ran = zerosum("play", "tictactoe", "--side", "both", typed="1\n4\n2\n5\n3\n")
    assert ran.out.splitlines()[-1] == "X wins."
    assert fake.asked == []


def test_what_is_no_legal_move_is_quoted_with_some_that_are(zerosum, fake):
    ran = zerosum("play", "tictactoe", typed="5\nnonsense\n1\n")
    assert "'nonsense' is not a legal move here; legal: 2, 3" in ran.out
    assert "'1' is not a legal move here; legal: 2, 3" in ran.out  # the engine has taken it
    assert ran.code == 0


def test_end_of_input_says_goodbye(zerosum, fake):
    ran = zerosum("play", "tictactoe", typed="5\n")
    assert (ran.code, ran.out.splitlines()[-1], ran.err) == (0, "Goodbye.", "")


@pytest.mark.parametrize("word", ["quit", "QUIT", "exit"])
def test_quit(zerosum, fake, word):
    ran = zerosum("play", "tictactoe", typed=f"{word}\n5\n")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "Goodbye.")
    assert fake.asked == []


def test_ctrl_c_while_the_person_thinks(zerosum, fake, monkeypatch):
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    ran = zerosum("play", "tictactoe")
    assert (ran.code, ran.out.splitlines()[-1], ran.err) == (0, "Goodbye.", "")


def test_ctrl_c_while_the_engine_thinks(zerosum, fake):
    fake.search_fails = KeyboardInterrupt()
    ran = zerosum("play", "tictactoe", typed="5\n")
    assert (ran.code, ran.out.splitlines()[-1], ran.err) == (0, "Goodbye.", "")


def test_resign(zerosum, fake):
    assert zerosum("play", "tictactoe", typed="resign\n").out.splitlines()[-1] == "You resign: the engine wins."
    ran = zerosum("play", "tictactoe", "--side", "both", typed="1\nresign\n")
    assert ran.out.splitlines()[-1] == "O resigns: X wins."


def test_help_and_moves(zerosum, fake):
    ran = zerosum("play", "tictactoe", "--moves", "1 2 3", "--side", "both", typed="help\nmoves\n\n")
    for word in ("hint", "undo", "resign", "moves", "quit"):
        assert f"  {word} " in ran.out
    assert "4, 5, 6, 7, 8, 9\n" in ran.out


def test_hint(zerosum, fake):
    ran = zerosum("play", "tictactoe", "--level", "1", typed="hint\n")
    assert "hint: 1  (depth 2, even, 20 nodes, 100 /s, line 1)" in ran.out
    assert fake.asked == [{"seconds": 2.0}]  # at full strength


def test_undo_takes_the_answer_back_too(zerosum, fake):
    ran = zerosum("play", "tictactoe", typed="5\nundo\nmoves\nundo\n")
    assert "1, 2, 3, 4, 5, 6, 7, 8, 9\n" in ran.out
    assert "No move to take back." in ran.out


def test_undo_stops_at_the_moves_that_were_given(zerosum, fake):
    """With --moves, the line starts with these moves: undo goes back to where the person was to move."""
    ran = zerosum("play", "tictactoe", "--moves", "5 1", typed="undo\nmoves\n")
    assert "1, 2, 3, 4, 5, 6, 7, 8, 9\n" in ran.out


def test_a_friend_takes_one_move_back(zerosum, fake):
    ran = zerosum("play", "tictactoe", "--side", "both", typed="1\n2\nundo\nmoves\n")
    assert "2, 3, 4, 5, 6, 7, 8, 9\n" in ran.out


def test_a_given_position_that_is_finished(zerosum, fake):
    ran = zerosum("play", "tictactoe", "--position", "xxxoo....")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "You win!")


def test_limits_reach_the_engine(zerosum, fake):
    zerosum("play", "tictactoe", "--seconds", "0.5", "--depth", "3", "--hash", "8", typed="5\n")
    assert fake.made[0].settings["hash_mb"] == 8
    assert fake.asked == [{"depth": 3, "seconds": 0.5}]


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ([], {"depth": None, "seconds": 2.0}),
        (["--depth", "4"], {"depth": 4, "seconds": None}),
        (["--level", "5"], {"depth": 5, "seconds": 2.0}),
        (["--level", "10"], {"depth": None, "seconds": 2.0}),
        (["--level", "10", "--seconds", "7"], {"depth": None, "seconds": 7.0}),
    ],
)
def test_strength(zerosum, fake, options, limits):
    zerosum("play", "tictactoe", *options, typed="5\n")
    assert fake.asked == [limits]


def test_a_low_level_makes_mistakes_that_a_seed_repeats(zerosum, fake):
    options = ("play", "tictactoe", "--side", "none", "--level", "1", "--seed")
    games = {seed: zerosum(*options, str(seed)).out for seed in range(5)}
    assert any("a random move" in out for out in games.values())
    assert len(set(games.values())) > 1
    assert zerosum(*options, "3").out == games[3]


def test_what_goes_wrong_while_compiling_is_said_when_the_engine_is_needed(zerosum, fake):
    fake.prepare_fails = KernelError("stones: moves does not compile")
    ran = zerosum("play", "tictactoe", typed="5\n")
    assert ran.complaint() == "stones: moves does not compile"
    assert "Your move: 5" in ran.out


def test_friends_go_on_without_the_engine(zerosum, fake):
    fake.prepare_fails = KernelError("stones: moves does not compile")
    ran = zerosum("play", "tictactoe", "--side", "both", typed="hint\n1\n4\n2\n5\n3\n")
    assert ran.err == "zerosum: stones: moves does not compile\n"
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "X wins.")


def test_the_prompt_does_not_wait_for_the_compiler(zerosum, fake, monkeypatch):
    prompted, in_time = threading.Event(), []
    monkeypatch.setattr(fake, "prepare", lambda self: in_time.append(prompted.wait(PATIENCE)))
    monkeypatch.setattr("builtins.input", lambda prompt: prompted.set() or "quit")
    zerosum("play", "tictactoe")
    wait_until(lambda: in_time, "the end of compiling")
    assert in_time == [True]


def test_the_first_move_waits_for_the_compiler(zerosum, fake, monkeypatch):
    ready, searched, search = threading.Event(), [], fake.search
    monkeypatch.setattr(fake, "prepare", lambda self: (time.sleep(0.2), ready.set()))
    monkeypatch.setattr(fake, "search", lambda *about, **how: searched.append(ready.is_set()) or search(*about, **how))
    assert "engine: 1" in zerosum("play", "tictactoe", typed="5\n").out
    assert searched == [True]


@pytest.mark.parametrize(
    ("options", "quoted"),
    [("--depth -1", "-1"), ("--seconds 0", "0.0"), ("--seconds nan", "nan"), ("--hash 0", "0"), ("--max-plies 0", "0")],
)
def test_limits_are_refused_before_the_first_board(zerosum, fake, options, quoted):
    ran = zerosum("play", "tictactoe", *options.split())
    assert quoted in ran.complaint()
    assert ran.out == ""
    assert fake.made == []


def test_a_limit_that_only_the_engine_refuses(zerosum, fake):
    fake.search_fails = LimitError("seconds must be more than 0, not -1")
    assert "not -1" in zerosum("play", "tictactoe", "--side", "none").complaint()


def test_your_own_game(zerosum, fake, game_file):
    ran = zerosum("play", game_file(), typed="1\n1\n")
    assert "stones 4" in ran.out  # the fields of the State, since the game defines no board
    assert ran.out.splitlines()[-1] in ("You win!", "The engine wins.")


def test_parameters(zerosum, fake):
    ran = zerosum("play", "connect-four", "--set", "width=4", "--set", "height=4", typed="moves\n")
    assert {*ran.out.partition("Your move: moves\n")[2].splitlines()[0].split(", ")} == {"1", "2", "3", "4"}


DICE = (
    "from zerosum.game import Game",
    "from zerosum.game import CHANCE, Game",
    "def to_move(s):\n    return s.turn",
    "def to_move(s):\n    return CHANCE if s.turn > 1 else s.turn\n\n\n"
    "def chances(s):\n    for n in range(1, 7):\n        yield n, 1 / 6\n\n\n"
    "def is_terminal(s):\n    return s.stones <= 0",
    "    return Pile(s.stones - n, 1 - s.turn)",
    "    return Pile(s.stones - n, s.turn - 2 if s.turn > 1 else 3 - s.turn)",
    "Pile(4, 0)",
    "Pile(40, 0)",
    "max_moves=2",
    "max_moves=2, is_terminal=is_terminal, chances=chances, max_chances=6",
)


def test_dice_are_rolled_and_a_seed_repeats_them(zerosum, fake, game_file):
    path = game_file(*DICE)
    games = {seed: zerosum("play", path, "--side", "none", "--seed", str(seed)).out for seed in range(4)}
    assert all("chance: " in out for out in games.values())
    assert len(set(games.values())) > 1
    assert zerosum("play", path, "--side", "none", "--seed", "2").out == games[2]
    assert games[2].splitlines()[-1].endswith("wins by 1.")  # games with dice are scored


def test_undo_steps_over_the_dice(zerosum, fake, game_file):
    ran = zerosum("play", game_file(*DICE), "--seed", "1", typed="1\nundo\n")
    before, _, after = ran.out.partition("Your move: undo\n")
    assert "stones 40" in after and "stones 40" in before


def test_a_repeated_position_is_a_draw(zerosum, fake, game_file):
    path = game_file("s.stones - n, ", "s.stones, ", "max_moves=2", "max_moves=2, repetition=3")
    ran = zerosum("play", path, "--side", "none")
    assert ran.out.splitlines()[-1] == "A draw: this position has occurred 3 times."


def test_text_in_brackets_is_not_taken_for_colours(zerosum, fake, game_file):
    path = game_file("max_moves=2", "max_moves=2, show=lambda s: '[red] [b]x[/b] [/]'")
    assert "[red] [b]x[/b] [/]" in zerosum("play", path).out


def slow_to_compile(fake, monkeypatch, until=lambda: True):
    """An engine that reports the reason for a delay, as the compiler does."""
    from zerosum.jit.notices import say

    def prepare(self) -> None:
        say("building the engine")
        wait_until(until, "the notice")

    monkeypatch.setattr(fake, "prepare", prepare)


def test_what_takes_so_long_is_said_to_who_waits_for_it(zerosum, fake, monkeypatch):
    slow_to_compile(fake, monkeypatch, until=lambda: "building" in sys.stderr.getvalue())
    assert zerosum("play", "tictactoe", typed="5\n").err == "zerosum: building the engine\n"


def test_and_never_behind_the_prompt(zerosum, fake, monkeypatch):
    slow_to_compile(fake, monkeypatch)
    assert zerosum("play", "tictactoe", "--side", "both", typed="5\n1\n").err == ""


def test_warnings_of_the_compiler_wait_too(zerosum, fake, monkeypatch):
    import warnings

    from zerosum.errors import CacheWarning

    def prepare(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("not kept", CacheWarning, stacklevel=1)

    monkeypatch.setattr(fake, "prepare", prepare)
    assert zerosum("play", "tictactoe", typed="5\n").err == "zerosum: warning: not kept\n"
    assert zerosum("play", "tictactoe", "--side", "both", typed="5\n1\n").err == ""


def test_dice_can_be_entered(zerosum, fake):
    typed = "13\n7/3\n8/5 6/5\n66\nmoves\n24/18(2) 13/7(2)\n\nquit\n"
    ran = zerosum("play", "backgammon", "--side", "both", "--dice", "ask", "--seed", "1", typed=typed)
    assert (ran.code, ran.err) == (0, "")
    assert "The dice (Enter rolls them): 13\n" in ran.out
    assert "White (X) has rolled 31" in ran.out
    assert "White's move: 7/3\n'7/3' is not a legal play of 31: there is no checker of yours on 7\n" in ran.out
    assert "Black (O) has rolled 66" in ran.out
    assert ", 24/18(2) 13/7(2)" in ran.out.partition("Black's move: moves\n")[2].splitlines()[0]
    assert ran.out.count("chance: ") == 1  # Enter rolls


def test_dice_that_are_none_are_asked_for_again(zerosum, fake):
    ran = zerosum("play", "backgammon", "--side", "both", "--dice", "ask", typed="07\nhint\n31\n")
    assert "'07' is not a roll of two dice, such as 31 or 66\nThe dice" in ran.out
    assert "'hint' is not a roll of two dice" in ran.out
    assert "has rolled 31" in ran.out
    assert zerosum("play", "backgammon", "--dice", "loaded").complaint() == "--dice 'loaded' is not one of roll, ask"


def test_a_hint_with_dice_tells_the_next_best_moves_too(zerosum, fake):
    ran = zerosum("play", "backgammon", "--side", "both", "--seconds", "1", "--seed", "1", typed="hint\n")
    assert "hint: " in ran.out
    assert fake.asked == [{"seconds": 1.0, "multipv": 3}]
