"""Games files: written completely, read again, resumed after a crash, refused if they belong to something else."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from samples import samples

from zerosum.arena.games_file import GamesFile, read_games_file
from zerosum.errors import ArenaError, FormatError
from zerosum.formats.record import GameRecord, from_json, replay, to_json
from zerosum.game import MAX, MIN, Game, Line
from zerosum.games import load
from zerosum.games.backgammon.match_file import read_match
from zerosum.games.checkers.pdn import read_games as read_pdn
from zerosum.games.chess.pgn import read_games

NAMES = ["a", 'b "quoted" \\ back']
ENDINGS = {"chess": ".pgn", "checkers": ".pdn", "backgammon": ".mat"}
MOVES = {
    "tictactoe": "5 1 9 3",
    "chess": "e4 e5 Nf3 Nc6",
    "checkers": "11-15 22-18 15x22 25x18",
    "backgammon": "31; 8/5 6/5; 66; 24/18(2) 13/7(2)",
}


def record_of(line: Line, number: int, **more: Any) -> GameRecord:
    game = line.game
    details = {"result": (-1, 0, 1)[number % 3], "reason": "rules", "detail": "", **more}
    return GameRecord(
        number=number,
        max_player=NAMES[number % 2],
        min_player=NAMES[1 - number % 2],
        start=game.format_state(line.start),
        moves=tuple(line.texts()),
        seconds=(0.01,) * len(line),
        scores=(12.5, None) * (len(line) // 2),
        depths=(3, None) * (len(line) // 2),
        date="2026-01-02 03:04:05",
        **details,
    )


@pytest.fixture(scope="module", params=["tictactoe", "chess", "checkers", "backgammon"])
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture
def line(game: Game) -> Line:
    return Line.parse(game, MOVES[game.name])


def header(game: Game, **more: Any) -> dict[str, Any]:
    return {"game": game.name, "players": NAMES, "time": "5+0.05", "seed": 0, **more}


def path_for(game: Game, folder: Path) -> Path:
    return folder / f"games{ENDINGS.get(game.name, '.jsonl')}"


def without_moves(record: GameRecord) -> tuple[Any, ...]:
    return (record.number, record.max_player, record.min_player, record.result, record.reason, record.detail)


def test_games_are_there_again_after_reopening(game: Game, line: Line, tmp_path: Path) -> None:
    path = path_for(game, tmp_path)
    records = [record_of(line, n, detail='says "1-0\\"', fault="a") for n in range(1, 8)]
    with GamesFile(path, game, header(game)) as file:
        for record in records[:4]:
            file.add(record, line)
    with GamesFile(path, game, header(game)) as file:
        assert sorted(file.records) == [1, 2, 3, 4] and not file.dropped
        for record in records[4:]:
            file.add(record, line)
        with pytest.raises(ArenaError, match="already"):
            file.add(records[0], line)
    found, read = read_games_file(path, game)
    assert found == header(game)
    assert [without_moves(record) for record in read] == [without_moves(record) for record in records]


def test_cut_anywhere_whole_games_survive_and_the_rest_is_dropped(game: Game, line: Line, tmp_path: Path) -> None:
    path = path_for(game, tmp_path)
    sizes = []
    with GamesFile(path, game, header(game)) as file:
        for number in (1, 2, 3):
            sizes.append(path.stat().st_size)
            file.add(record_of(line, number), line)
    whole = path.read_bytes()
    ends = [*sizes[1:], len(whole)]
    near = {end + by for end in (sizes[0], *ends) for by in (-2, -1, 0, 1, 2)}
    for cut in sorted({*range(sizes[0], len(whole), 41), *near} & set(range(sizes[0], len(whole) + 1))):
        path.write_bytes(whole[:cut])
        with GamesFile(path, game, header(game)) as file:
            assert len(file.records) == sum(end <= cut for end in ends)
            assert path.stat().st_size == max(end for end in (sizes[0], *ends) if end <= cut)
            number = len(file.records) + 1
            file.add(record_of(line, number), line)
        if number <= 3:
            assert path.read_bytes() == whole[: ends[number - 1]]


def test_cut_within_its_first_line_a_file_is_begun_again(game: Game, tmp_path: Path) -> None:
    path = path_for(game, tmp_path)
    with GamesFile(path, game, header(game)):
        pass
    whole = path.read_bytes()
    for cut in range(0, len(whole), 9):
        path.write_bytes(whole[:cut])
        with GamesFile(path, game, header(game)):
            pass
        assert path.read_bytes() == whole


def test_other_programs_can_read_the_pgn(tmp_path: Path) -> None:
    chess = load("chess")
    line = Line.parse(chess, "e4 e5", chess.parse_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1"))
    with GamesFile(tmp_path / "games.pgn", chess, header(chess)) as file:
        file.add(record_of(line, 1), line)
    (game,) = read_games(io.StringIO((tmp_path / "games.pgn").read_text()))
    assert game.moves == list(line.moves) and game.start == line.start
    assert game.tags["White"] == NAMES[1] and game.tags["TimeControl"] == "5+0.05"
    assert game.main.moves[0].comments == ["+0.12/3 0.010s"]


def test_white_stands_first_in_draughts_too(tmp_path: Path) -> None:
    """In draughts, Black is MAX and moves first."""
    checkers = load("checkers")
    line = Line.parse(checkers, MOVES["checkers"])
    with GamesFile(tmp_path / "games.pdn", checkers, header(checkers)) as file:
        file.add(record_of(line, 2), line)  # won by MAX
    (game,) = read_pdn(tmp_path / "games.pdn")
    assert (game.tags["Black"], game.tags["White"], game.result) == (NAMES[0], NAMES[1], "0-1")
    assert game.moves == list(line.moves) and game.main.moves[0].comments == ["-0.12/3 0.010s"]


def test_players_of_backgammon_change_sides_but_not_columns(tmp_path: Path) -> None:
    backgammon = load("backgammon")
    line = Line.parse(backgammon, MOVES["backgammon"])
    names = ["depth:4", "a player whose name is longer than a column is wide"]
    with GamesFile(tmp_path / "games.mat", backgammon, header(backgammon)) as file:
        for number, (margin, result) in enumerate(((2.0, 1), (-1.0, -1), (None, 1), (None, 0)), 1):
            players = {"max_player": names[1 - number % 2], "min_player": names[number % 2]}
            record = replace(record_of(line, number, result=result, margin=margin), **players)
            file.add(record, line)
    match = read_match(tmp_path / "games.mat")
    assert match.players == ("depth 4", names[1])
    assert [game.points for game in match.games] == [2, 1, 1, 0]
    assert [game.score for game in match.games] == [(0, 0), (2, 0), (3, 0), (4, 0)]
    assert [game.turns[0].player for game in match.games] == [MAX, MIN, MAX, MIN]
    for game in match.games:
        assert game.line().moves == line.moves


def test_a_mat_file_has_two_players_and_whole_games(tmp_path: Path) -> None:
    backgammon = load("backgammon")
    with pytest.raises(FormatError, match="room for two players, not 3"):
        GamesFile(tmp_path / "games.mat", backgammon, header(backgammon, players=["a", "b", "c"]))
    line = Line(backgammon, backgammon.parse_state("sGfwATDgc/ABMA"))
    with GamesFile(tmp_path / "games.mat", backgammon, header(backgammon)) as file:
        with pytest.raises(FormatError, match="game 1 does not begin with the start position"):
            file.add(record_of(line, 1), line)
        assert not file.records


def test_a_record_can_be_played_again() -> None:
    tictactoe = load("tictactoe")
    line = Line.parse(tictactoe, "5 1 9 3")
    assert replay(tictactoe, from_json(to_json(record_of(line, 1)))).states == line.states


def test_a_file_of_another_match_says_what_differs(game: Game, line: Line, tmp_path: Path) -> None:
    path = path_for(game, tmp_path)
    with GamesFile(path, game, header(game)) as file:
        file.add(record_of(line, 1), line)
    before = path.read_bytes()
    with pytest.raises(ArenaError, match=r"its time is '5\+0\.05', not '10'"):
        GamesFile(path, game, header(game, time="10"))
    with pytest.raises(ArenaError, match="its seed is 0, not 7"):
        GamesFile(path, game, header(game, seed=7))
    assert path.read_bytes() == before


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    tictactoe, nim = load("tictactoe"), load("nim")
    path = tmp_path / "games.jsonl"
    with GamesFile(path, tictactoe, header(tictactoe)):
        pass
    with pytest.raises(ArenaError, match="its game is 'tictactoe', not 'nim'"):
        GamesFile(path, nim, header(nim))
    with pytest.raises(FormatError, match=r"nim has no format '\.pgn'; use \.jsonl"):
        GamesFile(tmp_path / "games.pgn", nim, header(nim))


@pytest.mark.parametrize(
    "content", [b"hello\n", b'{"a": 1}\n', b"[1]\n", b"\xff\xfe\n", b"[Event]\n\n1-0\n\n", b"%{}\n"]
)
def test_files_of_something_else_are_refused_and_kept(game: Game, tmp_path: Path, content: bytes) -> None:
    path = path_for(game, tmp_path)
    path.write_bytes(content)
    with pytest.raises(FormatError, match="is not the games file"):
        GamesFile(path, game, header(game))
    assert path.read_bytes() == content


def test_damage_in_the_middle_is_not_dropped_silently(tmp_path: Path) -> None:
    tictactoe = load("tictactoe")
    line = Line.parse(tictactoe, "5 1 9 3")
    path = tmp_path / "games.jsonl"
    with GamesFile(path, tictactoe, header(tictactoe)) as file:
        for number in (1, 2):
            file.add(record_of(line, number), line)
    text = path.read_text()
    path.write_text(text.replace('"game":1', '"game":x'))
    with pytest.raises(FormatError, match="game 1 of the file"):
        GamesFile(path, tictactoe, header(tictactoe))
    path.write_text(text.replace('"game":2', '"game":1'))
    with pytest.raises(FormatError, match="holds game 1 twice"):
        GamesFile(path, tictactoe, header(tictactoe))


def test_two_matches_do_not_write_the_same_file(game: Game, tmp_path: Path) -> None:
    path = path_for(game, tmp_path)
    with GamesFile(path, game, header(game)), pytest.raises(ArenaError, match="another match"):
        GamesFile(path, game, header(game))
    with GamesFile(path, game, header(game)):
        pass


@given(some.text(max_size=40))
@settings(max_examples=samples(100))
def test_no_text_in_place_of_a_record_breaks_the_reader(text: str) -> None:
    with pytest.raises(FormatError):
        from_json(text)
