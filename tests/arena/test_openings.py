"""Openings from files of every kind, and invalid ones."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from zerosum.arena.openings import Openings
from zerosum.errors import ArenaError
from zerosum.game import Game
from zerosum.games import load

TWO_GAMES = """[Event "?"]
[Result "1-0"]

1. e4 e5 2. Nf3
Nc6 1-0

[Event "?"]
[Result "*"]

1. d4 {queen's pawn

[with a bracket]} d5 *
"""


TWO_GAMES_OF_CHECKERS = """[Event "?"]
[GameType "21"]
[Result "0-1"]

1. 11-15 22-18 2. 15x22
25x18 0-1

[Event "?"]
[FEN "W:W22,K30:B1,10,18"]

1. 22x6 *
"""


FIRST_MOVES = ("9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16")


@pytest.fixture(scope="module")
def chess() -> Game:
    return load("chess")


@pytest.fixture(scope="module")
def checkers() -> Game:
    return load("checkers")


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return load("tictactoe")


def all_lines(openings: Openings) -> set[tuple[str, ...]]:
    return {tuple(openings.opening(number).texts()) for number in range(len(openings))}


def test_without_a_file_every_game_begins_at_the_start(tictactoe: Game) -> None:
    assert Openings(tictactoe).opening(7).moves == ()


def test_lines_of_moves(tictactoe: Game, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("# centre first\n5 1\n5,2,3\n\n1 9\n")
    openings = Openings(tictactoe, str(file))
    assert all_lines(openings) == {("5", "1"), ("5", "2", "3"), ("1", "9")}
    assert openings.opening(0).moves == openings.opening(3).moves
    assert all_lines(Openings(tictactoe, str(file), plies=1)) == {("5",), ("1",)}


def test_positions(chess: Game, tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    lines = ["4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]
    file.write_text("\n".join(lines))
    openings = Openings(chess, str(file))
    found = {chess.format_state(openings.opening(number).state).split()[0] for number in range(2)}
    assert found == {line.split()[0] for line in lines}


def test_games_of_chess_also_in_a_zip(chess: Game, tmp_path: Path) -> None:
    expected = {("e4", "e5", "Nf3", "Nc6"), ("d4", "d5")}
    plain = tmp_path / "games.pgn"
    plain.write_text(TWO_GAMES)
    packed = tmp_path / "games.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(plain, "games.pgn")
    for file in (plain, packed):
        assert all_lines(Openings(chess, str(file))) == expected
    assert all_lines(Openings(chess, str(plain), plies=1)) == {("e4",), ("d4",)}


def test_games_of_checkers(checkers: Game, tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(TWO_GAMES_OF_CHECKERS)
    assert all_lines(Openings(checkers, str(file))) == {("11-15", "22-18", "15x22", "25x18"), ("22x6",)}
    assert all_lines(Openings(checkers, str(file), plies=1)) == {("11-15",), ("22x6",)}


def test_an_illegal_move_in_a_pdn_is_named_with_its_line(checkers: Game, tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(TWO_GAMES_OF_CHECKERS.replace("25x18", "23-19"))
    openings = Openings(checkers, str(file))
    with pytest.raises(ArenaError, match=r"games.pdn', line 1: .*'23-19' is not a legal move"):
        for number in range(2):
            openings.opening(number)


def test_ballots_are_three_moves_and_all_different(checkers: Game) -> None:
    openings = Openings(checkers, "ballots", seed=1)
    lines = [openings.opening(number) for number in range(len(openings))]
    assert len({line.state for line in lines}) == 157 and all(len(line) == 3 for line in lines)
    assert all_lines(Openings(checkers, "ballots", plies=1)) == {(move,) for move in FIRST_MOVES}


def test_other_games_have_no_ballots(tictactoe: Game) -> None:
    with pytest.raises(ArenaError, match=r"the openings 'ballots' are neither a file .*: tictactoe has none"):
        Openings(tictactoe, "ballots")


def test_the_seed_decides_the_order(tictactoe: Game, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(f"{a} {b}" for a in range(1, 10) for b in range(1, 10) if a != b))
    orders = [[Openings(tictactoe, str(file), seed).opening(n).moves for n in range(72)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


def test_random_openings_are_the_same_for_the_same_seed_and_never_finished(tictactoe: Game) -> None:
    lines = [Openings(tictactoe, "random:6", 3).opening(number) for number in range(50)]
    assert [line.moves for line in lines] == [Openings(tictactoe, "random:6", 3).opening(n).moves for n in range(50)]
    assert len({line.moves for line in lines}) > 40
    assert all(len(line) == 6 and not tictactoe.is_over(line.state) for line in lines)
    with pytest.raises(ArenaError, match="use fewer"):
        Openings(tictactoe, "random:9").opening(0)


def test_the_same_dice_roll_the_same(tictactoe: Game) -> None:
    pig = load("pig")
    s = pig.play(pig.initial(), pig.legal_moves(pig.initial())[0])
    rolls = [[pig.roll(s, dice) for _ in range(200)] for dice in (random.Random("a"), random.Random("a"))]
    assert rolls[0] == rolls[1]
    assert set(rolls[0]) == {outcome for outcome, _ in pig.chances(s)}


@pytest.mark.parametrize(
    ("name", "text", "quoted"),
    [
        ("lines.txt", "5 1\n5 5\n", "line 2: move 2: '5' is not a legal move"),
        ("lines.txt", "1 4 2 5 3\n", "line 1: the opening '1 4 2 5 3' ends the game"),
        ("lines.txt", "# nothing\n", "contains no openings"),
        ("some.epd", "xxxx\n", "line 1: 'xxxx' is not a position"),
        ("games.pgn", "1. e4 *", "unknown file type '.pgn'"),
        ("games.pdn", "1. 11-15 *", "unknown file type '.pdn'; use .epd, .fen, .jsonl, .txt or .zip"),
        ("games.doc", "5 1", "unknown file type '.doc'"),
        ("games.zip", "no zip", "cannot be read"),
    ],
)
def test_openings_that_make_no_sense(tictactoe: Game, tmp_path: Path, name: str, text: str, quoted: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ArenaError) as problem:
        openings = Openings(tictactoe, str(file))
        for number in range(len(openings)):
            openings.opening(number)
    assert quoted in str(problem.value) and name in str(problem.value)


def test_an_illegal_move_in_a_pgn_is_named_with_its_line(chess: Game, tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(TWO_GAMES.replace("d5 *", "d6 2. Ke3 *"))
    openings = Openings(chess, str(file))
    with pytest.raises(ArenaError, match=r"line 7: .*Ke3"):
        for number in range(2):
            openings.opening(number)


@pytest.mark.parametrize("source", ["random:", "random:x", "random:0", "missing.epd", "."])
def test_sources_that_are_none(tictactoe: Game, source: str) -> None:
    with pytest.raises(ArenaError) as problem:
        Openings(tictactoe, source)
    assert source in str(problem.value)
